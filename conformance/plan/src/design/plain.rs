//! Plain rows: small packed tensors with the usual data, for cells of the tables and as bases of faults.

use std::collections::BTreeSet;

use dml_case::id::CaseId;
use dml_spec::{
    Descriptor, FeatureLevel,
    model::{Family, dimension_cell_id, type_cell_id},
    path::NULL,
};

use super::{
    choice::{Choice, Parameter, Sets},
    maker::{Maker, Row},
    parameters::INPUTS,
};
use crate::{builder::Builder, cells, overrides::Override};

/// Attempts at a row.
const ATTEMPTS: u64 = 256;

/// Rows that are tried for what no value by itself leads to.
const SEARCHED: u64 = 64;

/// The greatest length of the long dimension.
const SHORT: u32 = 5;

/// Tensors of an array, at most.
const MANY: u32 = 3;

/// Dimensions that a base has if it can: all constraints between tensors can be broken there.
const RANK: usize = 4;

/// What bytes to spare are worth.
const ODD: i32 = 40;

/// What a broken clause costs a base.
const SPOT: i32 = 1000;

/// Rows that are tried for a base.
const TRIED: u64 = 12;

/// Ids of valid cases that show all cells which the table of a level allows, as far as any does.
pub(crate) fn allowed_cells(builder: &Builder<'_>, parameters: &[Parameter], level: FeatureLevel) -> Vec<CaseId> {
    let (plain, levels) = (plain(parameters), [level]);
    let mut maker = Maker::new(builder, &plain, &levels);
    let mut missing = allowed(builder, level);
    let mut found = Vec::new();
    let keep = |row: &Row, found: &mut Vec<CaseId>, missing: &mut BTreeSet<String>| {
        let spotless = |of: &Descriptor| breaks_nothing(builder, level, of);
        let Some(descriptor) = descriptor(builder, row).filter(spotless) else {
            return;
        };
        let cells = cells::cells_of(builder.suite, builder.operator, &descriptor, level);
        let before = missing.len();
        missing.retain(|cell| !cells.contains(cell));
        if missing.len() < before {
            found.push(row.id_in(Family::Support));
        }
    };
    for (at, parameter) in plain.iter().enumerate() {
        let decides_cells = parameter.is_bound || parameter.sets == Sets::Rank;
        for value in (0..parameter.values.len()).filter(|_| decides_cells) {
            if let Some(row) = maker.row(level, &[(at, value)], ATTEMPTS) {
                keep(&row, &mut found, &mut missing);
            }
        }
    }
    // Rows of the tables that belong to a group have their own dimension counts.
    let decisive = || {
        let all = plain.iter().enumerate();
        all.filter(|(_, parameter)| parameter.is_bound || parameter.sets == Sets::Rank)
    };
    for (first, one) in decisive() {
        for (second, other) in decisive().filter(|(second, _)| *second > first) {
            let pairs = (0..one.values.len()).flat_map(|a| (0..other.values.len()).map(move |b| (a, b)));
            for (a, b) in pairs {
                if missing.is_empty() {
                    return found;
                }
                if let Some(row) = maker.row(level, &[(first, a), (second, b)], ATTEMPTS) {
                    keep(&row, &mut found, &mut missing);
                }
            }
        }
    }
    for salt in 1..=SEARCHED {
        if missing.is_empty() {
            break;
        }
        maker.salt = salt;
        if let Some(row) = maker.row(level, &[], ATTEMPTS) {
            keep(&row, &mut found, &mut missing);
        }
    }
    found
}

/// The cells that the table of a level allows.
fn allowed(builder: &Builder<'_>, level: FeatureLevel) -> BTreeSet<String> {
    let mut cells = BTreeSet::new();
    let name = &builder.operator.name;
    for row in builder
        .operator
        .table_at(level)
        .into_iter()
        .flat_map(|table| table.rows.iter())
    {
        let (least, most) = row.dimensions;
        cells.extend((least..=most).map(|dimensions| dimension_cell_id(name, level, row, dimensions)));
        cells.extend(row.types.iter().map(|ty| type_cell_id(name, level, row, ty)));
    }
    cells
}

/// The keys of valid descriptors around which faults lie: one for each set of rows of the tables and each width of the
/// first tensor's elements, one each of the fewest and of the most dimensions, one each without and with what may be absent, and
/// one of few elements. Of an operator without a meaning: one for each set of rows, and for what may be absent as many as it
/// takes that one has it and one has not.
pub fn bases(builder: &Builder<'_>, parameters: &[Parameter], level: FeatureLevel) -> Vec<Vec<Override>> {
    let (plain, levels) = (plain(parameters), [level]);
    let mut maker = Maker::new(builder, &plain, &levels);
    maker.is_of_bases = true;
    let (mut kinds, mut found) = (BTreeSet::new(), Vec::new());
    let bound: Vec<usize> = (0..plain.len()).filter(|at| plain[*at].is_bound).collect();
    let combinations: Vec<Vec<usize>> = maker.bound.iter().flatten().map(|of| of.places.clone()).collect();
    let mut rows = Vec::new();
    for places in combinations {
        let key: Vec<(usize, usize)> = bound.iter().copied().zip(places).collect();
        maker.salt = 0;
        let row = maker.row(level, &key, ATTEMPTS);
        let Some((of_tables, width)) = row.and_then(|row| kind(builder, level, &row)) else {
            continue;
        };
        let kind = (of_tables, if builder.is_computed() { width } else { 0 });
        if kinds.insert(kind) {
            rows.extend(best_row(&mut maker, level, &key));
        }
    }
    let rank = plain.iter().position(|parameter| parameter.sets == Sets::Rank);
    // Of what nothing computes the descriptors alone are of interest: fewer of them say as much.
    let rank = rank.filter(|_| builder.is_computed());
    if let Some(at) = rank {
        let held = (0..plain[at].values.len()).filter_map(|value| {
            maker.salt = 0;
            maker.row(level, &[(at, value)], ATTEMPTS).map(|_| value)
        });
        let held: Vec<usize> = held.collect();
        let ends: BTreeSet<usize> = held.first().into_iter().chain(held.last()).copied().collect();
        for value in ends {
            rows.extend(best_row(&mut maker, level, &[(at, value)]));
        }
    }
    for (at, parameter) in plain.iter().enumerate() {
        let Sets::Key(key) = parameter.sets else { continue };
        let field = builder
            .recipe
            .keys
            .get(key)
            .and_then(|(_, path)| builder.operator.fields.get(path.field()));
        if !field.is_some_and(|field| field.optional) {
            continue;
        }
        let (absent, present): (Vec<usize>, Vec<usize>) =
            (0..parameter.values.len()).partition(|value| parameter.values[*value].label == NULL);
        for value in absent.first().into_iter().chain(present.first()) {
            let is_held = |row: &Row| row.values.get(at).is_some_and(|(held, _)| held == value);
            // Bases of a descriptor alone need no value twice.
            if builder.is_computed() || !rows.iter().any(is_held) {
                rows.extend(best_row(&mut maker, level, &[(at, *value)]));
            }
        }
    }
    if builder.is_computed() {
        rows.extend(smallest_row(&mut maker, level));
    }
    let keys = builder.recipe.keys.len();
    for row in rows {
        let params = row.id.params().take(keys);
        let base = params.map(|(key, text)| (key.to_owned(), text.to_owned())).collect();
        if !found.contains(&base) {
            found.push(base);
        }
    }
    found
}

/// What sets a base apart: the rows of the tables that its tensors have, and the width of the first one's elements.
fn kind(builder: &Builder<'_>, level: FeatureLevel, row: &Row) -> Option<(Vec<String>, u16)> {
    let descriptor = descriptor(builder, row)?;
    let mut width = 0;
    let mut rows = Vec::new();
    for (field, tensor) in cells::tensors(&descriptor) {
        let row = builder.row(&descriptor, level, field);
        rows.extend(row.map(|row| format!("{}/{}", row.group, row.tensor)));
        let ty = builder.suite.catalog.data_type(tensor.data_type);
        if width == 0 {
            width = ty.map_or(0, |ty| u16::try_from(ty.bits).unwrap_or_default());
        }
    }
    Some((rows, width))
}

/// The row of a key with as many dimensions of several elements as there can be, about four in all.
fn best_row(maker: &mut Maker<'_>, level: FeatureLevel, key: &[(usize, usize)]) -> Option<Row> {
    let mut best: Option<(i32, Row)> = None;
    for salt in 0..TRIED {
        // Two searches for one that find none are enough.
        if salt == 2 && best.is_none() {
            break;
        }
        maker.salt = salt;
        let Some(row) = maker.row(level, key, ATTEMPTS) else {
            continue;
        };
        let Some(descriptor) = descriptor(maker.builder, &row) else {
            continue;
        };
        // A base that breaks a clause, if only one about which text and runtimes differ, hides what breaks beside it.
        let spotless = breaks_nothing(maker.builder, level, &descriptor);
        let worth = worth(&descriptor) + odd(maker.builder, &descriptor) - if spotless { 0 } else { SPOT };
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, row));
        }
    }
    best.map(|(_, row)| row)
}

/// Of some rows that break nothing the one with the fewest elements: there a number less breaks what is about the least.
fn smallest_row(maker: &mut Maker<'_>, level: FeatureLevel) -> Option<Row> {
    let mut best: Option<(u64, Row)> = None;
    for salt in 0..TRIED {
        maker.salt = salt;
        let Some(row) = maker.row(level, &[], ATTEMPTS) else {
            continue;
        };
        let spotless = |of: &Descriptor| breaks_nothing(maker.builder, level, of);
        let Some(descriptor) = descriptor(maker.builder, &row).filter(spotless) else {
            continue;
        };
        let elements = |sizes: &[u32]| sizes.iter().map(|size| u64::from(*size)).product::<u64>();
        let count = cells::tensors(&descriptor)
            .map(|(_, tensor)| elements(tensor.sizes()))
            .sum();
        if best.as_ref().is_none_or(|(least, _)| count < *least) {
            best = Some((count, row));
        }
    }
    best.map(|(_, row)| row)
}

/// What it is worth that elements do not fill the last four bytes of the first tensor: its total size is rounded up.
fn odd(builder: &Builder<'_>, descriptor: &Descriptor) -> i32 {
    let bytes = cells::tensors(descriptor).next().and_then(|(_, tensor)| {
        let bits = builder.suite.catalog.data_type(tensor.data_type)?.bits;
        let elements: u64 = tensor.sizes().iter().map(|size| u64::from(*size)).product();
        Some(elements * u64::from(bits / 8))
    });
    if bytes.is_some_and(|bytes| bytes % 4 != 0) {
        ODD
    } else {
        0
    }
}

fn breaks_nothing(builder: &Builder<'_>, level: FeatureLevel, descriptor: &Descriptor) -> bool {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    let first = builder
        .program
        .evaluate_while(catalog, operator, descriptor, level, &|_| false);
    first.is_some()
}

fn worth(descriptor: &Descriptor) -> i32 {
    let of_tensor = |tensor: &dml_spec::TensorDesc| {
        let sizes = tensor.sizes();
        let long = sizes.iter().filter(|size| **size > 1).count() as i32;
        let differs = sizes.windows(2).filter(|pair| pair[0] != pair[1]).count() as i32;
        4 * long + differs - 3 * (sizes.len().abs_diff(RANK) as i32)
    };
    cells::tensors(descriptor).map(|(_, tensor)| of_tensor(tensor)).sum()
}

fn descriptor(builder: &Builder<'_>, row: &Row) -> Option<Descriptor> {
    builder.descriptor(&row.id_in(Family::Support)).ok()
}

/// The parameters with what is plain alone.
fn plain(parameters: &[Parameter]) -> Vec<Parameter> {
    let mut all = parameters.to_vec();
    for parameter in &mut all {
        match parameter.sets {
            Sets::Layout | Sets::Values | Sets::Alias => parameter.values.truncate(1),
            // What ties tensors shows with three of them.
            Sets::Number if parameter.name == INPUTS => parameter.values.retain(|choice| is_few(choice, MANY)),
            Sets::Length => parameter.values.retain(|choice| is_few(choice, SHORT)),
            _ => {}
        }
    }
    all
}

/// Whether a value is a number up to `most`.
fn is_few(choice: &Choice, most: u32) -> bool {
    choice.label.parse().is_ok_and(|number: u32| number <= most)
}
