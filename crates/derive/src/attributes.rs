//! The attributes `#[hcl(…)]` of types, variants and fields.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, ExprPath, Ident, Lit, LitStr, Path, Result, Token};

use crate::meta::{self, name};
use crate::names::Case;

/// What a field is read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Attribute,
    Label,
    Block,
    Flatten,
    Rest,
    /// Nothing; the field has its default.
    Skip,
}

/// The default of a field.
pub(crate) enum DefaultValue {
    /// `default`
    Trait,
    /// `default = expression`
    Expression(Expr),
}

/// The attributes of a field.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is an attribute of its own")]
pub(crate) struct FieldAttributes {
    pub(crate) role: Role,
    pub(crate) name: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) keyed: bool,
    pub(crate) min: Option<Expr>,
    pub(crate) max: Option<Expr>,
    pub(crate) with: Option<Path>,
    pub(crate) from_str: bool,
    pub(crate) one_or_many: bool,
    /// Blocks that can also be written as an attribute.
    pub(crate) either: bool,
    pub(crate) validate: Vec<ExprPath>,
    pub(crate) range: Option<Expr>,
    /// A regular expression.
    pub(crate) pattern: Option<LitStr>,
    pub(crate) deprecated: Option<String>,
    pub(crate) sensitive: bool,
    /// The doc comment.
    pub(crate) docs: Option<String>,
    /// The span of each attribute.
    spans: Vec<(String, Span)>,
}

/// The attributes of a type or of a variant.
#[derive(Default)]
pub(crate) struct TypeAttributes {
    pub(crate) krate: Option<Path>,
    pub(crate) name: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) rename_all: Option<Case>,
    pub(crate) tag: Option<Tag>,
    pub(crate) validate: Vec<ExprPath>,
}

/// What chooses the variant of an enum.
pub(crate) enum Tag {
    /// `tag = label`: the first label of the block.
    Label,
    /// `tag = "name"`: the value of an attribute.
    Attribute(LitStr),
}

impl FieldAttributes {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut found = Self { docs: docs(attributes), ..Default::default() };
        let mut role: Option<Role> = None;
        each(attributes, |meta| {
            found.spans.push((name(&meta), meta.path.span()));
            let mut set = |new: Role| {
                meta::flag(&meta)?;
                if let Some(old) = role
                    && old != new
                {
                    return Err(
                        meta.error("a field is one of `label`, `block`, `flatten`, `remain` and `skip`")
                    );
                }
                role = Some(new);
                Ok(())
            };
            match name(&meta).as_str() {
                "label" => set(Role::Label)?,
                "block" => set(Role::Block)?,
                "flatten" => set(Role::Flatten)?,
                "remain" => set(Role::Rest)?,
                "skip" => set(Role::Skip)?,
                "rename" => found.name = Some(meta::text(&meta)?),
                "alias" => found.aliases.push(meta::text(&meta)?),
                "default" => {
                    found.default = Some(if meta.input.peek(Token![=]) {
                        DefaultValue::Expression(meta.value()?.parse()?)
                    } else {
                        DefaultValue::Trait
                    });
                }
                "key" => {
                    let key: Ident = meta.value()?.parse()?;
                    if key != "label" {
                        return Err(Error::new(key.span(), "expected `key = label`"));
                    }
                    found.keyed = true;
                }
                "min" => found.min = Some(meta.value()?.parse()?),
                "max" => found.max = Some(meta.value()?.parse()?),
                "with" => found.with = Some(meta::path(&meta)?),
                "from_str" => found.from_str = meta::flag(&meta)?,
                "one_or_many" => found.one_or_many = meta::flag(&meta)?,
                "attribute" => found.either = meta::flag(&meta)?,
                "validate" => found.validate.push(meta::path(&meta)?),
                "range" => found.range = Some(meta::range(&meta)?),
                "pattern" => found.pattern = Some(meta::text(&meta)?),
                "deprecated" => {
                    let has_text = meta.input.peek(Token![=]);
                    found.deprecated =
                        Some(if has_text { meta::text(&meta)?.value() } else { String::new() });
                }
                "sensitive" => found.sensitive = meta::flag(&meta)?,
                other => return Err(meta::unknown(&meta, instead_on_field(other), &ON_FIELDS)),
            }
            Ok(())
        })?;
        found.role = role.unwrap_or(Role::Attribute);
        found.check()?;
        Ok(found)
    }

    /// Reports attributes that do not apply to the role.
    fn check(&self) -> Result<()> {
        let span = |name: &str| {
            let found = self.spans.iter().rev().find(|(own, _)| own == name);
            found.map_or_else(Span::call_site, |(_, span)| *span)
        };
        let refuse = |given: bool, name: &str, roles: &[Role], what: &str| {
            if given && !roles.contains(&self.role) {
                let key = name.split(' ').next().unwrap_or(name);
                return Err(Error::new(span(key), format!("`{name}` is only for fields of {what}")));
            }
            Ok(())
        };
        let named = [Role::Attribute, Role::Block, Role::Label];
        refuse(self.name.is_some(), "rename", &named, "labels, attributes and blocks")?;
        refuse(self.default.is_some(), "default", &[Role::Attribute, Role::Block], "attributes and blocks")?;
        refuse(self.keyed, "key = label", &[Role::Block], "blocks; add `block`")?;
        refuse(self.min.is_some(), "min", &[Role::Block], "blocks")?;
        refuse(self.max.is_some(), "max", &[Role::Block], "blocks")?;
        if let (Some(min), Some(max)) =
            (self.min.as_ref().and_then(number), self.max.as_ref().and_then(number))
            && min > max
        {
            return Err(Error::new(span("max"), "`max` is less than `min`"));
        }
        if self.either && self.role != Role::Block {
            return Err(Error::new(
                span("attribute"),
                "`attribute` is only for fields of blocks that can also be written as an attribute; write `block, attribute`, or \
                 remove it",
            ));
        }
        if self.either && self.keyed {
            return Err(Error::new(
                span("key"),
                "`key = label` and `attribute` cannot be used together; remove one of them",
            ));
        }
        if self.one_or_many && self.role != Role::Attribute && !self.either {
            let message =
                "`one_or_many` is only for fields of attributes; a `Vec` of blocks can also have one block";
            return Err(Error::new(span("one_or_many"), message));
        }
        for (given, name) in [
            (!self.aliases.is_empty(), "alias"),
            (self.with.is_some(), "with"),
            (self.from_str, "from_str"),
            (self.range.is_some(), "range"),
            (self.pattern.is_some(), "pattern"),
            (self.deprecated.is_some(), "deprecated"),
            (self.sensitive, "sensitive"),
            (!self.validate.is_empty(), "validate"),
        ] {
            refuse(given, name, &[Role::Attribute], "attributes")?;
        }
        let readers =
            [(self.from_str, "from_str"), (self.with.is_some(), "with"), (self.one_or_many, "one_or_many")];
        let mut readers = readers.iter().filter(|(given, _)| *given).map(|(_, name)| *name);
        if let (Some(first), Some(second)) = (readers.next(), readers.next()) {
            let message = format!("`{first}` and `{second}` cannot be used together; remove one of them");
            return Err(Error::new(span(second), message));
        }
        Ok(())
    }

    /// Whether the type of the field says how its value is read.
    pub(crate) fn is_read_by_type(&self) -> bool {
        self.with.is_none() && !self.from_str && !self.one_or_many
    }

    /// The default as a literal: a string, number, bool, or an array of literals.
    pub(crate) fn literal_default(&self) -> Option<&Expr> {
        match &self.default {
            Some(DefaultValue::Expression(expression)) if is_literal(expression) => Some(expression),
            _ => None,
        }
    }
}

/// The value of a literal integer.
fn number(expression: &Expr) -> Option<u64> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}

/// A literal that is a value of HCL.
fn is_literal(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(ExprLit { lit, .. }) => {
            matches!(lit, Lit::Str(_) | Lit::Int(_) | Lit::Float(_) | Lit::Bool(_))
        }
        Expr::Unary(unary) => {
            matches!(unary.op, syn::UnOp::Neg(_))
                && matches!(&*unary.expr, Expr::Lit(ExprLit { lit: Lit::Int(_) | Lit::Float(_), .. }))
        }
        Expr::Array(array) => array.elems.iter().all(is_literal),
        _ => false,
    }
}

impl TypeAttributes {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut found = Self::default();
        each(attributes, |meta| {
            match name(&meta).as_str() {
                "crate" => found.krate = Some(meta::path(&meta)?),
                "rename" => found.name = Some(meta::text(&meta)?),
                "alias" => found.aliases.push(meta::text(&meta)?),
                "rename_all" => found.rename_all = Some(Case::of(&meta::text(&meta)?)?),
                "validate" => found.validate.push(meta::path(&meta)?),
                "tag" => {
                    let value = meta.value()?;
                    found.tag = Some(if value.peek(LitStr) {
                        Tag::Attribute(value.parse()?)
                    } else {
                        let label: Ident = value.parse()?;
                        if label != "label" {
                            return Err(Error::new(
                                label.span(),
                                "expected `tag = label` or the name of an attribute in quotes",
                            ));
                        }
                        Tag::Label
                    });
                }
                other => return Err(meta::unknown(&meta, instead_on_type(other), &ON_TYPES)),
            }
            Ok(())
        })?;
        Ok(found)
    }
}

/// The attributes of fields.
const ON_FIELDS: [&str; 20] = [
    "label",
    "block",
    "attribute",
    "flatten",
    "remain",
    "skip",
    "rename",
    "alias",
    "default",
    "key",
    "min",
    "max",
    "with",
    "from_str",
    "one_or_many",
    "validate",
    "range",
    "pattern",
    "deprecated",
    "sensitive",
];

/// The attributes of types.
const ON_TYPES: [&str; 6] = ["rename", "alias", "rename_all", "tag", "validate", "crate"];

/// What to write instead of an attribute that other libraries have.
fn instead_on_field(name: &str) -> Option<&'static str> {
    Some(match name {
        "name" => "write `rename = \"…\"`",
        "labels" => "write `label` on a field for each label",
        "blocks" | "child" | "children" => "write `block`",
        "rest" | "other" | "others" | "body" => "write `remain`",
        "optional" | "skip_serializing_if" => "make the type of the field an `Option`",
        "required" => "a field is required unless its type is an `Option` or it has a `default`",
        "skip_deserializing" | "skip_serializing" | "ignore" => "write `skip`",
        "deserialize_with" | "parse" | "try_from" => "write `with = path`, or `from_str`",
        "regex" | "matches" => "write `pattern = \"…\"`",
        "str" | "parse_str" => "write `from_str`",
        "secret" => "write `sensitive`",
        "check" => "write `validate = path`",
        "rename_all" | "tag" | "crate" => "write it on the type",
        _ => return None,
    })
}

fn instead_on_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "deny_unknown_fields" => {
            "unknown arguments and blocks are errors unless a field is `remain`; remove it"
        }
        "default" => "write `default` on each field that may be missing",
        "name" => "write `rename = \"…\"`",
        "transparent" => {
            "a struct with one unnamed field is read like that field if it derives `FromValue`; remove it"
        }
        "untagged" | "content" => {
            "write `tag = label` or `tag = \"name\"`, or leave it out if each variant is a block type"
        }
        _ => return None,
    })
}

fn each(attributes: &[Attribute], mut read: impl FnMut(ParseNestedMeta) -> Result<()>) -> Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("hcl")) {
        attribute.parse_nested_meta(&mut read)?;
    }
    Ok(())
}

/// The first paragraph of a doc comment.
fn docs(attributes: &[Attribute]) -> Option<String> {
    let mut text = String::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        let syn::Meta::NameValue(pair) = &attribute.meta else { continue };
        let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &pair.value else { continue };
        let line = line.value();
        let line = line.trim();
        if line.is_empty() && !text.is_empty() {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
    }
    (!text.is_empty()).then_some(text)
}
