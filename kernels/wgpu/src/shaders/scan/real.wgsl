// Sums of FLOAT32 and FLOAT16, in single precision.

alias Tally = f32;

const ZERO: Tally = 0.0;

fn plus(a: Tally, b: Tally) -> Tally {
    return a + b;
}

fn load_element(element: u32) -> Tally {
    return number_in(input[word_of(element, params.width)], element);
}

fn store_tally(element: u32, tally: Tally) {
    store_number(element, tally);
}
