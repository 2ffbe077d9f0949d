//! The specification as compiled in: the texts of `directml.yaml` and of every operator, listed by the build script.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
