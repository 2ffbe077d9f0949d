//! The backend on real libraries, one named in `DML_CTS_DIRECTML_LIB`. Without one the tests that need
//! it are skipped.

use std::{env, fs, path::PathBuf, sync::Arc, time::Duration};

use dml_ops::{Answer, AxisDirection, DataType, Job, Operator as _, TensorDesc, TopK1, Value};

use super::*;
use crate::{choice::NullDevice, needs};

fn options(library: PathBuf) -> Options {
    Options {
        library,
        device: DeviceChoice::Null(NullDevice::default()),
        d3d12: None,
        limit: Duration::from_secs(60),
        level: None,
        scratch: env::temp_dir(),
    }
}

/// The library that is named, for a test that needs one.
pub(crate) fn library_for(test: &str) -> Option<PathBuf> {
    let why = || "no library is named in DML_CTS_DIRECTML_LIB; `dml-cts fetch directml` gets some".to_owned();
    needs::found(test, env::var_os("DML_CTS_DIRECTML_LIB").ok_or_else(why)).map(PathBuf::from)
}

fn library(test: &str) -> Option<Options> {
    library_for(test).map(options)
}

fn job(data_type: DataType, bits: u32, k: u32) -> Job {
    let tensor = |t: DataType, bits, k| Some(TensorDesc::packed(t.0, bits, &[1, 1, 2, k]));
    let top = TopK1 {
        input_tensor: tensor(data_type, bits, 5),
        output_value_tensor: tensor(data_type, bits, k),
        output_index_tensor: tensor(DataType::UINT32, 32, k),
        axis: 3,
        k,
        axis_direction: AxisDirection::DECREASING,
    };
    Job {
        id: 1,
        feature_level: FeatureLevel::new(2, 1),
        descriptor: Arc::new(top.to_descriptor()),
        inputs: Vec::new(),
        outputs: Vec::new(),
        aliases: Box::default(),
        half_precision: false,
    }
}

/// Whether the library took the descriptor; refusals have the right code.
fn created(answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Created => Some(true),
        Answer::Rejected(rejection) => {
            assert!(
                matches!(rejection.hresult, Some(0x8007_0057 | 0x8000_0003)),
                "{rejection:?}"
            );
            Some(false)
        }
        _ => None,
    }
}

#[test]
fn the_library_judges_descriptors_and_runs_nothing() {
    let Some(options) = library("the_library_judges_descriptors_and_runs_nothing") else {
        return;
    };
    let backend = DirectMl::new(options);
    let mut session = backend.open().unwrap();
    assert!(backend.info().feature_level >= FeatureLevel::new(2, 1));
    for (k, expected) in [(2, true), (5, true), (6, false)] {
        let answer = session.create(&job(DataType::FLOAT32, 32, k));
        assert_eq!(created(&answer), Some(expected), "{k}: {answer:?}");
    }
    let mut missing = job(DataType::FLOAT32, 32, 2);
    Arc::make_mut(&mut missing.descriptor).fields[0] = Value::Tensor(None);
    assert_eq!(created(&session.create(&missing)), Some(false));
    session.submit(vec![job(DataType::FLOAT32, 32, 2)]);
    let reason = "null device".to_owned();
    assert_eq!(session.poll(Duration::ZERO), [(1, Answer::Skipped { reason })]);
}

#[test]
fn what_the_device_lacks_the_library_refuses() {
    let Some(mut options) = library("what_the_device_lacks_the_library_refuses") else {
        return;
    };
    // Typed views stand in for 16-bit numbers.
    for (device, expected) in [
        ("null", true),
        ("null,native-16-bit=no", true),
        ("null,typed-loads=no", true),
        ("null,native-16-bit=no,typed-loads=no", false),
        ("null,shader-model=6.1,typed-loads=no", false),
    ] {
        options.device = device.parse().unwrap();
        let mut session = DirectMl::new(options.clone()).open().unwrap();
        let answer = session.create(&job(DataType::FLOAT16, 16, 2));
        assert_eq!(created(&answer), Some(expected), "{device}: {answer:?}");
        assert_eq!(session.create(&job(DataType::FLOAT32, 32, 2)), Answer::Created);
    }
}

#[test]
fn a_level_above_the_highest_has_a_sentence_of_its_own() {
    let Some(mut options) = library("a_level_above_the_highest_has_a_sentence_of_its_own") else {
        return;
    };
    options.level = Some(FeatureLevel::new(9, 0));
    let why = DirectMl::new(options).open().err().unwrap();
    assert!(why.reason.contains("no device of level 9.0"), "{why}");
}

#[test]
fn no_library_and_a_foreign_one_are_told_apart() {
    let reason = |path: PathBuf| DirectMl::new(options(path)).open().err().unwrap().reason;
    assert!(reason("/nowhere/libdirectml.so".into()).starts_with("no DirectML library at"));
    let folder = env::temp_dir().join(format!("dml-cts-foreign-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("libdirectml.so");
    fs::write(&path, "text").unwrap();
    assert!(reason(path).contains("is no library, this program needs"));
    let own = reason(env::current_exe().unwrap());
    assert!(
        own.contains("cannot be loaded") || own.contains("no function DMLCreateDevice1"),
        "{own}"
    );
    fs::remove_dir_all(&folder).unwrap();
}
