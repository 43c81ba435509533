//! The options of `hcl test`.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};

use super::{BaselineFile, Files, Providers, Reporting, Sources, Spacing};

/// Apply rules to configuration, and run tests of rules, modules and policies
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl test                                   run the rules and tests in the current directory and below
  hcl test --rules policy/ infrastructure/   apply the rules in a directory to another one
  hcl test --rules builtin:aws .             apply rules that hcl contains
  hcl test --rules builtin:tags --param required_tags='[\"Owner\"]'
  hcl test --rules policy/ --fix --write     fix what rules can fix
  hcl test --filter 'aws-*'                  run the rules and tests with these names
  hcl test --report sarif > hcl.sarif

hcl test finds files with these names:
  *.rules.hcl                        rules for any HCL, and their tests
  *.tftest.hcl, *.tofutest.hcl       tests of Terraform and OpenTofu modules, also with .json
  *.policy.hcl, *.policytest.hcl     Terraform policies and their tests

Nothing needs a provider, a state or a network. What only they know is unknown, which is an outcome of its own: see --if-unknown.

Without --rules and the setting `rules` in the table [test] of hcl.toml, the rule files in PATH apply to all other files in PATH. \
With them, those rules apply, and the rule files in PATH are only tested. The same holds for policies, which apply to the modules in PATH. \
Files and directories that the tests of rules name are left out.

A comment `# hcl: ignore RULE reason` ignores a rule in the attribute or block below it, or in its own line if something is \
before it. A comment that ignores nothing is reported.

Exit codes: 0 if everything passed, 1 if anything failed, 2 if a file is unreadable or a limit ended some of the work.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Test {
    /// Files and directories [default: the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Apply the rules in a file or a directory, or those that hcl contains (builtin:NAME, builtin:all); repeatable
    ///
    /// Policies in a file or a directory are applied, too.
    #[arg(long, value_name = "FILE|DIR|builtin:NAME")]
    pub(crate) rules: Vec<PathBuf>,

    /// Set a parameter of rules, or an input of policies, to a value or an expression without names, such as `required_tags=["Owner"]`; repeatable
    #[arg(long = "param", value_name = "NAME=EXPR")]
    pub(crate) params: Vec<String>,

    /// How to report rules whose condition is unknown
    #[arg(long = "if-unknown", value_name = "OUTCOME", default_value = "warn")]
    pub(crate) unknown: Unknown,

    /// Run only rules, policies, runs and tests whose names match GLOB; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) filter: Vec<String>,

    /// Print the suggested fixes as a unified diff, or apply them with --write, and report the remaining errors
    #[arg(long)]
    pub(crate) fix: bool,

    /// Write the files instead of printing the changes
    #[arg(short, long, requires = "fix")]
    pub(crate) write: bool,

    /// Watch the files, and run again whenever one of them changes, or a new one is there
    #[arg(long, conflicts_with_all = ["fix", "update_baseline"])]
    pub(crate) watch: bool,

    /// Print which rules matched nothing, and which have no test
    #[arg(long)]
    pub(crate) coverage: bool,

    #[command(flatten)]
    pub(crate) baseline: BaselineFile,

    #[command(flatten)]
    pub(crate) files: Files,

    #[command(flatten)]
    pub(crate) reporting: Reporting,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    #[command(flatten)]
    pub(crate) sources: Sources,

    #[command(flatten)]
    pub(crate) providers: Providers,
}

/// What an unknown condition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unknown {
    /// An error
    Fail,
    /// A warning
    Warn,
    /// Only counted
    Pass,
}
