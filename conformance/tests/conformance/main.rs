//! What the probe and the adapter answer, without the reference: recorded answers, the suite, and plans of Terraform.

mod adapter;
mod cases;
mod plans;
mod print;
mod recorded;
mod round_trip;
mod suite;
