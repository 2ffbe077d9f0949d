use std::sync::Arc;

use dml_ops::{Alias, Answer, Buffer, Info, Job, Levels, Rejection, Unavailable, Validator};
use dml_spec::{Descriptor, FeatureLevel, TensorDesc, Value};
use proptest::prelude::*;

use super::*;
use dml_case::case::Mode;

const GUARD: usize = 64;

/// The largest of rows of INT8, with these guards.
fn job(rows: u32, guard: usize) -> Job {
    let tensor = |data_type, bits, columns| Value::Tensor(Some(TensorDesc::packed(data_type, bits, &[rows, columns])));
    let fields = vec![
        // DML_TENSOR_DATA_TYPE_INT8, and UINT32 for the index.
        tensor(9, 8, 4),
        tensor(9, 8, 1),
        tensor(4, 32, 1),
        Value::UInt(1),
        Value::UInt(1),
        Value::UInt(1),
    ];
    let buffer = |bytes: u32| Buffer::new((0..bytes as usize + 2 * guard).map(|i| i as u8).collect(), guard);
    Job {
        id: 0,
        feature_level: FeatureLevel::new(3, 1),
        descriptor: Arc::new(Descriptor {
            operator: "TOP_K1".into(),
            fields,
        }),
        inputs: vec![buffer(4 * rows)],
        outputs: vec![buffer(rows.next_multiple_of(4)), buffer(4 * rows)],
        aliases: Box::default(),
        half_precision: false,
    }
}

fn write(job: Job, abilities: Abilities, scratch: Option<&Scratch>) -> (String, Pending) {
    written(Mode::Execute, 7, job, abilities, scratch).unwrap()
}

/// A request's line without its end.
fn written(
    mode: Mode,
    id: u64,
    job: Job,
    abilities: Abilities,
    scratch: Option<&Scratch>,
) -> Result<(String, Pending), Refused> {
    let mut text = b"before".to_vec();
    let pending = write_request(
        dml_spec_yaml::load::catalog(),
        mode,
        id,
        job,
        abilities,
        scratch,
        &mut text,
    );
    let text = String::from_utf8(text).unwrap();
    let line = text.strip_prefix("before").unwrap();
    assert_eq!(
        (line.is_empty(), line.ends_with('\n')),
        (pending.is_err(), pending.is_ok()),
        "{line}"
    );
    pending.map(|pending| (line.trim_end().to_owned(), pending))
}

fn read(line: &str) -> Request {
    read_request(dml_spec_yaml::load::catalog(), line.as_bytes()).unwrap()
}

/// What a backend of this side makes of a request, and what the harness makes of its answer.
fn there_and_back(rows: u32, abilities: Abilities, scratch: Option<&Scratch>) -> String {
    let sent = job(rows, GUARD);
    let (line, pending) = write(sent.clone(), abilities, scratch);
    let Request::Execute(mut got, places) = read(&line) else {
        panic!("{line}")
    };
    assert_eq!((got.id, got.feature_level), (7, sent.feature_level));
    assert_eq!(got.descriptor, sent.descriptor);
    for (got, sent) in got
        .inputs
        .iter()
        .chain(&got.outputs)
        .zip(sent.inputs.iter().chain(&sent.outputs))
    {
        assert_eq!(got.tensor(), sent.tensor());
        assert_eq!(got.guard(), if abilities.guards { GUARD } else { 0 });
    }
    got.outputs.iter_mut().for_each(|output| output.tensor_mut().fill(0xee));
    let longest = pending.longest_answer();
    let answer = write_answer(7, &Answer::Executed { outputs: got.outputs }, &places, true);
    assert!(
        answer.len() as u64 <= longest + 64,
        "{} bytes, {longest} expected",
        answer.len()
    );
    let (id, reply) = read_answer(answer.as_bytes()).unwrap();
    let Reply::Executed(found) = reply else {
        panic!("{answer}")
    };
    let outputs = pending.collect(found).unwrap();
    assert_eq!((id, outputs.len()), (7, 2));
    for (output, sent) in outputs.iter().zip(&sent.outputs) {
        assert!(output.tensor().iter().all(|byte| *byte == 0xee));
        let end = sent.whole().len() - GUARD;
        assert_eq!(output.whole()[..GUARD], sent.whole()[..GUARD]);
        assert_eq!(output.whole()[end..], sent.whole()[end..]);
    }
    answer
}

#[test]
fn buffers_come_back_with_their_guards_whatever_a_program_can_do() {
    let plain = Abilities {
        create: true,
        execute: true,
        ..Abilities::default()
    };
    let scratch = Scratch::new().unwrap();
    assert!(!there_and_back(3, plain, None).contains("\"file\""));
    assert!(!there_and_back(3, Abilities::ALL, Some(&scratch)).contains("\"file\""));
    assert!(!there_and_back(70_000, plain, Some(&scratch)).contains("\"file\""));
    assert!(there_and_back(70_000, Abilities::ALL, Some(&scratch)).contains("\"file\""));
}

#[test]
fn the_documented_form_is_written_and_read() {
    let abilities = Abilities {
        execute: true,
        ..Abilities::default()
    };
    let (line, _) = write(job(1, GUARD), abilities, None);
    let message: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(message["type"], "execute");
    assert_eq!(
        (&message["feature_level"], &message["operator"]),
        (&"3.1".into(), &"TOP_K1".into())
    );
    assert_eq!(message["desc"]["InputTensor"]["Sizes"], serde_json::json!([1, 4]));
    assert_eq!(message["inputs"], serde_json::json!({"InputTensor": "QEFCQw=="}));
    assert_eq!(message.get("guard"), None);
    assert!(matches!(read(HELLO), Request::Hello) && matches!(read(BYE), Request::Bye));
}

#[test]
fn descriptors_that_json_lacks_travel_between_those_who_can() {
    let mut odd = job(1, GUARD);
    if let Value::Tensor(Some(tensor)) = &mut Arc::make_mut(&mut odd.descriptor).fields[0] {
        (tensor.sizes, tensor.tensor_type) = (None, 5);
    }
    let write = |abilities| written(Mode::Create, 1, odd.clone(), abilities, None);
    assert!(matches!(write(Abilities::default()), Err(Refused::NotExpressible(_))));
    let (line, _) = write(Abilities::ALL).unwrap();
    let Request::Create(got) = read(&line) else {
        panic!("{line}")
    };
    assert_eq!(got.descriptor, odd.descriptor);
}

#[test]
fn hello_says_what_a_backend_is() {
    let info = Info {
        name: "mine".to_owned(),
        version: "2.1".to_owned(),
        operators: vec!["TOP_K1".to_owned()],
        feature_level: FeatureLevel::new(5, 0),
        levels: Levels::Superset,
        validator: Validator::Own,
        executes: true,
        details: vec![("driver".to_owned(), "x".to_owned())],
    };
    let line = write_hello(&info, Abilities::ALL);
    assert_eq!(
        read_hello(line.as_bytes()),
        Ok(Hello::Ready(info.clone(), Abilities::ALL))
    );
    // What the documentation shows.
    let short = r#"{"type":"hello","protocol":1,"name":"mine","version":"2.1","operators":["TOP_K1"],"feature_level":"5.0","levels":"superset","can":["create","execute"]}"#;
    let Ok(Hello::Ready(read, abilities)) = read_hello(short.as_bytes()) else {
        panic!("{short}")
    };
    assert_eq!(
        read,
        Info {
            details: vec![],
            ..info
        }
    );
    assert!(abilities.create && abilities.execute && !abilities.files && !abilities.guards);
    let why = Unavailable {
        reason: "no device".to_owned(),
        remedy: "plug one in".to_owned(),
    };
    assert_eq!(
        read_hello(write_unavailable(&why).as_bytes()),
        Ok(Hello::Unavailable(why))
    );
    for (from, to, text) in [
        ("\"protocol\":1", "\"protocol\":2", "protocol 2, expected 1"),
        (
            "\"5.0\"",
            "\"5\"",
            "feature_level: expected a feature level like 3.1, found \"5\"",
        ),
        (
            "superset",
            "all",
            "levels: unknown variant `all`, expected `strict` or `superset`",
        ),
        (
            "\"execute\"",
            "\"exec\"",
            "can[1]: unknown ability `exec`; nearest: exact, execute",
        ),
        ("\"hello\"", "\"created\"", "expected a `hello`, found `created`"),
        ("\"name\":\"mine\",", "", "`name` is missing"),
        ("[\"TOP_K1\"]", "\"TOP_K1\"", "operators: expected an array"),
    ] {
        let error = read_hello(short.replace(from, to).as_bytes()).unwrap_err();
        assert!(error.message.starts_with(text), "{from}: {error}");
    }
}

#[test]
fn half_precision_is_told_where_it_is_allowed_and_only_there() {
    let read = |line: &str| read_request(dml_spec_yaml::load::catalog(), line.as_bytes());
    for half_precision in [false, true] {
        let sent = Job {
            half_precision,
            ..job(1, GUARD)
        };
        let (line, _) = write(sent.clone(), Abilities::default(), None);
        assert_eq!(line.contains(r#","half_precision":true}"#), half_precision, "{line}");
        assert_eq!(line.contains("half_precision"), half_precision, "{line}");
        let Ok(Request::Execute(found, _)) = read(&line) else {
            panic!("{line}")
        };
        assert_eq!(found.half_precision, half_precision);
        // Whoever only creates an operator computes nothing.
        let (line, _) = written(Mode::Create, 7, sent, Abilities::default(), None).unwrap();
        assert!(!line.contains("half_precision"), "{line}");
    }
    let (line, _) = write(job(1, GUARD), Abilities::default(), None);
    let wrong = format!("{},\"half_precision\":7}}", line.strip_suffix('}').unwrap());
    let error = read(&wrong).unwrap_err();
    assert!(error.message.starts_with("half_precision: "), "{error}");
}

#[test]
fn what_lies_in_place_survives_the_round_trip() {
    let mut shared = job(1, GUARD);
    shared.aliases = Box::new([Alias { output: 1, input: 0 }]);
    let (line, _) = write(shared.clone(), Abilities::default(), None);
    assert!(
        line.contains(r#","aliases":{"OutputIndexTensor":"InputTensor"}}"#),
        "{line}"
    );
    let read = |line: &str| read_request(dml_spec_yaml::load::catalog(), line.as_bytes());
    let Ok(Request::Execute(found, _)) = read(&line) else {
        panic!("{line}")
    };
    assert_eq!(found.aliases, shared.aliases);
    for (from, to, text) in [
        (
            ":\"InputTensor\"}",
            ":\"Input\"}",
            "aliases.OutputIndexTensor: unknown input `Input`",
        ),
        (
            "{\"OutputIndexTensor\":\"I",
            "{\"Output\":\"I",
            "aliases.Output: unknown output `Output`",
        ),
        (
            ":\"InputTensor\"}",
            ":7}",
            "aliases.OutputIndexTensor: expected a string",
        ),
        (
            "{\"OutputIndexTensor\":\"InputTensor\"}",
            "[]",
            "aliases: expected an object",
        ),
    ] {
        let error = read(&line.replace(from, to)).unwrap_err();
        assert!(error.message.starts_with(text), "{to}: {error}");
    }
}

#[test]
fn answers_without_buffers_survive_the_round_trip() {
    let rejection = Rejection {
        reason: "no way".to_owned(),
        clauses: vec![
            "TOP_K1/axis-in-range".to_owned(),
            "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL/3.0/OutputTensor/FLOAT64".to_owned(),
        ],
        hresult: Some(0x8007_0057),
    };
    let message = "what".to_owned();
    let answers = [
        Answer::Created,
        Answer::Rejected(rejection),
        Answer::Rejected(Rejection::default()),
        Answer::Skipped {
            reason: message.clone(),
        },
        Answer::Error {
            message: message.clone(),
        },
        Answer::DeviceLost { message },
    ];
    for answer in answers {
        let line = write_answer(3, &answer, &[], false);
        assert!(!line.contains('\n'));
        assert_eq!(read_answer(line.as_bytes()), Ok((3, Reply::Plain(answer))));
    }
}

#[test]
fn mistakes_in_answers_are_told_with_the_request_where_it_is_known() {
    for (line, id, text) in [
        ("", None, "no JSON"),
        ("[]", None, "expected an object"),
        (r#"{"type":"created"}"#, None, "`id` is missing"),
        (
            r#"{"type":"created","id":-1}"#,
            None,
            "id: expected a whole number from 0 to 18446744073709551615, found -1",
        ),
        (r#"{"id":4}"#, Some(4), "`type` is missing"),
        (r#"{"type":"created","id":4,"x":1}"#, Some(4), "unknown field `x`"),
        (r#"{"type":"executed","id":4}"#, Some(4), "`outputs` is missing"),
        (
            r#"{"type":"executed","id":4,"outputs":{"A":7}}"#,
            Some(4),
            "outputs.A: expected base64",
        ),
        (
            r#"{"type":"rejected","id":4,"hresult":"7"}"#,
            Some(4),
            "hresult: expected bits",
        ),
        (r#"{"type":"created","id":4,"id":5}"#, None, "no JSON"),
        (r#"{"type":"hello","protocol":1}"#, None, "a second `hello`"),
    ] {
        let error = read_answer(line.as_bytes()).unwrap_err();
        assert_eq!(error.id, id, "{line}");
        assert!(error.message.starts_with(text), "{line}: {error}");
    }
}

#[test]
fn outputs_have_to_be_those_that_were_asked_for() {
    let outputs = |found: &[(&str, &[u8])]| {
        let (_, pending) = write(job(1, GUARD), Abilities::default(), None);
        let found = found
            .iter()
            .map(|(name, bytes)| ((*name).to_owned(), Data::text(bytes)));
        pending.collect(found.collect()).map(|_| ()).unwrap_err()
    };
    let (value, index) = ("OutputValueTensor", "OutputIndexTensor");
    assert_eq!(outputs(&[(value, &[1; 4])]), "output `OutputIndexTensor` is missing");
    assert_eq!(
        outputs(&[(value, &[1; 4]), (index, &[1; 3])]),
        "output `OutputIndexTensor`: 3 bytes, expected 4"
    );
    let long = outputs(&[(value, &[1; 3000]), (index, &[1; 4])]);
    assert!(
        long.starts_with("output `OutputValueTensor`: at least 2998 bytes"),
        "{long}"
    );
    assert_eq!(
        outputs(&[(value, &[1; 4]), (index, &[1; 4]), ("X", &[])]),
        "unknown output `X`"
    );
    let (_, pending) = write(job(1, GUARD), Abilities::default(), None);
    let file = vec![(value.to_owned(), Data::File("/etc/hostname".into()))];
    assert!(
        pending
            .collect(file)
            .unwrap_err()
            .contains("a file came back, expected base64")
    );
}

#[test]
fn mistakes_in_requests_are_told() {
    let (line, _) = write(job(1, GUARD), Abilities::default(), None);
    for (from, to, text) in [
        ("TOP_K1", "TOPK1", "operator: unknown operator `TOPK1`"),
        ("\"execute\"", "\"run\"", "unknown type `run`"),
        (
            "\"InputTensor\":\"",
            "\"Input\":\"",
            "inputs: unknown field `Input`; did you mean `InputTensor`?",
        ),
        ("QEFCQw==", "QEFC", "inputs.InputTensor: 3 bytes, expected 4"),
        ("QEFCQw==", "####", "inputs.InputTensor: no base64"),
        (
            "\"3.1\"",
            "\"three\"",
            "feature_level: expected a feature level like 3.1, found \"three\"",
        ),
        ("\"Axis\":1", "\"Axis\":\"x\"", "desc.Axis: expected a whole number"),
    ] {
        let error = read_request(dml_spec_yaml::load::catalog(), line.replace(from, to).as_bytes()).unwrap_err();
        assert!(error.message.starts_with(text), "{from}: {error}");
        assert_eq!(error.id, Some(7), "{from}");
    }
}

proptest! {
    #[test]
    fn no_cut_or_changed_line_makes_it_panic(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let (line, _) = write(job(1, GUARD), Abilities::ALL, None);
        for line in [line, write_answer(1, &Answer::Executed { outputs: vec![] }, &[], false)] {
            let mut bytes = line.into_bytes();
            let at = at.index(bytes.len());
            let all = |bytes: &[u8]| {
                let _ = (read_request(dml_spec_yaml::load::catalog(), bytes), read_answer(bytes), read_hello(bytes));
            };
            all(&bytes[..at]);
            bytes[at] = byte;
            all(&bytes);
        }
    }
}
