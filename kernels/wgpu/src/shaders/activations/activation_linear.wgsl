// Coefficients: Alpha, Beta.
fn activation_linear(x: f32, coefficients: vec2<f32>) -> f32 {
    return coefficients.x * x + coefficients.y;
}
