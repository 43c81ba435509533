//! The options of `hcl edit attribute`, `hcl edit block` and `hcl edit body`, which are those of hcledit.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as Group, Subcommand};

/// The subcommands of hcledit, as `hcl edit attribute|block|body`
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl edit attribute get service.web.port -f web.hcl
  hcl edit attribute set service.web.port 8080 -u -f web.hcl
  cat main.tf | hcl edit block mv resource.aws_instance.web resource.aws_instance.api

ADDRESS is a path: docs/paths.md describes paths. Values are source text, such as 80 or '\"text\"'. The edited file is \
written to standard output, or with -u to the file. An address that is not there changes nothing.")]
pub(crate) struct Hcledit {
    #[command(subcommand)]
    pub(crate) command: HcleditCommand,

    /// The file; `-` is standard input
    #[arg(short, long, value_name = "FILE", default_value = "-", global = true)]
    pub(crate) file: PathBuf,

    /// Write the file instead of standard output
    #[arg(short, long, global = true)]
    pub(crate) update: bool,

    #[command(flatten)]
    pub(crate) nesting: super::Nesting,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HcleditCommand {
    /// Print and change attributes
    #[command(subcommand)]
    Attribute(AttributeVerb),
    /// Print and change blocks
    #[command(subcommand)]
    Block(BlockVerb),
    /// Print bodies of blocks
    #[command(subcommand)]
    Body(BodyVerb),
}

#[derive(Debug, Subcommand)]
pub(crate) enum AttributeVerb {
    /// Print the value of an attribute
    Get {
        address: String,
        /// Also print the comments after the value
        #[arg(long)]
        with_comments: bool,
    },
    /// Set the value of an attribute
    Set { address: String, value: String },
    /// Add an attribute
    Append {
        address: String,
        value: String,
        /// Insert a blank line before it
        #[arg(long)]
        newline: bool,
    },
    /// Remove an attribute
    Rm { address: String },
    /// Rename an attribute
    Mv { from: String, to: String },
    /// Replace the name and the value of an attribute
    Replace { address: String, name: String, value: String },
}

#[derive(Debug, Subcommand)]
pub(crate) enum BlockVerb {
    /// Print blocks
    Get { address: String },
    /// List the addresses of the outermost blocks
    List,
    /// Add an empty block to the end of another one
    Append {
        parent: String,
        child: String,
        /// Insert a blank line before it
        #[arg(long)]
        newline: bool,
    },
    /// Add an empty block to the end of the file
    New {
        address: String,
        /// Insert a blank line before it
        #[arg(long)]
        newline: bool,
    },
    /// Rename the type and the labels of a block
    Mv { from: String, to: String },
    /// Remove a block
    Rm { address: String },
}

#[derive(Debug, Subcommand)]
pub(crate) enum BodyVerb {
    /// Print the body of a block
    Get { address: String },
}

/// Makes `hcl edit attribute get …` and similar commands separate commands, because the arguments of `hcl edit` are
/// edits and files.
pub(super) fn rewrite(line: &mut [OsString]) {
    let at = |index: usize| line.get(index).and_then(|argument| argument.to_str()).unwrap_or_default();
    let is_group = matches!(at(2), "attribute" | "block" | "body");
    let is_verb = matches!(
        at(3),
        "get" | "set" | "append" | "rm" | "mv" | "replace" | "list" | "new" | "help" | "-h" | "--help"
    );
    if at(1) == "edit" && is_group && is_verb {
        line[1] = "hcledit".into();
    }
}
