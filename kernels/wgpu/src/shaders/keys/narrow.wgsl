// Elements of up to 32 bits: the key is one word.
//
// A key is an unsigned integer in whose order the elements to select come first. It is made from bits alone: floating
// point arithmetic might flush denormals, and may assume that there is no NaN.

alias Key = u32;

// Above or equal to every key; its index marks padding.
const LAST: Key = 0xffffffffu;
const CAPACITY = 2048u;

fn before(a: Key, b: Key) -> bool {
    return a < b;
}

fn load_key(element: u32) -> Key {
    let bits = load_bits(element);
    let sign = params.sign;
    var key = bits;
    if params.order == SIGNED {
        key = bits ^ sign;
    } else if params.order == FLOAT {
        // Both zeros get the same key.
        let magnitude = bits & (sign - 1u);
        key = select(sign - magnitude, sign + magnitude, (bits & sign) == 0u);
    }
    return select(key, key ^ ((sign - 1u) | sign), params.descending != 0u);
}

fn digit(key: Key, shift: u32) -> u32 {
    return (key >> shift) & 0xffu;
}

// Whether the bits above the digit are equal.
fn same_above(a: Key, b: Key, shift: u32) -> bool {
    return ((a ^ b) >> shift) >> 8u == 0u;
}

fn with_digit(key: Key, shift: u32, value: u32) -> Key {
    return key | (value << shift);
}

fn from_words(high: u32, low: u32) -> Key {
    return low;
}

fn high_word(key: Key) -> u32 {
    return 0u;
}

fn low_word(key: Key) -> u32 {
    return key;
}
