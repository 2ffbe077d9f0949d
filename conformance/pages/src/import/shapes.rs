//! The sizes that a page lists for its tensors, in constraints and in the case model of a new file.
//!
//! A name stands for the size where it stands alone first; elsewhere it is compared with that one.

use dml_spec::model::FieldKind;

use super::{
    page::{At, Dimension, Page, PageField, Property, Shape, Spot},
    yaml_items::{Constraint, kebab},
};

/// Ends the name of a list that is all the sizes of a tensor: `MeanDimensions[]`.
pub(super) const ALL_SIZES: &str = "[]";

/// A constraint for each tensor whose sizes follow from others or are numbers. A tensor whose sizes are listed twice gets
/// two of the same id if both say the same, else the first.
pub(super) fn list_constraints(page: &Page) -> Vec<Constraint<'_>> {
    let mut found: Vec<Constraint<'_>> = Vec::new();
    for Spot { value: shape, at } in &page.shapes {
        let Some(constraint) = constrain(page, shape, at) else {
            continue;
        };
        let known = found.iter().find(|known| known.id == constraint.id);
        if known.is_none_or(|known| known.rule == constraint.rule) {
            found.push(constraint);
        }
    }
    found
}

fn constrain<'a>(page: &'a Page, shape: &Shape, at: &'a At) -> Option<Constraint<'a>> {
    let tensor = &shape.tensor;
    let field = find(page, tensor)?;
    if !matches!(field.kind, FieldKind::Tensor(_)) {
        return None;
    }
    let rule = match shape.lists.as_slice() {
        [list] if shape.broadcasts => {
            let other = owner_of_all(page, list).filter(|other| *other != tensor)?;
            let sizes = [tensor.as_str(), other].map(|of| format!("{of}.Sizes[d]"));
            let [own, sizes] = sizes;
            format!("all(d in 0..{other}.DimensionCount: {own} == 1 or {own} == {sizes})")
        }
        [list]
            if let Some(other) = owner_of_all(page, list)
                && other != tensor =>
        {
            // Another sentence may say so already.
            if page.shares(Property::Sizes, other, tensor) {
                return None;
            }
            format!("{tensor}.Sizes == {other}.Sizes")
        }
        // Names of its own tell nothing, and how many there are the tables tell.
        [list] if is_own(page, tensor, list) => return None,
        lists => join(lists.iter().map(|list| compare(page, tensor, list)))?,
    };
    let is_open = rule.contains(" and ") || rule.contains(" or ");
    let rule = match (field.optional, is_open) {
        (true, true) => format!("present({tensor}) implies ({rule})"),
        (true, false) => format!("present({tensor}) implies {rule}"),
        (false, _) => rule,
    };
    Some(Constraint {
        id: format!("{}-sizes", kebab(tensor)),
        says: format!("The sizes of {tensor} are those that the page lists."),
        rule,
        needs: None,
        at,
    })
}

/// Any of several rules; `None` if one of them asks for nothing.
fn join(rules: impl Iterator<Item = String>) -> Option<String> {
    let rules: Vec<String> = rules.collect();
    match rules.as_slice() {
        [only] => Some(only.clone()).filter(|rule| !rule.is_empty()),
        several if several.iter().any(String::is_empty) => None,
        several => Some(
            several
                .iter()
                .map(|rule| format!("({rule})"))
                .collect::<Vec<_>>()
                .join(" or "),
        ),
    }
}

/// The first tensor that is always there and whose sizes are exactly this list of names.
fn owner_of_all<'a>(page: &'a Page, list: &[Dimension]) -> Option<&'a str> {
    let is_named = list.iter().all(|of| of.name.is_some());
    let is_same = |shape: &&Spot<Shape>| matches!(shape.value.lists.as_slice(), [other] if other == list);
    let mut owners = page.shapes.iter().filter(|_| is_named).filter(is_same);
    let owner = owners.find(|shape| find(page, &shape.value.tensor).is_some_and(|field| !field.optional));
    owner.map(|shape| shape.value.tensor.as_str())
}

/// Whether a list is all sizes of a tensor under one name.
fn is_all(list: &[Dimension]) -> bool {
    matches!(list, [all] if all.name.as_ref().is_some_and(|name| name.ends_with(ALL_SIZES)))
}

/// Whether a list has nothing but names that stand in no other tensor before.
fn is_own(page: &Page, tensor: &str, list: &[Dimension]) -> bool {
    let own = format!("{tensor}.");
    let is_own = |of: &Dimension| {
        let name = of.name.as_ref().filter(|_| of.factor == 1);
        name.is_some_and(|name| owner(page, name).is_none_or(|place| place.starts_with(&own)))
    };
    list.iter().all(is_own)
}

/// The rule for dimensions that may be dropped: those that are there are the number that the list has for all of them.
/// `None` if they are names, or are not next to each other.
fn dropped(tensor: &str, list: &[Dimension]) -> Option<String> {
    let first = list.iter().position(|of| of.may_drop)?;
    let after = list.iter().rev().position(|of| of.may_drop)?;
    let run = list.get(first..list.len() - after)?;
    let number = run.first()?.factor;
    let is_run = run
        .iter()
        .all(|of| of.may_drop && of.name.is_none() && of.factor == number);
    let end = match after {
        0 => format!("{tensor}.DimensionCount"),
        after => format!("{tensor}.DimensionCount - {after}"),
    };
    is_run.then(|| format!("all(d in {first}..{end}: {tensor}.Sizes[d] == {number})"))
}

/// What one list asks of a tensor; nothing if all of its names stand here first.
fn compare(page: &Page, tensor: &str, list: &[Dimension]) -> String {
    if is_all(list) {
        return String::new();
    }
    let mut parts = Vec::new();
    let mut is_whole = !list.iter().any(|of| of.may_drop);
    let mut values = Vec::new();
    for (at, dimension) in list.iter().enumerate() {
        let own = format!("{tensor}.Sizes[{}]", index(tensor, list, at));
        let from_end = format!("{tensor}.Sizes[{tensor}.DimensionCount - {}]", list.len() - at);
        let value = match &dimension.name {
            None => dimension.factor.to_string(),
            Some(name) => match owner(page, name) {
                Some(place) if place != own && place != from_end => times(dimension.factor, &place),
                _ => {
                    is_whole = false;
                    continue;
                }
            },
        };
        // Whether a dimension that may be dropped is there shows in no index from either end.
        if !dimension.may_drop {
            parts.push(format!("{own} == {value}"));
        }
        values.push(value);
    }
    parts.extend(dropped(tensor, list));
    if is_whole {
        return format!("{tensor}.Sizes == [{}]", values.join(", "));
    }
    let counts = page.tables.iter().filter_map(|table| {
        let rows = &table.value.rows;
        rows.iter().find(|row| row.tensor == tensor)?.dimensions
    });
    let length = u32::try_from(list.len()).unwrap_or(u32::MAX);
    let may_drop = list.iter().any(|of| of.may_drop);
    if !may_drop && counts.into_iter().any(|counts| counts != (length, length)) {
        parts.insert(0, format!("{tensor}.DimensionCount == {length}"));
    }
    parts.join(" and ")
}

/// The first place of a name that stands alone, in a tensor that is always there. If that has several lists, the name is as
/// far from the end in all of them.
fn owner(page: &Page, name: &str) -> Option<String> {
    page.shapes.iter().find_map(|shape| {
        let shape = &shape.value;
        find(page, &shape.tensor).filter(|field| !field.optional)?;
        if let [list] = shape.lists.as_slice() {
            return place(shape, list, name);
        }
        let from_end = |list: &Vec<Dimension>| Some(list.len() - position(list, name)?);
        let mut all = shape.lists.iter().map(from_end);
        let first = all.next()??;
        let tensor = &shape.tensor;
        all.all(|other| other == Some(first))
            .then(|| format!("{tensor}.Sizes[{tensor}.DimensionCount - {first}]"))
    })
}

fn position(list: &[Dimension], name: &str) -> Option<usize> {
    list.iter()
        .position(|of| of.factor == 1 && of.name.as_deref() == Some(name))
}

fn place(shape: &Shape, list: &[Dimension], name: &str) -> Option<String> {
    let at = position(list, name)?;
    Some(format!("{}.Sizes[{}]", shape.tensor, index(&shape.tensor, list, at)))
}

/// The index of a dimension: from the end where one before it may be dropped.
fn index(tensor: &str, list: &[Dimension], at: usize) -> String {
    match list.iter().take(at + 1).any(|of| of.may_drop) {
        false => at.to_string(),
        true => format!("{tensor}.DimensionCount - {}", list.len() - at),
    }
}

fn times(factor: u64, place: &str) -> String {
    match factor {
        1 => place.to_owned(),
        factor => format!("{factor} * {place}"),
    }
}

fn find<'a>(page: &'a Page, tensor: &str) -> Option<&'a PageField> {
    page.fields
        .iter()
        .map(|field| &field.value)
        .find(|field| field.name == tensor)
}

/// How a case model gives tensors the sizes that the page lists.
#[derive(Default)]
pub(super) struct Chosen {
    /// Names of sizes, and where a tensor before has them.
    known: Vec<(String, String)>,
}

/// The sizes of a tensor in a case model.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// An expression for each list.
    pub(super) values: Vec<String>,
    /// Numbers that the expressions mention and that nothing before gives.
    pub(super) numbers: Vec<String>,
}

impl Chosen {
    /// The sizes of the next tensor, if the page lists them one by one. `rank` is
    /// the dimension count of lists with dimensions that may be dropped; the first tensor has none.
    pub(super) fn choose(&mut self, page: &Page, field: &PageField, rank: Option<&str>) -> Option<Sizes> {
        // A list of all of them says nothing that another sentence does not say better.
        let mut shapes = page.shapes.iter().map(|shape| &shape.value);
        let is_it = |shape: &&Shape| shape.tensor == field.name && !shape.lists.iter().any(|list| is_all(list));
        let shape = shapes.find(is_it)?;
        let is_all_new = |of: &Dimension| of.name.as_ref().is_some_and(|name| of.factor == 1 && !self.knows(name));
        let is_free = rank.is_none() && shape.lists.iter().flatten().all(is_all_new);
        let mut sizes = Sizes {
            values: Vec::new(),
            numbers: Vec::new(),
        };
        for list in &shape.lists {
            let each = |of: &Dimension| self.value(of, field, &mut sizes.numbers);
            let dimensions: Vec<String> = list.iter().map(each).collect();
            sizes.values.push(spell(list, &dimensions, rank));
        }
        if let [list] = shape.lists.as_slice()
            && !field.optional
        {
            let names: Vec<&String> = list.iter().filter_map(|of| of.name.as_ref()).collect();
            let new = names.into_iter().filter(|name| !self.knows(name));
            let new: Vec<_> = new
                .filter_map(|name| Some((name.clone(), place(shape, list, name)?)))
                .collect();
            self.known.extend(new);
        }
        (!is_free).then_some(sizes)
    }

    fn knows(&self, name: &str) -> bool {
        self.known.iter().any(|(known, _)| known == name)
    }

    fn value(&self, of: &Dimension, field: &PageField, numbers: &mut Vec<String>) -> String {
        let Some(name) = &of.name else {
            return of.factor.to_string();
        };
        if let Some((_, place)) = self.known.iter().find(|(known, _)| known == name) {
            return times(of.factor, place);
        }
        // No key can set a part of a tensor that may be absent.
        if field.optional {
            return of.factor.to_string();
        }
        let word = kebab(name).replace(['-', '_'], "");
        if !numbers.contains(&word) {
            numbers.push(word.clone());
        }
        times(of.factor, &word)
    }
}

/// A list of sizes; one with dimensions that may be dropped by how far each is from an end.
fn spell(list: &[Dimension], values: &[String], rank: Option<&str>) -> String {
    let Some(rank) = rank.filter(|_| list.iter().any(|of| of.may_drop)) else {
        return format!("[{}]", values.join(", "));
    };
    let Some((last, rest)) = values.split_last() else {
        return "[]".to_owned();
    };
    let first_drop = list.iter().position(|of| of.may_drop).unwrap_or(list.len());
    let mut text = format!("list(d in 0..{rank}: ");
    for (at, value) in rest.iter().enumerate().take(first_drop) {
        text += &format!("if d == {at} then {value} else ");
    }
    for (at, value) in rest.iter().enumerate().skip(first_drop) {
        text += &format!("if d + {} == {rank} then {value} else ", list.len() - at);
    }
    text + last + ")"
}
