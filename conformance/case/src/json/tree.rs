//! JSON as a tree that keeps the order of keys and rejects duplicate ones.

use std::{collections::HashSet, fmt};

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::JsonError;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A whole number that fits.
    Int(i128),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(String),
    /// An array.
    Array(Vec<Tree>),
    /// An object, in the order of the text.
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// Reads a text.
    ///
    /// # Errors
    /// What is wrong with it, with line and column.
    pub fn parse(bytes: &[u8]) -> Result<Self, JsonError> {
        serde_json::from_slice(bytes).map_err(|e| {
            let text = e.to_string();
            // serde_json ends its messages with the place; ours start with it.
            let end = format!(" at line {} column {}", e.line(), e.column());
            let what = text.strip_suffix(&end).unwrap_or(&text);
            JsonError {
                path: String::new(),
                message: format!("{}:{}: {what}", e.line(), e.column().max(1)),
            }
        })
    }

    /// What it is, for messages.
    pub fn kind(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(b) => b.to_string(),
            Self::Int(n) => n.to_string(),
            Self::Float(x) => format!("{x:?}"),
            Self::Text(text) => format!("\"{}\"", text.chars().take(80).collect::<String>()),
            Self::Array(_) => "an array".to_owned(),
            Self::Object(_) => "an object".to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, v: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(v))
    }

    fn visit_i64<E>(self, v: i64) -> Result<Tree, E> {
        Ok(Tree::Int(i128::from(v)))
    }

    fn visit_u64<E>(self, v: u64) -> Result<Tree, E> {
        Ok(Tree::Int(i128::from(v)))
    }

    fn visit_f64<E>(self, v: f64) -> Result<Tree, E> {
        Ok(Tree::Float(v))
    }

    fn visit_str<E>(self, v: &str) -> Result<Tree, E> {
        Ok(Tree::Text(v.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Tree::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let (mut entries, mut keys) = (Vec::new(), HashSet::new());
        while let Some(key) = map.next_key::<String>()? {
            if !keys.insert(key.clone()) {
                return Err(A::Error::custom(format!("duplicate key `{key}`")));
            }
            entries.push((key, map.next_value()?));
        }
        Ok(Tree::Object(entries))
    }
}
