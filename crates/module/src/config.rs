//! What the files of a directory declare: blocks with their names, before anything is evaluated. `config/load.rs`
//! reads them; `config/shape.rs` describes the contents of a block.

mod cycles;
mod definitions;
mod installed;
mod lints;
mod load;
mod mapped_sources;
mod references;
mod shape;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use hclkit_model::{Attribute, Block, Body, Expression, TypeConstraint};
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::{Mark, Name, Type, Value};

use hclkit_dialect::{BlockRule, Repeat, Version};

pub(crate) use definitions::{Declaration, Definitions, Referent, names_of};
pub(crate) use lints::{Lints, Unused};
pub(crate) use load::{Loading, Read, Store, exactly_one, is_literal_null, unescaped};
pub use mapped_sources::MappedSources;
pub(crate) use shape::{Shape, body_values, object};

/// The declarations of a directory.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "facts that are independent of each other")]
pub(crate) struct Config {
    /// The directory, relative to that of the root module.
    pub(crate) directory: String,
    pub(crate) items: Vec<Item>,
    pub(crate) values: Vec<Named>,
    /// The size with that of the modules that it calls.
    pub(crate) size: Size,
    pub(crate) diagnostics: Diagnostics,
    /// True if the module was downloaded, or is called by a downloaded module.
    pub(crate) installed: bool,
    /// The files that were read, by their paths relative to the directory of the root module.
    pub(crate) files: Vec<(String, Body)>,
    /// Errors of files that cannot be read or have syntax errors. Declarations may be missing because of them.
    pub(crate) broken: Diagnostics,
    /// True if the source of a module that it calls refers to variables, also further down. Then each call of this module may
    /// call other modules.
    pub(crate) computed: bool,
    /// True if the files may refer to longer forms of names.
    pub(crate) has_long_names: bool,
    /// True if another root module may find other declarations here, or in a module that is called, also further down.
    pub(crate) is_of_root: bool,
    /// True if the files may refer to their directory, or those of a module that is called, also further down.
    pub(crate) has_paths: bool,
    /// True if the files may call functions that read files, or those of a module that is called, also further down.
    pub(crate) has_file_names: bool,
    /// The sources of modules that it calls and that are not available.
    pub(crate) unavailable: Vec<String>,
    /// A program adds files to it before it is used, so that it may lack something.
    pub(crate) completed: bool,
    /// The version that it is for, as other files say.
    pub(crate) beside: Option<Target>,
    /// What [`lint`](crate::lint) finds.
    pub(crate) lints: OnceLock<Lints>,
    /// True if the types of some of its values are unknown, or of those of a module that is called, also further down.
    pub(crate) open_types: OnceLock<bool>,
    /// The declarations by their addresses.
    definitions: OnceLock<Definitions>,
    /// The results by their names.
    results: OnceLock<Definitions<usize>>,
    /// The cycles of references.
    cycles: OnceLock<cycles::Cycles>,
    /// The calls whose arguments may depend on the results of the same call, by index.
    cyclic_calls: OnceLock<HashSet<usize>>,
}

/// A version that files are for, and why in words: "`required_version` allows no version after 1.12".
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Target {
    /// The version, without patches.
    pub version: Version,
    /// What follows "but" in a message.
    pub because: String,
}

impl Target {
    /// The version that the settings of a project name.
    pub fn of_settings(version: &Version) -> Self {
        Self { version: version.clone(), because: format!("`hcl.toml` says {version}") }
    }
}

/// How much is declared. A module that is called twice counts twice, so modules in modules may double with each level.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Size {
    pub(crate) declarations: usize,
    /// The length of the addresses of all declarations together.
    pub(crate) address_bytes: usize,
}

impl Size {
    /// Adds the declarations of a module that is called with a name. Each address begins with the name.
    #[must_use]
    pub(crate) fn with_called(self, called: Self, name: &str) -> Self {
        let bytes = called.declarations.saturating_mul(name.len()).saturating_add(called.address_bytes);
        Self {
            declarations: self.declarations.saturating_add(called.declarations),
            address_bytes: self.address_bytes.saturating_add(bytes),
        }
    }
}

impl Config {
    /// The size without that of the modules that it calls.
    pub(crate) fn own_size(&self) -> Size {
        let items = self.items.iter().map(|item| &item.address);
        let addresses = items.chain(self.values.iter().map(|value| &value.address));
        let address_bytes = addresses.flatten().map(|name| name.len()).sum();
        Size { declarations: self.declared(), address_bytes }
    }

    /// The number of its values and blocks.
    pub(crate) fn declared(&self) -> usize {
        self.values.len() + self.items.len()
    }

    /// Some of its values and blocks: the values come first.
    pub(crate) fn in_range(&self, range: &Range<usize>) -> (Range<usize>, Range<usize>) {
        let values = self.values.len();
        let items = range.start.saturating_sub(values)..range.end.saturating_sub(values);
        (range.start.min(values)..range.end.min(values), items)
    }

    /// The modules that it calls.
    pub(crate) fn called(&self) -> impl Iterator<Item = &Arc<Self>> {
        self.items.iter().filter_map(|item| match &item.content {
            Content::Call(call) => call.config.as_ref(),
            _ => None,
        })
    }

    /// The input variables.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (usize, &Item, &Input)> {
        self.items.iter().enumerate().filter_map(|(at, item)| match &item.content {
            Content::Input(input) => Some((at, item, &**input)),
            _ => None,
        })
    }
}

/// A name with an expression, such as a local value.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) address: Vec<Name>,
    pub(crate) attribute: Attribute,
}

/// A block that declares something.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) rule: Arc<BlockRule>,
    pub(crate) address: Vec<Name>,
    /// A longer form of the address, if expressions may use it.
    pub(crate) long_address: Vec<Name>,
    pub(crate) labels: Vec<Name>,
    /// The first block; others may override it.
    pub(crate) block: Block,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) repetition: Option<(Repeat, Expression)>,
    pub(crate) content: Content,
    /// Expressions that are not evaluated, each with the names that are bound there.
    pub(crate) unevaluated: Vec<(Expression, Vec<Name>)>,
    /// Names that the block declares and that stay unknown.
    pub(crate) unknown: Vec<Vec<Name>>,
    /// The address of the check that it is in, outside of which nothing refers to it.
    pub(crate) scope: Option<Vec<Name>>,
    /// Steps that run when the object is created or destroyed, which only a check looks at.
    pub(crate) steps: Vec<StepBlock>,
}

/// A nested block that is not part of a value, such as a provisioner or how it connects.
#[derive(Debug)]
pub(crate) struct StepBlock {
    pub(crate) attributes: Vec<Attribute>,
    /// The types of the attributes that have one.
    pub(crate) types: Vec<(Name, Type)>,
    /// Attributes that must not be null or empty.
    pub(crate) not_empty: Vec<Name>,
    /// The name of the object around it.
    pub(crate) binds: Option<Name>,
}

impl Item {
    /// The name of the block, which is its last label.
    pub(crate) fn own_name(&self) -> &str {
        self.labels.last().map(Name::as_str).unwrap_or_default()
    }

    pub(crate) fn place(&self) -> Place {
        self.block.definition_place()
    }

    /// The configuration of the provider of an object, as it is written or as its type names it.
    pub(crate) fn provider(&self) -> Option<String> {
        match self.block.body.attribute("provider") {
            Some(own) => Some(own.expression.text().to_owned()),
            None => self.labels.first()?.split('_').next().map(str::to_owned),
        }
    }
}

/// What a block declares, depending on its role.
#[derive(Debug)]
pub(crate) enum Content {
    Input(Box<Input>),
    /// A value or a result.
    Output(Output),
    Call(Call),
    Object(Shape),
    Check,
    Settings(Shape),
}

/// An input variable.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "the flags of a declaration")]
pub(crate) struct Input {
    pub(crate) constraint: Option<TypeConstraint>,
    /// The default, with the type of the variable.
    pub(crate) default: Option<Value>,
    /// The expression of the default. If it calls functions, there is no value before evaluation.
    pub(crate) default_expression: Option<Expression>,
    pub(crate) nullable: bool,
    /// The value must be known before modules are read.
    pub(crate) constant: bool,
    /// What to use instead.
    pub(crate) deprecated: Option<String>,
    pub(crate) sensitive: bool,
    pub(crate) ephemeral: bool,
    /// The value must not be shown: it is sensitive, or may be meant to be sensitive or ephemeral.
    pub(crate) hidden: bool,
}

impl Input {
    /// Marks a value of the variable as its declaration says.
    pub(crate) fn mark(&self, value: Value) -> Value {
        let marks = [
            (self.sensitive, Mark::sensitive()),
            (self.ephemeral, Mark::new("ephemeral")),
            (self.hidden && !self.sensitive && !self.ephemeral, Mark::hidden()),
        ];
        marks.into_iter().filter(|(set, _)| *set).fold(value, |value, (_, mark)| value.mark(mark))
    }
}

/// A value or a result.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) value: Option<Expression>,
    pub(crate) constraint: Option<TypeConstraint>,
    /// What to use instead.
    pub(crate) deprecated: Option<String>,
    pub(crate) sensitive: bool,
    pub(crate) ephemeral: bool,
    /// The value must not be shown: it is sensitive, or may be meant to be sensitive or ephemeral.
    pub(crate) hidden: bool,
}

/// A call of another module.
#[derive(Debug)]
pub(crate) struct Call {
    /// The called module. `None` if it is not in a local directory or cannot be read.
    pub(crate) config: Option<Arc<Config>>,
    /// The source, if the module was not read because it is unknown.
    pub(crate) source: Option<Expression>,
    pub(crate) arguments: Vec<Attribute>,
    by_name: HashMap<Name, usize>,
}

impl Call {
    pub(crate) fn new(config: Option<Arc<Config>>, arguments: Vec<Attribute>) -> Self {
        let by_name =
            arguments.iter().enumerate().map(|(at, argument)| (argument.name.clone(), at)).collect();
        Self { config, source: None, arguments, by_name }
    }

    /// The argument with a name.
    pub(crate) fn argument(&self, name: &str) -> Option<&Attribute> {
        self.by_name.get(name).map(|at| &self.arguments[*at])
    }
}

/// A condition with its message.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) expression: Expression,
    pub(crate) message: Option<Expression>,
    /// The name of the object that the condition checks.
    pub(crate) binds: Option<Name>,
    /// If the condition is not met, this is only a warning.
    pub(crate) warns: bool,
}
