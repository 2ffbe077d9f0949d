//! Protocol version 1: how the harness talks to a backend in another process. One JSON object a line in either
//! direction; several requests may be in flight, and answers carry their ids in any order.
//!
//! ```text
//! -> {"type":"hello","protocol":1}
//! <- {"type":"hello","protocol":1,"name":…,"version":…,"operators":[…],"feature_level":"5.0","levels":"strict","can":[…]}
//! -> {"type":"create","id":1,"feature_level":"3.1","operator":"TOP_K1","desc":{…}}
//! -> {"type":"execute","id":2, … ,"inputs":{"InputTensor":DATA},"outputs":{"OutputValueTensor":DATA}}
//! <- {"type":"created","id":1} | rejected | executed | skipped | error | device-lost
//! -> {"type":"bye"}
//! ```
//!
//! A program may add to its `hello` who judges its descriptors (`"validator":"generated"` or `"own"`) and further facts
//! (`"details":[["driver","1.2"]]`); one that cannot run here says `{"type":"unavailable","reason":…,"remedy":…}` instead,
//! and one that does not take its arguments exits with code 2.
//!
//! DATA is base64 of the raw little-endian bytes. Four abilities beyond `create` and `execute` change that, if a
//! program names them in `can`:
//!
//! - `files`: large buffers are `{"file":"PATH"}` instead. The program writes an output into the file that held its
//!   poison, and answers with `{"file":"PATH"}` as well.
//! - `guards`: a request carries `"guard":64`, and every buffer this many guard bytes on either side of the tensor.
//! - `in-place`: a request may carry `"aliases":{"OutputTensor":"ATensor"}`: that output lies in the memory of that input.
//!   Its buffer holds the input's elements at first, and the input's buffer holds the same bytes; the program lets the
//!   operator read and write the output's alone. Other programs never see such cases.
//! - `exact`: descriptors may have null `Sizes` and a tensor `Type`, which other programs never see.
//!
//! Both sides of every message are written and read here, and nothing that is read can make it panic.

use dml_case::{nearest::excerpt, text::printable};
use serde_json::Value;

use crate::json::{self, Node, Read};

mod answer;
mod data;
mod hello;
mod lines;
mod request;

pub use answer::{Reply, read_answer, write_answer};
pub use data::{Data, Place, Scratch};
pub use hello::{Abilities, HELLO, Hello, read_hello, write_hello, write_unavailable};
pub use lines::{Line, read_line};
pub use request::{BYE, Pending, Refused, Request, read_request, write_request};

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// A message that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Malformed {
    /// The request it is about, if that much could be read.
    pub id: Option<u64>,
    /// What was found and expected.
    pub message: String,
}

/// Characters that are kept of a text for people.
const PROSE: usize = 2000;

/// Reads a message; a mistake in it carries its id, if that can be read.
fn read_message<T>(line: &[u8], read: impl FnOnce(&Node<'_>) -> Read<T>) -> Result<T, Malformed> {
    let message = json::parse(line).map_err(|error| Malformed {
        id: None,
        message: format!("no JSON: {error}"),
    })?;
    read(&Node::root(&message, "")).map_err(|error| Malformed {
        id: message.get("id").and_then(Value::as_u64),
        message: error.to_string(),
    })
}

/// What is only read by people.
fn prose(node: &Node<'_>) -> Read<String> {
    Ok(printable(node.text()?.trim_end(), PROSE))
}

/// A short foreign text.
fn short(node: &Node<'_>) -> Read<String> {
    Ok(excerpt(node.text()?))
}

/// The protocol of a `hello` is this one.
fn require_version(root: &Node<'_>) -> Read<()> {
    match root.require("protocol")?.whole_to(u64::MAX)? {
        VERSION => Ok(()),
        other => Err(root.error(format!("protocol {other}, expected {VERSION}"))),
    }
}

/// A line, fit to be printed: if it is long, its start and its end.
fn shown(line: &[u8]) -> String {
    const START: usize = 100;
    const END: usize = 40;
    let text = |bytes: &[u8]| printable(&String::from_utf8_lossy(bytes), usize::MAX);
    match line.len() <= START + END {
        true => text(line),
        false => format!("{}…{}", text(&line[..START]), text(&line[line.len() - END..])),
    }
}

/// Stands between what is wrong with a line and the line.
pub const LINE: &str = "; the line: ";

/// What is wrong with a line, with the line.
pub fn citing(message: &str, line: &[u8]) -> String {
    format!("{message}{LINE}`{}`", shown(line))
}

#[cfg(test)]
mod tests;
