fn activation_relu(x: f32, coefficients: vec2<f32>) -> f32 {
    return select(x, 0.0, x <= 0.0);
}
