//! The codes of the diagnostics about modules and Bake files, each with its summary and explanation.

use hclkit_syntax::Code;

macro_rules! codes {
    ($($name:ident = $code:literal, $summary:literal, $explanation:literal;)*) => {
        $(
            pub(crate) const $name: Code = Code::custom($code, $summary).with_explanation($explanation);
        )*

        /// The codes of the diagnostics about modules and Bake files, in addition to those of [`Code::ALL`].
        ///
        /// ```
        /// let code = hclkit_module::CODES.iter().find(|code| code.as_str() == "missing-variable").unwrap();
        /// assert_eq!(code.summary(), "No value for required variable");
        /// ```
        pub const CODES: &[Code] = &[$($name),*];
    };
}

codes! {
    NOT_FOUND = "unknown-address", "Unknown address",
        "Nothing in the module has this address, or no target has this name.";
    DUPLICATE = "duplicate-declaration", "Duplicate declaration",
        "A name can be declared only once in a module. Rename or remove one of the blocks.";
    UNUSED = "unused-declaration", "Unused declaration",
        "Nothing in the directory refers to this variable or local value. Remove it, or use it.";
    INCOMPLETE_REFERENCE = "incomplete-reference", "Incomplete reference",
        "The first part of a reference, such as `var` or `module`, is not a value on its own. It must be followed by the name of what it refers to, such as `var.region`.";
    INVALID_NAME = "invalid-name", "Invalid name",
        "The names of blocks consist of letters, digits, `_` and `-`, and do not start with a digit. Some names are reserved.";
    INVALID_ADDRESS = "invalid-address", "Invalid address",
        "The address of a resource or a module is required, such as `aws_instance.web` or `module.network`.";
    MISSING_VARIABLE = "missing-variable", "No value for required variable",
        "A variable without a default requires a value: from a variable file, the environment or an option. Set one, add a default, or treat such variables as unknown with `--unknown-vars` (program) or `ModuleLoader::with_unknown_variables` (library).";
    UNDECLARED_VARIABLE = "undeclared-variable", "Value for undeclared variable",
        "A value is set for a variable that the module does not declare.";
    SENSITIVE_RESULT = "sensitive-result", "Result is sensitive",
        "An output of the root module that is derived from a sensitive value must be declared with `sensitive = true`.";
    EPHEMERAL_VALUE = "ephemeral-value", "Value is ephemeral",
        "An ephemeral value must not be stored. It can be used only where ephemeral values are allowed, such as variables and outputs that are declared with `ephemeral = true`.";
    EPHEMERAL_RESULT = "ephemeral-result", "Result is ephemeral",
        "An output with an ephemeral value must be declared with `ephemeral = true`, which is not possible in the root module. An output that is declared as ephemeral must have an ephemeral value.";
    CONDITION_FAILED = "condition-failed", "Condition is not met",
        "The condition of a validation, a precondition, a postcondition or a check is false.";
    INVALID_CONDITION = "invalid-custom-condition", "Invalid custom condition",
        "The condition of a validation, a precondition, a postcondition or a check must be true or false, and must refer to what it checks.";
    INVALID_COUNT = "invalid-count", "Invalid count argument",
        "`count` must be a whole number that is not negative and not sensitive.";
    INVALID_FOR_EACH = "invalid-instance-keys", "Invalid for_each argument",
        "`for_each` must be a map, an object or a set of strings, and must not be sensitive, because the keys of instances are shown. Convert a list of strings with `toset`.";
    INVALID_META = "invalid-meta-argument", "Invalid meta-argument",
        "Arguments such as `depends_on`, those of `lifecycle`, version constraints and descriptions are read without evaluation, so they must be written in a certain form. Some names and combinations are not allowed.";
    MODULE_SOURCE = "invalid-module-source", "Invalid module source",
        "The `source` of a module must be a literal string: a local directory that starts with `./` or `../`, an address in a registry, or a URL. A module must not call itself.";
    PROVIDER = "invalid-provider", "Invalid provider configuration",
        "A reference to a provider configuration must name one that the module declares, with its `alias`. A module call must pass each configuration that the called module requires, exactly once, and to the same provider.";
    MISSING_INPUT = "missing-input", "Missing module input",
        "The called module has a variable without a default, so the call must set it.";
    UNSUPPORTED_INPUT = "unsupported-input", "Unsupported module input",
        "The called module has no variable with this name.";
    MISSING_BASE = "missing-base", "Nothing to override",
        "An override file can only change blocks that another file declares.";
    INVALID_MOVE = "invalid-move", "Invalid move",
        "A `moved` block moves the state of a resource or a module to another address. The old address must no longer be declared, and moves must not contradict each other or form cycles.";
    INVALID_REMOVAL = "invalid-removal", "Invalid removal",
        "A `removed` block names a resource or a module that the configuration no longer declares. It always removes all instances.";
    INVALID_IMPORT = "invalid-import", "Invalid import",
        "An `import` block requires a resource block with the address in `to`. Each address can be imported only once, and only from the root module.";
    INVALID_CHECK = "invalid-check", "Invalid check",
        "A `check` block requires at least one `assert` block.";
    INVALID_TEST = "invalid-test", "Invalid test",
        "A block of a test file is not valid, or refers to something that the module under test, an earlier run or the file does not declare.";
    UNKNOWN_TARGET = "unknown-target", "Unknown target",
        "The module under test does not declare what a block of a test file overrides. The address is probably misspelled.";
    INVALID_SOURCE = "invalid-source", "Invalid source of a build",
        "Each source of a build must be declared by a `source` block. It is written as `source.TYPE.NAME`.";
    INVALID_MATRIX = "invalid-matrix", "Invalid matrix",
        "The `matrix` of a target must be an object of lists, and requires a `name` that uses its variables. Groups have no matrix.";
    INVALID_OVERRIDE = "invalid-override", "Invalid override",
        "An override is written as `TARGET.KEY=VALUE`, where `TARGET` is the name of a target or a pattern, and `KEY` is an argument of targets.";
    INVALID_LINK = "invalid-link", "Invalid link between targets",
        "Targets that inherit from each other or use each other as contexts must not form cycles. A target that is used as a context must be built for all platforms of the target that uses it.";
    IGNORED = "ignored-item", "Ignored item",
        "Bake ignores arguments and blocks that it does not know, and so does hclkit. They are probably misspelled.";
}
