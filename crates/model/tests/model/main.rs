//! The tests of the crate, in one program: it is linked once.

mod addresses;
mod bodies;
mod depth;
mod explain;
mod items;
mod limits;
mod names;
mod native_values;
mod partial;
mod paths;
mod scope;
mod spec_addresses;
mod spec_comments;
mod specs;
