//! Values that the specification wants in one case, beyond pairs.

use super::{
    choice::Parameter,
    parameters::{Mistake, Place},
};
use crate::builder::Builder;

/// The parameters and values of each combination, in the order of the specification.
///
/// # Errors
/// Every parameter that there is not, and every value that it has not.
pub fn together(builder: &Builder<'_>, parameters: &[Parameter]) -> Result<Vec<Vec<(usize, usize)>>, Vec<Mistake>> {
    let (mut found, mut mistakes) = (Vec::new(), Vec::new());
    for of in builder.operator.cases.together.iter() {
        let mut mistake = |what: String| {
            mistakes.push(Mistake {
                place: Place::Together(of.name.to_string()),
                what,
            });
        };
        let mut key = Vec::new();
        for (name, value) in of.values.iter() {
            let Some(at) = parameters.iter().position(|parameter| parameter.name == *name) else {
                mistake(format!("`{name}` is no parameter"));
                continue;
            };
            let values = parameters.get(at).map(|parameter| parameter.values.as_slice());
            let place = values.and_then(|values| values.iter().position(|choice| choice.label == *value));
            match place {
                Some(place) => key.push((at, place)),
                None => mistake(format!("`{value}` is no value of `{name}`")),
            }
        }
        if of.values.len() < 2 {
            mistake("one value has a case of its own anyway; name two or more".to_owned());
        }
        key.sort_unstable();
        found.push(key);
    }
    match mistakes.is_empty() {
        true => Ok(found),
        false => Err(mistakes),
    }
}
