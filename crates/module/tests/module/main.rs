//! The tests of the crate, in one program: it is linked once.

mod addresses;
mod calls;
mod counted;
mod explain;
mod flags;
mod hostile;
mod languages;
mod lazy;
mod parallel;
mod pattern_search;
mod patterns;
mod provided;
mod schema;
mod settings;
mod tree;
mod unused;
mod validation;
