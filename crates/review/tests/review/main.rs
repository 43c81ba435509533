//! What a change does, case by case.

mod changes;
mod kit;
mod recorded;
mod rendered;
mod secrets;
