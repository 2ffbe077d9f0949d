//! Tests of the zoo.
