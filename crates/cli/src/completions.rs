//! `hcl completions`: completion scripts of shells.

use crate::args::{self, Completions};
use crate::outcome::{Failure, Outcome};
use crate::output::print_bytes;

pub(crate) fn run(command: &Completions) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut args::command(), "hcl", &mut script);
    print_bytes(&script)?;
    Ok(Outcome::Fine)
}
