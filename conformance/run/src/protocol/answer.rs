//! What a backend answers.

use dml_ops::{Answer, Rejection};
use serde_json::{Map, Value as Json, json};

use super::{Data, Malformed, Place, data::travelling, fields::Fields};
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
    let mut fields = Fields::parse(line)?;
    let kind = fields.text("type")?;
    if kind == "hello" {
        return Err(fields.error("a second `hello`".to_owned()));
    }
    let id = fields.id()?;
    let reply = reply(&kind, &mut fields).and_then(|reply| fields.nothing_else().map(|()| reply));
    reply
        .map(|reply| (id, reply))
        .map_err(|e| Malformed { id: Some(id), ..e })
}

fn reply(kind: &str, fields: &mut Fields) -> Result<Reply, Malformed> {
    let answer = match kind {
        "created" => Answer::Created,
        "rejected" => Answer::Rejected(rejection(fields)?),
        "executed" => {
            let outputs = fields.object("outputs")?.into_iter();
            let outputs = outputs.map(|(name, tree)| match Data::of(tree) {
                Ok(data) => Ok((name, data)),
                Err(why) => Err(fields.error(format!("output `{}`: {why}", excerpt(&name)))),
            });
            return Ok(Reply::Executed(outputs.collect::<Result<_, _>>()?));
        }
        "skipped" => Answer::Skipped {
            reason: fields.prose("reason")?,
        },
        "error" => Answer::Error {
            message: fields.prose("message")?,
        },
        "device-lost" => Answer::DeviceLost {
            message: fields.prose("message")?,
        },
        "create" | "execute" => return Err(fields.error("a request came back instead of its answer".to_owned())),
        other => return Err(fields.error(format!("unknown type `{}`", excerpt(other)))),
    };
    Ok(Reply::Plain(answer))
}

fn rejection(fields: &mut Fields) -> Result<Rejection, Malformed> {
    let clauses = match fields.has("clauses") {
        true => fields.texts("clauses")?.iter().map(|id| excerpt(id)).collect(),
        false => {
            fields.optional("clauses");
            Vec::new()
        }
    };
    let hresult = match fields.optional_text("hresult")? {
        None => None,
        Some(text) => {
            let bits = text
                .strip_prefix("0x")
                .and_then(|digits| u32::from_str_radix(digits, 16).ok());
            let wrong = || {
                fields.error(format!(
                    "`hresult`: expected bits like \"0x80070057\", found `{}`",
                    excerpt(&text)
                ))
            };
            Some(bits.ok_or_else(wrong)?)
        }
    };
    Ok(Rejection {
        reason: fields.optional_prose("reason")?,
        clauses,
        hresult,
    })
}
