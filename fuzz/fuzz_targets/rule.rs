//! Any text is a rule: it is parsed, type-checked for every operator and for tensors, and evaluated on descriptors.

#![no_main]

use std::{ops::ControlFlow, sync::OnceLock};

use dml_fuzz::suite;
use dml_spec::{
    Descriptor, FeatureLevel,
    model::Tier,
    rule::{self, Env, Scope, Subject, typed::Type},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let expr = match rule::parse(text) {
        Ok(expr) => expr,
        Err(why) => {
            assert!(text.get(why.span.clone()).is_some(), "no part of the text: {why:?}");
            return;
        }
    };
    let catalog = &suite().catalog;
    let tensor = Scope::tensor(catalog);
    for scope in [tensor, tensor.with_data()] {
        let _ = rule::check(&expr, &scope, None);
    }
    if let Ok(node) = rule::check(&expr, &tensor, Some(&Type::Bool)) {
        for env in envs().iter().flat_map(|descriptors| descriptors.iter().map(env)) {
            rule::eval_bool(
                &node,
                &Env {
                    subject: Some(Subject {
                        field: 0,
                        element: 0,
                        tensor: None,
                    }),
                    ..env
                },
            );
        }
    }
    for (operator, descriptors) in catalog.operators.iter().zip(envs()) {
        let scope = Scope::operator(catalog, operator);
        let _ = rule::check(&expr, &scope.with_data(), Some(&Type::Bool));
        let Ok(node) = rule::check(&expr, &scope, None) else {
            continue;
        };
        for descriptor in descriptors {
            rule::eval(&node, &env(descriptor));
        }
    }
});

fn env(descriptor: &'static Descriptor) -> Env<'static> {
    Env::new(&suite().catalog, descriptor, FeatureLevel::new(6, 4))
}

/// A zeroed descriptor of each operator, and some of the plan.
fn envs() -> &'static [Vec<Descriptor>] {
    static ENVS: OnceLock<Vec<Vec<Descriptor>>> = OnceLock::new();
    ENVS.get_or_init(|| {
        let zeroed = suite()
            .catalog
            .operators
            .iter()
            .map(|operator| vec![Descriptor::zeroed(operator)]);
        let mut all: Vec<Vec<Descriptor>> = zeroed.collect();
        for bucket in dml_plan::buckets(suite()) {
            let known = &mut all[bucket.operator];
            if known.len() < 4 {
                let _ = dml_plan::for_each_case(suite(), &bucket, Tier::Smoke, 0, &mut |case| {
                    known.push(Descriptor::clone(&case.descriptor));
                    ControlFlow::Break(())
                });
            }
        }
        all
    })
}
