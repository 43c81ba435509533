//! Where a file declares a name. The forms of the addresses in the tables of the languages lead from a name to blocks.

use hclkit_dialect::tree::{Block, Body};
use hclkit_dialect::{AddressForm, BlockRule, Dialect, FileKind, NamePart, NestedRule, Role};
use hclkit_limits::with_room;
use hclkit_syntax::{NodeKind, Span, nearest_name};
use hclkit_value::{Name, Value};
use hclkit_write::{Match, Selector};

use crate::Symbol;
use crate::callers::literal;
use crate::names::{Names, unquoted};
use crate::occurrence::{Occurrence, OccurrenceKind, WrittenForm};

/// The blocks whose `alias` declares a name.
const WITH_ALIAS: [&str; 2] = ["provider", "mock_provider"];

/// A name that a file declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredName {
    /// The address, such as `var.region`. Of blocks that their language gives no address, it is their path: `provider.aws`.
    pub address: Vec<String>,
    /// What the table of the language says that the block is for.
    pub role: Option<Role>,
    is_alias: bool,
    /// The last name, without quotes.
    pub name: Span,
    /// The block or attribute.
    pub item: Span,
}

impl DeclaredName {
    /// Whether it is the alias of a provider, as in `aws.west`.
    pub fn is_alias(&self) -> bool {
        self.is_alias
    }

    /// The last name of the address.
    pub fn name(&self) -> &str {
        self.address.last().map_or("", String::as_str)
    }
}

impl Names {
    /// The names that the file declares, in source order. Nested blocks declare names, too, if the table of the language says so.
    /// Files of variables declare the variables that they set.
    ///
    /// ```
    /// use hclkit_refactor::Names;
    /// use hclkit_syntax::{Document, Source, Syntax};
    ///
    /// let text = r#"{"variable": {"region": {}}, "locals": {"zone": "${var.region}-a"}}"#;
    /// let document = Document::parse_in(Source::new("main.tf.json", text), Syntax::Json);
    /// let names = Names::of(&document);
    /// let declared = names.declared();
    /// let addresses: Vec<_> = declared.iter().map(|own| own.address.join(".")).collect();
    /// assert_eq!(addresses, ["var.region", "local.zone"]);
    /// assert_eq!(document.source().slice(declared[0].name), "region");
    /// ```
    pub fn declared(&self) -> &[DeclaredName] {
        self.declared.get_or_init(|| self.find_declared())
    }

    fn find_declared(&self) -> Vec<DeclaredName> {
        let mut found = Vec::new();
        let body = Body::of(&self.document, self.content(), self.kind == Some(FileKind::Values));
        for attribute in &body.attributes {
            let input = if self.kind == Some(FileKind::Values) {
                Symbol::input(self.document.source().name(), &attribute.name)
            } else {
                None
            };
            let address = input.map_or_else(|| vec![attribute.name.to_string()], |input| input.names);
            let name = unquoted(&self.document, attribute.name_span);
            found.push(DeclaredName { address, role: None, is_alias: false, name, item: attribute.span });
        }
        for block in &body.blocks {
            let rule = self.languages.iter().rev().find_map(|language| language.block(&block.block_type));
            let form = rule.map(|rule| (&rule.defines, rule.role));
            self.declared_by(block, form, &mut found);
            self.declared_in(block, rule.map_or(&[], |rule| &rule.blocks), &mut found);
        }
        found.sort_by_key(|own| own.name.start);
        found
    }

    /// Adds what the blocks in a block declare, which its rule lists.
    fn declared_in(&self, outer: &Block<'_>, listed: &[Name], found: &mut Vec<DeclaredName>) {
        for block in &outer.body.blocks {
            let mut rules = self.content().into_iter().flat_map(|content| &content.nested_blocks);
            let is_it = |rule: &&NestedRule| {
                *rule.block_type == *block.block_type && is_within(rule, &outer.block_type, listed)
            };
            let Some(rule) = rules.find(is_it) else { continue };
            if !rule.defines.is_empty() {
                self.declared_by(block, Some((&rule.defines, Role::Object)), found);
            }
            with_room(|| self.declared_in(block, &rule.blocks, found));
        }
    }

    /// Adds what a block declares.
    fn declared_by(
        &self,
        block: &Block<'_>,
        form: Option<(&AddressForm, Role)>,
        found: &mut Vec<DeclaredName>,
    ) {
        let names = |names: Vec<Name>| names.iter().map(|name| name.as_str().to_owned()).collect();
        let mut add = |address: Vec<String>, role: Option<Role>, name: Span, item: Span| {
            let name = unquoted(&self.document, name);
            found.push(DeclaredName { address, role, is_alias: false, name, item });
        };
        match form {
            Some((form, role)) if form.is_of_attributes() => {
                for attribute in &block.body.attributes {
                    if let Some(address) = form.address(&block.labels, Some(&attribute.name)) {
                        add(names(address), Some(role), attribute.name_span, attribute.span);
                    }
                }
            }
            Some((form, role)) if !form.is_empty() => {
                let label = match form.parts().last() {
                    Some(NamePart::Label(at)) => block.label_spans.get(*at),
                    _ => block.label_spans.last(),
                };
                if let (Some(address), Some(label)) = (form.address(&block.labels, None), label) {
                    add(names(address), Some(role), *label, block.span);
                }
            }
            _ => {
                if let Some(label) = block.label_spans.last() {
                    let path = std::iter::once(&block.block_type).chain(&block.labels);
                    let path = path.map(|name| name.clone().into_owned()).collect();
                    add(path, form.map(|(_, role)| role), *label, block.span);
                }
            }
        }
        let alias = block.body.attribute("alias").filter(|_| WITH_ALIAS.contains(&&*block.block_type));
        if let (Some(alias), [provider]) = (alias, &block.labels[..]) {
            let name = unquoted(&self.document, alias.value.span());
            let text = self.document.source().slice(name).to_owned();
            let address = vec![provider.to_string(), text];
            found.push(DeclaredName { address, role: None, is_alias: true, name, item: alias.span });
        }
    }

    /// The declarations of a name in the file.
    pub(crate) fn declarations(&self, symbol: &Symbol) -> Vec<Occurrence> {
        let mut found = Vec::new();
        for path in self.paths(&symbol.names) {
            for place in self.select(&path) {
                if self.in_foreign_run(place.address()).is_none() {
                    found.extend(self.declaration(&place));
                }
            }
        }
        if let [provider, alias] = &symbol.names[..] {
            for kind in WITH_ALIAS {
                let paths = format!("{}.alias", steps([kind, provider]));
                found.extend(self.select(&paths).iter().filter_map(|place| aliased(place, alias)));
            }
        }
        found
    }

    /// Returns true for a name that the language of the file gives to expressions, such as `each.key` or `path.module`.
    pub(crate) fn is_given(&self, symbol: &Symbol) -> bool {
        let Some(language) = &self.language else { return false };
        let is_it = |path: &[Name]| path.iter().map(Name::as_str).eq(symbol.names.iter().map(String::as_str));
        language.given_names().any(is_it)
    }

    /// The name in the file that was probably meant by one that it does not declare: the address of a block or attribute, if the
    /// symbol has the names of its path instead (`var.region` for `variable.region`), or else the nearest one.
    pub fn meant(&self, symbol: &Symbol) -> Option<Symbol> {
        self.address_of_path(symbol).or_else(|| self.nearest(symbol))
    }

    /// The declared name that differs only in its last part, and is most like it there.
    fn nearest(&self, symbol: &Symbol) -> Option<Symbol> {
        let (last, prefix) = symbol.names.split_last()?;
        let declared = self.declared();
        let is_like = |own: &&DeclaredName| {
            own.name() != last && own.address.split_last().is_some_and(|(_, others)| others == prefix)
        };
        let near = nearest_name(last, declared.iter().filter(is_like).map(DeclaredName::name))?;
        let names = prefix.iter().cloned().chain([near.to_owned()]).collect();
        Some(Symbol { names, key: None })
    }

    fn address_of_path(&self, symbol: &Symbol) -> Option<Symbol> {
        let (block_type, names) = symbol.names.split_first()?;
        let rules = self.languages.iter().filter_map(|language| language.block(block_type));
        let addresses = rules.filter(|rule| names.len() >= rule.labels.len()).filter_map(|rule| {
            let (labels, rest) = names.split_at(rule.labels.len());
            let address = rule.defines.address(labels, rest.first().map(String::as_str))?;
            let names = address.iter().map(|name| name.as_str().to_owned()).collect();
            let is_whole = rest.len() == usize::from(rule.defines.is_of_attributes());
            is_whole.then_some(Symbol { names, key: None })
        });
        let is_declared = |other: &Symbol| *other != *symbol && !self.declarations(other).is_empty();
        addresses.into_iter().find(is_declared)
    }

    /// Whether the file declares the name in a way that its language says nothing about, so that what refers to it is not known:
    /// `provider.aws`, which types of resources begin with.
    pub fn is_unfollowed(&self, symbol: &Symbol) -> bool {
        let Some(language) = &self.language else { return false };
        let names = &symbol.names;
        let is_block = language.block(&names[0]).is_some();
        let is_known = || {
            // Anything of its length fits a form that begins with a label.
            let rules = language.blocks.iter().filter(|rule| rule.defines.root().is_some());
            rules.into_iter().any(|rule| path_of(rule, names).is_some())
                || self.languages.iter().any(|language| !inner_paths(language, names).is_empty())
        };
        is_block && !is_known() && !self.select(&steps(names)).is_empty()
    }

    fn select(&self, path: &str) -> Vec<Match<'_>> {
        let found = path.parse::<Selector>().ok().and_then(|path| path.select(&self.document).ok());
        found.unwrap_or_default()
    }

    /// The paths of the blocks and attributes that declare a name. The last step is the last name.
    fn paths(&self, names: &[String]) -> Vec<String> {
        let rules = || self.languages.iter().flat_map(|language| &language.blocks);
        let mut paths: Vec<String> = rules().filter_map(|rule| path_of(rule, names)).collect();
        paths.extend(self.languages.iter().flat_map(|language| inner_paths(language, names)));
        let input =
            rules().filter(|rule| rule.role == Role::Input).find(|rule| path_of(rule, names).is_some());
        match (self.kind, input) {
            (Some(FileKind::Values), Some(_)) => {
                return names.last().map(|name| steps([name])).into_iter().collect();
            }
            (Some(FileKind::Values), None) => return Vec::new(),
            (Some(FileKind::Tests) | None, Some(_)) => {
                let name = names.last().map(|name| steps([name])).unwrap_or_default();
                paths.push(format!("variables{name}"));
                paths.push(format!("run~.variables{name}"));
            }
            _ => {}
        }
        if !self.is_other_address(names) {
            paths.push(steps(names));
        }
        paths
    }

    /// Whether names that begin with the type of a block are not its path, because it has another address, or because they are
    /// longer than that: `module.net.id` is not an argument of `module "net"`.
    fn is_other_address(&self, names: &[String]) -> bool {
        let mut rules = self.languages.iter().filter_map(|language| language.block(&names[0]));
        rules.any(|rule| {
            !rule.defines.is_empty()
                && (self.language.is_some() || names.len() > rule.defines.len().max(1 + rule.labels.len()))
        })
    }

    fn declaration(&self, place: &Match<'_>) -> Option<Occurrence> {
        let document = &self.document;
        let tree = document.tree();
        let span = match tree.kind(place.node()) {
            NodeKind::Attribute => document.tokens().span(tree.token_range(place.node()).0),
            NodeKind::ObjectItem => document.span(tree.children(place.node()).next().unwrap_or(place.node())),
            NodeKind::Block => {
                let block = document.block_at(place.node())?;
                block.labels().find(|label| label.id() == place.named())?.span()
            }
            _ => return None,
        };
        let is_quoted = document.source().slice(span).starts_with('"');
        let form = if is_quoted { WrittenForm::Quoted } else { WrittenForm::Plain };
        let (kind, address) = (OccurrenceKind::Declaration, place.address().to_owned());
        Some(Occurrence { kind, span, address, name: span, form })
    }
}

/// The path of the block, or of the attribute in it, that defines an address.
fn path_of(rule: &BlockRule, names: &[String]) -> Option<String> {
    let path = |form| path_in_form(&rule.block_type, rule.labels.len(), form, names);
    path(&rule.defines).or_else(|| path(&rule.long_name))
}

/// The paths of blocks in others, such as a `data` block in a `check`, at any depth.
fn inner_paths(language: &Dialect, names: &[String]) -> Vec<String> {
    let mut paths = Vec::new();
    for inner in &language.nested_blocks {
        let path = path_in_form(&inner.block_type, inner.labels.len(), &inner.defines, names);
        let Some(path) = path else { continue };
        let around = blocks_around(language, inner).into_iter();
        paths.extend(around.map(|outer| {
            format!("{}{}..{path}", steps([&outer.block_type]), ".*".repeat(outer.labels.len()))
        }));
    }
    paths
}

/// Whether a nested block can be in a block of a type whose rule lists some.
fn is_within(inner: &NestedRule, outer: &str, listed: &[Name]) -> bool {
    inner.within.iter().any(|own| **own == *outer)
        || inner.within.is_empty() && listed.contains(&inner.block_type)
}

/// The blocks of a file that a nested block can be in, also within others.
fn blocks_around<'d>(language: &'d Dialect, inner: &'d NestedRule) -> Vec<&'d BlockRule> {
    let mut rules = vec![inner];
    let mut at = 0;
    while let Some(inner) = rules.get(at).copied() {
        at += 1;
        for outer in &language.nested_blocks {
            if is_within(inner, &outer.block_type, &outer.blocks)
                && !rules.iter().any(|known| std::ptr::eq(*known, outer))
            {
                rules.push(outer);
            }
        }
    }
    let is_around =
        |outer: &&BlockRule| rules.iter().any(|inner| is_within(inner, &outer.block_type, &outer.blocks));
    language.blocks.iter().map(AsRef::as_ref).filter(is_around).collect()
}

/// The path of what defines an address of a form in blocks with labels.
fn path_in_form(block_type: &Name, labels: usize, form: &AddressForm, names: &[String]) -> Option<String> {
    let found = form.definition(names)?;
    // A label that is not the last is renamed as well.
    let count = match form.parts().last() {
        Some(NamePart::Label(at)) => at + 1,
        _ => labels,
    };
    let label = |at: usize| match found.labels.get(at).copied().flatten() {
        Some(label) => steps([label]),
        None => ".*".to_owned(),
    };
    let labels: String = (0..count).map(label).collect();
    Some(steps([block_type]) + &labels + &steps(found.attribute))
}

/// A path of names, which may be no identifiers.
fn steps<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> String {
    let step = |name: N| format!("[{}]", Value::from(name.as_ref()));
    names.into_iter().map(step).collect::<Vec<_>>().concat()
}

/// The `alias` of a provider, if it is the name.
fn aliased(place: &Match<'_>, alias: &str) -> Option<Occurrence> {
    let value = place.expression()?;
    let (span, address) = (value.span(), place.address().to_owned());
    let kind = OccurrenceKind::Declaration;
    (literal(value)? == alias).then_some(Occurrence {
        kind,
        span,
        address,
        name: span,
        form: WrittenForm::Quoted,
    })
}
