//! `directml.yaml`: what all operators share.

use std::collections::BTreeSet;

use dml_spec::model::{Catalog, Level};

use super::{clause, reader::Source};
use crate::tree::{Key, Node, Plain};

/// A catalog without operators, as far as the file allows.
pub(super) fn read(source: &Source<'_>, root: &Node) -> Catalog {
    let mut catalog: Catalog = source.read(root);
    let nodes = root.get("tensor_clauses").and_then(Node::items).unwrap_or_default();
    for (clause, node) in catalog.tensor_clauses.to_mut().iter_mut().zip(nodes) {
        clause::complete(source, "TENSOR", clause, node);
    }
    source.check_mentions(&catalog.levels, &catalog.data_types, &catalog.sources);
    ascending(source, &catalog.levels, entries(root, "levels"));
    ascending(source, &catalog.asked, entries(root, "asked"));
    for (release, (key, _)) in catalog.asked.iter().zip(entries(root, "asked")) {
        let is_known = catalog.levels.iter().any(|known| known.level == release.level);
        // Level 0 has its diagnostic already.
        if release.level.0 > 0 && !catalog.levels.is_empty() && !is_known {
            let message = format!("feature level {} is not among `levels`", release.level);
            source.report("spec::unknown-level", &key.span, message);
        }
    }
    let values = entries(root, "data_types")
        .iter()
        .filter_map(|(_, node)| Some((node, node.get("value")?)));
    distinct(source, values, "data types");
    for (name, members) in [entries(root, "enums"), entries(root, "flags")].concat() {
        let values = members
            .entries()
            .unwrap_or_default()
            .iter()
            .map(|(_, value)| (value, value));
        distinct(source, values, &format!("members of {}", name.text));
    }
    catalog
}

fn entries<'n>(root: &'n Node, name: &str) -> &'n [(Key, Node)] {
    root.get(name).and_then(Node::entries).unwrap_or_default()
}

fn ascending(source: &Source<'_>, levels: &[Level], entries: &[(Key, Node)]) {
    for (pair, (key, _)) in levels.windows(2).zip(entries.iter().skip(1)) {
        // Level 0 has its diagnostic already.
        if let [before, level] = pair
            && level.level.0 > 0
            && before.level >= level.level
        {
            let message = format!("level {} does not ascend", level.level);
            source.report("spec::level-order", &key.span, message);
        }
    }
}

/// Reports values that occur twice.
fn distinct<'n>(source: &Source<'_>, values: impl Iterator<Item = (&'n Node, &'n Node)>, of: &str) {
    let mut seen = BTreeSet::new();
    for (at, value) in values {
        // An invalid number already has its diagnostic.
        let number = value.text().filter(|_| value.plain() == Plain::Number);
        let Some(number) = number.and_then(|text| text.parse::<u32>().ok()) else {
            continue;
        };
        if !seen.insert(number) {
            let message = format!("two {of} have the value {number}");
            source.report("spec::duplicate-value", &at.span, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{load::embedded, tree::read::parse};

    #[test]
    fn both_parsers_fill_the_types_alike() {
        let file = embedded().0.swap_remove(0);
        let root = parse(&file.text).0.expect("a tree");
        let ours: Catalog = Source::new(&file.path, &file.text).read(&root);
        assert_eq!(serde_yaml::from_str::<Catalog>(&file.text).expect("a catalog"), ours);
        assert!(!ours.tensor_clauses.is_empty());
    }
}
