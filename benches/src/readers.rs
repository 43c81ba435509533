//! The readers: hclkit and its peers, each with the call that its users would make, and two baselines.

use std::hint::black_box;

/// A way to read a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Counts runs of bytes of one class: the cost of reading every byte.
    ByteLoop,
    /// The same content as JSON, into `serde_json::Value`.
    SerdeJson,
    /// A document with tokens, tree and diagnostics, from bytes that it copies and checks.
    Hclkit,
    /// Only tokens, from bytes that it copies and checks.
    HclkitLex,
    /// Body of the editing tree, which keeps comments and spaces.
    HclEdit,
    /// Body without comments, spaces and places, made from hcl-edit's.
    HclRs,
    /// Concrete syntax tree.
    TreeSitter,
}

/// The result of reading, which owns everything that stays in memory.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one at a time")]
pub enum Kept {
    /// Nothing but a number.
    Sum(u64),
    /// JSON.
    Json(serde_json::Value),
    /// Ours.
    Document(hclkit_syntax::Document),
    /// Our tokens and their source.
    Tokens(hclkit_syntax::Source, hclkit_syntax::Tokens),
    /// Of hcl-edit.
    Edit(hcl_edit::structure::Body),
    /// Of hcl-rs.
    Body(hcl::Body),
    /// Of tree-sitter.
    Tree(tree_sitter::Tree),
    /// The reader rejected the text.
    Refused,
}

impl Reader {
    /// All readers, in the order of the table.
    pub const ALL: [Self; 7] = [
        Self::ByteLoop,
        Self::SerdeJson,
        Self::Hclkit,
        Self::HclkitLex,
        Self::HclEdit,
        Self::HclRs,
        Self::TreeSitter,
    ];

    /// The name in tables and on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ByteLoop => "byte-loop",
            Self::SerdeJson => "serde_json",
            Self::Hclkit => "hclkit",
            Self::HclkitLex => "hclkit, lexing alone",
            Self::HclEdit => "hcl-edit",
            Self::HclRs => "hcl-rs",
            Self::TreeSitter => "tree-sitter",
        }
    }

    /// The reader with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reader| reader.name() == name)
    }

    /// The text in the form that this reader needs: JSON for `serde_json`.
    pub fn prepare(self, text: &str) -> Option<String> {
        if self != Self::SerdeJson {
            return Some(text.to_owned());
        }
        let value = hcl::Value::from(hcl::parse(text).ok()?);
        serde_json::to_string(&value).ok()
    }

    /// Reads a prepared text. `again` keeps the part of a reader that is reused (tree-sitter's parser).
    pub fn read(self, text: &str, again: &mut Again) -> Kept {
        match self {
            Self::ByteLoop => Kept::Sum(runs(text)),
            Self::SerdeJson => serde_json::from_str(text).map_or(Kept::Refused, Kept::Json),
            Self::Hclkit => Kept::Document(hclkit_syntax::parse(text.as_bytes())),
            Self::HclkitLex => {
                let source = hclkit_syntax::Source::new("", text.as_bytes());
                let tokens = hclkit_syntax::Tokens::of(&source);
                Kept::Tokens(source, tokens)
            }
            Self::HclEdit => text.parse().map_or(Kept::Refused, Kept::Edit),
            Self::HclRs => hcl::parse(text).map_or(Kept::Refused, Kept::Body),
            Self::TreeSitter => again.parser.parse(text, None).map_or(Kept::Refused, Kept::Tree),
        }
    }

    /// Returns true if the reader accepts the text.
    pub fn accepts(self, text: &str, again: &mut Again) -> bool {
        match self.read(text, again) {
            Kept::Document(document) => !document.has_errors(),
            Kept::Tree(tree) => !tree.root_node().has_error(),
            Kept::Refused => false,
            kept => {
                black_box(kept);
                true
            }
        }
    }
}

/// What readers reuse for the next text.
#[allow(missing_debug_implementations, reason = "a parser has nothing to show")]
pub struct Again {
    parser: tree_sitter::Parser,
}

impl Default for Again {
    fn default() -> Self {
        let mut parser = tree_sitter::Parser::new();
        parser
            .set_language(&tree_sitter_hcl::LANGUAGE.into())
            .expect("the grammar fits the parser's version");
        Self { parser }
    }
}

/// Counts runs of blanks, of word characters, and of others.
fn runs(text: &str) -> u64 {
    let (mut runs, mut class) = (0, u8::MAX);
    for byte in text.bytes() {
        let next = CLASS[byte as usize];
        runs += u64::from(next != class);
        class = next;
    }
    runs
}

static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' => 1,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | 0x80.. => 2,
            _ => 0,
        };
        byte += 1;
    }
    table
};
