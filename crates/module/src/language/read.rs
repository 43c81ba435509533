//! Reading the table of a language.

use std::sync::Arc;

use hclkit_model::{Attribute, Block, Body, Content, Context, Diagnostics, Schema, constraint_of};
use hclkit_syntax::{Diagnostic, Place, Source};
use hclkit_value::{Name, Str, Type, Value};

use super::{
    BlockRule, Given, Keywords, Language, NestedRole, NestedRule, ObjectRule, Over, Part, Repeat, Role,
    Statement,
};
use crate::messages::table;
use crate::version::Version;

pub(super) const ROLES: [(&str, Role); 10] = [
    ("input", Role::Input),
    ("inputs", Role::Inputs),
    ("values", Role::Values),
    ("value", Role::Value),
    ("result", Role::Result),
    ("call", Role::Call),
    ("object", Role::Object),
    ("check", Role::Check),
    ("build", Role::Build),
    ("settings", Role::Settings),
];

const NESTED_ROLES: [(&str, NestedRole); 5] = [
    ("condition", NestedRole::Condition),
    ("group", NestedRole::Group),
    ("ignored", NestedRole::Ignored),
    ("opaque", NestedRole::Opaque),
    ("constant", NestedRole::Constant),
];

const GIVEN: [(&str, Given); 5] = [
    ("module directory", Given::ModuleDirectory),
    ("root directory", Given::RootDirectory),
    ("current directory", Given::CurrentDirectory),
    ("workspace", Given::Workspace),
    ("unknown", Given::Unknown),
];

const STATEMENTS: [(&str, Statement); 3] =
    [("move", Statement::Move), ("removal", Statement::Removal), ("import", Statement::Import)];

const OVER: [(&str, Over); 3] =
    [("number", Over::Number), ("elements", Over::Elements), ("condition", Over::Condition)];

/// Reads a table. It can extend a built-in language: settings that it omits are inherited, and its blocks replace
/// those of the same type.
pub(super) fn read(table: Source, known: &[Arc<Language>]) -> Result<Language, Diagnostics> {
    let (body, diagnostics) = Body::parse(table);
    let mut reader = Reader { diagnostics };
    let language = reader.language(&body, known);
    if reader.diagnostics.has_errors() { Err(reader.diagnostics) } else { Ok(language) }
}

struct Reader {
    diagnostics: Diagnostics,
}

impl Reader {
    fn language(&mut self, body: &Body, known: &[Arc<Language>]) -> Language {
        let schema = ["extends", "functions", "files", "overrides", "installed", "given", "impure"];
        let schema = schema.into_iter().chain([
            "replaced",
            "readers",
            "computed_sources",
            "sensitive_results",
            "complete_references",
            "bare_keywords",
            "wildcards",
            "tests",
            "versions",
            "built_in",
        ]);
        let schema = schema.fold(Schema::new().with_required("name"), Schema::with_optional);
        let schema = schema
            .with_block("inputs", &[])
            .with_block("repeat", &["attribute"])
            .with_block("block", &["type"])
            .with_block("nested", &["type"])
            .with_block("object", &["block", "type"]);
        let content = self.diagnostics.absorb(body.content(&schema));
        let base = self.text(&content, "extends").and_then(|name| {
            let found = known.iter().find(|language| language.name == name);
            if found.is_none() {
                self.invalid(&content, "extends", table::unknown_language());
            }
            found
        });
        let mut language = base.map(|base| (**base).clone()).unwrap_or_default();
        if let Some(name) = self.text(&content, "name") {
            language.name = name;
        }
        if let Some(functions) = self.text(&content, "functions") {
            language.functions = functions;
        }
        if let Some(installed) = self.text(&content, "installed") {
            language.installed = Some(installed);
        }
        if let Some(versions) = self.texts(&content, "versions") {
            language.versions = match &versions[..] {
                [first, last] => Version::parse(first).zip(Version::parse(last)),
                _ => None,
            };
            if language.versions.is_none() {
                self.invalid(&content, "versions", table::versions_required());
            }
        }
        if let Some(beginning) = self.text(&content, "built_in") {
            language.built_in = Some(beginning);
        }
        self.texts_into(&content, "files", &mut language.files);
        self.texts_into(&content, "overrides", &mut language.overrides);
        if let Some(ends) = self.value(&content, "replaced") {
            let text = |(end, other): (&Str, &Value)| Some((end.to_string(), other.as_str()?.to_owned()));
            language.replaced = ends.entries().into_iter().flatten().filter_map(text).collect();
        }
        self.names_into(&content, "impure", &mut language.impure);
        self.names_into(&content, "readers", &mut language.readers);
        if let Some(flag) = self.flag(&content, "computed_sources") {
            language.computed_sources = flag;
        }
        if let Some(flag) = self.flag(&content, "sensitive_results") {
            language.sensitive_results = flag;
        }
        if let Some(flag) = self.flag(&content, "complete_references") {
            language.complete_references = flag;
        }
        if let Some(flag) = self.flag(&content, "bare_keywords") {
            language.bare_keywords = flag;
        }
        if let Some(flag) = self.flag(&content, "wildcards") {
            language.wildcards = flag;
        }
        if let Some(name) = self.text(&content, "tests") {
            language.tests = Some(name);
        }
        if content.attributes.get("given").is_some() {
            language.given = self.given(&content);
        }
        for block in content.blocks_of("inputs") {
            let inputs = self.content(
                block,
                &["environment", "files", "typed_by_default", "exact_types", "options_last", "functions"],
            );
            let mut flag = |name| self.flag(&inputs, name).unwrap_or_default();
            language.typed_by_default = flag("typed_by_default");
            language.exact_types = flag("exact_types");
            language.options_last = flag("options_last");
            language.default_functions = self.names(&inputs, "functions");
            language.environment = self.text(&inputs, "environment");
            self.texts_into(&inputs, "files", &mut language.input_files);
        }
        for block in content.blocks_of("repeat") {
            let repeat = self.repeat(block);
            replace(&mut language.repeats, repeat, |it| it.attribute.clone());
        }
        for block in content.blocks_of("block") {
            let rule = self.block(block);
            replace(&mut language.blocks, rule, |it| it.block_type.clone());
        }
        for block in content.blocks_of("nested") {
            let rule = self.nested(block);
            replace(&mut language.nested, rule, |it| it.block_type.clone());
        }
        for block in content.blocks_of("object") {
            let rule = self.object(block);
            replace(&mut language.objects, rule, |it| (it.block_type.clone(), it.object_type.clone()));
        }
        language
    }

    fn repeat(&mut self, block: &Block) -> Repeat {
        let content = self.content(block, &["over", "key", "value"]);
        Repeat {
            attribute: block.labels[0].clone(),
            over: self.choice(&content, "over", &OVER).unwrap_or(Over::Elements),
            key: self.text(&content, "key").map(|name| path(&name)).unwrap_or_default(),
            value: self.text(&content, "value").map(|name| path(&name)),
        }
    }

    fn block(&mut self, block: &Block) -> BlockRule {
        let all = [
            "role",
            "labels",
            "defines",
            "also",
            "attributes",
            "required",
            "meta",
            "static",
            "blocks",
            "repeat",
            "references",
            "constraints",
            "constants",
            "keywords",
            "single",
            "unique",
            "once",
            "refused",
            "binds",
            "reserved",
            "value",
            "statement",
        ];
        let content = self.content(block, &all);
        let labels = self.texts(&content, "labels").unwrap_or_default();
        let known = content.attributes.get("attributes").is_some();
        BlockRule {
            block_type: block.labels[0].clone(),
            role: self.choice(&content, "role", &ROLES).unwrap_or(Role::Settings),
            defines: self.defines(&content, "defines", &labels),
            also: self.defines(&content, "also", &labels),
            labels,
            attributes: known.then(|| self.names(&content, "attributes")),
            required: self.names(&content, "required"),
            meta: self.names(&content, "meta"),
            fixed: self.names(&content, "static"),
            blocks: self.names(&content, "blocks"),
            repeat: self.names(&content, "repeat"),
            references: self.names(&content, "references"),
            constraints: self.names(&content, "constraints"),
            constants: self.types(&content, "constants"),
            keywords: self.keywords(&content),
            single: self.names(&content, "single"),
            unique: self.names(&content, "unique"),
            once: self.names(&content, "once"),
            refused: self.names(&content, "refused"),
            binds: self.names(&content, "binds"),
            reserved: self.names(&content, "reserved"),
            value: Name::from(self.text(&content, "value").unwrap_or_else(|| "value".to_owned())),
            statement: self.choice(&content, "statement", &STATEMENTS),
        }
    }

    /// The parts of a name such as `data.{type}.{name}`.
    fn defines(&mut self, content: &Content, attribute: &str, labels: &[String]) -> Vec<Part> {
        let defines = self.text(content, attribute).unwrap_or_default();
        let part = |part: &str| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some("attribute") => Some(Part::Attribute),
            Some(label) => labels.iter().position(|own| own == label).map(Part::Label),
            None => Some(Part::Name(Name::from(part))),
        };
        let parts: Vec<_> = defines.split('.').filter(|it| !it.is_empty()).map(part).collect();
        if parts.contains(&None) {
            self.invalid(content, attribute, table::unknown_label());
        }
        parts.into_iter().flatten().collect()
    }

    fn nested(&mut self, block: &Block) -> NestedRule {
        let all = [
            "role",
            "labels",
            "types",
            "removed",
            "defines",
            "blocks",
            "attributes",
            "static",
            "keywords",
            "references",
            "binds",
            "warns",
            "repeat",
        ];
        let content = self.content(block, &all);
        let warns = self.value(&content, "warns").and_then(|value| value.as_bool());
        let known = content.attributes.get("attributes").is_some();
        let labels = self.texts(&content, "labels").unwrap_or_default();
        NestedRule {
            block_type: block.labels[0].clone(),
            defines: self.defines(&content, "defines", &labels),
            labels,
            types: content.attributes.get("types").map(|_| self.names(&content, "types")),
            removed: self.names(&content, "removed"),
            role: self.choice(&content, "role", &NESTED_ROLES).unwrap_or(NestedRole::Ignored),
            blocks: self.names(&content, "blocks"),
            attributes: known.then(|| self.names(&content, "attributes")),
            fixed: self.names(&content, "static"),
            keywords: self.keywords(&content),
            references: self.names(&content, "references"),
            binds: self.text(&content, "binds").map(Name::from),
            repeat: self.names(&content, "repeat"),
            warns: warns.unwrap_or_default(),
        }
    }

    fn object(&mut self, block: &Block) -> ObjectRule {
        let content = self.content(block, &["arguments", "required", "unknown", "same"]);
        let same = self.items(&content, "same").into_iter();
        let same = same.filter_map(|(key, other)| Some((key, Name::from(literal(&other)?.as_str()?))));
        ObjectRule {
            block_type: block.labels[0].clone(),
            object_type: block.labels[1].clone(),
            arguments: self.names(&content, "arguments"),
            required: self.names(&content, "required"),
            unknown: self.types(&content, "unknown"),
            same: same.collect(),
        }
    }

    /// Names with types.
    fn types(&mut self, content: &Content, name: &str) -> Vec<(Name, Type)> {
        let items = self.items(content, name).into_iter();
        let mut of = |ty| {
            constraint_of(&ty).unwrap_or_else(|found| {
                self.diagnostics.append(found);
                Type::Dynamic
            })
        };
        items.map(|(key, ty)| (key, of(ty))).collect()
    }

    /// Attributes with lists of keywords.
    fn keywords(&mut self, content: &Content) -> Vec<Keywords> {
        let items = self.items(content, "keywords").into_iter();
        let word = |word: &Value| word.as_str().map(Name::from);
        let words = |list: &hclkit_model::Expression| {
            Some(literal(list)?.as_slice()?.iter().filter_map(word).collect())
        };
        items.filter_map(|(key, list)| Some((key, words(&list)?))).collect()
    }

    fn given(&mut self, content: &Content) -> Vec<(Vec<Name>, Given)> {
        let mut found = Vec::new();
        for (key, value) in self.items(content, "given") {
            let value = literal(&value);
            let given = value.as_ref().and_then(Value::as_str);
            match GIVEN.iter().find(|(name, _)| Some(*name) == given) {
                Some((_, given)) => found.push((path(&key), *given)),
                None => self.invalid(
                    content,
                    "given",
                    table::unknown_choice(GIVEN.iter().map(|(choice, _)| *choice)),
                ),
            }
        }
        found
    }

    fn content(&mut self, block: &Block, attributes: &[&str]) -> Content {
        let schema = attributes.iter().fold(Schema::new(), |schema, name| schema.with_optional(*name));
        self.diagnostics.absorb(block.body.content(&schema))
    }

    fn value(&mut self, content: &Content, name: &str) -> Option<Value> {
        let attribute = content.attributes.get(name)?;
        Some(self.diagnostics.absorb(attribute.expression.evaluate_lenient(&Context::new())))
    }

    fn flag(&mut self, content: &Content, name: &str) -> Option<bool> {
        self.value(content, name).map(|value| value.as_bool().unwrap_or_default())
    }

    fn text(&mut self, content: &Content, name: &str) -> Option<String> {
        let value = self.value(content, name)?;
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.invalid(content, name, table::string_required());
        }
        text
    }

    fn texts(&mut self, content: &Content, name: &str) -> Option<Vec<String>> {
        let value = self.value(content, name)?;
        let texts = value.as_slice().and_then(|items| {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        });
        if texts.is_none() {
            self.invalid(content, name, table::strings_required());
        }
        texts
    }

    fn texts_into(&mut self, content: &Content, name: &str, texts: &mut Vec<String>) {
        if let Some(found) = self.texts(content, name) {
            *texts = found;
        }
    }

    fn names(&mut self, content: &Content, name: &str) -> Vec<Name> {
        self.texts(content, name).unwrap_or_default().into_iter().map(Name::from).collect()
    }

    fn names_into(&mut self, content: &Content, name: &str, names: &mut Vec<Name>) {
        if content.attributes.get(name).is_some() {
            *names = self.names(content, name);
        }
    }

    fn items(&mut self, content: &Content, name: &str) -> Vec<(Name, hclkit_model::Expression)> {
        let Some(attribute) = content.attributes.get(name) else { return Vec::new() };
        let items = attribute.expression.static_map().unwrap_or_else(|found| {
            self.diagnostics.append(found);
            Vec::new()
        });
        let key = |key: &hclkit_model::Expression| {
            key.static_keyword().or_else(|| literal(key)?.as_str().map(Name::from))
        };
        items.into_iter().filter_map(|(name, value)| Some((key(&name)?, value))).collect()
    }

    fn choice<T: Copy>(&mut self, content: &Content, name: &str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(content, name)?;
        let found = choices.iter().find(|(choice, _)| *choice == text);
        if found.is_none() {
            self.invalid(content, name, table::unknown_choice(choices.iter().map(|(choice, _)| *choice)));
        }
        found.map(|(_, choice)| *choice)
    }

    fn invalid(&mut self, content: &Content, name: &str, error: Diagnostic) {
        let place = |attribute: &Attribute| attribute.expression.place();
        let place: Place = content.attributes.get(name).map_or_else(|| content.missing_item.clone(), place);
        self.diagnostics.push(error.at(place));
    }
}

fn literal(expression: &hclkit_model::Expression) -> Option<Value> {
    expression.evaluate(&Context::new()).ok()
}

/// Replaces the rule with the same key, or adds one.
fn replace<T, K: PartialEq>(rules: &mut Vec<T>, rule: T, key: impl Fn(&T) -> K) {
    match rules.iter().position(|other| key(other) == key(&rule)) {
        Some(at) => rules[at] = rule,
        None => rules.push(rule),
    }
}

fn path(name: &str) -> Vec<Name> {
    name.split('.').map(Name::from).collect()
}
