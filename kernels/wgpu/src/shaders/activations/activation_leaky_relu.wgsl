// Coefficients: Alpha.
fn activation_leaky_relu(x: f32, coefficients: vec2<f32>) -> f32 {
    return select(x, coefficients.x * x, x < 0.0);
}
