//! What a backend answers.

use dml_ops::{Answer, Rejection};
use serde_json::{Map, Value as Json, json};

use super::{Data, Malformed, Place, data::travelling, prose, read_message};
use crate::json::{Node, Read};
use dml_case::nearest::excerpt;

/// An answer, before its buffers are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It ran; the outputs by name.
    Executed(Vec<(String, Data)>),
    /// Anything without buffers.
    Plain(Answer),
}

/// The line that answers a request. `places` are those of the request.
pub fn write_answer(id: u64, answer: &Answer, places: &[Place], guards: bool) -> String {
    let message = match answer {
        Answer::Created => json!({"type": "created", "id": id}),
        Answer::Rejected(rejection) => rejected(id, rejection),
        Answer::Executed { outputs } if outputs.len() != places.len() => {
            let (found, expected) = (outputs.len(), places.len());
            error(id, &format!("{found} output buffers came back, expected {expected}"))
        }
        Answer::Executed { outputs } => {
            let filled = places.iter().zip(outputs).map(|(place, buffer)| {
                let data = place.fill(travelling(buffer, guards))?;
                Ok((place.name.clone(), data.json()))
            });
            match filled.collect::<std::io::Result<Map<String, Json>>>() {
                Ok(outputs) => json!({"type": "executed", "id": id, "outputs": outputs}),
                Err(why) => error(id, &format!("an output cannot be written: {why}")),
            }
        }
        Answer::Skipped { reason } => json!({"type": "skipped", "id": id, "reason": reason}),
        Answer::Error { message } | Answer::Malformed { message } | Answer::Lost { message, .. } => error(id, message),
        Answer::DeviceLost { message } => json!({"type": "device-lost", "id": id, "message": message}),
    };
    message.to_string()
}

fn error(id: u64, message: &str) -> Json {
    json!({"type": "error", "id": id, "message": message})
}

fn rejected(id: u64, rejection: &Rejection) -> Json {
    let mut message = json!({"type": "rejected", "id": id});
    if !rejection.reason.is_empty() {
        message["reason"] = json!(rejection.reason);
    }
    if !rejection.clauses.is_empty() {
        message["clauses"] = json!(rejection.clauses);
    }
    if let Some(hresult) = rejection.hresult {
        message["hresult"] = json!(format!("{hresult:#010x}"));
    }
    message
}

/// Reads an answer: the request it belongs to, and what it says.
///
/// # Errors
/// What is not as it should be.
pub fn read_answer(line: &[u8]) -> Result<(u64, Reply), Malformed> {
    read_message(line, |root| {
        let kind = root.require("type")?.text()?;
        if kind == "hello" {
            return Err(root.error("a second `hello`"));
        }
        let id = root.require("id")?.whole_to(u64::MAX)?;
        Ok((id, read_reply(kind, root)?))
    })
}

fn read_reply(kind: &str, root: &Node<'_>) -> Read<Reply> {
    let with = |keys: &[&str]| root.require_keys(&[&["type", "id"], keys].concat());
    let message = || {
        with(&["message"])?;
        prose(&root.require("message")?)
    };
    Ok(Reply::Plain(match kind {
        "created" => {
            with(&[])?;
            Answer::Created
        }
        "rejected" => {
            with(&["reason", "clauses", "hresult"])?;
            Answer::Rejected(Rejection {
                reason: root.optional("reason", prose)?.unwrap_or_default(),
                clauses: root.optional("clauses", |node| node.items(prose))?.unwrap_or_default(),
                hresult: root.optional("hresult", read_hresult)?,
            })
        }
        "executed" => {
            with(&["outputs"])?;
            let output = |name: &str, node: &Node<'_>| Ok((name.to_owned(), Data::read(node)?));
            return Ok(Reply::Executed(root.require("outputs")?.entries(output)?));
        }
        "skipped" => {
            with(&["reason"])?;
            let reason = prose(&root.require("reason")?)?;
            Answer::Skipped { reason }
        }
        "error" => Answer::Error { message: message()? },
        "device-lost" => Answer::DeviceLost { message: message()? },
        "create" | "execute" => return Err(root.error("a request came back instead of its answer")),
        other => return Err(root.error(format!("unknown type `{}`", excerpt(other)))),
    }))
}

fn read_hresult(node: &Node<'_>) -> Read<u32> {
    let digits = node.text()?.strip_prefix("0x");
    let bits = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    bits.map_or_else(|| node.expected("bits like \"0x80070057\""), Ok)
}
