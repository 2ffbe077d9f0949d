//! Which broken promises the data of a selection can show.

use super::{Selection, rank};

/// Classes of the checker that wrong outputs of this selection could show.
pub(in crate::oracle) fn exposes(s: &Selection) -> Vec<&'static str> {
    let (keys, k) = (s.input.numbers(), s.out.size);
    let mut classes = Vec::new();
    let mut add = |class, can: bool| {
        if can && !classes.contains(&class) {
            classes.push(class);
        }
    };
    add("index-out-of-range", s.lanes.size > 1);
    add("index-duplicate", k > 1);
    add("index-of-tensor", s.lanes.count() > 1);
    let mut order = Vec::with_capacity(s.lanes.size);
    for lane in 0..s.lanes.count() {
        s.order(&keys, s.lanes, lane, &mut order);
        let tie = |a: usize, b: usize| rank(order[a].0, order[b].0, s.decreasing).is_eq();
        let last = order.len() - 1;
        add("tie-order", (1..k).any(|slot| tie(slot - 1, slot)));
        add("tie-boundary", k <= last && tie(k - 1, k));
        add("not-sorted", !tie(0, k - 1));
        add("not-selected", !tie(k - 1, last));
        add("value-index-disagree", !tie(0, last));
        // A buffer of zeros is what many a mistake leaves.
        add(
            "value-changed",
            order[..k].iter().any(|(_, index)| s.bits(lane, *index) != 0),
        );
    }
    classes
}

#[cfg(test)]
mod tests {
    use crate::oracle::{Call, fixture, fixture::Recipe, oracle};

    fn of(sizes: &[u32], k: u32, elements: &[f32]) -> Vec<&'static str> {
        let suite = fixture::suite();
        let case = Recipe::floats(sizes, sizes.len() - 1, k, true, elements).case(&suite);
        let (operator, _) = suite.operator("TOP_K1").unwrap();
        let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs).unwrap();
        oracle("TOP_K1").unwrap().exposes(&call)
    }

    #[test]
    fn ties_show_only_where_equal_values_are() {
        let has = |found: &[&str], class| found.contains(&class);
        let distinct = of(&[5], 3, &[1.0, 5.0, 3.0, 2.0, 4.0]);
        assert!(
            !has(&distinct, "tie-order") && !has(&distinct, "tie-boundary"),
            "{distinct:?}"
        );
        let within = of(&[5], 3, &[5.0, 1.0, 5.0, 4.0, 0.0]);
        assert!(has(&within, "tie-order") && !has(&within, "tie-boundary"), "{within:?}");
        let across = of(&[5], 2, &[5.0, 4.0, 1.0, 4.0, 0.0]);
        assert!(!has(&across, "tie-order") && has(&across, "tie-boundary"), "{across:?}");
        // Equal values that nobody selects.
        let behind = of(&[5], 1, &[5.0, 1.0, 1.0, 1.0, 0.0]);
        assert!(
            !has(&behind, "tie-order") && !has(&behind, "tie-boundary"),
            "{behind:?}"
        );
    }

    #[test]
    fn orders_need_two_elements_and_selections_one_that_is_left_out() {
        assert!(!of(&[3], 1, &[1.0, 3.0, 2.0]).contains(&"not-sorted"));
        assert!(of(&[3], 2, &[1.0, 3.0, 2.0]).contains(&"not-sorted"));
        assert!(!of(&[3], 3, &[1.0, 3.0, 2.0]).contains(&"not-selected"));
        assert!(of(&[3], 2, &[1.0, 3.0, 2.0]).contains(&"not-selected"));
        assert_eq!(of(&[1], 1, &[0.0]), [""; 0]);
        assert_eq!(
            of(&[2, 2], 2, &[1.0; 4]),
            [
                "index-out-of-range",
                "index-duplicate",
                "index-of-tensor",
                "tie-order",
                "value-changed"
            ]
        );
    }
}
