//! What can be in an expression: names, what follows them after a dot or in brackets, functions and keywords; and what takes
//! something else than a value: types, configurations of providers, addresses, attributes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hclkit::Span;
use hclkit::dialect::{Role, Takes};
use hclkit::functions::{Signature, description};
use hclkit::syntax::TokenKind;
use hclkit::value::Type;

use super::place::{Place, Step};
use super::ranking::{Names, Used, rank, similarity};
use super::{Completion, CompletionKind, item};
use crate::Snapshot;
use crate::body_schema::EnclosingBlock;
use crate::file::File;
use crate::functions;
use crate::module::Module;
use crate::scope;
use crate::usage::Subject;

/// The keywords and constructors of types, with what is inserted and what they are.
const TYPES: [(&str, &str, &str); 9] = [
    ("string", "string", "Text."),
    ("number", "number", "A number."),
    ("bool", "bool", "`true` or `false`."),
    ("any", "any", "A value of any type; in a collection, all elements have one type."),
    ("list", "list(string)", "A sequence of elements of one type."),
    ("set", "set(string)", "Distinct elements of one type, without an order."),
    ("map", "map(string)", "Elements of one type with keys."),
    ("object", "object({})", "Named attributes, each with its own type."),
    ("tuple", "tuple([])", "A sequence in which each element has its own type."),
];

/// How many bytes around a word are near to it.
const NEARBY: u32 = 700;

/// What speaks for the names in an expression.
struct Ranking<'p> {
    /// The name of what the value is for.
    name: &'p str,
    /// The last label of the block around.
    label: &'p str,
    ty: Option<Type>,
    /// What other values of this name refer to, and how often: each address with those that it begins.
    values: BTreeMap<String, u32>,
    functions: Names,
    /// The members that something refers to, by what they are members of.
    referred: BTreeMap<String, Names>,
}

impl Ranking<'_> {
    fn names(&self, address: &str) -> u16 {
        let last = address.rsplit('.').next().unwrap_or(address);
        let own = 4 * similarity(self.name, last);
        let label = 2 * similarity(self.label, last);
        own.max(label) + self.value(address)
    }

    /// What speaks for a value because others of this name have it.
    fn value(&self, name: &str) -> u16 {
        let near = self.values.get(name).copied().unwrap_or_default();
        if near == 0 { 0 } else { 120 + Used { near, ..Used::default() }.weight() }
    }

    fn is_referred(&self, address: &str) -> bool {
        let (owner, last) = address.rsplit_once('.').unwrap_or_default();
        self.referred.get(owner).is_some_and(|names| names.contains_key(last))
    }
}

impl Snapshot {
    fn ranking<'p>(
        &self,
        file: &File,
        module: &Module,
        around: &'p [EnclosingBlock],
        place: &'p Place,
        offset: u32,
    ) -> Ranking<'p> {
        let name = place.name().unwrap_or_default();
        Ranking {
            name,
            label: around.first().and_then(|own| own.labels.last()).map_or("", String::as_str),
            ty: self.expected_type(file, module, around, place, offset),
            values: beginnings(&self.used_names(module, &Subject::Values(name.to_owned()))),
            functions: self.used_names(module, &Subject::Functions),
            referred: BTreeMap::new(),
        }
    }

    /// The names, functions and keywords of expressions.
    pub(super) fn expression_items(
        &self,
        file: &File,
        module: &Module,
        around: &[EnclosingBlock],
        place: &Place,
        word: Span,
    ) -> Vec<Completion> {
        let mut items = Vec::new();
        let mut ranking = self.ranking(file, module, around, place, word.start);
        let is_called = file.text()[word.end as usize..].starts_with('(');
        let callable = constant_functions(file, around, place);
        let usable =
            if is_called || callable.is_some() { Vec::new() } else { scope::at(file, module, word.start) };
        let nearby = nearby(file, word);
        let owners: BTreeSet<&str> =
            usable.iter().filter_map(|own| Some(own.address.rsplit_once('.')?.0)).collect();
        for owner in owners {
            let names = self.used_names(module, &Subject::Members(owner.to_owned()));
            ranking.referred.insert(owner.to_owned(), names);
        }
        for own in &usable {
            let kind = if own.rank == 3 { CompletionKind::Object } else { CompletionKind::Variable };
            let detail = own.role.map(|role| role.as_str().to_owned()).unwrap_or_default();
            let base = [380, 340, 60, 40, 20].get(own.rank as usize).copied().unwrap_or_default();
            let new = match own.role {
                Some(Role::Object | Role::Call) if !ranking.is_referred(&own.address) => 60,
                Some(_) if !ranking.is_referred(&own.address) => 160,
                _ => 0,
            };
            let again = if nearby.contains(&own.address) { 90 } else { 0 };
            let rank = rank(base + new + again + ranking.names(&own.address));
            items.push(Completion { detail, rank, ..item(own.address.clone(), kind, word) });
        }
        let functions = functions::of_file(file);
        for (name, callable) in
            functions.iter().filter(|(name, _)| callable.as_ref().is_none_or(|own| own.contains(name)))
        {
            let signature = Signature::of(name, callable);
            let mut own = item(name.to_owned(), CompletionKind::Function, word);
            own.detail = signature.without_name();
            own.documentation = crate::markdown::safe(description(callable));
            let used = ranking.functions.get(name).copied().unwrap_or_default().weight();
            own.rank = rank(10 + used / 2 + ranking.value(name));
            if !is_called {
                own.text = format!("{name}()");
                own.snippet = Some(call_snippet(&signature));
            }
            items.push(own);
        }
        let known = |name: &str| items.iter().any(|own: &Completion| own.label == name);
        let described: Vec<_> =
            functions::described(file).filter(|(name, _)| !known(name) && callable.is_none()).collect();
        for (name, help) in described {
            let mut own = item(name.to_string(), CompletionKind::Function, word);
            own.detail = functions::signature_of(help);
            own.documentation = crate::markdown::safe(&help.about);
            let used = ranking.functions.get(&**name).copied().unwrap_or_default().weight();
            own.rank = rank(15 + used / 2 + ranking.value(name));
            if !is_called {
                own.text = format!("{name}()");
                own.snippet = Some(format!("{name}($1)$0"));
            }
            items.push(own);
        }
        if !is_called {
            for keyword in ["true", "false", "null"] {
                let is_typed = ranking.ty == Some(Type::Bool) && keyword != "null";
                let usual = if keyword == "null" { usual_null(file, place, word) } else { 0 };
                let weight = 30 + usual + ranking.value(keyword) + if is_typed { 500 } else { 0 };
                let own = item(keyword.to_owned(), CompletionKind::Keyword, word);
                items.push(Completion { rank: rank(weight), ..own });
            }
        }
        items
    }

    /// What can follow names and a dot.
    pub(super) fn member_items(
        &self,
        file: &File,
        module: &Arc<Module>,
        around: &[EnclosingBlock],
        place: &Place,
        address: &str,
        word: Span,
    ) -> Vec<Completion> {
        let plain: String = super::without_keys(address);
        let mut ranking = self.ranking(file, module, around, place, word.start);
        let used = self.used_members(file, module, &plain);
        ranking.referred.insert(plain.clone(), self.used_names(module, &Subject::Members(plain.clone())));
        let mut names: BTreeMap<String, (CompletionKind, u16, String)> = BTreeMap::new();
        for usable in scope::at(file, module, word.start) {
            let rest = usable.address.strip_prefix(&plain).and_then(|rest| rest.strip_prefix('.'));
            if let Some(next) = rest.and_then(|rest| rest.split('.').next()) {
                let kind = if usable.rank == 3 { CompletionKind::Object } else { CompletionKind::Variable };
                let whole = format!("{plain}.{next}");
                let new = if usable.role.is_some() && !ranking.is_referred(&whole) { 160 } else { 0 };
                names.insert(next.to_owned(), (kind, new, String::new()));
            }
        }
        let is_declared = !names.is_empty();
        let is_keyed = plain != address;
        let address = if is_keyed && plain.starts_with("module.") { plain.as_str() } else { address };
        let parts = self.parts(file, module, address, word.start);
        let is_known = is_declared || parts.as_ref().is_none_or(|parts| !parts.is_empty());
        for (name, ty) in parts.into_iter().flatten() {
            let detail = ty.filter(is_plain).map(|ty| ty.to_string()).unwrap_or_default();
            names.entry(name).or_insert((CompletionKind::Field, 80, detail));
        }
        // What others refer to is all that is known of objects without a schema.
        if !is_declared {
            let typed = file.document().source().slice(word);
            for (name, own) in &used {
                if name != typed || own.near + own.far > 1 {
                    names.entry(name.clone()).or_insert((CompletionKind::Field, 0, super::USED.to_owned()));
                }
            }
        }
        // Of what nothing is known, the names of what the value is for.
        if !is_known {
            for name in
                [ranking.name, ranking.label].into_iter().filter(|name| hclkit::syntax::is_identifier(name))
            {
                names.entry(name.to_owned()).or_insert((CompletionKind::Field, 0, String::new()));
            }
        }
        let ranked = names.into_iter().map(|(name, (kind, new, detail))| {
            let weight = used.get(&name).copied().unwrap_or_default().weight() / 2;
            let rank = rank(new + weight + ranking.names(&format!("{plain}.{name}")));
            Completion { detail, rank, ..item(name, kind, word) }
        });
        ranked.collect()
    }

    /// The names that others use after an address: those of the address itself, of objects of the same type, and of calls of the
    /// same module.
    fn used_members(&self, file: &File, module: &Module, plain: &str) -> Names {
        let mut found = self.used_names(module, &Subject::Members(plain.to_owned()));
        let names: Vec<&str> = plain.split('.').collect();
        let mut add = |others: Names| {
            for (name, own) in others {
                let known = found.entry(name).or_default();
                known.near += own.near;
                known.far += own.far;
            }
        };
        if let Some(part) = file.content_dialect()
            && let Some((ty, length)) = crate::usage::object_type(part, &names)
        {
            let rest = &names[length..];
            let owner = rest.iter().fold(ty.clone(), |owner, name| format!("{owner}.{name}"));
            add(self.used_names(module, &Subject::Members(owner)));
            // Arguments are attributes, too.
            if rest.is_empty() {
                add(self.used_names(module, &Subject::Items(ty.clone())));
                let family = crate::usage::family(&ty).unwrap_or_default();
                let mut common = self.used_names(module, &Subject::Members(family));
                common.retain(|_, own| own.near + own.far >= 4);
                for own in common.values_mut() {
                    *own = Used { near: 0, far: 1, ..*own };
                }
                add(common);
            }
        }
        if let Some(source) = module.source_of(plain) {
            add(self.used_results(module, &source));
        }
        found
    }

    /// What an argument takes, if that is not a value.
    pub(super) fn special_items(
        &self,
        file: &File,
        module: &Module,
        around: &[EnclosingBlock],
        place: &Place,
        word: Span,
    ) -> Option<Vec<Completion>> {
        let part = file.content_dialect()?;
        let argument = place.argument.as_deref()?;
        let is_type = |own: &EnclosingBlock| {
            let rule = part.block(&own.block_type).filter(|_| around.len() == 1 && argument == "type");
            rule.is_some_and(|rule| rule.role == Role::Input)
        };
        let takes = part.help.takes(&around.last()?.block_type, argument);
        let takes = takes.or_else(|| is_type(around.last()?).then_some(&Takes::Types))?;
        match takes {
            Takes::Types => Some(self.type_items(file, module, place, word)),
            Takes::Configurations if !place.is_key => Some(configurations(module, word)),
            Takes::Addresses if place.is_plain => Some(self.address_items(file, module, place, word)),
            Takes::Attributes => {
                let owner = around.len().checked_sub(2).map(|at| &around[..=at])?;
                Some(self.attribute_items(file, module, owner, place, word))
            }
            _ => None,
        }
    }

    fn type_items(&self, file: &File, module: &Module, place: &Place, word: Span) -> Vec<Completion> {
        if place.is_key {
            return Vec::new();
        }
        let used = self.used_names(module, &Subject::Values(place.argument.clone().unwrap_or_default()));
        let has_rest = file.text()[word.end as usize..].starts_with('(');
        let is_attribute = place.call.is_none() && matches!(place.steps.last(), Some(Step::Key(_)));
        let optional =
            [("optional", "optional(string)", "An attribute that may be missing, with a default.")];
        let all = TYPES.iter().chain(optional.iter().filter(|_| is_attribute));
        all.filter(|(name, text, _)| !has_rest || name != text)
            .map(|&(name, text, about)| {
                let mut own = item(name.to_owned(), CompletionKind::Keyword, word);
                about.clone_into(&mut own.documentation);
                own.rank = rank(100 + used.get(name).copied().unwrap_or_default().weight());
                if !has_rest {
                    text.clone_into(&mut own.text);
                    own.snippet = type_snippet(text);
                }
                own
            })
            .collect()
    }

    /// The addresses of objects and calls, and what the block names.
    fn address_items(&self, file: &File, module: &Module, place: &Place, word: Span) -> Vec<Completion> {
        let used = self.used_names(module, &Subject::Values(place.argument.clone().unwrap_or_default()));
        let usable = scope::at(file, module, word.start).into_iter();
        let fits = |own: &scope::Usable| {
            matches!(own.role, Some(Role::Object | Role::Call)) || own.role.is_none() && own.rank < 2
        };
        let own = usable.filter(fits).map(|own| {
            let weight = used.get(&own.address).copied().unwrap_or_default().weight();
            let detail = own.role.map(|role| role.as_str().to_owned()).unwrap_or_default();
            let rank = rank(weight + if own.role == Some(Role::Call) { 40 } else { 20 });
            Completion { detail, rank, ..item(own.address, CompletionKind::Object, word) }
        });
        own.collect()
    }

    /// The attributes of the object around a block.
    fn attribute_items(
        &self,
        file: &File,
        module: &Module,
        owner: &[EnclosingBlock],
        place: &Place,
        word: Span,
    ) -> Vec<Completion> {
        let mut names: BTreeMap<String, u16> = BTreeMap::new();
        let meta = self.content(file, module, owner);
        let is_of_language = |name: &str| {
            let part = file.content_dialect();
            let rule = part.and_then(|part| part.block(&owner[0].block_type));
            rule.is_some_and(|rule| rule.meta.iter().chain(&rule.blocks).any(|own| **own == *name))
        };
        names.extend(meta.arguments.iter().map(|own| (own.name.clone(), 20)));
        let path = super::bodies::usage_path(file, owner, word.start);
        for (name, used) in self.used_names(module, &Subject::Items(path.text)) {
            *names.entry(name).or_default() += used.weight() / 3;
        }
        for (name, used) in
            self.used_names(module, &Subject::Values(place.argument.clone().unwrap_or_default()))
        {
            if let Some(weight) = names.get_mut(&name) {
                *weight += 200 + used.weight();
            }
        }
        let items = names.into_iter().filter(|(name, _)| !is_of_language(name));
        let mut items: Vec<Completion> = items
            .map(|(name, weight)| Completion {
                rank: rank(weight),
                ..item(name, CompletionKind::Field, word)
            })
            .collect();
        if place.steps.is_empty() {
            items.push(Completion {
                rank: rank(300),
                ..item("all".to_owned(), CompletionKind::Keyword, word)
            });
        }
        items
    }
}

/// The functions that a value without references can call: those of files of values, and of defaults. `None` elsewhere.
fn constant_functions<'f>(file: &'f File, around: &[EnclosingBlock], place: &Place) -> Option<Vec<&'f str>> {
    if file.holds_values() {
        return Some(Vec::new());
    }
    let part = file.content_dialect()?;
    let [own] = around else { return None };
    let is_input = part.block(&own.block_type)?.role == Role::Input;
    let is_default = is_input && place.argument.as_deref() == Some("default") && part.has_modules();
    is_default.then(|| part.default_functions.iter().map(|name| &**name).collect())
}

/// How often each address is used, also as the beginning of others. What files of other modules use counts a little.
fn beginnings(names: &Names) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    for (name, used) in names {
        let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
        for end in ends {
            *found.entry(name[..end].to_owned()).or_default() += used.near + used.far.min(1);
        }
    }
    found
}

/// Whether a type has no names, which may be those of sensitive values.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::String | Type::Number | Type::Bool => true,
        Type::List(element) | Type::Set(element) | Type::Map(element) => is_plain(element),
        _ => false,
    }
}

/// What speaks for `null`: it is compared with, and it is the other value of conditionals and of calls such as `lookup`.
fn usual_null(file: &File, place: &Place, word: Span) -> u16 {
    let tokens = file.document().tokens();
    let before = tokens.iter().take_while(|token| token.span.start < word.start).count() as u32;
    match tokens.significant_before(before).map(|at| tokens.kind(at)) {
        Some(TokenKind::EqualEqual | TokenKind::BangEqual) => 400,
        Some(TokenKind::Colon) if !place.is_key => 250,
        Some(TokenKind::Comma) if place.call.is_some() => 150,
        _ => 0,
    }
}

/// The addresses in the text around a word.
fn nearby(file: &File, word: Span) -> BTreeSet<String> {
    let text = file.text();
    let start = crate::file::floor(text, word.start.saturating_sub(NEARBY));
    let end = crate::file::floor(text, word.end.saturating_add(NEARBY));
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.');
    let mut found = BTreeSet::new();
    for chain in text[start..end].split(|sign| !is_part(sign)).filter(|chain| chain.contains('.')) {
        let ends = chain.match_indices('.').map(|(at, _)| at).skip(1).chain([chain.len()]);
        found.extend(ends.take(3).map(|end| chain[..end].to_owned()));
    }
    found
}

/// The configurations of the providers of a module: those with an alias, and their names alone.
fn configurations(module: &Module, word: Span) -> Vec<Completion> {
    let mut found: BTreeMap<String, u16> =
        crate::providers::names(module).into_iter().map(|name| (name, 50)).collect();
    for file in &module.files {
        for alias in file.names().declared().iter().filter(|own| own.is_alias()) {
            found.insert(alias.address.join("."), 100);
        }
    }
    let one = |(name, weight): (String, u16)| Completion {
        rank: rank(weight),
        ..item(name, CompletionKind::Object, word)
    };
    found.into_iter().map(one).collect()
}

fn type_snippet(text: &str) -> Option<String> {
    let (name, rest) = text.split_once('(')?;
    let inner = rest.strip_suffix(')')?;
    Some(match inner {
        "{}" => format!("{name}({{\n  $1\n}})"),
        "[]" => format!("{name}([$1])"),
        inner => format!("{name}(${{1:{inner}}})"),
    })
}

fn call_snippet(signature: &Signature) -> String {
    let fixed = signature.parameters.len() - usize::from(signature.is_variadic);
    let fields: Vec<String> = signature.parameters[..fixed.max(usize::from(signature.is_variadic))]
        .iter()
        .enumerate()
        .map(|(at, parameter)| format!("${{{}:{}}}", at + 1, parameter.name))
        .collect();
    format!("{}({})$0", signature.name, fields.join(", "))
}
