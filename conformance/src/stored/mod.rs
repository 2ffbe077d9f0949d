//! Stored runs put beside one another: read line by line, compared, followed through time, put together from parts.

mod read;

pub use read::Reader;
