//! The notes of errors in the JSON syntax, by code.

use std::fmt::Display;

// nesting-too-deep: Nesting too deep

pub(crate) const TOO_DEEP: &str =
    "Objects and arrays are nested too deeply here. Their contents are skipped.";

// invalid-encoding: Invalid character encoding

pub(crate) const INVALID_UTF8: &str =
    "These bytes are not valid UTF-8; each is read as U+FFFD. Save the file as UTF-8.";

// json-byte-order-mark: Byte order mark

pub(crate) const BYTE_ORDER_MARK: &str =
    "JSON text must not start with a byte order mark. Save the file as UTF-8 without one.";

// json-comment: Comment in JSON

pub(crate) const COMMENT: &str = "Comments are not supported in JSON. Use a property named `//`, which is ignored in an object that represents a body.";
pub(crate) const UNCLOSED_COMMENT: &str =
    "Comments are not supported in JSON, and this comment is not closed.";

// json-wrong-character: Invalid character in JSON

pub(crate) fn invisible_character(code: u32) -> String {
    format!(
        "The invisible character U+{code:04X} is not valid here. Use only plain spaces, tabs and line breaks."
    )
}
pub(crate) const SECOND_COLON: &str =
    "Expected a value. Write only one colon between the name and the value.";
pub(crate) const NAMED_ELEMENT: &str =
    "Array elements cannot have names. Use braces for an object with properties.";

// json-wrong-quotes: Invalid quotes

pub(crate) const SINGLE_QUOTES: &str = "Single quotes are not valid. Use double quotes (`\"`).";
pub(crate) const BACKTICKS: &str = "Backticks are not valid. Use double quotes (`\"`).";
pub(crate) const CURLY_QUOTES: &str = "Curly quotes are not valid here. Use straight double quotes (`\"`).";

// json-unclosed-string: Unterminated string

pub(crate) const UNCLOSED_STRING: &str =
    "The string must be closed on the line on which it starts. Write `\\n` for a line break.";

// json-control-character: Control character in string

pub(crate) fn unescaped_control_character(byte: u8, escape: impl Display) -> String {
    let what = match byte {
        b'\n' | b'\r' => "A line break".to_owned(),
        b'\t' => "A tab".to_owned(),
        _ => format!("The control character U+{byte:04X}"),
    };
    format!("{what} in a string must be escaped. Write `{escape}`.")
}

// json-invalid-escape: Invalid escape sequence in JSON

pub(crate) const LONE_BACKSLASH: &str =
    "A backslash starts an escape sequence. Write a literal backslash as `\\\\`.";
pub(crate) const LONG_UNICODE_ESCAPE: &str = "The escape sequence `\\U` is not supported. Write a character above U+FFFF directly, or as a surrogate pair of two `\\uNNNN` sequences.";
pub(crate) const ESCAPED_SINGLE_QUOTE: &str = "A single quote does not need a backslash.";
pub(crate) fn short_unicode_escape(text: impl Display) -> String {
    format!("`\\u` must be followed by four hexadecimal digits, found `{text}`.")
}
pub(crate) fn unknown_escape(text: impl Display) -> String {
    format!("`{text}` is not a valid escape sequence. Write a literal backslash as `\\\\`.")
}

// json-lone-surrogate: Incomplete surrogate pair

pub(crate) const LONE_SURROGATE: &str =
    "The surrogate pair is incomplete: this half of it is read as U+FFFD.";

// json-invalid-number: Invalid JSON number

pub(crate) const NUMBER_BASE: &str = "Numbers must be decimal.";
pub(crate) fn unsupported_word(text: impl Display) -> String {
    format!("`{text}` is not supported in JSON.")
}
pub(crate) const UNDERSCORES: &str = "Underscores in numbers are not supported.";
pub(crate) const LEADING_ZEROS: &str =
    "Leading zeros in numbers are not supported. If the zeros matter, use a string.";
pub(crate) const NO_DIGIT_BEFORE_POINT: &str = "A number requires a digit before the decimal point.";
pub(crate) const NO_DIGIT_AFTER_POINT: &str = "A number requires a digit after the decimal point.";
pub(crate) const PLUS_SIGN: &str = "A plus sign before a number is not supported.";
pub(crate) fn invalid_number(text: impl Display) -> String {
    format!("`{text}` is not a valid number, or is out of range.")
}

// json-invalid-keyword: Invalid JSON keyword

pub(crate) fn misspelled_word(word: impl Display, meant: impl Display) -> String {
    format!("`{word}` is not a valid JSON value. Did you mean `{meant}`?")
}
pub(crate) fn unquoted_reference(word: impl Display) -> String {
    format!("Text must be in double quotes, and a reference in a template: `\"${{{word}}}\"`.")
}
pub(crate) fn unquoted_text(word: impl Display) -> String {
    format!("`{word}` is not a valid JSON value. Text must be in double quotes.")
}

// json-invalid-name: Invalid object property name

pub(crate) const NO_NAME_BEFORE: &str = "Expected a property name before this.";
pub(crate) const NO_NAME: &str = "Expected a property name: a string in double quotes.";
pub(crate) const UNQUOTED_NAME: &str = "A property name must be a string in double quotes.";

// json-missing-colon: Missing colon

pub(crate) const EQUALS_SIGN_FOR_COLON: &str =
    "Expected a colon after the property name, found an equals sign.";
pub(crate) const MISSING_COLON: &str = "Expected a colon between the property name and its value.";

// json-missing-value: Missing value

pub(crate) const NO_VALUE: &str =
    "Expected an object, an array, a string in double quotes, a number, `true`, `false` or `null`.";
pub(crate) const NO_VALUE_BEFORE: &str = "Expected a value before this.";
/// What is missing at the end.
pub(crate) const COLON_AND_VALUE: &str = "a colon and a value";
pub(crate) const PROPERTY_NAME: &str = "a property name";
pub(crate) const VALUE: &str = "a value";
pub(crate) fn ends_early(what: impl Display) -> String {
    format!("Expected {what}, found the end of the text.")
}

// json-missing-comma: Missing comma

pub(crate) const SEMICOLON_SEPARATOR: &str =
    "Properties and elements must be separated by commas, not by semicolons.";
pub(crate) const MISSING_COMMA_BETWEEN_PROPERTIES: &str = "Properties must be separated by commas.";
pub(crate) const MISSING_COMMA_BETWEEN_ELEMENTS: &str = "Array elements must be separated by commas.";
pub(crate) const MISSING_COMMA_OR_BRACE: &str = "Expected a comma or a closing brace (`}`).";
pub(crate) const MISSING_COMMA_OR_BRACKET: &str = "Expected a comma or a closing bracket (`]`).";

// json-extra-comma: Unexpected comma

pub(crate) const TRAILING_COMMA: &str = "A comma before the closing bracket is not allowed in JSON.";
pub(crate) const COMMA_WITHOUT_VALUE: &str =
    "Expected a value before this comma. Remove the comma if it is not needed.";

// json-mismatched-bracket: Mismatched bracket

pub(crate) const OBJECT_CLOSED_AS_ARRAY: &str = "An object must be closed by `}`, not by `]`.";
pub(crate) const ARRAY_CLOSED_AS_OBJECT: &str = "An array must be closed by `]`, not by `}`.";

// json-unclosed-bracket: Unclosed bracket in JSON

pub(crate) fn unclosed_bracket(bracket: impl Display) -> String {
    format!(
        "This `{bracket}` is not closed before the end of the file. The missing bracket may also belong to a nested pair."
    )
}

// json-extra-text: Extra characters after value

pub(crate) const EXTRA_TEXT: &str = "Expected the end of the file after the value.";

// json-root: Root value must be an object

pub(crate) const WRONG_ROOT: &str = "The root value must be an object, or an array of objects.";
