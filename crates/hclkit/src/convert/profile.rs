//! What applications read without evaluating it. In the JSON syntax such attributes hold bare text: a type expression,
//! a reference, a keyword, a string that is no template.

use std::path::Path;

/// An application whose files are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Terraform and `OpenTofu`.
    Terraform,
    /// Packer.
    Packer,
    /// Nomad.
    Nomad,
    /// Docker Bake.
    DockerBake,
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

// Nomad evaluates defaults without a context, in which strings are no templates.
const NOMAD: &[&str] = &["variable.type", "variable.default", "variable.description", "variables.*"];

const DOCKER_BAKE: &[&str] =
    &["variable.type", "variable.description", "function.params", "function.variadic_params"];

/// Endings of the names of files, and the application that each belongs to.
const ENDINGS: [(&str, Profile); 10] = [
    (".tf", Profile::Terraform),
    (".tofu", Profile::Terraform),
    (".tfvars", Profile::Terraform),
    (".tftest.hcl", Profile::Terraform),
    (".tofutest.hcl", Profile::Terraform),
    (".tfmock.hcl", Profile::Terraform),
    (".pkr.hcl", Profile::Packer),
    (".pkrvars.hcl", Profile::Packer),
    (".nomad", Profile::Nomad),
    (".nomad.hcl", Profile::Nomad),
];

/// The names under which Docker Bake looks for its files.
const BAKE_FILES: [&str; 2] = ["docker-bake.hcl", "docker-bake.override.hcl"];

impl Profile {
    /// The application that a file belongs to by its name, in upper or lower case; `None` if the name does not say.
    ///
    /// ```
    /// use hclkit::convert::Profile;
    ///
    /// assert_eq!(Profile::of_path("modules/vpc/main.tf"), Some(Profile::Terraform));
    /// assert_eq!(Profile::of_path("web.nomad.hcl"), Some(Profile::Nomad));
    /// assert_eq!(Profile::of_path("docker-bake.hcl"), Some(Profile::DockerBake));
    /// assert_eq!(Profile::of_path("config.hcl"), None);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Option<Self> {
        let name = file_name(path.as_ref());
        if BAKE_FILES.contains(&name.as_str()) {
            return Some(Self::DockerBake);
        }
        ENDINGS.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, profile)| profile)
    }

    /// Whether the application reads nothing but values of variables from a file of this name, without evaluating them.
    /// See [`Converter::all_static`](super::Converter::all_static).
    pub fn is_values_file(self, path: impl AsRef<Path>) -> bool {
        let ending = match self {
            Self::Terraform => ".tfvars",
            Self::Packer => ".pkrvars.hcl",
            Self::Nomad | Self::DockerBake => return false,
        };
        file_name(path.as_ref()).ends_with(ending)
    }

    /// The attributes that the application reads statically, as
    /// [`Converter::with_static`](super::Converter::with_static) takes them.
    pub const fn statics(self) -> &'static [&'static str] {
        match self {
            Self::Terraform => TERRAFORM,
            Self::Packer => PACKER,
            Self::Nomad => NOMAD,
            Self::DockerBake => DOCKER_BAKE,
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
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
    use super::{Pattern, Profile};

    #[test]
    fn file_names() {
        let cases = [
            ("a.tf", Some(Profile::Terraform), false),
            ("d.nomad/MAIN.TF", Some(Profile::Terraform), false),
            ("a.tofu", Some(Profile::Terraform), false),
            ("a.auto.tfvars", Some(Profile::Terraform), true),
            ("a.tftest.hcl", Some(Profile::Terraform), false),
            ("a.tofutest.hcl", Some(Profile::Terraform), false),
            ("a.tfmock.hcl", Some(Profile::Terraform), false),
            ("a.pkr.hcl", Some(Profile::Packer), false),
            ("a.auto.pkrvars.hcl", Some(Profile::Packer), true),
            ("a.nomad", Some(Profile::Nomad), false),
            ("a.nomad.hcl", Some(Profile::Nomad), false),
            ("d/docker-bake.hcl", Some(Profile::DockerBake), false),
            ("docker-bake.override.hcl", Some(Profile::DockerBake), false),
            ("not-docker-bake.hcl", None, false),
            ("a.tf/config.hcl", None, false),
            ("tf", None, false),
            ("", None, false),
        ];
        for (path, profile, values) in cases {
            assert_eq!(Profile::of_path(path), profile, "{path}");
            assert_eq!(profile.is_some_and(|profile| profile.is_values_file(path)), values, "{path}");
        }
    }

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
