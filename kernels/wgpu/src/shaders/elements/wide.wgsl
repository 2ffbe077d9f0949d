// Elements of 64 bits: a pair of words, the high one first.

alias Bits = vec2<u32>;

fn load_bits(element: u32) -> Bits {
    return vec2<u32>(input[2u * element + 1u], input[2u * element]);
}

// Copies an element of the input to a place of the output.
fn copy_element(element: u32, place: u32) {
    let bits = load_bits(element);
    store_words(place, bits.y, bits.x);
}
