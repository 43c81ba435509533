//! The options of `hcl decode` and `hcl schema`.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};

use super::{Definition, Format, Scope, Spacing};

/// Decode configuration into a value by a spec file
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl decode --spec service.hcldec web.hcl
  hcl decode --spec service.hcldec --dynamic --vars prod.tfvars base.hcl web.hcl.json
  hcl decode --spec service.hcldec --vars '{\"region\": \"eu\"}' - < web.hcl | jq .name
  hcl decode --spec service.hcldec --var-refs web.hcl
  hcl decode --spec service.hcldec -o web.json --watch web.hcl

A spec file defines what a configuration can contain and which value it becomes. Several files are decoded as one \
configuration; files whose names end in .json are in the JSON syntax. `hcl schema` documents a spec file.

The value is written to standard output, and errors to standard error.")]
#[command(mut_arg("functions", |functions| functions.default_value("none")))]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Decode {
    /// The spec file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) spec: PathBuf,

    /// Files; `-` is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) language: Language,

    /// How to write the value
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub(crate) output: DecodeOutput,

    /// Write the value with its type; the same as --output typed
    #[arg(long)]
    pub(crate) with_type: bool,

    /// Keep attributes that are null; they are omitted by default
    #[arg(long)]
    pub(crate) keep_nulls: bool,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    /// List the variables that the configuration refers to instead of decoding it
    #[arg(long, conflicts_with_all = ["output", "with_type", "watch"])]
    pub(crate) var_refs: bool,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Decode again whenever one of the files changes, until interrupted
    #[arg(long)]
    pub(crate) watch: bool,

    /// How to report errors
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// What configurations can use besides what their spec file defines.
#[derive(Debug, Group)]
pub(crate) struct Language {
    #[command(flatten)]
    pub(crate) scope: Scope,

    /// Expand `dynamic` blocks
    #[arg(long)]
    pub(crate) dynamic: bool,
}

impl Language {
    /// The files of variables.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let path = |definition: &Definition| match definition {
            Definition::File { path, .. } => Some(path.clone()),
            Definition::Variable { .. } | Definition::Json { .. } => None,
        };
        self.scope.definitions.0.iter().filter_map(path).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecodeOutput {
    /// JSON
    Json,
    /// Source in the native syntax, which --vars can read
    Hcl,
    /// A JSON object of `value` and `type`
    Typed,
    /// YAML
    Yaml,
}

/// Document a spec file: what a configuration can contain
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl schema --spec service.hcldec > service.schema.json
  hcl schema --spec service.hcldec --format markdown > REFERENCE.md

A JSON Schema (draft 2020-12) validates configurations in the JSON syntax, and editors use it for completion.")]
pub(crate) struct Schema {
    /// The spec file; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) spec: PathBuf,

    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "json-schema")]
    pub(crate) format: SchemaFormat,

    /// The title [default: the name of the spec file]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Allow `dynamic` blocks in the JSON Schema
    #[arg(long)]
    pub(crate) dynamic: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaFormat {
    /// JSON Schema of the JSON syntax
    JsonSchema,
    /// A reference for people who write the configuration
    Markdown,
}
