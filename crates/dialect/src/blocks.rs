//! Rules for blocks: what they define, what they contain, and how their arguments are read.

use hclkit_model::Schema;
use hclkit_value::{Name, Type};

use crate::{AddressForm, Dialect};

/// The value of a name that the program defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The directory of the module.
    ModuleDirectory,
    /// The directory of the root module.
    RootDirectory,
    /// The current directory.
    CurrentDirectory,
    /// The name of the workspace.
    Workspace,
    /// A value that only the program knows.
    Unknown,
    /// A truth value that is different each time, and therefore ephemeral.
    EphemeralBool,
}

/// An attribute that determines the instances of a block, such as `count`.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// The attribute.
    pub attribute: Name,
    /// What its value means.
    pub over: Over,
    /// The name for the key of an instance: a variable and its attribute, such as `each.key`.
    pub key: Vec<Name>,
    /// The name for the value of an instance, such as `each.value`.
    pub value: Option<Vec<Name>>,
}

/// The meaning of the value of an attribute that repeats a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// A number of instances.
    Number,
    /// The elements of a map, an object or a set of strings.
    Elements,
    /// One instance without a key, or none: then the value of the block is null.
    Condition,
}

/// The role of the blocks of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
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

/// The names of the roles in tables.
pub(crate) const ROLES: [(&str, Role); 10] = [
    ("input", Role::Input),
    ("inputs", Role::Inputs),
    ("values", Role::Values),
    ("value", Role::Value),
    ("result", Role::Result),
    ("call", Role::Call),
    ("object", Role::Object),
    ("check", Role::Check),
    ("build", Role::Build),
    ("settings", Role::Settings),
];

impl Role {
    /// The name of the role in tables.
    pub fn as_str(self) -> &'static str {
        ROLES.iter().find(|(_, role)| *role == self).map_or("", |(name, _)| name)
    }
}

/// What a body has besides the blocks that the table lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Contents {
    /// Attributes.
    #[default]
    Listed,
    /// Attributes and blocks that a provider or plugin defines.
    Open,
    /// Attributes, and none of the blocks that are listed for any body.
    Attributes,
}

/// How the strings of an attribute are read in the JSON syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strings {
    /// As templates, like the strings of most attributes.
    Templates,
    /// As text.
    Text,
    /// As the source of an expression that is not evaluated: a type, a reference or a keyword.
    Source,
}

/// The labels and contents of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape<'d> {
    /// The names of the labels.
    pub labels: &'d [String],
    /// What the body has besides the blocks that the table lists.
    pub contents: Contents,
}

/// A type of blocks in a file.
#[derive(Clone, Debug)]
pub struct BlockRule {
    /// The type of the blocks.
    pub block_type: Name,
    /// Their role.
    pub role: Role,
    /// The names of their labels.
    pub labels: Vec<String>,
    /// The addresses that its blocks define.
    pub defines: AddressForm,
    /// A longer form of the address.
    pub long_name: AddressForm,
    /// The attributes that it can have. `None` if these are unknown.
    pub attributes: Option<Vec<Name>>,
    /// The attributes that it must have.
    pub required: Vec<Name>,
    /// Attributes that are not part of its value.
    pub meta: Vec<Name>,
    /// Attributes that are not evaluated.
    pub fixed: Vec<Name>,
    /// Nested blocks that are not part of its value.
    pub blocks: Vec<Name>,
    /// What it has besides the blocks that are listed.
    pub contents: Contents,
    /// Attributes that determine its instances.
    pub repeat: Vec<Name>,
    /// Attributes that are not evaluated, but whose references must exist.
    pub references: Vec<Name>,
    /// Attributes that are constraints on versions.
    pub constraints: Vec<Name>,
    /// Attributes that are constant, each with the type of its value.
    pub constants: Vec<(Name, Type)>,
    /// Attributes that are keywords, each with those that it can be.
    pub keywords: Vec<Keywords>,
    /// Attributes whose strings are not templates in the JSON syntax. `*` means all of them.
    pub strings: Vec<(Name, Strings)>,
    /// The attributes that come first, as in the style guide of the language.
    pub first: Vec<Name>,
    /// The attributes and blocks that come last.
    pub last: Vec<Name>,
    /// Nested blocks of which a directory, and an override file, have at most one.
    pub single: Vec<Name>,
    /// Nested blocks of which a directory has at most one with the same labels. Those of override files are merged into it.
    pub unique: Vec<Name>,
    /// Nested blocks of which the block has at most one.
    pub once: Vec<Name>,
    /// Names that its attributes and nested blocks must not have.
    pub refused: Vec<Name>,
    /// Override files must not have such blocks.
    pub is_final: bool,
    /// Attributes and nested blocks that override files must not have.
    pub final_parts: Vec<Name>,
    /// Names that are bound in blocks that are not evaluated.
    pub binds: Vec<Name>,
    /// Names that it must not define.
    pub reserved: Vec<Name>,
    /// The attribute that contains its value.
    pub value: Name,
    /// What it says about an address.
    pub statement: Option<Statement>,
    /// Attributes of which it must have exactly one.
    pub one_of: Vec<Name>,
    /// Its labels need not be identifiers.
    pub any_name: bool,
    /// What it defines is a function, which expressions call by its last name.
    pub called: bool,
    /// Texts that must not be blank.
    pub not_blank: Vec<Name>,
}

/// The name of an attribute, and the keywords that it can be.
pub type Keywords = (Name, Vec<Name>);

/// What a block says about an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// An object has another address than before.
    Move,
    /// An object is no longer part of the configuration.
    Removal,
    /// An existing object gets an address.
    Import,
}

/// A type of blocks in other blocks.
#[derive(Clone, Debug)]
pub struct NestedRule {
    /// The type of the blocks.
    pub block_type: Name,
    /// The types of the blocks that it can be in; `*` means all with contents that are open. Empty if the rules of these blocks
    /// list it.
    pub within: Vec<Name>,
    /// The names of its labels.
    pub labels: Vec<String>,
    /// What the first label can be. `None` if this is unknown.
    pub types: Option<Vec<Name>>,
    /// What the first label could be in earlier versions.
    pub removed: Vec<Name>,
    /// The type of the block of the file that it must be below for what the rule says about strings.
    pub under: Option<Name>,
    /// What it has besides the blocks that are listed.
    pub contents: Contents,
    /// The addresses that its blocks define. Their values are unknown.
    pub defines: AddressForm,
    /// Its role. If the table does not say it, the block is a part of the value around it if `within` is set, and otherwise
    /// ignored.
    pub role: NestedRole,
    /// Blocks in a group.
    pub blocks: Vec<Name>,
    /// The attributes of a group. `None` if these are unknown.
    pub attributes: Option<Vec<Name>>,
    /// Attributes that are not evaluated.
    pub fixed: Vec<Name>,
    /// Attributes that are constraints on versions of the program.
    pub constraints: Vec<Name>,
    /// The attributes of a group that it must have.
    pub required: Vec<Name>,
    /// Attributes that are lists of keywords, each with those that it can contain.
    pub lists: Vec<Keywords>,
    /// Attributes that must be constant and not null, with their types.
    pub constants: Vec<(Name, Type)>,
    /// Attributes that are keywords, each with those that it can be.
    pub keywords: Vec<Keywords>,
    /// Attributes whose strings are not templates in the JSON syntax. `*` means all of them.
    pub strings: Vec<(Name, Strings)>,
    /// Attributes that are not evaluated, but whose references must exist.
    pub references: Vec<Name>,
    /// The name for the object around it, such as `self`.
    pub binds: Option<Name>,
    /// Attributes that determine the instances of the block around it.
    pub repeat: Vec<Name>,
    /// Attributes and nested blocks that it must not have there, although other blocks of its type have them.
    pub refused: Vec<Name>,
    /// Attributes and nested blocks that override files must not have.
    pub final_parts: Vec<Name>,
    /// The types of attributes. Those that are left out can have any type.
    pub argument_types: Vec<(Name, Type)>,
    /// A condition that is not met is a warning.
    pub warns: bool,
}

/// The role of nested blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NestedRole {
    /// A part of the value of the block around it.
    Value,
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
    /// It is read before resources and modules are known. It must refer only to variables, local values and what the program
    /// gives.
    Early,
}

/// A type of objects whose attributes are known.
#[derive(Clone, Debug)]
pub struct ObjectRule {
    /// The type of the block.
    pub block_type: Name,
    /// The type of the object, which is its first label.
    pub object_type: Name,
    /// The attributes that can be set.
    pub arguments: Vec<Name>,
    /// Those that must be set.
    pub required: Vec<Name>,
    /// Those of which exactly one must be set.
    pub one_of: Vec<Name>,
    /// Those that must not be null or empty.
    pub not_empty: Vec<Name>,
    /// The types of attributes. Those that are left out can have any type.
    pub argument_types: Vec<(Name, Type)>,
    /// Those that must be objects or maps.
    pub objects: Vec<Name>,
    /// Those that configure another object, each with the block type of that object. The argument with the name of the block type says
    /// which object it is.
    pub settings: Vec<(Name, Name)>,
    /// Those that are strings, each with those that it can be.
    pub choices: Vec<Keywords>,
    /// The attributes that only the program knows, with their types.
    pub unknown: Vec<(Name, Type)>,
    /// Attributes that have the value of an argument.
    pub same: Vec<(Name, Name)>,
    /// Its nested blocks.
    pub blocks: Vec<ObjectBlock>,
}

/// A block in objects whose attributes are known. There is at most one, which is an object or null.
#[derive(Clone, Debug)]
pub struct ObjectBlock {
    /// The type of the block.
    pub block_type: Name,
    /// The attributes that can be set.
    pub arguments: Vec<Name>,
    /// Those that are not stored: they can be ephemeral, and are null for others.
    pub write_only: Vec<Name>,
    /// The attributes that only the program knows, with their types.
    pub unknown: Vec<(Name, Type)>,
    /// Attributes that are sensitive.
    pub sensitive: Vec<Name>,
}

/// Strings that name what a block defines, such as those in `inherits` of Docker Bake.
#[derive(Clone, Debug)]
pub struct StringNames {
    /// The attribute, or the type of a block whose only label is such a string.
    pub attribute: Name,
    /// The types of the blocks that define the names.
    pub blocks: Vec<Name>,
    /// What precedes the name in a string.
    pub prefix: String,
    /// How many of the labels of a block are in a string, counted from the last.
    pub labels: usize,
    /// The names are the keys of an object, instead of its values.
    pub keys: bool,
}

impl ObjectRule {
    /// The type of an attribute, which may be any. `None` if there is no such attribute.
    pub fn part(&self, name: &str) -> Option<Type> {
        let typed = self.unknown.iter().chain(&self.argument_types).find(|(own, _)| *own == *name);
        let arguments = self.arguments.iter().chain(self.same.iter().map(|(own, _)| own));
        let mut names = arguments.chain(self.blocks.iter().map(|own| &own.block_type));
        let any = || names.any(|own| *own == *name).then_some(Type::Dynamic);
        typed.map(|(_, ty)| ty.clone()).or_else(any)
    }

    /// The names of its attributes.
    pub fn parts(&self) -> impl Iterator<Item = &Name> {
        let own = self.arguments.iter().chain(self.unknown.iter().map(|(own, _)| own));
        own.chain(self.same.iter().map(|(own, _)| own)).chain(self.blocks.iter().map(|own| &own.block_type))
    }
}

impl BlockRule {
    /// The schema of the block: its attributes and the blocks that are not part of its value.
    pub fn schema(&self, dialect: &Dialect) -> Schema {
        let mut schema = dialect.nested_schema(&self.blocks);
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

    /// Returns true if an attribute is not evaluated.
    pub fn is_static(&self, name: &str) -> bool {
        self.fixed.iter().any(|own| *own == *name)
    }

    pub(crate) fn shape(&self) -> Shape<'_> {
        Shape { labels: &self.labels, contents: self.contents }
    }

    /// How the strings of attributes are read, where the rule says it. Each name is there once.
    pub(crate) fn strings_of_attributes(&self) -> impl Iterator<Item = (&Name, Strings)> {
        let constants = self.constants.iter().map(|(name, _)| (name, Strings::Text));
        strings(&self.strings, sources(&self.fixed, &self.keywords).chain(constants))
    }
}

impl NestedRule {
    pub(crate) fn shape(&self) -> Shape<'_> {
        Shape { labels: &self.labels, contents: self.contents }
    }

    /// How the strings of attributes are read, where the rule says it. Each name is there once.
    pub(crate) fn strings_of_attributes(&self) -> impl Iterator<Item = (&Name, Strings)> {
        strings(&self.strings, sources(&self.fixed, &self.keywords))
    }
}

/// What a rule says of strings, and what follows from the rest of it for other attributes.
fn strings<'r>(
    own: &'r [(Name, Strings)],
    others: impl Iterator<Item = (&'r Name, Strings)>,
) -> impl Iterator<Item = (&'r Name, Strings)> {
    let is_own = |name: &Name| own.iter().any(|(other, _)| other == name);
    let others = others.filter(move |(name, _)| !is_own(name));
    own.iter().map(|(name, strings)| (name, *strings)).chain(others)
}

/// Attributes that are expressions in strings.
fn sources<'r>(fixed: &'r [Name], keywords: &'r [Keywords]) -> impl Iterator<Item = (&'r Name, Strings)> {
    let names = fixed.iter().chain(keywords.iter().map(|(name, _)| name));
    names.map(|name| (name, Strings::Source))
}
