//! What the support tables rest on: whether releases of DirectML were asked about them.
//!
//! A table holds from its level until the next table of its operator. A release answers for the table that holds at the
//! highest level that it has, and for no other.

use std::ops::AddAssign;

use serde::Serialize;

use crate::{
    level::FeatureLevel,
    model::{Level, Operator, SupportTable},
};

/// What a support table rests on besides the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A release was asked whose highest level lies between this table and the next one.
    Judged,
    /// None was, but earlier and later releases were, and the tables of both allow the same: since tables only grow, so
    /// does this one.
    Bracketed,
    /// Nothing but the page.
    Unjudged,
}

/// How many tables rest on what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tables {
    /// [`Evidence::Judged`].
    pub judged: usize,
    /// [`Evidence::Bracketed`].
    pub bracketed: usize,
    /// [`Evidence::Unjudged`].
    pub unjudged: usize,
}

impl AddAssign<Evidence> for Tables {
    fn add_assign(&mut self, evidence: Evidence) {
        *match evidence {
            Evidence::Judged => &mut self.judged,
            Evidence::Bracketed => &mut self.bracketed,
            Evidence::Unjudged => &mut self.unjudged,
        } += 1;
    }
}

impl Tables {
    /// How many there are.
    pub fn all(&self) -> usize {
        self.judged + self.bracketed + self.unjudged
    }

    /// The counts in words.
    pub fn says(&self) -> String {
        let Self {
            judged,
            bracketed,
            unjudged,
        } = self;
        let all = self.all();
        let noun = if all == 1 { "table" } else { "tables" };
        format!(
            "{all} {noun}: {judged} judged by releases of DirectML, {bracketed} bracketed by them, {unjudged} unjudged"
        )
    }
}

/// Levels and evidence of an operator's tables, in their order. `asked` are the releases that were asked, by the highest
/// level that each has, ascending.
pub fn of_tables<'a>(
    operator: &'a Operator,
    asked: &'a [Level],
) -> impl Iterator<Item = (FeatureLevel, Evidence)> + 'a {
    let tables = operator.support.iter().enumerate();
    tables.map(|(at, table)| (table.level, of_table(operator, at, table, asked)))
}

fn of_table(operator: &Operator, at: usize, table: &SupportTable, asked: &[Level]) -> Evidence {
    let next = operator.support.get(at + 1).map(|next| next.level);
    let (earlier, later) = asked.split_at(asked.partition_point(|release| release.level < table.level));
    match (later.first(), next) {
        (Some(_), None) => return Evidence::Judged,
        (Some(release), Some(next)) if release.level < next => return Evidence::Judged,
        _ => {}
    }
    let holding = |release: &Level| operator.table_at(release.level);
    let before = earlier.last().and_then(holding);
    let after = later.first().and_then(holding);
    match before.zip(after) {
        Some((before, after)) if allows_the_same(before, after) => Evidence::Bracketed,
        _ => Evidence::Unjudged,
    }
}

fn allows_the_same(one: &SupportTable, other: &SupportTable) -> bool {
    one.rows.len() == other.rows.len()
        && one.rows.iter().all(|row| {
            other.row(&row.group, &row.tensor).is_some_and(|like| {
                row.dimensions == like.dimensions
                    && row.types.len() == like.types.len()
                    && row.types.iter().all(|name| like.allows_type(name))
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SupportRow;

    fn levels(asked: &[(u32, u32)]) -> Vec<Level> {
        let level = |(major, minor): &(u32, u32)| Level {
            level: FeatureLevel::new(*major, *minor),
            release: "1.0.0".into(),
        };
        asked.iter().map(level).collect()
    }

    /// An operator whose tables allow so many types each.
    fn operator(tables: &[((u32, u32), usize)]) -> Operator {
        let names = ["FLOAT32", "FLOAT16", "INT32"];
        let table = |((major, minor), types): &((u32, u32), usize)| SupportTable {
            level: FeatureLevel::new(*major, *minor),
            rows: vec![SupportRow {
                tensor: "InputTensor".into(),
                dimensions: (1, 8),
                types: names.iter().take(*types).map(|name| (*name).into()).collect(),
                ..SupportRow::default()
            }]
            .into(),
            source: None,
            differs: Vec::new().into(),
        };
        Operator {
            support: tables.iter().map(table).collect(),
            ..Operator::default()
        }
    }

    #[test]
    fn a_release_judges_the_table_that_holds_at_its_level() {
        use Evidence::{Bracketed, Judged, Unjudged};
        for (tables, asked, evidence) in [
            // The last table holds at every later level.
            (&[((1, 0), 1)][..], &[(6, 2)][..], &[Judged][..]),
            (&[((6, 3), 1)], &[(6, 2)], &[Unjudged]),
            (&[((2, 1), 1), ((3, 1), 2)], &[(3, 0)], &[Judged, Unjudged]),
            (&[((2, 1), 1), ((3, 1), 2)], &[(3, 1)], &[Unjudged, Judged]),
            // Between releases that allow the same, and between such as differ.
            (
                &[((1, 0), 1), ((4, 0), 1), ((5, 0), 1)],
                &[(3, 0), (5, 0)],
                &[Judged, Bracketed, Judged],
            ),
            (
                &[((1, 0), 1), ((4, 0), 1), ((5, 0), 2)],
                &[(3, 0), (5, 0)],
                &[Judged, Unjudged, Judged],
            ),
            // No release was before the operator.
            (&[((4, 0), 1), ((5, 0), 1)], &[(3, 0), (5, 0)], &[Unjudged, Judged]),
            (&[((1, 0), 1)], &[], &[Unjudged]),
        ] {
            let operator = operator(tables);
            let found: Vec<Evidence> = of_tables(&operator, &levels(asked))
                .map(|(_, evidence)| evidence)
                .collect();
            assert_eq!(found, evidence, "{tables:?} asked of {asked:?}");
        }
    }
}
