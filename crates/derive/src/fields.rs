//! The fields of a struct: what a macro can learn from their types, and the code that decodes each field.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{
    Data, Error, Expr, ExprLit, Fields, GenericArgument, Ident, Lit, PathArguments, RangeLimits, Result, Type,
};

use crate::attributes::{FieldAttributes, Role};
use crate::decode::Paths;
use crate::names::Case;

/// A field of a struct.
pub(crate) struct Field<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    /// Its name in HCL.
    pub(crate) name: String,
    pub(crate) attributes: FieldAttributes,
}

pub(crate) fn of<'a>(fields: &'a Fields, case: Option<Case>) -> Result<Vec<Field<'a>>> {
    let named = match fields {
        Fields::Named(named) => named.named.iter().collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(unnamed) => {
            return Err(Error::new(unnamed.span(), "the fields must have names, which are the names in HCL"));
        }
    };
    let field = |field: &'a syn::Field| {
        let attributes = FieldAttributes::of(&field.attrs)?;
        let ident = field.ident.as_ref().ok_or_else(|| Error::new(field.span(), "the field has no name"))?;
        let name = match &attributes.name {
            Some(name) => name.value(),
            None => case.map_or_else(|| ident.unraw().to_string(), |case| case.apply(ident)),
        };
        Ok(Field { ident, ty: &field.ty, name, attributes })
    };
    let fields: Vec<Field> = named.into_iter().map(field).collect::<Result<_>>()?;
    check(&fields)?;
    Ok(fields)
}

/// Checks that no field borrows from what is read.
pub(crate) fn check_owned(data: &Data) -> Result<()> {
    let fields: Vec<&syn::Field> = match data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(_) => return Ok(()),
    };
    for field in fields {
        if let Type::Reference(reference) = &field.ty
            && FieldAttributes::of(&field.attrs)?.role != Role::Skip
        {
            let message = match &*reference.elem {
                Type::Path(path) if path.path.is_ident("str") => {
                    "a field cannot borrow from the file; use `String`"
                }
                _ => "a field cannot borrow from the file; use an owned type",
            };
            return Err(Error::new(field.ty.span(), message));
        }
    }
    Ok(())
}

fn check(fields: &[Field]) -> Result<()> {
    let is_map = |field: &&Field| {
        ["BTreeMap", "HashMap", "IndexMap"]
            .iter()
            .any(|map| arguments(field.value_type(), Some(map)).is_some())
    };
    if let Some(field) = fields.iter().filter(|field| field.attributes.from_str).find(is_map) {
        return Err(Error::new(
            field.ty.span(),
            "`from_str` reads a string, or each string of a list; for a map, write `with = path`",
        ));
    }
    let mut rests = fields.iter().filter(|field| field.attributes.role == Role::Rest);
    if let (Some(_), Some(second)) = (rests.next(), rests.next()) {
        return Err(Error::new(second.ident.span(), "only one field can be `remain`"));
    }
    for field in fields {
        if field.attributes.role == Role::Rest && !can_be_rest(field.ty) {
            let message = "`remain` requires a `Body`, or a map such as `BTreeMap<String, T>`";
            return Err(Error::new(field.ty.span(), message));
        }
        if field.attributes.one_or_many && primitive(field.value_type()).is_some() {
            let message = "`one_or_many` requires a collection such as `Vec<T>`";
            return Err(Error::new(field.ty.span(), message));
        }
        if let Some(literal) = field.attributes.literal_default()
            && field.attributes.is_read_by_type()
            && let Some(expected) = expected_default(field.value_type(), literal)
        {
            return Err(Error::new(literal.span(), format!("expected {expected} as the default")));
        }
    }
    let mut labels = fields.iter().filter(|field| field.attributes.role == Role::Label);
    if labels.any(Field::is_option)
        && let Some(required) = labels.find(|field| !field.is_option())
    {
        return Err(Error::new(
            required.ident.span(),
            "a label after an optional one must be optional too; make it an `Option`",
        ));
    }
    for field in fields.iter().filter(|field| field.attributes.keyed) {
        match arguments(field.ty, None).unwrap_or_default()[..] {
            [Type::Tuple(pair)] if pair.elems.len() == 2 => {}
            [_, _, ..] => {}
            _ => {
                return Err(Error::new(
                    field.ty.span(),
                    "`key = label` requires a map such as `BTreeMap<String, T>`, or a `Vec<(String, T)>`",
                ));
            }
        }
    }
    let mut names: Vec<String> = Vec::new();
    for field in fields.iter().filter(|field| matches!(field.attributes.role, Role::Attribute | Role::Block))
    {
        let aliases = field.attributes.aliases.iter().map(syn::LitStr::value);
        for name in std::iter::once(field.name.clone()).chain(aliases) {
            if names.contains(&name) {
                return Err(Error::new(
                    field.ident.span(),
                    format!(
                        "another field is already named \"{name}\"; write `rename = \"…\"` or remove the alias"
                    ),
                ));
            }
            if !is_identifier(&name) {
                let message = format!(
                    "\"{name}\" is not an identifier, so that no {} can have this name",
                    match field.attributes.role {
                        Role::Block => "block",
                        _ => "attribute",
                    }
                );
                return Err(Error::new(field.ident.span(), message));
            }
            names.push(name);
        }
    }
    Ok(())
}

/// Whether a text is an identifier of HCL, which can have hyphens and be a word that Rust reserves.
fn is_identifier(text: &str) -> bool {
    !text.starts_with('-') && Ident::parse_any.parse_str(&text.replace('-', "_")).is_ok()
}

/// The only type argument of a path whose last segment has this name: `T` of `Option<T>`.
pub(crate) fn argument<'t>(ty: &'t Type, wrapper: &str) -> Option<&'t Type> {
    match &arguments(ty, Some(wrapper))?[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// Whether the last segment of a path is `Expression`.
fn is_expression(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Expression" && last.arguments.is_none()))
}

/// The type arguments of the last segment of a path.
pub(crate) fn arguments<'t>(ty: &'t Type, name: Option<&str>) -> Option<Vec<&'t Type>> {
    let ty = match ty {
        Type::Group(group) => &*group.elem,
        Type::Paren(paren) => &*paren.elem,
        other => other,
    };
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    if name.is_some_and(|name| last.ident != name) {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some(types.collect())
}

/// Returns false if the type is certainly neither a body nor a map.
fn can_be_rest(ty: &Type) -> bool {
    let is_pairs = |arguments: Vec<&Type>| matches!(arguments[..], [Type::Tuple(_)]);
    let is_vec = arguments(ty, Some("Vec"));
    is_vec.is_none_or(is_pairs) && argument(ty, "Option").is_none() && primitive(ty).is_none()
}

/// A primitive type or `String`, by its name.
fn primitive(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?.to_string();
    let numbers = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    let is_one =
        numbers.contains(&name.as_str()) || ["f32", "f64", "bool", "String"].contains(&name.as_str());
    is_one.then_some(name)
}

/// What the default of a type must be, if the literal is something else.
fn expected_default(ty: &Type, literal: &Expr) -> Option<String> {
    let Expr::Lit(literal) = literal else { return None };
    let name = primitive(ty)?;
    let fits = match (name.as_str(), &literal.lit) {
        ("bool", Lit::Bool(_)) | ("f32" | "f64", Lit::Int(_) | Lit::Float(_)) | ("String", _) => true,
        ("bool" | "f32" | "f64", _) => false,
        // Signed types are not checked, because the minus sign is not part of the literal.
        (unsigned, Lit::Int(number)) => match largest(unsigned) {
            Some(largest) => number.base10_parse::<u128>().is_ok_and(|number| number <= largest),
            None => true,
        },
        _ => false,
    };
    let expected = match name.as_str() {
        "bool" => "`true` or `false`".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        integer => format!("an integer that fits `{integer}`"),
    };
    (!fits).then_some(expected)
}

/// The largest number of an unsigned type.
fn largest(unsigned: &str) -> Option<u128> {
    Some(match unsigned {
        "u8" => u8::MAX.into(),
        "u16" => u16::MAX.into(),
        "u32" => u32::MAX.into(),
        "u64" => u64::MAX.into(),
        "u128" => u128::MAX,
        _ => return None,
    })
}

/// The types of keys and blocks of a map, or of a `Vec` of pairs.
pub(crate) fn key_and_block(ty: &Type) -> (&Type, &Type) {
    match arguments(ty, None).unwrap_or_default()[..] {
        [Type::Tuple(pair)] if pair.elems.len() == 2 => (&pair.elems[0], &pair.elems[1]),
        [key, block, ..] => (key, block),
        // Refused by `check`.
        _ => (ty, ty),
    }
}

/// How the elements of a collection are read, where the type of an element is not read from a value.
pub(crate) enum Elements<'t> {
    /// `Vec<T>`
    List(&'t Type),
    /// `BTreeMap<K, T>`
    Map(&'t Type, &'t Type),
}

impl Field<'_> {
    /// The elements, if `from_str` reads each of them and not the whole value.
    pub(crate) fn parsed_elements(&self) -> Option<&Type> {
        let lists = ["Vec", "VecDeque", "BTreeSet", "HashSet"];
        let element =
            |list| arguments(self.value_type(), Some(list)).and_then(|types| types.first().copied());
        if self.attributes.from_str { lists.into_iter().find_map(element) } else { None }
    }

    /// The elements, if they are expressions or values with places, or if their order matters.
    pub(crate) fn placed_elements(&self) -> Option<Elements<'_>> {
        if !self.attributes.is_read_by_type() {
            return None;
        }
        let is_placed = |ty: &Type| argument(ty, "Spanned").is_some() || is_expression(ty);
        let of = |name| arguments(self.value_type(), Some(name));
        if let Some([element]) = ["Vec", "VecDeque"].into_iter().find_map(of).as_deref() {
            return is_placed(element).then_some(Elements::List(element));
        }
        // A value has no order of its own, so that an `IndexMap` is read from the source.
        if let Some([key, element, ..]) = of("IndexMap").as_deref() {
            return Some(Elements::Map(key, element));
        }
        match ["BTreeMap", "HashMap"].into_iter().find_map(of).as_deref() {
            Some([key, element, ..]) => is_placed(element).then_some(Elements::Map(key, element)),
            _ => None,
        }
    }

    /// The type of the value: without `Option`.
    pub(crate) fn value_type(&self) -> &Type {
        argument(self.ty, "Option").unwrap_or(self.ty)
    }

    pub(crate) fn is_hash_map(&self) -> bool {
        arguments(self.ty, Some("HashMap")).is_some()
    }

    pub(crate) fn is_option(&self) -> bool {
        argument(self.ty, "Option").is_some()
    }

    pub(crate) fn has_default(&self) -> bool {
        self.attributes.default.is_some()
    }

    /// The bounds of `range` that are literal numbers, and whether the upper one is included.
    pub(crate) fn bounds(&self) -> (Option<String>, Option<(String, bool)>) {
        let Some(Expr::Range(range)) = &self.attributes.range else { return (None, None) };
        let number = |bound: &Expr| {
            let (sign, lit) = match bound {
                Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => ("-", &*unary.expr),
                other => ("", other),
            };
            match lit {
                Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => {
                    Some(format!("{sign}{}", number.base10_digits()))
                }
                Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => {
                    Some(format!("{sign}{}", number.base10_digits()))
                }
                _ => None,
            }
        };
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        let max = range.end.as_deref().and_then(number).map(|text| (text, inclusive));
        (range.start.as_deref().and_then(number), max)
    }

    /// A default that is not a literal. An array is the default of a collection: `[Level::Info]` of a `Vec<Level>`.
    pub(crate) fn default_expression(&self, expression: &Expr) -> TokenStream {
        match (expression, self.value_type()) {
            (Expr::Array(_), Type::Path(ty)) => quote_spanned!(expression.span()=> <#ty>::from(#expression)),
            _ => expression.to_token_stream(),
        }
    }

    /// A literal default as a value.
    pub(crate) fn default_value(&self, value: &TokenStream) -> Option<TokenStream> {
        let literal = self.attributes.literal_default()?;
        Some(literal_value(literal, value))
    }

    /// The checks of `range`, `pattern` and `validate`, as a list of closures over the type of the value.
    pub(crate) fn checks(&self, paths: &Paths) -> Vec<TokenStream> {
        let ty = self.value_type();
        let mut checks = Vec::new();
        // A `Spanned<T>` is checked as its `T`.
        let checked = |span| {
            let value = quote_spanned!(span=> value);
            if argument(ty, "Spanned").is_some() { quote_spanned!(span=> #value.get()) } else { value }
        };
        if let Some(range) = &self.attributes.range {
            let message = range_message(range);
            let value = checked(range.span());
            checks.push(quote_spanned! {range.span()=>
                |value: &#ty| if (#range).contains(#value) {
                    ::core::result::Result::Ok(())
                } else {
                    ::core::result::Result::Err(::std::borrow::Cow::Borrowed(#message))
                }
            });
        }
        if let Some(pattern) = &self.attributes.pattern {
            let (krate, value) = (&paths.krate, checked(pattern.span()));
            checks.push(quote_spanned! {pattern.span()=>
                |value: &#ty| #krate::__private::check_pattern(#pattern, #value)
            });
        }
        for path in &self.attributes.validate {
            checks.push(quote_spanned! {path.span()=>
                |value: &#ty| {
                    #path(value).map_err(|error| ::std::borrow::Cow::Owned(::std::string::ToString::to_string(&error)))
                }
            });
        }
        checks
    }
}

/// Numbers are read as HCL reads them, so that no digit is lost.
fn literal_value(literal: &Expr, value: &TokenStream) -> TokenStream {
    let (sign, lit) = match literal {
        Expr::Array(array) => {
            let elements = array.elems.iter().map(|element| literal_value(element, value));
            return quote_spanned!(literal.span()=> #value::Value::tuple::<#value::Value>([#(#elements),*]));
        }
        Expr::Unary(unary) => ("-", &*unary.expr),
        other => ("", other),
    };
    let Expr::Lit(ExprLit { lit, .. }) = lit else { return literal.to_token_stream() };
    let digits = match lit {
        Lit::Int(number) => number.base10_digits().to_owned(),
        Lit::Float(number) => number.base10_digits().to_owned(),
        _ => return quote_spanned!(literal.span()=> #value::Value::from(#literal)),
    };
    let text = format!("{sign}{digits}");
    quote_spanned! {literal.span()=>
        #value::Value::from(#text.parse::<#value::Number>().expect("a number literal is a number"))
    }
}

/// The message for `range`, which depends on how the range is written.
fn range_message(range: &Expr) -> String {
    let text = |expression: &Expr| expression.to_token_stream().to_string().replace("- ", "-");
    let Expr::Range(range) = range else { return format!("the value must be in {}", text(range)) };
    let below = match range.limits {
        RangeLimits::HalfOpen(_) => "less than",
        RangeLimits::Closed(_) => "at most",
    };
    match (range.start.as_deref().map(text), range.end.as_deref().map(text)) {
        (Some(start), Some(end)) if below == "at most" => {
            format!("the value must be between {start} and {end}")
        }
        (Some(start), Some(end)) => format!("the value must be at least {start} and less than {end}"),
        (Some(start), None) => format!("the value must be at least {start}"),
        (None, Some(end)) => format!("the value must be {below} {end}"),
        (None, None) => "the value must be in the range".to_owned(),
    }
}
