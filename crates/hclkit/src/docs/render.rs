//! The sections of documentation, in both layouts.

use hclkit_module::{InputSummary, ObjectSummary, OutputSummary, Summary};

use super::markup::Markup;
use super::{
    DocsLayout, DocsOptions, DocsSection, WITHHELD, default_text, description, has_section, marks, objects,
    short_type, type_of,
};

const NOTHING: &str = "n/a";

/// The documentation as text.
pub(super) fn text(summary: &Summary, options: &DocsOptions) -> String {
    let writer = Writer { summary, options, markup: Markup::new(options) };
    let is_shown =
        |section: DocsSection| options.sections.contains(&section) && has_section(summary, section);
    let mut parts: Vec<String> = Vec::new();
    if let Some(header) = options.header.as_deref().filter(|_| is_shown(DocsSection::Header)) {
        parts.push(writer.markup.whole(header));
    }
    if is_shown(DocsSection::Requirements) {
        parts.extend(writer.requirements());
    }
    if is_shown(DocsSection::Providers) {
        parts.extend(writer.providers());
    }
    if is_shown(DocsSection::Modules) {
        parts.extend(writer.modules());
    }
    if is_shown(DocsSection::Resources) || is_shown(DocsSection::DataSources) {
        parts.extend(writer.objects());
    }
    if is_shown(DocsSection::Inputs) {
        parts.extend(writer.inputs());
    }
    if is_shown(DocsSection::Outputs) {
        parts.extend(writer.outputs());
    }
    if let Some(footer) = options.footer.as_deref().filter(|_| is_shown(DocsSection::Footer)) {
        parts.push(writer.markup.whole(footer));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

struct Writer<'s> {
    summary: &'s Summary,
    options: &'s DocsOptions,
    markup: Markup<'s>,
}

impl Writer<'_> {
    /// A section, or what says that it is empty.
    fn section(&self, title: &str, body: &[String]) -> Option<String> {
        let heading = self.markup.heading(0, title);
        match body {
            [] if self.options.hide_empty => None,
            [] => Some(format!("{heading}\n\nNo {}.", title.to_lowercase())),
            _ => Some(format!("{heading}\n\n{}", body.join("\n\n"))),
        }
    }

    fn is_table(&self) -> bool {
        self.options.layout == DocsLayout::Table
    }

    /// A table, if it has rows.
    fn table(&self, titles: &[&str], rows: &[Vec<String>], is_tall: bool) -> Vec<String> {
        if rows.is_empty() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if self.markup.is_markdown {
            lines.push(format!("| {} |", titles.join(" | ")));
            let line = |title: &&str| match *title {
                "Required" => ":------:".to_owned(),
                title => "-".repeat(title.len()),
            };
            lines.push(format!("| {} |", titles.iter().map(line).collect::<Vec<_>>().join(" | ")));
            lines.extend(rows.iter().map(|cells| format!("| {} |", cells.join(" | "))));
        } else {
            let columns = vec!["a"; titles.len()].join(",");
            lines.push(format!("[cols=\"{columns}\",options=\"header,autowidth\"]\n|==="));
            lines.push(format!("|{}", titles.join(" |")));
            let row = |cells: &Vec<String>| {
                if is_tall { format!("|{}\n", cells.join("\n|")) } else { format!("|{}", cells.join(" |")) }
            };
            lines.extend(rows.iter().map(row));
            lines.push("|===".to_owned());
        }
        vec![lines.join("\n")]
    }

    /// Names with versions: a table, or a list after a sentence.
    fn versions(&self, title: &str, sentence: &str, all: &[(String, Option<String>)]) -> Option<String> {
        if self.is_table() {
            let row = |(name, version): &(String, Option<String>)| {
                let version = version.as_deref().filter(|text| !text.is_empty()).unwrap_or(NOTHING);
                vec![name.clone(), version.replace('|', "\\|")]
            };
            let rows: Vec<Vec<String>> = all.iter().map(row).collect();
            return self.section(title, &self.table(&["Name", "Version"], &rows, false));
        }
        let mut body = Vec::new();
        if !all.is_empty() {
            body.push(sentence.to_owned());
        }
        body.extend(all.iter().map(|(name, version)| match version {
            Some(version) => format!("- {name} ({version})"),
            None => format!("- {name}"),
        }));
        self.section(title, &body)
    }

    fn requirements(&self) -> Option<String> {
        let all = self.summary.requirements.iter().filter(|own| own.version.is_some());
        let all: Vec<_> =
            all.map(|own| (self.markup.name("requirement", &own.name), own.version.clone())).collect();
        self.versions("Requirements", "The following requirements are needed by this module:", &all)
    }

    fn providers(&self) -> Option<String> {
        let one = |own: &hclkit_module::ProviderSummary| {
            let name = match &own.alias {
                Some(alias) => format!("{}.{alias}", own.name),
                None => own.name.clone(),
            };
            (self.markup.name("provider", &name), own.version.clone())
        };
        let all: Vec<_> = self.summary.providers.iter().map(one).collect();
        self.versions("Providers", "The following providers are used by this module:", &all)
    }

    fn modules(&self) -> Option<String> {
        let all = &self.summary.calls;
        let body = if self.is_table() {
            let row = |own: &hclkit_module::CallSummary| {
                let none = if self.markup.is_markdown { NOTHING } else { "" };
                let version = own.version.as_deref().unwrap_or(none);
                let plain = |text: &str| text.replace('|', "\\|").replace('\n', " ");
                vec![self.markup.name("module", &own.name), plain(&own.source), plain(version)]
            };
            self.table(&["Name", "Source", "Version"], &all.iter().map(row).collect::<Vec<_>>(), false)
        } else {
            let one = |own: &hclkit_module::CallSummary| {
                let heading = self.markup.heading(1, &self.markup.name("module", &own.name));
                let version = own.version.as_deref().map(|text| format!(" {text}")).unwrap_or_default();
                format!("{heading}\n\nSource: {}\n\nVersion:{version}", own.source)
            };
            let sentence = (!all.is_empty()).then(|| "The following Modules are called:".to_owned());
            sentence.into_iter().chain(all.iter().map(one)).collect()
        };
        self.section("Modules", &body)
    }

    fn objects(&self) -> Option<String> {
        let title = match self.summary.language.name() {
            "packer" => "Sources",
            "bake" => "Targets",
            "nomad" => "Jobs",
            _ => "Resources",
        };
        let all: Vec<&ObjectSummary> = objects(self.summary, self.options).collect();
        let body = if self.is_table() {
            let row = |own: &&ObjectSummary| vec![self.object(own), kind(own).to_owned()];
            self.table(&["Name", "Type"], &all.iter().map(row).collect::<Vec<_>>(), false)
        } else {
            let lines: Vec<String> =
                all.iter().map(|own| format!("- {} ({})", self.object(own), kind(own))).collect();
            let sentence = (!all.is_empty())
                .then(|| format!("The following {} are used by this module:", title.to_lowercase()));
            sentence.into_iter().chain((!all.is_empty()).then(|| lines.join("\n"))).collect()
        };
        self.section(title, &body)
    }

    /// A resource, with a link to its page in the registry.
    fn object(&self, own: &ObjectSummary) -> String {
        let name = match own.object_type.as_str() {
            "" => own.name.clone(),
            ty => format!("{ty}.{}", own.name),
        };
        let page = match own.block_type.as_str() {
            "resource" => Some("resources"),
            "data" => Some("data-sources"),
            "ephemeral" => Some("ephemeral-resources"),
            _ => None,
        };
        let is_plain =
            |text: &str| text.chars().all(|next| next.is_ascii_alphanumeric() || "._-/+".contains(next));
        let address = page.zip(own.provider_source.as_deref()).and_then(|(page, source)| {
            let version = own.provider_version.as_deref().unwrap_or("latest");
            let ty = short_type(own);
            let all = format!("{source}/{version}/docs/{page}/{ty}");
            is_plain(&all).then(|| format!("https://registry.terraform.io/providers/{all}"))
        });
        self.markup.link(&name.replace('|', "\\|"), address.as_deref())
    }

    /// A description with the marks of a declaration, in a table or a document.
    fn described(&self, text: Option<&str>, marks: &[String]) -> String {
        let write = |text: &str| {
            if self.is_table() { self.markup.in_table(text) } else { self.markup.in_document(text) }
        };
        let text = text.map(write).filter(|text| !text.is_empty());
        let marks: Vec<String> = marks.iter().map(|own| write(own)).collect();
        match (text, &marks[..]) {
            (None, []) => NOTHING.to_owned(),
            (Some(text), []) => text,
            (None, marks) => marks.join(" "),
            (Some(text), marks) => format!("{} {text}", marks.join(" ")),
        }
    }

    fn input_text(&self, own: &InputSummary) -> String {
        let text = description(own.description.as_deref(), own.comment.as_deref(), self.options);
        let marks = marks(own.sensitive, own.ephemeral, own.deprecated.as_deref(), self.options);
        self.described(text, &marks)
    }

    fn output_text(&self, own: &OutputSummary) -> String {
        let text = description(own.description.as_deref(), own.comment.as_deref(), self.options);
        let marks = marks(own.sensitive, own.ephemeral, own.deprecated.as_deref(), self.options);
        self.described(text, &marks)
    }

    fn inputs(&self) -> Option<String> {
        let all = &self.summary.inputs;
        if self.is_table() {
            let mut titles = vec!["Name", "Description"];
            let options = self.options;
            let more =
                [(options.types, "Type"), (options.defaults, "Default"), (options.required, "Required")];
            titles.extend(more.iter().filter(|(set, _)| *set).map(|(_, title)| *title));
            let row = |own: &InputSummary| {
                let mut cells = vec![self.markup.name("input", &own.name), self.input_text(own)];
                if options.types {
                    cells.push(self.markup.cell(&type_of(own)));
                }
                if options.defaults {
                    let text = own.default.as_ref().map(default_text);
                    cells.push(match text.as_deref() {
                        None => NOTHING.to_owned(),
                        Some(WITHHELD) => WITHHELD.to_owned(),
                        Some(text) => self.markup.cell(text),
                    });
                }
                if options.required {
                    cells.push(if own.default.is_none() { "yes" } else { "no" }.to_owned());
                }
                cells
            };
            return self
                .section("Inputs", &self.table(&titles, &all.iter().map(row).collect::<Vec<_>>(), true));
        }
        if !self.options.required {
            let body = self.documents(all.iter().collect(), "The following input variables are supported:");
            return self.section("Inputs", &body);
        }
        let (optional, required): (Vec<_>, Vec<_>) = all.iter().partition(|own| own.default.is_some());
        let required = self.documents(required, "The following input variables are required:");
        let optional =
            self.documents(optional, "The following input variables are optional (have default values):");
        let parts = [self.section("Required Inputs", &required), self.section("Optional Inputs", &optional)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }

    /// Inputs with a heading each, after a sentence.
    fn documents(&self, all: Vec<&InputSummary>, sentence: &str) -> Vec<String> {
        let one = |own: &InputSummary| {
            let heading = self.markup.heading(1, &self.markup.name("input", &own.name));
            let mut parts = vec![heading, titled("Description", &self.input_text(own))];
            if self.options.types {
                parts.push(self.markup.block("Type", &type_of(own), "hcl"));
            }
            if let Some(default) = own.default.as_ref().filter(|_| self.options.defaults) {
                parts.push(match default_text(default) {
                    text if text == WITHHELD => format!("Default: {WITHHELD}"),
                    text => self.markup.block("Default", &text, "json"),
                });
            }
            parts.join("\n\n")
        };
        let sentence = (!all.is_empty()).then(|| sentence.to_owned());
        sentence.into_iter().chain(all.iter().map(|own| one(own))).collect()
    }

    fn outputs(&self) -> Option<String> {
        let all = &self.summary.outputs;
        let body = if self.is_table() {
            let row =
                |own: &OutputSummary| vec![self.markup.name("output", &own.name), self.output_text(own)];
            self.table(&["Name", "Description"], &all.iter().map(row).collect::<Vec<_>>(), false)
        } else {
            let one = |own: &OutputSummary| {
                let heading = self.markup.heading(1, &self.markup.name("output", &own.name));
                format!("{heading}\n\n{}", titled("Description", &self.output_text(own)))
            };
            let sentence = (!all.is_empty()).then(|| "The following outputs are exported:".to_owned());
            sentence.into_iter().chain(all.iter().map(one)).collect()
        };
        self.section("Outputs", &body)
    }
}

/// A text after its title. One that begins with a line break is on lines of its own.
fn titled(title: &str, text: &str) -> String {
    if text.starts_with('\n') { format!("{title}:\n{text}") } else { format!("{title}: {text}") }
}

/// What kind of object a block declares.
fn kind(own: &ObjectSummary) -> &str {
    match own.block_type.as_str() {
        "data" => "data source",
        "ephemeral" => "ephemeral resource",
        other => other,
    }
}
