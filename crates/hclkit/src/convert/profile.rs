//! What applications read without evaluating it. In the JSON syntax such attributes hold bare text: a type expression,
//! a reference, a keyword, a string that is no template.

/// An application whose files are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Terraform and `OpenTofu`.
    Terraform,
    /// Packer.
    Packer,
    /// Nomad.
    Nomad,
}

const TERRAFORM: &[&str] = &[
    // Declared types, and what is decoded before anything can be evaluated.
    "variable.type",
    "variable.default",
    "variable.description",
    "output.description",
    "provider.alias",
    "terraform.required_version",
    "terraform.experiments",
    "required_providers.*",
    // References to objects, not to their values.
    "resource.depends_on",
    "data.depends_on",
    "ephemeral.depends_on",
    "module.depends_on",
    "output.depends_on",
    "check.depends_on",
    "resource.provider",
    "data.provider",
    "ephemeral.provider",
    "import.provider",
    "module.providers",
    "run.providers",
    "lifecycle.ignore_changes",
    "lifecycle.replace_triggered_by",
    "action_trigger.events",
    "action_trigger.actions",
    "moved.from",
    "moved.to",
    "removed.from",
    "import.to",
    "override_resource.target",
    "override_data.target",
    "override_module.target",
    // Keywords.
    "provisioner.when",
    "provisioner.on_failure",
    "run.command",
    "plan_options.mode",
];

const PACKER: &[&str] =
    &["variable.type", "variable.description", "packer.required_version", "required_plugins.*"];

const NOMAD: &[&str] = &["variable.type", "variable.description"];

impl Profile {
    /// The attributes that the application reads statically, as
    /// [`Converter::with_static`](super::Converter::with_static) takes them.
    pub const fn statics(self) -> &'static [&'static str] {
        match self {
            Self::Terraform => TERRAFORM,
            Self::Packer => PACKER,
            Self::Nomad => NOMAD,
        }
    }
}

/// Which attributes are meant: `name`, `block.name` or `block.*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    block: Option<String>,
    /// `None` for all.
    name: Option<String>,
}

impl Pattern {
    pub(super) fn new(text: &str) -> Self {
        let (block, name) = match text.split_once('.') {
            Some((block, name)) => (Some(block.to_owned()), name),
            None => (None, text),
        };
        Self { block, name: (name != "*").then(|| name.to_owned()) }
    }

    pub(super) fn matches(&self, block: Option<&str>, name: &str) -> bool {
        self.name.as_deref().is_none_or(|expected| expected == name)
            && self.block.as_deref().is_none_or(|expected| Some(expected) == block)
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn patterns() {
        let cases = [
            ("type", None, "type", true),
            ("type", Some("variable"), "type", true),
            ("variable.type", Some("variable"), "type", true),
            ("variable.type", Some("resource"), "type", false),
            ("variable.type", None, "type", false),
            ("required_providers.*", Some("required_providers"), "aws", true),
            ("required_providers.*", Some("resource"), "aws", false),
        ];
        for (pattern, block, name, expected) in cases {
            assert_eq!(Pattern::new(pattern).matches(block, name), expected, "{pattern} {block:?} {name}");
        }
    }
}
