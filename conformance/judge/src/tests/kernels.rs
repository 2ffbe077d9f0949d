//! What is said of the outputs of small kernels that make a mistake.

use crate::tests::*;

#[test]
fn a_right_kernel_passes() {
    let suite = fixture::suite();
    for recipe in [mixed(true), mixed(false), ties(true), ties(false)] {
        let (case, outputs) = kernel(&suite, &recipe, |_, n| sorted(n, recipe.decreasing, plain));
        let judged = on(Basis::Runtime, &suite, &case, &Answer::Executed { outputs });
        assert_eq!(judged, Judged::plain(Outcome::Pass));
    }
}

#[test]
fn wrong_outputs_are_described() {
    let highest_first = |_: usize, n: &[Number]| {
        let mut reversed: Vec<usize> = sorted(n, false, plain);
        reversed.reverse();
        reversed
    };
    let found = said(&ties(true), highest_first);
    assert_eq!((&*found.class, found.differing), ("differs", 11));
    let message = "OutputValueTensor is right; 11 of 12 elements of OutputIndexTensor are wrong";
    assert_eq!(found.message, message);
    assert_eq!(found.first.unwrap().tensor, "OutputIndexTensor");
    let found = said(&mixed(true), |_, n| vec![sorted(n, true, plain)[0]; 4]);
    let message = "18 of 24 elements of OutputValueTensor are wrong; 18 of 24 elements of OutputIndexTensor are wrong";
    assert_eq!((&*found.class, found.message.as_str()), ("differs", message));
    let found = said(&Recipe::floats(&[5], 0, 1, true, &shuffled(5)), |_, _| vec![2]);
    let message = "the element of OutputValueTensor is wrong; the element of OutputIndexTensor is wrong";
    assert_eq!(found.message, message);
    let constant = Recipe::floats(&[2, 6], 1, 3, true, &[1.0; 12]);
    let found = said(&constant, |_, _| vec![5, 5, 5]);
    let message = "OutputValueTensor is right; 6 of 6 elements of OutputIndexTensor are wrong, all of them 5";
    assert_eq!(found.message, message);
}

#[test]
fn the_first_wrong_element_is_shown() {
    let suite = fixture::suite();
    let recipe = mixed(true);
    let (case, mut outputs) = kernel(&suite, &recipe, |_, n| sorted(n, true, plain));
    let shapes = shapes(&suite, &case);
    let mut written: Vec<Vec<u64>> = shapes[1..]
        .iter()
        .zip(&outputs)
        .map(|(shape, buffer)| shape.read(buffer.tensor()))
        .collect();
    written[0][2] = u64::from(5000f32.to_bits());
    write(&shapes, &mut outputs, &written);
    let found = diagnosis(&suite, &case, outputs);
    assert_eq!((&*found.class, found.differing), ("differs", 1));
    assert_eq!(
        found.message,
        "1 of 24 elements of OutputValueTensor is wrong; OutputIndexTensor is right"
    );
    let first = found.first.unwrap();
    assert_eq!(
        (&first.at[..], &*first.actual, &*first.actual_bits),
        (&[0, 0, 2][..], "5000", "0x459c4000")
    );
}

#[test]
fn elements_that_were_not_written_are_counted() {
    let right = |n: &[Number]| sorted(n, true, plain);
    let found = said(&mixed(true), |_, n| right(n)[..3].to_vec());
    let message = "12 of 48 output elements were never written, the first in OutputValueTensor";
    assert_eq!((&*found.class, found.message.as_str()), ("unwritten", message));
    assert_eq!(said(&mixed(true), |_, _| Vec::new()).class, "unwritten");
    // What is written is wrong as well.
    let found = said(&mixed(true), |_, n| right(n)[1..4].to_vec());
    assert_eq!(&*found.class, "unwritten");
    assert_eq!(found.differing, 48);
}

#[test]
fn stray_writes_are_named() {
    let suite = fixture::suite();
    let (case, right) = kernel(&suite, &mixed(true), |_, n| sorted(n, true, plain));
    for (behind, at) in [(true, 0), (false, poison::GUARD - 1)] {
        let mut outputs = right.clone();
        let end = if behind {
            outputs[1].whole().len() - poison::GUARD
        } else {
            0
        };
        outputs[1].whole_mut()[end + at] ^= 0xff;
        let found = diagnosis(&suite, &case, outputs);
        assert_eq!(
            (&*found.class, &found.clauses[..]),
            ("guard-touched", &["TENSOR/no-stray-writes".into()][..])
        );
    }
    let mut recipe = mixed(true);
    recipe.strides[1] = Some(vec![20, 5, 1]);
    let (case, right) = kernel(&suite, &recipe, |_, n| sorted(n, true, plain));
    let padding = ("TENSOR/padding-preserved".into(), Follows::Both);
    let judged = on(
        Basis::Runtime,
        &suite,
        &case,
        &Answer::Executed { outputs: right.clone() },
    );
    assert_eq!((judged.outcome, &judged.follows[..]), (Outcome::Pass, &[padding][..]));
    let mut outputs = right;
    outputs[0].tensor_mut()[3 * 4] ^= 1;
    assert_eq!(diagnosis(&suite, &case, outputs.clone()).class, "padding-touched");
    let judged = on(Basis::Text, &suite, &case, &Answer::Executed { outputs });
    assert_eq!(
        (judged.outcome, judged.follows[0].1, judged.warnings.len()),
        (Outcome::Pass, Follows::Text, 1)
    );
}
