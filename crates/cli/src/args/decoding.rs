//! The options of `hcl decode` and `hcl schema`.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};

use crate::input::Input;

use super::{Definition, Format, Scope, Spacing, Variables};

/// Decode configuration files into a value, according to a spec file
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl decode --spec service.hcldec web.hcl
  hcl decode --spec service.hcldec --dynamic --vars prod.tfvars base.hcl web.hcl.json
  hcl decode --spec service.hcldec --vars '{\"region\": \"eu\"}' - < web.hcl | jq .name
  hcl decode --spec service.hcldec --var-refs web.hcl
  hcl decode --spec service.hcldec -o web.json --watch web.hcl

A spec file defines what a configuration can contain and the value it decodes to. Several files are decoded as one \
configuration. Files whose names end in .json are read in the JSON syntax. To document a spec file, use `hcl schema`.

The value is written to standard output, and errors to standard error.")]
#[command(mut_arg("functions", |functions| functions.default_value("none")))]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Decode {
    /// The spec file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) spec: PathBuf,

    /// Files to decode; `-` is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) language: Language,

    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub(crate) output: DecodeOutput,

    /// Write the value with its type; same as --output typed
    #[arg(long)]
    pub(crate) with_type: bool,

    /// Write attributes that are null, which are omitted by default
    #[arg(long)]
    pub(crate) keep_nulls: bool,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    /// List the variables that the configuration refers to, without decoding it
    #[arg(long, conflicts_with_all = ["output", "with_type", "watch"])]
    pub(crate) var_refs: bool,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Watch the files, and decode again whenever one of them changes
    #[arg(long)]
    pub(crate) watch: bool,

    /// The format of error messages
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// Language features that configurations can use in addition to those in their spec file.
#[derive(Debug, Group)]
pub(crate) struct Language {
    #[command(flatten)]
    pub(crate) scope: Scope,

    /// Expand `dynamic` blocks
    #[arg(long)]
    pub(crate) dynamic: bool,
}

impl Language {
    /// The variable files.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        let input = |definition: &Definition| match definition {
            Definition::Variables { from: Variables::File(input), .. } => Some(input.clone()),
            Definition::Variables { .. } | Definition::Variable { .. } => None,
        };
        self.scope.definitions.0.iter().filter_map(input).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecodeOutput {
    /// JSON
    Json,
    /// Native syntax, which --vars can read
    Hcl,
    /// A JSON object with `value` and `type`
    Typed,
    /// YAML
    Yaml,
}

/// Generate a JSON Schema or a reference from a spec file
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl schema --spec service.hcldec > service.schema.json
  hcl schema --spec service.hcldec --format markdown > REFERENCE.md

A JSON Schema (draft 2020-12) validates configurations in the JSON syntax. Editors can use it for completion.")]
pub(crate) struct Schema {
    /// The spec file; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) spec: PathBuf,

    /// The output format
    #[arg(long, visible_alias = "to", value_name = "FORMAT", default_value = "json-schema")]
    pub(crate) format: SchemaFormat,

    /// The title of the schema or reference, and the name of the Rust type [default: the name of the spec file]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Allow `dynamic` blocks in the JSON Schema
    #[arg(long)]
    pub(crate) dynamic: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaFormat {
    /// A JSON Schema for the JSON syntax
    JsonSchema,
    /// A reference for authors of configurations
    Markdown,
    /// Rust types with `#[derive(Decode)]`
    Rust,
}
