//! Backends that write their outputs wrongly.

use dml_spec::answer::Buffer;
use dml_spec::{layout, model::NumberClass};

use crate::{
    fault::{About, Fault, Stage, Wrong},
    scene::Scene,
};
use dml_case::tensor::Shape;
use dml_legacy::oracle::{
    Right,
    guess::{Elements, fixed},
};

/// Ways to write outputs wrongly that this operator's tensors leave room for.
pub(crate) fn faults(about: &About) -> Vec<Fault> {
    let mut all = unwritten(about);
    all.extend(values(about));
    all.extend(bytes(about));
    all
}

/// A fault that changes the right elements before they are written.
fn writing(
    name: &str,
    says: &str,
    right: Right,
    change: impl Fn(&Scene, &mut Elements) + Send + Sync + 'static,
) -> Fault {
    Fault::new(Stage::Writing, name, says, right, move |scene| {
        let mut elements = fixed(scene.right()?.to_vec());
        change(scene, &mut elements);
        Some(Wrong::Elements(elements))
    })
}

/// Outputs of which `which` says so are written as if they were packed.
fn written_as_packed(name: &'static str, says: &'static str, which: fn(&Shape) -> bool) -> Fault {
    Fault::new(
        Stage::Writing,
        name,
        says,
        Right::Named(&["strides-ignored"]),
        move |scene| {
            let (call, right) = (scene.call()?, scene.right()?);
            let written = |own: &Shape| if which(own) { packed(own) } else { Some(own.clone()) };
            let shapes: Option<Vec<Shape>> = call.outputs.iter().map(written).collect();
            let shapes = shapes?;
            let mut pairs = call.outputs.iter().zip(&shapes);
            let differs = pairs.any(|(own, written)| own.strides != written.strides);
            let (_, mut buffers) = dml_case::poison::buffers(scene.operator, scene.case);
            for ((shape, buffer), elements) in shapes.iter().zip(&mut buffers).zip(right) {
                shape.write(buffer.tensor_mut(), elements.iter().copied());
            }
            differs.then_some(Wrong::Buffers(buffers))
        },
    )
}

/// A fault that changes the buffers after the right elements were written.
fn placing(
    name: &str,
    says: &str,
    right: Right,
    change: impl Fn(&Shape, &mut Buffer) -> bool + Send + Sync + 'static,
) -> Fault {
    Fault::new(Stage::Writing, name, says, right, move |scene| {
        let mut buffers = scene.right_buffers()?.to_vec();
        let mut changed = false;
        for (shape, buffer) in scene.call()?.outputs.iter().zip(&mut buffers) {
            changed |= change(shape, buffer);
        }
        changed.then_some(Wrong::Buffers(buffers))
    })
}

/// Elements that are never written.
fn unwritten(about: &About) -> Vec<Fault> {
    let right = || Right::Named(&["unwritten"]);
    let lost_from = |first: fn(usize) -> usize| {
        move |_: &Scene, outputs: &mut Elements| {
            for elements in outputs {
                let first = first(elements.len());
                elements.iter_mut().skip(first).for_each(|element| *element = None);
            }
        }
    };
    let mut all = vec![
        writing(
            "nothing-written",
            "outputs are left as they were",
            right(),
            |_, outputs| {
                outputs.iter_mut().flatten().for_each(|element| *element = None);
            },
        ),
        writing(
            "last-element-unwritten",
            "the last element of every output is never written",
            right(),
            |_, outputs| {
                outputs
                    .iter_mut()
                    .filter_map(|elements| elements.last_mut())
                    .for_each(|element| *element = None);
            },
        ),
        writing(
            "first-element-unwritten",
            "the first element of every output is never written",
            right(),
            |_, outputs| {
                outputs
                    .iter_mut()
                    .filter_map(|elements| elements.first_mut())
                    .for_each(|element| *element = None);
            },
        ),
        writing(
            "partial-workgroup-of-4-lost",
            "what does not fill a vector of 4 is never written",
            right(),
            lost_from(|count| count / 4 * 4),
        ),
        writing(
            "partial-workgroup-of-64-lost",
            "what does not fill a workgroup of 64 is never written",
            right(),
            lost_from(|count| count / 64 * 64),
        ),
        writing(
            "over-256-unwritten",
            "elements beyond the 256th are never written",
            right(),
            lost_from(|_| 256),
        ),
        writing(
            "over-1024-unwritten",
            "elements beyond the 1024th are never written",
            right(),
            lost_from(|_| 1024),
        ),
    ];
    if about.output_count > 1 {
        all.push(writing(
            "second-output-unwritten",
            "the second output is never written",
            right(),
            |_, outputs| {
                outputs.iter_mut().skip(1).flatten().for_each(|element| *element = None);
            },
        ));
    }
    if about.dimensions > 4 {
        all.push(writing(
            "dimensions-beyond-four-unwritten",
            "only the first four-dimensional part is written",
            right(),
            |scene, outputs| {
                let shapes = scene.call().map(|call| call.outputs.as_slice()).unwrap_or_default();
                for (shape, elements) in shapes.iter().zip(outputs) {
                    let over = shape.sizes.len().saturating_sub(4);
                    let part: usize = shape.sizes.iter().skip(over).map(|size| *size as usize).product();
                    elements.iter_mut().skip(part).for_each(|element| *element = None);
                }
            },
        ));
    }
    all
}

/// Elements that are written wrongly.
fn values(about: &About) -> Vec<Fault> {
    let mut all = vec![
        writing(
            "zeros-written",
            "every element is written as 0",
            Right::Symptom(&["precision"]),
            |_, outputs| {
                outputs.iter_mut().flatten().for_each(|element| *element = Some(0));
            },
        ),
        writing(
            "first-element-everywhere",
            "the first element is written to every place",
            Right::Symptom(&["precision"]),
            |_, outputs| {
                for elements in outputs {
                    let first = elements.first().copied().flatten();
                    elements.fill(first);
                }
            },
        ),
        writing(
            "written-backwards",
            "elements are written from the last place to the first",
            Right::Symptom(&[]),
            |_, outputs| {
                outputs.iter_mut().for_each(|elements| elements.reverse());
            },
        ),
        writing(
            "neighbours-swapped",
            "the first two elements are written to each other's place",
            Right::Symptom(&[]),
            |_, outputs| {
                outputs
                    .iter_mut()
                    .filter(|elements| elements.len() > 1)
                    .for_each(|elements| elements.swap(0, 1));
            },
        ),
        writing(
            "workgroup-repeated",
            "from the 65th on, elements repeat those of the first workgroup",
            Right::Symptom(&["precision"]),
            |_, outputs| {
                for elements in outputs {
                    for at in 64..elements.len() {
                        elements[at] = elements[at % 64];
                    }
                }
            },
        ),
        writing(
            "now-and-then-wrong",
            "in one case of three the last element is that of a race",
            Right::Symptom(&["precision"]),
            |scene, outputs| {
                let seldom = dml_case::poison::salt(&scene.case.id, 0).is_multiple_of(3);
                for elements in outputs.iter_mut().filter(|elements| seldom && elements.len() > 1) {
                    let last = elements.len() - 1;
                    elements[last] = elements[last - 1];
                }
            },
        ),
        writing(
            "top-bit-flipped",
            "the highest bit of every element is flipped",
            Right::Symptom(&["signedness", "precision"]),
            |scene, outputs| {
                let shapes = scene.call().map(|call| call.outputs.as_slice()).unwrap_or_default();
                for (shape, elements) in shapes.iter().zip(outputs) {
                    elements
                        .iter_mut()
                        .flatten()
                        .for_each(|bits| *bits ^= 1 << (shape.ty.bits - 1));
                }
            },
        ),
    ];
    if about.exact {
        all.push(writing(
            "last-bit-flipped",
            "the lowest bit of the last element is flipped",
            Right::Symptom(&["precision"]),
            |_, outputs| {
                for elements in outputs {
                    elements.iter_mut().rev().take(1).flatten().for_each(|bits| *bits ^= 1);
                }
            },
        ));
    }
    if about.output(|ty| ty.bits == 64) {
        all.push(writing(
            "high-words-zero",
            "the high words of 64-bit elements are written as 0",
            Right::Symptom(&["precision", "signedness"]),
            |scene, outputs| {
                let shapes = scene.call().map(|call| call.outputs.as_slice()).unwrap_or_default();
                for (_, elements) in shapes.iter().zip(outputs).filter(|(shape, _)| shape.ty.bits == 64) {
                    elements
                        .iter_mut()
                        .flatten()
                        .for_each(|bits| *bits &= u64::from(u32::MAX));
                }
            },
        ));
    }
    if about.output(|ty| ty.class == NumberClass::Float && ty.bits > 16) {
        all.push(writing(
            "results-through-half",
            "floats are rounded to FLOAT16 before they are written",
            Right::Symptom(&["precision"]),
            |scene, outputs| {
                let shapes = scene.call().map(|call| call.outputs.as_slice()).unwrap_or_default();
                let wide = |shape: &&Shape| shape.ty.class == NumberClass::Float && shape.ty.bits > 16;
                for (shape, elements) in shapes.iter().zip(outputs).filter(|(shape, _)| wide(shape)) {
                    for bits in elements.iter_mut().flatten() {
                        *bits = crate::reading::halved(&shape.ty, *bits);
                    }
                }
            },
        ));
    }
    if about.output_count > 1 {
        all.push(writing(
            "outputs-swapped",
            "each of the outputs holds what belongs into the other",
            Right::Symptom(&["precision"]),
            |scene, outputs| {
                let shapes = scene.call().map(|call| call.outputs.as_slice()).unwrap_or_default();
                if let [a, b] = shapes
                    && a.ty.bits == b.ty.bits
                {
                    outputs.reverse();
                }
            },
        ));
    }
    all
}

/// Writes to the wrong places.
fn bytes(about: &About) -> Vec<Fault> {
    let mut all = vec![
        written_as_packed(
            "output-strides-ignored",
            "outputs are written as if they were packed",
            |_| true,
        ),
        written_as_packed(
            "rows-written-as-packed",
            "outputs whose rows are padded are written as if they were packed",
            Shape::is_pitched,
        ),
        placing(
            "gaps-written",
            "bytes between the elements of an output are written",
            Right::Named(&["padding-touched"]),
            |shape, buffer| {
                let (owned, width) = (places(shape), shape.width());
                let gap = (0..used(shape)).find(|at| !owned.contains(at));
                gap.is_some_and(|at| flip(buffer, at * width))
            },
        ),
        placing(
            "tail-written",
            "bytes behind the last element of an output are written",
            Right::Named(&["padding-touched"]),
            |shape, buffer| {
                let end = used(shape) * shape.width();
                end < buffer.tensor().len() && flip(buffer, end)
            },
        ),
        placing(
            "one-element-too-many",
            "an element is written behind the end of an output",
            Right::Named(&["guard-touched"]),
            |_, buffer| {
                let (guard, length) = (buffer.guard(), buffer.tensor().len());
                buffer
                    .whole_mut()
                    .get_mut(guard + length)
                    .map(|byte| *byte = !*byte)
                    .is_some()
            },
        ),
        placing(
            "one-element-before",
            "an element is written before the start of an output",
            Right::Named(&["guard-touched"]),
            |_, buffer| {
                let at = buffer.guard().checked_sub(1);
                at.and_then(|at| buffer.whole_mut().get_mut(at))
                    .map(|byte| *byte = !*byte)
                    .is_some()
            },
        ),
        Fault::new(
            Stage::Writing,
            "gives-up-on-eight-dimensions",
            "the backend gives up on tensors of more than 5 dimensions",
            Right::Named(&["backend-error"]),
            |scene| {
                scene
                    .call()?
                    .outputs
                    .iter()
                    .any(|shape| shape.sizes.len() > 5)
                    .then_some(Wrong::GiveUp)
            },
        ),
    ];
    if about.output_count > 1 {
        all.push(Fault::new(
            Stage::Writing,
            "strides-of-the-first-output",
            "outputs behind the first are written with the strides of the first",
            Right::Named(&["strides-ignored"]),
            |scene| {
                let (outputs, right) = (&scene.call()?.outputs, scene.right()?);
                let (first, rest) = outputs.split_first()?;
                let (_, mut buffers) = dml_case::poison::buffers(scene.operator, scene.case);
                let own = std::iter::once(first.clone());
                let others = rest.iter().map(|shape| Shape {
                    strides: first.strides.clone(),
                    ..shape.clone()
                });
                for ((shape, buffer), elements) in own.chain(others).zip(&mut buffers).zip(right) {
                    shape.write(buffer.tensor_mut(), elements.iter().copied());
                }
                let differs = rest.iter().any(|shape| shape.strides != first.strides);
                differs.then_some(Wrong::Buffers(buffers))
            },
        ));
    }
    all.retain(|fault| fault.name != "gives-up-on-eight-dimensions" || about.dimensions > 5);
    if about.in_place {
        all.push(Fault::new(
            Stage::Writing,
            "computed-twice-in-place",
            "an output in the place of an input is computed twice",
            Right::Named(&[dml_case::names::OVERWRITTEN]),
            |scene| {
                let alias = *scene.case.aliases.first()?;
                let mut call = scene.call()?.clone();
                let first = scene.right()?.get(alias.output)?.clone();
                call.inputs.get_mut(alias.input)?.elements = first;
                scene.computed(&call).map(Wrong::Elements)
            },
        ));
    }
    all
}

fn packed(shape: &Shape) -> Option<Shape> {
    Some(Shape {
        strides: layout::packed_strides(&shape.sizes)?,
        ..shape.clone()
    })
}

/// Elements from the first to the last one, gaps included.
fn used(shape: &Shape) -> usize {
    let mut last = 0;
    shape.for_each_offset(|offset| last = last.max(offset));
    last + 1
}

fn places(shape: &Shape) -> std::collections::HashSet<usize> {
    let mut found = std::collections::HashSet::new();
    shape.for_each_offset(|offset| {
        found.insert(offset);
    });
    found
}

fn flip(buffer: &mut Buffer, at: usize) -> bool {
    buffer.tensor_mut().get_mut(at).map(|byte| *byte = !*byte).is_some()
}
