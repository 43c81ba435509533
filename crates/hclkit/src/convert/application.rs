//! Attributes that applications read without evaluating them. In the JSON syntax, their values are plain text: a type
//! expression, a reference, a keyword, or a string that is not a template.

use std::path::Path;

/// An application whose files are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Application {
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
    // Type declarations, and settings that are decoded before anything can be evaluated.
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
    "dynamic.iterator",
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

const PACKER: &[&str] = &[
    "variable.type",
    "variable.description",
    "packer.required_version",
    "required_plugins.*",
    "dynamic.iterator",
];

// Nomad evaluates defaults without a context, so strings in them are not templates.
const NOMAD: &[&str] =
    &["variable.type", "variable.default", "variable.description", "variables.*", "dynamic.iterator"];

const DOCKER_BAKE: &[&str] =
    &["variable.type", "variable.description", "function.params", "function.variadic_params"];

/// The static attributes whose strings are text and not the source of an expression.
const TEXTS: &[&str] = &[
    "variable.default",
    "variable.description",
    "output.description",
    "provider.alias",
    "terraform.required_version",
    "packer.required_version",
    "required_providers.*",
    "required_plugins.*",
    "variables.*",
];

/// Endings of file names, and the application of each. Those without `.hcl` are for files in the JSON syntax, such as
/// `main.pkr.json`, compared without the last extension.
const ENDINGS: [(&str, Application); 15] = [
    (".tf", Application::Terraform),
    (".tofu", Application::Terraform),
    (".tfvars", Application::Terraform),
    (".tftest.hcl", Application::Terraform),
    (".tofutest.hcl", Application::Terraform),
    (".tfmock.hcl", Application::Terraform),
    (".pkr.hcl", Application::Packer),
    (".pkrvars.hcl", Application::Packer),
    (".tftest", Application::Terraform),
    (".tofutest", Application::Terraform),
    (".tfmock", Application::Terraform),
    (".pkr", Application::Packer),
    (".pkrvars", Application::Packer),
    (".nomad", Application::Nomad),
    (".nomad.hcl", Application::Nomad),
];

/// The names under which Docker Bake looks for its files.
const BAKE_FILES: [&str; 4] =
    ["docker-bake.hcl", "docker-bake.override.hcl", "docker-bake", "docker-bake.override"];

impl Application {
    /// The application that a file belongs to according to its name, ignoring case, or `None` if the name does not
    /// determine it. Names of files in the JSON syntax end with `.json`, those of YAML files with `.yaml` or `.yml`.
    ///
    /// ```
    /// use hclkit::convert::Application;
    ///
    /// assert_eq!(Application::of_path("modules/vpc/main.tf"), Some(Application::Terraform));
    /// assert_eq!(Application::of_path("web.nomad.hcl"), Some(Application::Nomad));
    /// assert_eq!(Application::of_path("docker-bake.hcl"), Some(Application::DockerBake));
    /// assert_eq!(Application::of_path("main.tf.json"), Some(Application::Terraform));
    /// assert_eq!(Application::of_path("config.hcl"), None);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Option<Self> {
        let name = file_name(path.as_ref());
        if BAKE_FILES.contains(&name.as_str()) {
            return Some(Self::DockerBake);
        }
        ENDINGS.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, application)| application)
    }

    /// Returns true if a file with this name contains only values of variables, which the application does not
    /// evaluate. See [`Converter::with_all_static`](super::Converter::with_all_static).
    pub fn is_values_file(self, path: impl AsRef<Path>) -> bool {
        let name = file_name(path.as_ref());
        match self {
            Self::Terraform => name.ends_with(".tfvars"),
            Self::Packer => name.strip_suffix(".hcl").unwrap_or(&name).ends_with(".pkrvars"),
            Self::Nomad | Self::DockerBake => false,
        }
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

/// Returns true if the strings of a static attribute are text and not the source of an expression.
pub(super) fn is_text(block: Option<&str>, name: &str) -> bool {
    TEXTS.iter().any(|text| Pattern::new(text).matches(block, name))
}

/// The name of a file without the ending of its encoding.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let stem = [".json", ".yaml", ".yml"].iter().find_map(|ending| name.strip_suffix(ending));
    stem.map(str::to_owned).unwrap_or(name)
}

/// A pattern for attributes: `name`, `block.name` or `block.*`.
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

/// The attributes that are read without being evaluated, in either direction of the conversion.
#[derive(Debug, Clone, Default)]
pub(super) struct Statics {
    /// Whether all attributes are static.
    pub(super) all: bool,
    /// The patterns with a name.
    named: Vec<Pattern>,
    /// Those for all attributes of a block.
    unnamed: Vec<Pattern>,
    /// The hashes of the names. Most attributes have another one, and are compared with no name.
    hashes: u128,
}

impl Statics {
    pub(super) fn extend(&mut self, patterns: impl IntoIterator<Item = impl AsRef<str>>) {
        for pattern in patterns {
            let pattern = Pattern::new(pattern.as_ref());
            match &pattern.name {
                Some(name) => {
                    self.hashes |= 1 << hash(name);
                    self.named.push(pattern);
                }
                None => self.unnamed.push(pattern),
            }
        }
    }

    /// Whether an attribute is among them, unless all are.
    pub(super) fn contains(&self, block: Option<&str>, name: &str) -> bool {
        let matches = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(block, name));
        self.hashes >> hash(name) & 1 != 0 && matches(&self.named) || matches(&self.unnamed)
    }
}

/// A number less than 128 that is the same for equal names.
fn hash(name: &str) -> usize {
    let first = name.bytes().next().map_or(0, usize::from);
    (31 * name.len() + first) % 128
}

#[cfg(test)]
mod tests {
    use super::{Application, Pattern, Statics};

    #[test]
    fn file_names() {
        let cases = [
            ("a.tf", Some(Application::Terraform), false),
            ("d.nomad/MAIN.TF", Some(Application::Terraform), false),
            ("a.tofu", Some(Application::Terraform), false),
            ("a.auto.tfvars", Some(Application::Terraform), true),
            ("a.tftest.hcl", Some(Application::Terraform), false),
            ("a.tofutest.hcl", Some(Application::Terraform), false),
            ("a.tfmock.hcl", Some(Application::Terraform), false),
            ("a.pkr.hcl", Some(Application::Packer), false),
            ("a.auto.pkrvars.hcl", Some(Application::Packer), true),
            ("a.nomad", Some(Application::Nomad), false),
            ("a.nomad.hcl", Some(Application::Nomad), false),
            ("d/docker-bake.hcl", Some(Application::DockerBake), false),
            ("docker-bake.override.hcl", Some(Application::DockerBake), false),
            ("a.tf.json", Some(Application::Terraform), false),
            ("a.auto.tfvars.json", Some(Application::Terraform), true),
            ("a.pkr.json", Some(Application::Packer), false),
            ("a.auto.pkrvars.json", Some(Application::Packer), true),
            ("a.tftest.json", Some(Application::Terraform), false),
            ("a.pkr.yaml", Some(Application::Packer), false),
            ("docker-bake.json", Some(Application::DockerBake), false),
            ("a.json", None, false),
            ("not-docker-bake.hcl", None, false),
            ("a.tf/config.hcl", None, false),
            ("tf", None, false),
            ("", None, false),
        ];
        for (path, application, values) in cases {
            assert_eq!(Application::of_path(path), application, "{path}");
            assert_eq!(
                application.is_some_and(|application| application.is_values_file(path)),
                values,
                "{path}"
            );
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
            let mut statics = Statics::default();
            statics.extend(["depends_on", "lifecycle.ignore_changes"]);
            statics.extend([pattern]);
            assert_eq!(statics.contains(block, name), expected, "{pattern} {block:?} {name}");
        }
    }
}
