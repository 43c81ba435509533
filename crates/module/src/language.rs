//! Languages built on HCL, as data: which files belong to a directory, what blocks define, which arguments repeat
//! blocks, and where values come from. The tables are HCL files in `languages/`; `language/read.rs` reads them.

mod read;

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use hclkit_model::{Diagnostics, Schema};
use hclkit_syntax::Source;
use hclkit_value::{Name, Type};

use crate::version::Version;

/// How a language built on HCL declares names. It is read from a table such as `languages/terraform.hcl` of this
/// crate.
///
/// ```
/// use hclkit_module::Language;
///
/// let language = Language::terraform();
/// assert!(language.is_file("main.tf.json") && !language.is_file("main.hcl"));
/// ```
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent setting of the table")]
pub struct Language {
    pub(crate) name: String,
    pub(crate) functions: String,
    /// Patterns of file names: a name, or `*` and the end of a name.
    pub(crate) files: Vec<String>,
    pub(crate) overrides: Vec<String>,
    /// Ends of file names, each with the end of a file that is read instead.
    pub(crate) replaced: Vec<(String, String)>,
    pub(crate) input_files: Vec<String>,
    /// The file that lists the downloaded modules.
    pub(crate) installed: Option<String>,
    /// The prefix of environment variables that set input variables.
    pub(crate) environment: Option<String>,
    /// A variable without a type has that of its default.
    pub(crate) typed_by_default: bool,
    /// Types of variables have no `any` and no optional attributes.
    pub(crate) exact_types: bool,
    /// Options for single variables take precedence over files, whatever their order.
    pub(crate) options_last: bool,
    /// The functions that defaults can call.
    pub(crate) default_functions: Vec<Name>,
    pub(crate) given: Vec<(Vec<Name>, Given)>,
    pub(crate) impure: Vec<Name>,
    pub(crate) readers: Vec<Name>,
    /// True if the directories of modules can be expressions.
    pub(crate) computed_sources: bool,
    /// Results that are declared as sensitive are so for callers.
    pub(crate) sensitive_results: bool,
    /// True if references must name what they refer to in full. `var` alone is an error.
    pub(crate) complete_references: bool,
    /// The first and the last version that the table describes, without patches. `None` if versions are not checked.
    pub(crate) versions: Option<(Version, Version)>,
    /// What the types of objects that need no provider begin with. All of them are in the table.
    pub(crate) built_in: Option<String>,
    pub(crate) repeats: Vec<Repeat>,
    pub(crate) blocks: Vec<BlockRule>,
    pub(crate) nested: Vec<NestedRule>,
    pub(crate) objects: Vec<ObjectRule>,
}

/// The value of a name that the program defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    ModuleDirectory,
    RootDirectory,
    CurrentDirectory,
    Workspace,
    Unknown,
}

/// An attribute that determines the instances of a block, such as `count`.
#[derive(Clone, Debug)]
pub(crate) struct Repeat {
    pub(crate) attribute: Name,
    pub(crate) over: Over,
    /// The name for the key of an instance: a variable and its attribute, such as `each.key`.
    pub(crate) key: Vec<Name>,
    pub(crate) value: Option<Vec<Name>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// A number of instances.
    Number,
    /// The elements of a map, an object or a set of strings.
    Elements,
    /// One instance without a key, or none: then the value of the block is null.
    Condition,
}

/// The role of the blocks of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// An input variable.
    Input,
    /// Attributes, each of which is an input variable with its default.
    Inputs,
    /// Attributes, each of which is a name.
    Values,
    /// A name for a value.
    Value,
    /// A result of the directory. Expressions in the directory itself cannot use it.
    Result,
    /// A call of another directory.
    Call,
    /// An object with the attributes of the block.
    Object,
    /// Conditions that the directory checks.
    Check,
    /// A build of sources, with steps.
    Build,
    /// Settings without a name.
    Settings,
}

impl Role {
    pub(crate) fn as_str(self) -> &'static str {
        read::ROLES.iter().find(|(_, role)| *role == self).map_or("", |(name, _)| name)
    }
}

/// A type of blocks in a file.
#[derive(Clone, Debug)]
pub(crate) struct BlockRule {
    pub(crate) block_type: Name,
    pub(crate) role: Role,
    pub(crate) labels: Vec<String>,
    pub(crate) defines: Vec<Part>,
    /// A longer form of the name.
    pub(crate) also: Vec<Part>,
    /// The attributes that it can have. `None` if these are unknown.
    pub(crate) attributes: Option<Vec<Name>>,
    pub(crate) required: Vec<Name>,
    /// Attributes that are not part of its value.
    pub(crate) meta: Vec<Name>,
    /// Attributes that are not evaluated.
    pub(crate) fixed: Vec<Name>,
    /// Nested blocks that are not part of its value.
    pub(crate) blocks: Vec<Name>,
    pub(crate) repeat: Vec<Name>,
    /// Attributes that are not evaluated, but whose references must exist.
    pub(crate) references: Vec<Name>,
    /// Attributes that are constraints on versions.
    pub(crate) constraints: Vec<Name>,
    /// Attributes that are constant, each with the type of its value.
    pub(crate) constants: Vec<(Name, Type)>,
    /// Attributes that are keywords, each with those that it can be.
    pub(crate) keywords: Vec<Keywords>,
    /// Nested blocks of which a directory, and an override file, have at most one.
    pub(crate) single: Vec<Name>,
    /// Nested blocks of which a directory has at most one with the same labels. Those of override files are merged into it.
    pub(crate) unique: Vec<Name>,
    /// Nested blocks of which the block has at most one.
    pub(crate) once: Vec<Name>,
    /// Names that its attributes and nested blocks must not have.
    pub(crate) refused: Vec<Name>,
    /// Names that are bound in blocks that are not evaluated.
    pub(crate) binds: Vec<Name>,
    /// Names that it must not define.
    pub(crate) reserved: Vec<Name>,
    /// The attribute that contains its value.
    pub(crate) value: Name,
    /// What it says about an address.
    pub(crate) statement: Option<Statement>,
}

/// The name of an attribute, and the keywords that it can be.
pub(crate) type Keywords = (Name, Vec<Name>);

/// What a block says about an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    Move,
    Removal,
    Import,
}

/// A part of the name that a block defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Name(Name),
    /// The label at this index.
    Label(usize),
    /// The name of each attribute.
    Attribute,
}

/// A type of blocks in other blocks.
#[derive(Clone, Debug)]
pub(crate) struct NestedRule {
    pub(crate) block_type: Name,
    pub(crate) labels: Vec<String>,
    /// The name that it defines, whose value is unknown.
    pub(crate) defines: Vec<Part>,
    pub(crate) role: NestedRole,
    /// Blocks in a group.
    pub(crate) blocks: Vec<Name>,
    /// The attributes of a group. `None` if these are unknown.
    pub(crate) attributes: Option<Vec<Name>>,
    /// Attributes that are not evaluated.
    pub(crate) fixed: Vec<Name>,
    /// Attributes that are keywords, each with those that it can be.
    pub(crate) keywords: Vec<Keywords>,
    /// Attributes that are not evaluated, but whose references must exist.
    pub(crate) references: Vec<Name>,
    /// The name for the object around it, such as `self`.
    pub(crate) binds: Option<Name>,
    /// Attributes that determine the instances of the block around it.
    pub(crate) repeat: Vec<Name>,
    /// A condition that is not met is a warning.
    pub(crate) warns: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NestedRole {
    /// A condition and an error message.
    Condition,
    /// A block with other blocks.
    Group,
    /// Its expressions are not evaluated, but the names in them must exist.
    Ignored,
    /// It is ignored.
    Opaque,
    /// It is ignored, but must not refer to anything.
    Constant,
}

/// A type of objects whose attributes are known.
#[derive(Clone, Debug)]
pub(crate) struct ObjectRule {
    pub(crate) block_type: Name,
    pub(crate) object_type: Name,
    pub(crate) arguments: Vec<Name>,
    pub(crate) required: Vec<Name>,
    pub(crate) unknown: Vec<(Name, Type)>,
    /// Attributes that have the value of an argument.
    pub(crate) same: Vec<(Name, Name)>,
}

/// The tables in this crate.
const TABLES: [(&str, &str); 3] = [
    ("terraform", include_str!("languages/terraform.hcl")),
    ("opentofu", include_str!("languages/opentofu.hcl")),
    ("packer", include_str!("languages/packer.hcl")),
];

static LANGUAGES: OnceLock<Vec<Arc<Language>>> = OnceLock::new();

/// The languages in this crate.
fn languages() -> &'static [Arc<Language>] {
    LANGUAGES.get_or_init(|| {
        let mut all: Vec<Arc<Language>> = Vec::new();
        for (name, table) in TABLES {
            // A test checks that each table can be read.
            if let Ok(language) = read::read(Source::new(format!("{name}.hcl"), table), &all) {
                all.push(Arc::new(language));
            }
        }
        all
    })
}

/// The name. The rules are left out.
#[doc(hidden)]
impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Language").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Language {
    /// Terraform.
    pub fn terraform() -> Arc<Language> {
        Language::named("terraform").unwrap_or_default()
    }

    /// `OpenTofu`.
    pub fn opentofu() -> Arc<Language> {
        Language::named("opentofu").unwrap_or_default()
    }

    /// Packer.
    pub fn packer() -> Arc<Language> {
        Language::named("packer").unwrap_or_default()
    }

    /// Returns the language with this name: `terraform`, `opentofu` or `packer`.
    pub fn named(name: &str) -> Option<Arc<Language>> {
        languages().iter().find(|language| language.name == name).cloned()
    }

    /// Returns the names of the built-in languages.
    pub fn names() -> impl Iterator<Item = &'static str> {
        languages().iter().map(|language| language.name.as_str())
    }

    /// Reads a language from a table in HCL.
    ///
    /// # Errors
    /// The table has errors.
    pub fn read(table: Source) -> Result<Language, Diagnostics> {
        read::read(table, languages())
    }

    /// Returns the language of a directory with these file names, if it can be determined: the first one with a file, or one
    /// that has all of its files and more.
    ///
    /// ```
    /// use hclkit_module::Language;
    ///
    /// assert_eq!(Language::of_files(["main.tf"]).unwrap().name(), "terraform");
    /// assert_eq!(Language::of_files(["main.tf", "main.tofu"]).unwrap().name(), "opentofu");
    /// ```
    pub fn of_files<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<Arc<Language>> {
        let names: Vec<&str> = names.into_iter().collect();
        let files = |language: &Language| -> Vec<&str> {
            names.iter().copied().filter(|name| language.is_file(name)).collect()
        };
        let mut found: Option<(&Arc<Language>, Vec<&str>)> = None;
        for language in languages() {
            let own = files(language);
            let is_better = match &found {
                Some((_, all)) => own.len() > all.len() && all.iter().all(|name| language.is_file(name)),
                None => !own.is_empty(),
            };
            if is_better {
                found = Some((language, own));
            }
        }
        found.map(|(language, _)| language.clone())
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of its function library.
    pub fn functions(&self) -> &str {
        &self.functions
    }

    /// Returns the functions whose results differ from call to call.
    pub fn impure(&self) -> impl Iterator<Item = &str> {
        self.impure.iter().map(Name::as_str)
    }

    /// The functions that read files or the environment.
    pub fn readers(&self) -> impl Iterator<Item = &str> {
        self.readers.iter().map(Name::as_str)
    }

    /// The prefix of environment variables that set input variables.
    pub fn environment(&self) -> Option<&str> {
        self.environment.as_deref()
    }

    /// Returns true if files with this name belong to a directory of this language.
    pub fn is_file(&self, name: &str) -> bool {
        matches(&self.files, name)
    }

    /// Returns true if files with this name change what other files define.
    pub fn is_override(&self, name: &str) -> bool {
        matches(&self.overrides, name)
    }

    /// Returns true if one of several files is read instead of the one with this name.
    pub(crate) fn is_replaced(&self, name: &str, others: &HashSet<&str>) -> bool {
        let other = |(end, other): &(String, String)| {
            let start = name.strip_suffix(end.as_str())?;
            others.contains(format!("{start}{other}").as_str()).then_some(())
        };
        self.replaced.iter().find_map(other).is_some()
    }

    /// If files with this name set values by default, returns their rank; higher ranks take precedence.
    pub(crate) fn input_file(&self, name: &str) -> Option<usize> {
        let shown = !name.starts_with('.');
        let at = self.input_files.iter().position(|pattern| shown && is_match(pattern, name))?;
        // Files that match the same pattern are ordered by name, whatever their syntax.
        let first = self.input_files.iter().position(|pattern| pattern.starts_with('*'));
        Some(first.map_or(at, |first| at.min(first)))
    }

    pub(crate) fn nested(&self, block_type: &str) -> Option<&NestedRule> {
        self.nested.iter().find(|rule| rule.block_type == *block_type)
    }

    pub(crate) fn object(&self, block_type: &str, object_type: &str) -> Option<&ObjectRule> {
        let mut objects = self.objects.iter();
        objects.find(|rule| rule.block_type == *block_type && rule.object_type == *object_type)
    }

    pub(crate) fn repeat(&self, attribute: &str) -> Option<&Repeat> {
        self.repeats.iter().find(|repeat| repeat.attribute == *attribute)
    }

    /// The schema of a file.
    pub(crate) fn schema(&self) -> Schema {
        self.blocks.iter().fold(Schema::new(), |schema, rule| {
            let labels: Vec<&str> = rule.labels.iter().map(String::as_str).collect();
            schema.with_block(rule.block_type.clone(), &labels)
        })
    }

    /// Adds nested blocks to a schema.
    pub(crate) fn nested_schema(&self, types: &[Name]) -> Schema {
        types.iter().fold(Schema::new(), |schema, name| {
            let labels = self.nested(name).map(|rule| rule.labels.as_slice()).unwrap_or_default();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            schema.with_block(name.clone(), &labels)
        })
    }
}

fn matches(patterns: &[String], name: &str) -> bool {
    !name.starts_with('.') && patterns.iter().any(|pattern| is_match(pattern, name))
}

fn is_match(pattern: &str, name: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(end) => name.len() > end.len() && name.ends_with(end),
        None => name == pattern,
    }
}

impl BlockRule {
    /// The schema of the block: its attributes and the blocks that are not part of its value.
    pub(crate) fn schema(&self, language: &Language) -> Schema {
        let mut schema = language.nested_schema(&self.blocks);
        // Attributes with a meaning for the role are always included, even if the table does not list them.
        let own: &[&str] = match self.role {
            Role::Input => &["type", "default", "nullable", "sensitive", "ephemeral"],
            Role::Value | Role::Result => &["sensitive", "ephemeral"],
            _ => &[],
        };
        if self.attributes.is_none() {
            if matches!(self.role, Role::Value | Role::Result) {
                schema = schema.with_optional(self.value.clone());
            }
            schema = own.iter().fold(schema, |all, name| all.with_optional(*name));
        }
        for name in self.attributes.iter().flatten().chain(&self.meta) {
            schema = schema.with_optional(name.clone());
        }
        for name in &self.required {
            schema = schema.with_required(name.clone());
        }
        schema
    }
}
