//! What a page asks of descriptors besides shared properties, as constraints of a new file: constants of enumerations,
//! data types that match tensors, tensors that have to be given, bounds of numbers, sizes, flags that tensors may not have,
//! and tensors that exclude each other.

use dml_spec::model::FieldKind;

use super::{
    page::{At, Bound, Choice, Comparison, Exclusion, Formula, Limit, Page, PageField, Spot},
    shapes,
    yaml_items::{Constraint, kebab},
};

/// The constraints, in the order of the kinds above. `notes` gets what no constraint could be made of.
pub(super) fn list_constraints<'a>(page: &'a Page, notes: &mut Vec<String>) -> Vec<Constraint<'a>> {
    let mut found = Vec::new();
    for field in page.fields.iter().map(|field| &field.value) {
        if let FieldKind::Enum(enumeration) = &field.kind {
            match known_value(page, field, enumeration) {
                Some(constraint) => found.push(constraint),
                None => notes.push(format!(
                    "{}: nothing is said of {}; no clause for it",
                    page.file, field.name
                )),
            }
        }
    }
    found.extend(page.fields.iter().filter_map(|field| presence(page, &field.value)));
    found.extend(page.fields.iter().filter_map(given));
    found.extend(page.bounds.iter().filter_map(|bound| in_range(page, bound)));
    found.extend(shapes::list_constraints(page));
    found.extend(page.formulas.iter().map(computes));
    found.extend(page.choices.iter().map(chosen));
    found.extend(page.unowned.iter().filter_map(|tensor| not_owned(page, tensor)));
    found.extend(page.exclusions.iter().map(excludes));
    found
}

/// A data type is that of the tensor that it is said to match; other constants are known ones, of which the first
/// sentence about the field tells.
fn known_value<'a>(page: &'a Page, field: &PageField, enumeration: &str) -> Option<Constraint<'a>> {
    let name = &field.name;
    if let Some(Spot { value, at }) = page.matching.iter().find(|of| of.value.field == *name) {
        let tensor = &value.tensor;
        return Some(Constraint {
            id: format!("{}-matches", kebab(name)),
            says: format!("{name} is the data type of {tensor}."),
            rule: format!("{name} == {tensor}.DataType"),
            needs: None,
            at,
        });
    }
    let sentence = page.sentences.iter().find(|sentence| sentence.at.anchor == *name)?;
    Some(Constraint {
        id: format!("{}-known", kebab(name)),
        says: format!("{name} is a value of {enumeration}."),
        rule: format!("is_known({name})"),
        needs: None,
        at: &sentence.at,
    })
}

/// A number that is one of two.
fn chosen<'a>(Spot { value: choice, at }: &'a Spot<Choice>) -> Constraint<'a> {
    let (name, [one, other]) = (&choice.field, choice.values);
    Constraint {
        id: format!("{}-choice", kebab(name)),
        says: format!("{name} is {one} or {other}."),
        rule: format!("{name} == {one} or {name} == {other}"),
        needs: None,
        at,
    }
}

/// Sizes that a block of code computes.
fn computes<'a>(Spot { value: formula, at }: &'a Spot<Formula>) -> Constraint<'a> {
    Constraint {
        id: format!("{}-computed-sizes", kebab(&formula.tensor)),
        says: format!("The sizes of {} are those that the page computes.", formula.tensor),
        rule: formula.rule.clone(),
        needs: None,
        at,
    }
}

/// A tensor that may be absent from a level on, by the kind column of its tables, has to be given below it.
fn presence<'a>(page: &'a Page, field: &PageField) -> Option<Constraint<'a>> {
    let name = &field.name;
    let kinds = page.tables.iter().filter(|_| field.optional).filter_map(|table| {
        let row = table.value.rows.iter().find(|row| row.tensor == *name)?;
        Some((page.level_of(&table.value)?, row.kind?.optional, &table.at))
    });
    let (free, bound): (Vec<_>, Vec<_>) = kinds.partition(|(_, optional, _)| *optional);
    let level = free.iter().map(|(level, ..)| *level).min()?;
    let (last, _, at) = bound.into_iter().max_by_key(|(level, ..)| *level)?;
    (last < level).then(|| Constraint {
        id: format!("{}-given", kebab(name)),
        says: format!("{name} may be absent from level {level} on."),
        rule: format!("Level >= level(\"{level}\") or present({name})"),
        needs: None,
        at,
    })
}

/// A number that has bounds; of an array each number. `None` if a bound is of something that is no tensor, or says nothing.
fn in_range<'a>(page: &'a Page, Spot { value: bound, at }: &'a Spot<Bound>) -> Option<Constraint<'a>> {
    let field = page.fields.iter().find(|field| field.value.name == bound.field)?;
    let (name, id) = (&field.value.name, kebab(&field.value.name));
    let count = match &field.value.kind {
        FieldKind::UInts(count) | FieldKind::Ints(count) => Some(count),
        _ => None,
    };
    let subject = count.map_or_else(|| name.clone(), |_| format!("{name}[i]"));
    let mut parts = Vec::new();
    for (comparison, limit) in &bound.limits {
        // No unsigned number is below 0.
        let is_unsigned = matches!(field.value.kind, FieldKind::UInt | FieldKind::UInts(_));
        if is_unsigned && (*comparison, limit) == (Comparison::AtLeast, &Limit::Number(0)) {
            continue;
        }
        let limit = spell_limit(page, &field.value, limit)?;
        parts.push(format!("{subject} {} {limit}", comparison.sign()));
    }
    let holds = parts.join(" and ");
    let constraint = |id, says, rule, needs, at: &'a At| Constraint {
        id,
        says,
        rule,
        needs,
        at,
    };
    let is_equal = bound
        .limits
        .iter()
        .all(|(comparison, _)| *comparison == Comparison::Equal);
    let range = format!("{id}-{}", if is_equal { "matches" } else { "in-range" });
    match count {
        _ if holds.is_empty() => None,
        None => Some(constraint(range, format!("{holds}."), holds, None, at)),
        Some(count) => {
            let each = format!("all(i in 0..{count}: {holds})");
            let needs = (!field.value.optional).then(|| given_id(name));
            Some(constraint(range, format!("{holds} for each i."), each, needs, at))
        }
    }
}

/// A tensor that may not belong to DirectML has no such flag.
fn not_owned<'a>(page: &Page, Spot { value: name, at }: &'a Spot<String>) -> Option<Constraint<'a>> {
    let field = page.fields.iter().find(|field| field.value.name == *name)?;
    let rule = format!("{name}.Flags % 2 == 0");
    Some(Constraint {
        id: format!("{}-not-owned", kebab(name)),
        says: format!("{name} has no DML_TENSOR_FLAG_OWNED_BY_DML."),
        rule: match field.value.optional {
            true => format!("present({name}) implies {rule}"),
            false => rule,
        },
        needs: None,
        at,
    })
}

/// A tensor is given only if those that it excludes are not.
fn excludes(Spot { value: of, at }: &Spot<Exclusion>) -> Constraint<'_> {
    let absent = of.others.iter().map(|other| format!("not present({other})"));
    Constraint {
        id: format!("{}-excludes", kebab(&of.tensor)),
        says: format!("{} excludes: {}.", of.tensor, of.others.join(", ")),
        rule: format!(
            "present({}) implies ({})",
            of.tensor,
            absent.collect::<Vec<_>>().join(" and ")
        ),
        needs: None,
        at,
    }
}

/// A list that may not be absent has to be given where it has elements.
fn given<'a>(Spot { value: field, at }: &'a Spot<PageField>) -> Option<Constraint<'a>> {
    use FieldKind::{Floats, Ints, Operators, UInts};
    let count = match &field.kind {
        UInts(count) | Ints(count) | Floats(count) | Operators(count) if !field.optional => count,
        _ => return None,
    };
    let name = &field.name;
    Some(Constraint {
        id: given_id(name),
        says: format!("{name} is given where {count} is not 0."),
        rule: format!("{count} == 0 or present({name})"),
        needs: None,
        at,
    })
}

fn given_id(list: &str) -> String {
    format!("{}-given", kebab(list))
}

/// A limit in a rule; `None` if it is of something that is no tensor which is always there.
fn spell_limit(page: &Page, field: &PageField, limit: &Limit) -> Option<String> {
    let is_tensor = |tensor: &str| {
        let mut fields = page.fields.iter().map(|field| &field.value);
        fields.any(|field| field.name == tensor && field.kind.role().is_some() && !field.optional)
    };
    match limit {
        Limit::Number(number) if field.kind == FieldKind::Float => Some(format!("{number}.0")),
        Limit::Number(number) => Some(number.to_string()),
        Limit::DimensionCount { tensor, .. } if !is_tensor(tensor) => None,
        Limit::DimensionCount { tensor, less: 0 } => Some(format!("{tensor}.DimensionCount")),
        Limit::DimensionCount { tensor, less } => Some(format!("{tensor}.DimensionCount - {less}")),
    }
}
