//! Options for what a command writes: the format, the layout and the file.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args as Group, Command, ValueEnum as _};

/// A format of what a command writes. Each command has some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Output {
    /// Text for people
    Human,
    /// JSON
    Json,
    /// A line of JSON for each result
    Ndjson,
    /// YAML
    Yaml,
    /// The native syntax of HCL
    Hcl,
    /// Lines with values separated by commas
    Csv,
    /// Lines with values separated by tabs
    Tsv,
    /// A table
    Table,
    /// The exact text of a single string, number or bool
    Raw,
    /// JSON objects with `value` and `type`
    Typed,
    /// The language of Graphviz
    Dot,
    /// A Mermaid flowchart
    Mermaid,
    /// A picture, for up to 600 names
    Svg,
    /// A page for browsers to look through large graphs
    Html,
    /// A JSON Schema for the JSON syntax
    JsonSchema,
    /// A reference for authors of configurations
    Markdown,
    /// A document for Asciidoctor
    Asciidoc,
    /// Rust types with `#[derive(Decode)]`
    Rust,
    /// GitHub Actions workflow commands, for annotations
    Github,
    /// The directories for a matrix of jobs of GitHub Actions
    Matrix,
    /// Parquet
    Parquet,
    /// The file format of Arrow
    Arrow,
}

/// The format of what a command writes.
#[derive(Debug, Clone, Copy, Default, Group)]
pub(crate) struct Product {
    /// The format of what is written
    #[arg(short, long, value_name = "FORMAT")]
    output: Option<Output>,

    /// Write JSON; same as --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

impl Product {
    /// The format, if there is an option for it.
    pub(crate) fn format(self) -> Option<Output> {
        self.output.or(self.json.then_some(Output::Json))
    }

    /// The format, if there is an option for it, or if the ending of the file names one of these.
    pub(super) fn format_for(self, destination: &Destination, formats: &[Output]) -> Option<Output> {
        self.format().or_else(|| destination.format(formats))
    }
}

/// The formats of a command, of which the first is the default.
pub(super) fn formats(command: Command, formats: &'static [Output]) -> Command {
    let first = formats[0].to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    let output = |arg: Arg| arg.value_parser(Among(formats)).help(format!("{OUTPUT} [default: {first}]"));
    command.mut_arg("output", output)
}

pub(super) const OUTPUT: &str = "The format of what is written";

pub(super) const OUT: &str = "Write to PATH instead of standard output";

/// Some of the formats.
#[derive(Clone)]
struct Among(&'static [Output]);

impl TypedValueParser for Among {
    type Value = Output;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Output, clap::Error> {
        let known = |format: &&Output| format.to_possible_value().is_some_and(|own| value == own.get_name());
        if let Some(format) = self.0.iter().find(known) {
            return Ok(*format);
        }
        // `human` is the usual format of every command.
        if value == "human" {
            return Ok(self.0[0]);
        }
        EnumValueParser::<Output>::new().parse_ref(command, arg, value).and_then(|_| {
            let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
            let names = self.possible_values().into_iter().flatten().map(|own| own.get_name().to_owned());
            let given = value.to_string_lossy().into_owned();
            error.insert(ContextKind::InvalidArg, ContextValue::String("--output <FORMAT>".to_owned()));
            error.insert(ContextKind::InvalidValue, ContextValue::String(given));
            error.insert(ContextKind::ValidValue, ContextValue::Strings(names.collect()));
            Err(error)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().filter_map(clap::ValueEnum::to_possible_value)))
    }
}

/// The layout of values and reports. All commands that write them share this option.
#[derive(Debug, Clone, Copy, Default, Group)]
pub(crate) struct Spacing {
    /// Write each value and each JSON report on a single line
    #[arg(long)]
    pub(crate) compact: bool,
}

/// The file to write to, or the directory of several files.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct Destination {
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath, help = OUT)]
    #[arg(long_help = format!("{OUT}\n\nPATH is a file; after errors, it is not changed. Without --output, its ending names the format"))]
    pub(crate) out: Option<PathBuf>,
}

impl Destination {
    /// The format that the ending of the file names, if it is one of these.
    pub(crate) fn format(&self, formats: &[Output]) -> Option<Output> {
        let ending = self.out.as_ref()?.extension()?.to_str()?.to_lowercase();
        let meant: &[Output] = match ending.as_str() {
            "json" => &[Output::Json, Output::JsonSchema],
            "ndjson" | "jsonl" => &[Output::Ndjson],
            "yaml" | "yml" => &[Output::Yaml],
            "hcl" | "tf" | "tofu" | "tfvars" => &[Output::Hcl],
            "csv" => &[Output::Csv],
            "tsv" => &[Output::Tsv],
            "dot" | "gv" => &[Output::Dot],
            "mmd" | "mermaid" => &[Output::Mermaid],
            "svg" => &[Output::Svg],
            "html" | "htm" => &[Output::Html],
            "md" => &[Output::Markdown],
            "adoc" | "asciidoc" => &[Output::Asciidoc],
            "rs" => &[Output::Rust],
            _ => return None,
        };
        formats.iter().find(|format| meant.contains(format)).copied()
    }
}
