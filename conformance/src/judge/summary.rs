//! What failures share and passes lack.
