//! The program `hcldec`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    hclkit_cli::report_panics_without_their_message();
    hclkit_cli::hcldec(std::env::args_os().collect(), &hclkit_cli::Host::process()).into()
}
