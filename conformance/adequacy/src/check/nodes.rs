//! Expressions of nodes of ONNX that have no value for a legal descriptor, though all that they name is given.

use dml_plan::builder::Builder;
use dml_run::json;
use dml_spec::{
    Descriptor, Diagnostic,
    onnx::{self, Mapping, Part},
    rule::{
        interp::{Env, eval, eval_bool, eval_numbers},
        typed::{Node, Type, mentioned},
    },
};
use dml_spec_yaml::load::node_span;

use super::{Source, values::seeds_of};

/// Most cases of each bucket that are looked at: expressions are quick.
const OF_A_BUCKET: usize = 64;

/// The expressions, each with the first descriptor of which that is so.
pub(super) fn check(builder: &Builder<'_>, index: usize, source: &Source<'_>) -> Vec<Diagnostic> {
    let catalog = &builder.suite.catalog;
    // Mistakes of other kinds have been reported.
    let mappings = onnx::compile(catalog, builder.operator).unwrap_or_default();
    let Some(level) = builder.operator.support.last().map(|table| table.level) else {
        return Vec::new();
    };
    if mappings.is_empty() {
        return Vec::new();
    }
    let seeds = seeds_of(builder, index, OF_A_BUCKET);
    let mut found = Vec::new();
    for (entry, mapping) in mappings.iter().enumerate() {
        // The first node that a descriptor is counts.
        let of_entry = |descriptor: &&Descriptor| {
            let env = Env::new(catalog, descriptor, level);
            let is_node = |mapping: &Mapping| mapping.nodes.iter().any(|(_, when)| eval_bool(when, &env));
            mappings.iter().position(is_node) == Some(entry)
        };
        let own: Vec<&Descriptor> = seeds.iter().filter(of_entry).collect();
        for (part, node) in parts(mapping) {
            let is_size = matches!(part, Part::Input(_, "sizes"));
            let lacks = |descriptor: &&&Descriptor| !has_value(node, is_size, &Env::new(catalog, descriptor, level));
            let Some(descriptor) = own.iter().find(lacks) else {
                continue;
            };
            let span = node_span(source.text, &source.root, entry, part, node.span.clone()).unwrap_or(0..0);
            let hint = json::write(catalog, descriptor).ok();
            found.push(source.mistake(
                "spec::no-value",
                &span,
                "this has no value: a division by zero, an index outside, or a size below zero".to_owned(),
                hint.map(|json| format!("for this legal descriptor: {json}")),
            ));
        }
    }
    found
}

/// What is evaluated of an entry: inputs that are no tensors, types, sizes, and attributes.
fn parts(mapping: &Mapping) -> Vec<(Part, &Node)> {
    let mut all = Vec::new();
    for (at, (_, input)) in mapping.inputs.iter().enumerate() {
        if !matches!(input.value.ty, Type::Tensor | Type::Tensors) {
            all.push((Part::Input(at, "value"), &input.value));
        }
        all.extend(input.data_type.iter().map(|node| (Part::Input(at, "type"), node)));
        all.extend(input.sizes.iter().map(|node| (Part::Input(at, "sizes"), node)));
    }
    let attributes = mapping.attributes.iter().enumerate();
    all.extend(attributes.map(|(at, (_, node))| (Part::Attribute(at), node)));
    all
}

/// Whether an expression has a value, and no negative one if it is about sizes; what is absent has none, and needs none.
fn has_value(node: &Node, is_size: bool, env: &Env<'_>) -> bool {
    let is_absent = |field: usize| env.descriptor.fields.get(field).is_none_or(|value| !value.is_present());
    mentioned([node]).into_iter().any(is_absent)
        || match node.ty {
            Type::List => eval_numbers(node, env).is_some_and(|all| !is_size || all.iter().all(|size| *size >= 0)),
            _ => eval(node, env).is_some(),
        }
}
