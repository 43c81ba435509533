//! The options of `hcl convert`.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};

use super::{Destination, Files, LanguageOption, Spacing};

/// Convert between the native syntax, the JSON syntax and YAML
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl convert main.tf
  hcl convert --out main.tf.json main.tf
  cat main.tf | hcl convert --language terraform -
  hcl convert --merge --compact *.tf | jq '.resource | keys'
  hcl convert --keep-going --compact **/*.tf > all.json
  hcl convert --to hcl --out main.tf main.tf.json
  hcl convert --to yaml main.tf.json
  hcl convert --to hcl --from yaml --spec service.hcldec web.yaml

To JSON: an attribute becomes a property. A block becomes a property named after its type, with an object for each \
label and an array of bodies. Blocks with the same type and labels share an array, in order. Literals become JSON \
literals, templates become strings, and other expressions become \"${…}\" with their source text.

With --static NAME, attributes with that name keep their source text: `type = list(string)` becomes \"list(string)\". \
BLOCK.NAME selects only attributes directly in blocks of that type, and BLOCK.* selects all of them. --language adds \
the static attributes of an application. By default, it is chosen by file name: *.tf, *.tofu and *.tfvars for \
Terraform; *.pkr.hcl and *.pkrvars.hcl for Packer; *.nomad and *.nomad.hcl for Nomad; docker-bake.hcl and \
docker-bake.override.hcl for Docker Bake. The same names with .json, .yaml or .yml appended belong to the same applications.

YAML has the structure of the JSON syntax.

To HCL: --spec defines which properties are blocks, and the result decodes to the same value. --language defines the \
blocks of an application. Otherwise an array of one or more objects becomes blocks, an object whose values are all such \
arrays becomes a label, and everything else becomes an attribute; --blocks and --attributes name exceptions. \
Strings are templates, and \"${x}\" becomes x; with --literal, strings are plain text. Properties named \"//\" become \
comments.

Exit codes: 0 on success, 1 if a file has errors, 2 if a file cannot be read or written. After an error, \
nothing is written, unless --keep-going is used.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Convert {
    /// Files and directories; `-` is standard input [default: standard input]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) files: Files,

    /// The format of the input [default: json for *.json, yaml for *.yaml and *.yml, otherwise hcl]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<Syntax>,

    /// The format of what is written [default: json for HCL, hcl for JSON and YAML]
    #[arg(short, long, value_name = "FORMAT", visible_alias = "to")]
    pub(crate) output: Option<Syntax>,

    /// Write JSON; same as --output json
    #[arg(long, conflicts_with = "output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) destination: Destination,

    /// When to write the body of a block as an array
    #[arg(long, value_name = "SHAPE", default_value = "arrays")]
    pub(crate) shape: Shape,

    /// Attributes that the application reads without evaluating them; they keep their source text
    #[arg(long = "static", value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) statics: Vec<String>,

    /// Block types whose order matters across labels
    ///
    /// Blocks of these types are written as an array of objects where grouping them by label would change their order.
    /// Nested blocks, such as provisioners, always keep their order.
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',')]
    pub(crate) ordered: Vec<String>,

    #[command(flatten)]
    pub(crate) language: LanguageOption,

    /// The spec file
    #[arg(short, long, value_name = "FILE", conflicts_with = "language")]
    pub(crate) spec: Option<PathBuf>,

    /// Allow `dynamic` blocks
    #[arg(long, requires = "spec")]
    pub(crate) dynamic: bool,

    /// To HCL: properties that are blocks, with the number of their labels; 0 if omitted
    #[arg(long, value_name = "TYPE[=LABELS],…", value_delimiter = ',', value_parser = block)]
    pub(crate) blocks: Vec<(String, usize)>,

    /// To HCL: properties that are attributes
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) attributes: Vec<String>,

    /// To HCL: strings are plain text, not templates
    #[arg(long)]
    pub(crate) literal: bool,

    /// Merge files into one configuration
    #[arg(long)]
    pub(crate) merge: bool,

    /// Report files that cannot be converted, and write the others
    #[arg(long, conflicts_with = "merge")]
    pub(crate) keep_going: bool,

    #[command(flatten)]
    pub(crate) spacing: Spacing,
}

/// Reads `TYPE` or `TYPE=LABELS`.
fn block(text: &str) -> Result<(String, usize), String> {
    let (name, labels) = text.split_once('=').unwrap_or((text, "0"));
    let labels = labels.parse().map_err(|_| format!("{labels:?} is not a number of labels"))?;
    Ok((name.to_owned(), labels))
}

/// A format that configurations are converted from and to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Syntax {
    /// The native syntax
    Hcl,
    /// The JSON syntax
    Json,
    /// YAML with the structure of the JSON syntax
    Yaml,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Shape {
    /// Always, for a predictable shape
    Arrays,
    /// Only if there are several blocks
    Compact,
}
