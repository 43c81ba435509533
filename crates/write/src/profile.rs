//! Profiles: which program's formatting to use, and which files belong to each program.

use std::path::Path;

const TERRAFORM: [&str; 5] = [".tf", ".tfvars", ".tftest.hcl", ".tfmock.hcl", ".tfquery.hcl"];
const TOFU: [&str; 5] = [".tofu", ".tofutest.hcl", ".tf", ".tfvars", ".tftest.hcl"];

/// The program whose formatting to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Profile {
    /// `hclfmt`, which uses `hclwrite.Format` of the reference: only spaces change.
    #[default]
    Plain,
    /// `terraform fmt`: values that are only an interpolation are unwrapped, types of variables in the style of older
    /// versions are updated, labels are quoted, and comments between labels are removed.
    Terraform,
    /// `tofu fmt`, which formats like `terraform fmt`.
    Tofu,
    /// `packer fmt`, which formats like `hclfmt`.
    Packer,
    /// `nomad fmt`, which formats like `hclfmt`.
    Nomad,
    /// `terragrunt hcl fmt`, which formats like `hclfmt`.
    Terragrunt,
}

impl Profile {
    /// Returns the profile for a file with this name, or [`Plain`](Self::Plain) if the name does not belong to a tool.
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

    /// Returns true if the profile's program changes more than blanks. Such programs do not change files with errors.
    pub(crate) fn rewrites(self) -> bool {
        matches!(self, Self::Terraform | Self::Tofu)
    }

    /// Returns true if the program of the profile formats files with this name in directories.
    ///
    /// ```
    /// use hclkit_write::Profile;
    /// assert!(Profile::Terraform.takes("main.tf") && !Profile::Terraform.takes(".hidden.tf"));
    /// assert!(Profile::Tofu.takes("main.tofu") && !Profile::Tofu.takes("net.tfmock.hcl"));
    /// assert!(Profile::Terragrunt.takes(".terraform.lock.hcl"));
    /// ```
    pub fn takes(self, path: impl AsRef<Path>) -> bool {
        let name = path.as_ref().file_name().unwrap_or_default().to_string_lossy();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        let is_hidden = name.starts_with('.');
        match self {
            Self::Plain => true,
            Self::Terraform => ends(&TERRAFORM) && !is_hidden,
            Self::Tofu => ends(&TOFU) && !is_hidden,
            Self::Packer => ends(&[".pkr.hcl", ".pkrvars.hcl"]) && !is_hidden,
            Self::Nomad => ends(&[".nomad", ".hcl"]),
            Self::Terragrunt => ends(&[".hcl"]),
        }
    }
}
