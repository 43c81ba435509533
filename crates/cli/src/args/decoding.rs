//! What `hcl decode` and `hcl schema` can be told.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};

use super::{Format, FunctionSet};

/// Turn configuration into values, as a spec file says
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl decode --spec service.hcldec web.hcl
  hcl decode --spec service.hcldec --dynamic --vars prod.tfvars base.hcl web.hcl.json
  hcl decode --spec service.hcldec --vars '{\"region\": \"eu\"}' - < web.hcl | jq .name
  hcl decode --spec service.hcldec --var-refs web.hcl
  hcl decode --spec service.hcldec -o web.json --watch web.hcl

A spec file says what a configuration may hold and what becomes of it. Several files are one configuration; those \
whose names end in .json are in the JSON syntax. `hcl schema` documents a spec file.

Values go to standard output, and what is wrong to standard error.")]
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

    /// Write the value with its type: the same as --output typed
    #[arg(long)]
    pub(crate) with_type: bool,

    /// Keep attributes that are null, which are left out otherwise
    #[arg(long)]
    pub(crate) keep_nulls: bool,

    /// Write JSON on one line
    #[arg(long)]
    pub(crate) compact: bool,

    /// Write which variables the configuration refers to, and where, instead of its value
    #[arg(long, conflicts_with_all = ["output", "with_type", "watch"])]
    pub(crate) var_refs: bool,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Decode again whenever one of the files changes, until interrupted
    #[arg(long)]
    pub(crate) watch: bool,

    /// How to report what is wrong
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// What a configuration may say besides what its spec file allows.
#[derive(Debug, Group)]
pub(crate) struct Language {
    /// Variables for the configuration: an object in JSON, or a file of them (.json, or else `name = value` as in
    /// .tfvars); repeatable, the last one counts
    #[arg(long, value_name = "JSON|FILE", requires = "spec")]
    pub(crate) vars: Vec<String>,

    /// Let `dynamic` blocks stand for a block for each element of a collection
    #[arg(long, requires = "spec")]
    pub(crate) dynamic: bool,

    /// Which functions the configuration may call, besides those of the spec file
    #[arg(long, value_name = "LIBRARY", default_value = "none", requires = "spec")]
    pub(crate) functions: FunctionSet,
}

impl Language {
    /// The files that it is made of.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.vars.iter().filter(|given| !is_json(given)).map(PathBuf::from).collect()
    }
}

/// Whether what is given for variables is not the name of a file.
pub(crate) fn is_json(given: &str) -> bool {
    given.trim_start().starts_with('{')
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecodeOutput {
    /// JSON
    Json,
    /// Source of the native syntax, which --vars reads again
    Hcl,
    /// A JSON object of `value` and `type`
    Typed,
    /// YAML
    Yaml,
}

/// Document a spec file: what a configuration may hold
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl schema --spec service.hcldec > service.schema.json
  hcl schema --spec service.hcldec --format markdown > REFERENCE.md

A JSON Schema (draft 2020-12) is for configurations in the JSON syntax, and for editors that know it.")]
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

    /// In the JSON Schema, allow `dynamic` blocks
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
