//! What of a file must not be shown, by what its language says: the values of declarations and of files that set variables.

use hclkit_model::{SENSITIVE_VALUES, Sourced, Withheld, doubtful_from, hides_value, mentions_flags};
use hclkit_syntax::{Diagnostics, Source, Span, StartSymbol, Syntax, nearest_name};

use crate::tree::{Attribute, Block, Body, Node};
use crate::{BlockRule, Dialect, FileKind, Role, Strings};

/// The arguments of a declaration that are shown even if its value is not.
const SHOWN: [&str; 9] = [
    "type",
    "description",
    "sensitive",
    "ephemeral",
    "nullable",
    "const",
    "deprecated",
    "depends_on",
    "validation",
];

/// What is known of a file.
#[derive(Clone, Copy, Debug, Default)]
#[doc(hidden)]
pub struct FileFacts<'f> {
    /// Its language.
    pub dialect: Option<&'f Dialect>,
    /// What it contains.
    pub kind: Option<FileKind>,
    /// Addresses of declarations that another file of the directory declares as sensitive, such as `var.token`.
    pub elsewhere: &'f [String],
    /// Whether the values that files and blocks set for variables are shown.
    pub shows_values: bool,
}

/// What must not be shown of a file: the values of declarations that hide them, and those of files and blocks that set
/// variables, because another file may declare these as sensitive.
#[doc(hidden)]
pub fn withheld_in(body: &Body<'_>, source: &Source, found: &Diagnostics, file: FileFacts<'_>) -> Withheld {
    let text = source.text();
    let syntax = Syntax::of(source.name());
    let has_flags = mentions_flags(text);
    let starts = body.blocks.iter().map(|block| block.span.start);
    let sets_values = !file.shows_values && is_of_values(file.kind);
    let doubtful_from = if sets_values && found.has_errors() {
        // A missing quote turns values into names.
        let items = body.attributes.iter().map(|own| own.span.start);
        let mut items: Vec<u32> = items.chain(body.blocks.iter().map(|own| own.span.start)).collect();
        items.sort_unstable();
        let errors = found.iter().filter(|own| own.is_error()).map(|own| own.span().start);
        let first = errors.min().filter(|_| syntax == Syntax::Native).unwrap_or(0);
        Some(items.into_iter().take_while(|start| *start <= first).last().unwrap_or(0))
    } else {
        let may_have_secrets = has_flags
            || is_test(file.kind)
            || text.contains('@')
            || text.contains("://") && text.contains('?')
            || !file.elsewhere.is_empty();
        doubtful_from(syntax, found, starts).filter(|_| may_have_secrets)
    };
    let mut finder = Finder {
        file,
        sets_values,
        has_flags: has_flags || !file.elsewhere.is_empty(),
        has_addresses: text.contains('@') && text.contains("://"),
        out: Withheld::default(),
    };
    finder.body(body, None);
    finder.out.sorted().with_doubts(doubtful_from)
}

/// Whether a file sets variables or other values that it does not declare.
fn is_of_values(kind: Option<FileKind>) -> bool {
    matches!(kind, Some(FileKind::Values | FileKind::Settings))
}

/// Whether blocks of a file set variables.
fn is_test(kind: Option<FileKind>) -> bool {
    matches!(kind, Some(FileKind::Tests | FileKind::Mocks))
}

/// Whether the declaration of a block hides its value, here or in another file.
#[doc(hidden)]
pub fn is_hidden(block: &Block<'_>, rule: Option<&BlockRule>, elsewhere: &[String]) -> bool {
    let is_elsewhere = || address(block, rule).is_some_and(|address| elsewhere.contains(&address));
    hides_value(&block.model) || !elsewhere.is_empty() && is_elsewhere()
}

/// The addresses of the declarations in a file that hide their values.
#[doc(hidden)]
pub fn hidden_in(body: &Body<'_>, dialect: &Dialect) -> Vec<String> {
    let hidden = body.blocks.iter().filter(|block| hides_value(&block.model));
    hidden.filter_map(|block| address(block, dialect.block(&block.block_type))).collect()
}

fn address(block: &Block<'_>, rule: Option<&BlockRule>) -> Option<String> {
    let names = rule?.defines.address(&block.labels, None)?;
    Some(names.iter().map(hclkit_value::Name::as_str).collect::<Vec<_>>().join("."))
}

struct Finder<'f> {
    file: FileFacts<'f>,
    sets_values: bool,
    /// Whether the file may have flags and calls of `sensitive`.
    has_flags: bool,
    has_addresses: bool,
    out: Withheld,
}

impl Finder<'_> {
    /// `around` is the block.
    fn body(&mut self, body: &Body<'_>, around: Option<(&Block<'_>, bool)>) {
        if self.sets_values {
            body.attributes.iter().for_each(|own| self.out.hide(own.value.span()));
            return body.blocks.iter().for_each(|own| self.out.hide(after_type(own)));
        }
        let depth_one = around.is_some_and(|(_, is_top)| is_top);
        let block = around.map(|(block, _)| block);
        let rule = block
            .filter(|_| depth_one)
            .and_then(|block| self.file.dialect.and_then(|own| own.block(&block.block_type)));
        let role = rule.map(|rule| rule.role);
        let is_declaration = matches!(role, Some(Role::Input | Role::Result | Role::Value));
        // In a file whose language has no such block, any block may be a declaration.
        let is_unknown = depth_one && rule.is_none();
        let hides = self.has_flags
            && block.is_some_and(|block| {
                is_hidden(block, rule, self.file.elsewhere) || block.block_type.contains("sensitive")
            });
        let is_set = !self.file.shows_values
            && is_test(self.file.kind)
            && block.is_some_and(|block| {
                let names = block.labels.iter().chain([&block.block_type]);
                names.into_iter().any(|name| nearest_name(name, ["variables"]).is_some())
            });
        for own in &body.attributes {
            let is_whole = hides && (is_declaration || is_unknown);
            if is_set
                || is_whole && !SHOWN.contains(&&*own.name)
                || hides && nearest_name(&own.name, SENSITIVE_VALUES).is_some()
            {
                self.out.hide(own.value.span());
                continue;
            }
            if hides && own.name == "type" {
                match own.value {
                    Node::Native(node) => self.out.add_type(node),
                    Node::Json(value, _) => self.out.add_json_type(value),
                }
            }
            self.attribute(own);
        }
        for own in &body.blocks {
            if is_set {
                self.out.hide(after_type(own));
                continue;
            }
            let is_known =
                rule.is_some_and(|rule| rule.blocks.iter().any(|known| **known == *own.block_type));
            if hides && is_declaration && !is_known {
                self.out.hide(after_type(own));
            } else {
                self.body(&own.body, Some((own, around.is_none())));
            }
        }
    }

    fn attribute(&mut self, own: &Attribute<'_>) {
        let is_source = Sourced::of(&own.name);
        if is_source == Sourced::No && !self.has_flags && !self.has_addresses {
            return;
        }
        match own.value {
            Node::Native(node) => self.out.add(node, is_source),
            Node::Json(value, strings) => self.out.add_json(value, start_of(strings), is_source),
        }
    }
}

/// A block without its type.
fn after_type(block: &Block<'_>) -> Span {
    let start = block.span.start + block.block_type.len() as u32;
    Span::new(start.min(block.span.end), block.span.end)
}

/// What the strings of a value are.
fn start_of(strings: Strings) -> Option<StartSymbol> {
    match strings {
        Strings::Text => None,
        Strings::Source => Some(StartSymbol::Expression),
        Strings::Templates => Some(StartSymbol::Template),
    }
}
