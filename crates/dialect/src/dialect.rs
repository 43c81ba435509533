//! A language as its table describes it, and finding languages by their names and by the names of files.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use hclkit_limits::Meter;
use hclkit_model::hcl1::Settings;
use hclkit_model::{Diagnostics, Schema};
use hclkit_syntax::{Source, Syntax};
use hclkit_value::Name;

use crate::blocks::{
    BlockRule, Builtin, NestedRole, NestedRule, ObjectRule, Repeat, Role, Shape, StringNames, Strings,
};
use crate::files::{FileKind, KINDS, Pattern, plain_name, syntax_of_name};
use crate::help::Help;
use crate::settings::Lazy;
use crate::since::Since;
use crate::version::Version;
use crate::{Contents, Dialects, read};

/// A language built on HCL. It is read from a table such as `tables/terraform.hcl` of this crate.
///
/// ```
/// use hclkit_dialect::Dialect;
///
/// let dialect = Dialect::terraform();
/// assert!(dialect.is_module_file("main.tf.json") && !dialect.is_module_file("main.hcl"));
/// ```
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent setting of the table")]
pub struct Dialect {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) functions: String,
    /// The syntax of files that are not in the JSON syntax. `None` for the native syntax.
    pub(crate) syntax: Option<Syntax>,
    /// The table of what the application reads from files in HCL 1.
    pub(crate) settings: Option<&'static Lazy>,
    /// All files belong to it, whatever their names.
    pub(crate) all_files: bool,
    pub(crate) files: Vec<Pattern>,
    pub(crate) overrides: Vec<Pattern>,
    /// The files whose constraints on the version of the program count. Empty if all do.
    pub(crate) constraint_files: Vec<Pattern>,
    /// Ends of file names, each with the end of a file that is read instead.
    pub(crate) replaced: Vec<(String, String)>,
    pub(crate) input_files: Vec<Pattern>,
    pub(crate) other_files: Vec<FileRule>,
    pub(crate) formatted: Option<Formatted>,
    #[doc(hidden)]
    /// The file that lists the downloaded modules.
    pub installed: Option<String>,
    /// The prefix of environment variables that set input variables.
    pub(crate) environment: Option<String>,
    #[doc(hidden)]
    /// A variable without a type has that of its default.
    pub typed_by_default: bool,
    #[doc(hidden)]
    /// Types of variables have no `any` and no optional attributes.
    pub exact_types: bool,
    #[doc(hidden)]
    /// The types `list` and `map` mean those of any elements.
    pub short_types: bool,
    #[doc(hidden)]
    /// Options for single variables take precedence over files, whatever their order.
    pub options_last: bool,
    #[doc(hidden)]
    /// Each file is evaluated by itself. Without it, the files of a directory belong together.
    pub single_files: bool,
    #[doc(hidden)]
    /// A file can be a module by itself, although others are beside it.
    pub lone_files: bool,
    #[doc(hidden)]
    /// Names that nothing defines are left to the program: a reference to one is its own text, such as `${attr.kernel.name}`.
    pub runtime_names: bool,
    #[doc(hidden)]
    /// The functions that defaults can call.
    pub default_functions: Vec<Name>,
    #[doc(hidden)]
    /// Names that the program defines.
    pub builtins: Vec<(Vec<Name>, Builtin)>,
    pub(crate) impure: Vec<Name>,
    pub(crate) readers: Vec<Name>,
    pub(crate) openers: Vec<Name>,
    #[doc(hidden)]
    /// The names that the sources of modules can refer to. If there are none, sources must be literal.
    pub source_names: Vec<Name>,
    #[doc(hidden)]
    /// The sources of modules can refer to variables only if they are declared as constant.
    pub constant_sources: bool,
    #[doc(hidden)]
    /// Functions whose results are not known when modules are installed, so that sources cannot depend on them.
    pub late_functions: Vec<Name>,
    #[doc(hidden)]
    /// Since which version the sources of modules can refer to anything.
    pub sources_since: Option<Version>,
    #[doc(hidden)]
    /// Since which version modules that are called can import objects. `None` if only the root module can.
    pub module_imports_since: Option<Version>,
    #[doc(hidden)]
    /// Results of the root module, which has no callers, must not be deprecated.
    pub called_deprecations: bool,
    /// True if constraints on the version of the application must not name pre-releases.
    pub only_releases: bool,
    #[doc(hidden)]
    /// True if functions of providers are looked for before expressions are evaluated.
    pub static_providers: bool,
    #[doc(hidden)]
    /// Blocks of this type contain arguments of the block around them that would have another meaning there.
    pub escaping_block: Option<Name>,
    #[doc(hidden)]
    /// True if the keys in the address of an import can be any expression, and its identifier can be empty.
    pub lenient_imports: bool,
    #[doc(hidden)]
    /// Results that are declared as sensitive are so for callers.
    pub sensitive_results: bool,
    #[doc(hidden)]
    /// Results that are declared as ephemeral are so for callers, whatever their values are.
    pub ephemeral_results: bool,
    #[doc(hidden)]
    /// True if references must name what they refer to in full. `var` alone is an error, and so is an attribute of an object
    /// with `count` without the key of an instance.
    pub complete_references: bool,
    #[doc(hidden)]
    /// Runs of tests find missing configurations of providers late, and mocks replace declared configurations.
    pub late_providers: bool,
    #[doc(hidden)]
    /// The first and the last version that the table describes, without patches. `None` if versions are not checked.
    pub versions: Option<(String, String)>,
    #[doc(hidden)]
    /// The newest version that the table describes.
    pub newest: Option<Version>,
    #[doc(hidden)]
    /// Files with a version of the program, each with the name that precedes the version in a line. Without a name, the first line is
    /// the version.
    pub version_files: Vec<(String, String)>,
    #[doc(hidden)]
    /// The host of the registry of providers, which lock files name.
    pub registry: Option<String>,
    #[doc(hidden)]
    /// Since which version it has its blocks and arguments.
    pub since: Since,
    #[doc(hidden)]
    /// Until which version it had what was removed.
    pub until: Since,
    #[doc(hidden)]
    /// Since which version it has its functions.
    pub functions_since: Since,
    #[doc(hidden)]
    /// What the types of objects that need no provider begin with. All of them are in the table.
    pub built_in: Option<String>,
    #[doc(hidden)]
    /// Attributes that repeat a block.
    pub repeats: Vec<Repeat>,
    #[doc(hidden)]
    /// The types of blocks in a file.
    pub blocks: Vec<Arc<BlockRule>>,
    #[doc(hidden)]
    /// The types of blocks in other blocks.
    pub nested_blocks: Vec<NestedRule>,
    #[doc(hidden)]
    /// The types of nested blocks in which dynamic blocks are not expanded.
    pub as_written: Arc<[Name]>,
    #[doc(hidden)]
    /// The types of objects whose attributes are known.
    pub objects: Vec<ObjectRule>,
    #[doc(hidden)]
    /// What editors offer and say about arguments and blocks.
    pub help: Help,
    /// Attributes, in any block, whose strings are references.
    pub(crate) reference_strings: Vec<Name>,
    #[doc(hidden)]
    /// Strings that name what a block defines.
    pub string_names: Vec<StringNames>,
    /// The languages of its files of other kinds.
    pub(crate) parts: Vec<Arc<Self>>,
}

/// Files of a kind.
#[derive(Clone, Debug)]
pub(crate) struct FileRule {
    pub(crate) kind: FileKind,
    pub(crate) names: Vec<Pattern>,
    /// The language of these files, if it is another one.
    pub(crate) dialect: Option<Arc<Dialect>>,
}

/// What the program of a language formats.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formatted {
    /// The files that it formats in directories.
    pub(crate) files: Vec<Pattern>,
    /// It formats hidden files, too.
    pub(crate) hidden: bool,
    /// It changes more than blanks.
    pub(crate) rewrites: bool,
}

/// The languages in this crate. If the name of a file matches several of them, it belongs to the first one.
static DIALECTS: [Table; 21] = [
    Table::new("terraform", include_str!("../tables/terraform.hcl")),
    Table::new("opentofu", include_str!("../tables/opentofu.hcl")),
    Table::new("packer", include_str!("../tables/packer.hcl")),
    Table::new("nomad", include_str!("../tables/nomad.hcl")),
    Table::new("bake", include_str!("../tables/bake.hcl")),
    Table::new("terragrunt", include_str!("../tables/terragrunt.hcl")),
    Table::new("stacks", include_str!("../tables/stacks.hcl")),
    Table::new("stack-deployments", include_str!("../tables/stack-deployments.hcl")),
    Table::new("stack-migrations", include_str!("../tables/stack-migrations.hcl")),
    Table::new("rules", include_str!("../tables/rules.hcl")),
    Table::new("terraform-policy", include_str!("../tables/terraform-policy.hcl")),
    Table::new("terraform-policytest", include_str!("../tables/terraform-policytest.hcl")),
    Table::new("consul", include_str!("../tables/consul.hcl")),
    Table::new("vault", include_str!("../tables/vault.hcl")),
    Table::new("nomad-agent", include_str!("../tables/nomad-agent.hcl")),
    Table::new("boundary", include_str!("../tables/boundary.hcl")),
    Table::new("consul-template", include_str!("../tables/consul-template.hcl")),
    Table::new("envconsul", include_str!("../tables/envconsul.hcl")),
    Table::new("terraform-0.11", include_str!("../tables/terraform-0.11.hcl")),
    Table::new("hcl1", include_str!("../tables/hcl1.hcl")),
    Table::new("hcl", include_str!("../tables/hcl.hcl")),
];

/// The languages of their files of other kinds. They have no files of their own.
static PARTS: [Table; 3] = [
    Table::new("terraform-tests", include_str!("../tables/terraform-tests.hcl")),
    Table::new("opentofu-tests", include_str!("../tables/opentofu-tests.hcl")),
    Table::new("terraform-queries", include_str!("../tables/terraform-queries.hcl")),
];

/// A table in this crate, which is read when it is needed.
struct Table {
    name: &'static str,
    text: &'static str,
    patterns: OnceLock<Box<[&'static str]>>,
    read: OnceLock<Arc<Dialect>>,
}

impl Table {
    const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text, patterns: OnceLock::new(), read: OnceLock::new() }
    }

    /// Whether the language may have a file with this name, of one of these kinds if there are any. Most tables need not be read for
    /// a name: their text says which ones they have.
    fn may_have(&self, name: &str, kinds: &[FileKind]) -> bool {
        if self.read.get().is_some() {
            return true;
        }
        let texts = || std::iter::successors(Some(self), |table| table.extended()).map(|table| table.text);
        // Strings in the text that may be names of files. Each of these has a dot.
        let patterns = self.patterns.get_or_init(|| {
            let is_name = |text: &&str| text.contains('.') && !text.contains(|c: char| c.is_whitespace());
            texts().flat_map(|text| text.split('"')).filter(is_name).collect()
        });
        let has_kind = |kind: &FileKind| {
            let word = KINDS.iter().find(|(_, own)| own == kind).map_or("", |(word, _)| word);
            *kind == FileKind::Module || texts().any(|text| text.contains(&format!("file \"{word}\"")))
        };
        patterns.iter().any(|pattern| syntax_of_name(pattern, name).is_some())
            && (kinds.is_empty() || kinds.iter().any(has_kind))
    }

    /// The table of which this one has what it omits.
    fn extended(&self) -> Option<&'static Self> {
        let (_, rest) = self.text.split_once("\nextends")?;
        let name = rest.lines().next()?.split('"').nth(1)?;
        DIALECTS.iter().chain(&PARTS).find(|table| table.name == name)
    }

    fn dialect(&self) -> Option<&Arc<Dialect>> {
        if self.read.get().is_none() {
            // A test checks that each table can be read. The limits of a user must not decide which languages there are.
            let source = Source::new(format!("{}.hcl", self.name), self.text);
            let read = Meter::apart(|| read::read(source)).ok()?;
            self.read.get_or_init(|| Arc::new(read));
        }
        self.read.get()
    }
}

/// The language, or the part of languages, with this name.
pub(crate) fn built_in(name: &str) -> Option<Arc<Dialect>> {
    DIALECTS.iter().chain(&PARTS).find(|table| table.name == name)?.dialect().cloned()
}

/// The name. The rules are left out.
#[doc(hidden)]
impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialect").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Dialect {
    /// Terraform.
    pub fn terraform() -> Arc<Self> {
        Self::named("terraform").unwrap_or_default()
    }

    /// `OpenTofu`.
    pub fn opentofu() -> Arc<Self> {
        Self::named("opentofu").unwrap_or_default()
    }

    /// Packer.
    pub fn packer() -> Arc<Self> {
        Self::named("packer").unwrap_or_default()
    }

    /// HCL without the rules of an application.
    pub fn hcl() -> Arc<Self> {
        Self::named("hcl").unwrap_or_default()
    }

    /// Returns the language with this name, such as `terraform`, or `opentofu` or `tofu`.
    pub fn named(name: &str) -> Option<Arc<Self>> {
        let added = Dialects::current().iter().find(|dialect| dialect.name == name).cloned();
        let table = || DIALECTS.iter().find(|table| table.name == name).and_then(Table::dialect).cloned();
        let by_alias = || Self::all().find(|dialect| dialect.aliases.iter().any(|it| it == name));
        added.or_else(table).or_else(by_alias)
    }

    /// Returns the languages: those that were [added](Dialects), and the built-in ones.
    pub fn all() -> impl Iterator<Item = Arc<Self>> {
        let added = Dialects::current();
        let added = (0..added.len()).filter_map(move |at| added.get(at).cloned());
        added.chain(DIALECTS.iter().filter_map(Table::dialect).cloned())
    }

    /// Returns the languages that may have a file with this name in lower case, and others.
    pub(crate) fn with_file(name: &str, kinds: &[FileKind]) -> impl Iterator<Item = Arc<Self>> {
        let added: Vec<Arc<Self>> = Dialects::current().iter().cloned().collect();
        let tables = DIALECTS.iter().filter(move |table| table.may_have(name, kinds));
        added.into_iter().chain(tables.filter_map(Table::dialect).cloned())
    }

    #[doc(hidden)]
    /// Whether a language says that a file with this name is of one of these kinds.
    pub fn has_file(path: impl AsRef<Path>, kinds: &[FileKind]) -> bool {
        let name = plain_name(path.as_ref());
        let is_one = |(kind, _)| kinds.contains(&kind);
        Self::with_file(&name, kinds).any(|dialect| dialect.match_file(&name).is_some_and(is_one))
    }

    #[doc(hidden)]
    /// Returns the languages whose files are evaluated together with those of their directory.
    pub fn of_modules() -> impl Iterator<Item = Arc<Self>> {
        Self::all().filter(|dialect| dialect.has_modules())
    }

    #[doc(hidden)]
    /// Returns true if the files of a directory are evaluated together.
    pub fn has_modules(&self) -> bool {
        !self.files.is_empty()
    }

    /// Reads a language from a table in HCL.
    ///
    /// # Errors
    /// The table has errors.
    pub fn read(table: Source) -> Result<Self, Diagnostics> {
        read::read(table)
    }

    /// Returns the language that a file belongs to according to its name, ignoring case, or `None` if the name does not
    /// determine it. Names of files in the JSON syntax and in YAML differ only in their endings.
    ///
    /// ```
    /// use hclkit_dialect::Dialect;
    ///
    /// let name = |path: &str| Dialect::of_path(path).map(|dialect| dialect.name().to_owned());
    /// assert_eq!(name("modules/vpc/main.tf.json").as_deref(), Some("terraform"));
    /// assert_eq!(name("web.nomad.hcl").as_deref(), Some("nomad"));
    /// assert_eq!(name("docker-bake.hcl").as_deref(), Some("bake"));
    /// assert_eq!(name("config.hcl"), None);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Option<Arc<Self>> {
        let name = plain_name(path.as_ref());
        let is_plain = |dialect: &Self| dialect.name == "hcl";
        Self::with_file(&name, &[])
            .filter(|dialect| !is_plain(dialect))
            .find(|dialect| dialect.all_files || dialect.match_file(&name).is_some())
    }

    /// Returns the syntax of a file: JSON if its name ends with `.json`, HCL 1 if its language is one of an application that
    /// reads it, and native otherwise.
    ///
    /// ```
    /// use hclkit_dialect::{Dialect, Dialects};
    /// use hclkit_syntax::Syntax;
    ///
    /// assert_eq!(Dialect::syntax_of("agent.hcl"), Syntax::Native);
    /// let vault = Dialect::named("vault").unwrap().of_all_files();
    /// assert_eq!(Dialects::new([vault]).run(|| Dialect::syntax_of("agent.hcl")), Syntax::Hcl1);
    /// ```
    pub fn syntax_of(path: impl AsRef<Path>) -> Syntax {
        let path = path.as_ref();
        match Syntax::of(path) {
            Syntax::Native => Self::of_path(path).map_or(Syntax::Native, |dialect| dialect.syntax()),
            other => other,
        }
    }

    #[doc(hidden)]
    /// What the application reads from files in HCL 1. `None` if the table of the language does not say it.
    pub fn settings(&self) -> Option<&'static Settings> {
        self.settings?.get()
    }

    /// The syntax of files of the language that are not in the JSON syntax.
    pub fn syntax(&self) -> Syntax {
        self.syntax.unwrap_or(Syntax::Native)
    }

    /// The same language, to which all files belong, whatever their names. It is for files that a user says belong to it.
    #[must_use]
    #[doc(hidden)]
    pub fn of_all_files(&self) -> Self {
        Self { all_files: true, ..self.clone() }
    }

    /// Returns the language of a directory with these file names, if it can be determined: the first one with a file, or one
    /// that has all of its files and more.
    ///
    /// ```
    /// use hclkit_dialect::Dialect;
    ///
    /// assert_eq!(Dialect::of_files(["main.tf"]).unwrap().name(), "terraform");
    /// assert_eq!(Dialect::of_files(["main.tf", "main.tofu"]).unwrap().name(), "opentofu");
    /// ```
    pub fn of_files<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<Arc<Self>> {
        let names: Vec<&str> = names.into_iter().collect();
        let files = |dialect: &Self| -> Vec<&str> {
            names.iter().copied().filter(|name| dialect.is_module_file(name)).collect()
        };
        let mut found: Option<(Arc<Self>, Vec<&str>)> = None;
        for dialect in Self::of_modules() {
            let own = files(&dialect);
            let is_better = match &found {
                Some((_, all)) => {
                    own.len() > all.len() && all.iter().all(|name| dialect.is_module_file(name))
                }
                None => !own.is_empty(),
            };
            if is_better {
                found = Some((dialect, own));
            }
        }
        found.map(|(dialect, _)| dialect)
    }

    /// The name, such as `terraform`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name as people write it, such as `Terraform`.
    pub fn title(&self) -> &str {
        &self.title
    }

    #[doc(hidden)]
    /// Reads a version that the table describes, without its patch.
    ///
    /// # Errors
    /// It is none. The message says which versions there are, or `None` if the table has no versions.
    pub fn known_version(&self, text: &str) -> Result<Version, Option<String>> {
        let range =
            self.versions.as_ref().and_then(|(first, _)| Version::parse(first)).zip(self.newest.as_ref());
        let (first, newest) = range.ok_or(None)?;
        let found = Version::parse(text).map(|version| version.minor());
        let found = found.filter(|own| own.compare(&first).is_ge() && own.compare(newest).is_le());
        found.ok_or_else(|| Some(format!("expected a version of {} from {first} to {newest}", self.title)))
    }

    #[doc(hidden)]
    /// Returns true if the sources of modules can be expressions.
    pub fn computes_sources(&self) -> bool {
        !self.source_names.is_empty()
    }

    #[doc(hidden)]
    /// The version that brought a function, with or without its namespace. `None` if all versions have it.
    pub fn function_since(&self, name: &str) -> Option<&Version> {
        let (namespace, own) = name.rsplit_once("::").map_or(("", name), |(namespace, own)| (namespace, own));
        let first = namespace.split("::").next().filter(|first| !first.is_empty());
        let of_namespace = first.and_then(|first| self.functions_since.get(&format!("{first}::*")));
        let own = self.functions_since.get(own).filter(|_| first.is_none_or(|first| first == "core"));
        of_namespace.into_iter().chain(own).max_by(|one, other| one.compare(other))
    }

    /// Returns the name of its function library.
    pub fn functions(&self) -> &str {
        &self.functions
    }

    #[doc(hidden)]
    /// Returns the functions whose results differ from call to call.
    pub fn impure(&self) -> impl Iterator<Item = &str> {
        self.impure.iter().map(Name::as_str)
    }

    #[doc(hidden)]
    /// The functions that read files or the environment.
    pub fn readers(&self) -> impl Iterator<Item = &str> {
        self.readers.iter().map(Name::as_str)
    }

    #[doc(hidden)]
    /// Those among them that fail without the file that their first argument names.
    pub fn openers(&self) -> impl Iterator<Item = &str> {
        self.openers.iter().map(Name::as_str)
    }

    #[doc(hidden)]
    /// The prefix of environment variables that set input variables.
    pub fn environment(&self) -> Option<&str> {
        self.environment.as_deref()
    }

    /// Returns true if files with this name belong to a module of this language.
    pub fn is_module_file(&self, name: &str) -> bool {
        matches(&self.files, name)
    }

    #[doc(hidden)]
    /// The names of its files of modules, as in messages: `*.tf`, `*.tf.json`.
    pub fn module_files(&self) -> impl Iterator<Item = String> {
        self.files.iter().flat_map(|pattern| [pattern.0.clone(), pattern.json()])
    }

    #[doc(hidden)]
    /// Returns true if files with this name change what other files define.
    pub fn is_override(&self, name: &str) -> bool {
        matches(&self.overrides, name)
    }

    #[doc(hidden)]
    /// Returns true if the values of names that begin like this are known before resources and modules are read.
    pub fn is_early(&self, root: &str) -> bool {
        let blocks = self.blocks.iter().filter(|rule| matches!(rule.role, Role::Input | Role::Values));
        let mut roots = blocks.filter_map(|rule| rule.defines.root());
        roots.any(|own| **own == *root)
            || self.builtins.iter().any(|(name, _)| name.first().is_some_and(|own| **own == *root))
    }

    #[doc(hidden)]
    /// Returns true if constraints on the version of the program count in files with this name.
    pub fn reads_constraints_in(&self, name: &str) -> bool {
        self.constraint_files.is_empty() || matches(&self.constraint_files, name)
    }

    /// Whether some files change what others declare.
    #[doc(hidden)]
    pub fn has_overrides(&self) -> bool {
        !self.overrides.is_empty()
    }

    #[doc(hidden)]
    /// Returns true if one of several files is read instead of the one with this name.
    pub fn is_replaced(&self, name: &str, others: &HashSet<&str>) -> bool {
        let (stem, json) = match name.strip_suffix(".json") {
            Some(stem) => (stem, ".json"),
            None => (name, ""),
        };
        self.replaced.iter().any(|(end, other)| {
            stem.strip_suffix(end.as_str())
                .is_some_and(|start| others.contains(format!("{start}{other}{json}").as_str()))
        })
    }

    #[doc(hidden)]
    /// Returns true if only this language reads a file with this name, and not instead of one of the others.
    pub fn is_addition(&self, name: &str, others: &HashSet<&str>) -> bool {
        let (stem, json) = match name.strip_suffix(".json") {
            Some(stem) => (stem, ".json"),
            None => (name, ""),
        };
        self.is_module_file(name)
            && self.replaced.iter().any(|(end, other)| {
                let start = stem.strip_suffix(other.as_str());
                start.is_some_and(|start| !others.contains(format!("{start}{end}{json}").as_str()))
            })
    }

    #[doc(hidden)]
    /// If files with this name set values by default, returns their rank; higher ranks take precedence.
    pub fn input_file(&self, name: &str) -> Option<usize> {
        let first = self.input_files.iter().position(|pattern| pattern.0.starts_with('*'));
        let mut patterns = self.input_files.iter().enumerate();
        let (at, syntax) = patterns.find_map(|(at, pattern)| Some((at, pattern.syntax(name)?)))?;
        // Files that match a pattern with `*` are ordered by name, whatever their syntax.
        let rank = match first {
            Some(first) if at >= first => 2 * first,
            _ => 2 * at + usize::from(syntax == Syntax::Json),
        };
        (!name.starts_with('.')).then_some(rank)
    }

    #[doc(hidden)]
    /// Returns true if a file that sets values by default has this whole name, not only its ending.
    pub fn is_fixed(&self, name: &str) -> bool {
        let mut fixed = self.input_files.iter().filter(|pattern| !pattern.0.starts_with('*'));
        fixed.any(|pattern| pattern.syntax(name).is_some())
    }

    /// Returns what a file of the language contains according to its name, ignoring case, or `None` if it belongs to another
    /// language.
    pub fn file_kind(&self, path: impl AsRef<Path>) -> Option<FileKind> {
        self.match_file(&plain_name(path.as_ref())).map(|(kind, _)| kind)
    }

    #[doc(hidden)]
    /// Returns the language of the files of a kind, such as that of tests.
    pub fn of_kind(&self, kind: FileKind) -> Option<&Arc<Self>> {
        self.other_files.iter().find(|rule| rule.kind == kind)?.dialect.as_ref()
    }

    /// Returns what a file with this name in lower case contains, and its syntax.
    pub(crate) fn match_file(&self, name: &str) -> Option<(FileKind, Syntax)> {
        let syntax = |patterns: &[Pattern]| patterns.iter().find_map(|pattern| pattern.syntax(name));
        let mut others = self.other_files.iter();
        others
            .find_map(|rule| Some((rule.kind, syntax(&rule.names)?)))
            .or_else(|| Some((FileKind::Module, syntax(&self.files)?)))
    }

    #[doc(hidden)]
    /// The names of its files in the native syntax, each a name or `*` and the end of one, in the order in which they are matched.
    pub fn file_patterns(&self) -> impl Iterator<Item = &str> {
        let others = self.other_files.iter().flat_map(|rule| &rule.names);
        others.chain(&self.files).map(|pattern| pattern.0.as_str())
    }

    /// Returns true if the language's own program formats files with this name in directories.
    ///
    /// ```
    /// use hclkit_dialect::Dialect;
    /// assert!(Dialect::terraform().formats("main.tf") && !Dialect::terraform().formats(".hidden.tf"));
    /// assert!(Dialect::opentofu().formats("main.tofu") && !Dialect::opentofu().formats("net.tfmock.hcl"));
    /// assert!(Dialect::named("terragrunt").unwrap().formats(".terraform.lock.hcl"));
    /// ```
    pub fn formats(&self, path: impl AsRef<Path>) -> bool {
        let name = path.as_ref().file_name().unwrap_or_default().to_string_lossy();
        let Some(formatted) = &self.formatted else { return true };
        let native = |pattern: &Pattern| pattern.syntax(&name) == Some(Syntax::Native);
        (formatted.hidden || !name.starts_with('.')) && formatted.files.iter().any(native)
    }

    #[doc(hidden)]
    /// Returns true if the language's own program changes more than blanks when it formats a file.
    pub fn rewrites(&self) -> bool {
        self.formatted.as_ref().is_some_and(|formatted| formatted.rewrites)
    }

    #[doc(hidden)]
    /// Returns the rule for the blocks of a type in files of modules.
    pub fn block(&self, block_type: &str) -> Option<&BlockRule> {
        self.blocks.iter().map(|rule| &**rule).find(|rule| rule.block_type == *block_type)
    }

    #[doc(hidden)]
    /// Returns the rule for blocks of a type that are not a part of the value of the block around them.
    pub fn nested(&self, block_type: &str) -> Option<&NestedRule> {
        self.nested_blocks
            .iter()
            .find(|rule| rule.block_type == *block_type && rule.role != NestedRole::Value)
    }

    #[doc(hidden)]
    /// The same for blocks in blocks of another type, which may have rules of their own.
    pub fn nested_in(&self, around: &str, block_type: &str) -> Option<&NestedRule> {
        let mut own = self.nested_blocks.iter().filter(|rule| {
            rule.block_type == *block_type
                && rule.role != NestedRole::Value
                && rule.within.iter().any(|within| *within == *around)
        });
        own.next().or_else(|| self.nested(block_type))
    }

    #[doc(hidden)]
    /// Returns the rule for objects of a type.
    pub fn object(&self, block_type: &str, object_type: &str) -> Option<&ObjectRule> {
        let mut objects = self.objects.iter();
        objects.find(|rule| rule.block_type == *block_type && rule.object_type == *object_type)
    }

    #[doc(hidden)]
    /// Returns the names that the language gives to expressions, such as `path.module` and, in blocks that are repeated,
    /// `each.key` and `each.value`.
    pub fn given_names(&self) -> impl Iterator<Item = &[Name]> {
        let builtins = self.builtins.iter().map(|(name, _)| name);
        let keys = self.repeats.iter().flat_map(|repeat| [&repeat.key].into_iter().chain(&repeat.value));
        builtins.chain(keys).map(Vec::as_slice)
    }

    #[doc(hidden)]
    /// Returns the meaning of an attribute that repeats a block.
    pub fn repeat(&self, attribute: &str) -> Option<&Repeat> {
        self.repeats.iter().find(|repeat| repeat.attribute == *attribute)
    }

    #[doc(hidden)]
    /// The schema of a file.
    pub fn schema(&self) -> Schema {
        self.blocks.iter().fold(Schema::new(), |schema, rule| {
            let labels: Vec<&str> = rule.labels.iter().map(String::as_str).collect();
            schema.with_block(rule.block_type.clone(), &labels)
        })
    }

    #[doc(hidden)]
    /// A schema with nested blocks.
    pub fn nested_schema(&self, types: &[Name]) -> Schema {
        types.iter().fold(Schema::new(), |schema, name| {
            let labels = self.nested(name).map(|rule| rule.labels.as_slice()).unwrap_or_default();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            schema.with_block(name.clone(), &labels)
        })
    }

    #[doc(hidden)]
    /// Returns the labels and contents of blocks of a type in files of any kind, at the top or, with the type of the block
    /// around them, in blocks of that type. `None` if such blocks are not known: a provider or plugin can define them in
    /// blocks with open contents.
    pub fn shape(&self, around: Option<&str>, block_type: &str) -> Option<Shape<'_>> {
        let own = match around {
            None => self.block(block_type).map(BlockRule::shape),
            Some(around) => self.nested_shape(around, block_type),
        };
        let escapes = || {
            let is_it = self.escaping_block.as_deref() == Some(block_type);
            is_it && around.is_some_and(|around| self.contents(around) != Contents::Attributes)
        };
        let own = own.or_else(|| escapes().then_some(Shape { labels: &[], contents: Contents::Open }));
        own.or_else(|| self.parts.iter().find_map(|part| part.shape(around, block_type)))
    }

    fn nested_shape(&self, around: &str, block_type: &str) -> Option<Shape<'_>> {
        let of_type = || self.nested_blocks.iter().filter(|rule| rule.block_type == *block_type);
        let within = |name: &str| of_type().find(|rule| rule.within.iter().any(|within| *within == *name));
        let is_listed = || {
            let in_block =
                self.block(around).is_some_and(|rule| rule.blocks.iter().any(|it| *it == *block_type));
            let mut nested = self.nested_blocks.iter().filter(|rule| rule.block_type == *around);
            in_block || nested.any(|rule| rule.blocks.iter().any(|it| *it == *block_type))
        };
        let found = within(around)
            .or_else(|| of_type().next().filter(|_| is_listed()))
            .or_else(|| within("*").filter(|_| self.contents(around) == Contents::Open));
        // The tables of tests list blocks of other blocks beside those of files.
        let block = || self.block(block_type).filter(|_| is_listed()).map(BlockRule::shape);
        found.map(NestedRule::shape).or_else(block)
    }

    #[doc(hidden)]
    /// Returns what the bodies of blocks of a type have besides the blocks that the table lists.
    pub fn contents(&self, block_type: &str) -> Contents {
        let mut nested = self.nested_blocks.iter();
        let own = self
            .block(block_type)
            .map(|rule| rule.contents)
            .or_else(|| nested.find(|rule| rule.block_type == *block_type).map(|rule| rule.contents));
        let part =
            || self.parts.iter().find(|part| part.knows(block_type)).map(|part| part.contents(block_type));
        own.or_else(part).unwrap_or(Contents::Open)
    }

    fn knows(&self, block_type: &str) -> bool {
        self.block(block_type).is_some()
            || self.nested_blocks.iter().any(|rule| rule.block_type == *block_type)
    }

    #[doc(hidden)]
    /// Returns how the strings of an attribute are read in the JSON syntax. The type of the block around it is `None` at the
    /// top of a file.
    pub fn strings(&self, block_type: Option<&str>, attribute: &str) -> Strings {
        self.strings_under(None, block_type, attribute)
    }

    /// The same within a block at the top of a file, because some nested blocks are others there.
    pub(crate) fn strings_under(
        &self,
        top: Option<&str>,
        block_type: Option<&str>,
        attribute: &str,
    ) -> Strings {
        self.find_strings(top, block_type, attribute).unwrap_or(Strings::Templates)
    }

    fn find_strings(&self, top: Option<&str>, block_type: Option<&str>, attribute: &str) -> Option<Strings> {
        let block_type = block_type?;
        let is_meant = |(name, _): &(&Name, Strings)| **name == *attribute || **name == *"*";
        let nested = self.nested_blocks.iter().filter(|rule| rule.block_type == *block_type);
        let mut nested = nested.filter(|rule| rule.under.as_deref().is_none_or(|under| Some(under) == top));
        let own = self.block(block_type).and_then(|rule| rule.strings_of_attributes().find(is_meant));
        let own = own.or_else(|| nested.find_map(|rule| rule.strings_of_attributes().find(is_meant)));
        own.map(|(_, strings)| strings).or_else(|| {
            self.parts.iter().find_map(|part| part.find_strings(top, Some(block_type), attribute))
        })
    }

    #[doc(hidden)]
    /// Returns the attributes whose strings are not templates in the JSON syntax, as patterns such as `variable.type` and
    /// `required_providers.*`.
    pub fn static_patterns(&self) -> Vec<String> {
        let pattern = |block_type: &Name, (name, strings): (&Name, Strings)| {
            (strings != Strings::Templates).then(|| format!("{block_type}.{name}"))
        };
        let blocks = self.blocks.iter();
        let blocks = blocks.flat_map(|rule| {
            rule.strings_of_attributes().filter_map(|attribute| pattern(&rule.block_type, attribute))
        });
        let nested = self.nested_blocks.iter();
        let nested = nested.flat_map(|rule| {
            let own = rule.strings_of_attributes();
            let own = own.filter_map(|attribute| pattern(&rule.block_type, attribute));
            own.map(|own| rule.under.as_ref().map_or(own.clone(), |under| format!("{under}/{own}")))
        });
        blocks.chain(nested).chain(self.parts.iter().flat_map(|part| part.static_patterns())).collect()
    }

    #[doc(hidden)]
    /// Returns true if the strings of an attribute are references, in any block: those of `depends_on`, for example.
    pub fn has_reference_strings(&self, attribute: &str) -> bool {
        self.reference_strings.iter().any(|name| *name == *attribute)
    }
}

fn matches(patterns: &[Pattern], name: &str) -> bool {
    !name.starts_with('.') && patterns.iter().any(|pattern| pattern.syntax(name).is_some())
}

#[cfg(test)]
mod tests {
    use hclkit_limits::{CancelToken, Limits};

    use super::*;

    #[test]
    fn limits_and_cancellation_do_not_end_reading() {
        let token = CancelToken::new();
        token.cancel();
        for limits in [
            Limits::new().with_cancel(token),
            Limits::new().with_elements(0),
            Limits::new().with_steps(0).with_bytes(0).with_nesting(1).with_source_bytes(1),
        ] {
            let table = Table::new("vault", include_str!("../tables/vault.hcl"));
            let left = limits.run(|| {
                assert!(table.dialect().is_some(), "{limits:?}");
                Meter::current().exceeded()
            });
            assert!(left.is_none(), "{left:?}");
        }
    }

    /// What is read of a table for the name of a file is what its text says.
    #[test]
    fn a_table_that_is_not_read_has_no_such_file() {
        let all: Vec<&Arc<Dialect>> = DIALECTS.iter().filter_map(Table::dialect).collect();
        assert_eq!(all.len(), DIALECTS.len());
        let patterns = all.iter().flat_map(|dialect| {
            let others = dialect.other_files.iter().flat_map(|rule| &rule.names);
            dialect.files.iter().chain(others)
        });
        let names: Vec<String> = patterns
            .flat_map(|pattern| [pattern.0.clone(), pattern.json()])
            .flat_map(|name| [name.replace('*', "a"), name.replace('*', "a.b"), name.replace('*', ".c-")])
            .chain(["a.b", "name", "terraform", "*", "", "."].map(str::to_owned))
            .collect();
        assert!(names.len() > 100, "{names:?}");
        let unread: Vec<Table> = DIALECTS.iter().map(|table| Table::new(table.name, table.text)).collect();
        let mut left_out = 0;
        for name in &names {
            for (dialect, table) in all.iter().zip(&unread) {
                let found = dialect.match_file(name);
                let kind = found.map(|(kind, _)| kind);
                assert!(found.is_none() || table.may_have(name, &[]), "{} {name}", table.name);
                assert!(kind.is_none_or(|kind| table.may_have(name, &[kind])), "{} {name}", table.name);
                left_out += usize::from(!table.may_have(name, &[]));
            }
        }
        assert!(left_out > names.len() * 10, "{left_out}");
    }
}
