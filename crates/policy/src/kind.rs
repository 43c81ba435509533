//! Which files have rules and tests, by their names.

/// A kind of file that `hcl test` runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// Rules for any HCL: `*.rules.hcl`.
    Rules,
    /// Tests of Terraform and OpenTofu: `*.tftest.hcl`, `*.tofutest.hcl`, and the same in JSON.
    TerraformTest,
    /// Policies of Terraform: `*.policy.hcl`.
    TerraformPolicy,
    /// Tests of such policies: `*.policytest.hcl`.
    TerraformPolicyTest,
}

impl FileKind {
    const SUFFIXES: [(&'static str, Self); 7] = [
        (".rules.hcl", Self::Rules),
        (".tftest.hcl", Self::TerraformTest),
        (".tftest.json", Self::TerraformTest),
        (".tofutest.hcl", Self::TerraformTest),
        (".tofutest.json", Self::TerraformTest),
        (".policy.hcl", Self::TerraformPolicy),
        (".policytest.hcl", Self::TerraformPolicyTest),
    ];

    /// The kind of a file with this name.
    ///
    /// ```
    /// use hclkit_policy::FileKind;
    ///
    /// assert_eq!(FileKind::of_name("tags.rules.hcl"), Some(FileKind::Rules));
    /// assert_eq!(FileKind::of_name("main.tf"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        Self::SUFFIXES.into_iter().find(|(suffix, _)| name.ends_with(suffix)).map(|(_, kind)| kind)
    }
}
