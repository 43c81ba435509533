//! `hcl lsp`: the language server on the standard streams, or on a port of this machine.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit_lsp::{DiskFiles, Server};
use hclkit_settings::SpecPattern;

use crate::args::Lsp;
use crate::host;
use crate::outcome::{Failure, Outcome};
use crate::output::note;

pub(crate) fn run(command: &Lsp) -> Result<Outcome, Failure> {
    if let Some(path) = &command.replay {
        let cannot = |error: io::Error| Failure::new(format!("cannot replay {}: {error}", path.display()));
        let session = BufReader::new(File::open(path).map_err(cannot)?);
        hclkit_lsp::replay(session, Arc::new(DiskFiles), host::stdout()).map_err(cannot)?;
        return Ok(Outcome::Fine);
    }
    let log = command.log.as_deref().map(open).transpose()?;
    let failed = |error: io::Error| Failure::new(format!("cannot serve the editor: {error}"));
    let specs = command.specs.iter().map(spec).collect::<Result<Vec<_>, _>>()?;
    let cache = command.schema_cache.as_deref().map(absolute).transpose()?;
    let server = Server::new(Arc::new(DiskFiles)).with_specs(specs).with_schema_cache(cache);
    let code = match command.socket {
        Some(port) => {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
            let address = listener.local_addr().map_err(failed)?;
            note(format!("waiting for an editor on {address}"));
            let (stream, _) = listener.accept().map_err(failed)?;
            let input = BufReader::new(stream.try_clone().map_err(failed)?);
            hclkit_lsp::run(server, input, stream, log)
        }
        None => hclkit_lsp::run(server, host::stdin_of_server().map_err(failed)?, host::stdout(), log),
    };
    let code = code.map_err(failed)?;
    Ok(if code == 0 { Outcome::Fine } else { Outcome::Problems })
}

/// The spec of files. Its path is that of the file itself, because editors name files by such paths.
fn spec((pattern, path): &(String, PathBuf)) -> Result<SpecPattern, Failure> {
    let found = path.canonicalize().map_err(|error| error.to_string()).and_then(slashed);
    let why = |why| Failure::new(format!("cannot open the spec file {}: {why}", path.display()));
    SpecPattern::new(pattern, found.map_err(why)?).map_err(Failure::new)
}

fn absolute(path: &Path) -> Result<String, Failure> {
    let found = std::path::absolute(path).map_err(|error| error.to_string()).and_then(slashed);
    found.map_err(|why| Failure::new(format!("cannot use the directory {}: {why}", path.display())))
}

/// A path as editors write it.
fn slashed(path: PathBuf) -> Result<String, String> {
    let text = path.into_os_string().into_string().map_err(|_| "its path is not UTF-8")?;
    Ok(if cfg!(windows) { text.replace('\\', "/") } else { text })
}

fn open(path: &Path) -> Result<Box<dyn Write>, Failure> {
    let file = File::create(path);
    let file = file.map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    Ok(Box::new(file))
}
