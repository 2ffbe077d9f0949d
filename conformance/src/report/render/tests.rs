//! Documents hold what runs hold, and nothing else can get into them.
