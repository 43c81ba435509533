//! Reading files of rules, and checking them before they run.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};

use hclkit::dialect::Dialect;
use hclkit::functions::{Grants, Library};
use hclkit::model::{Attribute, Block, BodyItem, Scope, TypeConstraint, user_functions};
use hclkit::module::Files;
use hclkit::syntax::{Span, TokenKind, nearest_name, or_did_you_mean};
use hclkit::write::Selector;
use hclkit::{
    Body, Code, Context, Diagnostic, Diagnostics, Document, Expression, Functions, Severity, Source, Type,
    Value,
};

use super::{
    Case, FileScope, FixKind, FixRule, ITEM, ParameterRule, Ready, Rule, Rules, Sees, builtin, code_of,
    type_of_item,
};
use crate::FileKind;

const INVALID: Code = Code::custom("invalid-rule", "Invalid rule")
    .with_explanation("A file of rules has an error: an unknown name or argument, a wrong path or type.");

/// Reads a file, or the files of a directory, that a file of rules names, relative to the directory of that file. Returns the names and
/// texts, or why they cannot be read.
pub(super) type Open<'o> = dyn Fn(&Path, &str) -> Result<Vec<(String, Vec<u8>)>, String> + 'o;

/// Reads what a file of rules in a directory names, for [`Reader::with_files`]: a file, or the HCL files of a directory. `files` are those
/// of the directory.
///
/// # Errors
/// It is not in the repository of the file, or it cannot be read.
pub fn open(files: &dyn Files, directory: &Path, path: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    if Path::new(path).is_absolute() || !files.may_read(path) {
        return Err("it is not in the repository of the file, or outside of its directory".to_owned());
    }
    let shown = |path: &str| directory.join(path).to_string_lossy().into_owned();
    let Ok(mut names) = files.list(path) else {
        return Ok(vec![(shown(path), files.read(path).map_err(|why| why.to_string())?)]);
    };
    names.sort();
    let mut all = Vec::new();
    for name in names.into_iter().filter(|name| Dialect::of_path(name).is_some()) {
        let own = format!("{path}/{name}");
        let text = files.read(&own).map_err(|why| format!("{name}: {why}"))?;
        all.push((shown(&own), text));
    }
    Ok(all)
}

/// Reads files of rules.
///
/// ```
/// use hclkit_policy::Reader;
///
/// let text = "rule \"no-acl\" {\n  match     = \"resource.aws_s3_bucket.*\"\n  condition = self.acl == null\n  \
///             message   = \"Use a policy.\"\n}\n";
/// let (rules, problems) = Reader::new().with_text("s3.rules.hcl", text).read();
/// assert!(problems.is_empty());
/// assert_eq!(rules.names().collect::<Vec<_>>(), ["no-acl"]);
/// ```
pub struct Reader<'o> {
    files: Vec<(PathBuf, Document)>,
    params: Vec<(String, Param)>,
    /// Parameters that something else has.
    elsewhere: Vec<String>,
    open: Box<Open<'o>>,
}

/// What a parameter is set to.
enum Param {
    Text(String),
    Value(Value),
}

impl Param {
    fn value(&self, ty: Option<&TypeConstraint>) -> Result<Value, String> {
        match self {
            Self::Text(text) => value_of_text(text, ty),
            Self::Value(value) => converted(value, ty),
        }
    }
}

/// The number of files. Values of parameters, which may be sensitive, are left out.
impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("files", &self.files.len()).finish_non_exhaustive()
    }
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'o> Reader<'o> {
    /// A reader without files. Rules cannot import others.
    pub fn new() -> Self {
        let open = |_: &Path, _: &str| Err("no files are granted".to_owned());
        Self { files: Vec::new(), params: Vec::new(), elsewhere: Vec::new(), open: Box::new(open) }
    }

    /// Lets rules import others, and tests name files.
    #[must_use]
    pub fn with_files(
        self,
        open: impl Fn(&Path, &str) -> Result<Vec<(String, Vec<u8>)>, String> + 'o,
    ) -> Self {
        Self { open: Box::new(open), ..self }
    }

    /// Adds a file.
    #[must_use]
    pub fn with_text(self, name: &str, text: impl Into<Vec<u8>>) -> Self {
        self.with_document(Document::parse(Source::new(name, text.into()), hclkit::StartSymbol::Config))
    }

    /// Adds a file that was parsed. Paths in it are relative to the directory in the name of its source.
    #[must_use]
    pub fn with_document(mut self, document: Document) -> Self {
        let path = Path::new(document.source().name());
        let directory = path.parent().map(Path::to_owned).unwrap_or_default();
        self.files.push((directory, document));
        self
    }

    /// Sets a parameter to a text, which is that of a string, or else an expression without names.
    #[must_use]
    pub fn with_param(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.params.push((name.into(), Param::Text(text.into())));
        self
    }

    /// Sets a parameter to a value.
    #[must_use]
    pub fn with_value(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.params.push((name.into(), Param::Value(value.into())));
        self
    }

    /// Names parameters that need not be those of a rule, because something else has them.
    #[must_use]
    pub fn with_other_params<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.elsewhere.extend(names.into_iter().map(Into::into));
        self
    }

    /// Reads all files. A rule with an error is left out.
    pub fn read(self) -> (Rules, Diagnostics) {
        let mut reading = Reading {
            open: &*self.open,
            params: &self.params,
            known: HashSet::new(),
            rules: Rules::default(),
            names: HashSet::new(),
            declared: BTreeSet::new(),
            diagnostics: Diagnostics::new(),
        };
        for (directory, document) in &self.files {
            reading.file(directory, document);
        }
        for (name, _) in &self.params {
            if !reading.declared.contains(name) && !self.elsewhere.contains(name) {
                let near = nearest_name(name, reading.declared.iter().map(String::as_str));
                let note = format!("No rule has a parameter `{name}`{}", or_did_you_mean(near));
                reading.diagnostics.push(Diagnostic::error(INVALID).with_note(note));
            }
        }
        (reading.rules, reading.diagnostics)
    }
}

struct Reading<'r> {
    open: &'r Open<'r>,
    params: &'r [(String, Param)],
    /// The files that were read.
    known: HashSet<PathBuf>,
    rules: Rules,
    names: HashSet<String>,
    declared: BTreeSet<String>,
    diagnostics: Diagnostics,
}

/// What a file contributes, with what it imports.
#[derive(Default)]
struct Parts {
    parameters: Vec<ParameterRule>,
    locals: Vec<(String, Expression)>,
    /// The bodies of files, which define functions.
    functions: Vec<Body>,
    rules: Vec<(Block, Document)>,
    tests: Vec<(Block, PathBuf, Document)>,
    /// The names after dots in functions and local values.
    names: BTreeSet<String>,
}

const TOP: [&str; 6] = ["rule", "test", "locals", "function", "param", "import"];
const RULE: [&str; 10] =
    ["match", "where", "condition", "message", "severity", "docs", "summary", "url", "at", "fix"];
const TEST: [&str; 10] =
    ["source", "name", "files", "file", "module", "rules", "expect", "unknown", "variables", "params"];

fn invalid(note: impl Into<String>) -> Diagnostic {
    Diagnostic::error(INVALID).with_note(note.into())
}

fn unknown_name(what: &str, name: &str, known: &[&'static str]) -> String {
    let near = nearest_name(name, known.iter().copied());
    let near = near.map(|near| format!("Did you mean `{near}`?"));
    let near = near.unwrap_or_else(|| format!("Expected one of: {}.", known.join(", ")));
    format!("{what} has no argument or block `{name}`. {near}")
}

impl Reading<'_> {
    fn file(&mut self, directory: &Path, document: &Document) {
        if !self.known.insert(hclkit::limits::clean_path(Path::new(document.source().name()))) {
            return;
        }
        let mut parts = Parts::default();
        self.parts(directory, document, &mut parts);
        self.build(parts);
    }

    /// Collects the blocks of a file and of those that it imports.
    fn parts(&mut self, directory: &Path, document: &Document, parts: &mut Parts) {
        self.diagnostics.append(document.diagnostics().clone());
        if document.has_errors() {
            return;
        }
        let body = Body::of(document);
        parts.functions.push(body.clone());
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) if &*attribute.name == "import" => {
                    self.imports(directory, &attribute, parts);
                }
                BodyItem::Attribute(attribute) => {
                    let note = unknown_name("A file of rules", &attribute.name, &TOP);
                    self.error(invalid(note).at(hclkit::Place::new(&attribute.source, attribute.name_span)));
                }
                BodyItem::Block(block) => self.block(block, directory, document, parts),
            }
        }
    }

    fn block(&mut self, block: Block, directory: &Path, document: &Document, parts: &mut Parts) {
        let expected = match &*block.block_type {
            "rule" | "test" | "function" | "param" => 1,
            "locals" => 0,
            other => {
                let note = unknown_name("A file of rules", other, &TOP);
                return self.error(invalid(note).at(hclkit::Place::new(&block.source, block.type_span)));
            }
        };
        if block.labels.len() != expected {
            let kind = &block.block_type;
            let what = if expected == 1 { "one label, its name" } else { "no labels" };
            return self.error(invalid(format!("A block `{kind}` has {what}.")).at(block.definition_place()));
        }
        if matches!(&*block.block_type, "function" | "locals") {
            parts.names.append(&mut NamesIn::of(document, whole(&block)).attributes);
        }
        match &*block.block_type {
            "rule" => parts.rules.push((block, document.clone())),
            "test" => parts.tests.push((block, directory.to_owned(), document.clone())),
            // They are read from the whole body.
            "function" => {}
            "param" => {
                if let Some(parameter) = self.parameter(&block) {
                    parts.parameters.push(parameter);
                }
            }
            _ => {
                let (attributes, found) = block.body.attributes();
                self.diagnostics.append(found);
                let own = attributes.iter().map(|own| (own.name.to_string(), own.expression.clone()));
                parts.locals.extend(own);
            }
        }
    }

    fn error(&mut self, found: Diagnostic) {
        self.diagnostics.push(found);
    }

    fn imports(&mut self, directory: &Path, attribute: &Attribute, parts: &mut Parts) {
        let names = attribute.expression.evaluate(&Context::new()).and_then(|value| {
            texts(&value).ok_or_else(|| {
                invalid("`import` is a list of paths of files, such as `[\"common.rules.hcl\"]`.")
                    .at(attribute.expression.place())
                    .into()
            })
        });
        let names = match names {
            Ok(names) => names,
            Err(found) => return self.diagnostics.append(found),
        };
        for name in names {
            let place = attribute.expression.place();
            if FileKind::of_name(&name) != Some(FileKind::Rules) {
                self.error(
                    invalid(format!("The name of an imported file ends with .rules.hcl, unlike `{name}`."))
                        .at(place),
                );
                continue;
            }
            let opened = (self.open)(directory, &name).map(|files| files.into_iter().next());
            match opened {
                Ok(Some((path, text))) => {
                    if self.known.insert(hclkit::limits::clean_path(Path::new(&path))) {
                        let document = Document::parse(Source::new(path, text), hclkit::StartSymbol::Config);
                        let own = Path::new(document.source().name()).parent();
                        let own = own.map(Path::to_owned).unwrap_or_default();
                        self.parts(&own, &document, parts);
                    }
                }
                Ok(None) => self.error(invalid(format!("There is no file `{name}`.")).at(place)),
                Err(why) => self.error(invalid(format!("Cannot import `{name}`: {why}.")).at(place)),
            }
        }
    }

    fn parameter(&mut self, block: &Block) -> Option<ParameterRule> {
        let name = block.labels[0].to_string();
        let mut known = true;
        for item in block.body.items() {
            if !["type", "default", "description"].contains(&item.name()) {
                let note = unknown_name("A parameter", item.name(), &["type", "default", "description"]);
                self.error(invalid(note).at(hclkit::Place::new(&block.source, item.name_span())));
                known = false;
            }
        }
        self.declared.insert(name.clone());
        let ty = match block.body.attribute("type") {
            Some(own) => match TypeConstraint::of(&own.expression) {
                Ok(ty) => Some(ty),
                Err(found) => {
                    self.diagnostics.append(found);
                    return None;
                }
            },
            None => None,
        };
        let given = self.params.iter().rev().find(|(own, _)| *own == name).map(|(_, param)| param);
        let value = match (given, block.body.attribute("default")) {
            (Some(param), _) => match param.value(ty.as_ref()) {
                Ok(value) => value,
                Err(why) => {
                    self.error(
                        invalid(format!("The value of the parameter `{name}` is wrong: {why}."))
                            .at(block.definition_place()),
                    );
                    return None;
                }
            },
            (None, Some(own)) => {
                let context = Context::new();
                let value = match &ty {
                    Some(ty) => ty.evaluate(&own.expression, &context),
                    None => own.expression.evaluate(&context),
                };
                match value {
                    Ok(value) => value,
                    Err(found) => {
                        self.diagnostics.append(found);
                        return None;
                    }
                }
            }
            (None, None) => {
                let note = format!("The parameter `{name}` has no default. Set it with `--param {name}=…`.");
                self.error(invalid(note).at(block.definition_place()));
                return None;
            }
        };
        known.then_some(ParameterRule { name, ty, value })
    }

    /// Makes the rules and tests of a file.
    fn build(&mut self, parts: Parts) {
        let Parts { parameters, locals, functions, rules, tests, names } = parts;
        let scope = Arc::new(FileScope { ready: OnceLock::new(), parameters, locals, functions });
        if let Err(found) = scope.check() {
            self.diagnostics.append(found);
            return;
        }
        let mut own = Vec::new();
        for (block, document) in &rules {
            if let Some(rule) = self.rule(block, document, &scope, &names) {
                own.push(self.rules.all.len());
                self.rules.all.push(rule);
            }
        }
        for (block, directory, document) in tests {
            if let Some(case) = self.case(&block, &directory, document, &own) {
                self.rules.cases.push(case);
            }
        }
    }

    fn rule(
        &mut self,
        block: &Block,
        document: &Document,
        scope: &Arc<FileScope>,
        shared: &BTreeSet<String>,
    ) -> Option<Rule> {
        let name = block.labels[0].to_string();
        let before = self.diagnostics.total();
        let place = hclkit::Place::new(&block.source, block.label_spans[0]);
        if !is_name(&name) {
            self.error(
                invalid("The name of a rule consists of letters, digits, `-`, `_`, `.` and `/`.").at(&place),
            );
        }
        if !self.names.insert(name.clone()) {
            self.error(invalid(format!("There is another rule `{name}`.")).at(&place));
        }
        for item in block.body.items() {
            if !RULE.contains(&item.name()) || (item.name() == "fix") != item.as_block().is_some() {
                let note = unknown_name("A rule", item.name(), &RULE);
                self.error(invalid(note).at(hclkit::Place::new(&block.source, item.name_span())));
            }
        }
        for required in ["match", "condition", "message"] {
            if block.body.attribute(required).is_none() {
                self.error(invalid(format!("A rule must have `{required}`.")).at(&place));
            }
        }
        let constant = Context::new();
        let mut text = |name: &str| -> Option<(Value, hclkit::Place)> {
            let own = block.body.attribute(name)?;
            match own.expression.evaluate(&constant) {
                Ok(value) => Some((value, own.expression.place())),
                // A path without quotes.
                Err(_)
                    if !own.expression.variables().is_empty()
                        && !own.expression.text().contains(['"', '\n']) =>
                {
                    let (place, path) = (own.expression.place(), own.expression.text());
                    let note = format!("`{name}` is a string, not an expression.");
                    let error = invalid(note).at(&place);
                    let title = format!("Write it in quotes: `\"{path}\"`");
                    self.error(error.with_edit(title, place.span, format!("\"{path}\"")));
                    None
                }
                Err(found) => {
                    self.diagnostics.append(found);
                    None
                }
            }
        };
        let (matches, severity) = (text("match"), text("severity"));
        let (docs, summary, at, url) = (text("docs"), text("summary"), text("at"), text("url"));
        let mut selectors = Vec::new();
        if let Some((value, place)) = matches {
            for path in texts(&value).unwrap_or_default() {
                match path.parse::<Selector>() {
                    Ok(selector) => selectors.push(selector),
                    Err(why) => self.error(invalid(format!("The path `{path}` is wrong: {why}.")).at(&place)),
                }
            }
            if selectors.is_empty() {
                self.error(
                    invalid("`match` is a path, or a list of paths, such as `\"resource.aws_s3_bucket.*\"`.")
                        .at(&place),
                );
            }
        }
        let severity = match severity.as_ref().map(|(value, place)| (value.as_str(), place)) {
            None | Some((Some("error"), _)) => Severity::Error,
            Some((Some("warning"), _)) => Severity::Warning,
            Some((_, place)) => {
                self.error(invalid("`severity` is `\"error\"` or `\"warning\"`.").at(place));
                Severity::Error
            }
        };
        let mut string = |found: Option<(Value, hclkit::Place)>, what: &str| match found {
            None => None,
            Some((value, place)) => {
                if value.as_str().is_none() {
                    self.error(invalid(format!("`{what}` is a string.")).at(&place));
                }
                value.as_str().map(str::to_owned)
            }
        };
        let docs = string(docs, "docs").unwrap_or_default();
        let summary = string(summary, "summary");
        let at_url = url.as_ref().map(|(_, place)| place.clone());
        let url = string(url, "url");
        let at = string(at, "at").and_then(|path| match path.parse::<Selector>() {
            Ok(selector) => Some(selector),
            Err(why) => {
                self.error(invalid(format!("The path `{path}` is wrong: {why}.")).at(&place));
                None
            }
        });
        if let (Some(url), Some(place)) = (&url, at_url)
            && !is_url(url)
        {
            self.error(
                invalid("`url` is the address of a page, such as `\"https://example.com/rules\"`.")
                    .at(&place),
            );
        }
        let attribute = |name: &str| block.body.attribute(name).map(|own| own.expression);
        let expected = scope.open_context();
        for (name, ty) in [("where", Type::Bool), ("condition", Type::Bool), ("message", Type::String)] {
            let Some(expression) = attribute(name) else { continue };
            self.check(&expression, &expected, Some((name, &ty)));
        }
        let fix = self.fix(block, &expected);
        if self.diagnostics.total() > before {
            return None;
        }
        let own = NamesIn::of(document, whole(block));
        let names: BTreeSet<String> = shared.union(&own.attributes).cloned().collect();
        let sees = Sees {
            module: own.all.contains("module") || names.contains("blocks"),
            parent: own.all.contains("parent"),
            parts: (!own.has_whole_block).then_some(own.parts),
            item: super::ITEM
                .into_iter()
                .filter(|name| own.has_whole_item || own.attributes.contains(*name))
                .collect(),
        };
        let title = summary.unwrap_or_else(|| format!("Rule {name}"));
        Some(Rule {
            code: code_of(&name, &title, &docs, &url.unwrap_or_else(|| builtin::page(document, &name))),
            name,
            severity,
            matches: selectors,
            filter: attribute("where"),
            condition: attribute("condition")?,
            message: attribute("message")?,
            place: at,
            fix,
            scope: scope.clone(),
            names,
            sees,
        })
    }

    /// Evaluates an expression in which nothing about the match is known, which finds wrong names, arguments and types.
    fn check(&mut self, expression: &Expression, context: &Context, wanted: Option<(&str, &Type)>) {
        match expression.evaluate(context) {
            Err(found) => self.diagnostics.append(found),
            Ok(value) => {
                if let Some((name, ty)) = wanted
                    && let Err(why) = value.convert(ty)
                {
                    let note = format!("`{name}` is wrong: {why}.");
                    self.error(invalid(note).at(expression.place()));
                }
            }
        }
    }

    fn fix(&mut self, rule: &Block, context: &Context) -> Option<FixRule> {
        let blocks = rule.body.blocks("fix", &[]);
        let block = blocks.first()?;
        if let Some(second) = blocks.get(1) {
            self.error(invalid("A rule has one block `fix`.").at(second.definition_place()));
        }
        let mut fix = FixRule { title: None, edits: Vec::new() };
        let known: Vec<&'static str> = FixKind::ALL.iter().map(|(name, _)| *name).chain(["title"]).collect();
        for item in block.body.items() {
            let name = item.name().to_owned();
            let kind = FixKind::ALL.iter().find(|(own, _)| *own == name).map(|(_, kind)| *kind);
            match (item.as_attribute(), kind) {
                (Some(attribute), Some(kind)) => {
                    self.check(&attribute.expression, context, None);
                    fix.edits.push((kind, attribute.expression.clone()));
                }
                (Some(attribute), None) if name == "title" => {
                    self.check(&attribute.expression, context, Some(("title", &Type::String)));
                    fix.title = Some(attribute.expression.clone());
                }
                _ => {
                    let note = unknown_name("A fix", &name, &known);
                    self.error(invalid(note).at(hclkit::Place::new(&block.source, item.name_span())));
                }
            }
        }
        Some(fix)
    }

    fn case(&mut self, block: &Block, directory: &Path, document: Document, own: &[usize]) -> Option<Case> {
        let before = self.diagnostics.total();
        let known: Vec<&'static str> = TEST.into_iter().chain(["fixed"]).collect();
        let mut values: std::collections::HashMap<String, (Value, hclkit::Place)> =
            std::collections::HashMap::default();
        for item in block.body.items() {
            let Some(attribute) = item.as_attribute().filter(|own| known.contains(&&*own.name)) else {
                let note = unknown_name("A test", item.name(), &known);
                self.error(invalid(note).at(hclkit::Place::new(&block.source, item.name_span())));
                continue;
            };
            match attribute.expression.evaluate(&Context::new()) {
                Ok(value) => {
                    _ = values.insert(attribute.name.to_string(), (value, attribute.expression.place()));
                }
                Err(found) => self.diagnostics.append(found),
            }
        }
        let place = hclkit::Place::new(&block.source, block.label_spans[0]);
        let mut wrong: Vec<Diagnostic> = Vec::new();
        let mut list = |name: &str| match values.get(name) {
            None => Vec::new(),
            Some((value, place)) => texts(value).unwrap_or_else(|| {
                wrong.push(invalid(format!("`{name}` is a list of strings.")).at(place));
                Vec::new()
            }),
        };
        let (expect, unknown, rules) = (list("expect"), list("unknown"), list("rules"));
        let mut string = |name: &str| {
            let (value, place) = values.get(name)?;
            if value.as_str().is_none() {
                wrong.push(invalid(format!("`{name}` is a string.")).at(place));
            }
            value.as_str().map(str::to_owned)
        };
        let name = string("name").unwrap_or_else(|| "main.tf".to_owned());
        let (source, fixed) = (string("source"), string("fixed"));
        let (file, module) = (string("file"), string("module"));
        let files = values.get("files").map(|(value, place)| {
            let entries = value.entries().map(|entries| {
                entries
                    .map(|(name, text)| Some((name.to_string(), text.as_str()?.to_owned())))
                    .collect::<Option<Vec<_>>>()
            });
            entries.flatten().unwrap_or_else(|| {
                wrong.push(invalid("`files` is an object of names and texts.").at(place));
                Vec::new()
            })
        });
        let mut object = |name: &str| match values.get(name) {
            None => Vec::new(),
            Some((value, place)) => {
                if let Some(entries) = value.entries() {
                    entries.map(|(name, value)| (name.to_string(), value.clone())).collect()
                } else {
                    wrong.push(invalid(format!("`{name}` is an object.")).at(place));
                    Vec::new()
                }
            }
        };
        let (variables, params) = (object("variables"), object("params"));
        for entry in rules.iter().chain(&expect).chain(&unknown) {
            let rule = entry.split_once(": ").map_or(entry.as_str(), |(rule, _)| rule);
            if !own.iter().any(|at| self.rules.all[*at].name == rule) {
                let near = nearest_name(rule, own.iter().map(|at| self.rules.all[*at].name.as_str()));
                wrong.push(
                    invalid(format!("There is no rule `{rule}` in this file{}", or_did_you_mean(near)))
                        .at(&place),
                );
            }
        }
        let given = [source.is_some(), files.is_some(), file.is_some(), module.is_some()];
        if given.iter().filter(|given| **given).count() != 1 {
            wrong.push(invalid("A test has one of `source`, `files`, `file` and `module`.").at(&place));
        }
        for found in wrong {
            self.error(found);
        }
        if self.diagnostics.total() > before {
            return None;
        }
        let files = match (source, files, file.or(module)) {
            (Some(text), ..) => Ok(vec![(name, text)]),
            (None, Some(files), _) => Ok(files),
            (None, None, Some(path)) => {
                self.rules.fixtures.push(hclkit::limits::clean_path(&directory.join(&path)));
                let files = (self.open)(directory, &path);
                files
                    .and_then(|files| {
                        let text = |(name, text): (String, Vec<u8>)| {
                            let name =
                                Path::new(&name).file_name().map(|own| own.to_string_lossy().into_owned());
                            let text = String::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned());
                            Ok((name.unwrap_or_default(), text?))
                        };
                        files.into_iter().map(text).collect::<Result<Vec<_>, String>>()
                    })
                    .map_err(|why| format!("cannot read {path}: {why}"))
            }
            _ => return None,
        };
        Some(Case {
            name: block.labels[0].to_string(),
            document,
            place,
            files,
            rules,
            expect,
            unknown,
            variables,
            params,
            fixed,
            own: own.to_vec(),
        })
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|own| own.is_alphanumeric() || matches!(own, '-' | '_' | '.' | '/'))
}

/// Whether a text is the address of a page.
fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        !rest.is_empty() && !rest.contains(|own: char| own.is_whitespace() || own.is_control())
    })
}

/// The functions that rules can call: Terraform's, without any grant.
fn library() -> Functions {
    Library::Terraform.functions(&Grants::new())
}

/// A string, or the strings of a list.
pub(crate) fn texts(value: &Value) -> Option<Vec<String>> {
    if let Some(text) = value.as_str() {
        return Some(vec![text.to_owned()]);
    }
    value.as_slice()?.iter().map(|own| own.as_str().map(str::to_owned)).collect()
}

/// A value as a type, if there is one.
fn converted(value: &Value, ty: Option<&TypeConstraint>) -> Result<Value, String> {
    ty.map_or_else(|| Ok(value.clone()), |ty| ty.convert(value).map_err(|why| why.to_string()))
}

/// The value of a parameter from a command line.
pub(crate) fn value_of_text(text: &str, ty: Option<&TypeConstraint>) -> Result<Value, String> {
    let whole = |value: &Value| converted(value, ty);
    let parsed = Expression::parse(text).and_then(|own| own.evaluate(&Context::new()));
    match parsed {
        Ok(value) => whole(&value).or_else(|why| whole(&Value::from(text)).map_err(|_| why)),
        Err(_) => whole(&Value::from(text)),
    }
}

/// The names in a part of a file.
#[derive(Default)]
struct NamesIn<'d> {
    all: HashSet<&'d str>,
    /// Those after dots.
    attributes: BTreeSet<String>,
    /// Whether `item` is used as a whole.
    has_whole_item: bool,
    /// Those after `self` and `parent`.
    parts: BTreeSet<String>,
    /// Whether `self` or `parent` is used as a whole.
    has_whole_block: bool,
}

impl<'d> NamesIn<'d> {
    fn of(document: &'d Document, part: Span) -> Self {
        let (tokens, source) = (document.tokens(), document.source());
        let (mut first, mut last) = (0, tokens.len() as u32);
        while first < last {
            let middle = first + (last - first) / 2;
            if tokens.span(middle).start < part.start { first = middle + 1 } else { last = middle }
        }
        let mut found = Self::default();
        let (mut after_dot, mut after_item) = (false, false);
        // After `self` or `parent`, and after the dot that follows it.
        let (mut after_block, mut after_block_dot) = (false, false);
        for at in (first..tokens.len() as u32).take_while(|at| tokens.span(*at).start < part.end) {
            let is_dot = tokens.kind(at) == TokenKind::Dot;
            let is_name = tokens.kind(at) == TokenKind::Identifier;
            found.has_whole_item |= after_item && !is_dot;
            found.has_whole_block |= after_block && !is_dot || after_block_dot && !is_name;
            if after_block_dot && is_name {
                found.parts.insert(source.slice(tokens.span(at)).to_owned());
            }
            after_block_dot = after_block && is_dot;
            (after_item, after_block) = (false, false);
            if is_name {
                let name = source.slice(tokens.span(at));
                found.all.insert(name);
                if after_dot {
                    found.attributes.insert(name.to_owned());
                }
                after_item = name == "item" && !after_dot;
                after_block = matches!(name, "self" | "parent") && !after_dot;
            }
            after_dot = is_dot;
        }
        found
    }
}

/// A block with its braces.
fn whole(block: &Block) -> Span {
    Span::new(block.type_span.start, block.close_span.end)
}

impl FileScope {
    /// The context of the rules of a file.
    pub(super) fn context(&self) -> Context {
        let make = || self.make(&[]).map(|(ready, _)| ready).unwrap_or_default();
        self.ready.get_or_init(make).context()
    }

    /// The context with the parameters of a test.
    ///
    /// # Errors
    /// A parameter is unknown or has the wrong type.
    pub(super) fn with_params(&self, params: &[(String, Value)]) -> Result<Ready, String> {
        for (name, _) in params {
            if !self.parameters.iter().any(|own| own.name == *name) {
                let near = nearest_name(name, self.parameters.iter().map(|own| own.name.as_str()));
                return Err(format!("there is no parameter `{name}`{}", or_did_you_mean(near)));
            }
        }
        self.make(params).map(|(ready, _)| ready)
    }

    fn make(&self, params: &[(String, Value)]) -> Result<(Ready, Diagnostics), String> {
        let mut values = Vec::new();
        for own in &self.parameters {
            let given = params.iter().find(|(name, _)| *name == own.name).map(|(_, value)| value);
            let value = match (given, &own.ty) {
                (Some(value), Some(ty)) => ty
                    .convert(value)
                    .map_err(|why| format!("the parameter `{}` is wrong: {why}", own.name))?,
                (Some(value), None) => value.clone(),
                (None, _) => own.value.clone(),
            };
            values.push((own.name.clone(), value));
        }
        let mut found = Diagnostics::new();
        let mut scope = Scope::new();
        for (name, expression) in &self.locals {
            if let Err(own) = scope.define(["local", name.as_str()], expression.clone()) {
                found.append(own);
            }
        }
        let ready = Ready::default();
        let weak = Arc::downgrade(&ready.0);
        let context = move || {
            let own = Weak::upgrade(&weak);
            own.and_then(|own| own.get().cloned()).unwrap_or_default()
        };
        let mut functions = library();
        for body in &self.functions {
            let ((own, _), problems) = user_functions(body, "function", context.clone());
            found.append(problems);
            functions.extend(own.iter().map(|(name, callable)| (name.to_owned(), callable.clone())));
        }
        let mut context = Context::new().with_functions(functions).with("param", Value::object(values));
        if !self.locals.is_empty() {
            context = context.with_scope(scope);
        }
        let _ = ready.0.set(context);
        Ok((ready, found))
    }

    /// Reports names that are defined twice, and errors in local values and functions.
    fn check(&self) -> Result<(), Diagnostics> {
        let (ready, mut found) = self.make(&[]).unwrap_or_default();
        if found.is_empty() {
            for (_, expression) in &self.locals {
                if let Err(own) = expression.evaluate(&ready.context()) {
                    found.append(own);
                }
            }
        }
        let found = found.distinct();
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    /// A context in which nothing about the match is known.
    fn open_context(&self) -> Context {
        let mut context = self.context().child();
        let item = ITEM.map(|name| (name, Value::unknown(type_of_item(name))));
        context.set("item", Value::object(item));
        context.set("self", Value::DYNAMIC);
        context.set("parent", Value::DYNAMIC);
        context.set(
            "module",
            Value::object([("blocks", Value::DYNAMIC), ("files", Value::unknown(Type::list(Type::String)))]),
        );
        context
    }
}
