//! Documentation of modules: what a [`Summary`] says, as Markdown, `AsciiDoc` or JSON. The layouts and markers are those of
//! terraform-docs, so that a README which it wrote stays as it is. `docs/render.rs` writes the sections, `docs/markup.rs` knows the two
//! markups, and `docs/inject.rs` puts the result into a file.

mod inject;
mod markup;
mod render;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use hclkit_dialect::Role;
use hclkit_module::{DefaultSummary, InputSummary, ObjectSummary, OutputSummary, Summary};
use serde_json::{Map, Value as Json, json};

use crate::decode::PlainJson;

pub use inject::{BEGIN, END, InjectError, inject};

/// The format of documentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocsFormat {
    /// Markdown, with tables as GitHub has them.
    #[default]
    Markdown,
    /// `AsciiDoc`.
    Asciidoc,
    /// A JSON object.
    Json,
}

/// How inputs, outputs and the like are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocsLayout {
    /// Each section is a table.
    #[default]
    Table,
    /// Each input and output has a heading of its own.
    Document,
}

/// The order of inputs, outputs and the like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocsOrder {
    /// By name.
    #[default]
    Name,
    /// Required inputs first, and then by name.
    Required,
    /// By type, and then by name.
    Type,
    /// As in the files.
    Source,
}

/// A section of documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DocsSection {
    /// The text before all others.
    Header,
    /// The constraints on versions.
    Requirements,
    /// The providers that are used.
    Providers,
    /// The modules that are called.
    Modules,
    /// The resources.
    Resources,
    /// The data sources.
    DataSources,
    /// The input variables.
    Inputs,
    /// The results.
    Outputs,
    /// The text after all others.
    Footer,
}

impl DocsSection {
    /// All sections, in their order.
    pub const ALL: [Self; 9] = [
        Self::Header,
        Self::Requirements,
        Self::Providers,
        Self::Modules,
        Self::Resources,
        Self::DataSources,
        Self::Inputs,
        Self::Outputs,
        Self::Footer,
    ];

    /// The name, as in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Requirements => "requirements",
            Self::Providers => "providers",
            Self::Modules => "modules",
            Self::Resources => "resources",
            Self::DataSources => "data-sources",
            Self::Inputs => "inputs",
            Self::Outputs => "outputs",
            Self::Footer => "footer",
        }
    }
}

impl FromStr for DocsSection {
    type Err = UnknownSection;

    fn from_str(name: &str) -> Result<Self, UnknownSection> {
        Self::ALL.into_iter().find(|section| section.name() == name).ok_or(UnknownSection)
    }
}

/// There is no section with this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownSection;

impl fmt::Display for UnknownSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = DocsSection::ALL.iter().map(|section| section.name()).collect();
        write!(f, "expected one of {}", names.join(", "))
    }
}

impl std::error::Error for UnknownSection {}

/// What documentation contains, and how it is written.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools, reason = "options that are independent of each other")]
pub struct DocsOptions {
    /// The format.
    pub format: DocsFormat,
    /// The layout of Markdown and `AsciiDoc`.
    pub layout: DocsLayout,
    /// The order of what is listed.
    pub order: DocsOrder,
    /// The sections that are written.
    pub sections: BTreeSet<DocsSection>,
    /// The text before all others.
    pub header: Option<String>,
    /// The text after all others.
    pub footer: Option<String>,
    /// The level of headings, from 1 to 5.
    pub indent: usize,
    /// Whether names are anchors, to which links can refer.
    pub anchor: bool,
    /// Whether Markdown may contain HTML tags.
    pub html: bool,
    /// Whether characters of text that Markdown would read as markup, such as `_` in names, are escaped.
    pub escape: bool,
    /// Whether sections without content are left out.
    pub hide_empty: bool,
    /// Whether types are shown.
    pub types: bool,
    /// Whether defaults are shown.
    pub defaults: bool,
    /// Whether it is shown which inputs are required.
    pub required: bool,
    /// Whether what is sensitive, ephemeral or deprecated is marked.
    pub marks: bool,
    /// Whether the comment before a block is its description if it has none.
    pub comments: bool,
}

impl Default for DocsOptions {
    fn default() -> Self {
        Self {
            format: DocsFormat::default(),
            layout: DocsLayout::default(),
            order: DocsOrder::default(),
            sections: DocsSection::ALL.into_iter().collect(),
            header: None,
            footer: None,
            indent: 2,
            anchor: true,
            html: true,
            escape: true,
            hide_empty: false,
            types: true,
            defaults: true,
            required: true,
            marks: true,
            comments: true,
        }
    }
}

/// Writes the documentation of a module. The text ends without a line break.
///
/// ```
/// use hclkit::docs::{DocsOptions, docs};
/// use hclkit::module::{Dialect, Memory, ModuleLoader};
///
/// let files = Memory::from_iter([("main.tf", "variable \"zone\" {\n  type = string\n}\n")]);
/// let summary = ModuleLoader::new(Dialect::terraform()).with_files(files).summary(false);
/// let text = docs(&summary, &DocsOptions::default());
/// assert!(text.contains("| <a name=\"input_zone\"></a> [zone](#input\\_zone) | n/a | `string` | n/a | yes |"));
/// ```
pub fn docs(summary: &Summary, options: &DocsOptions) -> String {
    let summary = &sorted(summary.clone(), options.order);
    match options.format {
        DocsFormat::Json => serde_json::to_string_pretty(&as_json(summary, options)).unwrap_or_default(),
        DocsFormat::Markdown | DocsFormat::Asciidoc => render::text(summary, options),
    }
}

/// The text of a comment `/** … */` at the start of a file, which is the header of its module.
///
/// ```
/// use hclkit::docs::header_comment;
///
/// assert_eq!(header_comment("/**\n * # Title\n *\n * Text.\n */\n").as_deref(), Some("# Title\n\nText."));
/// assert_eq!(header_comment("# Title\n"), None);
/// ```
pub fn header_comment(text: &str) -> Option<String> {
    let inside = text.trim_start_matches('\u{feff}').strip_prefix("/**")?;
    let inside = &inside[..inside.find("*/")?];
    let line = |line: &str| {
        let line = line.trim_end();
        match line.trim_start().strip_prefix('*') {
            Some(own) => own.strip_prefix(' ').unwrap_or(own).to_owned(),
            None => line.strip_prefix(' ').unwrap_or(line).to_owned(),
        }
    };
    let lines: Vec<String> = inside.lines().map(line).collect();
    let text = lines.join("\n").trim_matches('\n').trim_end().to_owned();
    (!text.is_empty()).then_some(text)
}

fn sorted(mut summary: Summary, order: DocsOrder) -> Summary {
    if order == DocsOrder::Source {
        summary.inputs.sort_by(|one, other| place_key(&one.place).cmp(&place_key(&other.place)));
        summary.outputs.sort_by(|one, other| place_key(&one.place).cmp(&place_key(&other.place)));
        return summary;
    }
    summary.inputs.sort_by(|one, other| one.name.cmp(&other.name));
    match order {
        DocsOrder::Required => summary.inputs.sort_by_key(|own| own.default.is_some()),
        DocsOrder::Type => summary.inputs.sort_by_key(type_of),
        DocsOrder::Name | DocsOrder::Source => {}
    }
    summary.outputs.sort_by(|one, other| one.name.cmp(&other.name));
    summary.calls.sort_by(|one, other| one.name.cmp(&other.name));
    if order == DocsOrder::Type {
        summary.calls.sort_by(|one, other| one.source.cmp(&other.source));
    }
    summary.objects.sort_by(|one, other| kind(one).cmp(&kind(other)));
    summary.providers.sort_by(|one, other| (&one.name, &one.alias).cmp(&(&other.name, &other.alias)));
    summary
}

fn kind(own: &ObjectSummary) -> (u8, &str, &str) {
    (mode(own), &own.object_type, &own.name)
}

fn place_key(place: &hclkit_syntax::Place) -> (&str, u32) {
    (place.source.name(), place.span.start)
}

/// The rank of a kind of objects in lists: resources come first.
fn mode(own: &ObjectSummary) -> u8 {
    match own.block_type.as_str() {
        "data" => 1,
        "ephemeral" => 2,
        _ => 0,
    }
}

/// The type of an object without the name of its provider.
fn short_type(own: &ObjectSummary) -> &str {
    let provider = own.provider.as_deref().unwrap_or_default();
    own.object_type.strip_prefix(provider).and_then(|rest| rest.strip_prefix('_')).unwrap_or(&own.object_type)
}

/// The type of a variable as written, or that of its default.
fn type_of(input: &InputSummary) -> String {
    if let Some(text) = &input.type_text {
        return text.clone();
    }
    let Some(DefaultSummary::Value(value)) = &input.default else { return "any".to_owned() };
    let ty = if value.as_str().is_some() {
        "string"
    } else if value.as_number().is_some() {
        "number"
    } else if value.as_bool().is_some() {
        "bool"
    } else if value.as_slice().is_some() {
        "list"
    } else if value.entries().is_some() {
        "map"
    } else {
        "any"
    };
    ty.to_owned()
}

/// The default as text: JSON, or the source of what calls functions.
fn default_text(default: &DefaultSummary) -> String {
    match default {
        DefaultSummary::Value(value) => {
            let plain = PlainJson::new(value);
            let text = if value.entries().is_some() || value.as_slice().is_some() {
                serde_json::to_string_pretty(&plain)
            } else {
                serde_json::to_string(&plain)
            };
            // Some values have no JSON, such as infinities.
            text.unwrap_or_else(|_| value.to_string())
        }
        DefaultSummary::Source(text) => text.clone(),
        _ => WITHHELD.to_owned(),
    }
}

/// What is shown for the default of a sensitive variable.
const WITHHELD: &str = "(sensitive)";

fn description<'s>(own: Option<&'s str>, comment: Option<&'s str>, options: &DocsOptions) -> Option<&'s str> {
    let own = own.filter(|text| !text.is_empty());
    own.or_else(|| comment.filter(|_| options.comments))
}

/// What is to be known of a variable or a result, beside its description: sentences.
fn marks(sensitive: bool, ephemeral: bool, deprecated: Option<&str>, options: &DocsOptions) -> Vec<String> {
    let mut all = Vec::new();
    if !options.marks {
        return all;
    }
    if sensitive {
        all.push("Sensitive.".to_owned());
    }
    if ephemeral {
        all.push("Ephemeral.".to_owned());
    }
    if let Some(why) = deprecated {
        all.push(if why.is_empty() { "Deprecated.".to_owned() } else { format!("Deprecated: {why}") });
    }
    all
}

/// The sections that a language has at all.
fn has_section(summary: &Summary, section: DocsSection) -> bool {
    let language = &summary.language;
    let has_role = |role: Role| language.blocks.iter().any(|rule| rule.role == role);
    match section {
        DocsSection::Requirements => {
            ["terraform", "packer"].iter().any(|name| language.block(name).is_some())
        }
        DocsSection::Providers => language.block("provider").is_some(),
        DocsSection::Modules => has_role(Role::Call),
        DocsSection::Outputs => has_role(Role::Result),
        DocsSection::DataSources => language.block("data").is_some(),
        DocsSection::Resources => has_role(Role::Object),
        DocsSection::Header | DocsSection::Inputs | DocsSection::Footer => true,
    }
}

/// The objects of the sections that are written.
fn objects<'s>(summary: &'s Summary, options: &'s DocsOptions) -> impl Iterator<Item = &'s ObjectSummary> {
    summary.objects.iter().filter(|own| {
        let section = if mode(own) == 1 { DocsSection::DataSources } else { DocsSection::Resources };
        options.sections.contains(&section)
    })
}

fn as_json(summary: &Summary, options: &DocsOptions) -> Json {
    let has = |section: DocsSection| options.sections.contains(&section);
    let list =
        |section: DocsSection, all: Vec<Json>| Json::Array(if has(section) { all } else { Vec::new() });
    let text = |section: DocsSection, text: &Option<String>| {
        if has(section) { text.clone().unwrap_or_default() } else { String::new() }
    };
    let input = |own: &InputSummary| {
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(own.name));
        object.insert("type".to_owned(), json!(type_of(own)));
        let text = description(own.description.as_deref(), own.comment.as_deref(), options);
        object.insert("description".to_owned(), json!(text));
        let default = match &own.default {
            Some(DefaultSummary::Value(value)) => {
                let plain = serde_json::to_value(PlainJson::new(value));
                plain.unwrap_or_else(|_| json!(value.to_string()))
            }
            Some(DefaultSummary::Source(text)) => json!(text),
            _ => Json::Null,
        };
        object.insert("default".to_owned(), default);
        object.insert("required".to_owned(), json!(own.default.is_none()));
        object.insert("nullable".to_owned(), json!(own.nullable));
        object.insert("sensitive".to_owned(), json!(own.sensitive));
        object.insert("ephemeral".to_owned(), json!(own.ephemeral));
        object.insert("deprecated".to_owned(), json!(own.deprecated));
        Json::Object(object)
    };
    let output = |own: &OutputSummary| {
        let text = description(own.description.as_deref(), own.comment.as_deref(), options);
        json!({
            "name": own.name,
            "description": text,
            "sensitive": own.sensitive,
            "ephemeral": own.ephemeral,
            "deprecated": own.deprecated,
        })
    };
    let object = |own: &ObjectSummary| {
        json!({
            "type": short_type(own),
            "name": own.name,
            "provider": own.provider,
            "source": own.provider_source,
            "mode": match own.block_type.as_str() { "resource" => "managed", other => other },
            "version": own.provider_version.as_deref().unwrap_or("latest"),
            "description": own.comment.as_deref().filter(|_| options.comments),
        })
    };
    let calls = summary.calls.iter().map(|own| {
        json!({
            "name": own.name,
            "source": own.source,
            "version": own.version.as_deref().unwrap_or_default(),
            "description": own.comment.as_deref().filter(|_| options.comments),
        })
    });
    let providers = summary
        .providers
        .iter()
        .map(|own| json!({ "name": own.name, "alias": own.alias, "version": own.version }));
    let requirements = summary.requirements.iter().filter(|own| own.version.is_some());
    let requirements = requirements.map(|own| json!({ "name": own.name, "version": own.version }));
    json!({
        "header": text(DocsSection::Header, &options.header),
        "footer": text(DocsSection::Footer, &options.footer),
        "inputs": list(DocsSection::Inputs, summary.inputs.iter().map(input).collect()),
        "modules": list(DocsSection::Modules, calls.collect()),
        "outputs": list(DocsSection::Outputs, summary.outputs.iter().map(output).collect()),
        "providers": list(DocsSection::Providers, providers.collect()),
        "requirements": list(DocsSection::Requirements, requirements.collect()),
        "resources": Json::Array(objects(summary, options).map(object).collect()),
    })
}
