//! The canonical form of an id. Every other spelling of the same case is refused, so that a case has one name.

use dml_spec::{
    Catalog,
    model::{Family, FieldKind, Operator},
};

use crate::{
    aliases,
    builder::Builder,
    layouts,
    recipe::{COMMON_KEYS, EXAMPLE_KEY},
};
use dml_case::id::CaseId;
use dml_spec::path::{self, Path, TensorPart, constant, constant_name};

/// The family of a case that runs, by what is unusual about it.
pub fn family_of(layout: Option<&str>, values: Option<&str>, alias: Option<&str>) -> Family {
    match (alias, layout, values) {
        (Some(_), ..) => Family::InPlace,
        (_, Some(_), _) => Family::Layout,
        (.., Some(_)) => Family::Values,
        _ => Family::Sizes,
    }
}

/// The canonical form of an id: keys in order, none at its default, values by their names, and the family that follows
/// from them. If an output is to lie in the place of an input and none is named, the first that may be.
pub fn canonicalize_id(builder: &Builder, id: &CaseId, family: Family) -> CaseId {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    let alias = id.get("alias").filter(|alias| *alias != aliases::DEFAULT);
    let alias = alias.or_else(|| operator.shared_inputs().next().filter(|_| family == Family::InPlace));
    let common = COMMON_KEYS.map(|key| match key {
        "layout" => (key, id.get(key), layouts::DEFAULT),
        "values" => (key, id.get(key), builder.recipe.values),
        "alias" => (key, alias, aliases::DEFAULT),
        _ => (key, id.get(key), "0"),
    });
    let own = builder.recipe.keys.iter().filter_map(|(key, path)| {
        let value = id.get(key)?;
        let spelled = canonical_value(catalog, operator, path, value, constant_name);
        Some((key.clone(), spelled.unwrap_or_else(|| value.to_owned())))
    });
    let common = common
        .into_iter()
        .filter(|(_, value, default)| *value != Some(*default));
    let common = common.filter_map(|(key, value, _)| Some((key.to_owned(), value?.to_owned())));
    let example = id
        .get(EXAMPLE_KEY)
        .map(|name| (EXAMPLE_KEY.to_owned(), name.to_owned()));
    let params: Vec<(String, String)> = own
        .chain(common)
        .chain(example)
        .chain(canonical_overrides(builder, id))
        .collect();
    let given = |name: &str| {
        params
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    };
    let family = match family {
        Family::Examples | Family::Support | Family::Faults => family,
        _ => family_of(given("layout"), given("values"), given("alias")),
    };
    CaseId::new(id.operator(), id.level(), family.name(), params)
}

/// Fields that an id sets besides its keys, in struct order.
fn canonical_overrides(builder: &Builder, id: &CaseId) -> Vec<(String, String)> {
    let is_key = |key: &str| builder.recipe.keys.iter().any(|(name, _)| name == key);
    let set = id
        .params()
        .filter(|(key, _)| *key != EXAMPLE_KEY && !COMMON_KEYS.contains(key) && !is_key(key));
    let mut found: Vec<(usize, String, String)> = set
        .map(|(key, value)| {
            let number = |_: &Catalog, _: &str, value: u32| value.to_string();
            let path = Path::parse(builder.operator, key).ok();
            let spelled = path
                .as_ref()
                .and_then(|path| canonical_value(&builder.suite.catalog, builder.operator, path, value, number));
            (
                path.map_or(usize::MAX, |path| path.field()),
                canonical_path(key),
                spelled.unwrap_or_else(|| value.to_owned()),
            )
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, key, value)| (key, value)).collect()
}

/// A path whose numbers have no leading zeros.
fn canonical_path(path: &str) -> String {
    let part = |part: &str| match part.parse::<usize>() {
        Ok(number) => number.to_string(),
        Err(_) => part.to_owned(),
    };
    path.split('.').map(part).collect::<Vec<_>>().join(".")
}

/// The spelling of a value that has several: names and numbers of constants and data types. `None` for any other.
fn canonical_value(
    catalog: &Catalog,
    operator: &Operator,
    path: &Path,
    text: &str,
    of_constant: impl Fn(&Catalog, &str, u32) -> String,
) -> Option<String> {
    match path {
        Path::Attribute(field) => match &operator.fields.get(*field)?.kind {
            FieldKind::Enum(name) => Some(of_constant(catalog, name, constant(catalog, name, text).ok()?)),
            _ => None,
        },
        Path::Tensor(_, _, TensorPart::Type) => {
            const TYPES: &str = "DML_TENSOR_TYPE";
            Some(constant_name(catalog, TYPES, constant(catalog, TYPES, text).ok()?))
        }
        path if path.is_data_type() => {
            let ty = catalog.data_type(path::number(text).ok()?)?;
            Some(ty.name.to_string())
        }
        _ => None,
    }
}

/// The message for a key and a value that no canonical id has.
pub const IN_NO_ID: &str = "is not how ids have it";

/// How an id differs from its canonical form, in words.
pub fn describe_difference(id: &CaseId, canonical: &CaseId) -> String {
    let missing = |from: &CaseId, of: &CaseId| {
        let mut params = from.params();
        let found = params.find(|(key, value)| of.get(key) != Some(value));
        found.map(|(key, value)| format!("`{key}={value}`"))
    };
    if id.family() != canonical.family() {
        return format!(
            "its keys make it a case of `{}`, not of `{}`, which {IN_NO_ID}",
            canonical.family(),
            id.family()
        );
    }
    match (missing(id, canonical), missing(canonical, id)) {
        (Some(given), _) => format!("{given} {IN_NO_ID}"),
        (None, Some(needed)) => format!("{needed} is missing"),
        (None, None) => "its keys stand in another order".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, ops::ControlFlow};

    use dml_spec::model::Tier;

    use crate::canonical::*;
    use crate::embedded::suite;
    use crate::planner::Planner;

    fn refusal(suite: &Planner, id: &CaseId) -> String {
        crate::by_id::build(suite, id).expect_err(id.as_str()).to_string()
    }

    #[test]
    fn no_other_form_of_a_planned_id_is_one() {
        let suite = suite();
        let mut tried = 0_usize;
        for bucket in crate::enumerate::buckets(suite, Tier::Smoke) {
            let builder = Builder::new(suite, bucket.operator).unwrap();
            let defaults = [
                ("layout", layouts::DEFAULT),
                ("values", builder.recipe.values),
                ("alias", aliases::DEFAULT),
                ("seed", "0"),
            ];
            let _ = crate::enumerate::for_each_case(suite, &bucket, Tier::Smoke, 0, &mut |case| {
                let id = &case.id;
                assert_eq!(canonicalize_id(&builder, id, bucket.family), *id);
                let with = |params: Vec<(&str, &str)>| CaseId::new(id.operator(), id.level(), id.family(), params);
                let params: Vec<_> = id.params().collect();
                // Forms take turns, so that each is tried on many ids.
                let mut others = Vec::new();
                if let Some(by) = tried.checked_rem(params.len().saturating_sub(1)) {
                    let mut turned = params.clone();
                    turned.rotate_left(1 + by);
                    others.push(with(turned));
                }
                let default = defaults[tried / 2 % defaults.len()];
                if id.get(default.0).is_none() {
                    others.push(with([params, vec![default]].concat()));
                }
                for other in others {
                    let why = refusal(suite, &other);
                    assert!(why.ends_with(&format!("did you mean `{id}`")), "{why}");
                    tried += 1;
                }
                ControlFlow::Continue(())
            });
        }
        assert!(tried > 10_000, "{tried}");
    }

    #[test]
    fn names_and_numbers_of_a_value_are_one() {
        let suite = suite();
        let top = "TOP_K1:3.1:sizes:type=FLOAT16,index=UINT32,sizes=2x3x33,axis=2,k=5,dir=";
        let fault = "TOP_K1:2.1:faults:type=FLOAT32,index=UINT32,sizes=1x2x5x3,axis=2,k=2,dir=DECREASING,";
        let add = "ELEMENT_WISE_ADD1:3.0:in-place:type=FLOAT32,sizes=2x3x4x5,act=null";
        for (given, meant) in [
            (format!("{top}1"), format!("{top}DECREASING")),
            (
                format!("{top}DML_AXIS_DIRECTION_INCREASING"),
                format!("{top}INCREASING"),
            ),
            (
                format!("{fault}AxisDirection=INCREASING"),
                format!("{fault}AxisDirection=0"),
            ),
            (
                format!("{fault}InputTensor.DataType=1"),
                format!("{fault}InputTensor.DataType=FLOAT32"),
            ),
            (
                format!("{fault}InputTensor.Sizes.01=3"),
                format!("{fault}InputTensor.Sizes.1=3"),
            ),
            (add.to_owned(), format!("{add},alias=ATensor")),
        ] {
            let id: CaseId = given.parse().unwrap();
            let why = refusal(suite, &id);
            assert!(why.contains(&format!("did you mean `{meant}`")), "{why}");
            crate::by_id::build(suite, &meant.parse().unwrap()).expect("a case");
        }
    }

    #[test]
    fn ids_of_another_seed_are_canonical_and_name_it() {
        let suite = suite();
        let mut all = HashSet::new();
        for bucket in crate::enumerate::buckets(suite, Tier::Smoke) {
            let builder = Builder::new(suite, bucket.operator).unwrap();
            let _ = crate::enumerate::for_each_case(suite, &bucket, Tier::Smoke, 3, &mut |case| {
                assert_eq!(canonicalize_id(&builder, &case.id, bucket.family), case.id);
                // Descriptors with faults and examples hold no random data.
                let is_drawn = !matches!(bucket.family, Family::Examples | Family::Faults);
                assert!(!is_drawn || case.id.get("seed") == Some("3"), "{}", case.id);
                assert!(all.insert(case.id));
                ControlFlow::Continue(())
            });
        }
    }
}
