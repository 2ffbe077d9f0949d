// Sums of 64-bit integers, which wrap around equally with and without a sign: the low word, then the high one.

alias Tally = vec2<u32>;

const ZERO: Tally = vec2<u32>(0u, 0u);

fn plus(a: Tally, b: Tally) -> Tally {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + u32(low < a.x));
}

fn load_element(element: u32) -> Tally {
    return vec2<u32>(input[2u * element], input[2u * element + 1u]);
}

fn store_tally(element: u32, tally: Tally) {
    store_words(element, tally.x, tally.y);
}
