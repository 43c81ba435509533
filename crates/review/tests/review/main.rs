//! What a change does, case by case.

mod changes;
mod kit;
mod properties;
mod real;
mod recorded;
mod rendered;
mod secrets;
