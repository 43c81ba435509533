//! `hcl lsp`: the language server on the standard streams.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::sync::Arc;

use crate::args::Lsp;
use crate::host;
use crate::output::{Failure, Outcome};

pub(crate) fn run(command: &Lsp) -> Result<Outcome, Failure> {
    if let Some(path) = &command.replay {
        let cannot = |error: io::Error| Failure::new(format!("cannot replay {}: {error}", path.display()));
        let session = BufReader::new(File::open(path).map_err(cannot)?);
        hclkit_lsp::replay(session, Arc::new(hclkit_lsp::DiskFiles), host::stdout()).map_err(cannot)?;
        return Ok(Outcome::Fine);
    }
    let log = command.log.as_deref().map(open).transpose()?;
    let failed = |error: io::Error| Failure::new(format!("cannot serve the editor: {error}"));
    let input = host::stdin_of_server().map_err(failed)?;
    let code = hclkit_lsp::run(input, host::stdout(), log).map_err(failed)?;
    Ok(if code == 0 { Outcome::Fine } else { Outcome::Problems })
}

fn open(path: &Path) -> Result<Box<dyn Write>, Failure> {
    let file = File::create(path);
    let file = file.map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    Ok(Box::new(file))
}
