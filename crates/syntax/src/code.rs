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
        "The source has more bytes than the limit, which is 256 MiB by default and at most 4 GiB. Split it into several files, or raise the limit: `--max-size` in the program, `Limits::source_bytes` in the library.";
    NestingTooDeep = "nesting-too-deep", "Nesting too deep",
        "Brackets, templates, blocks, unary operators and conditionals may be nested only to a limit, 1,000 by default, so that no input can exhaust the stack.";
    InvalidEncoding = "invalid-encoding", "Invalid character encoding",
        "Source text must be UTF-8. Save the file as UTF-8 in the editor.";
    WrongCharacter = "wrong-character", "Invalid character",
        "The character has no meaning in the language where it stands. Strings stand in straight double quotes; arguments are separated by line breaks, elements by commas.";
    UnsupportedOperator = "unsupported-operator", "Unsupported operator",
        "The operators are `+`, `-`, `*`, `/`, `%`, the comparisons `==`, `!=`, `<`, `<=`, `>`, `>=`, the logical ones `&&`, `||`, `!`, and `? :`. There are none on bits, and none that are words.";
    UnclosedComment = "unclosed-comment", "Unclosed comment",
        "A comment that begins with `/*` must end with `*/`.";
    NewlineInString = "newline-in-string", "Invalid multi-line string",
        "A quoted string ends on the line on which it begins. Write `\\n` for a line break, or use a heredoc for several lines.";
    UnescapedQuote = "unescaped-quote", "Unescaped quote",
        "A quote inside a quoted string is written `\\\"`. Otherwise the string ends with it.";
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
        "Each bracket is closed by one of its kind: `( … )`, `[ … ]`, `{ … }`.";
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
    VariablesNotAllowed = "variables-not-allowed", "Variables not allowed",
        "The expression is evaluated where there are no variables. Only literal values and what is made of them can stand there.";
    UnknownVariable = "unknown-variable", "Unknown variable",
        "No variable of this name is known where the expression is evaluated.";
    UnsupportedAttribute = "unsupported-attribute", "Unsupported attribute",
        "Only objects and maps have attributes, and an object only those of its type.";
    MissingElement = "missing-element", "Missing map element",
        "The map has no element under this key. `lookup(map, key, default)`, where there is such a function, gives a default for that.";
    NullAttribute = "null-attribute", "Attempt to get attribute from null value",
        "A null value has no attributes. Write a conditional, as in `x == null ? null : x.name`, where the value may be null.";
    NullIndex = "null-index", "Attempt to index null value",
        "A null value has no elements. Write a conditional, as in `x == null ? null : x[0]`, where the value may be null.";
    InvalidIndex = "invalid-index", "Invalid index",
        "The key does not identify an element of the value: lists and tuples have numbers from 0 on, maps and objects strings, sets none at all.";
    FunctionsNotAllowed = "functions-not-allowed", "Function calls not allowed",
        "The expression is evaluated where there are no functions.";
    UnknownFunction = "unknown-function", "Call to unknown function",
        "No function of this name is known where the expression is evaluated.";
    InvalidExpandedValue = "invalid-expanded-value", "Invalid expanding argument value",
        "The argument before `...` must be a list, set or tuple; its elements become the last arguments of the call.";
    MissingArgument = "missing-argument", "Not enough function arguments",
        "The function takes more arguments than the call has.";
    TooManyArguments = "too-many-arguments", "Too many function arguments",
        "The function takes fewer arguments than the call has.";
    InvalidArgument = "invalid-argument", "Invalid function argument",
        "The function does not accept the argument.";
    FunctionFailed = "function-failed", "Error in function call",
        "The function found that it has no result for these arguments.";
    InconsistentResults = "inconsistent-results", "Inconsistent conditional result types",
        "Both results of a conditional must be of one type, or of types that can be converted to one, as either may be the result.";
    NullCondition = "null-condition", "Null condition",
        "A condition must be true or false.";
    InvalidCondition = "invalid-condition", "Incorrect condition type",
        "A condition must be a bool, or a string that can be converted to one.";
    InvalidOperand = "invalid-operand", "Invalid operand",
        "Arithmetic and ordering take numbers, logic takes bools, and what can be converted to them.";
    OperationFailed = "operation-failed", "Operation failed",
        "The operation has no result for these operands.";
    InvalidInterpolation = "invalid-interpolation", "Invalid template interpolation value",
        "What is put into a template must be a string, a number or a bool. `jsonencode(…)` or `join(\", \", …)`, where there are such functions, make a string of a collection.";
    NullIteration = "null-iteration", "Iteration over null value",
        "A null value has no elements to go through.";
    NotIterable = "not-iterable", "Iteration over non-iterable value",
        "Only lists, sets, maps, tuples and objects have elements to go through.";
    InvalidForCondition = "invalid-for-condition", "Invalid 'for' condition",
        "The condition after `if` must be true or false for each element.";
    InvalidKey = "invalid-key", "Invalid object key",
        "The key of an object's item must be a string, or what can be converted to one.";
    DuplicateKey = "duplicate-key", "Duplicate object key",
        "Two results of a `for` expression have the same key. With `...` behind the value, results of one key are grouped into a tuple.";
    AmbiguousKey = "ambiguous-key", "Ambiguous attribute key",
        "A key with dots can be a name that lacks its quotes, or a reference that lacks its parentheses. Write `\"a.b\" = …` or `(a.b) = …`.";
    NullSplat = "null-splat", "Splat of null value",
        "A splat of a null list, set or tuple has no result. That of another null value is an empty tuple.";
    MixedSplat = "mixed-splat", "Invalid nested splat expressions",
        "A splat of a list or a set is a list, and so all its elements must become values of one type. A `for` expression makes a tuple, whose elements may differ: `[for item in items : item[*]]`.";
    TooManySteps = "too-many-steps", "Too many steps",
        "An evaluation may take only so many steps: each expression that is evaluated is one, and functions that take long count more. The caller can raise the limit: `--max-steps` in the program, `Limits::steps` in the library.";
    TooManyElements = "too-many-elements", "Too many elements",
        "An evaluation may make and visit only so many elements of collections. The caller can raise the limit: `--max-elements` in the program, `Limits::elements` in the library.";
    TooManyBytes = "too-many-bytes", "Too much text",
        "Templates and functions may make only so much text, and only so much may be written. The caller can raise the limit: `--max-bytes` in the program, `Limits::bytes` in the library.";
    EvaluationTooDeep = "evaluation-too-deep", "Evaluations nested too deep",
        "Expressions are evaluated within each other, functions that evaluate further expressions included, only to a limit, so that no input can exhaust the stack.";
    ValueTooDeep = "value-too-deep", "Value nested too deep",
        "Collections and structures may be nested in each other only to a limit, 1,000 by default, so that no input can exhaust the stack.";
    DeadlineExceeded = "deadline-exceeded", "Time limit reached",
        "The caller allows reading and evaluation only so much time: `--timeout` in the program, `Limits::timeout` in the library.";
    Cancelled = "cancelled", "Evaluation cancelled",
        "The caller stopped the evaluation.";
    InvalidType = "invalid-type", "Invalid type specification",
        "A type is one of `string`, `number`, `bool` and `any`, or one of `list(…)`, `set(…)`, `map(…)`, `tuple([…])` and `object({…})` of further types.";
    ListRequired = "list-required", "Static list required",
        "The expression is read without being evaluated, and must be written as `[…]`.";
    MapRequired = "map-required", "Static map required",
        "The expression is read without being evaluated, and must be written as `{…}`.";
    CallRequired = "call-required", "Static function call required",
        "The expression is read without being evaluated, and must be written as the call of a function.";
    TraversalRequired = "traversal-required", "Static variable reference required",
        "The expression is read without being evaluated, and must be a variable with attribute names and constant indices behind it.";
    MissingAttribute = "missing-attribute", "Missing required argument",
        "The body must have this argument: write `name = value` in it.";
    UnsupportedArgument = "unsupported-argument", "Unsupported argument",
        "No argument of this name is known in this body. What is called so may be a block, which is written without an equals sign.";
    UnsupportedBlock = "unsupported-block", "Unsupported block type",
        "No block of this type is known in this body. What is called so may be an argument, which is written with an equals sign.";
    UnexpectedBlock = "unexpected-block", "Unexpected block",
        "The body holds arguments only, whose names are free.";
    MissingLabel = "missing-label", "Missing block label",
        "Blocks of this type have labels between the type and the opening brace. In the JSON syntax each label is the name of a property, one object within the other.";
    ExtraLabel = "extra-label", "Extraneous block label",
        "Blocks of this type have fewer labels.";
    JsonUnknownProperty = "json-unknown-property", "Extraneous JSON object property",
        "The body has neither an argument nor blocks of this name.";
    JsonBodyRequired = "json-body-required", "Incorrect JSON value type",
        "A body and each level of labels is written as an object; for blocks, and where names may come twice, also as an array of objects.";
    InvalidForEach = "invalid-for-each", "Invalid dynamic `for_each` value",
        "`for_each` takes a collection: a list, a set, a map, a tuple or an object. For each of its elements a block is made.";
    InvalidIterator = "invalid-iterator", "Invalid dynamic iterator name",
        "`iterator` takes the name of a variable, as in `iterator = each`, by which `content` refers to the element.";
    InvalidDynamicLabel = "invalid-dynamic-label", "Invalid dynamic block label",
        "The labels of a dynamic block are written as `labels = [first, second]`, as many as the blocks have, each a known string.";
    MissingContent = "missing-content", "Missing dynamic content block",
        "A dynamic block holds one block `content`, the body of the blocks that are made.";
    ExtraContent = "extra-content", "Extraneous dynamic content block",
        "A dynamic block holds only one block `content`.";
    InvalidFunction = "invalid-function", "Invalid function definition",
        "A function has `params`, a list of names, optionally `variadic_param`, one more name, and `result`, an expression of them.";
    InvalidAttributeValue = "invalid-attribute-value", "Incorrect attribute value type",
        "The value of the argument is not of the type that the argument takes, and cannot be converted to it.";
    MissingBlock = "missing-block", "Missing block",
        "A block of this type is required in the body.";
    DuplicateBlock = "duplicate-block", "Duplicate block",
        "There may be only one such block: one of its type or, where blocks are told apart by labels, one with these labels.";
    TooFewBlocks = "too-few-blocks", "Insufficient blocks",
        "More blocks of this type are required in the body.";
    TooManyBlocks = "too-many-blocks", "Too many blocks",
        "Fewer blocks of this type are allowed in the body.";
    InconsistentBlocks = "inconsistent-blocks", "Inconsistent argument types in blocks",
        "The blocks of this type become a list or a set, so what is in them must be of one type.";
    NoBlockLabel = "no-block-label", "No block label",
        "The value is the label of a block, and the body is not that of a block.";
    InvalidValue = "invalid-value", "Invalid value",
        "The application does not accept the value.";
    InvalidSpec = "invalid-spec", "Invalid spec",
        "A spec file has one spec block, with the arguments and nested spec blocks that its kind takes.";

    JsonByteOrderMark = "json-byte-order-mark", "Byte order mark",
        "Text in the JSON syntax begins with its value. Save the file as UTF-8 without a byte order mark.";
    JsonComment = "json-comment", "Comment in JSON",
        "The JSON syntax has no comments. In an object that is a body, a property named `//` is ignored, and can hold one.";
    JsonWrongCharacter = "json-wrong-character", "Invalid character in JSON",
        "The character has no meaning where it stands. A value is an object, an array, a string in double quotes, a number, `true`, `false` or `null`.";
    JsonWrongQuotes = "json-wrong-quotes", "Invalid quotes",
        "In the JSON syntax strings stand in straight double quotes.";
    JsonUnclosedString = "json-unclosed-string", "Unterminated string",
        "A string is closed by a quote on the line on which it begins. A line break in it is written `\\n`.";
    JsonControlCharacter = "json-control-character", "Control character in string",
        "Tabs, line breaks and other control characters stand in strings as escape sequences: `\\t`, `\\n`, `\\u0001`.";
    JsonInvalidEscape = "json-invalid-escape", "Invalid escape sequence in JSON",
        "A backslash begins one of `\\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` and `\\uNNNN`. A backslash itself is written `\\\\`.";
    JsonLoneSurrogate = "json-lone-surrogate", "Incomplete surrogate pair",
        "Characters past U+FFFF are written as two escape sequences, `\\uD800` to `\\uDBFF`, then `\\uDC00` to `\\uDFFF`. One without the other reads as U+FFFD.";
    JsonInvalidNumber = "json-invalid-number", "Invalid JSON number",
        "A number is an optional minus sign, decimal digits without leading zeros, then optionally a point and digits, then optionally an exponent such as `e-3`.";
    JsonInvalidKeyword = "json-invalid-keyword", "Invalid JSON keyword",
        "The only words without quotes are `true`, `false` and `null`. Text stands in double quotes.";
    JsonInvalidName = "json-invalid-name", "Invalid object property name",
        "The name of a property is a string in double quotes.";
    JsonMissingColon = "json-missing-colon", "Missing colon",
        "Between the name of a property and its value stands a colon.";
    JsonMissingValue = "json-missing-value", "Missing value",
        "A value is required: an object, an array, a string in double quotes, a number, `true`, `false` or `null`.";
    JsonMissingComma = "json-missing-comma", "Missing comma",
        "The properties of an object and the elements of an array are separated by commas.";
    JsonExtraComma = "json-extra-comma", "Superfluous comma",
        "A comma stands between two properties or elements, and not behind the last one.";
    JsonMismatchedBracket = "json-mismatched-bracket", "Mismatched bracket",
        "An object is closed by `}`, an array by `]`, each before what is around it.";
    JsonUnclosedBracket = "json-unclosed-bracket", "Unclosed bracket in JSON",
        "The object or array has no closing bracket before the end of the file.";
    JsonExtraText = "json-extra-text", "Extra characters after value",
        "A file in the JSON syntax holds one value, and nothing behind it.";
    JsonRoot = "json-root", "Root value must be an object",
        "A configuration in the JSON syntax is an object, or an array of objects.";
}

impl Code {
    /// Whether the rest of the text was taken into what the finding is about.
    /// Whether the finding is that a limit on reading or evaluating was exceeded, so that nothing went on.
    pub const fn is_limit(self) -> bool {
        matches!(
            self,
            Self::TooManySteps
                | Self::TooManyElements
                | Self::TooManyBytes
                | Self::EvaluationTooDeep
                | Self::ValueTooDeep
                | Self::DeadlineExceeded
                | Self::Cancelled
        )
    }

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
