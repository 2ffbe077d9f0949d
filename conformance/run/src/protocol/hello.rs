//! The first message of either side.

use dml_ops::{Info, Levels, Unavailable, Validator};
use serde_json::{Value as Json, json};

use super::{Malformed, VERSION, fields::Fields};
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

    fn of(names: &[String]) -> Result<Self, String> {
        match names.iter().find(|name| !ABILITIES.contains(&name.as_str())) {
            Some(unknown) => {
                let hint = suggestion(unknown, ABILITIES);
                Err(format!("`can`: unknown ability `{}`; {hint}", excerpt(unknown)))
            }
            None => {
                let has = |ability| names.iter().any(|name| name == ability);
                let [create, execute, files, guards, exact, in_place] = ABILITIES.map(has);
                if !create && !execute {
                    return Err("`can` names neither `create` nor `execute`, so nothing can be tested".to_owned());
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
    let levels = match info.levels {
        Levels::Strict => "strict",
        Levels::Superset => "superset",
    };
    let validator = match info.validator {
        Validator::Generated => "generated",
        Validator::Own => "own",
    };
    json!({
        "type": "hello",
        "protocol": VERSION,
        "name": info.name,
        "version": info.version,
        "operators": info.operators,
        "feature_level": info.feature_level.to_string(),
        "levels": levels,
        "can": abilities.names(),
        "validator": validator,
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
    let mut fields = Fields::parse(line)?;
    if line == HELLO.as_bytes() {
        let told = "it echoes what it is sent; a program answers with a `hello` of its own";
        return Err(fields.error(told.to_owned()));
    }
    match fields.text("type")?.as_str() {
        "hello" => ready(fields),
        "unavailable" => {
            let reason = fields.prose("reason")?;
            let remedy = fields.optional_prose("remedy")?;
            fields.nothing_else()?;
            Ok(Hello::Unavailable(Unavailable { reason, remedy }))
        }
        other => Err(fields.error(format!("expected a `hello`, found `{}`", excerpt(other)))),
    }
}

fn ready(mut fields: Fields) -> Result<Hello, Malformed> {
    let protocol = fields.whole("protocol")?;
    if protocol != VERSION {
        return Err(fields.error(format!("protocol {protocol}, expected {VERSION}")));
    }
    let abilities = Abilities::of(&fields.texts("can")?).map_err(|e| fields.error(e))?;
    let info = Info {
        name: excerpt(&fields.text("name")?),
        version: excerpt(&fields.optional_text("version")?.unwrap_or_default()),
        operators: fields.texts("operators")?.iter().map(|name| excerpt(name)).collect(),
        feature_level: {
            let level = fields.text("feature_level")?;
            level
                .parse()
                .map_err(|_| fields.error(format!("`feature_level`: `{}` is no feature level", excerpt(&level))))?
        },
        levels: match fields.optional_text("levels")?.as_deref() {
            None | Some("strict") => Levels::Strict,
            Some("superset") => Levels::Superset,
            Some(other) => {
                let found = excerpt(other);
                return Err(fields.error(format!("`levels`: expected `strict` or `superset`, found `{found}`")));
            }
        },
        validator: match fields.optional_text("validator")?.as_deref() {
            Some("generated") => Validator::Generated,
            _ => Validator::Own,
        },
        executes: abilities.execute,
        details: details(&mut fields),
    };
    fields.nothing_else()?;
    Ok(Hello::Ready(info, abilities))
}

/// Further facts: an array of pairs. What is none is left out.
fn details(fields: &mut Fields) -> Vec<(String, String)> {
    use dml_case::json::Tree;

    let Some(Tree::Array(items)) = fields.optional("details") else {
        return Vec::new();
    };
    let pair = |item: Tree| match item {
        Tree::Array(pair) => match <[Tree; 2]>::try_from(pair) {
            Ok([Tree::Text(name), Tree::Text(value)]) => Some((excerpt(&name), excerpt(&value))),
            _ => None,
        },
        _ => None,
    };
    items.into_iter().filter_map(pair).collect()
}
