//! The tests of the crate, in one program: it is linked once.

mod bodies;
mod depth;
mod items;
mod limits;
mod names;
mod native_values;
mod partial;
mod scope;
mod spec_addresses;
mod specs;
