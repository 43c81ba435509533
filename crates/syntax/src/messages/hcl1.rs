//! The notes of errors in HCL 1, by code. Those that the native syntax has, too, are in `lexical.rs` and `native.rs`.

use std::fmt::Display;

// wrong-character: Invalid character

pub(crate) const BYTE_ORDER_MARK: &str =
    "HCL 1 must not start with a byte order mark. Save the file as UTF-8 without one.";
pub(crate) const RESERVED_CHARACTER: &str =
    "The character U+E123 is reserved: HCL 1 must not contain it, not even in a comment.";
pub(crate) const COLON: &str = "Colons are not valid here. HCL 1 sets a value with `=`.";
pub(crate) const SINGLE_LESS_THAN: &str = "A heredoc starts with `<<`.";
pub(crate) const REFERENCE: &str = "HCL 1 has no references outside of strings. Write `\"${ … }\"`.";
pub(crate) const EXPRESSION: &str = "HCL 1 has no expressions outside of strings: values are strings, numbers, `true`, `false`, lists and objects.";

// invalid-number: Invalid number literal

pub(crate) const HEXADECIMAL_NUMBER: &str =
    "`0x` must be followed by hexadecimal digits, and the number must have at most 64 bits.";
pub(crate) const OCTAL_NUMBER: &str = "A number that starts with 0 is octal in HCL 1, and has only the digits 0 to 7. Remove the zero, or put the number in quotes.";
pub(crate) const FRACTION: &str = "A number consists of digits, an optional fraction such as `.5`, and an optional exponent such as `e-3`, and must be in the range of 64-bit floating-point numbers.";
pub(crate) const LARGE_NUMBER: &str = "Whole numbers of HCL 1 have 64 bits. Put a larger one in quotes.";

// invalid-escape: Invalid escape sequence

pub(crate) fn unknown_escape(text: impl Display) -> String {
    format!("`{text}` is not an escape sequence. Write a literal backslash as `\\\\`.")
}
pub(crate) fn missing_digits(text: impl Display) -> String {
    format!(
        "`{text}` has too few digits: `\\NNN` has three octal digits, `\\xNN` two hexadecimal ones, `\\uNNNN` four and `\\UNNNNNNNN` eight."
    )
}
pub(crate) fn not_a_character(text: impl Display) -> String {
    format!("`{text}` is not a byte or a character.")
}
pub(crate) const NOT_UTF8: &str =
    "The bytes that the escape sequences of this string denote are not UTF-8 text.";

// invalid-heredoc: Invalid heredoc introduction

pub(crate) const HEREDOC_WITHOUT_NAME: &str =
    "`<<` and `<<-` must be followed by a name of letters and digits, and a line break.";

// unclosed-template: Unterminated template string

pub(crate) const UNCLOSED_SEQUENCE: &str = "The string is not closed: `${` in it must be closed by `}`. Quotes and line breaks before that are part of the string.";
pub(crate) const UNCLOSED_HEREDOC: &str = "The heredoc is not closed: its name must be alone on a line, with only white space before it. After `<<-`, that white space is required.";

// expected-item: Argument or block definition required

pub(crate) const MISSING_ITEM: &str = "Expected a name, and then `=` and a value, or `{`.";
pub(crate) const MISSING_NAME: &str = "A name is missing here.";
pub(crate) fn bool_as_name(text: impl Display) -> String {
    format!("`{text}` is a value. To use it as a name, put it in quotes.")
}
pub(crate) const NAME_ALONE: &str = "Expected `=` and a value, or `{`, after the name.";

// unexpected-comma: Unexpected comma after argument

pub(crate) const EXTRA_COMMA: &str =
    "Only one comma is allowed after an item, and none before the first one.";

// invalid-block: Invalid block definition

pub(crate) const SEVERAL_NAMES: &str =
    "Only one name is allowed before `=`. To define a block with labels, remove the equals sign.";

// missing-expression, invalid-expression

pub(crate) const MISSING_VALUE: &str =
    "Expected a value after the equals sign: a string, a number, `true`, `false`, a list or an object.";
pub(crate) fn unquoted_text(text: impl Display) -> String {
    format!("`{text}` is not a value of HCL 1. Text must be in quotes: `\"{text}\"`.")
}
pub(crate) fn unquoted_reference(text: impl Display) -> String {
    format!("`{text}` is not a value of HCL 1. Write a reference in a string: `\"${{{text}}}\"`.")
}
pub(crate) const NOT_A_VALUE: &str =
    "Expected a value: a string, a number, `true`, `false`, a list or an object.";

// missing-separator: Missing item separator

pub(crate) const MISSING_COMMA: &str = "The elements of a list must be separated by commas.";

// unclosed-block, unclosed-bracket

pub(crate) const UNCLOSED_BLOCK: &str = "The brace is not closed before the end of the file. The missing brace may also belong to a nested block.";
pub(crate) const UNCLOSED_LIST: &str = "The list is not closed by `]`.";
