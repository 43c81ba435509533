//! Reading the table of a language.

use std::sync::{Arc, LazyLock};

use hclkit_model::{Attribute, Block, Body, Content, Context, Diagnostics, Schema, constraint_of};
use hclkit_syntax::{Diagnostic, Place, Source, Syntax};
use hclkit_value::{Name, Str, Type, Value};

use crate::blocks::{
    BlockRule, Builtin, Contents, Keywords, NestedRole, NestedRule, ObjectBlock, ObjectRule, Over, ROLES,
    Repeat, Role, Statement, StringNames, Strings,
};
use crate::dialect::{Dialect, FileRule, Formatted, built_in};
use crate::files::{FileKind, KINDS, Pattern};
use crate::help::{FunctionHelp, TAKES, Takes};
use crate::since::Since;
use crate::version::Version;
use crate::{AddressForm, NamePart};
use crate::{messages, settings};

const NESTED_ROLES: [(&str, NestedRole); 6] = [
    ("condition", NestedRole::Condition),
    ("group", NestedRole::Group),
    ("ignored", NestedRole::Ignored),
    ("opaque", NestedRole::Opaque),
    ("constant", NestedRole::Constant),
    ("early", NestedRole::Early),
];

const CONTENTS: [(&str, Contents); 3] =
    [("listed", Contents::Listed), ("open", Contents::Open), ("attributes", Contents::Attributes)];

const SYNTAXES: [(&str, Syntax); 2] = [("native", Syntax::Native), ("hcl1", Syntax::Hcl1)];

const STRINGS: [(&str, Strings); 3] =
    [("templates", Strings::Templates), ("text", Strings::Text), ("source", Strings::Source)];

const BUILTINS: [(&str, Builtin); 6] = [
    ("module directory", Builtin::ModuleDirectory),
    ("root directory", Builtin::RootDirectory),
    ("current directory", Builtin::CurrentDirectory),
    ("workspace", Builtin::Workspace),
    ("unknown", Builtin::Unknown),
    ("ephemeral bool", Builtin::EphemeralBool),
];

const STATEMENTS: [(&str, Statement); 3] =
    [("move", Statement::Move), ("removal", Statement::Removal), ("import", Statement::Import)];

const OVER: [(&str, Over); 3] =
    [("number", Over::Number), ("elements", Over::Elements), ("condition", Over::Condition)];

fn schema(attributes: &[&str]) -> Schema {
    attributes.iter().fold(Schema::new(), |schema, name| schema.with_optional(*name))
}

/// What a `block` has.
static BLOCK: LazyLock<Schema> = LazyLock::new(|| {
    schema(&[
        "role",
        "labels",
        "defines",
        "long_name",
        "attributes",
        "required",
        "meta",
        "static",
        "blocks",
        "contents",
        "repeat",
        "references",
        "constraints",
        "constants",
        "keywords",
        "strings",
        "first",
        "last",
        "single",
        "unique",
        "once",
        "refused",
        "one_of",
        "final",
        "final_parts",
        "binds",
        "reserved",
        "value",
        "statement",
        "any_name",
        "called",
        "not_blank",
    ])
});

/// What a `nested` block has.
static NESTED: LazyLock<Schema> = LazyLock::new(|| {
    schema(&[
        "in",
        "role",
        "labels",
        "contents",
        "types",
        "removed",
        "defines",
        "blocks",
        "attributes",
        "required",
        "lists",
        "static",
        "constraints",
        "constants",
        "keywords",
        "strings",
        "references",
        "binds",
        "under",
        "as_written",
        "warns",
        "repeat",
        "refused",
        "final_parts",
        "argument_types",
    ])
});

/// Reads a table. It can extend a built-in language: settings that it omits are inherited, and its blocks replace
/// those of the same type.
pub(super) fn read(table: Source) -> Result<Dialect, Diagnostics> {
    let (body, diagnostics) = Body::parse(table);
    let mut reader = Reader { diagnostics };
    let dialect = reader.dialect(&body);
    if reader.diagnostics.has_errors() { Err(reader.diagnostics) } else { Ok(dialect) }
}

struct Reader {
    diagnostics: Diagnostics,
}

impl Reader {
    fn dialect(&mut self, body: &Body) -> Dialect {
        let schema = [
            "extends",
            "title",
            "aliases",
            "functions",
            "files",
            "overrides",
            "constraint_files",
            "installed",
            "given",
            "impure",
        ];
        let schema = schema.into_iter().chain([
            "lacks",
            "replaced",
            "readers",
            "openers",
            "source_names",
            "constant_sources",
            "late_functions",
            "sources_since",
            "module_imports_since",
            "called_deprecations",
            "lenient_imports",
            "only_releases",
            "static_providers",
            "escaping_block",
            "sensitive_results",
            "ephemeral_results",
            "complete_references",
            "late_providers",
            "versions",
            "newest",
            "version_files",
            "registry",
            "since",
            "until",
            "functions_since",
            "built_in",
            "reference_strings",
            "takes",
            "about",
            "function_help",
            "single_files",
            "lone_files",
            "runtime_names",
            "syntax",
            "settings",
        ]);
        let schema = schema.fold(Schema::new().with_required("name"), Schema::with_optional);
        let schema = schema
            .with_block("inputs", &[])
            .with_block("file", &["kind"])
            .with_block("format", &[])
            .with_block("string_names", &["attribute"])
            .with_block("repeat", &["attribute"])
            .with_block("block", &["type"])
            .with_block("nested", &["type"])
            .with_block("object", &["block", "type"]);
        let content = self.diagnostics.absorb(body.content(&schema));
        let base = self.known(&content, "extends");
        let mut dialect = base.map(|base| Dialect::clone(&base)).unwrap_or_default();
        let lacks = self.names(&content, "lacks");
        let is_lacking = |name: &str| lacks.iter().any(|own| **own == *name);
        dialect.blocks.retain(|rule| !is_lacking(&rule.block_type));
        let kind = |kind: FileKind| KINDS.iter().find(|(_, own)| *own == kind).map_or("", |(name, _)| name);
        dialect.other_files.retain(|rule| !is_lacking(kind(rule.kind)));
        if let Some(name) = self.text(&content, "name") {
            dialect.name = name;
        }
        if let Some(title) = self.text(&content, "title") {
            dialect.title = title;
        }
        dialect.aliases = self.texts(&content, "aliases").unwrap_or_default();
        if let Some(functions) = self.text(&content, "functions") {
            dialect.functions = functions;
        }
        if let Some(syntax) = self.choice(&content, "syntax", &SYNTAXES) {
            dialect.syntax = Some(syntax);
        }
        if let Some(settings) = self.text(&content, "settings") {
            dialect.settings = settings::named(&settings);
            if dialect.settings.is_none() {
                self.invalid(&content, "settings", messages::unknown_settings());
            }
        }
        if let Some(installed) = self.text(&content, "installed") {
            dialect.installed = Some(installed);
        }
        if let Some(versions) = self.texts(&content, "versions") {
            match &versions[..] {
                [first, last] => dialect.versions = Some((first.clone(), last.clone())),
                _ => self.invalid(&content, "versions", messages::versions_required()),
            }
        }
        for (name, own) in [
            ("newest", &mut dialect.newest),
            ("sources_since", &mut dialect.sources_since),
            ("module_imports_since", &mut dialect.module_imports_since),
        ] {
            // Null means that there is none, although the language that is extended has one.
            if self.value(&content, name).is_some_and(|value| value.is_null()) {
                *own = None;
            } else if let Some(version) = self.text(&content, name) {
                *own = Version::parse(&version);
                if own.is_none() {
                    self.invalid(&content, name, messages::version_required());
                }
            }
        }
        self.names_into(&content, "source_names", &mut dialect.source_names);
        for (name, own) in [
            ("since", &mut dialect.since),
            ("until", &mut dialect.until),
            ("functions_since", &mut dialect.functions_since),
        ] {
            // What is left out is as in the language that is extended.
            if content.attributes.get(name).is_some() {
                *own = self.since(&content, name);
            }
        }
        if let Some(escaping) = self.text(&content, "escaping_block") {
            dialect.escaping_block = Some(Name::from(escaping));
        }
        if let Some(files) = self.value(&content, "version_files") {
            let text = |(file, name): (&Str, &Value)| Some((file.to_string(), name.as_str()?.to_owned()));
            dialect.version_files = files.entries().into_iter().flatten().filter_map(text).collect();
        }
        if let Some(registry) = self.text(&content, "registry") {
            dialect.registry = Some(registry);
        }
        if let Some(beginning) = self.text(&content, "built_in") {
            dialect.built_in = Some(beginning);
        }
        self.patterns_into(&content, "files", &mut dialect.files);
        self.patterns_into(&content, "overrides", &mut dialect.overrides);
        self.patterns_into(&content, "constraint_files", &mut dialect.constraint_files);
        if let Some(ends) = self.value(&content, "replaced") {
            let text = |(end, other): (&Str, &Value)| Some((end.to_string(), other.as_str()?.to_owned()));
            dialect.replaced = ends.entries().into_iter().flatten().filter_map(text).collect();
        }
        self.names_into(&content, "impure", &mut dialect.impure);
        self.names_into(&content, "readers", &mut dialect.readers);
        self.names_into(&content, "openers", &mut dialect.openers);
        self.names_into(&content, "late_functions", &mut dialect.late_functions);
        for (name, own) in [
            ("constant_sources", &mut dialect.constant_sources),
            ("called_deprecations", &mut dialect.called_deprecations),
            ("lenient_imports", &mut dialect.lenient_imports),
            ("only_releases", &mut dialect.only_releases),
            ("static_providers", &mut dialect.static_providers),
            ("sensitive_results", &mut dialect.sensitive_results),
            ("ephemeral_results", &mut dialect.ephemeral_results),
            ("complete_references", &mut dialect.complete_references),
            ("late_providers", &mut dialect.late_providers),
            ("single_files", &mut dialect.single_files),
            ("lone_files", &mut dialect.lone_files),
            ("runtime_names", &mut dialect.runtime_names),
        ] {
            // What is left out is as in the language that is extended.
            if let Some(flag) = self.flag(&content, name) {
                *own = flag;
            }
        }
        if content.attributes.get("given").is_some() {
            dialect.builtins = self.builtins(&content);
        }
        for block in content.blocks_of("inputs") {
            let inputs = self.content(
                block,
                &[
                    "environment",
                    "files",
                    "typed_by_default",
                    "exact_types",
                    "short_types",
                    "options_last",
                    "functions",
                ],
            );
            let mut flag = |name| self.flag(&inputs, name).unwrap_or_default();
            dialect.typed_by_default = flag("typed_by_default");
            dialect.exact_types = flag("exact_types");
            dialect.short_types = flag("short_types");
            dialect.options_last = flag("options_last");
            dialect.default_functions = self.names(&inputs, "functions");
            dialect.environment = self.text(&inputs, "environment");
            self.patterns_into(&inputs, "files", &mut dialect.input_files);
        }
        for block in content.blocks_of("file") {
            let rule = self.file(block);
            replace(&mut dialect.other_files, rule, |it| it.kind);
        }
        dialect.parts.clear();
        for part in dialect.other_files.iter().filter_map(|rule| rule.dialect.as_ref()) {
            if dialect.parts.iter().all(|other| other.name != part.name) {
                dialect.parts.push(part.clone());
            }
        }
        for block in content.blocks_of("format") {
            let format = self.content(block, &["files", "hidden", "rewrites"]);
            let mut flag = |name| self.flag(&format, name).unwrap_or_default();
            let (hidden, rewrites) = (flag("hidden"), flag("rewrites"));
            let mut files = Vec::new();
            self.patterns_into(&format, "files", &mut files);
            dialect.formatted = Some(Formatted { files, hidden, rewrites });
        }
        self.names_into(&content, "reference_strings", &mut dialect.reference_strings);
        for (name, value) in self.items(&content, "takes") {
            let takes = self.takes(&content, &value);
            dialect.help.takes.insert(name, takes);
        }
        for (name, value) in self.items(&content, "about") {
            match literal(&value).as_ref().and_then(Value::as_str) {
                Some(text) => drop(dialect.help.about.insert(name, text.to_owned())),
                None => self.invalid(&content, "about", messages::string_required()),
            }
        }
        for (call, value) in self.items(&content, "function_help") {
            let about = literal(&value);
            match about.as_ref().and_then(Value::as_str).and_then(|about| FunctionHelp::read(&call, about)) {
                Some((name, help)) => drop(dialect.help.functions.insert(name, help)),
                None => self.invalid(&content, "function_help", messages::string_required()),
            }
        }
        for block in content.blocks_of("string_names") {
            let rule = self.string_names(block);
            replace(&mut dialect.string_names, rule, |it| it.attribute.clone());
        }
        for block in content.blocks_of("repeat") {
            let repeat = self.repeat(block);
            replace(&mut dialect.repeats, repeat, |it| it.attribute.clone());
        }
        for block in content.blocks_of("block") {
            let rule = self.block(block);
            replace(&mut dialect.blocks, Arc::new(rule), |it| it.block_type.clone());
        }
        for block in content.blocks_of("nested") {
            let rule = self.nested(block);
            let as_written = block.body.attribute("as_written");
            if as_written.is_some_and(|own| literal(&own.expression) == Some(Value::TRUE)) {
                dialect.as_written = dialect.as_written.iter().chain([&rule.block_type]).cloned().collect();
            }
            replace(&mut dialect.nested_blocks, rule, |it| (it.block_type.clone(), it.within.clone()));
        }
        for block in content.blocks_of("object") {
            let rule = self.object(block);
            replace(&mut dialect.objects, rule, |it| (it.block_type.clone(), it.object_type.clone()));
        }
        dialect
    }

    /// What the value of an argument is: a type, or the name of what is none.
    fn takes(&mut self, content: &Content, value: &hclkit_model::Expression) -> Takes {
        if let Some(name) = literal(value).as_ref().and_then(Value::as_str) {
            if let Some((_, takes)) = TAKES.iter().find(|(own, _)| *own == name) {
                return takes.clone();
            }
            self.invalid(content, "takes", messages::unknown_choice(TAKES.iter().map(|(name, _)| *name)));
        }
        Takes::Value(constraint_of(value).unwrap_or_else(|found| {
            self.diagnostics.append(found);
            Type::Dynamic
        }))
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
        let content = self.diagnostics.absorb(block.body.content(&BLOCK));
        let labels = self.texts(&content, "labels").unwrap_or_default();
        let known = content.attributes.get("attributes").is_some();
        let role = self.choice(&content, "role", &ROLES).unwrap_or(Role::Settings);
        let defines = self.defines(&content, "defines", &labels);
        match role {
            Role::Inputs | Role::Values if !defines.is_empty() && !defines.is_of_attributes() => {
                self.invalid(&content, "defines", messages::address_of_attributes_required(role.as_str()));
            }
            Role::Input | Role::Value | Role::Result | Role::Call | Role::Object
                if defines.is_empty() || defines.is_of_attributes() =>
            {
                self.invalid(&content, "defines", messages::address_of_block_required(role.as_str()));
            }
            _ => {}
        }
        BlockRule {
            block_type: block.labels[0].clone(),
            role,
            defines,
            long_name: self.defines(&content, "long_name", &labels),
            labels,
            attributes: known.then(|| self.names(&content, "attributes")),
            required: self.names(&content, "required"),
            meta: self.names(&content, "meta"),
            fixed: self.names(&content, "static"),
            blocks: self.names(&content, "blocks"),
            contents: self.choice(&content, "contents", &CONTENTS).unwrap_or_default(),
            repeat: self.names(&content, "repeat"),
            references: self.names(&content, "references"),
            constraints: self.names(&content, "constraints"),
            constants: self.types(&content, "constants"),
            keywords: self.keywords(&content, "keywords"),
            strings: self.strings(&content),
            first: self.names(&content, "first"),
            last: self.names(&content, "last"),
            single: self.names(&content, "single"),
            unique: self.names(&content, "unique"),
            once: self.names(&content, "once"),
            refused: self.names(&content, "refused"),
            one_of: self.names(&content, "one_of"),
            is_final: self.flag(&content, "final").unwrap_or_default(),
            final_parts: self.names(&content, "final_parts"),
            binds: self.names(&content, "binds"),
            reserved: self.names(&content, "reserved"),
            value: Name::from(self.text(&content, "value").unwrap_or_else(|| "value".to_owned())),
            statement: self.choice(&content, "statement", &STATEMENTS),
            any_name: self.flag(&content, "any_name").unwrap_or_default(),
            called: self.flag(&content, "called").unwrap_or_default(),
            not_blank: self.names(&content, "not_blank"),
        }
    }

    /// The parts of a name such as `data.{type}.{name}`.
    fn defines(&mut self, content: &Content, attribute: &str, labels: &[String]) -> AddressForm {
        let defines = self.text(content, attribute).unwrap_or_default();
        let part = |part: &str| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some("attribute") => Some(NamePart::Attribute),
            Some(label) => labels.iter().position(|own| own == label).map(NamePart::Label),
            None => Some(NamePart::Name(Name::from(part))),
        };
        let parts: Vec<_> = defines.split('.').filter(|it| !it.is_empty()).map(part).collect();
        if parts.contains(&None) {
            self.invalid(content, attribute, messages::unknown_label());
        } else if let Some((last, rest)) = parts.split_last() {
            let is_repeated = |(at, part): (usize, &Option<NamePart>)| {
                matches!(part, Some(NamePart::Label(_))) && parts[..at].contains(part)
            };
            if matches!(last, Some(NamePart::Name(_))) {
                self.invalid(content, attribute, messages::fixed_name());
            } else if rest.contains(&Some(NamePart::Attribute)) {
                self.invalid(content, attribute, messages::inner_attribute());
            } else if parts.iter().enumerate().any(is_repeated) {
                self.invalid(content, attribute, messages::repeated_label());
            }
        }
        AddressForm::new(parts.into_iter().flatten())
    }

    fn nested(&mut self, block: &Block) -> NestedRule {
        let content = self.diagnostics.absorb(block.body.content(&NESTED));
        let warns = self.value(&content, "warns").and_then(|value| value.as_bool());
        let known = content.attributes.get("attributes").is_some();
        let labels = self.texts(&content, "labels").unwrap_or_default();
        let within = self.names(&content, "in");
        // Blocks that are listed in the rules around them are not part of a value.
        let role = if within.is_empty() { NestedRole::Ignored } else { NestedRole::Value };
        NestedRule {
            block_type: block.labels[0].clone(),
            defines: self.defines(&content, "defines", &labels),
            labels,
            types: content.attributes.get("types").map(|_| self.names(&content, "types")),
            removed: self.names(&content, "removed"),
            under: self.text(&content, "under").map(Name::from),
            within,
            contents: self.choice(&content, "contents", &CONTENTS).unwrap_or_default(),
            role: self.choice(&content, "role", &NESTED_ROLES).unwrap_or(role),
            blocks: self.names(&content, "blocks"),
            attributes: known.then(|| self.names(&content, "attributes")),
            required: self.names(&content, "required"),
            lists: self.keywords(&content, "lists"),
            fixed: self.names(&content, "static"),
            constraints: self.names(&content, "constraints"),
            constants: self.types(&content, "constants"),
            keywords: self.keywords(&content, "keywords"),
            strings: self.strings(&content),
            references: self.names(&content, "references"),
            binds: self.text(&content, "binds").map(Name::from),
            repeat: self.names(&content, "repeat"),
            refused: self.names(&content, "refused"),
            final_parts: self.names(&content, "final_parts"),
            argument_types: self.types(&content, "argument_types"),
            warns: warns.unwrap_or_default(),
        }
    }

    fn file(&mut self, block: &Block) -> FileRule {
        let content = self.content(block, &["names", "dialect"]);
        let kind = KINDS.iter().find(|(name, _)| *block.labels[0] == **name);
        if kind.is_none() {
            let error = messages::unknown_choice(KINDS.iter().map(|(name, _)| *name));
            self.diagnostics.push(error.at(content.missing_item.clone()));
        }
        let dialect = self.known(&content, "dialect");
        let mut names = Vec::new();
        self.patterns_into(&content, "names", &mut names);
        FileRule { kind: kind.map_or(FileKind::Module, |(_, kind)| *kind), names, dialect }
    }

    /// Strings that name blocks: `as = "target:{name}"` says what they look like.
    fn string_names(&mut self, block: &Block) -> StringNames {
        let content = self.content(block, &["blocks", "as", "keys"]);
        let form = self.text(&content, "as").unwrap_or_default();
        let prefix = form.split('{').next().unwrap_or_default().to_owned();
        let labels = form.matches('{').count();
        StringNames {
            attribute: block.labels[0].clone(),
            blocks: self.names(&content, "blocks"),
            prefix,
            labels,
            keys: self.flag(&content, "keys").unwrap_or_default(),
        }
    }

    fn object(&mut self, block: &Block) -> ObjectRule {
        let names = schema(&[
            "arguments",
            "required",
            "one_of",
            "not_empty",
            "types",
            "objects",
            "settings",
            "choices",
            "unknown",
            "same",
        ])
        .with_block("block", &["type"]);
        let content = self.diagnostics.absorb(block.body.content(&names));
        let blocks = content.blocks_of("block").map(|block| {
            let content = self.content(block, &["arguments", "write_only", "unknown", "sensitive"]);
            ObjectBlock {
                block_type: block.labels[0].clone(),
                arguments: self.names(&content, "arguments"),
                write_only: self.names(&content, "write_only"),
                unknown: self.types(&content, "unknown"),
                sensitive: self.names(&content, "sensitive"),
            }
        });
        let blocks = blocks.collect();
        let mut pairs = |name| {
            let items = self.items(&content, name).into_iter();
            items.filter_map(|(key, other)| Some((key, Name::from(literal(&other)?.as_str()?)))).collect()
        };
        let (same, settings) = (pairs("same"), pairs("settings"));
        ObjectRule {
            block_type: block.labels[0].clone(),
            object_type: block.labels[1].clone(),
            arguments: self.names(&content, "arguments"),
            required: self.names(&content, "required"),
            one_of: self.names(&content, "one_of"),
            not_empty: self.names(&content, "not_empty"),
            argument_types: self.types(&content, "types"),
            objects: self.names(&content, "objects"),
            choices: self.keywords(&content, "choices"),
            unknown: self.types(&content, "unknown"),
            same,
            settings,
            blocks,
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

    /// Names with versions.
    fn since(&mut self, content: &Content, name: &str) -> Since {
        let mut found = Vec::new();
        for (key, value) in self.items(content, name) {
            let value = literal(&value);
            match value.as_ref().and_then(Value::as_str).and_then(Version::parse) {
                Some(version) => found.push((key, version)),
                None => self.invalid(content, name, messages::version_required()),
            }
        }
        Since::new(found)
    }

    /// Attributes with lists of keywords.
    fn keywords(&mut self, content: &Content, name: &str) -> Vec<Keywords> {
        let items = self.items(content, name).into_iter();
        let word = |word: &Value| word.as_str().map(Name::from);
        let words = |list: &hclkit_model::Expression| {
            Some(literal(list)?.as_slice()?.iter().filter_map(word).collect())
        };
        items.filter_map(|(key, list)| Some((key, words(&list)?))).collect()
    }

    /// Attributes, and how their strings are read.
    fn strings(&mut self, content: &Content) -> Vec<(Name, Strings)> {
        let mut found = Vec::new();
        for (key, value) in self.items(content, "strings") {
            let value = literal(&value);
            let text = value.as_ref().and_then(Value::as_str);
            if let Some((_, strings)) = STRINGS.iter().find(|(name, _)| Some(*name) == text) {
                found.push((key, *strings));
            } else {
                let error = messages::unknown_choice(STRINGS.iter().map(|(choice, _)| *choice));
                self.invalid(content, "strings", error);
            }
        }
        found
    }

    fn builtins(&mut self, content: &Content) -> Vec<(Vec<Name>, Builtin)> {
        let mut found = Vec::new();
        for (key, value) in self.items(content, "given") {
            let value = literal(&value);
            let builtin = value.as_ref().and_then(Value::as_str);
            match BUILTINS.iter().find(|(name, _)| Some(*name) == builtin) {
                Some((_, builtin)) => found.push((path(&key), *builtin)),
                None => self.invalid(
                    content,
                    "given",
                    messages::unknown_choice(BUILTINS.iter().map(|(choice, _)| *choice)),
                ),
            }
        }
        found
    }

    fn content(&mut self, block: &Block, attributes: &[&str]) -> Content {
        self.diagnostics.absorb(block.body.content(&schema(attributes)))
    }

    fn value(&mut self, content: &Content, name: &str) -> Option<Value> {
        let attribute = content.attributes.get(name)?;
        Some(self.diagnostics.absorb(attribute.expression.evaluate_lenient(&Context::new())))
    }

    /// The language that an attribute names.
    fn known(&mut self, content: &Content, name: &str) -> Option<Arc<Dialect>> {
        let dialect = self.text(content, name)?;
        let found = built_in(&dialect);
        if found.is_none() {
            self.invalid(content, name, messages::unknown_dialect());
        }
        found
    }

    fn flag(&mut self, content: &Content, name: &str) -> Option<bool> {
        self.value(content, name).map(|value| value.as_bool().unwrap_or_default())
    }

    fn text(&mut self, content: &Content, name: &str) -> Option<String> {
        let value = self.value(content, name)?;
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.invalid(content, name, messages::string_required());
        }
        text
    }

    fn texts(&mut self, content: &Content, name: &str) -> Option<Vec<String>> {
        let value = self.value(content, name)?;
        let texts = value.as_slice().and_then(|items| {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        });
        if texts.is_none() {
            self.invalid(content, name, messages::strings_required());
        }
        texts
    }

    fn patterns_into(&mut self, content: &Content, name: &str, patterns: &mut Vec<Pattern>) {
        if let Some(found) = self.texts(content, name) {
            *patterns = found.into_iter().map(Pattern).collect();
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
            self.invalid(content, name, messages::unknown_choice(choices.iter().map(|(choice, _)| *choice)));
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
