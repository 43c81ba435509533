//! Profiles: whose formatter is to be equalled, and which files are whose.

use std::path::Path;

const TERRAFORM: [&str; 5] = [".tf", ".tfvars", ".tftest.hcl", ".tfmock.hcl", ".tfquery.hcl"];
const TOFU: [&str; 2] = [".tofu", ".tofutest.hcl"];

/// The program whose formatting is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Profile {
    /// `hclfmt`, which is `hclwrite.Format` of the reference: only blanks change.
    #[default]
    Plain,
    /// `terraform fmt`: values that are nothing but one interpolation are unwrapped, types of variables as older versions
    /// had them are brought up to date, labels are quoted, and comments between labels go.
    Terraform,
    /// `tofu fmt`, which does as `terraform fmt` does.
    Tofu,
    /// `packer fmt`, which does as `hclfmt` does.
    Packer,
    /// `nomad fmt`, which does as `hclfmt` does.
    Nomad,
    /// `terragrunt hcl fmt`, which does as `hclfmt` does.
    Terragrunt,
}

impl Profile {
    /// The profile for a file of this name; [`Plain`](Self::Plain) where the name is no tool's.
    ///
    /// ```
    /// use hclkit_write::Profile;
    /// assert_eq!(Profile::of("main.tf"), Profile::Terraform);
    /// assert_eq!(Profile::of("build/debian.pkr.hcl"), Profile::Packer);
    /// assert_eq!(Profile::of("service.hcl"), Profile::Plain);
    /// ```
    pub fn of(path: impl AsRef<Path>) -> Self {
        let name = path.as_ref().file_name().unwrap_or_default().to_string_lossy();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        if ends(&TERRAFORM) {
            Self::Terraform
        } else if ends(&TOFU) {
            Self::Tofu
        } else if ends(&[".pkr.hcl", ".pkrvars.hcl"]) {
            Self::Packer
        } else if ends(&[".nomad", ".nomad.hcl"]) {
            Self::Nomad
        } else if name == "terragrunt.hcl" || name == "terragrunt.stack.hcl" {
            Self::Terragrunt
        } else {
            Self::Plain
        }
    }

    /// Whether the profile's program changes more than blanks, and no file that has mistakes.
    pub(crate) fn rewrites(self) -> bool {
        matches!(self, Self::Terraform | Self::Tofu)
    }

    /// Whether the profile's program formats files of this name in folders.
    pub fn takes(self, path: impl AsRef<Path>) -> bool {
        let name = path.as_ref().file_name().unwrap_or_default().to_string_lossy();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        match self {
            Self::Plain => true,
            Self::Terraform => ends(&TERRAFORM),
            Self::Tofu => ends(&TERRAFORM) || ends(&TOFU),
            Self::Packer => ends(&[".pkr.hcl", ".pkrvars.hcl"]),
            Self::Nomad => ends(&[".nomad", ".hcl"]),
            Self::Terragrunt => ends(&[".hcl"]),
        }
    }
}
