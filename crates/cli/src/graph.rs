//! `hcl graph`: the references between the names of a module or of Bake files, or between units of Terragrunt.

mod page;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::Diagnostics;
use hclkit::dialect::Dialect;
use hclkit::functions::{Grants, Library};
use hclkit::limits::Meter;
use hclkit::module::{Bake, Disk, Graph};
use hclkit::render;
use hclkit::syntax::{nearest_name, or_did_you_mean, visible};
use hclkit_files::ObservedDisk;
use serde::ser::{SerializeSeq as _, SerializeStruct as _};
use serde::{Serialize, Serializer};

use crate::args::{self, Format, Output, Spacing};
use crate::bake::{self, Files};
use crate::host::{self, Host};
use crate::module;
use crate::outcome::{CommandError, Failure, Outcome, outcome_of};
use crate::output::{Metered, write_json};
use crate::report::write_report;
use crate::scope::run_limited;
use crate::sources::{Sources, note_unavailable};
use crate::terragrunt;
use crate::values::{Printer, refusal};

pub(crate) fn run(command: &args::Graph) -> Result<Outcome, Failure> {
    let mut warnings = Diagnostics::new();
    let ended = graph(command).map(|found| warnings = found);
    let (diagnostics, outcome) = outcome_of(ended, warnings)?;
    write_report(Format::Human, Spacing::default(), 0, &diagnostics, |_| None)?;
    Ok(outcome)
}

fn graph(command: &args::Graph) -> Result<Diagnostics, CommandError> {
    let ending = command.destination.out.as_ref().and_then(|out| out.extension()?.to_str());
    if let Some(ending) = ending.filter(|ending| PICTURES.contains(&ending.to_lowercase().as_str())) {
        let why = format!("--out: the graph cannot be written as .{ending}; use .svg, .html, .dot or .mmd");
        return Err(Failure::new(why).into());
    }
    let mut unavailable: Vec<String> = Vec::new();
    let path = command.directory.as_deref().unwrap_or(".");
    let (graph, diagnostics) = if bake::is_bake(Some(path), &command.language) {
        let bake = Bake::new().with_functions(Library::Bake.functions(&Grants::new()));
        let bake = bake::read(bake, Files::at(path))?;
        run_limited(|| bake.graph())
    } else if let units = terragrunt::units(path, &command.language)?
        && !units.is_empty()
    {
        let disk = terragrunt::repositories(units.iter().map(PathBuf::as_path));
        let disk = module::directories(&command.allow_fs)?.iter().fold(disk, Disk::with_readable);
        let names: Vec<&str> = units.iter().filter_map(|path| path.to_str()).collect();
        let files = ObservedDisk::new(disk, Path::new("."), Arc::new(module::Reads));
        run_limited(|| terragrunt::unevaluated(files, None).graph(names))
    } else {
        let place = module::required_place(path, &command.language)?;
        let language = module::language(&place, &command.language)?;
        let others = module::directories(&command.allow_fs)?;
        let sources = Sources::new(&command.sources)?;
        let loader = |language: &Arc<Dialect>| Ok(module::files(language.clone(), &place, &others, &sources));
        let module = module::load_by_calls(&place, &command.language, &language, loader)?;
        unavailable = module.unavailable().into_iter().map(str::to_owned).collect();
        (module.graph(), module.diagnostics())
    };
    let numbers = chosen(&graph, command)?;
    if let Output::Svg = command.output()
        && !fits_picture(&graph, &numbers)
    {
        return Err(Failure::new(format!(
            "the graph has {} names, which is too much for a picture: it has at most {DRAWN} names and {DRAWN_REFERENCES} \
             references; choose some names with --focus, --depth or --kind, or write a page to look through with \
             --output html",
            numbers.len()
        ))
        .into());
    }
    let printer = Printer::new(&command.destination, Spacing::default()).after(&diagnostics);
    Host::current().limited(|| write(&graph, &numbers, command, &printer))?;
    note_unavailable(unavailable.iter().map(String::as_str));
    if diagnostics.has_errors() { Err(diagnostics.into()) } else { Ok(diagnostics) }
}

/// The endings of pictures other than SVG.
const PICTURES: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "pdf"];

/// How many names and references a picture has: more could not be read.
const DRAWN: usize = 600;
const DRAWN_REFERENCES: usize = 3_000;

/// Returns true if the names and the references between them can be drawn.
fn fits_picture(graph: &Graph, numbers: &BTreeSet<usize>) -> bool {
    let references = || numbers.iter().flat_map(|&from| graph.references(from));
    numbers.len() <= DRAWN && references().filter(|to| numbers.contains(to)).nth(DRAWN_REFERENCES).is_none()
}

/// The declarations that are shown.
fn chosen(graph: &Graph, command: &args::Graph) -> Result<BTreeSet<usize>, CommandError> {
    let mut numbers: BTreeSet<usize> = (0..graph.len()).collect();
    if !command.focus.is_empty() {
        numbers = BTreeSet::new();
        for address in &command.focus {
            let found = graph.find(address).ok_or_else(|| {
                let names: Vec<String> = graph.nodes().map(|node| node.address().to_string()).collect();
                let hint = or_did_you_mean(nearest_name(address, names.iter().map(String::as_str)));
                refusal(&format!("--focus {address}: there is no such name{hint}"))
            })?;
            numbers.insert(found);
            // A module is what is declared in it.
            let inside = format!("{}.", graph.node(found).address());
            let is_inside = |number: &usize| graph.node(*number).address().to_string().starts_with(&inside);
            numbers.extend((0..graph.len()).filter(is_inside));
        }
        let mut callers: HashMap<usize, Vec<usize>> = HashMap::new();
        if command.reverse {
            for (from, to) in graph.edges() {
                callers.entry(to).or_default().push(from);
            }
        }
        let next = |number: usize| {
            if command.reverse {
                callers.get(&number).cloned().unwrap_or_default()
            } else {
                graph.references(number)
            }
        };
        let mut open: Vec<usize> = numbers.iter().copied().collect();
        let mut left = command.depth.unwrap_or(usize::MAX);
        while !open.is_empty() && left > 0 {
            open = open.into_iter().flat_map(next).filter(|number| numbers.insert(*number)).collect();
            left -= 1;
        }
    }
    if command.kind.is_empty() {
        return Ok(numbers);
    }
    let kinds: BTreeSet<&str> = graph.nodes().map(|node| node.role()).collect();
    if let Some(kind) = command.kind.iter().find(|kind| !kinds.contains(kind.as_str())) {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        return Err(Failure::new(format!("--kind {kind}: expected one of {}", kinds.join(", "))).into());
    }
    numbers.retain(|number| command.kind.iter().any(|kind| kind == graph.node(*number).role()));
    Ok(numbers)
}

/// Writes the graph piece by piece: the addresses of all references together may be long.
fn write(
    graph: &Graph,
    numbers: &BTreeSet<usize>,
    command: &args::Graph,
    printer: &Printer,
) -> Result<(), Failure> {
    let is_terminal = !printer.is_file() && host::stdout_is_terminal();
    let written = printer.pieces(|out| {
        if let Output::Json = command.output() {
            return write_json(&Document(graph, numbers), Spacing::default(), out).map_err(io::Error::from);
        }
        let mut text = Text { out: Metered::new(out), is_terminal, error: None };
        let written = match command.output() {
            Output::Mermaid => render::graph::write_mermaid_part(graph, numbers, &mut text),
            Output::Svg => render::graph::write_svg_part(graph, numbers, &mut text),
            Output::Html => page::write(graph, numbers, &mut text),
            _ => render::graph::write_dot_part(graph, numbers, &mut text),
        };
        written.map_err(|error| text.error.unwrap_or_else(|| io::Error::other(error)))
    });
    if Meter::current().exceeded().is_some() {
        let limit = Host::current().max_bytes();
        return Err(Failure::new(format!(
            "the graph would be larger than {limit} bytes; use --max-bytes to raise the limit"
        )));
    }
    written
}

/// Text for standard output. It keeps the error that formatting cannot return.
struct Text<W> {
    out: W,
    /// Whether control characters are made visible.
    is_terminal: bool,
    error: Option<io::Error>,
}

impl<W: Write> fmt::Write for Text<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let text = if self.is_terminal { visible(text) } else { Cow::Borrowed(text) };
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

/// The graph as JSON: nodes with their places, and edges between their addresses.
pub(super) struct Document<'g>(pub(super) &'g Graph, pub(super) &'g BTreeSet<usize>);

struct Nodes<'g>(&'g Graph, &'g BTreeSet<usize>);

struct Edges<'g>(&'g Graph, &'g BTreeSet<usize>);

#[derive(Serialize)]
struct Node<'g> {
    address: String,
    role: &'g str,
    file: &'g str,
    line: u32,
}

#[derive(Serialize)]
struct Edge<'g> {
    from: &'g str,
    to: String,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("graph", 2)?;
        object.serialize_field("nodes", &Nodes(self.0, self.1))?;
        object.serialize_field("edges", &Edges(self.0, self.1))?;
        object.end()
    }
}

impl Serialize for Nodes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.1.iter().map(|&number| {
            let node = self.0.node(number);
            let place = node.place();
            let line = place.source.position(place.span.start).line;
            Node { address: node.address().to_string(), role: node.role(), file: place.source.name(), line }
        }))
    }
}

impl Serialize for Edges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let address = |number| self.0.node(number).address().to_string();
        let mut all = serializer.serialize_seq(None)?;
        for &number in self.1 {
            let mut references = self.0.references(number);
            references.retain(|to| self.1.contains(to));
            if references.is_empty() {
                continue;
            }
            let from = address(number);
            for to in references {
                all.serialize_element(&Edge { from: &from, to: address(to) })?;
            }
        }
        all.end()
    }
}
