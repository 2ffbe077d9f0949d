//! Outputs in the place of inputs: which of them share memory in a case, and whether they can.

use dml_spec::answer::Alias;
use dml_spec::{
    Catalog, Descriptor,
    layout::overlaps,
    model::{Operator, Role},
    patterns::NO_ALIAS,
};

use dml_case::{
    case::Case,
    poison,
    tensor::{Shape, named_tensors},
};

/// The value of the key `alias` that ids leave out: every tensor has memory of its own.
pub const DEFAULT: &str = NO_ALIAS;

/// Puts an output in the place of this input: the first that may.
///
/// # Errors
/// No output may, or the two are laid out differently in memory.
pub fn alias_input(
    catalog: &Catalog,
    operator: &Operator,
    descriptor: &Descriptor,
    input: &str,
) -> Result<Vec<Alias>, String> {
    let may = |field: &&dml_spec::model::Field| field.in_place.iter().any(|name| name == input);
    let output = operator.fields.iter().find(may);
    let output = output.ok_or_else(|| {
        let known: Vec<&str> = operator.shared_inputs().collect();
        format!(
            "no output of {} may alias `{input}`; possible: {}",
            operator.name,
            if known.is_empty() {
                "none".to_owned()
            } else {
                known.join(", ")
            }
        )
    })?;
    alias_output(catalog, operator, descriptor, &output.name, input).map(|alias| vec![alias])
}

/// Puts this output in the place of this input.
///
/// # Errors
/// One of them is absent, the specification does not let them share memory, or they are laid out differently in it.
pub fn alias_output(
    catalog: &Catalog,
    operator: &Operator,
    descriptor: &Descriptor,
    output: &str,
    input: &str,
) -> Result<Alias, String> {
    let field = operator.fields.iter().find(|field| field.name == output);
    if !field.is_some_and(|field| field.in_place.iter().any(|name| name == input)) {
        return Err(format!("`{output}` may not lie in the place of `{input}`"));
    }
    let (inputs, outputs) = (
        named_tensors(operator, descriptor, Role::Input),
        named_tensors(operator, descriptor, Role::Output),
    );
    let place = |tensors: &[(String, _)], name| tensors.iter().position(|(known, _)| known == name);
    let (Some(from), Some(to)) = (place(&inputs, input), place(&outputs, output)) else {
        return Err(format!("`{output}` or `{input}` is not there"));
    };
    let shapes = Shape::of(catalog, inputs[from].1).zip(Shape::of(catalog, outputs[to].1));
    let (read, written) = shapes.ok_or_else(|| format!("`{output}` or `{input}` has no elements"))?;
    let same = read.ty == written.ty
        && (&read.sizes, &read.strides) == (&written.sizes, &written.strides)
        && read.total_bytes == written.total_bytes
        && inputs[from].1.guaranteed_base_offset_alignment == outputs[to].1.guaranteed_base_offset_alignment
        && [inputs[from].1.flags, outputs[to].1.flags] == [0, 0];
    if !same {
        return Err(format!(
            "`{output}` cannot lie in the place of `{input}`: type, sizes, strides, total size and alignment have to be the same, without flags"
        ));
    }
    if overlaps(&written.sizes, &written.strides) {
        return Err(format!(
            "`{output}` cannot lie in the place of `{input}`, whose elements share places"
        ));
    }
    Ok(Alias {
        output: to,
        input: from,
    })
}

/// Lets outputs of a case lie in the place of inputs. Between and after its elements such an input holds the poison of
/// the output, because they share those bytes too.
pub fn apply_aliases(catalog: &Catalog, operator: &Operator, mut case: Case, aliases: Vec<Alias>) -> Case {
    for alias in &aliases {
        let tensors = case.descriptor.tensors(operator, Role::Input);
        let shape = tensors.get(alias.input).and_then(|tensor| Shape::of(catalog, tensor));
        if let Some((shape, input)) = shape.zip(case.inputs.get_mut(alias.input)) {
            let elements = shape.read(input);
            let poisoned = poison::poisoned(shape.total_bytes, poison::salt(&case.id, alias.output));
            input.clear();
            input.extend(poisoned.tensor());
            shape.write(input, elements);
        }
    }
    case.aliases = aliases;
    case
}

/// The names of the tensors that share memory: output, input.
pub fn name_aliases(operator: &Operator, descriptor: &Descriptor, aliases: &[Alias]) -> Vec<(String, String)> {
    let name = |role, at: usize| {
        named_tensors(operator, descriptor, role)
            .get(at)
            .map(|(name, _)| name.clone())
    };
    let pair = |alias: &Alias| Some((name(Role::Output, alias.output)?, name(Role::Input, alias.input)?));
    aliases.iter().filter_map(pair).collect()
}
