//! The options of `hcl lsp`.

use std::path::PathBuf;

use clap::Args as Group;

/// Serve an editor with the language server protocol
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl lsp                             what an editor runs
  hcl lsp --log session.jsonl         also record the session
  hcl lsp --replay session.jsonl      run a recorded session again
  hcl lsp --spec-for '*.service=service.hcldec'
                                      complete and check such files as the spec file says
  hcl lsp --socket 9257               wait for an editor on a port of this machine

The server reads requests from standard input and writes answers to standard output. It knows Terraform, OpenTofu, Packer, \
Docker Bake, Nomad, Terragrunt and other languages, and the tables that `languages` in hcl.toml and the initialization option `languages` name. It starts no \
programs, uses no network without --socket, and writes no files but the log, which contains the text of documents. Files are read in the \
directories that the editor shows, and in the repositories of open documents.

Exit codes: 0 if the editor ended the session, 1 if it did so without asking, 2 if a stream or a file fails.")]
pub(crate) struct Lsp {
    /// Record all messages in a file, one in a line as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Run the messages of a recorded session again and print all messages
    #[arg(long, value_name = "FILE", conflicts_with = "log")]
    pub(crate) replay: Option<PathBuf>,

    /// Describe files whose paths end with names that match this pattern with this spec file; repeatable
    ///
    /// A comment `# hcl: spec=FILE` at the start of a file comes first, and then the table [specs] of hcl.toml. The spec file must be
    /// in a directory that the editor shows.
    #[arg(long = "spec-for", value_name = "PATTERN=FILE", value_parser = spec)]
    pub(crate) specs: Vec<(String, PathBuf)>,

    /// Use the schemas of providers that `hcl schema pack` has written to this directory
    ///
    /// The version of a provider is the one in .terraform.lock.hcl, or else the newest one that `required_providers` allows. What
    /// is not in a schema is never an error.
    #[arg(long, value_name = "DIR")]
    pub(crate) schema_cache: Option<PathBuf>,

    /// Serve the first editor that connects to this port of this machine, for debugging; 0 chooses one
    ///
    /// The address is printed to standard error. Other machines cannot connect.
    #[arg(long, value_name = "PORT", conflicts_with = "replay")]
    pub(crate) socket: Option<u16>,
}

fn spec(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((pattern, path)) if !pattern.is_empty() && !path.is_empty() => {
            Ok((pattern.to_owned(), path.into()))
        }
        _ => Err("expected PATTERN=FILE, such as *.service=service.hcldec".to_owned()),
    }
}
