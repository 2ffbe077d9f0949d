// Sums of 32-bit integers, which wrap around equally with and without a sign.

alias Tally = u32;

const ZERO: Tally = 0u;

fn plus(a: Tally, b: Tally) -> Tally {
    return a + b;
}

fn load_element(element: u32) -> Tally {
    return input[element];
}

fn store_tally(element: u32, tally: Tally) {
    store_bits(element, tally, 2u);
}
