//! The titles of fixes: imperatives. Fixes are made where their error is reported, such as in `parser/list.rs` for commas.

use std::fmt::Display;

pub(crate) const ADD_EQUALS_SIGN: &str = "Add `=`";
pub(crate) const ADD_IN: &str = "Add `in`";
pub(crate) const ADD_COLON: &str = "Add a colon";
pub(crate) const ADD_COMMA: &str = "Add a comma";
pub(crate) const ADD_LINE_BREAK: &str = "Add a line break";
pub(crate) const ADD_QUOTE: &str = "Add a quote";
pub(crate) const ADD_ZERO: &str = "Add a zero";
pub(crate) const ADD_PARENTHESES: &str = "Add parentheses";
pub(crate) const CLOSE_INTERPOLATION: &str = "Close the interpolation";
pub(crate) const CLOSE_STRING: &str = "Close the string";
pub(crate) const CONVERT_TO_OBJECT: &str = "Convert it to an object";
pub(crate) const DOUBLE_BACKSLASH: &str = "Double the backslash";
pub(crate) const ESCAPE_QUOTES: &str = "Escape the quotes";
pub(crate) const MOVE_BRACE_UP: &str = "Move the brace to the line above";
pub(crate) const MOVE_VALUE_UP: &str = "Move the value to the line above";
pub(crate) const PUT_EACH_ON_ITS_OWN_LINE: &str = "Put each on its own line";
pub(crate) const PUT_IN_QUOTES: &str = "Put it in quotes";
pub(crate) const PUT_KEY_IN_QUOTES: &str = "Put the key in quotes";
pub(crate) const PUT_TEXT_IN_QUOTES: &str = "Put the text in quotes";
pub(crate) const REMOVE_IT: &str = "Remove it";
pub(crate) const REMOVE_BACKSLASH: &str = "Remove the backslash";
pub(crate) const REMOVE_CLOSING_BRACKET: &str = "Remove the closing bracket";
pub(crate) const REMOVE_COMMA: &str = "Remove the comma";
pub(crate) const REMOVE_COMMAS: &str = "Remove the commas";
pub(crate) const REMOVE_DOLLAR_SIGN: &str = "Remove the dollar sign";
pub(crate) const REMOVE_DOLLAR_SIGN_AND_BRACES: &str = "Remove the dollar sign and the braces";
pub(crate) const REMOVE_EQUALS_SIGN: &str = "Remove the equals sign";
pub(crate) const REMOVE_PLUS: &str = "Remove the plus sign";
pub(crate) const REMOVE_QUOTES: &str = "Remove the quotes";
pub(crate) const REMOVE_SEMICOLON: &str = "Remove the semicolon";
pub(crate) const REMOVE_SEPARATORS: &str = "Remove the separators";
pub(crate) const REMOVE_SPACES_AND_QUOTES: &str = "Remove the spaces and quotes";
pub(crate) const REWRITE_AS_ARGUMENT: &str = "Rewrite as an argument";
pub(crate) const START_NEW_LINE: &str = "Start a new line";
pub(crate) const USE_EXCLAMATION_MARK: &str = "Use `!`";
pub(crate) const USE_HASH: &str = "Use `#`";
pub(crate) const USE_INDENTED_HEREDOC: &str = "Use `<<-`";
pub(crate) const USE_PLAIN_HEREDOC: &str = "Use `<<`";
pub(crate) const USE_EQUALS_SIGN: &str = "Use `=`";
pub(crate) const USE_UNICODE_ESCAPE: &str = "Use `\\u`";
pub(crate) const USE_IN: &str = "Use `in`";
pub(crate) const USE_COLON: &str = "Use a colon";
pub(crate) const USE_COMMA: &str = "Use a comma";
pub(crate) const USE_DECIMAL_NUMBER: &str = "Use a decimal number";
pub(crate) const USE_PLAIN_SPACE: &str = "Use a plain space";
pub(crate) const USE_SPACE: &str = "Use a space";
pub(crate) const USE_BRACKETS: &str = "Use brackets";
pub(crate) const USE_DOUBLE_QUOTES: &str = "Use double quotes";
pub(crate) const USE_ESCAPE_SEQUENCES: &str = "Use escape sequences";
pub(crate) const USE_SINGLE_QUOTES: &str = "Use single quotes";
pub(crate) const WRITE_LITERAL_DOLLAR: &str = "Write `$$`";
pub(crate) const WRITE_LITERAL_INTERPOLATION: &str = "Write `$${`";
pub(crate) const WRITE_LITERAL_PERCENT: &str = "Write `%%`";
pub(crate) const WRITE_LITERAL_DIRECTIVE: &str = "Write `%%{`";
pub(crate) fn add_text(text: impl Display) -> String {
    format!("Add `{text}`")
}
pub(crate) fn use_text(text: impl Display) -> String {
    format!("Use `{text}`")
}
