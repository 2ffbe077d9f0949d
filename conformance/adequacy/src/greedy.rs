//! Covering greedily: the item that adds most first.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Takes items, by their places in a list of so many, until none adds anything: at each step the one that adds most, of
/// equals the first. `adds` says what an item would add to what `take` was called with so far; it only ever falls.
pub fn cover<S>(count: usize, state: &mut S, adds: impl Fn(&S, usize) -> u64, mut take: impl FnMut(&mut S, usize)) {
    let promised = |at| (adds(state, at), Reverse(at));
    let mut heap: BinaryHeap<(u64, Reverse<usize>)> = (0..count).map(promised).collect();
    while let Some((promised, Reverse(at))) = heap.pop() {
        // What still holds is the greatest, as nothing grows.
        match adds(state, at) {
            0 => {}
            now if now == promised => take(state, at),
            now => heap.push((now, Reverse(at))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn most_is_taken_first_and_nothing_twice() {
        let sets: [&[u32]; 5] = [&[1, 2], &[3, 4, 5, 6], &[1, 2], &[1, 3], &[6]];
        let (mut covered, mut taken) = (BTreeSet::new(), Vec::new());
        let adds = |covered: &BTreeSet<u32>, at: usize| sets[at].iter().filter(|n| !covered.contains(n)).count() as u64;
        cover(sets.len(), &mut covered, adds, |covered, at| {
            covered.extend(sets[at]);
            taken.push(at);
        });
        assert_eq!(taken, [1, 0]);
    }
}
