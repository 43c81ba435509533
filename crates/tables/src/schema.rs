//! The tables and their columns, as data. Everything else reads them here: the writers, the documentation and its test, and the
//! command line.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};

/// The version of the schemas. It changes when a column changes its meaning or goes away; new columns and tables do not change it.
pub const VERSION: u32 = 1;

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Table {
    /// A row for each file.
    Files,
    /// A row for each block.
    Blocks,
    /// A row for each attribute.
    Attributes,
    /// A row for each reference.
    References,
    /// A row for each call of a module.
    ModuleCalls,
    /// A row for each requirement and each configuration of a provider.
    Providers,
    /// A row for each input variable.
    Variables,
    /// A row for each output.
    Outputs,
    /// A row for each local value.
    Locals,
    /// A row for each error and warning.
    Diagnostics,
    /// A row for each instance of a resource, in each evaluated directory.
    Instances,
    /// A row for each value, in each evaluated directory.
    Values,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text: `Utf8`.
    Text,
    /// A whole number: `Int64`.
    Int,
    /// `Boolean`.
    Bool,
    /// A list of texts: `List<Utf8>`.
    Texts,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// Whether values can be missing.
    pub nullable: bool,
    /// What it contains.
    pub doc: &'static str,
}

const fn text(name: &'static str, doc: &'static str) -> Column {
    Column { name, kind: Kind::Text, nullable: false, doc }
}

const fn int(name: &'static str, doc: &'static str) -> Column {
    Column { name, kind: Kind::Int, nullable: false, doc }
}

const fn bool(name: &'static str, doc: &'static str) -> Column {
    Column { name, kind: Kind::Bool, nullable: false, doc }
}

const fn texts(name: &'static str, doc: &'static str) -> Column {
    Column { name, kind: Kind::Texts, nullable: false, doc }
}

const fn or_null(column: Column) -> Column {
    Column { nullable: true, ..column }
}

/// The first columns of each table: which file a row is from.
pub const FIRST: [Column; 3] = [
    or_null(text("repo", "The repository, as `--repo-from` or the input says it.")),
    or_null(text("commit", "The commit that the file is from.")),
    text("path", "The file, or the directory of evaluated tables, relative to the repository."),
];

/// The last columns of each table: where in the file a row is from.
pub const LAST: [Column; 4] = [
    int("start_line", "The first line, counted from 1."),
    int("end_line", "The last line."),
    int("start_byte", "The offset of the first byte."),
    int("end_byte", "The offset after the last byte."),
];

const FILES: &[Column] = &[
    text(
        "language",
        "The application: `terraform`, `opentofu`, `packer`, `nomad`, …; `hcl` if the name does not say it.",
    ),
    text("syntax", "`native`, `json` or `hcl1`."),
    or_null(text(
        "kind",
        "What the file contains: `module`, `values`, `tests`, `mocks`, `queries`, `settings`.",
    )),
    or_null(text(
        "sha256",
        "The SHA-256 of the content, in hexadecimal. Null if the file could not be read.",
    )),
    int("lines", "The number of lines."),
    int("bytes", "The size."),
    int("errors", "The number of errors."),
];

const BLOCKS: &[Column] = &[
    text(
        "address",
        "The address, such as `aws_instance.web` or `var.region`. For other blocks, the address around it, its type and its labels.",
    ),
    text("block_type", "The type of the block, such as `resource`."),
    texts("labels", "The labels."),
    or_null(text("mode", "`managed`, `data` or `ephemeral`, of resources.")),
    or_null(text("type", "The type of the resource, such as `aws_instance`.")),
    or_null(text("name", "The name: the last label.")),
    or_null(text("parent", "The address of the block around it.")),
    or_null(int("parent_start_byte", "Where the block around it starts, which identifies it in its file.")),
    or_null(text("comment", "The comment before it, without its signs.")),
];

const ATTRIBUTES: &[Column] = &[
    or_null(text("block", "The address of the block around it. Null at the top of a file.")),
    or_null(int("block_start_byte", "Where this block starts.")),
    or_null(text("block_type", "The type of this block.")),
    or_null(text("type", "The type of the resource around it, if the attribute is directly in it.")),
    text("name", "The name."),
    or_null(text("expression", "The source of the value. Null if it is withheld.")),
    or_null(text("value", "The value as JSON, if it is literal and not withheld.")),
    texts("references", "The addresses that it refers to, each once."),
    bool(
        "sensitive",
        "Whether the value is withheld: the default of a sensitive variable, a sensitive output, and values in variable files.",
    ),
];

const REFERENCES: &[Column] = &[
    or_null(text(
        "from",
        "The address of the declaration that contains the reference, such as `output.id`. Null at the top of a file.",
    )),
    or_null(text("attribute", "The attribute that contains it.")),
    or_null(text(
        "to",
        "The address that it refers to, such as `var.region`. Null for names that no block declares, such as `each.key`.",
    )),
    text("root", "The first name, such as `var`."),
    text("text", "The reference as written, with all of its steps."),
    text("kind", "`reference`, or `history` in `moved` and `removed` blocks."),
];

const MODULE_CALLS: &[Column] = &[
    text("name", "The name of the call."),
    or_null(text("module_source", "The source as written. Passwords in it are removed.")),
    text(
        "kind",
        "`local`, `registry`, `git`, `mercurial`, `http`, `s3`, `gcs`, `other`, or `expression` if it is not literal.",
    ),
    or_null(text("host", "The host of the source; that of the public registry is null.")),
    or_null(text("namespace", "The namespace in the registry, or the owner of the repository.")),
    or_null(text(
        "module",
        "The source without version, subdirectory and scheme, to group calls of the same module.",
    )),
    or_null(text("subdirectory", "The directory in the package, after `//`.")),
    or_null(text("version", "The constraint on the version.")),
    or_null(text("ref", "The `ref` of a Git source.")),
    bool("pinned", "Whether the call always gets the same code: a local path, an exact version or a commit."),
];

const PROVIDERS: &[Column] = &[
    text("name", "The local name, such as `aws`."),
    or_null(text("alias", "The alias of a configuration.")),
    text("kind", "`required` in `required_providers`, or `configuration` for a `provider` block."),
    or_null(text("source", "The source, such as `hashicorp/aws`.")),
    or_null(text("version", "The constraint on the version.")),
];

const VARIABLES: &[Column] = &[
    text("name", "The name."),
    or_null(text("type", "The type as written.")),
    or_null(text("description", "The description.")),
    or_null(text(
        "default_value",
        "The default as JSON, if it is literal and the variable is not sensitive.",
    )),
    bool("required", "Whether it has no default."),
    bool("sensitive", "Whether it is declared as sensitive."),
    or_null(bool("nullable", "What `nullable` says.")),
    int("validations", "The number of `validation` blocks."),
    or_null(bool("ephemeral", "What `ephemeral` says.")),
    or_null(bool("const", "What `const` says: whether the source of a module can refer to it.")),
    or_null(text("deprecated", "The message of `deprecated`.")),
];

const OUTPUTS: &[Column] = &[
    text("name", "The name."),
    or_null(text("description", "The description.")),
    or_null(text("expression", "The source of the value. Null if the output is sensitive.")),
    or_null(text("value", "The value as JSON, if it is literal and the output is not sensitive.")),
    bool("sensitive", "Whether it is declared as sensitive."),
    texts("references", "The addresses that the value refers to."),
    or_null(text("type", "The type as written.")),
    or_null(bool("ephemeral", "What `ephemeral` says.")),
    or_null(text("deprecated", "The message of `deprecated`.")),
];

const LOCALS: &[Column] = &[
    text("name", "The name."),
    or_null(text("expression", "The source of the value.")),
    or_null(text("value", "The value as JSON, if it is literal.")),
    texts("references", "The addresses that it refers to."),
];

const DIAGNOSTICS: &[Column] = &[
    or_null(text("code", "The code, such as `unclosed-block`; `hcl explain CODE` explains it.")),
    text("severity", "`error` or `warning`."),
    text("summary", "What is wrong, in a few words."),
    text("message", "The explanation. Empty if it could show a value that is withheld."),
];

const INSTANCES: &[Column] = &[
    text("address", "The address, such as `module.net[\"a\"].aws_subnet.zones[0]`."),
    text("mode", "`managed`, `data` or `ephemeral`."),
    text("type", "The type, such as `aws_subnet`."),
    text("name", "The name."),
    or_null(text("key", "The key of the instance as JSON: a number or a string.")),
    text("module", "The address of the module; empty for the root module."),
    text("provider", "The local name of the provider."),
];

const VALUES: &[Column] = &[
    text("address", "The address of the declaration, such as `output.id` or `aws_subnet.zones[0]`."),
    text("attribute", "The path in its value, such as `.tags[\"Env\"]`; empty for the whole value."),
    or_null(text("value", "The value as JSON. Null if it is sensitive or unknown.")),
    text("type", "The type, such as `string`; empty if the value is sensitive."),
    bool("known", "Whether the value is known."),
    bool("sensitive", "Whether the value is sensitive, and withheld."),
    texts("reasons", "Why it is unknown, each once."),
];

impl Table {
    /// All tables.
    pub const ALL: [Self; 12] = [
        Self::Files,
        Self::Blocks,
        Self::Attributes,
        Self::References,
        Self::ModuleCalls,
        Self::Providers,
        Self::Variables,
        Self::Outputs,
        Self::Locals,
        Self::Diagnostics,
        Self::Instances,
        Self::Values,
    ];

    /// The number of tables.
    pub(crate) const COUNT: usize = Self::ALL.len();

    /// The name, such as `module_calls`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Blocks => "blocks",
            Self::Attributes => "attributes",
            Self::References => "references",
            Self::ModuleCalls => "module_calls",
            Self::Providers => "providers",
            Self::Variables => "variables",
            Self::Outputs => "outputs",
            Self::Locals => "locals",
            Self::Diagnostics => "diagnostics",
            Self::Instances => "instances",
            Self::Values => "values",
        }
    }

    /// What a row is, in a sentence.
    pub const fn doc(self) -> &'static str {
        match self {
            Self::Files => "Each file.",
            Self::Blocks => "Each block, at the top of a file or in another block.",
            Self::Attributes => "Each attribute of a block or a file.",
            Self::References => "Each reference in an expression, or in a string that is read as one.",
            Self::ModuleCalls => "Each call of a module, and each source of Terragrunt.",
            Self::Providers => "Each requirement and each configuration of a provider or a plugin.",
            Self::Variables => "Each declaration of an input variable.",
            Self::Outputs => "Each output.",
            Self::Locals => "Each local value.",
            Self::Diagnostics => "Each error and warning, also about files that could not be read.",
            Self::Instances => "Each instance of a resource in an evaluated directory.",
            Self::Values => "Each value in an evaluated directory.",
        }
    }

    /// Whether rows come from evaluating a directory, and not from a file alone.
    pub const fn is_evaluated(self) -> bool {
        matches!(self, Self::Instances | Self::Values)
    }

    /// The columns between the [first](FIRST) and the [last](LAST) ones.
    pub const fn own_columns(self) -> &'static [Column] {
        match self {
            Self::Files => FILES,
            Self::Blocks => BLOCKS,
            Self::Attributes => ATTRIBUTES,
            Self::References => REFERENCES,
            Self::ModuleCalls => MODULE_CALLS,
            Self::Providers => PROVIDERS,
            Self::Variables => VARIABLES,
            Self::Outputs => OUTPUTS,
            Self::Locals => LOCALS,
            Self::Diagnostics => DIAGNOSTICS,
            Self::Instances => INSTANCES,
            Self::Values => VALUES,
        }
    }

    /// All columns in their order.
    pub fn columns(self) -> impl Iterator<Item = &'static Column> {
        FIRST.iter().chain(self.own_columns()).chain(&LAST)
    }

    /// The schema of Arrow. Its metadata have the version of the schemas and the name of the table.
    pub fn schema(self) -> Arc<Schema> {
        let fields: Vec<Field> = self.columns().map(Column::field).collect();
        let metadata = [("hclkit.table", self.name().to_owned()), ("hclkit.version", VERSION.to_string())];
        let metadata: HashMap<String, String> =
            metadata.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        Arc::new(Schema::new_with_metadata(fields, metadata))
    }

    /// The schemas of all tables as Markdown, as in the documentation.
    pub fn markdown() -> String {
        // Writing to a string cannot fail.
        let mut out = String::new();
        let mut section = |title: &str, doc: &str, columns: &[Column]| {
            let _ = write!(out, "## {title}\n\n{doc}\n\n| column | type | contents |\n| --- | --- | --- |\n");
            for column in columns {
                let null = if column.nullable { ", or null" } else { "" };
                let _ = writeln!(out, "| `{}` | {}{null} | {} |", column.name, column.kind, column.doc);
            }
            out.push('\n');
        };
        section("Columns of all tables", "Each table begins with these columns:", &FIRST);
        section("Last columns", "Each table ends with these columns:", &LAST);
        for table in Self::ALL {
            section(table.name(), table.doc(), table.own_columns());
        }
        out
    }
}

impl Column {
    /// The field of Arrow.
    pub fn field(&self) -> Field {
        Field::new(self.name, self.kind.data_type(), self.nullable)
    }
}

impl Kind {
    /// The type of Arrow.
    pub fn data_type(self) -> DataType {
        match self {
            Self::Text => DataType::Utf8,
            Self::Int => DataType::Int64,
            Self::Bool => DataType::Boolean,
            Self::Texts => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, false))),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Int => "integer",
            Self::Bool => "bool",
            Self::Texts => "list of texts",
        })
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no table with this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTable;

impl fmt::Display for UnknownTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Table::ALL.iter().map(|table| table.name()).collect();
        write!(f, "expected one of {}", names.join(", "))
    }
}

impl std::error::Error for UnknownTable {}

impl FromStr for Table {
    type Err = UnknownTable;

    fn from_str(name: &str) -> Result<Self, UnknownTable> {
        Self::ALL.into_iter().find(|table| table.name() == name).ok_or(UnknownTable)
    }
}
