//! A value of a JSON text that knows its place, so that mistakes say where they are.

use dml_case::nearest::{excerpt, harmless, nearest};
use dml_spec::FeatureLevel;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{JsonError, Read};

/// A value at its place.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The value.
    pub value: &'a Value,
    parent: Option<&'a Node<'a>>,
    step: Step<'a>,
}

/// The way from a parent to a value.
#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Key(&'a str),
    Item(usize),
}

impl<'a> Node<'a> {
    /// The value of a whole text; mistakes in it itself say `name`, if that is not empty.
    pub fn root(value: &'a Value, name: &'a str) -> Self {
        Self {
            value,
            parent: None,
            step: Step::Key(name),
        }
    }

    /// A mistake here. The text may come from anywhere, and so may what is quoted of it.
    pub fn error(&self, message: impl Into<String>) -> JsonError {
        JsonError {
            path: self.path(),
            place: None,
            message: harmless(&message.into()),
        }
    }

    fn path(&self) -> String {
        // The name of the root is that of no entry.
        let before = self.parent.map_or_else(String::new, |parent| match parent.parent {
            Some(_) => parent.path(),
            None => String::new(),
        });
        match self.step {
            Step::Key(key) if before.is_empty() => excerpt(key),
            Step::Key(key) => format!("{before}.{}", excerpt(key)),
            Step::Item(index) => format!("{before}[{index}]"),
        }
    }

    /// Fails: something else is here.
    pub fn expected<T>(&self, what: &str) -> Read<T> {
        let found = match self.value {
            Value::String(text) => format!("\"{}\"", excerpt(text)),
            Value::Array(_) => "an array".to_owned(),
            Value::Object(_) => "an object".to_owned(),
            other => other.to_string(),
        };
        Err(self.error(format!("expected {what}, found {found}")))
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        self.value.is_null()
    }

    fn object(&self) -> Read<&'a Map<String, Value>> {
        self.value.as_object().map_or_else(|| self.expected("an object"), Ok)
    }

    /// Fails unless it is an object with no other keys than these.
    pub fn require_keys(&self, keys: &[&str]) -> Read<()> {
        let Some(key) = self.object()?.keys().find(|key| !keys.contains(&key.as_str())) else {
            return Ok(());
        };
        let hint = match nearest(key, keys.iter().copied(), 1).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are {}", keys.join(", ")),
        };
        Err(self.error(format!("unknown field `{}`; {hint}", excerpt(key))))
    }

    /// An entry of an object.
    pub fn get<'n>(&'n self, key: &'n str) -> Option<Node<'n>> {
        Some(Node {
            value: self.value.get(key)?,
            parent: Some(self),
            step: Step::Key(key),
        })
    }

    /// An entry that has to be there.
    pub fn require<'n>(&'n self, key: &'n str) -> Read<Node<'n>> {
        self.object()?;
        self.get(key).ok_or_else(|| self.error(format!("`{key}` is missing")))
    }

    /// What is read of an entry, if it is there and not null.
    pub fn optional<T>(&self, key: &str, read: impl FnOnce(&Node<'_>) -> Read<T>) -> Read<Option<T>> {
        self.get(key)
            .filter(|node| !node.is_null())
            .map(|node| read(&node))
            .transpose()
    }

    /// What is read of it, if it is not null.
    pub fn nullable<T>(&self, read: impl FnOnce(&Node<'_>) -> Read<T>) -> Read<Option<T>> {
        match self.is_null() {
            true => Ok(None),
            false => read(self).map(Some),
        }
    }

    /// What is read of the entries of an object, by key.
    pub fn entries<T>(&self, mut read: impl FnMut(&str, &Node<'_>) -> Read<T>) -> Read<Vec<T>> {
        let keys = self.object()?.keys();
        keys.map(|key| read(key, &self.require(key)?)).collect()
    }

    /// What is read of the items of an array.
    pub fn items<T>(&self, mut read: impl FnMut(&Node<'_>) -> Read<T>) -> Read<Vec<T>> {
        let Value::Array(items) = self.value else {
            return self.expected("an array");
        };
        let nodes = items.iter().enumerate().map(|(index, value)| Node {
            value,
            parent: Some(self),
            step: Step::Item(index),
        });
        nodes.map(|node| read(&node)).collect()
    }

    /// A string.
    pub fn text(&self) -> Read<&'a str> {
        self.value.as_str().map_or_else(|| self.expected("a string"), Ok)
    }

    /// A whole number from 0 to `max`.
    pub fn whole_to(&self, max: u64) -> Read<u64> {
        let found = self.value.as_u64().filter(|n| *n <= max);
        found.map_or_else(|| self.expected(&format!("a whole number from 0 to {max}")), Ok)
    }

    /// A whole number of 32 bits without sign.
    pub fn whole(&self) -> Read<u32> {
        self.whole_to(u32::MAX.into())
            .map(|n| u32::try_from(n).unwrap_or_default())
    }

    /// A feature level.
    pub fn feature_level(&self) -> Read<FeatureLevel> {
        let level = self.text()?.parse();
        level.or_else(|_| self.expected("a feature level like 3.1"))
    }

    /// What serde makes of it.
    pub fn parsed<T: Deserialize<'a>>(&self) -> Read<T> {
        T::deserialize(self.value).map_err(|e| self.error(e.to_string()))
    }
}
