//! What a module offers and needs, for its documentation and for a schema of its variables: the declarations of one directory.
//! Nothing is evaluated but defaults, and the modules that it calls are not read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::sync::Arc;

use hclkit_dialect::{Constraints, Dialect, Role, is_local_source};
use hclkit_model::{
    Attribute, Block, BodyItem, Context, Expression, Schema, TypeConstraint, Withheld, shown_source,
};
use hclkit_syntax::{Diagnostics, Document, Place, Source};
use hclkit_value::Value;

use crate::config::{Condition, Config, Content, Input, Item, Loading, Target};
use crate::files::{Files, join};
use crate::inputs::RootInputs;
use crate::load::ModuleLoader;
use crate::provider_name::Named;
use crate::schema::{LOCK_FILE, locked_versions};

/// The blocks that list what a module requires, in the block `terraform` or `packer`.
const REQUIREMENTS: [&str; 2] = ["required_providers", "required_plugins"];

/// The address of the registry in lock files, before the source of a provider.
const REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// The provider that is part of the program and has no page in the registry.
const BUILT_IN: &str = "terraform";

/// The file whose first comment is about the whole module.
const MAIN: &str = "main.tf";

/// The comment before a block that documentation leaves out.
const IGNORED: &str = "terraform-docs-ignore";

/// What a module offers and needs. Blocks after a comment with `terraform-docs-ignore` are left out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The language.
    pub language: Arc<Dialect>,
    /// The input variables, in source order, as all others.
    pub inputs: Vec<InputSummary>,
    /// The results.
    pub outputs: Vec<OutputSummary>,
    /// The calls of other modules.
    pub calls: Vec<CallSummary>,
    /// The resources, data sources, and other objects.
    pub objects: Vec<ObjectSummary>,
    /// The configurations of providers that the objects use, each once.
    pub providers: Vec<ProviderSummary>,
    /// What it requires of the program and of providers: names with constraints on the version.
    pub requirements: Vec<RequirementSummary>,
    /// The file `main.tf`, if there is one. A comment at its start is the header of the documentation.
    pub main: Option<Arc<Source>>,
    /// The errors and warnings of the files.
    pub diagnostics: Diagnostics,
    /// The errors of files that cannot be read or parsed. Declarations are missing because of them.
    pub broken: Diagnostics,
}

/// An input variable.
#[derive(Clone)]
#[non_exhaustive]
pub struct InputSummary {
    /// The name.
    pub name: String,
    /// The type as written. Values in it that must not be shown are left out.
    pub type_text: Option<String>,
    /// The type, if it is valid.
    pub constraint: Option<TypeConstraint>,
    /// The description.
    pub description: Option<String>,
    /// The comment before the block.
    pub comment: Option<String>,
    /// The default, or nothing if the variable must be set.
    pub default: Option<DefaultSummary>,
    /// Whether the value may be null.
    pub nullable: bool,
    /// Whether it is declared as sensitive.
    pub sensitive: bool,
    /// Whether it is declared as ephemeral.
    pub ephemeral: bool,
    /// What to use instead, if it is deprecated.
    pub deprecated: Option<String>,
    /// The conditions of its validations, with their messages.
    pub validations: Vec<(Expression, Option<String>)>,
    /// Where it is declared.
    pub place: Place,
}

/// The name. Values, which may be secret, are left out.
impl fmt::Debug for InputSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputSummary").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The default of a variable.
#[derive(Clone)]
#[non_exhaustive]
pub enum DefaultSummary {
    /// Its value as written, before it is converted to the type.
    Value(Value),
    /// Its source, because it calls functions.
    Source(String),
    /// It must not be shown.
    Withheld,
}

/// A result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutputSummary {
    /// The name.
    pub name: String,
    /// The description.
    pub description: Option<String>,
    /// The comment before the block.
    pub comment: Option<String>,
    /// Whether it is declared as sensitive.
    pub sensitive: bool,
    /// Whether it is declared as ephemeral.
    pub ephemeral: bool,
    /// What to use instead, if it is deprecated.
    pub deprecated: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

/// A call of a module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CallSummary {
    /// The name.
    pub name: String,
    /// The source without `ref` and without passwords.
    pub source: String,
    /// The constraint on the version, or the `ref` of the source.
    pub version: Option<String>,
    /// The comment before the block.
    pub comment: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

/// A resource, a data source or another object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ObjectSummary {
    /// The type of the block: `resource`, `data`, `ephemeral`, `source`, `target`.
    pub block_type: String,
    /// The type of the object, such as `aws_instance`. Empty if there is none.
    pub object_type: String,
    /// The name.
    pub name: String,
    /// The local name of its provider.
    pub provider: Option<String>,
    /// The source of the provider, such as `hashicorp/aws`, if it is in the public registry.
    pub provider_source: Option<String>,
    /// The exact version of the provider, if only one is allowed.
    pub provider_version: Option<String>,
    /// The comment before the block.
    pub comment: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

/// A configuration of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderSummary {
    /// The local name.
    pub name: String,
    /// The alias.
    pub alias: Option<String>,
    /// The locked version, or else the constraints.
    pub version: Option<String>,
    /// Where it is used first.
    pub place: Place,
}

/// A constraint on the version of the program or of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequirementSummary {
    /// The name.
    pub name: String,
    /// The source of the provider.
    pub source: Option<String>,
    /// The constraint.
    pub version: Option<String>,
    /// Whether it is one on the version of the program itself.
    pub of_program: bool,
}

impl ModuleLoader {
    /// Returns what the module in the directory of the loader offers and needs. Modules that it calls are not read. `uses_locks` says
    /// whether the lock file names the versions of providers.
    ///
    /// ```
    /// use hclkit_module::{Dialect, Memory, ModuleLoader};
    ///
    /// let text = "variable \"zone\" {\n  type    = string\n  default = \"a\"\n}\n\n# All names.\noutput \"names\" {\n  value = []\n}\n";
    /// let loader = ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter([("main.tf", text)]));
    /// let summary = loader.summary(false);
    /// assert_eq!(summary.inputs[0].type_text.as_deref(), Some("string"));
    /// assert_eq!(summary.outputs[0].comment.as_deref(), Some("All names."));
    /// ```
    pub fn summary(&self, uses_locks: bool) -> Summary {
        let files = OneDirectory(self.files.clone());
        let outside = RootInputs::default();
        let mut loading = Loading::new(&self.language, &files, &outside, self.functions(), self.sources());
        let config = loading.directory("", self.only.as_deref(), &[]);
        let mut locked = BTreeMap::new();
        if uses_locks && let Ok(text) = files.read(LOCK_FILE) {
            locked = locked_versions(Source::new(files.name(LOCK_FILE), text));
        }
        Reading { language: &self.language, config: &config, locked, required: BTreeMap::new() }.summary()
    }
}

/// The files of one directory. Modules that are called elsewhere are unknown.
#[derive(Debug)]
struct OneDirectory(Arc<dyn Files>);

impl OneDirectory {
    fn only(path: &str) -> io::Result<()> {
        if path.contains('/') { Err(io::ErrorKind::Unsupported.into()) } else { Ok(()) }
    }
}

impl Files for OneDirectory {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        if directory.is_empty() { self.0.list("") } else { Err(io::ErrorKind::Unsupported.into()) }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        Self::only(path)?;
        self.0.read(path)
    }

    fn read_for(&self, root: &str, path: &str) -> io::Result<Vec<u8>> {
        Self::only(&join(root, path))?;
        self.0.read_for(root, path)
    }

    fn parsed(&self, path: &str) -> Option<Document> {
        self.0.parsed(path)
    }

    fn target(&self, directory: &str, language: &Dialect) -> Option<Target> {
        self.0.target(directory, language)
    }

    fn is_completed(&self, directory: &str) -> bool {
        self.0.is_completed(directory)
    }

    fn name(&self, path: &str) -> String {
        self.0.name(path)
    }
}

struct Reading<'r> {
    language: &'r Arc<Dialect>,
    config: &'r Config,
    /// The versions in the lock file, by the addresses of providers.
    locked: BTreeMap<String, String>,
    /// The sources and constraints of providers, by their local names.
    required: BTreeMap<String, (Option<String>, Vec<String>)>,
}

impl Reading<'_> {
    fn summary(mut self) -> Summary {
        let requirements = self.requirements();
        let mut summary = Summary {
            language: self.language.clone(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            calls: Vec::new(),
            objects: Vec::new(),
            providers: Vec::new(),
            requirements,
            main: self.config.files.iter().find(|(path, _)| path == MAIN).map(|(_, body)| body.source()),
            diagnostics: self.config.diagnostics.clone(),
            broken: self.config.broken.clone(),
        };
        let mut seen = BTreeSet::new();
        for item in self.config.items.iter().filter(|item| !is_ignored(item)) {
            match &item.content {
                Content::Input(input) => summary.inputs.push(Self::input(item, input)),
                Content::Output(output) if item.rule.role == Role::Result => {
                    summary.outputs.push(OutputSummary {
                        name: item.own_name().to_owned(),
                        description: text(item, "description"),
                        comment: comment(&item.block).filter(|_| !output.hidden),
                        sensitive: output.hidden && !output.ephemeral || output.sensitive,
                        ephemeral: output.ephemeral,
                        deprecated: output.deprecated.clone(),
                        place: item.place(),
                    });
                }
                Content::Call(_) => summary.calls.extend(call(item)),
                Content::Object(_) => {
                    let named = Named::of_object(item).filter(|_| self.has_providers());
                    if let Some(named) = named.filter(|named| named.name() != BUILT_IN) {
                        let name = (named.name().to_owned(), named.alias().map(str::to_owned));
                        if seen.insert(name.clone()) {
                            let version = self.version(&name.0);
                            summary.providers.push(ProviderSummary {
                                name: name.0,
                                alias: name.1,
                                version,
                                place: item.place(),
                            });
                        }
                    }
                    summary.objects.push(self.object(item));
                }
                _ => {}
            }
        }
        summary
    }

    /// Whether objects belong to providers.
    fn has_providers(&self) -> bool {
        self.language.block("provider").is_some()
    }

    fn input(item: &Item, input: &Input) -> InputSummary {
        // A variable can also be an attribute of a block, which says nothing else about it.
        let own = (item.block.block_type == item.rule.block_type).then_some(item);
        let ty = own.and_then(|item| item.block.body.attribute("type"));
        let default = input.default_expression.as_ref();
        let default = default.map(|own| default_of(own, input.hidden, input.default.as_ref()));
        InputSummary {
            name: item.own_name().to_owned(),
            type_text: ty.map(|own| type_text(&own.expression, input.hidden)),
            constraint: input.constraint.clone(),
            description: own.and_then(|item| text(item, "description")),
            // A comment may have an old value.
            comment: own.filter(|_| !input.hidden).and_then(|item| comment(&item.block)),
            default,
            nullable: input.nullable,
            // What may be meant to hide a value hides it.
            sensitive: input.sensitive || input.hidden && !input.ephemeral,
            ephemeral: input.ephemeral,
            deprecated: input.deprecated.clone(),
            validations: item.conditions.iter().map(validation).collect(),
            place: item.place(),
        }
    }

    fn object(&self, item: &Item) -> ObjectSummary {
        let named = Named::of_object(item).filter(|_| self.has_providers());
        let provider = named.map(|named| named.name().to_owned());
        let source = provider.as_deref().and_then(|name| self.registry_source(name));
        let version = provider.as_deref().and_then(|name| self.exact_version(name));
        let object_type = match &item.labels[..] {
            [.., ty, _] => ty.to_string(),
            _ => String::new(),
        };
        ObjectSummary {
            block_type: item.rule.block_type.to_string(),
            object_type,
            name: item.own_name().to_owned(),
            provider,
            provider_source: source,
            provider_version: version,
            comment: comment(&item.block),
            place: item.place(),
        }
    }

    /// The source of a provider, if it is one of the public registry.
    fn registry_source(&self, name: &str) -> Option<String> {
        if name == BUILT_IN {
            return None;
        }
        match self.required.get(name).and_then(|(source, _)| source.as_deref()) {
            Some(source) => {
                let own = REGISTRIES.iter().find_map(|host| source.strip_prefix(host)?.strip_prefix('/'));
                let source = own.unwrap_or(source);
                (source.split('/').count() == 2).then(|| source.to_owned())
            }
            None => Some(format!("hashicorp/{name}")),
        }
    }

    fn locked_version(&self, name: &str) -> Option<String> {
        if self.locked.is_empty() {
            return None;
        }
        let source = self.required.get(name).and_then(|(source, _)| source.clone());
        let source = source.unwrap_or_else(|| format!("hashicorp/{name}"));
        let registry = |host: &&str| self.locked.get(&format!("{host}/{source}"));
        self.locked.get(&source).or_else(|| REGISTRIES.iter().find_map(registry)).cloned()
    }

    /// The locked version of a provider, or else its constraints.
    fn version(&self, name: &str) -> Option<String> {
        self.locked_version(name).or_else(|| {
            let all = &self.required.get(name)?.1;
            (!all.is_empty()).then(|| all.join(" "))
        })
    }

    /// The version of a provider, if it is the only one.
    fn exact_version(&self, name: &str) -> Option<String> {
        self.locked_version(name).or_else(|| {
            let [only] = &self.required.get(name)?.1[..] else { return None };
            let version = only.trim().trim_start_matches('=').trim();
            let is_exact = version.starts_with(|first: char| first.is_ascii_digit())
                && !version.contains(',')
                && Constraints::parse(version).is_some();
            is_exact.then(|| version.to_owned())
        })
    }

    /// Reads what is required: first of the program, then of providers.
    fn requirements(&mut self) -> Vec<RequirementSummary> {
        let (mut program, mut others) = (Vec::new(), Vec::new());
        for item in &self.config.items {
            let Content::Settings(_) = &item.content else { continue };
            if item.rule.block_type == "provider" {
                if let Some(version) = text(item, "version") {
                    let name = item.own_name().to_owned();
                    self.required.entry(name.clone()).or_default().1.push(version.clone());
                    others.push(RequirementSummary {
                        name,
                        source: None,
                        version: Some(version),
                        of_program: false,
                    });
                }
                continue;
            }
            for own in crate::newer::of_program(item, self.language) {
                program.extend(string(&own.expression).map(|version| RequirementSummary {
                    name: self.program(),
                    source: None,
                    version: Some(version),
                    of_program: true,
                }));
            }
            let body = &item.block.body;
            let schema = REQUIREMENTS.iter().fold(Schema::new(), |all, name| all.with_block(*name, &[]));
            for block in body.partial_content(&schema).0.0.blocks {
                for own in block.body.items() {
                    if let BodyItem::Attribute(own) = own {
                        others.push(self.requirement(&own));
                    }
                }
            }
        }
        others.sort_by(|one, other| one.name.cmp(&other.name));
        program.into_iter().chain(others).collect()
    }

    /// The name of the program in a list of requirements.
    fn program(&self) -> String {
        match self.language.name() {
            "opentofu" => "terraform".to_owned(),
            name => name.to_owned(),
        }
    }

    fn requirement(&mut self, attribute: &Attribute) -> RequirementSummary {
        let name = attribute.name.to_string();
        let (mut source, mut version) = (None, None);
        match attribute.expression.static_map() {
            Ok(pairs) => {
                for pair in pairs {
                    let word = pair.0.static_keyword().map(|word| word.to_string());
                    match word.or_else(|| string(&pair.0)).as_deref() {
                        Some("source") => source = string(&pair.1),
                        Some("version") => version = string(&pair.1),
                        _ => {}
                    }
                }
            }
            // In old modules, the constraint is a string.
            Err(_) => version = string(&attribute.expression),
        }
        let source = source.map(|source| shown_source(&source).into_owned());
        let own = self.required.entry(name.clone()).or_default();
        own.0 = source.clone().or(own.0.take());
        own.1.extend(version.clone());
        RequirementSummary { name, source, version, of_program: false }
    }
}

/// Whether the comment before a block says that documentation leaves it out.
fn is_ignored(item: &Item) -> bool {
    comment(&item.block).is_some_and(|text| text.contains(IGNORED))
}

fn call(item: &Item) -> Option<CallSummary> {
    let source = item.block.body.attribute("source")?.expression;
    let shown = match string(&source) {
        Some(text) => shown_source(&text).into_owned(),
        None => Withheld::of_expression(&source).text(source.source(), source.span()).into_owned(),
    };
    let version = item.block.body.attribute("version").and_then(|own| string(&own.expression));
    let (mut shown, mut reference) = (shown, None);
    if !is_local_source(&shown)
        && let Some((before, query)) = shown.split_once('?')
    {
        let mut rest = Vec::new();
        for part in query.split('&') {
            match part.strip_prefix("ref=") {
                Some(found) => reference = Some(found.to_owned()),
                None => rest.push(part),
            }
        }
        if reference.is_some() {
            let rest = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
            shown = format!("{before}{rest}");
        }
    }
    Some(CallSummary {
        name: item.own_name().to_owned(),
        source: shown,
        version: version.or(reference),
        comment: comment(&item.block),
        place: item.place(),
    })
}

fn validation(condition: &Condition) -> (Expression, Option<String>) {
    (condition.expression.clone(), condition.message.as_ref().and_then(string))
}

/// The default of a variable, as written if it has a value without functions.
fn default_of(expression: &Expression, is_hidden: bool, typed: Option<&Value>) -> DefaultSummary {
    let plain = |value: &Value| !value.contains_marked() && value.is_wholly_known();
    let (value, found) = expression.evaluate_lenient(&Context::new());
    if is_hidden {
        // Nothing is no secret.
        let is_nothing = value.is_null()
            || value.as_str().is_some_and(str::is_empty)
            || value.as_slice().is_some_and(<[Value]>::is_empty)
            || value.entries().is_some_and(|mut all| all.next().is_none());
        return if is_nothing && !found.has_errors() {
            DefaultSummary::Value(value)
        } else {
            DefaultSummary::Withheld
        };
    }
    if !found.has_errors() {
        return if plain(&value) { DefaultSummary::Value(value) } else { DefaultSummary::Withheld };
    }
    if let Some(value) = typed.filter(|value| plain(value)) {
        return DefaultSummary::Value(value.clone());
    }
    let withheld = Withheld::of_expression(expression);
    DefaultSummary::Source(withheld.text(expression.source(), expression.span()).into_owned())
}

/// A type as written. Defaults of attributes are values of the variable.
fn type_text(expression: &Expression, is_hidden: bool) -> String {
    let mut withheld = Withheld::default();
    if let Some(json) = expression.json() {
        if is_hidden {
            withheld.add_json_type(json);
        }
        let withheld = withheld.sorted();
        return match json.as_string() {
            Some(text) if withheld.is_empty() => text.value().into_owned(),
            _ => withheld.text(expression.source(), expression.span()).trim_matches('"').to_owned(),
        };
    }
    // `"string"` is another way to write `string`.
    if let Some(word) = string(expression) {
        return word;
    }
    if let (true, Some(node)) = (is_hidden, expression.ast()) {
        withheld.add_type(node);
    }
    withheld.sorted().text(expression.source(), expression.span()).into_owned()
}

/// The text of an argument, if it is constant.
fn text(item: &Item, name: &str) -> Option<String> {
    string(&item.block.body.attribute(name)?.expression)
}

fn string(expression: &Expression) -> Option<String> {
    let (value, found) = expression.evaluate_lenient(&Context::new());
    let value = value.as_str().filter(|_| !found.has_errors())?;
    Some(value.to_owned())
}

/// The comments on the lines directly before a block, without their signs.
fn comment(block: &Block) -> Option<String> {
    let source = &block.source;
    let mut line = source.line_of(block.definition_span.start);
    let mut found: Vec<&str> = Vec::new();
    let mut is_inside = false;
    while line > 1 {
        line -= 1;
        let text = source.slice(source.line_span(line)).trim();
        if is_inside {
            is_inside = !text.starts_with("/*");
            found.push(text.trim_start_matches("/*").trim_start_matches('*').trim());
        } else if let Some(own) = text.strip_prefix("//").or_else(|| text.strip_prefix('#')) {
            found.push(own.trim_start_matches(['#', '/']).trim());
        } else if let Some(own) = text.strip_suffix("*/") {
            is_inside = !own.trim_start().starts_with("/*");
            // A comment at the end of the line of something else is about that.
            if is_inside && own.contains("/*") {
                break;
            }
            found.push(own.trim_start_matches("/*").trim_start_matches('*').trim());
        } else {
            break;
        }
    }
    found.reverse();
    let text = found.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}
