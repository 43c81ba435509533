//! The options of `hcl mcp`.

use clap::Args as Group;

/// Serve agents with the Model Context Protocol
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl mcp                             what a client runs
  hcl mcp --write                     tools may change files

The server reads requests from standard input and writes answers to standard output. Its tools are check, fix, format, eval, explain, \
references, rename, edit, diff, query and schema: they do what the commands do, under the same limits. It starts no programs, uses no network, and \
without --write changes no files. Paths must be in the roots that the client names, or else in the current directory; modules may read their repository.

Exit codes: 0 if the client ended the session, 2 if a stream fails.")]
pub(crate) struct Mcp {
    /// Write the files instead of printing the changes
    #[arg(short, long)]
    pub(crate) write: bool,
}
