//! Comments of a spec file in the native syntax: those right before a spec block describe what it reads.

use std::sync::Arc;

use hclkit_syntax::{Source, Syntax, TokenKind, Tokens};
use hclkit_value::Str;

use crate::Block;

/// Finds the comments of a source.
pub(super) struct Comments {
    source: Arc<Source>,
    /// `None` in the JSON syntax, which has no comments.
    tokens: Option<Tokens>,
}

impl Comments {
    pub(super) fn of(source: Arc<Source>) -> Comments {
        let tokens = (Syntax::of(source.name()) == Syntax::Native).then(|| Tokens::of(&source));
        Comments { source, tokens }
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

#[cfg(test)]
mod tests {
    use hclkit_syntax::Source;

    use crate::{Functions, SpecFile};

    #[test]
    fn what_counts_as_a_description() {
        let cases = [
            ("# One.\n", Some("One.")),
            ("// One.\r\n## Two.\r\n", Some("One.\nTwo.")),
            ("/* One. */\n", Some("One.")),
            ("/**\n * One.\n *\n * Two.\n */\n", Some("One.\n\nTwo.")),
            ("# One.\n\n", None),
            ("# One.\n\n# Two.\n", Some("Two.")),
            ("#\n", None),
            ("/* One. */ ", None),
            ("variables {} # One.\n", None),
            ("", None),
        ];
        for (before, expected) in cases {
            let source = Source::new("spec", format!("{before}attr {{\n  name = \"x\"\n}}\n"));
            let file = SpecFile::read(source, &Functions::new()).unwrap();
            assert_eq!(file.description.as_deref(), expected, "{before:?}");
        }
    }
}
