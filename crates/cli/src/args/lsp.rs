//! The options of `hcl lsp`.

use std::path::PathBuf;

use clap::Args as Group;

/// Serve an editor with the language server protocol
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl lsp                             what an editor runs
  hcl lsp --log session.jsonl         also record the session
  hcl lsp --replay session.jsonl      run a recorded session again

The server reads requests from standard input and writes answers to standard output. It knows Terraform, OpenTofu, Packer, \
Docker Bake, Nomad, Terragrunt and other languages, and the tables that `languages` in hcl.toml and the initialization option `languages` name. It starts no \
programs, uses no network and writes no files but the log, which contains the text of documents. Files are read in the \
directories that the editor shows, and in the repositories of open documents.

Exit codes: 0 if the editor ended the session, 1 if it did so without asking, 2 if a stream or a file fails.")]
pub(crate) struct Lsp {
    /// Record all messages in a file, one in a line as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Run the messages of a recorded session again and print all messages
    #[arg(long, value_name = "FILE", conflicts_with = "log")]
    pub(crate) replay: Option<PathBuf>,
}
