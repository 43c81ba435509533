//! The codes of diagnostics: for each its stable text form, its summary, and an explanation for people.

macro_rules! codes {
    ($($name:ident = $text:literal, $summary:literal, $explanation:literal;)*) => {
        /// Which kind of finding a diagnostic is. The text form ([`as_str`](Code::as_str)) never changes its meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $summary] $name,)*
        }

        impl Code {
            /// Every code, in the order of this documentation.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The stable text form, such as `unclosed-block`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The finding in a few words.
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$name => $summary,)* }
            }

            /// What the finding means and what to do about it.
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$name => $explanation,)* }
            }
        }
    };
}

codes! {
    SourceTooLarge = "source-too-large", "Source too large",
        "Sources of 4 GiB and more are refused.";
    TooManyErrors = "too-many-errors", "Too many errors",
        "Only the first 1,000 errors of a file are reported.";
    NestingTooDeep = "nesting-too-deep", "Nesting too deep",
        "Brackets, templates, blocks, unary operators and conditionals may be nested only to a limit, 1,000 by default, so that no input can exhaust the stack.";
    InvalidEncoding = "invalid-encoding", "Invalid character encoding",
        "Source text must be UTF-8. Save the file as UTF-8 in the editor.";
    WrongCharacter = "wrong-character", "Invalid character",
        "The character has no meaning in the language where it stands. Strings stand in straight double quotes; arguments are separated by line breaks, elements by commas.";
    UnsupportedOperator = "unsupported-operator", "Unsupported operator",
        "There are no bitwise operators. The logical ones are `&&`, `||` and `!`.";
    UnclosedComment = "unclosed-comment", "Unclosed comment",
        "A comment that begins with `/*` must end with `*/`.";
    NewlineInString = "newline-in-string", "Invalid multi-line string",
        "A quoted string ends on the line on which it begins. Write `\\n` for a line break, or use a heredoc for several lines.";
    InvalidEscape = "invalid-escape", "Invalid escape sequence",
        "In quoted strings a backslash begins one of `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, `\\uNNNN` and `\\UNNNNNNNN`. A backslash itself is written `\\\\`.";
    InvalidHeredoc = "invalid-heredoc", "Invalid heredoc introduction",
        "A heredoc begins with `<<` or `<<-`, then at once its name, then at once the line break.";
    UnclosedTemplate = "unclosed-template", "Unterminated template string",
        "A quoted string must be closed by a quote, a heredoc by its name alone on a line of its own.";
    ExpectedItem = "expected-item", "Argument or block definition required",
        "A body holds arguments (`name = value`) and blocks (`type \"label\" { … }`).";
    UnexpectedClose = "unexpected-close", "Unexpected closing bracket",
        "The closing bracket does not belong to any open one.";
    QuotedName = "quoted-name", "Invalid argument name",
        "Argument names are written without quotes.";
    DuplicateAttribute = "duplicate-attribute", "Attribute redefined",
        "Each argument may be set only once in a body.";
    MissingNewline = "missing-newline", "Missing newline",
        "Each argument and each block ends with a line break.";
    UnexpectedComma = "unexpected-comma", "Unexpected comma after argument",
        "Arguments are separated by line breaks, not by commas.";
    InvalidBlock = "invalid-block", "Invalid block definition",
        "A block is its type, then its labels (quoted strings or identifiers), then its body in braces, the opening brace on the same line.";
    InvalidLabel = "invalid-label", "Invalid string literal",
        "Block labels and index keys of traversals are plain strings, without `${ … }` or `%{ … }`.";
    UnclosedBlock = "unclosed-block", "Unclosed configuration block",
        "The block has no closing brace before the end of the file. The brace that is missing may be one of a block inside.";
    SingleLineBlock = "single-line-block", "Invalid single-argument block definition",
        "A block on one line holds at most one argument and no blocks. For more, put each on a line of its own.";
    MissingExpression = "missing-expression", "Missing expression",
        "An expression is required where the text ends.";
    InvalidExpression = "invalid-expression", "Invalid expression",
        "An expression is required, and what stands there cannot begin one.";
    InvalidNumber = "invalid-number", "Invalid number literal",
        "A number is digits, then optionally a point and digits, then optionally an exponent such as `e-3`.";
    MissingAttributeName = "missing-attribute-name", "Invalid attribute name",
        "A dot is followed by the name of an attribute.";
    NestedSplat = "nested-splat", "Nested splat expression not allowed",
        "A `.*` may not follow another one. Use the full splat operator: `a[*].b[*]`.";
    LegacyIndex = "legacy-index", "Invalid legacy index syntax",
        "`a.0.1` reads as the number 0.1. Write `a[0][1]`.";
    UnclosedBracket = "unclosed-bracket", "Unclosed bracket",
        "The bracket has no counterpart before the end of the file.";
    UnbalancedParens = "unbalanced-parens", "Unbalanced parentheses",
        "A closing parenthesis is required to end the expression.";
    MissingCloseBracket = "missing-close-bracket", "Missing close bracket on index",
        "An index ends with a closing bracket: `a[0]`, `a[*]`.";
    MissingSeparator = "missing-separator", "Missing item separator",
        "The elements of a tuple and the arguments of a call are separated by commas, the items of an object by commas or line breaks.";
    MissingItemValue = "missing-item-value", "Missing attribute value",
        "An item of an object is a key, an equals sign (or a colon), and a value.";
    MissingKeySeparator = "missing-key-separator", "Missing key/value separator",
        "The key of an object's item is followed by an equals sign or a colon. A key with dots or spaces stands in quotes.";
    MissingFalseResult = "missing-false-result", "Missing false expression in conditional",
        "A conditional has both results: `condition ? result : other`. Outside brackets it stands on one line.";
    MissingFunctionName = "missing-function-name", "Missing function name",
        "`::` is followed by the name of a function or of a further namespace.";
    MissingCallParen = "missing-call-paren", "Missing open parenthesis",
        "A name with `::` is that of a function, which must be called: `ns::name(…)`.";
    InvalidExpansion = "invalid-expansion", "Missing closing parenthesis",
        "Only the last argument of a call may be expanded with `...`, and the closing parenthesis follows at once.";
    InvalidFor = "invalid-for", "Invalid 'for' expression",
        "A for expression is `[for value in collection : result]` or `{for key, value in collection : key => value}`, with an optional `if condition` at its end.";
    ExtraCharacters = "extra-characters", "Extra characters after expression",
        "The expression is complete before the text is.";
    UnclosedInterpolation = "unclosed-interpolation", "Unclosed template interpolation sequence",
        "`${` must be closed by `}` in the same string. To write `${` itself, double the dollar sign: `$${`.";
    ExtraInInterpolation = "extra-in-interpolation", "Extra characters after interpolation expression",
        "`${ … }` holds one expression. To write `${` itself, as for a shell, double the dollar sign: `$${`.";
    InvalidDirective = "invalid-directive", "Invalid template directive",
        "`%{` is followed by one of if, else, endif, for and endfor. To write `%{` itself, double the percent sign: `%%{`.";
    UnbalancedDirective = "unbalanced-directive", "Unbalanced template directives",
        "`%{ if }` is closed by `%{ endif }`, `%{ for }` by `%{ endfor }`, each in the same template.";
    InvalidTraversal = "invalid-traversal", "Invalid traversal",
        "A traversal is a variable name followed by attribute names (`.name`) and constant indices (`[0]`, `[\"key\"]`).";
}

impl Code {
    /// Whether the rest of the text was taken into what the finding is about.
    pub(crate) const fn leaves_text_open(self) -> bool {
        matches!(self, Self::UnclosedTemplate | Self::UnclosedComment)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for Code {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text).ok_or(())
    }
}
