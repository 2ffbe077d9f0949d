//! Any bytes are the lines of a program's answers, its hello, and requests; what was read is written, and read again.

#![no_main]

use std::io::BufRead;

use dml_case::case::Mode;
use dml_fuzz::within;
use dml_ops::{Answer, Job};
use dml_run::protocol::{
    self, Abilities, Data, Hello, Line, Place, Reply, Request, citing, read_answer, read_hello, read_line, read_request,
};
use libfuzzer_sys::fuzz_target;

/// Longest line that is read.
const LONGEST: u64 = 1 << 16;

fuzz_target!(|bytes: &[u8]| {
    let mut stream = bytes;
    while let Some(line) = next(&mut stream) {
        // A tree of small values takes many times its text.
        within((1 << 20) + 512 * line.len() as u64, || {
            hello(&line);
            answer(&line);
            request(&line);
        });
    }
});

fn next(stream: &mut impl BufRead) -> Option<Vec<u8>> {
    match read_line(stream, || LONGEST).expect("memory can be read") {
        Line::Whole(line) | Line::Partial(line) => Some(line),
        Line::TooLong(start) => Some(citing("too long", &start).into_bytes()),
        Line::End => None,
    }
}

fn hello(line: &[u8]) {
    match read_hello(line) {
        Ok(Hello::Ready(info, abilities)) => {
            let again = protocol::write_hello(&info, abilities);
            let Hello::Ready(_, found) = read_hello(again.as_bytes()).expect("it was written here") else {
                panic!("{again}");
            };
            assert_eq!(found, abilities);
        }
        Ok(Hello::Unavailable(why)) => {
            read_hello(protocol::write_unavailable(&why).as_bytes()).expect("it was written here");
        }
        Err(why) => drop(citing(&why.message, line)),
    }
}

fn answer(line: &[u8]) {
    match read_answer(line) {
        Ok((_, Reply::Executed(outputs))) => {
            for (_, data) in outputs {
                // What files hold is not looked at: their names are the fuzzer's.
                if let Data::Text(text) = &data {
                    for length in [0, 1, text.len() / 4 * 3, usize::MAX] {
                        let _ = data.bytes(length);
                    }
                }
            }
        }
        Ok((id, Reply::Plain(answer))) => again(id, &answer),
        Err(why) => drop(citing(&why.message, line)),
    }
}

fn again(id: u64, answer: &Answer) {
    let text = protocol::write_answer(id, answer, &[], false);
    let (found, reply) = read_answer(text.as_bytes()).expect("it was written here");
    assert_eq!(found, id);
    assert!(matches!(reply, Reply::Plain(_)), "{text}");
}

fn request(line: &[u8]) {
    match read_request(&dml_fuzz::suite().catalog, line) {
        Ok(Request::Create(job)) => sent(Mode::Create, job),
        Ok(Request::Execute(job, places)) => {
            // Nothing is written to files: their names are the fuzzer's.
            let places: Vec<Place> = places.into_iter().map(|place| Place { file: None, ..place }).collect();
            let outputs = job.outputs.clone();
            let text = protocol::write_answer(job.id, &Answer::Executed { outputs }, &places, true);
            let (_, reply) = read_answer(text.as_bytes()).expect("it was written here");
            assert!(matches!(reply, Reply::Executed(_)), "{text}");
            sent(Mode::Execute, job);
        }
        Ok(Request::Hello | Request::Bye) => {}
        Err(why) => drop(citing(&why.message, line)),
    }
}

/// A job that was read is written and read again.
fn sent(mode: Mode, job: Job) {
    let catalog = &dml_fuzz::suite().catalog;
    let mut text = Vec::new();
    let abilities = Abilities::ALL;
    let Ok(pending) = protocol::write_request(catalog, mode, job.id, job.clone(), abilities, None, &mut text) else {
        return;
    };
    pending.longest_answer();
    let line = text.trim_ascii_end();
    let found = match read_request(catalog, line).expect("it was written here") {
        Request::Create(found) | Request::Execute(found, _) => found,
        other => panic!("{other:?}"),
    };
    // NaN equals nothing: descriptors are compared as they are shown.
    assert_eq!(format!("{:?}", found.descriptor), format!("{:?}", job.descriptor));
    assert_eq!(found.inputs.len(), job.inputs.len());
}
