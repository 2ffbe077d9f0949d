//! Clauses: checkable statements, their places in the reference, and the behaviour of runtimes.

use std::ops::Not;

use serde::{Deserialize, Deserializer, Serialize};

use super::{List, Text, form};

/// A revision of a document that clauses cite. The document's text is not stored.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename = "a source", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Source {
    /// Name used by [`Citation::source`], such as `en-2022`.
    #[serde(skip)]
    pub name: Text,
    /// Page name without extension.
    pub page: Text,
    /// Locale, such as `en-us`.
    pub locale: Text,
    /// Our name for the revision.
    pub revision: Text,
    /// SHA-256 over the facts that an import read there, in lower-case hex; empty if none did. It tells a revision
    /// that is known from one that changed.
    #[serde(
        default,
        skip_serializing,
        deserialize_with = "form::optional_text::<form::Sha256, _>"
    )]
    pub facts: Text,
    /// The first eight digits of the SHA-256 of each of those facts, separated by blanks: they tell which one changed.
    #[serde(
        default,
        skip_serializing,
        deserialize_with = "form::optional_text::<form::Hashes, _>"
    )]
    pub stated: Text,
    /// The same of every sentence, in the order of the page.
    #[serde(
        default,
        skip_serializing,
        deserialize_with = "form::optional_text::<form::Hashes, _>"
    )]
    pub sentences: Text,
}

/// Place of a statement in the reference.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename = "a citation", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Citation {
    /// Name of a [`Source`].
    #[serde(rename = "in", deserialize_with = "form::text::<form::SourceName, _>")]
    pub source: Text,
    /// Member, section or table that holds it.
    pub anchor: Text,
    /// Sentence within the anchor, counted from 1; 0 if the whole anchor is meant (a table, an example).
    #[serde(default, deserialize_with = "form::optional")]
    pub sentence: u32,
    /// SHA-256 of the normalised sentence in lower-case hex; empty if no single sentence stands for it.
    #[serde(
        default,
        deserialize_with = "form::optional_text::<form::Sha256, _>",
        skip_serializing_if = "str::is_empty"
    )]
    pub sha256: Text,
}

/// A sentence that binds, and what covers it. Sentences that clauses cite need no entry.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(from = "CoveredSentence")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct LedgerEntry {
    /// The sentence.
    pub source: Citation,
    /// Full id of the clause that covers it; `todo` if none does yet, `none` if it asks nothing of a backend.
    pub clause: Text,
}

/// An entry of the ledger as the YAML has it.
#[derive(Deserialize)]
#[serde(rename = "an entry of the ledger", deny_unknown_fields)]
struct CoveredSentence {
    #[serde(rename = "in", deserialize_with = "form::text::<form::SourceName, _>")]
    source: Text,
    anchor: Text,
    #[serde(default, deserialize_with = "form::optional")]
    sentence: u32,
    #[serde(deserialize_with = "form::text::<form::Sha256, _>")]
    sha256: Text,
    clause: Text,
}

impl From<CoveredSentence> for LedgerEntry {
    fn from(entry: CoveredSentence) -> Self {
        Self {
            source: Citation {
                source: entry.source,
                anchor: entry.anchor,
                sentence: entry.sentence,
                sha256: entry.sha256,
            },
            clause: entry.clause,
        }
    }
}

/// A fact of a source that the specification does not follow.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename = "a superseded fact", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Superseded {
    /// Name of the [`Source`] that states it.
    #[serde(rename = "in", deserialize_with = "form::text::<form::SourceName, _>")]
    pub source: Text,
    /// What it is about, as imports and differences name it, such as `table 3.1 InputTensor data types`.
    pub fact: Text,
    /// What the source says of it.
    #[serde(deserialize_with = "form::text::<form::Verbatim, _>")]
    pub value: Text,
    /// What is followed instead: the name of another source, or the reason why the page is wrong.
    pub by: Text,
}

/// Mistakes that no legal case can show, as they are found by changing the meaning, and why.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename = "an entry of `equivalent`", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Equivalent {
    /// Ids of mutants; one that ends in `...` stands for all that begin like it.
    pub mutants: List<Text>,
    /// The reason, in our words.
    pub because: Text,
    /// Full id of the clause that the reason rests on; empty if it rests on none.
    #[serde(default, deserialize_with = "form::optional", skip_serializing_if = "str::is_empty")]
    pub clause: Text,
}

impl Equivalent {
    /// The end of an id that stands for all that begin like it.
    pub const REST: &str = "...";

    /// Whether one of these ids, or beginnings of ids, is that of this mutant.
    pub fn names(&self, mutant: &str) -> bool {
        self.mutants.iter().any(|id| Self::is_named(id, mutant))
    }

    /// Whether an id, or the beginning of ids, is that of this mutant.
    pub fn is_named(id: &str, mutant: &str) -> bool {
        match id.strip_suffix(Self::REST) {
            Some(start) => mutant.starts_with(start),
            None => mutant == id,
        }
    }
}

/// Subject of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename = "kind", rename_all = "kebab-case")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum ClauseKind {
    /// About the descriptor: checked by validators.
    Constraint,
    /// About the results.
    Guarantee,
    /// What the reference leaves open.
    Silence,
}

/// How far the statement can be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename = "status", rename_all = "kebab-case")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum Status {
    /// The text says it.
    #[default]
    Normative,
    /// Only an example shows it.
    ByExample,
    /// Text and runtimes differ.
    Disputed,
    /// The text is silent, and every runtime measured agrees.
    Observed,
    /// Text and runtimes leave it open.
    Open,
}

/// Which tensors a `TENSOR/` clause is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename = "applies", rename_all = "kebab-case")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum Applies {
    /// Not a tensor clause, or one about no tensor in particular.
    #[default]
    #[serde(skip_deserializing)]
    Operator,
    /// Every tensor that the page does not call optional.
    Required,
    /// Every tensor that is present (with `structural` ones deciding presence first).
    Any,
    /// Inputs only.
    Input,
    /// Outputs only.
    Output,
}

impl Applies {
    fn is_operator(&self) -> bool {
        *self == Self::Operator
    }
}

/// What holds of the outputs whatever a silence leaves open.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(from = "form::Pairs")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Invariant {
    /// Its name, which is the class of a failure that violates it.
    pub name: Text,
    /// Outputs, each with a condition on its elements: `x` at the index `o`.
    pub conditions: List<(Text, Text)>,
}

impl From<form::Pairs> for Invariant {
    fn from(pairs: form::Pairs) -> Self {
        Self {
            name: Text::default(),
            conditions: pairs.0.into(),
        }
    }
}

/// A way to read a clause: what is computed instead of what the meaning says.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(from = "form::Pairs")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Variant {
    /// Its name.
    pub name: Text,
    /// What takes the place of what: of an entry of the meaning by its name, or of the elements of a tensor that the
    /// clause leaves open. Without any, the meaning is followed as it is written.
    pub instead: List<(Text, Text)>,
}

impl Variant {
    /// The entry that says that none of the other variants is followed.
    pub const OTHERWISE: &str = "otherwise";

    /// Whether it stands for everything that no other variant of the clause does.
    pub fn is_rest(&self) -> bool {
        self.instead.iter().any(|(name, _)| name == Self::OTHERWISE)
    }
}

impl From<form::Pairs> for Variant {
    fn from(pairs: form::Pairs) -> Self {
        Self {
            name: Text::default(),
            instead: pairs.0.into(),
        }
    }
}

/// One checkable statement.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename = "a clause", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Clause {
    /// Full id, such as `TOP_K1/axis-in-range`; the YAML leaves out the part in front of the slash.
    #[serde(deserialize_with = "form::text::<form::Id, _>")]
    pub id: Text,
    /// What it is about.
    pub kind: ClauseKind,
    /// How far it can be trusted.
    #[serde(default, deserialize_with = "form::optional")]
    pub status: Status,
    /// Tensors it is about.
    #[serde(default, skip_serializing_if = "Applies::is_operator")]
    pub applies: Applies,
    /// Tensor clauses only: every rule that mentions the tensor needs this one to hold first.
    #[serde(default, deserialize_with = "form::optional", skip_serializing_if = "Not::not")]
    pub structural: bool,
    /// The statement in our words.
    pub says: Text,
    /// Full ids of clauses that must hold before this one is evaluated.
    #[serde(default, deserialize_with = "form::optional", skip_serializing_if = "form::is_empty")]
    pub needs: List<Text>,
    /// The rule: for constraints what must hold, for silences when it applies. See the rule language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Text>,
    /// Guarantees: diagnosis classes that blame this clause.
    #[serde(
        default,
        deserialize_with = "form::optional_texts::<form::Id, _>",
        skip_serializing_if = "form::is_empty"
    )]
    pub class: List<Text>,
    /// Silences: tensors and conditions on an element: `x` of an input that is read, the index `o` of an output. Where
    /// one holds, what rests on the element is open.
    #[serde(
        default,
        deserialize_with = "form::optional_pairs",
        skip_serializing_if = "form::is_empty"
    )]
    pub opens: List<(Text, Text)>,
    /// Silences: what holds of the outputs whatever is left open.
    #[serde(
        default,
        deserialize_with = "form::optional_named",
        skip_serializing_if = "form::is_empty"
    )]
    pub holds: List<Invariant>,
    /// Ways to read the clause that reports tell apart: of a silence, what implementations make of it; of a guarantee,
    /// what releases compute against its text.
    #[serde(
        default,
        deserialize_with = "form::optional_named",
        skip_serializing_if = "form::is_empty"
    )]
    pub tells: List<Variant>,
    /// Citation of the reference; `None` if the text is silent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Citation>,
    /// What releases did.
    #[serde(default, deserialize_with = "form::optional", skip_serializing_if = "form::is_empty")]
    pub observed: List<Observation>,
    /// What happened to the clause.
    #[serde(default, deserialize_with = "form::optional", skip_serializing_if = "form::is_empty")]
    pub history: List<Change>,
    /// `Some` once the clause is withdrawn: the id that replaces it, or empty.
    #[serde(default, deserialize_with = "retired", skip_serializing_if = "Option::is_none")]
    pub retired: Option<Text>,
}

/// The mark of a retired clause, if it has one.
fn retired<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Text>, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename = "the mark of a retired clause", deny_unknown_fields)]
    struct Retired {
        #[serde(rename = "replaced-by", default, deserialize_with = "form::optional")]
        replaced_by: Text,
    }
    Ok(Option::<Retired>::deserialize(deserializer)?.map(|mark| mark.replaced_by))
}

/// What one release was seen to do.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename = "an observation", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Observation {
    /// Releases, such as `DirectML 1.15.4`.
    pub runtime: Text,
    /// Day of the measurement, `YYYY-MM-DD`.
    #[serde(deserialize_with = "form::text::<form::Day, _>")]
    pub date: Text,
    /// The rule the runtime follows; `None` if it is the clause's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Text>,
    /// The variant of the clause that the runtime computes; `None` if it computes what the text says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub does: Option<Text>,
    /// What was seen, in our words.
    pub says: Text,
    /// Whether descriptors that break the clause end the process, or are judged by what happens to lie in memory:
    /// libraries are not asked about them.
    #[serde(default, deserialize_with = "form::optional", skip_serializing_if = "Not::not")]
    pub erratic: bool,
}

impl Clause {
    /// Whether this release, such as `1.15.4`, is known to judge descriptors otherwise, while the clause counts for all: a
    /// constraint that is neither disputed nor observed has a rule of that release.
    pub fn is_differing(&self, release: &str) -> bool {
        let counts =
            matches!(self.status, Status::Normative | Status::ByExample) && self.kind == ClauseKind::Constraint;
        let names = |runtime: &str| releases(runtime).any(|named| named == release);
        let mut all = self.observed.iter();
        counts && all.any(|seen| seen.rule.is_some() && names(&seen.runtime))
    }
}

/// The releases that `DirectML 1.4.0, 1.5.1 and 1.8.0` names; none if it starts otherwise.
pub fn releases(runtime: &str) -> impl Iterator<Item = &str> {
    let words = runtime.strip_prefix("DirectML ").unwrap_or_default().split([' ', ',']);
    words.filter(|word| !word.is_empty() && *word != "and")
}

/// An entry of a clause's history.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename = "an entry of the history", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Change {
    /// Day, `YYYY-MM-DD`.
    #[serde(deserialize_with = "form::text::<form::Day, _>")]
    pub date: Text,
    /// What changed.
    pub change: Text,
}
