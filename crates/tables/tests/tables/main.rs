//! The tables: their rows in both syntaxes, their formats, and what they promise about secrets, order and limits.

mod evaluated;
mod formats;
mod inputs;
mod kit;
mod limits;
mod order;
mod rows;
mod schemas;
mod secrets;
