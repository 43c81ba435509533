//! The tests of the crate, in one program: it is linked once.

mod cty;
mod limits;
mod packer;
mod terraform;
