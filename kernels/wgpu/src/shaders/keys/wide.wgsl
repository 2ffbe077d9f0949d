// Elements of 64 bits: the key is a pair of words, the high one first. See narrow.wgsl.

alias Key = vec2<u32>;

const LAST: Key = vec2<u32>(0xffffffffu, 0xffffffffu);
const CAPACITY = 1024u;

fn before(a: Key, b: Key) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

fn load_key(element: u32) -> Key {
    var key = load_bits(element);
    if params.order == SIGNED {
        key.x = key.x ^ params.sign;
    }
    return select(key, ~key, params.descending != 0u);
}

fn digit(key: Key, shift: u32) -> u32 {
    let word = select(key.y, key.x, shift >= 32u);
    return (word >> (shift & 31u)) & 0xffu;
}

fn same_above(a: Key, b: Key, shift: u32) -> bool {
    let differs = a ^ b;
    if shift >= 32u {
        return (differs.x >> (shift & 31u)) >> 8u == 0u;
    }
    return differs.x == 0u && (differs.y >> shift) >> 8u == 0u;
}

fn with_digit(key: Key, shift: u32, value: u32) -> Key {
    let word = value << (shift & 31u);
    return select(vec2<u32>(key.x, key.y | word), vec2<u32>(key.x | word, key.y), shift >= 32u);
}

fn from_words(high: u32, low: u32) -> Key {
    return vec2<u32>(high, low);
}

fn high_word(key: Key) -> u32 {
    return key.x;
}

fn low_word(key: Key) -> u32 {
    return key.y;
}
