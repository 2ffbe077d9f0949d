// Elements of 8, 16 and 32 bits, which lie in words. `width` is the binary logarithm of an element's bytes.

fn word_of(element: u32, width: u32) -> u32 {
    return element >> (2u - width);
}

fn shift_of(element: u32, width: u32) -> u32 {
    return (element << (3u + width)) & 31u;
}

fn ones_of(width: u32) -> u32 {
    return 0xffffffffu >> (32u - (8u << width));
}

// The bits of an element, from the word it lies in.
fn bits_in(word: u32, element: u32, width: u32) -> u32 {
    return (word >> shift_of(element, width)) & ones_of(width);
}

// Writes the bits of an element of the output. Words that several elements share are changed bit by bit: another
// invocation may be writing the other bits at the same time, and gaps keep their bytes.
fn store_bits(element: u32, bits: u32, width: u32) {
    let word = word_of(element, width);
    if width == 2u {
        atomicStore(&output[word], bits);
        return;
    }
    let shift = shift_of(element, width);
    atomicAnd(&output[word], ~(ones_of(width) << shift));
    atomicOr(&output[word], bits << shift);
}

// Writes an element of 64 bits.
fn store_words(element: u32, low: u32, high: u32) {
    atomicStore(&output[2u * element], low);
    atomicStore(&output[2u * element + 1u], high);
}
