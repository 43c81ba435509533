//! The options of `hcl edit`.

use std::path::PathBuf;

use clap::Args as Group;

use super::Hcledit;

/// Change values, names and blocks in HCL files, and keep comments and layout
#[derive(Debug, Group)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Examples:
  hcl edit 'service.web.port=8080' web.hcl               show the change as a diff
  hcl edit -w 'service.web.port=8080' web.hcl            write the file
  hcl edit --create 'resource.*.*.tags.Env=\"prod\"' .    set an item in all resources, also in those without tags
  hcl edit 'module.*[version != null].version=\"5.1.0\"' .  set it only where it is set
  hcl edit --delete 'resource~.ingress[0]' main.tf       remove a block
  hcl edit --append 'ports=443' web.hcl                  add an element to a tuple
  hcl edit --append '.=variable \"a\" {}' main.tf          add a block to the file
  hcl edit --rename 'resource.aws_instance.web=api' main.tf
  hcl edit --sort 'variable~' variables.tf               sort the variables
  hcl edit --script edits.hcl -w *.tf                    apply the edits of a script
  hcl edit --merge prod.tfvars common.tfvars             put the values of a file into another one
  cat web.hcl | hcl edit 'port=80' - > new.hcl

A PATH is a sequence of names, separated by dots: block types, labels, attributes and keys of objects. `*` matches any \
name, `~` the remaining labels of blocks, `..` any depth, and [0] an element. [EXPRESSION] keeps only the matches for \
which the expression is true. docs/paths.md describes paths. EXPR is source text, such as 80 or '\"text\"'. The path ends at the first `=` \
outside of brackets and quotes.

All edits apply at once, to the original files. PATH=EXPR sets what the path selects, or adds an attribute \
or an item to what the rest of the path selects, also to the last object in `merge(…)`. What matches but cannot be \
changed is reported, such as a resource without `tags`: --create adds them, and --skip accepts it. Without --write, hcl edit prints the changes as a unified diff. \
The result of standard input is always written to standard output. In files in the JSON syntax, EXPR and SOURCE are JSON, or source \
text that is converted as by `hcl convert`.

--script reads edits from a file; docs/editing.md describes scripts. The subcommands of hcledit are available as \
`hcl edit attribute`, `hcl edit block` and `hcl edit body`.

Exit codes: 0 on success, 1 if an edit matches nothing or cannot change all that it matches (then no file is changed), or \
if a file has errors, 2 on other errors.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Edit {
    #[command(subcommand)]
    pub(crate) hcledit: Option<Hcledit>,

    /// Edits as PATH=EXPR, then files and directories; `-` is standard input
    #[arg(value_name = "PATH=EXPR | FILE", required = true)]
    pub(crate) arguments: Vec<String>,

    /// Add what PATH lacks on the way: `tags = { … }` for tags.Env
    #[arg(long)]
    pub(crate) create: bool,

    /// Change what can be changed, and exit with 0, even if other matches cannot
    #[arg(long)]
    pub(crate) skip: bool,

    /// Remove what PATH selects, with its comments; repeatable
    #[arg(long, value_name = "PATH")]
    pub(crate) delete: Vec<String>,

    /// Insert source text at the end of what PATH selects: into a body, an object or a tuple; repeatable
    #[arg(long, value_name = "PATH=SOURCE")]
    pub(crate) append: Vec<String>,

    /// Insert source text at the start of what PATH selects; repeatable
    #[arg(long, value_name = "PATH=SOURCE")]
    pub(crate) prepend: Vec<String>,

    /// Insert source text before what PATH selects; repeatable
    #[arg(long, value_name = "PATH=SOURCE")]
    pub(crate) before: Vec<String>,

    /// Insert source text after what PATH selects; repeatable
    #[arg(long, value_name = "PATH=SOURCE")]
    pub(crate) after: Vec<String>,

    /// Rename what PATH selects: an attribute, a block type, a label or a key; repeatable
    #[arg(long, value_name = "PATH=NAME")]
    pub(crate) rename: Vec<String>,

    /// Move what PATH selects to the end of what DESTINATION selects, with its comments; repeatable
    #[arg(long = "move", value_name = "PATH=DESTINATION")]
    pub(crate) moves: Vec<String>,

    /// Sort what PATH selects by type, labels and name; everything else stays where it is; repeatable
    #[arg(long, value_name = "PATH")]
    pub(crate) sort: Vec<String>,

    /// Apply the edits of a script, an HCL file of `match` blocks; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Vec<PathBuf>,

    /// Merge files into one configuration
    ///
    /// What FILE says is put into the other files, whose comments and layout stay: arguments replace those of the same name, or are
    /// added. Repeatable. Blocks are merged by their type and labels. Objects are values like others, which are replaced, unless --deep is given. Both
    /// syntaxes can be merged into each other, but not blocks into JSON. Of several files, the last one counts most.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["delete", "append", "prepend", "before", "after", "rename", "moves", "sort", "script", "create"])]
    pub(crate) merge: Vec<PathBuf>,

    /// With --merge, merge the items of objects instead of replacing objects
    #[arg(long, requires = "merge")]
    pub(crate) deep: bool,

    /// Write the files instead of printing the changes
    #[arg(short, long)]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) matching: super::Matching,

    #[command(flatten)]
    pub(crate) files: super::Files,
}
