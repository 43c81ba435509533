//! The functions that a language has: their documentation, and help with a call.

use std::fmt::Write as _;

use hclkit::dialect::FunctionHelp;
use hclkit::functions::{Grants, Library, Signature, description, examples};
use hclkit::model::Callable;
use hclkit::syntax::{NodeKind, TokenKind};
use hclkit::value::Name;
use hclkit::{Functions, Span, module};

use crate::Snapshot;
use crate::file::File;
use crate::markdown;

/// Help with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The signature, such as `join(separator: string, lists: list(string)...) → string`.
    pub label: String,
    /// What the function does.
    pub documentation: String,
    /// The parts of the label with the parameters, in bytes, each with its description.
    pub parameters: Vec<(Span, String)>,
    /// The parameter at the cursor.
    pub active: Option<usize>,
}

/// The functions of the language of a file. A language whose own ones are not known has those of Terraform, which most have
/// taken over.
pub(crate) fn of_file(file: &File) -> Functions {
    let Some(language) = file.content_dialect() else { return Functions::new() };
    #[cfg(feature = "rules")]
    if let Some(own) = hclkit_policy::functions_of(language) {
        return own;
    }
    if !language.functions().is_empty() && language.functions().parse::<Library>().is_err() {
        return Library::Terraform.functions(&Grants::new());
    }
    module::functions(language, &Grants::new())
}

/// The functions that only the program of a language has, with what there is to say about them.
pub(crate) fn described(file: &File) -> impl Iterator<Item = (&Name, &FunctionHelp)> {
    file.content_dialect().into_iter().flat_map(|language| &language.help.functions)
}

/// The parameters of such a function, such as `(name, default)`.
pub(crate) fn signature_of(help: &FunctionHelp) -> String {
    format!("({})", help.parameters.join(", "))
}

/// The documentation of such a function as Markdown.
pub(crate) fn described_page(name: &str, help: &FunctionHelp) -> String {
    format!("```hcl\n{name}{}\n```\n\n{}\n", signature_of(help), markdown::safe(&help.about))
}

/// The documentation of a function as Markdown.
pub(crate) fn page(name: &str, callable: &Callable) -> String {
    let signature = Signature::of(name, callable);
    let mut text = format!("```hcl\n{signature}\n```\n");
    let what = description(callable);
    if !what.is_empty() {
        let _ = writeln!(text, "\n{}", markdown::safe(what));
    }
    for parameter in signature.parameters.iter().filter(|parameter| !parameter.description.is_empty()) {
        let about = markdown::safe(&parameter.description);
        let _ = writeln!(text, "\n- {}: {about}", markdown::code(&parameter.name));
    }
    let examples = examples(callable);
    if !examples.is_empty() {
        text.push_str("\n```hcl\n");
        for (call, result) in examples {
            let _ = writeln!(text, "{call}\n→ {result}");
        }
        text.push_str("```\n");
    }
    text
}

impl Snapshot {
    /// Help with the innermost call around a byte offset.
    pub fn signature(&self, path: &str, offset: u32) -> Option<SignatureHelp> {
        let file = self.file(path)?;
        let (name, argument) = call_at(&file, offset)?;
        let functions = of_file(&file);
        let Some(callable) = functions.get(&name) else {
            let (_, help) = described(&file).find(|(own, _)| **own == *name)?;
            return Some(described_help(&name, help, argument));
        };
        let signature = Signature::of(&name, callable);
        let mut parameters = Vec::new();
        let mut at = name.len() + 1;
        for parameter in &signature.parameters {
            let span = Span::new(at as u32, (at + parameter.label.len()) as u32);
            parameters.push((span, parameter.description.clone()));
            at += parameter.label.len() + ", ".len();
        }
        let last = parameters.len().checked_sub(1);
        let active = match last {
            Some(last) if argument > last => signature.is_variadic.then_some(last),
            Some(_) => Some(argument),
            None => None,
        };
        Some(SignatureHelp {
            label: signature.to_string(),
            documentation: markdown::safe(description(callable)),
            parameters,
            active,
        })
    }
}

/// Help with a call of a function that only the program has.
fn described_help(name: &str, help: &FunctionHelp, argument: usize) -> SignatureHelp {
    let mut parameters = Vec::new();
    let mut at = name.len() + 1;
    for parameter in &help.parameters {
        parameters.push((Span::new(at as u32, (at + parameter.len()) as u32), String::new()));
        at += parameter.len() + ", ".len();
    }
    SignatureHelp {
        label: format!("{name}{}", signature_of(help)),
        documentation: markdown::safe(&help.about),
        active: (argument < parameters.len()).then_some(argument),
        parameters,
    }
}

/// The name of the innermost call around an offset, and the number of the argument there.
pub(crate) fn call_at(file: &File, offset: u32) -> Option<(String, usize)> {
    let document = file.document();
    let tokens = document.tokens();
    let mut depth = 0_u32;
    let mut commas = 0;
    // What is before the offset, also in a call without its closing parenthesis.
    let mut at = tokens.iter().take_while(|token| token.span.start < offset).count() as u32;
    let mut steps = 0;
    while at > 0 {
        at -= 1;
        steps += 1;
        if steps > 10_000 {
            return None;
        }
        let span = tokens.span(at);
        match tokens.kind(at) {
            TokenKind::CloseParen
            | TokenKind::CloseBracket
            | TokenKind::CloseBrace
            | TokenKind::CloseSequence
                if span.end <= offset =>
            {
                depth += 1;
            }
            TokenKind::OpenBracket | TokenKind::OpenInterpolation | TokenKind::OpenDirective
                if depth == 0 =>
            {
                // A list is an argument as a whole.
                commas = 0;
                if tokens.kind(at) != TokenKind::OpenBracket {
                    return None;
                }
            }
            TokenKind::OpenBrace if depth == 0 => {
                let is_body = document.nodes_at(span.start).last().is_none_or(|&node| {
                    matches!(document.tree().kind(node), NodeKind::Block | NodeKind::Body | NodeKind::Root)
                });
                if is_body {
                    return None;
                }
                commas = 0;
            }
            TokenKind::OpenParen if depth == 0 => {
                let before = tokens.significant_before(at)?;
                if tokens.kind(before) != TokenKind::Identifier || tokens.span(before).end != span.start {
                    commas = 0;
                    continue;
                }
                let end = tokens.span(before).end;
                let mut start = tokens.span(before).start;
                let mut first = before;
                while first >= 2 && tokens.kind(first - 1) == TokenKind::DoubleColon {
                    first -= 2;
                    start = tokens.span(first).start;
                }
                return Some((document.source().slice(Span::new(start, end)).to_owned(), commas));
            }
            TokenKind::OpenParen
            | TokenKind::OpenBracket
            | TokenKind::OpenBrace
            | TokenKind::OpenInterpolation
                if depth > 0 =>
            {
                depth -= 1;
            }
            TokenKind::Comma if depth == 0 && span.end <= offset => commas += 1,
            _ => {}
        }
    }
    None
}
