//! The program as it is run: every flag, what it prints, how it ends.

mod check;
mod convert;
mod fix;
mod formats;
mod inspect;
mod program;
