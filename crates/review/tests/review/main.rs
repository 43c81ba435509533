//! What a change does, case by case.

mod changes;
mod kit;
mod rendered;
mod secrets;
