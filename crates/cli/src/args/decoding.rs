//! The options of `hcl decode` and `hcl schema`.

use std::path::PathBuf;

use clap::{Args as Group, Subcommand};

use crate::input::Input;

use super::{Definition, Destination, Output, Product, Reporting, Scope, Spacing, Variables};

/// Decode configuration files into a value, according to a spec file
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl decode --spec service.hcldec web.hcl
  hcl decode --spec service.hcldec --dynamic --vars prod.tfvars base.hcl web.hcl.json
  hcl decode --spec service.hcldec --vars '{\"region\": \"eu\"}' - < web.hcl | jq .name
  hcl decode --spec service.hcldec --var-refs web.hcl
  hcl decode --spec service.hcldec --out web.json --watch web.hcl

A spec file defines what a configuration can contain and the value it decodes to. Several files are decoded as one \
configuration. Files whose names end in .json are read in the JSON syntax. To document a spec file, use `hcl schema`.

The value is written to standard output, and errors to standard error.")]
#[command(mut_arg("functions", |functions| functions.default_value("none")))]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Decode {
    /// The spec file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) spec: PathBuf,

    /// Files and directories; `-` is standard input [default: standard input]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) features: Features,

    #[command(flatten)]
    pub(crate) product: Product,

    /// Write the value with its type; same as --output typed
    #[arg(long, conflicts_with_all = ["output", "json"])]
    pub(crate) with_type: bool,

    /// Write attributes that are null, which are omitted by default
    #[arg(long)]
    pub(crate) keep_nulls: bool,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    /// List the variables that the configuration refers to, without decoding it
    #[arg(long, conflicts_with_all = ["output", "json", "with_type", "watch"])]
    pub(crate) var_refs: bool,

    #[command(flatten)]
    pub(crate) destination: Destination,

    /// Watch the files, and run again whenever one of them changes, or a new one is there
    #[arg(long)]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) files: super::Files,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

impl Decode {
    pub(super) const FORMATS: &'static [Output] = &[Output::Json, Output::Yaml, Output::Hcl, Output::Typed];

    pub(crate) fn output(&self) -> Output {
        let format = self.product.format_for(&self.destination, Self::FORMATS);
        if self.with_type { Output::Typed } else { format.unwrap_or(Output::Json) }
    }
}

/// Language features that configurations can use in addition to those in their spec file.
#[derive(Debug, Group)]
pub(crate) struct Features {
    #[command(flatten)]
    pub(crate) scope: Scope,

    /// Allow `dynamic` blocks
    #[arg(long)]
    pub(crate) dynamic: bool,
}

impl Features {
    /// The variable files.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        let input = |definition: &Definition| match definition {
            Definition::Variables { from: Variables::File(input), .. } => Some(input.clone()),
            Definition::Variables { .. } | Definition::Variable { .. } => None,
        };
        self.scope.definitions.0.iter().filter_map(input).collect()
    }
}

/// Generate a JSON Schema or a reference from a spec file, or a JSON Schema of the variables of a module
#[derive(Debug, Group)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Examples:
  hcl schema service.hcldec > service.schema.json
  hcl schema service.hcldec --output markdown > REFERENCE.md
  hcl schema modules/network > inputs.schema.json

A JSON Schema (draft 2020-12) validates configurations in the JSON syntax. Editors can use it for completion. That of a module \
validates files that set its variables, in JSON and YAML: types, optional attributes, and the validations that JSON Schema can \
express; it has the others as comments.")]
pub(crate) struct Schema {
    #[command(subcommand)]
    pub(crate) command: Option<SchemaCommand>,

    /// The spec file, same as --spec, or the directory or file of a module
    #[arg(value_name = "SPEC|DIR", value_hint = clap::ValueHint::AnyPath, required_unless_present = "spec")]
    pub(crate) file: Option<PathBuf>,

    /// The spec file
    #[arg(short, long, value_name = "FILE", conflicts_with = "file")]
    pub(crate) spec: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) product: Product,

    #[command(flatten)]
    pub(crate) destination: Destination,

    /// The title of the schema or reference, and the name of the Rust type [default: the name of the spec file]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Allow `dynamic` blocks
    #[arg(long)]
    pub(crate) dynamic: bool,

    /// Do not require variables without a default, for files that set only some of the variables of a module
    #[arg(long)]
    pub(crate) no_required: bool,

    #[command(flatten)]
    pub(crate) language: super::LanguageOption,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SchemaCommand {
    Pack(Pack),
}

/// Write the schemas of providers in a compact form, which `hcl lsp` reads quickly
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  terraform providers schema -json | hcl schema pack --cache ~/.cache/hcl-schemas
  hcl schema pack --cache schemas --lock live/.terraform.lock.hcl schemas.json
  hcl lsp --schema-cache ~/.cache/hcl-schemas

Each provider gets a file, such as registry.terraform.io/hashicorp/aws/5.31.0.hclschema, whose path is printed. The option \
--provider-schema of other commands reads such a file, too.")]
pub(crate) struct Pack {
    /// What `terraform providers schema -json` writes, or `-` for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,

    /// The directory for what is kept, which is created if necessary
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: PathBuf,

    /// The lock file with the versions of the providers [default: .terraform.lock.hcl, if it exists]
    ///
    /// The version of a provider that it does not contain is called `unknown`.
    #[arg(long, value_name = "FILE")]
    pub(crate) lock: Option<PathBuf>,
}

impl Schema {
    pub(super) const FORMATS: &'static [Output] =
        &[Output::JsonSchema, Output::Json, Output::Markdown, Output::Rust];

    pub(crate) fn output(&self) -> Output {
        self.product.format_for(&self.destination, Self::FORMATS).unwrap_or(Output::JsonSchema)
    }
}
