//! The notes of errors in tokens: comments, strings, heredocs and single characters, by code.

use std::fmt::Display;

// invalid-encoding: Invalid character encoding

pub(crate) const INVALID_UTF8: &str = "These bytes are not valid UTF-8. Save the file as UTF-8.";
pub(crate) const UTF16: &str = "The file is UTF-16. Save it as UTF-8.";
pub(crate) const GIT_CRYPT: &str =
    "The file is encrypted by git-crypt. To read it, run `git-crypt unlock` in the repository.";
pub(crate) const NOT_UTF8: &str = "The file is not valid UTF-8 text.";

// wrong-character: Invalid character

pub(crate) const LONE_CARRIAGE_RETURN: &str = "A carriage return must be followed by a line feed.";
pub(crate) fn lookalike(character: impl Display, right: impl Display) -> String {
    format!("The character `{character}` looks like `{right}`, but is not valid.")
}
pub(crate) const SEMICOLON_SEPARATOR: &str =
    "Semicolons are not supported. Separate arguments and blocks with line breaks, and elements with commas.";
pub(crate) const CURLY_QUOTES: &str = "Curly quotes are not valid here. Use straight double quotes (`\"`).";
pub(crate) fn invisible_character(code: u32) -> String {
    format!("The invisible character U+{code:04X} is not valid here. Use only plain spaces and tabs.")
}
pub(crate) const SEMICOLON: &str = "Semicolons are not supported.";
pub(crate) const WRONG_COMMENT: &str = "Comments start with `#` or `//`.";
pub(crate) const DOLLAR_SIGN: &str =
    "A dollar sign is valid only inside strings. Outside strings, write references without it.";
pub(crate) const SINGLE_QUOTES: &str = "Single quotes are not valid. Use double quotes (`\"`).";
pub(crate) const BACKTICKS: &str =
    "Backticks are not valid. Use double quotes (`\"`), or a heredoc (`<<EOT`) for multi-line text.";
pub(crate) const BACKSLASH: &str = "A backslash is valid only inside quoted strings. To continue an expression on the next line, put it in parentheses.";
pub(crate) fn control_character(code: u32) -> String {
    format!("The control character U+{code:04X} is not valid here.")
}
pub(crate) fn invalid_character(character: impl Display) -> String {
    format!("The character `{character}` is not valid here.")
}

// unsupported-operator: Unsupported operator

pub(crate) fn bitwise_operator_for_logical(right: impl Display) -> String {
    format!("Bitwise operators are not supported. Did you mean the logical operator `{right}`?")
}
pub(crate) const BITWISE_OPERATOR: &str = "Bitwise operators are not supported.";

// unclosed-comment: Unclosed comment

pub(crate) const UNCLOSED_COMMENT: &str = "The comment is not closed by `*/` before the end of the file.";

// newline-in-string: Invalid multi-line string

pub(crate) const MULTI_LINE_STRING: &str =
    "A quoted string cannot span several lines. Write `\\n` for a line break, or use a heredoc (`<<EOT`).";
/// Also the note where an item begins with such a string.
pub(crate) const TRIPLE_QUOTES: &str = "Triple quotes are not supported. For multi-line text use a heredoc: `<<EOT`, the lines, and `EOT` alone on the last line.";
pub(crate) const UNCLOSED_STRING_ON_LINE: &str = "The string is not closed before the end of its line.";
pub(crate) const ODD_QUOTES_ON_LINE: &str =
    "A string on this line is not closed, or the line has an extra quote.";
pub(crate) const MISSING_OPENING_QUOTE: &str = "This line has a closing quote but no opening quote.";

// invalid-escape: Invalid escape sequence

pub(crate) const ESCAPED_LINE_BREAK: &str = "A backslash cannot continue a string on the next line.";
pub(crate) fn missing_hexadecimal_digits(selector: impl Display, digits: impl Display) -> String {
    format!(
        "`\\{selector}` must be followed by {digits} hexadecimal digits. Write a literal backslash as `\\\\`."
    )
}
pub(crate) fn not_a_character(number: impl Display) -> String {
    format!("U+{number} is not a valid Unicode character.")
}
pub(crate) fn escaped_sequence(character: impl Display) -> String {
    format!(
        "`\\{character}` is not an escape sequence. For a literal `{character}{{`, write `{character}{character}{{`."
    )
}
pub(crate) fn needless_escape(character: impl Display) -> String {
    format!("`\\{character}` is not an escape sequence. Write `{character}` without the backslash.")
}
pub(crate) const ESCAPE_BY_X: &str =
    "`\\x` is not an escape sequence. Use `\\u` with four hexadecimal digits.";
pub(crate) fn unknown_escape(character: impl Display) -> String {
    format!("`\\{character}` is not an escape sequence. Write a literal backslash as `\\\\`.")
}

// invalid-heredoc: Invalid heredoc introduction

pub(crate) const HEREDOC_NAME_WITHOUT_LINE_BREAK: &str =
    "The name of the heredoc must be directly followed by a line break.";
pub(crate) const WRONG_HEREDOC_OPERATOR: &str =
    "A heredoc starts with `<<`, or with `<<-` to remove the indentation of its lines.";
pub(crate) const SPACES_AROUND_HEREDOC_NAME: &str =
    "Spaces and quotes are not allowed between `<<`, the name of the heredoc and the line break.";

// unclosed-template: Unterminated template string

pub(crate) const HEREDOC_END_WITHOUT_LINE_BREAK: &str =
    "The name that closes a heredoc must be followed by a line break.";
pub(crate) fn unclosed_heredoc(name: impl Display) -> String {
    format!("The heredoc must be closed by `{name}` alone on a line that ends with a line break.")
}
pub(crate) fn text_after_heredoc_end(name: impl Display) -> String {
    format!(
        "`{name}` closes the heredoc only if it is alone on its line. Move the text after it to the next line."
    )
}
pub(crate) fn wrong_heredoc_end(name: impl Display, word: impl Display) -> String {
    format!("The heredoc must be closed by `{name}`, not by `{word}`.")
}
pub(crate) const UNCLOSED_STRING: &str = "The string is not closed before the end of the file.";
