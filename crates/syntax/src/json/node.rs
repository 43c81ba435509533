//! The nodes of a JSON document in one arena. A node precedes the nodes inside it and stores where the next one begins.
//! In an object, names and values alternate.

use crate::Span;

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Object,
    Array,
    /// The name of a property. Its value is the next node.
    Name,
    String,
    Number,
    True,
    False,
    Null,
    /// A missing value.
    Missing,
}

/// How the text of a string is written in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Form {
    /// In double quotes, without escape sequences. Also used for nodes that are not strings.
    Plain,
    /// In double quotes, with escape sequences or invalid characters.
    Encoded,
    /// In other quotes. The first and the last character are not part of the text.
    OtherQuotes,
    /// After a quote that is not closed, with or without escape sequences.
    Unclosed,
    /// Without quotes.
    Bare,
}

/// The stored form of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The node after this one and all nodes in it.
    pub(super) next: u32,
    pub(super) kind: Kind,
    pub(super) form: Form,
    /// Whether the last byte is the closing bracket.
    pub(super) closed: bool,
}

impl Node {
    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_node_takes_sixteen_bytes() {
        assert_eq!(size_of::<super::Node>(), 16);
    }
}
