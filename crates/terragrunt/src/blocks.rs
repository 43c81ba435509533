//! The arguments and blocks of the files, with their types.

use hclkit_model::{BlockSchema, OptionalLabels, Schema};
use hclkit_value::Type;

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Bool,
    Number,
    /// A list of strings.
    Texts,
    /// A map of strings.
    Map,
    Any,
}

impl Kind {
    pub(crate) fn ty(self) -> Type {
        match self {
            Self::Text => Type::String,
            Self::Bool => Type::Bool,
            Self::Number => Type::Number,
            Self::Texts => Type::list(Type::String),
            Self::Map => Type::map(Type::String),
            Self::Any => Type::Dynamic,
        }
    }
}

/// What a body can contain.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) labels: Labels,
    /// The arguments. Those whose names end with `!` are required.
    arguments: &'static [(&'static str, Kind)],
    pub(crate) blocks: &'static [Self],
}

/// The labels of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Labels {
    None,
    /// A name, by which blocks are merged.
    Name,
    /// A name that can be left out.
    OptionalName,
}

use Kind::{Any, Bool, Map, Number, Text, Texts};

const HOOK: &[(&str, Kind)] = &[
    ("commands!", Texts),
    ("execute!", Texts),
    ("if", Bool),
    ("run_on_error", Bool),
    ("suppress_stdout", Bool),
    ("working_dir", Text),
];

const COMPONENT: &[(&str, Kind)] = &[
    ("source!", Text),
    ("path!", Text),
    ("values", Any),
    ("enabled", Bool),
    ("mutable", Bool),
    ("no_dot_terragrunt_stack", Bool),
    ("no_validation", Bool),
    ("update_source_with_cas", Bool),
];

const fn block(name: &'static str, arguments: &'static [(&'static str, Kind)]) -> Rule {
    Rule { name, labels: Labels::None, arguments, blocks: &[] }
}

const fn named(name: &'static str, arguments: &'static [(&'static str, Kind)]) -> Rule {
    Rule { labels: Labels::Name, ..block(name, arguments) }
}

/// The file of a unit, or one that it includes or reads.
pub(crate) static UNIT: Rule = Rule {
    name: "",
    labels: Labels::None,
    arguments: &[
        ("inputs", Any),
        ("generate", Any),
        ("remote_state", Any),
        ("download_dir", Text),
        ("iam_assume_role_duration", Number),
        ("iam_assume_role_session_name", Text),
        ("iam_role", Text),
        ("iam_web_identity_token", Text),
        ("prevent_destroy", Bool),
        ("terraform_binary", Text),
        ("terraform_version_constraint", Text),
        ("terragrunt_version_constraint", Text),
        // These were removed before version 1.
        ("retry_max_attempts", Number),
        ("retry_sleep_interval_sec", Number),
        ("retryable_errors", Texts),
        ("skip", Bool),
    ],
    blocks: &[
        INCLUDE,
        LOCALS,
        named("feature", &[("default!", Any)]),
        Rule {
            blocks: &[block("expansion", &[("for_each", Any)])],
            ..named(
                "dependency",
                &[
                    ("config_path!", Text),
                    ("enabled", Bool),
                    ("skip_outputs", Bool),
                    ("mock_outputs", Any),
                    ("mock_outputs_allowed_terraform_commands", Texts),
                    ("mock_outputs_merge_strategy_with_state", Text),
                    ("mock_outputs_merge_with_state", Bool),
                ],
            )
        },
        block("dependencies", &[("paths!", Texts)]),
        Rule {
            blocks: &[
                named(
                    "extra_arguments",
                    &[
                        ("commands!", Texts),
                        ("arguments", Texts),
                        ("env_vars", Map),
                        ("optional_var_files", Texts),
                        ("required_var_files", Texts),
                    ],
                ),
                named("before_hook", HOOK),
                named("after_hook", HOOK),
                named(
                    "error_hook",
                    &[
                        ("commands!", Texts),
                        ("execute!", Texts),
                        ("on_errors!", Texts),
                        ("suppress_stdout", Bool),
                        ("working_dir", Text),
                    ],
                ),
            ],
            ..block(
                "terraform",
                &[
                    ("source", Text),
                    ("version", Text),
                    ("include_in_copy", Texts),
                    ("exclude_from_copy", Texts),
                    ("copy_terraform_lock_file", Bool),
                    ("mutable", Bool),
                    ("update_source_with_cas", Bool),
                ],
            )
        },
        block(
            "remote_state",
            &[
                ("backend!", Text),
                ("config!", Any),
                ("disable_dependency_optimization", Bool),
                ("disable_init", Bool),
                ("encryption", Any),
                ("generate", Map),
            ],
        ),
        named(
            "generate",
            &[
                ("path!", Text),
                ("if_exists!", Text),
                ("contents!", Text),
                ("comment_prefix", Text),
                ("disable", Bool),
                ("disable_signature", Bool),
                ("hcl_fmt", Bool),
                ("if_disabled", Text),
                ("mutable", Bool),
            ],
        ),
        block(
            "exclude",
            &[("if!", Bool), ("actions!", Texts), ("exclude_dependencies", Bool), ("no_run", Bool)],
        ),
        Rule {
            blocks: &[
                named(
                    "retry",
                    &[
                        ("retryable_errors!", Texts),
                        ("max_attempts!", Number),
                        ("sleep_interval_sec!", Number),
                    ],
                ),
                named("ignore", &[("ignorable_errors!", Texts), ("message", Text), ("signals", Any)]),
            ],
            ..block("errors", &[])
        },
        block("engine", &[("source!", Text), ("version", Text), ("type", Text), ("meta", Any)]),
        block(
            "catalog",
            &[("urls!", Texts), ("default_template", Text), ("no_hooks", Bool), ("no_shell", Bool)],
        ),
    ],
};

const INCLUDE: Rule = Rule {
    labels: Labels::OptionalName,
    ..block("include", &[("path!", Text), ("expose", Bool), ("merge_strategy", Text)])
};

/// Their arguments have any name.
const LOCALS: Rule = block("locals", &[]);

/// The file of a stack.
pub(crate) static STACK: Rule = Rule {
    name: "",
    labels: Labels::None,
    arguments: &[],
    blocks: &[LOCALS, INCLUDE, named("unit", COMPONENT), named("stack", COMPONENT)],
};

impl Rule {
    /// The schema of the body.
    pub(crate) fn schema(&self) -> Schema {
        let mut schema = Schema::new();
        for (name, _) in self.arguments {
            schema = match name.strip_suffix('!') {
                Some(name) => schema.with_required(name),
                None => schema.with_optional(*name),
            };
        }
        for own in self.blocks {
            let labels = if own.labels == Labels::None { Vec::new() } else { vec!["name".into()] };
            let mut block = BlockSchema::new(own.name, labels);
            block.optional = (own.labels == Labels::OptionalName)
                .then(|| OptionalLabels { count: 1, body_names: own.arguments().map(Into::into).collect() });
            schema.add_block(block);
        }
        schema
    }

    pub(crate) fn arguments(&self) -> impl Iterator<Item = &'static str> {
        self.arguments.iter().map(|(name, _)| name.trim_end_matches('!'))
    }

    /// The type of an argument.
    pub(crate) fn kind(&self, argument: &str) -> Option<Kind> {
        let found = self.arguments.iter().find(|(name, _)| name.trim_end_matches('!') == argument);
        found.map(|(_, kind)| *kind)
    }

    pub(crate) fn block(&self, name: &str) -> Option<&'static Self> {
        self.blocks.iter().find(|own| own.name == name)
    }
}

#[cfg(test)]
mod tests {
    use hclkit_dialect::Dialect;

    use super::{Rule, STACK, UNIT};

    fn unnamed(rule: &Rule, dialect: &Dialect, missing: &mut Vec<String>) {
        // At the top, these are blocks, too.
        let is_block = |name: &str| rule.name.is_empty() && matches!(name, "generate" | "remote_state");
        for argument in rule.arguments().filter(|name| !is_block(name)) {
            if dialect.help.takes(rule.name, argument).is_none() {
                missing.push(format!("{}.{argument}", rule.name));
            }
        }
        rule.blocks.iter().for_each(|inner| unnamed(inner, dialect, missing));
    }

    /// Editors offer every argument.
    #[test]
    fn arguments_are_in_the_table_of_the_language() {
        let dialect = Dialect::named("terragrunt").unwrap();
        let mut missing = Vec::new();
        for rule in [&UNIT, &STACK] {
            unnamed(rule, &dialect, &mut missing);
        }
        assert!(missing.is_empty(), "{missing:?}");
    }
}
