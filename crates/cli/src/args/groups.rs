//! Groups of options that several commands have: which files and modules are read, for which application, and how problems
//! are reported.

use std::path::{Path, PathBuf};

use clap::{Args as Group, ValueEnum};
use hclkit::dialect::{Dialect, Version};
use hclkit::syntax::nearest_name;

/// Which files of directories to read.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct Files {
    /// In directories, select files that match GLOB instead of those with known extensions; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// In directories, skip files and directories that match GLOB; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// In directories, also select files listed in .gitignore or .hclignore that are not in the index of Git
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// In directories, also search hidden directories, and files that a language skips because they are hidden
    #[arg(long)]
    pub(crate) hidden: bool,

    /// In directories, also follow symbolic links to files outside of the directory
    #[arg(long)]
    pub(crate) follow: bool,
}

/// What happens if nothing is found.
#[derive(Debug, Clone, Copy, Default, Group)]
pub(crate) struct Matching {
    /// Exit with 0 even if nothing is found
    #[arg(long)]
    pub(crate) allow_empty: bool,
}

/// The findings that are not reported again.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct BaselineFile {
    /// Do not report what this file lists, which --update-baseline writes
    #[arg(id = "baseline", long = "baseline", value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    /// Write everything that is found to the file of --baseline, except errors in files with syntax errors
    #[arg(id = "update_baseline", long = "update-baseline", requires = "baseline")]
    update: bool,
}

impl BaselineFile {
    /// The file with findings that are not reported.
    pub(crate) fn known(&self) -> Option<&Path> {
        self.file.as_deref().filter(|_| !self.update)
    }

    /// The file that gets the findings.
    pub(crate) fn updated(&self) -> Option<&Path> {
        self.file.as_deref().filter(|_| self.update)
    }
}

/// The directories of modules that are not called by a path.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct Sources {
    /// Read modules with this source from this directory; `*` is any text; repeatable
    ///
    /// Each `*` in SOURCE is any text, which replaces a `*` in DIR, as in 'terraform-aws-modules/*/aws=vendor/*'. A source also
    /// matches without its version and the directory inside of it (`//modules/x?ref=v1`). Modules in .terraform/modules come
    /// first. The table [modules] of hcl.toml maps sources, too.
    #[arg(long = "module-dir", value_name = "SOURCE=DIR", value_parser = source)]
    pub(crate) module_dirs: Vec<(String, PathBuf)>,
}

/// What is known about providers.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct Providers {
    /// The schemas of providers, as `terraform providers schema -json` writes them
    ///
    /// Resources and data sources then have the attributes, types and blocks of their provider.
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schema: Option<PathBuf>,

    /// Compute no data sources
    ///
    /// Otherwise, data sources that are pure functions of their arguments, such as `aws_iam_policy_document`, have the values
    /// that their providers compute.
    #[arg(long)]
    pub(crate) no_data_sources: bool,
}

/// A source may contain `=`, as in `?ref=v1`.
fn source(text: &str) -> Result<(String, PathBuf), String> {
    match text.rsplit_once('=') {
        Some((source, directory)) if !source.is_empty() && !directory.is_empty() => {
            Ok((source.to_owned(), directory.into()))
        }
        _ => Err("expected SOURCE=DIR, such as hashicorp/consul/aws=vendor/consul".to_owned()),
    }
}

#[derive(Debug, Clone, Copy, Group)]
pub(crate) struct Reporting {
    /// The format of the report of errors and warnings
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) report: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable messages with source excerpts
    Human,
    /// A single JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// GitHub Actions workflow commands, for annotations
    Github,
    #[value(help = "JUnit XML, for test reports")]
    Junit,
}

/// The application that files are for.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct LanguageOption {
    /// The application of the files: terraform, opentofu, packer, bake, nomad, terragrunt or hcl, or a file that describes it [default: by the names of files]
    ///
    /// The files of consul, vault, nomad-agent, boundary, consul-template, envconsul and terraform-0.11 are in HCL 1, and so are those of
    /// hcl1, which is no application.
    #[arg(id = "language", long = "language", value_name = "LANGUAGE", value_parser = language)]
    pub(crate) language: Option<LanguageName>,
}

/// The application that files are for, and its version.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct VersionedLanguage {
    /// The application of the files: terraform, opentofu, packer, bake, nomad, terragrunt or hcl, or a file that describes it [default: by the names of files]
    ///
    /// The files of consul, vault, nomad-agent, boundary, consul-template, envconsul and terraform-0.11 are in HCL 1, and so are those of
    /// hcl1, which is no application.
    ///
    /// With a version after Terraform or OpenTofu, such as terraform@1.12, what is newer is an error. Otherwise, the version counts that
    /// `[versions]` in hcl.toml, `required_version`, or a file such as `.terraform-version` says. Files *.tf are those of Terraform
    /// unless a lock file, `.opentofu-version` or `.tool-versions` says that they are those of OpenTofu.
    #[arg(id = "language", long = "language", value_name = "LANGUAGE", value_parser = versioned)]
    pub(crate) language: Option<(LanguageName, Option<Version>)>,
}

/// A language with or without a version that its table describes.
fn versioned(text: &str) -> Result<(LanguageName, Option<Version>), String> {
    let Some((name, version)) = text.split_once('@').filter(|_| !Path::new(text).is_file()) else {
        return Ok((language(text)?, None));
    };
    let name = language(name)?;
    let dialect = Dialect::named(name.name()).unwrap_or_default();
    let version = dialect.known_version(version).map_err(|why| {
        why.unwrap_or_else(|| format!("versions of {} are not known; leave out `@{version}`", name.name()))
    })?;
    Ok((name, Some(version)))
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
    /// An application that reads HCL 1, by the name of its table.
    Hcl1(&'static str),
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
            Self::Hcl1(name) => name,
            Self::Table(path) => path.to_str().unwrap_or("the table"),
        }
    }
}

/// The names, and other names for the same.
const NAMES: [(&str, LanguageName); 20] = [
    ("terraform", LanguageName::Terraform),
    ("opentofu", LanguageName::OpenTofu),
    ("packer", LanguageName::Packer),
    ("bake", LanguageName::Bake),
    ("nomad", LanguageName::Nomad),
    ("terragrunt", LanguageName::Terragrunt),
    ("hcl", LanguageName::Hcl),
    ("consul", LanguageName::Hcl1("consul")),
    ("vault", LanguageName::Hcl1("vault")),
    ("nomad-agent", LanguageName::Hcl1("nomad-agent")),
    ("boundary", LanguageName::Hcl1("boundary")),
    ("consul-template", LanguageName::Hcl1("consul-template")),
    ("envconsul", LanguageName::Hcl1("envconsul")),
    ("terraform-0.11", LanguageName::Hcl1("terraform-0.11")),
    ("hcl1", LanguageName::Hcl1("hcl1")),
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
    let all: Vec<&str> = names.take(15).collect();
    Err(format!("{}expected one of {}, or a file with a table", hint.unwrap_or_default(), all.join(", ")))
}
