//! The codes of diagnostics, each with its stable text form, its summary, and an explanation.

macro_rules! codes {
    ($($name:ident = $text:literal, $summary:literal, $explanation:literal;)*) => {
        /// The kind of a diagnostic. The meaning of the text form ([`as_str`](Code::as_str)) never changes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[allow(clippy::doc_markdown, reason = "summaries are plain text")]
        pub enum Code {
            $(#[doc = $summary] $name,)*
            /// A code that an application defines; see [`Code::custom`].
            Custom(CustomCode),
        }

        impl Code {
            /// Every built-in code, in the order of this documentation.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The stable text form, such as `unclosed-block`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* Self::Custom(code) => code.text }
            }

            /// A short summary.
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$name => $summary,)* Self::Custom(code) => code.summary }
            }

            /// What the diagnostic means and how to fix it.
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$name => $explanation,)* Self::Custom(code) => code.explanation }
            }
        }
    };
}

codes! {
    SourceTooLarge = "source-too-large", "Source too large",
        "The source exceeds the size limit. The default is 256 MiB and the maximum is 4 GiB. Split the source into several files, or raise the limit with `--max-size` (program) or `Limits::with_source_bytes` (library).";
    NestingTooDeep = "nesting-too-deep", "Nesting too deep",
        "Brackets, templates, blocks, unary operators and conditionals can be nested only up to a limit, 1,000 levels by default. The limit keeps input from exhausting the stack.";
    InvalidEncoding = "invalid-encoding", "Invalid character encoding",
        "Source text must be UTF-8. Save the file with the UTF-8 encoding.";
    WrongCharacter = "wrong-character", "Invalid character",
        "The character is not valid at this position. Strings require straight double quotes, arguments are separated by line breaks, and elements by commas.";
    UnsupportedOperator = "unsupported-operator", "Unsupported operator",
        "The supported operators are `+`, `-`, `*`, `/`, `%`, the comparisons `==`, `!=`, `<`, `<=`, `>`, `>=`, the logical operators `&&`, `||`, `!`, and the conditional `? :`. Bitwise operators and words such as `and` are not supported.";
    UnclosedComment = "unclosed-comment", "Unclosed comment",
        "A comment that starts with `/*` must end with `*/`.";
    NewlineInString = "newline-in-string", "Invalid multi-line string",
        "A quoted string must end on the line on which it starts. Write `\\n` for a line break, or use a heredoc for multi-line text.";
    UnescapedQuote = "unescaped-quote", "Unescaped quote",
        "A quote inside a quoted string must be escaped as `\\\"`; an unescaped quote ends the string.";
    InvalidEscape = "invalid-escape", "Invalid escape sequence",
        "The escape sequences in quoted strings are `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, `\\uNNNN` and `\\UNNNNNNNN`. Write a literal backslash as `\\\\`.";
    InvalidHeredoc = "invalid-heredoc", "Invalid heredoc introduction",
        "A heredoc starts with `<<` or `<<-`, directly followed by its name and a line break.";
    UnclosedTemplate = "unclosed-template", "Unterminated template string",
        "A quoted string must end with a quote, and a heredoc with its name alone on a line.";
    ExpectedItem = "expected-item", "Argument or block definition required",
        "A body contains arguments (`name = value`) and blocks (`type \"label\" { … }`).";
    UnexpectedClose = "unexpected-close", "Unexpected closing bracket",
        "The closing bracket has no matching opening bracket.";
    QuotedName = "quoted-name", "Invalid argument name",
        "Argument names must not be quoted.";
    DuplicateAttribute = "duplicate-attribute", "Attribute redefined",
        "Each argument may be set only once in a body.";
    MissingNewline = "missing-newline", "Missing newline",
        "Each argument and each block must end with a line break.";
    UnexpectedComma = "unexpected-comma", "Unexpected comma after argument",
        "Arguments must be separated by line breaks, not by commas.";
    InvalidBlock = "invalid-block", "Invalid block definition",
        "A block consists of a type, optional labels (quoted strings or identifiers), and a body in braces. The opening brace must be on the same line as the type.";
    InvalidLabel = "invalid-label", "Invalid string literal",
        "Block labels and index keys in traversals must be plain strings, without `${ … }` or `%{ … }`.";
    UnclosedBlock = "unclosed-block", "Unclosed configuration block",
        "The block has no closing brace before the end of the file. The missing brace may also belong to a nested block.";
    SingleLineBlock = "single-line-block", "Invalid single-argument block definition",
        "A single-line block can contain at most one argument and no nested blocks. Otherwise put each argument and block on its own line.";
    MissingExpression = "missing-expression", "Missing expression",
        "Expected an expression, found the end of the text.";
    InvalidExpression = "invalid-expression", "Invalid expression",
        "Expected an expression, found something that cannot start one.";
    InvalidNumber = "invalid-number", "Invalid number literal",
        "A number consists of decimal digits, an optional fraction such as `.5`, and an optional exponent such as `e-3`.";
    MissingAttributeName = "missing-attribute-name", "Invalid attribute name",
        "An attribute name is required after a dot.";
    NestedSplat = "nested-splat", "Nested splat expression not allowed",
        "A `.*` splat cannot contain another one. Use the full splat operator: `a[*].b[*]`.";
    LegacyIndex = "legacy-index", "Invalid legacy index syntax",
        "The indices in `a.0.1` are read as the number 0.1. Write `a[0][1]` instead.";
    UnclosedBracket = "unclosed-bracket", "Unclosed bracket",
        "The bracket is not closed before the end of the file.";
    UnbalancedParens = "unbalanced-parens", "Unbalanced parentheses",
        "Each opening bracket requires a matching closing bracket: `( … )`, `[ … ]`, `{ … }`.";
    MissingCloseBracket = "missing-close-bracket", "Missing close bracket on index",
        "An index must end with a closing bracket: `a[0]`, `a[*]`.";
    MissingSeparator = "missing-separator", "Missing item separator",
        "Tuple elements and function arguments must be separated by commas, object items by commas or line breaks.";
    MissingItemValue = "missing-item-value", "Missing attribute value",
        "An object item consists of a key, an equals sign (or a colon), and a value.";
    MissingKeySeparator = "missing-key-separator", "Missing key/value separator",
        "An object key must be followed by an equals sign or a colon. A key that contains dots or spaces must be quoted.";
    MissingFalseResult = "missing-false-result", "Missing false expression in conditional",
        "A conditional requires two results: `condition ? true_result : false_result`. Outside brackets it must be on one line.";
    MissingFunctionName = "missing-function-name", "Missing function name",
        "`::` must be followed by the name of a function or of a nested namespace.";
    MissingCallParen = "missing-call-paren", "Missing open parenthesis",
        "A name with `::` refers to a function and must be called: `ns::name(…)`.";
    InvalidExpansion = "invalid-expansion", "Missing closing parenthesis",
        "Only the last argument of a call can be expanded with `...`, which must be directly followed by the closing parenthesis.";
    InvalidFor = "invalid-for", "Invalid 'for' expression",
        "A `for` expression is written `[for value in collection : result]` or `{for key, value in collection : key => value}`, with an optional `if condition` at the end.";
    ExtraCharacters = "extra-characters", "Extra characters after expression",
        "Extra text follows a complete expression.";
    UnclosedInterpolation = "unclosed-interpolation", "Unclosed template interpolation sequence",
        "`${` must be closed by `}` in the same string. For a literal `${`, write `$${`.";
    ExtraInInterpolation = "extra-in-interpolation", "Extra characters after interpolation expression",
        "`${ … }` can contain only one expression. For a literal `${`, as in a shell script, write `$${`.";
    InvalidDirective = "invalid-directive", "Invalid template directive",
        "`%{` must be followed by `if`, `else`, `endif`, `for` or `endfor`. For a literal `%{`, write `%%{`.";
    UnbalancedDirective = "unbalanced-directive", "Unbalanced template directives",
        "Each `%{ if }` must be closed by `%{ endif }`, and each `%{ for }` by `%{ endfor }`, in the same template.";
    InvalidTraversal = "invalid-traversal", "Invalid traversal",
        "A traversal is a variable name followed by attribute names (`.name`) and constant indices (`[0]`, `[\"key\"]`).";
    VariablesNotAllowed = "variables-not-allowed", "Variables not allowed",
        "Variables are not available in this expression. Use only literal values and operations on them.";
    UnknownVariable = "unknown-variable", "Unknown variable",
        "No variable with this name is available to the expression.";
    ReferenceCycle = "reference-cycle", "Reference cycle",
        "Definitions must not refer to each other in a cycle, because none of them can be evaluated first. Remove one of the references, or give one of the definitions a value of its own.";
    DuplicateDefinition = "duplicate-definition", "Duplicate definition",
        "A name can be defined only once in a scope, and a name that has a value cannot have members as well. Rename or remove one of the definitions.";
    UnsupportedAttribute = "unsupported-attribute", "Unsupported attribute",
        "The value has no attribute with this name. Only objects and maps have attributes, and an object has only the attributes of its type.";
    MissingElement = "missing-element", "Missing map element",
        "The map has no element with this key. Where the application provides it, `lookup(map, key, default)` returns a default instead.";
    NullAttribute = "null-attribute", "Attempt to get attribute from null value",
        "A null value has no attributes. If the value may be null, use a conditional such as `x == null ? null : x.name`.";
    NullIndex = "null-index", "Attempt to index null value",
        "A null value has no elements. If the value may be null, use a conditional such as `x == null ? null : x[0]`.";
    InvalidIndex = "invalid-index", "Invalid index",
        "The key does not identify an element of the value. Lists and tuples have whole numbers from 0 as keys, maps and objects have strings, and sets have no keys.";
    FunctionsNotAllowed = "functions-not-allowed", "Function calls not allowed",
        "Functions are not available in this expression.";
    UnknownFunction = "unknown-function", "Call to unknown function",
        "No function with this name is available to the expression.";
    InvalidExpandedValue = "invalid-expanded-value", "Invalid expanding argument value",
        "The argument before `...` must be a list, set or tuple. Its elements become the last arguments of the call.";
    MissingArgument = "missing-argument", "Not enough function arguments",
        "The function requires more arguments than the call provides.";
    TooManyArguments = "too-many-arguments", "Too many function arguments",
        "The function accepts fewer arguments than the call provides.";
    InvalidArgument = "invalid-argument", "Invalid function argument",
        "The function does not accept this value for the argument.";
    FunctionFailed = "function-failed", "Error in function call",
        "The function failed for these arguments.";
    FilesNotGranted = "files-not-granted", "File access not granted",
        "The function reads files, which the caller must grant. Grant it with `--allow-fs DIR` (program) or `Grants::with_directory` (library).";
    EnvironmentNotGranted = "environment-not-granted", "Environment access not granted",
        "The function reads environment variables, which the caller must grant. Grant it with `--allow-env` (program) or `Grants::with_environment` (library).";
    NotGranted = "not-granted", "Capability not granted",
        "The function requires something that the caller must grant, such as a clock, random numbers or a store of secrets. Grant it with the methods of `Grants` (library).";
    InconsistentResults = "inconsistent-results", "Inconsistent conditional result types",
        "The two results of a conditional must have the same type, or types that can be converted to a common type.";
    NullCondition = "null-condition", "Null condition",
        "A condition must be true or false, not null.";
    InvalidCondition = "invalid-condition", "Incorrect condition type",
        "A condition must be a bool, or a string that can be converted to a bool.";
    InvalidOperand = "invalid-operand", "Invalid operand",
        "Arithmetic and ordering operators require numbers, logical operators require bools. Other values are converted where possible.";
    OperationFailed = "operation-failed", "Operation failed",
        "The operation failed for these operands.";
    InvalidInterpolation = "invalid-interpolation", "Invalid template interpolation value",
        "An interpolated value must be a string, a number or a bool. Where the application provides them, `jsonencode(…)` and `join(\", \", …)` convert a collection to a string.";
    NullIteration = "null-iteration", "Iteration over null value",
        "A null value cannot be iterated over.";
    NotIterable = "not-iterable", "Iteration over non-iterable value",
        "Only lists, sets, maps, tuples and objects can be iterated over.";
    InvalidForCondition = "invalid-for-condition", "Invalid 'for' condition",
        "The condition after `if` must be true or false for each element.";
    InvalidKey = "invalid-key", "Invalid object key",
        "An object key must be a string, or a value that can be converted to a string.";
    DuplicateKey = "duplicate-key", "Duplicate object key",
        "Two results of a `for` expression have the same key. To group the results of each key into a tuple, write `...` after the value.";
    AmbiguousKey = "ambiguous-key", "Ambiguous attribute key",
        "A key with dots could be a name or a reference. Write `\"a.b\" = …` for the name, or `(a.b) = …` for the value of the reference.";
    NullSplat = "null-splat", "Splat of null value",
        "A null list, set or tuple cannot be used with a splat operator. For any other null value the result is an empty tuple.";
    MixedSplat = "mixed-splat", "Invalid nested splat expressions",
        "A splat of a list or a set returns a list, so all results must have the same type. A `for` expression returns a tuple, whose elements may have different types: `[for item in items : item[*]]`.";
    TooManySteps = "too-many-steps", "Too many steps",
        "The evaluation exceeded the limit on steps. Each evaluated expression is one step; expensive functions count as several. Raise the limit with `--max-steps` (program) or `Limits::with_steps` (library).";
    TooManyElements = "too-many-elements", "Too many elements",
        "The evaluation exceeded the limit on collection elements that it may create and visit. Raise the limit with `--max-elements` (program) or `Limits::with_elements` (library).";
    TooManyBytes = "too-many-bytes", "Too much text",
        "Templates, functions and output exceeded the limit on text. Raise the limit with `--max-bytes` (program) or `Limits::with_bytes` (library).";
    EvaluationTooDeep = "evaluation-too-deep", "Evaluation nested too deep",
        "Nested evaluations, including functions that evaluate expressions, exceeded the depth limit. The limit keeps input from exhausting the stack.";
    ValueTooDeep = "value-too-deep", "Value nested too deep",
        "Collections and structural values can be nested only up to a limit, 1,000 levels by default. The limit keeps input from exhausting the stack.";
    DeadlineExceeded = "deadline-exceeded", "Time limit reached",
        "Parsing and evaluation exceeded the time limit. Raise it with `--timeout` (program) or `Limits::with_timeout` (library).";
    Cancelled = "cancelled", "Evaluation cancelled",
        "The caller cancelled the evaluation.";
    InvalidType = "invalid-type", "Invalid type specification",
        "A type must be `string`, `number`, `bool` or `any`, or a collection or structural type such as `list(…)`, `set(…)`, `map(…)`, `tuple([…])` or `object({…})`.";
    ListRequired = "list-required", "Static list required",
        "The expression is not evaluated, so it must be a literal list: `[…]`.";
    MapRequired = "map-required", "Static map required",
        "The expression is not evaluated, so it must be a literal map: `{…}`.";
    CallRequired = "call-required", "Static function call required",
        "The expression is not evaluated, so it must be a function call.";
    TraversalRequired = "traversal-required", "Static variable reference required",
        "The expression is not evaluated, so it must be a variable name, optionally followed by attribute names and constant indices.";
    MissingAttribute = "missing-attribute", "Missing required argument",
        "The body requires this argument. Add `name = value`.";
    UnsupportedArgument = "unsupported-argument", "Unsupported argument",
        "An argument with this name is not expected here. To define a block, remove the equals sign.";
    UnsupportedBlock = "unsupported-block", "Unsupported block type",
        "Blocks of this type are not expected here. To set an argument, add an equals sign.";
    UnexpectedBlock = "unexpected-block", "Unexpected block",
        "Blocks are not allowed here; the body accepts only arguments, of any name.";
    MissingLabel = "missing-label", "Missing block label",
        "Blocks of this type require more labels between the type and the opening brace. In the JSON syntax each label is a property name of a nested object.";
    ExtraLabel = "extra-label", "Extraneous block label",
        "Blocks of this type accept fewer labels.";
    JsonUnknownProperty = "json-unknown-property", "Extraneous JSON object property",
        "No argument or block type with this name is expected here.";
    Hcl1Conflict = "hcl1-conflict", "Conflicting values in HCL 1",
        "A name can be set several times in HCL 1: objects and blocks become a list, lists are joined, and of other values the last one counts. All of them must be of one kind, and either all or none of the blocks of a name can have labels.";
    Hcl1Meaning = "hcl1-meaning", "Different meaning in HCL 2",
        "HCL 1 and HCL 2 both read this text, but not as the same value: in HCL 1, a number with a leading zero is octal, `${ … }` and `%{ … }` in a string are text, and `<<-` removes the white space before the closing name. Applications that read HCL 1 use the value of HCL 1.";
    JsonBodyRequired = "json-body-required", "Incorrect JSON value type",
        "Each body and each level of labels must be an object. An array of objects is allowed for several blocks, and where names may repeat.";
    InvalidForEach = "invalid-for-each", "Invalid dynamic `for_each` value",
        "`for_each` requires a list, set, map, tuple or object. Each of its elements produces one block.";
    InvalidIterator = "invalid-iterator", "Invalid dynamic iterator name",
        "`iterator` must be a variable name, such as `iterator = each`. `content` uses it to refer to the current element.";
    InvalidDynamicLabel = "invalid-dynamic-label", "Invalid dynamic block label",
        "The labels of a dynamic block are written `labels = [first, second]`. Each must be a known string, and their number must match the block type.";
    MissingContent = "missing-content", "Missing dynamic content block",
        "A dynamic block requires a `content` block, which is the body of the generated blocks.";
    ExtraContent = "extra-content", "Extraneous dynamic content block",
        "A dynamic block must have only one `content` block.";
    InvalidFunction = "invalid-function", "Invalid function definition",
        "A function requires `params`, a list of names, and `result`, an expression that uses them. `variadic_param`, the name for further arguments, is optional.";
    InvalidAttributeValue = "invalid-attribute-value", "Incorrect attribute value type",
        "The value does not have the type that the argument requires, and cannot be converted to it.";
    MissingBlock = "missing-block", "Missing block",
        "The body requires a block of this type.";
    DuplicateBlock = "duplicate-block", "Duplicate block",
        "Only one such block is allowed: one of each type or, where labels identify blocks, one with the same labels.";
    TooFewBlocks = "too-few-blocks", "Insufficient blocks",
        "The body requires more blocks of this type.";
    TooManyBlocks = "too-many-blocks", "Too many blocks",
        "The body accepts fewer blocks of this type.";
    InconsistentBlocks = "inconsistent-blocks", "Inconsistent argument types in blocks",
        "Blocks of this type are collected into a list, set or map, so their values must all have the same type.";
    NoBlockLabel = "no-block-label", "No block label",
        "The spec requests a block label, but this body does not belong to a block with labels.";
    InvalidValue = "invalid-value", "Invalid value",
        "The application does not accept this value.";
    UnreadableFile = "unreadable-file", "Cannot read file",
        "A file or directory does not exist, cannot be read, or has no files of the language.";
    InvalidVariable = "invalid-variable", "Invalid value for variable",
        "The value or the default of a variable must have the type of the variable, and must not be null if the variable has `nullable = false`. A variable of the environment must be UTF-8.";
    InvalidSpec = "invalid-spec", "Invalid spec",
        "A spec file must contain one spec block, with the arguments and nested spec blocks of its kind.";

    AttributeAndBlock = "attribute-and-block", "Attribute and block with the same name",
        "An attribute and a block of one body have the same name. In the JSON syntax, both would be the same property. Rename one of them.";
    LabelCount = "label-count", "Inconsistent number of labels",
        "Blocks of one type have different numbers of labels. The JSON syntax cannot distinguish labels from names in a body, so all blocks of a type must have the same number of labels.";
    TooDeepForJson = "too-deep", "Nesting too deep for JSON",
        "The configuration cannot be converted to the JSON syntax, because the JSON would be nested more deeply than readers accept.";
    NotNative = "not-native", "Cannot be written in the native syntax",
        "The JSON cannot be converted to the native syntax. There, names of arguments and types of blocks must be identifiers.";
    InvalidYaml = "invalid-yaml", "Invalid YAML",
        "The file is not one YAML document of scalars, sequences and mappings, as YAML 1.1 and 1.2 have them. The keys of mappings must be scalars.";
    JsonByteOrderMark = "json-byte-order-mark", "Byte order mark",
        "JSON text must not start with a byte order mark. Save the file as UTF-8 without one.";
    JsonComment = "json-comment", "Comment in JSON",
        "Comments are not supported in JSON. Use a property named `//`, which is ignored in an object that represents a body.";
    JsonWrongCharacter = "json-wrong-character", "Invalid character in JSON",
        "The character is not valid at this position. Expected an object, an array, a string in double quotes, a number, `true`, `false` or `null`.";
    JsonWrongQuotes = "json-wrong-quotes", "Invalid quotes",
        "JSON strings require straight double quotes.";
    JsonUnclosedString = "json-unclosed-string", "Unterminated string",
        "A string must end with a quote on the line on which it starts. Write `\\n` for a line break.";
    JsonControlCharacter = "json-control-character", "Control character in string",
        "Tabs, line breaks and other control characters in strings must be escaped: `\\t`, `\\n`, `\\u0001`.";
    JsonInvalidEscape = "json-invalid-escape", "Invalid escape sequence in JSON",
        "The escape sequences of JSON are `\\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` and `\\uNNNN`. Write a literal backslash as `\\\\`.";
    JsonLoneSurrogate = "json-lone-surrogate", "Incomplete surrogate pair",
        "A character above U+FFFF requires two escape sequences: `\\uD800` to `\\uDBFF`, then `\\uDC00` to `\\uDFFF`. One without the other is read as U+FFFD.";
    JsonInvalidNumber = "json-invalid-number", "Invalid JSON number",
        "A number consists of an optional minus sign, decimal digits without leading zeros, an optional fraction such as `.5`, and an optional exponent such as `e-3`.";
    JsonInvalidKeyword = "json-invalid-keyword", "Invalid JSON keyword",
        "The only valid keywords are `true`, `false` and `null`. Text must be in double quotes.";
    JsonInvalidName = "json-invalid-name", "Invalid object property name",
        "A property name must be a string in double quotes.";
    JsonMissingColon = "json-missing-colon", "Missing colon",
        "A property name must be followed by a colon and a value.";
    JsonMissingValue = "json-missing-value", "Missing value",
        "Expected a value: an object, an array, a string in double quotes, a number, `true`, `false` or `null`.";
    JsonMissingComma = "json-missing-comma", "Missing comma",
        "Object properties and array elements must be separated by commas.";
    JsonExtraComma = "json-extra-comma", "Unexpected comma",
        "Commas separate properties or elements. A comma before the first one, after the last one, or after another comma is not allowed.";
    JsonMismatchedBracket = "json-mismatched-bracket", "Mismatched bracket",
        "An object must be closed by `}` and an array by `]`, before the enclosing value is closed.";
    JsonUnclosedBracket = "json-unclosed-bracket", "Unclosed bracket in JSON",
        "The object or array is not closed before the end of the file.";
    JsonExtraText = "json-extra-text", "Extra characters after value",
        "A JSON file must contain exactly one value.";
    JsonRoot = "json-root", "Root value must be an object",
        "A configuration in the JSON syntax must be an object, or an array of objects.";

    Unformatted = "unformatted", "Not formatted",
        "The layout of these lines is not that of `hcl fmt`. Run `hcl fmt` to format the file.";

    UnknownAddress = "unknown-address", "Unknown address",
        "Nothing in the module has this address, or no target has this name.";
    DuplicateDeclaration = "duplicate-declaration", "Duplicate declaration",
        "A name can be declared only once in a module. Rename or remove one of the blocks.";
    UnusedDeclaration = "unused-declaration", "Unused declaration",
        "Nothing in the directory refers to this variable or local value. Remove it, or use it.";
    IncompleteReference = "incomplete-reference", "Incomplete reference",
        "The first part of a reference, such as `var` or `module`, is not a value on its own. It must be followed by the name of what it refers to, such as `var.region`.";
    InvalidName = "invalid-name", "Invalid name",
        "The names of blocks consist of letters, digits, `_` and `-`, and do not start with a digit. Some names are reserved.";
    InvalidAddress = "invalid-address", "Invalid address",
        "The address of a resource or a module is required, such as `aws_instance.web` or `module.network`.";
    MissingVariable = "missing-variable", "No value for required variable",
        "A variable without a default requires a value: from a variable file, the environment or an option. Set one, add a default, or treat such variables as unknown with `--unknown-vars` (program) or `ModuleLoader::with_unknown_variables` (library).";
    UndeclaredVariable = "undeclared-variable", "Value for undeclared variable",
        "A value is set for a variable that the module does not declare.";
    SensitiveResult = "sensitive-result", "Result is sensitive",
        "An output of the root module that is derived from a sensitive value must be declared with `sensitive = true`.";
    EphemeralValue = "ephemeral-value", "Value is ephemeral",
        "An ephemeral value must not be stored. It can be used only where ephemeral values are allowed, such as variables and outputs that are declared with `ephemeral = true`.";
    InvalidResult = "invalid-output", "Invalid output value",
        "The value of an output with a `type` must have that type, or be convertible to it.";
    EphemeralResult = "ephemeral-result", "Result is ephemeral",
        "An output with an ephemeral value must be declared with `ephemeral = true`, which is not possible in the root module. An output that is declared as ephemeral must have an ephemeral value.";
    ConditionFailed = "condition-failed", "Condition is not met",
        "The condition of a validation, a precondition, a postcondition or a check is false.";
    InvalidCustomCondition = "invalid-custom-condition", "Invalid custom condition",
        "The condition of a validation, a precondition, a postcondition or a check must be true or false, and must refer to what it checks.";
    InvalidCount = "invalid-count", "Invalid count argument",
        "`count` must be a whole number that is not negative and not sensitive.";
    InvalidInstanceKeys = "invalid-instance-keys", "Invalid for_each argument",
        "`for_each` must be a map, an object or a set of strings, and must not be sensitive, because the keys of instances are shown. Convert a list of strings with `toset`.";
    InvalidMetaArgument = "invalid-meta-argument", "Invalid meta-argument",
        "Arguments such as `depends_on`, those of `lifecycle`, version constraints and descriptions are read without evaluation, so they must be written in a certain form. Some names and combinations are not allowed.";
    UnsupportedVersion = "unsupported-version", "Unsupported in this version",
        "The version of the application that the files are for does not have this block, argument or function yet. Allow a later version, or write it without.";
    InvalidModuleSource = "invalid-module-source", "Invalid module source",
        "The `source` of a module is a local directory that starts with `./` or `../`, an address in a registry, or a URL. It must be known when modules are installed: it can refer to local values and to variables with `const = true`, since Terraform 1.15, and to nothing else. A module must not call itself.";
    InvalidProvider = "invalid-provider", "Invalid provider configuration",
        "A reference to a provider configuration must name one that the module declares, with its `alias`. A module call must pass each configuration that the called module requires, exactly once, and to the same provider.";
    MissingInput = "missing-input", "Missing module input",
        "The called module has a variable without a default, so the call must set it.";
    UnsupportedInput = "unsupported-input", "Unsupported module input",
        "The called module has no variable with this name.";
    MissingBase = "missing-base", "Nothing to override",
        "An override file can only change blocks that another file declares.";
    InvalidMove = "invalid-move", "Invalid move",
        "A `moved` block moves the state of a resource or a module to another address. The old address must no longer be declared, and moves must not contradict each other or form cycles.";
    InvalidRemoval = "invalid-removal", "Invalid removal",
        "A `removed` block names a resource or a module that the configuration no longer declares. It always removes all instances.";
    InvalidImport = "invalid-import", "Invalid import",
        "An `import` block requires a resource block with the address in `to`. Each address can be imported only once, and only from the root module.";
    InvalidCheck = "invalid-check", "Invalid check",
        "A `check` block requires at least one `assert` block.";
    InvalidTest = "invalid-test", "Invalid test",
        "A block of a test file is not valid, or refers to something that the module under test, an earlier run or the file does not declare.";
    UnknownTarget = "unknown-target", "Unknown target",
        "The module under test does not declare what a block of a test file overrides. The address is probably misspelled.";
    InvalidSource = "invalid-source", "Invalid source of a build",
        "Each source of a build must be declared by a `source` block. It is written as `source.TYPE.NAME`.";
    InvalidMatrix = "invalid-matrix", "Invalid matrix",
        "The `matrix` of a target must be an object of lists, and requires a `name` that uses its variables. Groups have no matrix.";
    InvalidOverride = "invalid-override", "Invalid override",
        "An override is written as `TARGET.KEY=VALUE`, where `TARGET` is the name of a target or a pattern, and `KEY` is an argument of targets.";
    InvalidLink = "invalid-link", "Invalid link between targets",
        "Targets that inherit from each other or use each other as contexts must not form cycles. A target that is used as a context must be built for all platforms of the target that uses it.";
    IgnoredItem = "ignored-item", "Ignored item",
        "Bake ignores arguments and blocks that it does not know, and so does hclkit. They are probably misspelled.";

    Deprecated = "deprecated", "Deprecated",
        "What the file uses still works, but a later version may not have it. The note says what to use instead.";
    UnusedAllowance = "unused-allowance", "A comment allows a code that is not found",
        "A comment `# hcl-check: allow CODE reason` is about the attribute or block below it, or about its own line. Remove it once the code is not found there any more.";
}

/// The content of a [custom code](Code::custom).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CustomCode {
    text: &'static str,
    summary: &'static str,
    explanation: &'static str,
    page: &'static str,
}

impl Code {
    /// Creates a code for an application, from its text form and its summary. It is rendered and serialized like the
    /// built-in codes. The text form must not change once it is published, and should not be that of a built-in code.
    ///
    /// ```
    /// use hclkit_syntax::Code;
    ///
    /// const TAGS: Code = Code::custom("aws-tags", "Resource without tags")
    ///     .with_explanation("Every resource must have the tag `owner`, so that its costs can be assigned.");
    /// assert_eq!(TAGS.to_string(), "aws-tags");
    /// ```
    pub const fn custom(text: &'static str, summary: &'static str) -> Self {
        Self::Custom(CustomCode { text, summary, explanation: "", page: "" })
    }

    /// Sets the explanation of a custom code. Built-in codes keep theirs.
    #[must_use]
    pub const fn with_explanation(self, explanation: &'static str) -> Self {
        match self {
            Self::Custom(code) => Self::Custom(CustomCode { explanation, ..code }),
            built_in => built_in,
        }
    }

    /// Sets the URL of a page about a custom code, which reports and editors link to. Built-in codes have none.
    #[must_use]
    pub const fn with_page(self, page: &'static str) -> Self {
        match self {
            Self::Custom(code) => Self::Custom(CustomCode { page, ..code }),
            built_in => built_in,
        }
    }

    /// The URL of a page about the code. Empty if there is none.
    pub const fn page(self) -> &'static str {
        match self {
            Self::Custom(code) => code.page,
            _ => "",
        }
    }

    /// Returns true if a limit was exceeded, so that parsing or evaluation stopped.
    #[doc(hidden)]
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

    /// Returns true if the construct with the error extends to the end of the text.
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
    type Err = UnknownCode;

    /// Finds a built-in code by its text form.
    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        let found = Self::ALL.iter().copied().find(|code| code.as_str() == text);
        found.ok_or_else(|| UnknownCode { text: text.to_owned() })
    }
}

/// The error of parsing a [`Code`]: no built-in code has this text form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCode {
    text: String,
}

impl UnknownCode {
    /// The built-in code with the most similar text form, if one is similar.
    pub fn nearest(&self) -> Option<Code> {
        let nearest = crate::nearest_name(&self.text, Code::ALL.iter().map(|code| code.as_str()));
        let first = |text: &str| text.split('-').next().map(str::to_owned);
        // `unused-variable` probably means `unused-declaration`, not `unknown-variable`.
        let mut same = Code::ALL.iter().filter(|code| first(code.as_str()) == first(&self.text));
        match (nearest, same.next(), same.next()) {
            (Some(nearest), _, _) if first(nearest) == first(&self.text) => nearest.parse().ok(),
            (_, Some(only), None) => Some(*only),
            (nearest, _, _) => nearest?.parse().ok(),
        }
    }
}

impl std::fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown code `{}`", crate::visible_line(&self.text))?;
        f.write_str(&crate::or_did_you_mean(self.nearest().map(Code::as_str)))
    }
}

impl std::error::Error for UnknownCode {}
