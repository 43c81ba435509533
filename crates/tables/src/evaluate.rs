//! The rows of an evaluated directory: instances and values. What is sensitive is null, and so is what is unknown.

use std::collections::HashMap;

use hclkit::decode::{PlainJson, TypeJson};
use hclkit::limits::{Exceeded, Limit, Limits, Meter};
use hclkit::module::{Address, AddressKind, AddressedValue, Graph, Module, ModuleLoader, Reasons};
use hclkit::value::Plain;
use hclkit::{Source, Span, Value};
use serde_json::ser::Serializer as JsonSerializer;

use crate::extract::Wanted;
use crate::rows::{Collector, FileRows, Row};
use crate::schema::Table;

/// The limits of an evaluation that may take so much memory: a quarter for text and for sources, which is in memory about twice, and
/// a half for elements of about 64 bytes.
pub(crate) fn limits(limits: &Limits, most: u64) -> Limits {
    let limits = limits.clone();
    let (bytes, elements) = (limits.bytes().min(most / 4), limits.elements().min(most / 128));
    limits.with_bytes(bytes).with_elements(elements)
}

/// Evaluates a directory. Returns its rows, and whether larger limits on memory give others.
pub(crate) fn evaluate(loader: ModuleLoader, wanted: &Wanted) -> (FileRows, bool) {
    // Half of the text that an evaluation may create may be written, because rows are encoded while others are made.
    let most = Meter::current().limits().bytes() / 2;
    let most = wanted.most_bytes.min(usize::try_from(most).unwrap_or(usize::MAX));
    let mut out = Collector::new(wanted.tables, most);
    let module = loader.with_threads(1).load();
    let evaluation = module.evaluate(&[]);
    let (graph, reasons) = (module.graph(), module.reasons());
    let mut pass = Pass { graph, reasons, providers: HashMap::new() };
    for found in &evaluation.values {
        if is_resource(&found.address) {
            pass.instance(&mut out, found);
        }
        pass.values(&mut out, found);
    }
    let exceeded = Meter::current().exceeded();
    out.limited = exceeded.is_some() || evaluation.diagnostics.has_limit();
    let is_of_memory = |found: Exceeded| matches!(found.limit, Limit::Bytes | Limit::Elements);
    let is_limited = out.exceeded || exceeded.is_some_and(is_of_memory);
    diagnostics(&module, &mut out, &evaluation.diagnostics);
    if out.exceeded {
        out.broken = true;
        let message = "The rows of the directory are larger than the limit. Some are left out.";
        out.row(Table::Diagnostics).null().text("error").text("Too many rows").text(message).nowhere();
    }
    (out.finish(), is_limited)
}

fn is_resource(address: &Address) -> bool {
    matches!(address.kind(), AddressKind::Resource | AddressKind::Data | AddressKind::Ephemeral)
}

/// What is found out about declarations once.
struct Pass {
    graph: Graph,
    reasons: Reasons,
    /// The provider of each declaration of a resource, by its number in the graph.
    providers: HashMap<usize, Option<String>>,
}

impl Pass {
    fn instance(&mut self, out: &mut Collector, found: &AddressedValue) {
        if !out.wants(Table::Instances) {
            return;
        }
        let address = &found.address;
        let mode = match address.kind() {
            AddressKind::Data => "data",
            AddressKind::Ephemeral => "ephemeral",
            _ => "managed",
        };
        let block_type = address.block_type().unwrap_or_default();
        let provider = self.provider(address).unwrap_or_else(|| {
            block_type.split_once('_').map_or(block_type, |(provider, _)| provider).to_owned()
        });
        let place = self.place(address);
        let row = out.row(Table::Instances).text(address.as_str()).text(mode).text(block_type);
        let row = row.text(address.name()).maybe(address.key().and_then(json));
        at(row.text(&module_of(address)).text(&provider), place.as_ref());
    }

    fn values(&mut self, out: &mut Collector, found: &AddressedValue) {
        if !out.wants(Table::Values) {
            return;
        }
        let place = self.place(&found.address);
        let reasons = if found.value.is_wholly_known() {
            Vec::new()
        } else {
            self.reasons.of(&found.address).iter().map(ToString::to_string).collect()
        };
        let is_whole = !is_resource(&found.address) || found.sensitive || found.value.is_marked();
        let attributes = found.value.entries().filter(|_| !is_whole && found.value.is_known());
        let mut row = |attribute: &str, value: &Value| {
            // In memory, a value can be far smaller, because its parts are shared.
            if value.text_size().saturating_add(value.ty().text_size()) > out.left() as u64 {
                out.exceeded = true;
                return;
            }
            let is_sensitive = found.sensitive || value.contains_marked();
            let (shown, kind) = if found.sensitive || value.is_marked() {
                (None, String::new())
            } else {
                let kind = if is_sensitive { None } else { text_of(&TypeJson::of(value)) };
                (json_of_known(value), kind.map(|kind| kind.trim_matches('"').to_owned()).unwrap_or_default())
            };
            let is_known = value.is_wholly_known();
            let reasons: &[String] = if is_known { &[] } else { &reasons };
            let row = out.row(Table::Values).text(found.address.as_str()).text(attribute).maybe(shown);
            at(row.text(&kind).bool(is_known).bool(is_sensitive).texts(reasons), place.as_ref());
        };
        match attributes {
            Some(attributes) => attributes.for_each(|(name, value)| row(&format!(".{name}"), value)),
            None => row("", &found.value),
        }
    }

    /// Where an address is declared.
    fn place(&self, address: &Address) -> Option<(std::sync::Arc<Source>, Span)> {
        let place = self.graph.node(self.graph.find(address)?).place();
        Some((place.source.clone(), place.span))
    }

    /// The provider that a declaration names.
    fn provider(&mut self, address: &Address) -> Option<String> {
        let number = self.graph.find(address)?;
        if let Some(known) = self.providers.get(&number) {
            return known.clone();
        }
        let place = self.graph.node(number).place();
        let text = place.text();
        let found = text.contains("provider").then(|| named_provider(text)).flatten();
        self.providers.insert(number, found.clone());
        found
    }
}

/// The local name in the `provider` argument of a block.
fn named_provider(block: &str) -> Option<String> {
    let document = hclkit::parse(format!("{block}\n"));
    let block = document.body().blocks().next()?;
    let provider = block.body().attribute("provider")?.value();
    let text = provider.text().trim_matches('"');
    text.split(['.', '[']).next().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The address of the module that contains an address. It is empty for the root module.
fn module_of(address: &Address) -> String {
    let mut out = String::new();
    for (name, key) in address.modules() {
        if !out.is_empty() {
            out.push('.');
        }
        out.push_str("module.");
        out.push_str(name);
        if let Some(key) = key.and_then(json) {
            out.push('[');
            out.push_str(&key);
            out.push(']');
        }
    }
    out
}

fn at(row: Row<'_>, place: Option<&(std::sync::Arc<Source>, Span)>) {
    match place {
        Some((source, span)) => row.at(source, *span),
        None => row.nowhere(),
    }
}

fn json(value: &Value) -> Option<String> {
    text_of(&PlainJson::new(value))
}

fn text_of(value: &impl serde::Serialize) -> Option<String> {
    let mut bytes = Vec::new();
    value.serialize(&mut JsonSerializer::new(&mut bytes)).ok()?;
    String::from_utf8(bytes).ok()
}

/// A value as JSON, in which sensitive and unknown parts are null. None if the value itself is.
fn json_of_known(value: &Value) -> Option<String> {
    if value.is_marked() || !value.is_known() {
        return None;
    }
    text_of(&Part(value))
}

/// A value, in which sensitive and unknown parts are null.
struct Part<'v>(&'v Value);

impl serde::Serialize for Part<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_marked() || !self.0.is_known() {
            return serializer.serialize_unit();
        }
        match self.0.plain() {
            Ok(Plain::Sequence(items)) => serializer.collect_seq(items.iter().map(Part)),
            Ok(Plain::Map(entries)) => {
                serializer.collect_map(entries.map(|(name, value)| (name.as_str(), Part(value))))
            }
            Ok(_) => PlainJson::new(self.0).serialize(serializer),
            Err(_) => serializer.serialize_unit(),
        }
    }
}

/// Errors and warnings of the evaluation. Those of syntax are with the files.
fn diagnostics(module: &Module, out: &mut Collector, all: &hclkit::Diagnostics) {
    let of_files = module.diagnostics();
    let is_syntax = |found: &hclkit::Diagnostic| {
        of_files.iter().any(|own| own.span() == found.span() && own.summary() == found.summary())
    };
    for found in all.iter().filter(|found| !is_syntax(found)) {
        out.broken |= found.is_error();
        let place = found.source().map(|source| (source.clone(), found.span()));
        let name = place.as_ref().and_then(|(source, _)| source.name().rsplit('/').next().map(str::to_owned));
        let message = match name {
            Some(name) => format!("{name}: {}", found.note()),
            None => found.note().to_owned(),
        };
        let row = out.row(Table::Diagnostics).maybe(found.code().map(hclkit::Code::as_str));
        at(row.text(found.severity().as_str()).text(found.summary()).text(&message), place.as_ref());
    }
}
