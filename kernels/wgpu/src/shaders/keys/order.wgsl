// Keys, narrow or wide, in order.

// Values of `params.order`; others are unsigned.
const SIGNED = 1u;
const FLOAT = 2u;

// Whether one candidate comes before another: by key, then by index. No two candidates are equal.
fn precedes(a: Key, a_index: u32, b: Key, b_index: u32) -> bool {
    return before(a, b) || (!before(b, a) && a_index < b_index);
}
