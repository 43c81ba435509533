//! The options of `hcl docs`.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};
use hclkit::docs::{DocsOrder, DocsSection};

use super::{Destination, Files, LanguageOption, Output, Product};

/// Document the inputs, outputs and resources of modules
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl docs                               document the module in the current directory
  hcl docs --inject README.md modules/network
  hcl docs --inject README.md --recursive --check .
  hcl docs --layout document --show inputs --show outputs modules/network
  hcl docs --output json modules/network | jq '.inputs[] | select(.required).name'
  hcl docs build.pkr.hcl
  hcl docs --inject LANGUAGE.md service.hcldec

The documentation has the format of terraform-docs, and its markers in a README: <!-- BEGIN_TF_DOCS --> and \
<!-- END_TF_DOCS -->. Settings are read from .terraform-docs.yml; options take precedence. Called modules are not read, and \
defaults of sensitive variables are not shown.

Exit codes: 0 on success, 1 if a file has errors or, with --check, would change, 2 on other errors.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Docs {
    /// Directories of modules, and files of languages or specs [default: the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Write the documentation to this file of each module, between the markers
    ///
    /// FILE is relative to the module. It is created if necessary, and gets the markers at its end if it has none.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub(crate) inject: Option<PathBuf>,

    /// Do not write files, and exit with a non-zero code if files would change
    ///
    /// The changes are shown as a unified diff. Without --inject, the file is `output.file` in .terraform-docs.yml, or README.md.
    #[arg(long, conflicts_with = "out")]
    pub(crate) check: bool,

    /// Also search subdirectories
    #[arg(long)]
    pub(crate) recursive: bool,

    /// How inputs and outputs are laid out [default: table]
    #[arg(long, value_name = "LAYOUT")]
    pub(crate) layout: Option<Layout>,

    /// Write only this section; repeatable
    #[arg(long, value_name = "SECTION", value_parser = section, conflicts_with = "hide")]
    pub(crate) show: Vec<DocsSection>,

    /// Leave out this section; repeatable
    ///
    /// The sections are header, requirements, providers, modules, resources, data-sources, inputs, outputs and footer.
    #[arg(long, value_name = "SECTION", value_parser = section)]
    pub(crate) hide: Vec<DocsSection>,

    /// The order of inputs, outputs and the like [default: name]
    #[arg(long, value_name = "ORDER")]
    pub(crate) order: Option<Order>,

    /// The level of headings [default: 2]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) indent: Option<u8>,

    /// Leave out sections without content
    #[arg(long)]
    pub(crate) hide_empty: bool,

    /// Write names without anchors
    #[arg(long)]
    pub(crate) no_anchor: bool,

    /// Write Markdown without HTML tags
    #[arg(long)]
    pub(crate) no_html: bool,

    /// Do not mark what is sensitive, ephemeral or deprecated
    #[arg(long)]
    pub(crate) no_marks: bool,

    /// Do not use comments as descriptions
    #[arg(long)]
    pub(crate) no_comments: bool,

    /// Do not read the versions of providers from the lock file
    #[arg(long)]
    pub(crate) no_lockfile: bool,

    /// The file of each module with the text before all sections [default: main.tf]
    ///
    /// Of a file in HCL, this is the comment /** … */ at its start; others are taken as a whole.
    #[arg(long, value_name = "FILE")]
    pub(crate) header_from: Option<PathBuf>,

    /// The file of each module with the text after all sections
    #[arg(long, value_name = "FILE")]
    pub(crate) footer_from: Option<PathBuf>,

    /// Read the settings from this file, or none with `-` [default: .terraform-docs.yml of each module]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) product: Product,

    #[command(flatten)]
    pub(crate) destination: Destination,

    #[command(flatten)]
    pub(crate) language: LanguageOption,

    #[command(flatten)]
    pub(crate) files: Files,
}

impl Docs {
    pub(super) const FORMATS: &'static [Output] = &[Output::Markdown, Output::Asciidoc, Output::Json];

    /// The format, if an option names it.
    pub(crate) fn output(&self) -> Option<Output> {
        self.product.format_for(&self.destination, Self::FORMATS)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    /// Each section is a table
    Table,
    /// Each input and output has a heading of its own
    Document,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// By name
    Name,
    /// Required inputs first
    Required,
    /// By type
    Type,
    /// As in the files
    Source,
}

impl Order {
    pub(crate) fn order(self) -> DocsOrder {
        match self {
            Self::Name => DocsOrder::Name,
            Self::Required => DocsOrder::Required,
            Self::Type => DocsOrder::Type,
            Self::Source => DocsOrder::Source,
        }
    }
}

fn section(name: &str) -> Result<DocsSection, String> {
    name.parse().map_err(|error: hclkit::docs::UnknownSection| error.to_string())
}
