//! The cases of a run in little memory: every distinct feature is stored once, a case is a row of their numbers.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

use crate::shared::{Count, Predicate};
use dml_case::id::CaseId;

/// Facts that an id states about its case: level, family, every key, and numbers that follow from them.
pub(crate) fn features(id: &CaseId) -> Vec<(&str, Cow<'_, str>)> {
    let mut all = vec![("level", id.level_text().into()), ("family", id.family().into())];
    all.extend(id.params().map(|(key, value)| (key, Cow::Borrowed(value))));
    let number = |key: &str| id.get(key).and_then(|v| v.parse::<u64>().ok());
    let sizes: Option<Vec<u64>> = id
        .get("sizes")
        .and_then(|s| s.split('x').map(|n| n.parse().ok()).collect());
    let Some(sizes) = sizes else { return all };
    let mut add = |key, value: u64| all.push((key, value.to_string().into()));
    add("rank", sizes.len() as u64);
    add(
        "elements",
        sizes.iter().fold(1, |product: u64, n| product.saturating_mul(*n)),
    );
    let axis = number("axis").and_then(|axis| usize::try_from(axis).ok());
    if let Some(size) = axis.and_then(|axis| sizes.get(axis).copied()) {
        add("axis-size", size);
        if let Some(left) = number("k").and_then(|k| size.checked_sub(k)) {
            add("axis-size-minus-k", left);
        }
    }
    all
}

/// The judged cases of a run, kept until its failures are summed up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Numbers of features, by key and value.
    numbers: HashMap<String, HashMap<String, u32>>,
    /// Features by number.
    features: Vec<(String, String)>,
    /// Rows one after another.
    cells: Vec<u32>,
    /// End of each row in the cells, and the clauses that its case may fail on, by the number of their list.
    rows: Vec<(usize, Option<u32>)>,
}

impl Table {
    /// Adds a case by its features and the number of the list of clauses that it may fail on.
    pub(crate) fn add<'a, V: AsRef<str>>(
        &mut self,
        features: impl IntoIterator<Item = (&'a str, V)>,
        list: Option<usize>,
    ) {
        for (key, value) in features {
            let number = self.number(key, value.as_ref());
            self.cells.push(number);
        }
        let list = list.map(|list| u32::try_from(list).unwrap_or(u32::MAX));
        self.rows.push((self.cells.len(), list));
    }

    fn number(&mut self, key: &str, value: &str) -> u32 {
        let known = self.numbers.get(key).and_then(|values| values.get(value));
        if let Some(number) = known {
            return *number;
        }
        let next = u32::try_from(self.features.len()).unwrap_or(u32::MAX);
        self.features.push((key.to_owned(), value.to_owned()));
        let values = self.numbers.entry(key.to_owned()).or_default();
        *values.entry(value.to_owned()).or_insert(next)
    }

    /// The rows that count for these lists, and whether they fail. Failures on other lists do not count.
    pub(super) fn rows_of(&self, is_of: &dyn Fn(usize) -> bool) -> Vec<(usize, bool)> {
        let rows = self.rows.iter().enumerate();
        let counted = rows.filter(|(_, (_, failed))| failed.is_none_or(|list| is_of(list as usize)));
        counted.map(|(row, (_, failed))| (row, failed.is_some())).collect()
    }

    /// Cases by key and value.
    pub(super) fn counts(&self, rows: &[(usize, bool)]) -> BTreeMap<&str, BTreeMap<&str, Count>> {
        let mut counts = vec![Count::default(); self.features.len()];
        for (row, failed) in rows {
            for cell in self.cells_of(*row) {
                if let Some(count) = counts.get_mut(*cell as usize) {
                    count.add(*failed);
                }
            }
        }
        let mut found: BTreeMap<&str, BTreeMap<&str, Count>> = BTreeMap::new();
        for ((key, value), count) in self.features.iter().zip(counts).filter(|(_, count)| count.total() > 0) {
            found.entry(key).or_default().insert(value, count);
        }
        found
    }

    /// Whether a predicate holds for a row.
    pub(super) fn holds(&self, predicate: &Predicate, row: usize) -> bool {
        let feature = |cell: &u32| {
            self.features
                .get(*cell as usize)
                .map(|(key, value)| (key.as_str(), value.as_str()))
        };
        let features: Vec<(&str, &str)> = self.cells_of(row).iter().filter_map(feature).collect();
        predicate.holds(&features)
    }

    fn cells_of(&self, row: usize) -> &[u32] {
        let end = |row: usize| self.rows.get(row).map_or(0, |(end, _)| *end);
        let start = row.checked_sub(1).map_or(0, end);
        self.cells.get(start..end(row)).unwrap_or(&[])
    }
}
