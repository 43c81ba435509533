//! Reading files of policies, and checking them before they are applied.

use std::collections::{BTreeSet, HashMap};

use hclkit::model::path::NamePattern;
use hclkit::model::{Block, BodyItem, Scope, Traversal, TypeConstraint};
use hclkit::syntax::{TokenKind, did_you_mean, nearest_name};
use hclkit::value::Mark;
use hclkit::{
    Body, Code, Context, Diagnostic, Diagnostics, Document, Expression, Functions, Place, Severity, Type,
    Value,
};

use super::check::{Known, Shape, check_config, check_required, check_shape, definitions, invalid, plugins};
use super::functions;
use crate::rules::{code_of, texts};

const INCOMPLETE: Code = Code::custom("policy-of-changes", "A policy sees only what changes").with_explanation(
    "A policy that looks at other resources lists its operations without `no-op`, so it does not see those that stay as they are.",
);

/// A file of policies.
#[derive(Debug)]
pub(super) struct PolicyFile {
    pub(super) document: Document,
    pub(super) inputs: Vec<Input>,
    pub(super) locals: Vec<(String, Expression)>,
    pub(super) policies: Vec<Policy>,
    /// The names of attributes that it uses, after dots and as strings.
    pub(super) names: BTreeSet<String>,
    pub(super) is_broken: bool,
}

/// An input variable of policies.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) name: String,
    ty: Option<TypeConstraint>,
    default: Option<Value>,
    is_nullable: bool,
    is_sensitive: bool,
}

impl Input {
    /// The value: the one that is given, or the default.
    ///
    /// # Errors
    /// It has the wrong type, or there is none.
    pub(super) fn value(&self, given: Option<&Value>) -> Result<Value, String> {
        let value = match (given, &self.ty) {
            (Some(value), Some(ty)) => {
                ty.convert(value).map_err(|why| format!("The input `{}` is wrong: {why}.", self.name))?
            }
            (Some(value), None) => value.clone(),
            (None, _) => self.default.clone().unwrap_or(Value::NULL),
        };
        if value.is_null() && !self.is_nullable {
            return Err(format!("The input `{}` has no value.", self.name));
        }
        Ok(if self.is_sensitive { value.mark(Mark::sensitive()) } else { value })
    }
}

/// What a policy is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Resource,
    Module,
    Provider,
}

impl Kind {
    pub(super) const ALL: [(&'static str, Self); 3] = [
        ("resource_policy", Self::Resource),
        ("module_policy", Self::Module),
        ("provider_policy", Self::Provider),
    ];

    /// The attributes of `meta`.
    const fn meta(self) -> &'static [&'static str] {
        match self {
            Self::Resource => &[
                "address",
                "module_path",
                "name",
                "operation",
                "provider_type",
                "resource_type",
                "tfe_stack",
                "tfe_workspace",
                "type",
            ],
            Self::Module => &["address", "source", "tfe_stack", "tfe_workspace", "version"],
            Self::Provider => &[
                "address",
                "alias",
                "name",
                "namespace",
                "source",
                "tfe_stack",
                "tfe_workspace",
                "type",
                "version",
            ],
        }
    }
}

/// What is done to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Create,
    Update,
    Delete,
    NoOp,
}

impl Operation {
    const ALL: [(&'static str, Self); 4] =
        [("create", Self::Create), ("update", Self::Update), ("delete", Self::Delete), ("no-op", Self::NoOp)];

    pub(super) fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(name, _)| *name == text).map(|(_, own)| own)
    }

    pub(super) fn as_str(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, own)| *own == self).map_or("", |(name, _)| name)
    }
}

/// The names of the levels of enforcement.
const LEVELS: [&str; 3] = ["advisory", "mandatory", "mandatory_overridable"];

/// A policy.
#[derive(Debug)]
pub(super) struct Policy {
    pub(super) kind: Kind,
    /// What it is about: a type, a source or a name, with `*` for any text.
    pub(super) target: String,
    /// The same, in which `*` matches any characters.
    pattern: NamePattern,
    pub(super) name: String,
    pub(super) code: Code,
    pub(super) level: Option<Expression>,
    pub(super) filter: Option<Expression>,
    /// `None` for all but `delete`.
    operations: Option<Vec<Operation>>,
    pub(super) locals: Vec<(String, Expression)>,
    pub(super) enforce: Vec<Enforce>,
    /// It uses `attrs` as a whole.
    pub(super) has_whole_attrs: bool,
}

impl Policy {
    pub(super) fn is_about(&self, name: &str) -> bool {
        self.pattern.matches(name)
    }

    pub(super) fn sees(&self, operation: Operation) -> bool {
        match &self.operations {
            None => operation != Operation::Delete,
            // An empty list is no restriction.
            Some(all) => all.is_empty() || all.contains(&operation),
        }
    }
}

/// A block `enforce`.
#[derive(Debug)]
pub(super) struct Enforce {
    pub(super) condition: Expression,
    pub(super) error: Option<Expression>,
    pub(super) info: Option<Expression>,
}

const POLICY: Shape = Shape {
    attributes: &["enforcement_level"],
    required: &[],
    blocks: &["plugins", "required_providers", "terraform_config"],
};
const INPUT: Shape = Shape {
    attributes: &["default", "description", "nullable", "sensitive", "type"],
    required: &["type"],
    blocks: &[],
};
const RESOURCE: Shape = Shape {
    attributes: &["enforcement_level", "filter", "operations"],
    required: &[],
    blocks: &["enforce", "locals"],
};
const OTHER: Shape =
    Shape { attributes: &["enforcement_level", "filter"], required: &[], blocks: &["enforce", "locals"] };
const ENFORCE: Shape = Shape {
    attributes: &["condition", "error_message", "info_message"],
    required: &["condition"],
    blocks: &[],
};

/// Names, each of which is defined once.
#[derive(Default)]
struct Once(HashMap<String, Place>);

impl Once {
    fn define(&mut self, what: String, place: &Place, found: &mut Diagnostics) {
        if let Some(first) = self.0.get(&what) {
            let error = invalid(format!("There is another {what}.")).at(place);
            found.push(error.with_related(&first.source, first.span, "The first one is here."));
        } else {
            self.0.insert(what, place.clone());
        }
    }
}

/// The names after dots, and the strings, of a file.
fn names_of(document: &Document) -> BTreeSet<String> {
    let (tokens, source) = (document.tokens(), document.source());
    let mut names = BTreeSet::new();
    let mut after_dot = false;
    for at in 0..tokens.len() as u32 {
        let kind = tokens.kind(at);
        if after_dot && kind == TokenKind::Identifier || kind == TokenKind::String {
            let text = source.slice(tokens.span(at)).trim_matches('"');
            if !text.is_empty() && text.chars().all(|own| own.is_alphanumeric() || own == '_') {
                names.insert(text.to_owned());
            }
        }
        after_dot = kind == TokenKind::Dot;
    }
    names
}

impl PolicyFile {
    /// Reads a file. If it has errors, its policies are not applied.
    pub(super) fn read(document: Document, found: &mut Diagnostics) -> Self {
        let mut reading = Reading { found: document.diagnostics().clone(), ..Reading::default() };
        let mut file = Self {
            inputs: Vec::new(),
            locals: Vec::new(),
            policies: Vec::new(),
            names: names_of(&document),
            is_broken: true,
            document,
        };
        if !reading.found.has_errors() {
            reading.file(&mut file);
        }
        file.is_broken = reading.found.has_errors();
        found.append(reading.found.distinct());
        file
    }

    /// The values of its inputs.
    ///
    /// # Errors
    /// One has no value, or a wrong one.
    pub(super) fn inputs(&self, given: &[(String, Value)]) -> Result<Value, String> {
        let value = |own: &Input| {
            let given = given.iter().rev().find(|(name, _)| *name == own.name).map(|(_, value)| value);
            Ok((own.name.clone(), own.value(given)?))
        };
        Ok(Value::object(self.inputs.iter().map(value).collect::<Result<Vec<_>, String>>()?))
    }
}

#[derive(Default)]
struct Reading {
    found: Diagnostics,
    plugins: BTreeSet<String>,
    once: Once,
    level: Option<Expression>,
}

impl Reading {
    fn file(&mut self, file: &mut PolicyFile) {
        let body = Body::of(&file.document);
        let mut policies: Vec<(Kind, Block)> = Vec::new();
        let tops = ["policy", "input", "locals"].into_iter().chain(Kind::ALL.map(|(name, _)| name));
        for item in body.items() {
            let BodyItem::Block(block) = item else {
                let place = Place::new(&body.source(), item.name_span());
                let note = format!("A file of policies has no argument `{}`, only blocks.", item.name());
                self.found.push(invalid(note).at(place));
                continue;
            };
            let kind = Kind::ALL.into_iter().find(|(name, _)| *name == &*block.block_type);
            let labels = match (&*block.block_type, kind) {
                (_, Some(_)) => 2,
                ("input", _) => 1,
                ("policy" | "locals", _) => 0,
                (other, _) => {
                    let hint = did_you_mean(nearest_name(other, tops.clone()));
                    let known: Vec<&str> = tops.clone().collect();
                    let known = known.join(", ");
                    let note = format!("A file of policies has no block `{other}`.{hint} Known: {known}.");
                    self.found.push(invalid(note).at(Place::new(&block.source, block.type_span)));
                    continue;
                }
            };
            if !self.has_labels(&block, labels) {
                continue;
            }
            match (&*block.block_type, kind) {
                (_, Some((_, kind))) => policies.push((kind, block)),
                ("policy", _) => self.settings(&block),
                ("input", _) => self.input(&block, file),
                _ => {
                    for (name, expression) in definitions(&block, &mut self.found) {
                        let place = expression.place();
                        self.once.define(format!("local value `{name}`"), &place, &mut self.found);
                        file.locals.push((name, expression));
                    }
                }
            }
        }
        self.check_locals(file);
        let functions = functions::open_library();
        for (kind, block) in policies {
            let policy = self.policy(kind, &block, file, &functions);
            file.policies.extend(policy);
        }
    }

    fn has_labels(&mut self, block: &Block, count: usize) -> bool {
        let is_right = block.labels.len() == count;
        if !is_right {
            let kind = &block.block_type;
            let what = match count {
                0 => "no labels",
                1 => "one label, its name",
                _ => "two labels: what it is about, and its name",
            };
            self.found.push(invalid(format!("A block `{kind}` has {what}.")).at(block.definition_place()));
        }
        is_right
    }

    fn settings(&mut self, block: &Block) {
        self.once.define("block `policy`".to_owned(), &block.definition_place(), &mut self.found);
        check_shape(block, &POLICY, &mut self.found);
        check_config(block, &mut self.found);
        check_required(block, &mut self.found);
        self.plugins.append(&mut plugins(block, &mut self.found));
        self.level = self.level_of(block);
    }

    /// The level of enforcement, if it is given. A constant one is checked.
    fn level_of(&mut self, block: &Block) -> Option<Expression> {
        let expression = block.body.attribute("enforcement_level")?.expression;
        let expected = || {
            format!("`enforcement_level` is one of: {}.", LEVELS.map(|own| format!("`\"{own}\"`")).join(", "))
        };
        if let Some(word) = expression.static_keyword().filter(|word| LEVELS.contains(&&**word)) {
            let text = format!("\"{word}\"");
            let error = invalid(format!("`enforcement_level` is a string: write `{text}`."));
            let error = error.at(expression.place());
            self.found.push(error.with_edit(format!("Write `{text}`"), expression.span(), text));
            return None;
        }
        if expression.variables().is_empty() && expression.calls().is_empty() {
            match expression.evaluate(&Context::new()) {
                Ok(value) if value.as_str().is_some_and(|own| LEVELS.contains(&own)) => {}
                Ok(value) => {
                    let near = value.as_str().and_then(|own| nearest_name(own, LEVELS));
                    let note = format!("{}{}", expected(), did_you_mean(near));
                    self.found.push(invalid(note).at(expression.place()));
                }
                Err(own) => self.found.append(own),
            }
        }
        Some(expression)
    }

    fn input(&mut self, block: &Block, file: &mut PolicyFile) {
        check_shape(block, &INPUT, &mut self.found);
        let name = block.labels[0].to_string();
        self.once.define(format!("input `{name}`"), &block.definition_place(), &mut self.found);
        let ty = block.body.attribute("type").and_then(|own| match TypeConstraint::of(&own.expression) {
            Ok(ty) => Some(ty),
            Err(own) => {
                self.found.append(own);
                None
            }
        });
        let mut constant = |name: &str| {
            let own = block.body.attribute(name)?;
            match own.expression.evaluate(&Context::new()) {
                Ok(value) => Some((value, own.expression.place())),
                Err(own) => {
                    self.found.append(own);
                    None
                }
            }
        };
        let (default, description) = (constant("default"), constant("description"));
        let (nullable, sensitive) = (constant("nullable"), constant("sensitive"));
        if let Some((_, place)) = description.filter(|(own, _)| own.as_str().is_none()) {
            self.found.push(invalid("`description` is a string.").at(place));
        }
        let mut flag = |name: &str, own: Option<(Value, Place)>| match own {
            None => false,
            Some((value, place)) => value.as_bool().unwrap_or_else(|| {
                self.found.push(invalid(format!("`{name}` is `true` or `false`.")).at(place));
                false
            }),
        };
        let (is_nullable, is_sensitive) = (flag("nullable", nullable), flag("sensitive", sensitive));
        let default = default.and_then(|(value, place)| {
            let converted = match &ty {
                Some(ty) => ty.convert(&value).map_err(|why| why.to_string()),
                None => Ok(value),
            };
            converted
                .map_err(|why| {
                    let note = format!("The default of the input `{name}` is wrong: {why}.");
                    self.found.push(invalid(note).at(place));
                })
                .ok()
        });
        file.inputs.push(Input { name, ty, default, is_nullable, is_sensitive });
    }

    /// Checks the local values that all policies share: they do not know what a policy is applied to.
    fn check_locals(&mut self, file: &PolicyFile) {
        let functions = functions::open_library();
        let known = Known {
            roots: &["input", "local"],
            locals: file.locals.iter().map(|(name, _)| name.as_str()).collect(),
            inputs: file.inputs.iter().map(|own| own.name.as_str()).collect(),
            meta: &[],
            functions: &functions,
            plugins: &self.plugins,
        };
        let before = self.found.errors();
        for (_, expression) in &file.locals {
            known.check(expression, &mut self.found);
        }
        if self.found.errors() > before {
            return;
        }
        let context = open_context(&file.locals, &[], &functions, &["input"]);
        for (_, expression) in &file.locals {
            if let Err(own) = expression.evaluate(&context) {
                self.found.append(own);
            }
        }
    }

    fn policy(
        &mut self,
        kind: Kind,
        block: &Block,
        file: &PolicyFile,
        functions: &Functions,
    ) -> Option<Policy> {
        let before = self.found.errors();
        let (target, name) = (block.labels[0].to_string(), block.labels[1].to_string());
        let of = &block.block_type;
        let what = format!("`{of} \"{target}\" \"{name}\"`");
        self.once.define(format!("policy {what}"), &block.definition_place(), &mut self.found);
        check_shape(block, if kind == Kind::Resource { &RESOURCE } else { &OTHER }, &mut self.found);
        let level = self.level_of(block).or_else(|| self.level.clone());
        let attribute = |name: &str| block.body.attribute(name).map(|own| own.expression);
        let filter = attribute("filter");
        let mut locals = Vec::new();
        for own in block.body.blocks("locals", &[]) {
            locals.extend(definitions(&own, &mut self.found));
        }
        for (name, expression) in &locals {
            if file.locals.iter().any(|(own, _)| own == name) {
                let note = format!("The local value `{name}` has the name of one of the whole file.");
                self.found.push(invalid(note).at(expression.place()));
            }
        }
        let mut enforce = Vec::new();
        for own in block.body.blocks("enforce", &[]) {
            check_shape(&own, &ENFORCE, &mut self.found);
            let attribute = |name: &str| own.body.attribute(name).map(|own| own.expression);
            let Some(condition) = attribute("condition") else { continue };
            enforce.push(Enforce {
                condition,
                error: attribute("error_message"),
                info: attribute("info_message"),
            });
        }
        if block.body.blocks("enforce", &[]).is_empty() {
            let note = "A policy must have a block `enforce` with a `condition`.";
            self.found.push(invalid(note).at(block.definition_place()));
        }
        // All expressions, with the type that each must have.
        let mut all: Vec<(&Expression, Option<(&str, Type)>)> = Vec::new();
        all.extend(locals.iter().map(|(_, own)| (own, None)));
        all.extend(level.iter().map(|own| (own, Some(("enforcement_level", Type::String)))));
        all.extend(filter.iter().map(|own| (own, Some(("filter", Type::Bool)))));
        for own in &enforce {
            all.push((&own.condition, Some(("condition", Type::Bool))));
            all.extend(own.error.iter().map(|own| (own, Some(("error_message", Type::String)))));
            all.extend(own.info.iter().map(|own| (own, Some(("info_message", Type::String)))));
        }
        let roots: &[&str] = match kind {
            Kind::Resource => &["attrs", "input", "local", "meta", "prior_attrs"],
            _ => &["attrs", "input", "local", "meta"],
        };
        let known = Known {
            roots,
            locals: locals.iter().chain(&file.locals).map(|(name, _)| name.as_str()).collect(),
            inputs: file.inputs.iter().map(|own| own.name.as_str()).collect(),
            meta: kind.meta(),
            functions,
            plugins: &self.plugins,
        };
        for (expression, _) in &all {
            known.check(expression, &mut self.found);
        }
        let has_prior =
            all.iter().any(|(own, _)| own.variables().iter().any(|own| &*own.root == "prior_attrs"));
        let has_whole_attrs = all.iter().any(|(own, _)| {
            let is_whole = |own: &Traversal| &*own.root == "attrs" && own.steps.is_empty();
            own.variables().iter().any(is_whole)
        });
        let calls = all.iter().flat_map(|(own, _)| own.calls());
        let calls = calls.chain(file.locals.iter().flat_map(|(_, own)| own.calls()));
        let looks_around = calls.into_iter().any(|call| call.name == "core::getresources");
        let operations = self.operations(block, has_prior, looks_around);
        if self.found.errors() == before {
            let context = open_context(&file.locals, &locals, functions, roots);
            for (expression, wanted) in &all {
                self.evaluate(expression, &context, wanted.as_ref());
            }
        }
        if self.found.errors() > before {
            return None;
        }
        let docs = format!("The policy {what} of {}.", file.document.source().name());
        let code = code_of(&name, &format!("Policy {name}"), &docs, "");
        let pattern = NamePattern::of(&target);
        Some(Policy {
            kind,
            target,
            pattern,
            name,
            code,
            level,
            filter,
            operations,
            locals,
            enforce,
            has_whole_attrs,
        })
    }

    /// Evaluates an expression about which nothing is known, which finds wrong arguments and types.
    fn evaluate(&mut self, expression: &Expression, context: &Context, wanted: Option<&(&str, Type)>) {
        match expression.evaluate(context) {
            Err(own) => self.found.append(own),
            Ok(value) => {
                if let Some((name, ty)) = wanted
                    && let Err(why) = value.convert(ty)
                {
                    self.found.push(invalid(format!("`{name}` is wrong: {why}.")).at(expression.place()));
                }
            }
        }
    }

    fn operations(&mut self, block: &Block, has_prior: bool, looks_around: bool) -> Option<Vec<Operation>> {
        let Some(attribute) = block.body.attribute("operations") else {
            if has_prior {
                let note = "A policy that uses `prior_attrs` must have `operations`: `[\"update\"]`, `[\"delete\"]` or both.";
                self.found.push(invalid(note).at(block.definition_place()));
            }
            return None;
        };
        let place = attribute.expression.place();
        let mut wrong = |note: String| self.found.push(invalid(note).at(&place));
        let names = match attribute.expression.evaluate(&Context::new()) {
            Ok(value) if value.as_str().is_none() => texts(&value),
            Ok(_) => None,
            Err(own) => {
                self.found.append(own);
                return None;
            }
        };
        let known = Operation::ALL.map(|(name, _)| name);
        let Some(names) = names else {
            wrong(format!("`operations` is a list of strings, each one of: {}.", known.join(", ")));
            return None;
        };
        let mut all: Vec<Operation> = Vec::new();
        for name in &names {
            match Operation::of(name) {
                None => {
                    let hint = did_you_mean(nearest_name(name, known));
                    wrong(format!("There is no operation `{name}`.{hint} Known: {}.", known.join(", ")));
                }
                Some(own) if all.contains(&own) => wrong(format!("The operation `{name}` is listed twice.")),
                Some(own) => all.push(own),
            }
        }
        let has = |own: Operation| all.contains(&own);
        if has_prior && (all.is_empty() || has(Operation::Create) || has(Operation::NoOp)) {
            wrong("A policy that uses `prior_attrs` can have the operations `update` and `delete` only: the others have no prior state.".to_owned());
        }
        for other in [Operation::NoOp, Operation::Create] {
            if has(Operation::Delete) && has(other) && !has_prior {
                let other = other.as_str();
                wrong(format!(
                    "A policy cannot have the operations `delete` and `{other}`. Write two policies."
                ));
            }
        }
        let is_of_changes = !all.is_empty() && !has(Operation::NoOp) && !has(Operation::Delete);
        if looks_around && is_of_changes && !has_prior {
            let note = "The policy calls `core::getresources`, but without the operation `no-op` it does not see resources that stay as they are.";
            self.found.push(Diagnostic::new(Severity::Warning, INCOMPLETE).with_note(note).at(&place));
        }
        Some(all)
    }
}

/// A context in which nothing is known about what a policy is applied to.
fn open_context(
    shared: &[(String, Expression)],
    own: &[(String, Expression)],
    functions: &Functions,
    roots: &[&str],
) -> Context {
    let mut scope = Scope::new();
    for (name, expression) in shared.iter().chain(own) {
        // The first one counts.
        let _ = scope.define(["local", name.as_str()], expression.clone());
    }
    let mut context = Context::new().with_functions(functions.clone());
    for root in roots.iter().filter(|own| **own != "local") {
        context.set(*root, Value::DYNAMIC);
    }
    context.with_scope(scope)
}
