//! The nodes of a JSON document in one arena: each stands before those in it, and knows where what follows it begins.
//! In an object, names and values take turns.

use crate::Span;

/// What a node is.
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
    /// A place where a value should be.
    Missing,
}

/// How the text of a string stands in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Form {
    /// In quotes, and just so. Also that of nodes that are no strings.
    Plain,
    /// In quotes, with something to decode.
    Encoded,
    /// In quotes of another kind. The first and the last character are none of the text.
    OtherQuotes,
    /// Behind a quote that nothing closes, with something to decode or not.
    Unclosed,
    /// Without quotes.
    Bare,
}

/// A node as it is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The node that follows this one and all in it.
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
