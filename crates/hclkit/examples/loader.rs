//! Loads the configuration of a service from a directory. Variables come from a file, the environment (`SHOP_VAR_region=eu`) and
//! the command line, and later ones win: `cargo run -p hclkit --example loader -- crates/hclkit/examples/loader region=eu`.

use std::{env, error::Error, net::SocketAddr, path::Path, process::ExitCode, time::Duration};

use hclkit::render::Renderer;
use hclkit::{Decode, Diagnostics, FromValue, Loader};

#[derive(Decode, Debug)]
#[allow(dead_code, reason = "a real service would use it")]
pub(crate) struct Config {
    name: String,
    #[hcl(default = "info")]
    log: Level,
    #[hcl(block, min = 1)]
    listen: Vec<Listen>,
    #[hcl(block)]
    database: Database,
}

#[derive(FromValue, Debug)]
enum Level {
    Debug,
    Info,
    Warn,
}

#[derive(Decode, Debug)]
#[allow(dead_code, reason = "a real service would use it")]
struct Listen {
    #[hcl(label)]
    protocol: String,
    #[hcl(from_str)]
    address: SocketAddr,
}

#[derive(Decode, Debug)]
#[allow(dead_code, reason = "a real service would use it")]
struct Database {
    url: String,
    #[hcl(default = 10, range = 1..=500)]
    connections: u32,
    #[hcl(default = "5s")]
    timeout: Duration,
}

pub(crate) fn load(
    directory: &Path,
    flags: &[(String, String)],
) -> Result<(Config, Diagnostics), Diagnostics> {
    let loader = Loader::new()
        .with_directory(directory, ["hcl", "hcl.json"])
        .with_variables_file(directory.join("defaults.tfvars"))
        .with_environment("SHOP_VAR_");
    flags.iter().fold(loader, |loader, (name, value)| loader.with_variable(&**name, &**value)).load()
}

pub(crate) fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let directory = arguments.next().ok_or("usage: loader DIRECTORY [NAME=VALUE…]")?;
    let flags =
        arguments.map(|flag| flag.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
    let flags: Vec<_> = flags.collect::<Option<_>>().ok_or("expected NAME=VALUE")?;
    match load(directory.as_ref(), &flags) {
        Ok((config, warnings)) => println!("{}{config:#?}", Renderer::plain().diagnostics(&warnings)),
        Err(errors) => {
            eprintln!("{}", Renderer::plain().diagnostics(&errors));
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}
