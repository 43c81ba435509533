//! Comments of a spec file in the native syntax: those right before a spec block describe what it reads. Lines that begin with
//! a tag, such as `@deprecated`, say more about an argument. What they say only informs: other readers of spec files ignore it.

use std::sync::Arc;

use hclkit_syntax::{Source, Syntax, TokenKind, Tokens};
use hclkit_value::Str;

use crate::{Accepts, Block, Expression};

/// Finds the comments of a source.
pub(super) struct Comments {
    source: Arc<Source>,
    /// `None` in the JSON syntax, which has no comments.
    tokens: Option<Tokens>,
}

impl Comments {
    pub(super) fn of(source: Arc<Source>) -> Self {
        let tokens = (Syntax::of(source.name()) == Syntax::Native).then(|| Tokens::of(&source));
        Self { source, tokens }
    }

    /// The text of the comments on the lines right before a block, without their markers. A comment that follows
    /// something else on its line does not count, nor does one before an empty line.
    pub(super) fn before(&self, block: &Block) -> Option<Str> {
        let tokens = self.tokens.as_ref()?;
        let is_newline = |at: u32| tokens.kind(at) == TokenKind::Newline;
        let mut first = tokens.at(block.type_span.start);
        let end = first;
        while first >= 2
            && is_newline(first - 1)
            && tokens.kind(first - 2).is_comment()
            && (first == 2 || is_newline(first - 3))
        {
            first -= 2;
        }
        let comments = (first..end).filter(|&at| tokens.kind(at).is_comment());
        let lines: Vec<&str> = comments.flat_map(|at| lines(tokens.text(at, &self.source))).collect();
        let text = lines.join("\n");
        let text = text.trim_matches('\n');
        (!text.is_empty()).then(|| Str::from(text))
    }
}

/// Divides a description into its text and what its tags say: `@deprecated use x`, `@sensitive`, `@suggest "a", "b"` and
/// `@link https://…`, each on a line of its own. Other lines with `@` are text.
pub(super) fn with_tags(description: Option<&Str>, accepts: &mut Accepts) -> Option<Str> {
    let mut text: Vec<&str> = Vec::new();
    for line in description?.lines() {
        let (tag, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match tag {
            "@deprecated" => accepts.deprecated = Some(rest.into()),
            "@sensitive" if rest.is_empty() => accepts.sensitive = true,
            "@suggest" if !rest.is_empty() => accepts.suggested.extend(elements(rest)),
            "@link" if !rest.is_empty() => accepts.link = Some(rest.into()),
            _ => text.push(line),
        }
    }
    let text = text.join("\n");
    let text = text.trim_matches('\n');
    (!text.is_empty()).then(|| Str::from(text))
}

/// The elements of a list without its brackets, as source. A text that is not a list has none.
fn elements(list: &str) -> Vec<Str> {
    let Ok(expression) = Expression::parse(format!("[{list}]")) else { return Vec::new() };
    let elements = expression.static_list().unwrap_or_default();
    elements.iter().map(|element| Str::from(element.source().slice(element.span()))).collect()
}

/// The lines of a comment without its markers, and without the stars before the lines of one in `/*` and `*/`.
fn lines(comment: &str) -> Vec<&str> {
    match comment.strip_prefix("/*") {
        Some(inside) => {
            let inside = inside.trim_start_matches('*').trim_end_matches('/').trim_end_matches('*');
            inside.lines().map(|line| line.trim().trim_start_matches('*').trim()).collect()
        }
        None => vec![comment.trim_start_matches(['#', '/']).trim()],
    }
}
