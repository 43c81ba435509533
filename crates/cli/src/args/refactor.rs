//! The options of `hcl rename`, `hcl refs` and `hcl split`.

use std::path::PathBuf;

use clap::Args as Group;

use super::{Output, Product};
use crate::outcome::Failure;

/// The files of one or more modules.
#[derive(Debug, Clone, Group)]
pub(crate) struct Modules {
    /// Files and directories; `-` is standard input [default: the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Also search subdirectories
    #[arg(long)]
    pub(crate) recursive: bool,

    #[command(flatten)]
    pub(crate) files: super::Files,
}

/// Where modules are called.
#[derive(Debug, Clone, Group)]
pub(crate) struct Callers {
    /// Search DIR for callers of the module [default: the repository, or else the current directory]
    #[arg(long = "callers", value_name = "DIR")]
    pub(crate) directories: Vec<PathBuf>,
}

impl Callers {
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.directories.iter().find(|folder| !folder.is_dir()) {
            Some(missing) => {
                let missing = missing.display();
                Err(Failure::new(format!("--callers {missing}: there is no such directory")))
            }
            None => Ok(()),
        }
    }
}

/// Rename a variable, a local value, a resource or another name in all files of a directory
#[derive(Debug, Clone, Group)]
#[command(after_help = "Examples:
  hcl rename var.region location                show the changes in the current directory
  hcl rename -w aws_instance.web api            write them, with a moved block for Terraform
  hcl rename module.net network modules/vpc
  hcl rename -w dependency.vpc network terragrunt.hcl

ADDRESS is written as in expressions: var.NAME, local.NAME, TYPE.NAME for resources, data.TYPE.NAME, module.NAME, \
output.NAME, provider.NAME.ALIAS, or any other traversal of names. Names in the directory of a \
local module follow the name of its call: module.NAME.OUTPUT, module.NAME.local.NAME. The name changes in its declaration, \
in expressions, templates and heredocs, in strings such as those of depends_on, and in variable files, in both syntaxes. Names that a `for` expression \
or a `dynamic` block declares do not change.

In Terraform, names belong to a directory: subdirectories are searched only with --recursive, except for tests in the \
subdirectory tests. A variable, an output or a \
provider alias is also renamed where the directory is called as a module with a local source: in arguments of module \
blocks, in references such as module.NAME.OUTPUT, and in providers. Callers are searched in the repository, which is the \
nearest directory with `.git`, or else below the current directory, or below --callers. Files with errors are left out if \
they do not contain the name. Nothing changes if the name may be used where it cannot be followed, such as through \
`net = module.net`: the places are listed, and --force renames the rest.

Exit codes: 0 on success, 1 if the name is not found, cannot be followed, or a file with the name has errors, 2 on other errors, such as a new \
name that exists already.")]
pub(crate) struct Rename {
    /// The address of the name
    pub(crate) address: String,

    /// The new name, or the new address
    pub(crate) new: String,

    /// Write the files instead of printing the changes
    #[arg(short, long)]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) callers: Callers,

    /// Do not add moved blocks for renamed resources and modules of Terraform
    #[arg(long)]
    pub(crate) no_moved: bool,

    /// Rename also if something may refer to the name that cannot be followed
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) matching: super::Matching,

    #[command(flatten)]
    pub(crate) modules: Modules,
}

/// Find the declaration of a name and the references to it, also in callers of the module
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl refs var.region                 in the files of the current directory
  hcl refs aws_instance.web.id .
  hcl refs --recursive --ndjson module.net infra | jq -r .file

ADDRESS is the same as in hcl rename, and callers of the directory are searched as there. Each line has the file, line and \
column, and the path of the attribute or block.

Exit codes: 0 on success, 1 if nothing is found, 2 on errors.")]
pub(crate) struct Refs {
    /// The address of the name
    pub(crate) address: String,

    #[command(flatten)]
    pub(crate) product: Product,

    /// Print a line of JSON for each match; same as --output ndjson
    #[arg(long, conflicts_with_all = ["output", "json"])]
    pub(crate) ndjson: bool,

    #[command(flatten)]
    pub(crate) callers: Callers,

    #[command(flatten)]
    pub(crate) matching: super::Matching,

    #[command(flatten)]
    pub(crate) modules: Modules,
}

impl Refs {
    pub(super) const FORMATS: &'static [Output] = &[Output::Human, Output::Json, Output::Ndjson];

    pub(crate) fn output(&self) -> Output {
        if self.ndjson { Output::Ndjson } else { self.product.format().unwrap_or(Output::Human) }
    }
}

/// Split a Terraform module into the files that the style guide recommends
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl split                  show what would move
  hcl split -w modules/vpc
  hcl split -w --block resource.aws_s3_bucket.logs --into storage.tf

Blocks move with their comments: terraform to terraform.tf (or versions.tf, if that exists), provider to providers.tf, \
variable to variables.tf, output to outputs.tf, and locals to locals.tf. Those of files in the JSON syntax move to \
variables.tf.json and so on. Everything else stays where it is. With --block and --into, only the blocks that PATH selects \
move, to the end of FILE beside their file, which is created if it is missing. PATH is as in hcl query. \
To sort the blocks afterwards, use hcl edit --sort 'variable~' variables.tf.

Exit codes: 0 on success, 1 if there is nothing to move, 2 on errors.")]
pub(crate) struct Split {
    /// Move the blocks that PATH selects; repeatable
    #[arg(long, value_name = "PATH", requires = "into")]
    pub(crate) block: Vec<String>,

    /// The file to move them to, in the directory of each block
    #[arg(long, value_name = "FILE", requires = "block")]
    pub(crate) into: Option<PathBuf>,

    /// Write the files instead of printing the changes
    #[arg(short, long)]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) matching: super::Matching,

    #[command(flatten)]
    pub(crate) modules: Modules,
}
