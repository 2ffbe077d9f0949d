// Elements of up to 32 bits, of the width in the parameters.

alias Bits = u32;

fn load_bits(element: u32) -> Bits {
    return bits_in(input[word_of(element, params.width)], element, params.width);
}

// Copies an element of the input to a place of the output.
fn copy_element(element: u32, place: u32) {
    store_bits(place, load_bits(element), params.width);
}
