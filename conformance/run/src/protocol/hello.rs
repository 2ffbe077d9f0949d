//! The first message of either side.

use dml_ops::{Info, Unavailable, Validator};
use serde_json::{Value as Json, json};

use super::{Malformed, VERSION, prose, read_message, require_version, short};
use crate::json::{Node, Read};
use dml_case::nearest::{excerpt, suggestion};

/// The harness's first line.
pub const HELLO: &str = r#"{"type":"hello","protocol":1}"#;

/// What a program is able to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// It judges descriptors.
    pub create: bool,
    /// It runs operators.
    pub execute: bool,
    /// It takes large buffers in files.
    pub files: bool,
    /// It takes buffers between guards.
    pub guards: bool,
    /// It takes descriptors that JSON proper cannot carry.
    pub exact: bool,
    /// It computes outputs in the place of inputs.
    pub in_place: bool,
}

/// Names of the abilities, in the order of their fields.
const ABILITIES: [&str; 6] = ["create", "execute", "files", "guards", "exact", "in-place"];

impl Abilities {
    /// All of them.
    pub const ALL: Self = Self {
        create: true,
        execute: true,
        files: true,
        guards: true,
        exact: true,
        in_place: true,
    };

    fn names(self) -> Vec<&'static str> {
        let has = [
            self.create,
            self.execute,
            self.files,
            self.guards,
            self.exact,
            self.in_place,
        ];
        ABILITIES
            .into_iter()
            .zip(has)
            .filter(|(_, has)| *has)
            .map(|(name, _)| name)
            .collect()
    }

    fn read(node: &Node<'_>) -> Read<Self> {
        let names = node.items(|name| match name.text()? {
            known if ABILITIES.contains(&known) => Ok(known.to_owned()),
            other => {
                let hint = suggestion(other, ABILITIES);
                Err(name.error(format!("unknown ability `{}`; {hint}", excerpt(other))))
            }
        })?;
        let has = |ability| names.iter().any(|name| name == ability);
        let [create, execute, files, guards, exact, in_place] = ABILITIES.map(has);
        if !create && !execute {
            return Err(node.error("neither `create` nor `execute` is named, so nothing can be tested"));
        }
        Ok(Self {
            create,
            execute,
            files,
            guards,
            exact,
            in_place,
        })
    }
}

/// A program's first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hello {
    /// It is ready.
    Ready(Info, Abilities),
    /// It cannot run here.
    Unavailable(Unavailable),
}

/// The line of a program that is ready.
pub fn write_hello(info: &Info, abilities: Abilities) -> String {
    let details: Vec<Json> = info.details.iter().map(|(name, value)| json!([name, value])).collect();
    json!({
        "type": "hello",
        "protocol": VERSION,
        "name": info.name,
        "version": info.version,
        "operators": info.operators,
        "feature_level": info.feature_level,
        "levels": info.levels,
        "can": abilities.names(),
        "validator": info.validator,
        "details": details,
    })
    .to_string()
}

/// The line of a program that cannot run here.
pub fn write_unavailable(why: &Unavailable) -> String {
    json!({"type": "unavailable", "reason": why.reason, "remedy": why.remedy}).to_string()
}

/// Reads a program's first line.
///
/// # Errors
/// What is not as it should be.
pub fn read_hello(line: &[u8]) -> Result<Hello, Malformed> {
    read_message(line, |root| {
        if line == HELLO.as_bytes() {
            return Err(root.error("it echoes what it is sent; a program answers with a `hello` of its own"));
        }
        match root.require("type")?.text()? {
            "hello" => read_ready(root),
            "unavailable" => {
                root.require_keys(&["type", "reason", "remedy"])?;
                Ok(Hello::Unavailable(Unavailable {
                    reason: prose(&root.require("reason")?)?,
                    remedy: root.optional("remedy", prose)?.unwrap_or_default(),
                }))
            }
            other => Err(root.error(format!("expected a `hello`, found `{}`", excerpt(other)))),
        }
    })
}

fn read_ready(root: &Node<'_>) -> Read<Hello> {
    require_version(root)?;
    root.require_keys(&[
        "type",
        "protocol",
        "name",
        "version",
        "operators",
        "feature_level",
        "levels",
        "can",
        "validator",
        "details",
    ])?;
    let abilities = Abilities::read(&root.require("can")?)?;
    let validator = root.optional("validator", |node| node.text().map(|word| word == "generated"))?;
    let info = Info {
        name: short(&root.require("name")?)?,
        version: root.optional("version", short)?.unwrap_or_default(),
        operators: root.require("operators")?.items(short)?,
        feature_level: root.require("feature_level")?.feature_level()?,
        levels: root.optional("levels", |node| node.parsed())?.unwrap_or_default(),
        validator: match validator {
            Some(true) => Validator::Generated,
            _ => Validator::Own,
        },
        executes: abilities.execute,
        details: root.get("details").map_or_else(Vec::new, |node| read_details(&node)),
    };
    Ok(Hello::Ready(info, abilities))
}

/// Further facts: an array of pairs. Other items are ignored.
fn read_details(node: &Node<'_>) -> Vec<(String, String)> {
    let pair = |node: &Node<'_>| {
        let pair = node.parsed::<(&str, &str)>().ok();
        Ok(pair.map(|(name, value)| (excerpt(name), excerpt(value))))
    };
    node.items(pair).into_iter().flatten().flatten().collect()
}
