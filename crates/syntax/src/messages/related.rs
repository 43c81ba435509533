//! The texts at related places.

pub(crate) const FIRST_SET_HERE: &str = "first set here";
pub(crate) const OPENED_HERE: &str = "opened here";
pub(crate) const BLOCK_STARTS_HERE: &str = "the block starts here";
pub(crate) const DIRECTIVE_STARTS_HERE: &str = "the directive starts here";
pub(crate) const HEREDOC_STARTS_HERE: &str = "the heredoc starts here";
pub(crate) const UNCLOSED_BY_INDENTATION: &str = "the indentation suggests that this block is not closed";
pub(crate) const STRING_STARTS_HERE: &str = "the string starts here";
pub(crate) const UNCLOSED_BRACE: &str = "the unclosed brace";
pub(crate) const NOT_CLOSED: &str = "this bracket is not closed";
pub(crate) const MAY_NOT_BE_CLOSED: &str = "this bracket may not be closed";
pub(crate) const MAY_CLOSE_STRING: &str = "this quote may be meant to close a string";
