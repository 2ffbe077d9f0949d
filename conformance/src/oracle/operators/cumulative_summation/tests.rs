use super::*;

#[test]
fn reference_and_checker_agree() {
    crate::oracle::planned::holds_together("CUMULATIVE_SUMMATION");
    crate::oracle::planned::knows_what_is_open("CUMULATIVE_SUMMATION");
}

#[test]
fn a_second_way_comes_to_the_same() {
    let suite = crate::oracle::planned::suite();
    let mut told = 0;
    let count = crate::oracle::planned::each(&suite, "CUMULATIVE_SUMMATION", false, |id, call| {
        let s = Tallies::of(call).unwrap();
        let reference = ORACLE.reference(call).remove(0);
        assert_eq!(sums_differ(&s, &reference), None, "{id}");
        let mut wrong = reference.clone();
        let last = wrong.len() - 1;
        wrong[last] ^= 1 << (s.input.shape.ty.bits - 2);
        // A long sum of halves may be off by more than the flipped bit.
        let off = s
            .wanted()
            .iter()
            .zip(&wrong)
            .position(|(due, bits)| !due.allows(&s.input.shape.ty, *bits));
        assert_eq!(sums_differ(&s, &wrong), off, "{id}");
        told += usize::from(off == Some(last));
    });
    assert!(told * 10 > count * 9, "{told} of {count}");
}
