//! The notes of errors in the native syntax, by code.

use std::fmt::Display;

// nesting-too-deep: Nesting too deep

pub(crate) fn too_deep(limit: impl Display) -> String {
    format!("Constructs cannot be nested more than {limit} levels deep.")
}

// unsupported-operator: Unsupported operator

pub(crate) const CONDITIONAL_OF_ANOTHER_LANGUAGE: &str =
    "Write a conditional as `condition ? true_result : false_result`.";
pub(crate) fn operator_of_another_language(text: impl Display, right: impl Display) -> String {
    format!("The operator `{text}` is not supported. Did you mean `{right}`?")
}
pub(crate) const IN_OPERATOR: &str =
    "The operator `in` is not supported. Use a function such as `contains(list, value)`.";
pub(crate) fn equals_sign_as_operator(right: impl Display) -> String {
    format!("`=` sets an argument and is not an operator. Did you mean `{right}`?")
}
pub(crate) const ARROW_AS_OPERATOR: &str =
    "`=>` is used in `for` expressions and is not an operator. Did you mean `>=`?";
pub(crate) const NOT_OPERATOR: &str = "The operator `not` is not supported. Did you mean `!`?";

// unescaped-quote: Unescaped quote

pub(crate) const UNESCAPED_QUOTE: &str = "A quote inside a string must be escaped as `\\\"`.";

// expected-item: Argument or block definition required

pub(crate) const COMMENT_OF_ANOTHER_LANGUAGE: &str =
    "Comments start with `#` or `//`, or are written between `/*` and `*/`.";
pub(crate) const CONFLICT_MARKER: &str =
    "This line is a conflict marker from version control. Resolve the conflict and remove the markers.";
pub(crate) const JSON_IN_NATIVE_SYNTAX: &str =
    "This looks like JSON. Rename the file to end with `.json`, or remove the braces around the body.";
pub(crate) const HEADING_IN_BRACKETS: &str = "Headings in brackets are not supported. Write a block with its type, labels and body: `type \"label\" { … }`.";
pub(crate) const EXPRESSION_ON_NEXT_LINE: &str =
    "An expression ends at the end of its line. To continue it on the next line, put it in parentheses.";
pub(crate) const MISSING_ITEM: &str = "Expected an argument (`name = value`) or a block (`type { … }`).";
pub(crate) const NAME_ALONE: &str = "Expected an argument or a block, found only a name. To set an argument, write `=` and a value after the name.";
pub(crate) const ARGUMENT_WITHOUT_EQUALS_SIGN: &str =
    "An argument consists of a name, an equals sign and a value.";
pub(crate) const COLON_AFTER_NAME: &str =
    "A colon after a name is not supported. Use `=` to set an argument, and braces for a block or an object.";
pub(crate) const COMPOUND_ASSIGNMENT: &str =
    "Compound assignment is not supported. An argument is set once, with `=`.";
pub(crate) fn dotted_argument_name(text: impl Display) -> String {
    format!(
        "An argument name cannot contain dots or brackets. Set the value inside an object, `{text} = {{ … }}`, or inside a block, `{text} {{ … }}`."
    )
}
pub(crate) const REFERENCE_ALONE: &str = "Expected an argument or a block, found only a reference.";
pub(crate) const CALL_ALONE: &str =
    "A function call must be part of an expression, such as the value of an argument.";
pub(crate) const STATEMENT: &str = "Statements are not supported. Use a conditional, `condition ? true_result : false_result`, or a `for` expression, `[for value in collection : result]`.";

// unexpected-close: Unexpected closing bracket

pub(crate) const CLOSING_BRACKET_WITHOUT_OPENING: &str = "This closing bracket has no matching opening bracket. Remove it, or look for an extra closing bracket above.";

// quoted-name: Invalid argument name

pub(crate) const QUOTED_ARGUMENT_NAME_WITH_COLON: &str =
    "An argument consists of an unquoted name, an equals sign and a value.";
pub(crate) const QUOTED_ARGUMENT_NAME: &str = "Argument names must not be quoted.";
pub(crate) fn quoted_names_of_hcl_1(count: impl Display) -> String {
    format!(
        "{count} names in this file are quoted, as in HCL 1. In HCL 2, argument names and block types must not be quoted."
    )
}

// duplicate-attribute: Attribute redefined

pub(crate) fn duplicate_argument(name: impl Display, line: impl Display) -> String {
    format!("The argument `{name}` was already set on line {line}. Each argument may be set only once.")
}

// missing-newline: Missing newline

pub(crate) fn missing_line_break(what: impl Display) -> String {
    format!("Expected a line break after the {what}.")
}
pub(crate) const ADJACENT_STRINGS: &str =
    "Adjacent strings are not joined. Write one string, with `${ … }` for inserted values.";
pub(crate) const UNQUOTED_TEXT: &str = "Expected a line break after the argument. Text must be in quotes.";

// unexpected-comma: Unexpected comma after argument

pub(crate) const COMMA_BETWEEN_ARGUMENTS: &str = "Arguments must be separated by line breaks, not by commas.";

// invalid-block: Invalid block definition

pub(crate) const BRACE_ON_NEXT_LINE: &str =
    "The opening brace of a block must be on the same line as its type and labels.";
pub(crate) const LABEL_OF_ANOTHER_KIND: &str = "Block labels must be quoted strings or identifiers.";
pub(crate) const BLOCK_WITHOUT_BODY: &str =
    "The block has no body. Its opening brace must be on the same line as its type and labels.";
pub(crate) fn block_without_body_or_argument(block_type: impl Display, text: impl Display) -> String {
    format!(
        "The block has no body. Its opening brace must be on the same line as its type and labels. To set an argument, write `{block_type} = {text}`."
    )
}
pub(crate) const EQUALS_SIGN_BEFORE_BODY: &str =
    "An equals sign is not allowed between the labels of a block and its body.";
pub(crate) fn keyword_before_argument(block_type: impl Display) -> String {
    format!(
        "To set an argument, remove `{block_type}` before its name. To define a block, remove the equals sign."
    )
}
pub(crate) const LABELS_OF_ARGUMENT: &str =
    "An argument cannot have labels. To define a block, remove the equals sign.";
pub(crate) const COMMA_BETWEEN_LABELS: &str = "Labels must not be separated by commas.";
pub(crate) const DOTTED_LABEL: &str = "A label that contains a dot must be quoted.";
pub(crate) const MISSING_LABEL_OR_BRACE: &str =
    "Expected a label (a quoted string or an identifier) or an opening brace.";

// invalid-label: Invalid string literal

pub(crate) fn sequence_in_label(mark: impl Display) -> String {
    format!(
        "`{mark}{{ … }}` is not allowed in this string. For a literal `{mark}{{`, write `{mark}{mark}{{`."
    )
}
pub(crate) const TEMPLATE_IN_TRAVERSAL_INDEX: &str = "The index must not contain `${ … }` or `%{ … }`.";

// unclosed-block: Unclosed configuration block

pub(crate) const UNCLOSED_BLOCK: &str = "This block has no closing brace before the end of the file. The missing brace may also belong to a nested block.";

// single-line-block: Invalid single-argument block definition

pub(crate) fn block_in_single_line_block(name: impl Display) -> String {
    format!(
        "A single-line block can contain only one argument. To set the argument `{name}`, write `=` after it; to define a block, put it on its own line."
    )
}
pub(crate) const SEVERAL_ARGUMENTS_ON_LINE: &str =
    "A single-line block can contain only one argument. Put each argument on its own line.";
pub(crate) const SINGLE_LINE_BLOCK_NOT_CLOSED_ON_LINE: &str =
    "A block with an argument on the line of its opening brace must also be closed on that line.";
pub(crate) const TEXT_IN_SINGLE_LINE_BLOCK: &str =
    "Expected a closing brace after the argument of a single-line block.";

// missing-expression: Missing expression

pub(crate) const MISSING_EXPRESSION: &str = "Expected an expression, found the end of the text.";

// invalid-expression: Invalid expression

pub(crate) const BLOCK_IN_LIST: &str = "Blocks are not allowed in a list. Write an object without a name before the brace, or repeat the whole block.";
pub(crate) const EXTRA_COMMA: &str = "Expected an element, found an extra comma.";
pub(crate) const COMMA_BEFORE_ELEMENT: &str = "Expected an element before the comma.";
pub(crate) const EMPTY_INDEX: &str = "Expected an index between the brackets.";
pub(crate) const POWER_OPERATOR: &str = "The operator `**` is not supported.";
pub(crate) const INCREMENT_OPERATOR: &str = "The operator `++` is not supported.";
pub(crate) const ARROW_OPERATOR: &str = "The operator `->` is not supported.";
pub(crate) const COALESCING_OPERATOR: &str =
    "The operator `??` is not supported. Use a conditional: `a != null ? a : b`.";
pub(crate) const ELVIS_OPERATOR: &str =
    "The operator `?:` is not supported. Use a conditional: `a != null ? a : b`.";
pub(crate) const OPTIONAL_CHAINING_OPERATOR: &str =
    "The operator `?.` is not supported. Use a conditional: `a != null ? a.b : null`.";
pub(crate) const COMMENT_END_WITHOUT_START: &str = "This `*/` has no matching `/*`.";
pub(crate) const SHIFT_OPERATOR: &str = "Bitwise operators are not supported. A heredoc starts with `<<`, directly followed by its name and a line break.";
pub(crate) const DIRECTIVE_OUTSIDE_TEMPLATE: &str =
    "`%{ … }` is valid only in templates: quoted strings and heredocs.";
pub(crate) const NUMBER_WITHOUT_LEADING_DIGIT: &str = "A number must start with a digit.";
pub(crate) const ELLIPSIS_OUTSIDE_CALL: &str = "`...` is valid only after the last argument of a call. To join lists or objects, use functions such as `concat` and `merge`.";
pub(crate) const SPACED_HEREDOC_OPERATOR: &str =
    "A heredoc starts with `<<`, directly followed by its name and a line break.";
pub(crate) const UNARY_PLUS: &str = "The unary operator `+` is not supported. Remove it.";
pub(crate) fn missing_left_operand(text: impl Display) -> String {
    format!("Expected an expression before `{text}`.")
}
pub(crate) fn no_expression(text: impl Display) -> String {
    format!("Expected an expression, found `{text}`.")
}
pub(crate) const VALUE_ON_NEXT_LINE: &str =
    "The value of an argument must start on the same line as its name.";
pub(crate) const EXPRESSION_CONTINUES_ON_NEXT_LINE: &str = "Expected an expression before the end of the line. To continue the expression on the next line, put it in parentheses.";
pub(crate) const MISSING_EXPRESSION_ON_LINE: &str = "Expected an expression before the end of the line.";
pub(crate) const PERCENTAGE: &str =
    "The remainder operator `%` requires an operand on both sides. Write a percentage as a quoted string.";

// invalid-number: Invalid number literal

pub(crate) fn range(text: impl Display) -> String {
    format!("`{text}` is not a number, and ranges are not supported. Use a function such as `range`.")
}
pub(crate) fn several_decimal_points(text: impl Display) -> String {
    format!("`{text}` is not a number, because it has more than one decimal point.")
}
pub(crate) fn invalid_number(text: impl Display) -> String {
    format!("`{text}` is not a valid number, or is out of range.")
}
pub(crate) const NUMBER_OF_ANOTHER_LANGUAGE: &str =
    "Numbers must be decimal, without separators between the digits.";
pub(crate) const NUMBER_WITH_UNIT: &str =
    "A number cannot contain units or letters. Write it as a quoted string.";

// missing-attribute-name: Invalid attribute name

pub(crate) const MISSING_ATTRIBUTE_NAME: &str = "Expected an attribute name after the dot.";

// nested-splat: Nested splat expression not allowed

pub(crate) const NESTED_SPLAT: &str =
    "A `.*` splat cannot contain another one. Use the full splat operator `[*]` for both.";

// legacy-index: Invalid legacy index syntax

pub(crate) fn legacy_index(one: impl Display, other: impl Display) -> String {
    format!("`{one}.{other}` is read as one number instead of two indices. Write `[{one}][{other}]`.")
}

// unclosed-bracket: Unclosed bracket

pub(crate) const UNCLOSED_CALL: &str = "The call has no closing parenthesis before the end of the file. The missing parenthesis may also belong to a nested pair.";
pub(crate) const ITEM_IN_UNCLOSED_BRACKET: &str =
    "This line looks like an argument or a block, so a bracket above it is probably not closed.";
pub(crate) fn unclosed_bracket_at_end(bracket: impl Display) -> String {
    format!("`{bracket}` is not closed before the end of the text.")
}
pub(crate) fn unclosed_bracket(bracket: impl Display) -> String {
    format!(
        "This `{bracket}` is not closed before the end of the file. The missing bracket may also belong to a nested pair."
    )
}

// unbalanced-parens: Unbalanced parentheses

pub(crate) const MISSING_CLOSING_PARENTHESIS: &str = "Expected a closing parenthesis.";
pub(crate) fn closed_by_outer_bracket(open: impl Display, text: impl Display) -> String {
    format!("`{open}` is not closed before this `{text}`, which closes an outer bracket.")
}
pub(crate) fn wrong_closing_bracket(open: impl Display, closer: impl Display, text: impl Display) -> String {
    format!("`{open}` must be closed by `{closer}`, not by `{text}`.")
}

// missing-close-bracket: Missing close bracket on index

pub(crate) const SEVERAL_INDICES: &str = "Expected a closing bracket (`]`): an index is a single value. Use a function such as `slice` for a part of a list.";
pub(crate) const MISSING_CLOSING_BRACKET: &str = "Expected a closing bracket (`]`).";

// missing-separator: Missing item separator

pub(crate) fn missing_comma_or_closer(bracket: impl Display) -> String {
    format!("Expected a comma, or a closing bracket for `{bracket}`.")
}
pub(crate) const TUPLE_ELEMENTS: &str = "Tuple elements";
pub(crate) const FUNCTION_ARGUMENTS: &str = "Function arguments";
pub(crate) fn missing_comma(what: impl Display) -> String {
    format!("{what} must be separated by commas.")
}
pub(crate) const MISSING_ITEM_SEPARATOR: &str = "Object items must be separated by commas or line breaks.";
pub(crate) const NAMED_LIST_ELEMENT: &str = "List elements cannot have names. Use braces for an object.";
pub(crate) const NAMED_ARGUMENT: &str =
    "Named function arguments are not supported. Arguments are matched by position.";

// missing-item-value: Missing attribute value

pub(crate) const MISSING_ITEM_VALUE: &str = "Expected `=` and a value after the key.";

// missing-key-separator: Missing key/value separator

pub(crate) const BLOCK_IN_UNCLOSED_OBJECT: &str =
    "This line looks like a block, but it is inside an object whose `{` is not closed.";
pub(crate) const ARROW_IN_OBJECT: &str =
    "Use `=` between the key and the value of an item; `=>` is used only in `for` expressions.";
pub(crate) const MISSING_KEY_SEPARATOR: &str =
    "Expected `=` and a value after the key. A key that contains dots or spaces must be quoted.";
pub(crate) const BLOCK_IN_OBJECT: &str =
    "Blocks are not allowed in an object. Write `=` and a value after the key; the value may be an object.";

// missing-false-result: Missing false expression in conditional

pub(crate) const FALSE_RESULT_ON_NEXT_LINE: &str = "A conditional requires two results: `condition ? true_result : false_result`. To write it on several lines, put it in parentheses.";
pub(crate) const MISSING_FALSE_RESULT: &str =
    "A conditional requires two results: `condition ? true_result : false_result`.";

// missing-function-name: Missing function name

pub(crate) const MISSING_FUNCTION_NAME: &str = "Expected a name after `::`.";

// missing-call-paren: Missing open parenthesis

pub(crate) const MISSING_CALL_PARENTHESIS: &str =
    "A name with `::` refers to a function and must be followed by `(` and its arguments.";

// invalid-expansion: Missing closing parenthesis

pub(crate) const TEXT_AFTER_EXPANSION: &str =
    "Expected a closing parenthesis after `...`. Only the last argument can be expanded.";

// invalid-for: Invalid 'for' expression

pub(crate) const CONDITION_BEFORE_COLON: &str = "Expected a colon after the collection. The condition comes last: `for value in collection : result if condition`.";
pub(crate) const MISSING_FOR_COLON: &str = "Expected a colon after the collection.";
pub(crate) const MISSING_FOR_KEY: &str =
    "A `for` expression in braces requires a key for each value: `{for … : key => value}`.";
pub(crate) const UNCLOSED_FOR: &str = "The `for` expression is not closed before the end of the file.";
pub(crate) const TEXT_AFTER_FOR: &str = "Expected a closing bracket after the `for` expression.";
pub(crate) const KEY_IN_FOR_TUPLE: &str = "A tuple cannot have keys. Use braces for an object.";
pub(crate) const GROUPING_IN_FOR_TUPLE: &str = "Grouping with `...` is supported only in an object.";
pub(crate) const MISSING_FOR_VARIABLE: &str = "Expected a variable name after `for`.";
pub(crate) const MISSING_FOR_VALUE_VARIABLE: &str =
    "Expected the variable name for the value after the comma.";
pub(crate) const MISSING_IN: &str = "Expected `in` after the variable names.";
pub(crate) const PARENTHESES_AROUND_FOR_VARIABLES: &str =
    "The variable names of a `for` must not be in parentheses.";
pub(crate) const FOR_AT_END: &str =
    "A `for` expression must start with `for`: `[for value in collection : result]`.";

// extra-characters: Extra characters after expression

pub(crate) const TEXT_AFTER_EXPRESSION: &str = "Expected the end of the text after the expression.";

// unclosed-interpolation: Unclosed template interpolation sequence

pub(crate) const UNCLOSED_INTERPOLATION: &str = "The interpolation is not closed before the end of the text.";
pub(crate) const UNCLOSED_INTERPOLATION_IN_STRING: &str =
    "The interpolation is not closed before the end of the string.";

// extra-in-interpolation: Extra characters after interpolation expression

pub(crate) const TEXT_AFTER_INTERPOLATION: &str =
    "Expected a closing brace. For a literal `${`, as in a shell script, write `$${`.";

// invalid-directive: Invalid template directive

pub(crate) const ELSE_IF: &str =
    "`else if` is not supported in one directive. Write `%{ else }%{ if … }`, and add one more `%{ endif }`.";
pub(crate) fn text_after_directive(keyword: impl Display) -> String {
    format!("Expected a closing brace at the end of the `{keyword}` directive.")
}
pub(crate) const MISSING_DIRECTIVE_KEYWORD: &str =
    "Expected `if`, `else`, `endif`, `for` or `endfor`. For a literal `%{`, write `%%{`.";
pub(crate) const END_DIRECTIVE: &str =
    "The directive `end` is not supported. Close an `if` with `endif`, and a `for` with `endfor`.";
pub(crate) fn misspelled_directive(keyword: impl Display, near: impl Display) -> String {
    format!("The directive `{keyword}` is not supported. Did you mean `{near}`?")
}
pub(crate) fn unknown_directive(keyword: impl Display) -> String {
    format!("The directive `{keyword}` is not supported. Expected `if`, `else`, `endif`, `for` or `endfor`.")
}

// unbalanced-directive: Unbalanced template directives

pub(crate) const UNOPENED_DIRECTIVE: &str = "This directive has no matching opening directive.";
pub(crate) const SECOND_ELSE: &str = "The `if` already has an `else`.";
pub(crate) const ELSE_IN_FOR: &str = "A `for` cannot have an `else`.";
pub(crate) const MISSING_ENDFOR: &str = "Expected an `endfor` for the open `for`.";
pub(crate) const MISSING_ENDIF: &str = "Expected an `endif` for the open `if`.";
pub(crate) const UNCLOSED_DIRECTIVE: &str = "A directive is not closed before the end of its template.";

// invalid-traversal: Invalid traversal

pub(crate) const TRAVERSAL_WITHOUT_NAME: &str = "A traversal must start with a variable name.";
pub(crate) const ATTRIBUTE_SPLAT_IN_TRAVERSAL: &str = "A splat (`.*`) is not allowed here.";
pub(crate) const MISSING_TRAVERSAL_STEP: &str = "Expected an attribute (`.name`) or an index (`[0]`).";
pub(crate) const FULL_SPLAT_IN_TRAVERSAL: &str = "A splat (`[*]`) is not allowed here.";
pub(crate) const TRAVERSAL_INDEX: &str = "The index must be a number or a quoted string.";
pub(crate) const UNCLOSED_TRAVERSAL_INDEX: &str = "Expected a closing bracket after the index.";
