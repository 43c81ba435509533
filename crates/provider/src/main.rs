//! The program that Terraform and OpenTofu start.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Terraform passes no arguments.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "--version") {
        println!("terraform-provider-hcl {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    terraform_provider_hcl::provider(|name| std::env::var(name).ok()).main()
}
