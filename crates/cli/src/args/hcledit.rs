//! The options of `hcl edit attribute`, `hcl edit block` and `hcl edit body`, which are those of hcledit.

use std::path::PathBuf;

use clap::{Args as Group, Subcommand};

const HELP: &str = "Examples:
  hcl edit attribute get service.web.port -f web.hcl
  hcl edit attribute set service.web.port 8080 -u -f web.hcl
  cat main.tf | hcl edit block mv resource.aws_instance.web resource.aws_instance.api

ADDRESS is a path: docs/paths.md describes paths. Values are source text, such as 80 or '\"text\"'. The edited file is \
written to standard output, or with -u to the file. If nothing matches ADDRESS, nothing changes.

These are the subcommands of hcledit. `hcl edit PATH=EXPR FILE` makes several edits at once, shows them as a diff, and \
reports edits that match nothing.";

#[derive(Debug, Subcommand)]
pub(crate) enum Hcledit {
    /// Print and change attributes, like hcledit
    #[command(after_help = HELP)]
    Attribute(Verb<AttributeVerb>),
    /// Print and change blocks, like hcledit
    #[command(after_help = HELP)]
    Block(Verb<BlockVerb>),
    /// Print bodies of blocks, like hcledit
    #[command(after_help = HELP)]
    Body(Verb<BodyVerb>),
}

/// A verb with the options of all of them.
#[derive(Debug, Group)]
pub(crate) struct Verb<V: Subcommand> {
    #[command(subcommand)]
    pub(crate) verb: V,

    #[command(flatten)]
    pub(crate) options: HcleditOptions,
}

#[derive(Debug, Group)]
pub(crate) struct HcleditOptions {
    /// Read this file; `-` is standard input
    #[arg(short, long, value_name = "FILE", default_value = "-", global = true)]
    pub(crate) file: PathBuf,

    /// Write the file instead of standard output
    #[arg(short, long, global = true)]
    pub(crate) update: bool,
}

impl Hcledit {
    pub(crate) fn options(&self) -> &HcleditOptions {
        match self {
            Self::Attribute(Verb { options, .. })
            | Self::Block(Verb { options, .. })
            | Self::Body(Verb { options, .. }) => options,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum AttributeVerb {
    /// Print the value of an attribute
    Get {
        /// The path of the attribute
        address: String,
        /// Also print the comments after the value
        #[arg(long)]
        with_comments: bool,
    },
    /// Set the value of an attribute
    Set {
        /// The path of the attribute
        address: String,
        /// The new value, as source text
        #[arg(allow_negative_numbers = true)]
        value: String,
    },
    /// Add an attribute
    Append {
        /// The path of the new attribute
        address: String,
        /// Its value, as source text
        #[arg(allow_negative_numbers = true)]
        value: String,
        /// Insert a blank line before it
        #[arg(long)]
        newline: bool,
    },
    /// Remove an attribute
    Rm {
        /// The path of the attribute
        address: String,
    },
    /// Rename an attribute
    Mv {
        /// The path of the attribute
        from: String,
        /// The path with the new name
        to: String,
    },
    /// Replace the name and the value of an attribute
    Replace {
        /// The path of the attribute
        address: String,
        /// The new name
        name: String,
        /// The new value, as source text
        #[arg(allow_negative_numbers = true)]
        value: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum BlockVerb {
    /// Print blocks
    Get {
        /// The path of the blocks
        address: String,
    },
    /// List the addresses of the outermost blocks
    List,
    /// Add an empty block to the end of another one
    Append {
        /// The path of the block to add to
        parent: String,
        /// The type and the labels of the new block, separated by dots
        child: String,
        /// Insert a blank line before it
        #[arg(long)]
        newline: bool,
    },
    /// Add an empty block to the end of the file
    New {
        /// The type and the labels of the new block, separated by dots
        address: String,
        /// Insert a blank line before it
        #[arg(long)]
        newline: bool,
    },
    /// Rename the type and the labels of a block
    Mv {
        /// The path of the block
        from: String,
        /// The path with the new type and labels
        to: String,
    },
    /// Remove a block
    Rm {
        /// The path of the blocks
        address: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum BodyVerb {
    /// Print the body of a block
    Get {
        /// The path of the block
        address: String,
    },
}
