//! Completion: names in expressions, arguments and blocks in bodies, directories in sources. Accepting an item adds no syntax
//! error: one item of each form is tried.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use hclkit::Span;
use hclkit::dialect::Role;
use hclkit::functions::{Signature, description};
use hclkit::syntax::{NodeKind, TokenKind};

use crate::Snapshot;
use crate::body_schema::{self, About, EnclosingBlock};
use crate::calls::call_at;
use crate::file::{File, floor};
use crate::files::parent;
use crate::functions;
use crate::module::Module;
use crate::scope;

/// The detail of a name that only other blocks of the module show.
const USED: &str = "used in this project";

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A name in scope.
    Variable,
    /// An object or a module.
    Object,
    /// A part of a value.
    Field,
    /// A function.
    Function,
    /// A keyword.
    Keyword,
    /// An argument.
    Argument,
    /// A block.
    Block,
    /// A directory.
    Folder,
    /// A file.
    File,
    /// A value, such as one of those that an argument accepts.
    Value,
}

/// Something that can be inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The name.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// More about it, in a line.
    pub detail: String,
    /// Its documentation, as Markdown.
    pub documentation: String,
    /// The part of the text that it replaces.
    pub span: Span,
    /// The text that replaces it.
    pub text: String,
    /// The same text as an LSP snippet, with placeholders.
    pub snippet: Option<String>,
    /// The place in the list: smaller numbers come first.
    pub rank: u8,
    /// Whether it should not be used any more.
    pub is_deprecated: bool,
}

/// Where the cursor is.
enum Spot {
    /// In an expression, behind names and a dot.
    Member(String),
    /// In an expression.
    Expression,
    /// At the start of an argument or block, in these blocks.
    Item(Vec<EnclosingBlock>),
    /// In an expression that is the whole value of an argument.
    Value(String),
    /// In the text of the value of an argument.
    ValueText(String, Span),
    /// In the first label of a block that starts at an offset.
    Label(String, u32, Span),
    /// Between brackets after names.
    Key(String),
    /// In the path of a file that a function reads.
    Path(Span),
    /// In the text of a source.
    Source(Span),
    Nothing,
}

impl Snapshot {
    /// What can be inserted at a byte offset.
    pub fn completions(&self, path: &str, offset: u32) -> Vec<Completion> {
        let Some(file) = self.file(path).filter(|file| file.is_native()) else { return Vec::new() };
        let offset = floor(file.text(), offset) as u32;
        let word = file.word(offset);
        let module = self.module(path);
        let items = match spot(&file, word, offset) {
            Spot::Nothing => return Vec::new(),
            Spot::Member(address) => self.member_items(&file, &module, &address, word),
            Spot::Expression => expression_items(&file, &module, word),
            Spot::Value(argument) => {
                let mut items = self.value_items(&file, &module, &argument, word);
                items.extend(expression_items(&file, &module, word));
                items
            }
            Spot::ValueText(argument, span) => self.value_text_items(&file, &module, &argument, span),
            Spot::Label(block_type, start, span) => {
                let mut all = self.label_values(&module, &block_type);
                let around = body_schema::around(&file, start);
                let known = self.content(&file, &module, &around).blocks;
                all.extend(known.into_iter().filter(|own| own.name == block_type).flat_map(|own| own.values));
                all.into_iter().map(|name| item(name, CompletionKind::Value, span)).collect()
            }
            Spot::Key(address) => {
                let mut items = self.key_items(&module, &address, word);
                items.extend(expression_items(&file, &module, word));
                items
            }
            Spot::Item(around) => self.body_items(&file, &module, &around, word),
            Spot::Source(span) => return self.source_items(&file, span, offset),
            Spot::Path(span) => return self.path_items(&file, span, offset),
        };
        without_new_errors(&file, items)
    }

    /// The values that an argument can have, according to what is known about it.
    fn value_items(&self, file: &File, module: &Module, argument: &str, word: Span) -> Vec<Completion> {
        let known = self.content(file, module, &body_schema::around(file, word.start)).arguments;
        let Some(known) = known.into_iter().find(|own| own.name == argument) else { return Vec::new() };
        let is_bool = known.ty == Some(hclkit::Type::Bool) && known.values.is_empty();
        let values = if is_bool { vec!["true".to_owned(), "false".to_owned()] } else { known.values };
        let all = values.into_iter();
        all.map(|value| Completion { rank: 0, ..item(value, CompletionKind::Value, word) }).collect()
    }

    /// The same values, in quotes that are there already.
    fn value_text_items(&self, file: &File, module: &Module, argument: &str, span: Span) -> Vec<Completion> {
        let known = self.content(file, module, &body_schema::around(file, span.start)).arguments;
        let values = known.into_iter().find(|own| own.name == argument).map(|own| own.values);
        let values = values.unwrap_or_default().into_iter();
        let bare = |value: String| Some(value.strip_prefix('"')?.strip_suffix('"')?.to_owned());
        values.filter_map(bare).map(|value| item(value, CompletionKind::Value, span)).collect()
    }

    /// The keys of a value that is a map or an object, or of the instances of an object or a module.
    fn key_items(&self, module: &Arc<Module>, address: &str, word: Span) -> Vec<Completion> {
        let keys = self.keys(module, address).into_iter();
        keys.map(|key| Completion { rank: 0, ..item(key, CompletionKind::Value, word) }).collect()
    }

    /// The files and directories that a path in a call such as `file("…")` can name.
    fn path_items(&self, file: &File, span: Span, offset: u32) -> Vec<Completion> {
        let typed = &file.text()[span.start as usize..offset as usize];
        let lead = typed.rsplit_once('/').map_or("", |(lead, _)| lead);
        let module = self.module(file.path());
        let directory = hclkit::module::join_path(&module.directory, lead.trim_start_matches('/'));
        let start = offset - (typed.len() - typed.rfind('/').map_or(0, |at| at + 1)) as u32;
        let replaced = Span::new(start, span.end);
        let is_plain = |name: &String| !name.starts_with('.') && !name.contains(['"', '$', '%', '\\']);
        let mut items: Vec<Completion> = Vec::new();
        for name in self.directories(&directory).into_iter().filter(is_plain) {
            items.push(item(name, CompletionKind::Folder, replaced));
        }
        for name in self.list(&directory).unwrap_or_default().into_iter().filter(is_plain) {
            items.push(item(name, CompletionKind::File, replaced));
        }
        items
    }

    fn member_items(&self, file: &File, module: &Arc<Module>, address: &str, word: Span) -> Vec<Completion> {
        let mut names: BTreeMap<String, CompletionKind> = BTreeMap::new();
        let plain: String = without_keys(address);
        for usable in scope::at(file, module, word.start) {
            let rest = usable.address.strip_prefix(&plain).and_then(|rest| rest.strip_prefix('.'));
            if let Some(next) = rest.and_then(|rest| rest.split('.').next()) {
                let kind = if usable.rank == 3 { CompletionKind::Object } else { CompletionKind::Variable };
                names.insert(next.to_owned(), kind);
            }
        }
        let is_keyed = plain != address;
        for name in
            self.members(module, if is_keyed && plain.starts_with("module.") { &plain } else { address })
        {
            names.entry(name).or_insert(CompletionKind::Field);
        }
        names.into_iter().map(|(name, kind)| item(name, kind, word)).collect()
    }

    fn body_items(
        &self,
        file: &File,
        module: &Module,
        around: &[EnclosingBlock],
        word: Span,
    ) -> Vec<Completion> {
        let mut items = Vec::new();
        let here = present(file, word);
        // What follows the word is kept.
        let rest = file.text()[word.end as usize..].trim_start_matches([' ', '\t']);
        let has_rest = rest.starts_with(['=', '{', '"']);
        let mut argument = |name: String, detail: &str, value: &str, rank: u8, about: &About| {
            if here.contains(&name) {
                return;
            }
            let mut own = item(name.clone(), CompletionKind::Argument, word);
            detail.clone_into(&mut own.detail);
            own.documentation = about.markdown();
            own.is_deprecated = about.deprecated.is_some();
            own.rank = rank;
            if !has_rest {
                own.text = format!("{name} = {value}");
                let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
                own.snippet = Some(match (inner, value) {
                    (Some(inner), _) => format!("{name} = \"${{1:{inner}}}\""),
                    (None, "[]") => format!("{name} = [$1]"),
                    (None, "{}") => format!("{name} = {{\n  $1\n}}"),
                    (None, value) => format!("{name} = ${{1:{value}}}"),
                });
            }
            items.push(own);
        };
        if file.holds_values() && around.is_empty() {
            for other in &module.files {
                for (own, _) in scope::declared(other).filter(|(_, role)| *role == Role::Input) {
                    argument(own.name().to_owned(), "variable", "null", 0, &About::default());
                }
            }
            return items;
        }
        let content = self.content(file, module, around);
        for known in &content.arguments {
            let value = known.placeholder();
            let ty =
                known.ty.as_ref().map(ToString::to_string).filter(|ty| ty.len() < 60).unwrap_or_default();
            let detail = match (known.required, ty.as_str()) {
                (true, "") => "required".to_owned(),
                (true, ty) => format!("{ty}, required"),
                (false, ty) => ty.to_owned(),
            };
            argument(known.name.clone(), &detail, &value, u8::from(!known.required), &known.about);
        }
        let used = self.used(file, module, around, word.start);
        for (name, value) in used.arguments {
            if !content.arguments.iter().any(|known| known.name == name) {
                argument(name, USED, value, 2, &About::default());
            }
        }
        if let [own] = around
            && body_schema::is_call(file, &own.block_type)
        {
            for name in self.inputs_of_call(file, word) {
                argument(name, "variable of the module", "null", 0, &About::default());
            }
        }
        let mut blocks = content.blocks;
        for name in used.blocks {
            if !blocks.iter().any(|known| known.name == name) {
                blocks.push(body_schema::Block { name, is_used: true, ..body_schema::Block::default() });
            }
        }
        for block in blocks {
            if block.once && here.contains(&block.name) {
                continue;
            }
            let mut own = item(block.name.clone(), CompletionKind::Block, word);
            own.rank = if block.required { 0 } else { 2 };
            own.detail = if block.is_used { USED.to_owned() } else { block.labels.join(" ") };
            own.documentation = block.about.markdown();
            own.is_deprecated = block.about.deprecated.is_some();
            if !has_rest {
                let (mut plain, mut fields) = (String::new(), String::new());
                for (at, label) in block.labels.iter().enumerate() {
                    let _ = write!(plain, " \"{label}\"");
                    let _ = write!(fields, " \"${{{}:{label}}}\"", at + 1);
                }
                let indent = " ".repeat(2 * around.len());
                own.text = format!("{}{plain} {{\n{indent}}}", block.name);
                own.snippet = Some(format!("{}{fields} {{\n  $0\n}}", block.name));
            }
            items.push(own);
        }
        items
    }

    /// The variables of the module that the block around a place calls.
    fn inputs_of_call(&self, file: &File, word: Span) -> Vec<String> {
        let directory =
            call_at(file, word.start).and_then(|address| self.module(file.path()).called(&address));
        let called = directory.and_then(|directory| self.module_in(&directory));
        called.map(|called| scope::declared_with(&called, Role::Input)).unwrap_or_default()
    }

    /// The directories that a source can name.
    fn source_items(&self, file: &File, span: Span, offset: u32) -> Vec<Completion> {
        let typed = &file.text()[span.start as usize..offset as usize];
        let Some((lead, _)) = typed.rsplit_once('/') else { return Vec::new() };
        if !lead.starts_with('.') {
            return Vec::new();
        }
        let directory = hclkit::module::join_path(parent(file.path()), lead);
        let start = span.start + lead.len() as u32 + 1;
        let replaced = Span::new(start, offset);
        let names = self.directories(&directory).into_iter().filter(|name| !name.starts_with('.'));
        let is_plain = |name: &String| !name.contains(['"', '$', '%', '\\']);
        names.filter(is_plain).map(|name| item(name, CompletionKind::Folder, replaced)).collect()
    }
}

/// The names, functions and keywords of expressions.
fn expression_items(file: &File, module: &Module, word: Span) -> Vec<Completion> {
    let mut items = Vec::new();
    for usable in scope::at(file, module, word.start) {
        let is_object = usable.rank == 3;
        let kind = if is_object { CompletionKind::Object } else { CompletionKind::Variable };
        let detail = usable.role.map(|role| role.as_str().to_owned()).unwrap_or_default();
        items.push(Completion { detail, rank: usable.rank, ..item(usable.address, kind, word) });
    }
    let has_arguments = file.text()[word.end as usize..].starts_with('(');
    let functions = functions::of_file(file);
    for (name, callable) in functions.iter() {
        let signature = Signature::of(name, callable);
        let mut own = item(name.to_owned(), CompletionKind::Function, word);
        own.detail = signature.without_name();
        own.documentation = crate::markdown::safe(description(callable));
        own.rank = 5;
        if !has_arguments {
            own.text = format!("{name}()");
            own.snippet = Some(call_snippet(&signature));
        }
        items.push(own);
    }
    for keyword in ["true", "false", "null"] {
        items.push(Completion { rank: 6, ..item(keyword.to_owned(), CompletionKind::Keyword, word) });
    }
    items
}

fn item(label: String, kind: CompletionKind, span: Span) -> Completion {
    Completion {
        text: label.clone(),
        label,
        kind,
        detail: String::new(),
        documentation: String::new(),
        span,
        snippet: None,
        rank: 3,
        is_deprecated: false,
    }
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

/// An address without the keys of instances.
fn without_keys(address: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0_u32;
    for sign in address.chars() {
        match sign {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(sign),
            _ => {}
        }
    }
    plain
}

/// The attributes and blocks of the body around a place.
fn present(file: &File, word: Span) -> Vec<String> {
    let document = file.document();
    let body = document
        .nodes_at(word.start)
        .into_iter()
        .rev()
        .find(|&node| document.tree().kind(node) == NodeKind::Body);
    let Some(body) = body else { return Vec::new() };
    let items = document
        .body_at(body)
        .items()
        .filter(|item| !item.span().touches(word.start) || item.span().len() > word.len() + 200);
    items
        .map(|item| match item {
            hclkit::ast::Item::Attribute(attribute) => attribute.name().to_owned(),
            hclkit::ast::Item::Block(block) => block.block_type().to_owned(),
        })
        .collect()
}

/// Where a cursor is.
fn spot(file: &File, word: Span, offset: u32) -> Spot {
    let document = file.document();
    let tokens = document.tokens();
    let text = file.text();
    if tokens.is_empty() {
        return Spot::Item(Vec::new());
    }
    // The last token before the word.
    let before = tokens.iter().take_while(|token| token.span.start < word.start).count();
    let previous = (0..before as u32).rev().find(|&at| {
        let kind = tokens.kind(at);
        kind == TokenKind::Newline || !kind.is_trivia()
    });
    // Nothing in comments, numbers and text.
    let inside = tokens.at(word.start.max(1) - u32::from(word.start > 0));
    if let Some(spot) = in_text(file, inside, word, offset) {
        return spot;
    }
    let kind = previous.map(|at| tokens.kind(at));
    let glued = previous.is_some_and(|at| tokens.span(at).end == word.start);
    let after = text[word.end as usize..].trim_start_matches([' ', '\t']);
    let nodes = document.nodes_at(word.start);
    let kinds = nodes.iter().map(|&node| document.tree().kind(node));
    let is_in_body = kinds.rev().find(|kind| is_container(*kind)).is_none_or(|kind| {
        matches!(kind, NodeKind::Body | NodeKind::Root | NodeKind::Block | NodeKind::Attribute)
    });
    match kind {
        Some(TokenKind::Dot) if glued => {
            let chain = chain_before(file, previous.unwrap_or_default());
            return chain.map_or(Spot::Nothing, Spot::Member);
        }
        None
        | Some(TokenKind::Newline | TokenKind::OpenBrace | TokenKind::CloseBrace | TokenKind::CloseHeredoc)
            if is_in_body =>
        {
            let starts_line =
                kind.is_none_or(|kind| matches!(kind, TokenKind::Newline | TokenKind::OpenBrace));
            // An item ends its line.
            let ends_line = after.is_empty() || after.starts_with(['\n', '\r', '=', '{', '"', '#', '}']);
            return if starts_line && ends_line {
                Spot::Item(body_schema::around(file, word.start))
            } else {
                Spot::Nothing
            };
        }
        Some(kind) if kind == TokenKind::Newline || starts_operand(kind) => {}
        // A name after a word such as `for` or `in` is an operand, too.
        Some(TokenKind::Identifier) => {
            let text = previous.map(|at| tokens.text(at, document.source())).unwrap_or_default();
            if !matches!(text, "in" | "if") {
                return Spot::Nothing;
            }
        }
        _ => return Spot::Nothing,
    }
    // Another operand follows.
    if after.starts_with(|sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '"' | '{' | '<')) {
        return Spot::Nothing;
    }
    let is_glued = glued && kind == Some(TokenKind::OpenBracket);
    if let Some(address) = previous.filter(|_| is_glued).and_then(|bracket| chain_before(file, bracket)) {
        return Spot::Key(address);
    }
    let equal = previous.filter(|&at| tokens.kind(at) == TokenKind::Equal && is_in_body);
    let name = equal.and_then(|equal| tokens.significant_before(equal));
    match name.filter(|&at| tokens.kind(at) == TokenKind::Identifier) {
        Some(name) => Spot::Value(tokens.text(name, document.source()).to_owned()),
        None => Spot::Expression,
    }
}

fn starts_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Equal
            | TokenKind::OpenBrace
            | TokenKind::OpenBracket
            | TokenKind::OpenParen
            | TokenKind::OpenInterpolation
            | TokenKind::OpenInterpolationStrip
            | TokenKind::Comma
            | TokenKind::Colon
            | TokenKind::Question
            | TokenKind::FatArrow
            | TokenKind::EqualEqual
            | TokenKind::BangEqual
            | TokenKind::Less
            | TokenKind::LessEqual
            | TokenKind::Greater
            | TokenKind::GreaterEqual
            | TokenKind::AndAnd
            | TokenKind::OrOr
            | TokenKind::Bang
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::Slash
            | TokenKind::Percent
    )
}

fn is_container(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Root
            | NodeKind::Body
            | NodeKind::Block
            | NodeKind::Tuple
            | NodeKind::Object
            | NodeKind::ForTuple
            | NodeKind::ForObject
            | NodeKind::Parens
            | NodeKind::Call
            | NodeKind::Index
            | NodeKind::Interpolation
            | NodeKind::IfDirective
            | NodeKind::ForDirective
    )
}

/// In comments and text there is nothing to complete, except for sources of modules.
fn in_text(file: &File, token: u32, word: Span, offset: u32) -> Option<Spot> {
    let document = file.document();
    let tokens = document.tokens();
    let span = tokens.span(token);
    let kind = tokens.kind(token);
    let is_before_end = offset < span.end || kind == TokenKind::LineComment && offset <= span.end;
    match kind {
        TokenKind::LineComment if span.start < word.start && is_before_end => Some(Spot::Nothing),
        TokenKind::InlineComment if span.start < word.start && is_before_end => Some(Spot::Nothing),
        TokenKind::Number if span.touches(offset) => Some(Spot::Nothing),
        TokenKind::String if span.start < offset && offset < span.end => {
            let inside = Span::new(span.start + 1, span.end - 1);
            let link = crate::links::of_file(file).into_iter().any(|link| link.span.touches(offset));
            let text = document.source().slice(inside);
            let before = tokens.significant_before(token).and_then(|equal| tokens.significant_before(equal));
            let is_source = before.is_some_and(|name| tokens.text(name, document.source()) == "source");
            if link || is_source && text.starts_with('.') {
                return Some(Spot::Source(inside));
            }
            if is_path(file, token) {
                return Some(Spot::Path(inside));
            }
            if let Some(block) = label_at(file, offset) {
                let (block_type, start) = block;
                return Some(Spot::Label(block_type, start, inside));
            }
            let name = argument_before(file, token);
            Some(name.map_or(Spot::Nothing, |name| Spot::ValueText(name, inside)))
        }
        TokenKind::QuotedText
            if span.start < offset && offset <= span.end && is_path(file, token.saturating_sub(4)) =>
        {
            // `file("${path.module}/…")`.
            let rest = document.source().slice(span);
            let is_own = tokens.text(token.saturating_sub(2), document.source()) == "module";
            Some(if rest.starts_with('/') && is_own {
                Spot::Path(Span::new(span.start, span.end))
            } else {
                Spot::Nothing
            })
        }
        TokenKind::QuotedText | TokenKind::HeredocText | TokenKind::BareText | TokenKind::OpenHeredoc
            if span.start < offset && offset <= span.end || span.start <= offset && offset < span.end =>
        {
            Some(Spot::Nothing)
        }
        _ => None,
    }
}

/// Whether a token is the first argument of a function that reads a file.
fn is_path(file: &File, token: u32) -> bool {
    let document = file.document();
    let tokens = document.tokens();
    let before = tokens.significant_before(token).filter(|&at| tokens.kind(at) == TokenKind::OpenParen);
    let name = before.and_then(|at| tokens.significant_before(at));
    name.is_some_and(|at| {
        let name = tokens.text(at, document.source());
        name.starts_with("file") || name == "templatefile"
    })
}

/// The type and the start of the block whose first label is at an offset.
fn label_at(file: &File, offset: u32) -> Option<(String, u32)> {
    let document = file.document();
    let nodes = document.nodes_at(offset);
    let node = nodes.iter().rev().find(|&&node| document.tree().kind(node) == NodeKind::Block)?;
    let block = document.block_at(*node)?;
    let is_here = block.labels().next().is_some_and(|label| label.span().touches(offset));
    is_here.then(|| (block.block_type().to_owned(), block.span().start))
}

/// The name of the argument whose value begins with a token.
fn argument_before(file: &File, token: u32) -> Option<String> {
    let document = file.document();
    let tokens = document.tokens();
    let equal = tokens.significant_before(token).filter(|&at| tokens.kind(at) == TokenKind::Equal)?;
    let name = tokens.significant_before(equal).filter(|&at| tokens.kind(at) == TokenKind::Identifier)?;
    Some(tokens.text(name, document.source()).to_owned())
}

/// The names and keys before a dot.
fn chain_before(file: &File, dot: u32) -> Option<String> {
    let document = file.document();
    let tokens = document.tokens();
    let end = tokens.span(dot).start;
    let mut at = dot;
    let mut depth = 0_u32;
    let mut start = end;
    while at > 0 {
        at -= 1;
        let span = tokens.span(at);
        match tokens.kind(at) {
            TokenKind::CloseBracket => depth += 1,
            TokenKind::OpenBracket if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            TokenKind::Identifier | TokenKind::Dot | TokenKind::Number if span.end == start => {}
            _ => break,
        }
        if depth == 0 {
            start = span.start;
        }
        if end - start > 1_000 {
            return None;
        }
    }
    let text = document.source().slice(Span::new(start, end));
    // A chain begins with a name.
    text.starts_with(|sign: char| sign.is_alphabetic() || sign == '_').then(|| text.to_owned())
}

/// Leaves out items that would add a syntax error. One item of each form is tried.
fn without_new_errors(file: &File, items: Vec<Completion>) -> Vec<Completion> {
    let Some(word) = items.first().map(|item| item.span) else { return items };
    let errors = |replacement: &str| {
        let mut text = file.text().to_owned();
        text.replace_range(word.to_range(), replacement);
        file.errors_of(&text).errors()
    };
    let before = file.syntax_errors().errors();
    let mut tried: Vec<((CompletionKind, bool), bool)> = Vec::new();
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let form = (item.kind, item.text == item.label);
        let known = tried.iter().find(|(known, _)| *known == form).map(|(_, fits)| *fits);
        let fits = known.unwrap_or_else(|| {
            let fits = errors(&item.text) <= before;
            tried.push((form, fits));
            fits
        });
        if fits {
            kept.push(item);
        }
    }
    kept
}
