//! `--language`: the application that files are for, by one list of names.

use std::path::{Path, PathBuf};

use clap::Args as Group;
use hclkit::syntax::nearest_name;

/// The application that files are for.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct LanguageOption {
    /// The application of the files: terraform, opentofu, packer, bake, nomad, terragrunt or hcl, or a file that describes it [default: by the names of files]
    #[arg(id = "language", long = "language", value_name = "LANGUAGE", value_parser = language)]
    pub(crate) language: Option<LanguageName>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LanguageName {
    Terraform,
    OpenTofu,
    Packer,
    Bake,
    Nomad,
    Terragrunt,
    /// No application.
    Hcl,
    /// A file with a table.
    Table(PathBuf),
}

impl LanguageName {
    /// The usual name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Terraform => "terraform",
            Self::OpenTofu => "opentofu",
            Self::Packer => "packer",
            Self::Bake => "bake",
            Self::Nomad => "nomad",
            Self::Terragrunt => "terragrunt",
            Self::Hcl => "hcl",
            Self::Table(path) => path.to_str().unwrap_or("the table"),
        }
    }
}

/// The names, and other names for the same.
const NAMES: [(&str, LanguageName); 12] = [
    ("terraform", LanguageName::Terraform),
    ("opentofu", LanguageName::OpenTofu),
    ("packer", LanguageName::Packer),
    ("bake", LanguageName::Bake),
    ("nomad", LanguageName::Nomad),
    ("terragrunt", LanguageName::Terragrunt),
    ("hcl", LanguageName::Hcl),
    ("tofu", LanguageName::OpenTofu),
    ("docker-bake", LanguageName::Bake),
    ("plain", LanguageName::Hcl),
    ("hclfmt", LanguageName::Hcl),
    ("none", LanguageName::Hcl),
];

fn language(text: &str) -> Result<LanguageName, String> {
    if let Some((_, language)) = NAMES.iter().find(|(name, _)| *name == text) {
        return Ok(language.clone());
    }
    if Path::new(text).is_file() {
        return Ok(LanguageName::Table(text.into()));
    }
    let names = NAMES.iter().map(|(name, _)| *name);
    let hint = nearest_name(text, names.clone()).map(|near| format!("did you mean `{near}`? "));
    let all: Vec<&str> = names.take(7).collect();
    Err(format!("{}expected one of {}, or a file with a table", hint.unwrap_or_default(), all.join(", ")))
}
