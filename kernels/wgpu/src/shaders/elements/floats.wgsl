// FLOAT32 and FLOAT16 as single precision. FLOAT16 is converted by its bits: what drivers offer for it may flush
// denormals, and round as it likes.

// The number in an element, from the word it lies in.
fn number_in(word: u32, element: u32) -> f32 {
    let bits = bits_in(word, element, params.width);
    if params.width == 1u {
        return from_half(bits);
    }
    return bitcast<f32>(bits);
}

// Writes a number to an element of the output.
fn store_number(element: u32, x: f32) {
    if params.width == 1u {
        store_bits(element, to_half(x), 1u);
    } else {
        store_bits(element, bitcast<u32>(x), 2u);
    }
}

fn from_half(bits: u32) -> f32 {
    let sign = (bits & 0x8000u) << 16u;
    let exponent = (bits >> 10u) & 0x1fu;
    let mantissa = bits & 0x3ffu;
    if exponent == 0u {
        // A denormal, which is a normal number in single precision.
        return bitcast<f32>(sign | bitcast<u32>(f32(mantissa) * 0x1p-24f));
    }
    let wider = select(exponent + 112u, 0xffu, exponent == 0x1fu);
    return bitcast<f32>(sign | (wider << 23u) | (mantissa << 13u));
}

// The nearest FLOAT16, of two that are as near the one whose last bit is 0.
fn to_half(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if magnitude > 0x7f800000u {
        return sign | 0x7e00u; // NaN
    }
    if magnitude >= 0x477ff000u {
        return sign | 0x7c00u; // 65520 and above
    }
    if magnitude >= 0x38800000u {
        return sign | (divided(magnitude, 13u) - (112u << 10u));
    }
    if magnitude < 0x33000000u {
        return sign; // below half of the least denormal
    }
    // Denormals are multiples of 2^-24.
    let mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    return sign | divided(mantissa, 126u - (magnitude >> 23u));
}

// Divides by a power of two and rounds to nearest, ties to even.
fn divided(x: u32, shift: u32) -> u32 {
    let odd = (x >> shift) & 1u;
    return (x + (1u << (shift - 1u)) - 1u + odd) >> shift;
}
