//! Microsoft's own library on the mock's D3D12: nothing is computed, but the library judges every binding, and removes
//! its device if one is wrong.

use std::{env, path::PathBuf, time::Duration};

use dml_ops::{Answer, Backend as _, Job, JobId};

use super::{
    Settings, World,
    loading::Libraries,
    sessions::{POISON, example, large, owned, poll_answers, strided, tensors},
};
use crate::{
    backend::{DirectMl, tests::library_for},
    choice::{Adapter, DeviceChoice, Options},
};

/// Jobs on Microsoft's library.
fn run(library: PathBuf, jobs: Vec<Job>) -> Vec<(JobId, Answer)> {
    let (libraries, world) = (Libraries::new("real"), World::new(Settings::default()));
    world.state().extended = true;
    let backend = DirectMl::new(Options {
        library,
        device: DeviceChoice::Real {
            adapter: Adapter::Hardware,
            debug: false,
        },
        d3d12: Some(libraries.0.join("d3d12.so")),
        limit: Duration::from_secs(60),
        level: None,
        scratch: env::temp_dir(),
    });
    let mut session = backend.open().unwrap();
    let count = jobs.len();
    session.submit(jobs);
    let answers = poll_answers(&mut *session, count);
    drop(session);
    assert_eq!(world.violations(), [""; 0]);
    assert_eq!(world.alive(), []);
    answers
}

#[test]
fn microsofts_library_takes_what_is_bound() {
    let Some(library) = library_for("microsofts_library_takes_what_is_bound") else {
        return;
    };
    let answers = run(library, vec![example(1), strided(2), owned(3), large(4), example(5)]);
    assert_eq!(answers.len(), 5);
    for (id, answer) in &answers {
        match answer {
            // Nothing was computed, and everything came back.
            Answer::Executed { .. } => assert!(tensors(answer).concat().iter().all(|byte| *byte == POISON)),
            // The library of level 3.0 has 4 dimensions only, and that of level 3.1 no 64-bit indices.
            Answer::Rejected(_) => assert!(matches!(id, 2), "{id}: {answer:?}"),
            _ => panic!("{id}: {answer:?}"),
        }
    }
}
