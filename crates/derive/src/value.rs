//! `#[derive(FromValue)]` and `#[derive(IntoValue)]`: types for the values of attributes.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, ExprPath, Fields, Ident, Result, Type};

use crate::attributes::{DefaultValue, Role, Tag, TypeAttributes};
use crate::decode::{Paths, implement};
use crate::fields::{self, Field};
use crate::names::Case;

/// How a type is represented as a value.
enum Form<'a> {
    /// A struct: an object.
    Object(Vec<Field<'a>>),
    /// `struct T(U)`: as `U`.
    Newtype(&'a Type),
    /// An enum without data: a string.
    Names(Vec<(&'a Ident, Vec<String>)>),
    /// An enum with a tag: an object, in which the attribute of this name chooses the variant.
    Tagged(String, Vec<(&'a Ident, Vec<String>, Content<'a>)>),
}

/// What a variant contains.
enum Content<'a> {
    Nothing,
    One(&'a Type),
    Fields(Vec<Field<'a>>),
}

fn form<'a>(input: &'a DeriveInput, attributes: &TypeAttributes) -> Result<Form<'a>> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => {
                Ok(Form::Newtype(&unnamed.unnamed[0].ty))
            }
            fields => object_fields(fields, attributes).map(Form::Object),
        },
        Data::Enum(data) => enum_form(data, attributes),
        Data::Union(data) => Err(Error::new(data.union_token.span(), "expected a struct or an enum")),
    }
}

/// The fields of an object.
fn object_fields<'a>(fields: &'a Fields, attributes: &TypeAttributes) -> Result<Vec<Field<'a>>> {
    let fields = fields::of(fields, attributes.rename_all)?;
    let fits = |field: &Field| matches!(field.attributes.role, Role::Attribute | Role::Skip);
    match fields.iter().find(|field| !fits(field)) {
        Some(field) => Err(Error::new(
            field.ident.span(),
            "values have no labels and blocks; derive `Decode` for bodies",
        )),
        None => Ok(fields),
    }
}

fn enum_form<'a>(data: &'a DataEnum, attributes: &TypeAttributes) -> Result<Form<'a>> {
    let case = attributes.rename_all.unwrap_or(Case::Snake);
    let mut variants = Vec::new();
    for variant in &data.variants {
        let own = TypeAttributes::of(&variant.attrs)?;
        let name = own.name.as_ref().map_or_else(|| case.apply(&variant.ident), syn::LitStr::value);
        let names =
            std::iter::once(name).chain(own.aliases.iter().map(syn::LitStr::value)).collect::<Vec<_>>();
        let content = match &variant.fields {
            Fields::Unit => Content::Nothing,
            Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => Content::One(&unnamed.unnamed[0].ty),
            named @ Fields::Named(_) => Content::Fields(object_fields(named, &own)?),
            other @ Fields::Unnamed(_) => {
                return Err(Error::new(
                    other.span(),
                    "a variant must contain nothing, one type or named fields",
                ));
            }
        };
        variants.push((&variant.ident, names, content));
    }
    match &attributes.tag {
        Some(Tag::Attribute(tag)) => Ok(Form::Tagged(tag.value(), variants)),
        Some(Tag::Label) => {
            Err(Error::new(data.enum_token.span(), "values have no labels; write `tag = \"type\"`"))
        }
        None => match variants.iter().find(|(_, _, content)| !matches!(content, Content::Nothing)) {
            Some((ident, ..)) => Err(Error::new(
                ident.span(),
                "an enum with data requires `#[hcl(tag = \"type\")]`, with the name of the attribute that chooses the variant",
            )),
            None => Ok(Form::Names(variants.into_iter().map(|(ident, names, _)| (ident, names)).collect())),
        },
    }
}

/// An error, with an implementation that does nothing, so that uses of the type are not errors too.
pub(crate) fn failed(input: &DeriveInput, error: &Error) -> TokenStream {
    let Paths { value, .. } = Paths::of(&TypeAttributes::of(&input.attrs).unwrap_or_default());
    let typed = implement(&input.ident, &input.generics, &quote!(#value::Typed), &TokenStream::new());
    let from_value = quote! {
        fn from_value(_: &#value::Value) -> ::core::result::Result<Self, #value::Error> {
            ::core::unreachable!()
        }
    };
    let read = implement(&input.ident, &input.generics, &quote!(#value::FromValue), &from_value);
    let error = error.to_compile_error();
    quote!(#error #typed #read)
}

pub(crate) fn derive_from(input: &DeriveInput) -> Result<TokenStream> {
    let attributes = TypeAttributes::of(&input.attrs)?;
    fields::check_owned(&input.data)?;
    let form = form(input, &attributes)?;
    let paths = Paths::of(&attributes);
    let Paths { typed, value, .. } = &paths;
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let (ty, body) = match &form {
        Form::Newtype(inner) => (
            quote!(<#inner as #value::Typed>::value_type()),
            quote!(::core::result::Result::Ok(Self(<#inner as #value::FromValue>::from_value(value)?))),
        ),
        Form::Names(_) => {
            (quote!(#value::Type::String), quote!(::core::str::FromStr::from_str(&#typed::text(value)?)))
        }
        Form::Tagged(tag, variants) => {
            let names: Vec<&String> = variants.iter().flat_map(|(_, names, _)| names).collect();
            let arms = variants.iter().map(|(ident, names, content)| {
                let read = match content {
                    Content::One(ty) => quote!(#typed::read_rest::<#ty>(value, #tag).map(Self::#ident)),
                    Content::Nothing => {
                        quote!(#typed::read_rest::<#typed::NoAttributes>(value, #tag).map(|_| Self::#ident))
                    }
                    Content::Fields(fields) => {
                        let read = read_object(fields, &[], &quote!(Self::#ident), &paths);
                        quote!({
                            let value = &#typed::without(value, #tag);
                            #read
                        })
                    }
                };
                quote!(#(#names)|* => #read,)
            });
            (
                quote!(#value::Type::Dynamic),
                quote! {
                    match value.attribute_as::<::std::string::String>(#tag)?.as_str() {
                        #(#arms)*
                        other => ::core::result::Result::Err(#typed::unknown_name(other, &[#(#names),*])
                            .within(#value::Step::Attribute(#tag.into()))),
                    }
                },
            )
        }
        Form::Object(fields) => {
            let read = read_object(fields, &attributes.validate, &quote!(Self), &paths);
            (object_type(fields, &paths), read)
        }
    };
    // Labels and keys are read with `FromStr`.
    let from_str = match &form {
        Form::Names(variants) => {
            let names: Vec<&String> = variants.iter().flat_map(|(_, names)| names).collect();
            let arms = variants
                .iter()
                .map(|(ident, names)| quote!(#(#names)|* => ::core::result::Result::Ok(Self::#ident),));
            quote! {
                #[automatically_derived]
                impl #impl_generics ::core::str::FromStr for #name #type_generics #where_clause {
                    type Err = #value::Error;

                    fn from_str(text: &str) -> ::core::result::Result<Self, #value::Error> {
                        match text {
                            #(#arms)*
                            other => ::core::result::Result::Err(#typed::unknown_name(other, &[#(#names),*])),
                        }
                    }
                }
            }
        }
        _ => TokenStream::new(),
    };
    let names = match &form {
        Form::Names(variants) => {
            let names: Vec<&String> = variants.iter().flat_map(|(_, names)| names).collect();
            quote! {
                fn names() -> &'static [&'static str] {
                    &[#(#names),*]
                }
            }
        }
        Form::Newtype(inner) => quote! {
            fn names() -> &'static [&'static str] {
                <#inner as #value::Typed>::names()
            }
        },
        _ => TokenStream::new(),
    };
    Ok(quote! {
        #from_str

        #[automatically_derived]
        impl #impl_generics #value::Typed for #name #type_generics #where_clause {
            fn value_type() -> #value::Type {
                #ty
            }

            #names
        }

        #[automatically_derived]
        #[allow(clippy::borrowed_box)]
        impl #impl_generics #value::FromValue for #name #type_generics #where_clause {
            fn from_value(value: &#value::Value) -> ::core::result::Result<Self, #value::Error> {
                #body
            }
        }
    })
}

fn is_skipped(field: &Field) -> bool {
    field.attributes.role == Role::Skip
}

/// The type constraint of an object, in which attributes that may be missing are optional.
fn object_type(fields: &[Field], paths: &Paths) -> TokenStream {
    let Paths { typed, value, .. } = paths;
    let attributes = fields.iter().filter(|field| !is_skipped(field)).flat_map(|field| {
        let ty = field.value_type();
        let ty = if field.parsed_elements().is_some() {
            quote!(#value::Type::list(#value::Type::String))
        } else if field.attributes.from_str {
            quote!(#value::Type::String)
        } else if field.attributes.is_read_by_type() {
            quote!(<#ty as #value::Typed>::value_type())
        } else {
            quote!(#value::Type::Dynamic)
        };
        let optional = if field.is_option() || field.has_default() || !field.attributes.aliases.is_empty() {
            quote!(true)
        } else if !field.attributes.is_read_by_type() {
            quote!(false)
        } else {
            let ty = field.ty;
            quote!(<#ty as #value::Typed>::is_nullable())
        };
        let aliases = field.attributes.aliases.iter().map(syn::LitStr::value);
        let names: Vec<String> = std::iter::once(field.name.clone()).chain(aliases).collect();
        names.into_iter().map(move |name| quote!((#name, #ty, #optional))).collect::<Vec<_>>()
    });
    quote!(#typed::object_type(&[#(#attributes),*]))
}

/// Reads the fields of an object, and calls a constructor with them.
fn read_object(
    fields: &[Field],
    validate: &[ExprPath],
    constructor: &TokenStream,
    paths: &Paths,
) -> TokenStream {
    let Paths { typed, value, .. } = paths;
    let reads = fields.iter().map(|field| {
        let (ident, name, ty) = (field.ident, &field.name, field.value_type());
        let aliases = field.attributes.aliases.iter();
        let by_type = field.attributes.is_read_by_type();
        if is_skipped(field) {
            let own = own_name(ident);
            return quote!(let #own = ::core::option::Option::Some(::core::default::Default::default()););
        }
        let read = if let Some(element) = field.parsed_elements() {
            quote_spanned!(ty.span()=> &#typed::parse_each::<#ty, #element>)
        } else if let Some(path) = &field.attributes.with {
            quote_spanned!(path.span()=> &|value| #path(value).map_err(|error| #value::Error::new(::std::string::ToString::to_string(&error))))
        } else if field.attributes.from_str {
            quote_spanned!(ty.span()=> &#typed::parse_default::<#ty>)
        } else if field.attributes.one_or_many {
            quote_spanned!(ty.span()=> &#typed::read_one_or_many::<#ty>)
        } else {
            quote_spanned!(ty.span()=> &|value| #typed::read_part::<#ty>(value))
        };
        let checks = field.checks(paths);
        let part = quote!(#typed::part(value, &[#name, #(#aliases),*], #read, &[#(&#checks),*]));
        let ok = quote!(::core::result::Result::Ok);
        let read = match (&field.attributes.default, field.is_option()) {
            (None, true) => part,
            (None, false) if by_type => {
                let ty = field.ty;
                quote!(match #part? {
                    ::core::option::Option::Some(part) => #ok(part),
                    ::core::option::Option::None => #typed::missing_part::<#ty>(#name),
                })
            }
            (None, false) => quote!(#part?.ok_or_else(|| #typed::is_required(#name))),
            (Some(default), option) => {
                let default = match default {
                    DefaultValue::Trait => quote!(<#ty as ::core::default::Default>::default()),
                    DefaultValue::Expression(expression) => match field.default_value(value) {
                        Some(literal) if field.parsed_elements().is_some() => {
                            let element = field.parsed_elements();
                            quote!(#typed::parse_each::<#ty, #element>(&#literal)?)
                        }
                        Some(literal) if by_type => quote!(#typed::read_part::<#ty>(&#literal)?),
                        Some(literal) if field.attributes.from_str => quote!(#typed::parse_default::<#ty>(&#literal)?),
                        Some(literal) if field.attributes.one_or_many => {
                            quote!(#typed::read_one_or_many::<#ty>(&#literal)?)
                        }
                        _ => field.default_expression(expression),
                    },
                };
                let or = quote!(match #part? {
                    ::core::option::Option::Some(part) => part,
                    ::core::option::Option::None => #default,
                });
                if option { quote!(#ok(::core::option::Option::Some(#or))) } else { quote!(#ok(#or)) }
            }
        };
        let (own, ty) = (own_name(ident), field.ty);
        let result = quote!(::core::result::Result<#ty, #value::Error>);
        quote!(let #own = errors.take((|| -> #result { #read })());)
    });
    let known = fields.iter().filter(|field| !is_skipped(field)).flat_map(|field| {
        std::iter::once(field.name.clone()).chain(field.attributes.aliases.iter().map(syn::LitStr::value))
    });
    let checks = validate.iter().map(|path| {
        quote!(#path(&read).map_err(|error| #value::Error::new(::std::string::ToString::to_string(&error)))?;)
    });
    let idents: Vec<&Ident> = fields.iter().map(|field| field.ident).collect();
    let own: Vec<Ident> = idents.iter().map(|ident| own_name(ident)).collect();
    // The errors of all attributes are reported.
    quote! {
        let mut errors = #typed::Errors::default();
        #typed::check_object(value, &[#(#known),*], &mut errors)?;
        #(#reads)*
        errors.finish(())?;
        let read = #constructor { #(#idents: #typed::valid(#own)?),* };
        #(#checks)*
        ::core::result::Result::Ok(read)
    }
}

/// The variable for a field, whose name differs from those of the generated code.
fn own_name(ident: &Ident) -> Ident {
    format_ident!("__{}", ident.unraw())
}

pub(crate) fn derive_into(input: &DeriveInput) -> Result<TokenStream> {
    let attributes = TypeAttributes::of(&input.attrs)?;
    let form = form(input, &attributes)?;
    let paths = Paths::of(&attributes);
    let Paths { typed, value, .. } = &paths;
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let body = match &form {
        Form::Newtype(_) => quote!(#value::IntoValue::to_value(&self.0)),
        Form::Names(_) => {
            quote!(::core::result::Result::Ok(#value::Value::from(::std::string::ToString::to_string(self))))
        }
        Form::Tagged(tag, variants) => {
            let arms = variants.iter().map(|(ident, names, content)| {
                let name = &names[0];
                match content {
                    Content::One(_) => quote! {
                        Self::#ident(content) => #typed::tagged(&#value::IntoValue::to_value(content)?, #tag, #name)
                    },
                    Content::Nothing => quote! {
                        Self::#ident => #typed::tagged(&#value::Value::object::<&str, #value::Value>([]), #tag, #name)
                    },
                    Content::Fields(fields) => {
                        let idents = fields.iter().map(|field| field.ident);
                        let object = write_object(fields, false, &paths);
                        quote!(Self::#ident { #(#idents),* } => #typed::tagged(&#object, #tag, #name))
                    }
                }
            });
            quote!(match self { #(#arms),* })
        }
        Form::Object(fields) => {
            let object = write_object(fields, true, &paths);
            quote!(::core::result::Result::Ok(#object))
        }
    };
    // Labels and keys are written with `Display`.
    let display = match &form {
        Form::Names(variants) => {
            let arms = variants.iter().map(|(ident, names)| {
                let name = &names[0];
                quote!(Self::#ident => #name)
            });
            quote! {
                #[automatically_derived]
                impl #impl_generics ::core::fmt::Display for #name #type_generics #where_clause {
                    fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        formatter.write_str(match self { #(#arms),* })
                    }
                }
            }
        }
        _ => TokenStream::new(),
    };
    Ok(quote! {
        #display

        #[automatically_derived]
        impl #impl_generics #value::IntoValue for #name #type_generics #where_clause {
            fn to_value(&self) -> ::core::result::Result<#value::Value, #value::Error> {
                #body
            }
        }
    })
}

/// An object of the fields of a struct or of a variant.
fn write_object(fields: &[Field], of_self: bool, paths: &Paths) -> TokenStream {
    let value = &paths.value;
    let parts = fields.iter().filter(|field| !is_skipped(field)).map(|field| {
        let (ident, name, ty) = (field.ident, &field.name, field.ty);
        let part = if of_self { quote!(&self.#ident) } else { quote!(#ident) };
        let value_of = if field.parsed_elements().is_some() {
            let texts = |parts: TokenStream| quote! {
                #value::Value::from(#parts.iter().map(::std::string::ToString::to_string)
                    .collect::<::std::vec::Vec<::std::string::String>>())
            };
            if field.is_option() {
                let texts = texts(quote!(parts));
                quote!(match #part {
                    ::core::option::Option::Some(parts) => #texts,
                    ::core::option::Option::None => #value::Value::NULL,
                })
            } else {
                texts(quote!((#part)))
            }
        } else if field.attributes.from_str || field.attributes.with.is_some() {
            if field.is_option() {
                quote!(match #part {
                    ::core::option::Option::Some(part) => #value::Value::from(::std::string::ToString::to_string(part)),
                    ::core::option::Option::None => #value::Value::NULL,
                })
            } else {
                quote!(#value::Value::from(::std::string::ToString::to_string(#part)))
            }
        } else {
            quote_spanned!(ty.span()=> #value::IntoValue::to_value(#part)
                .map_err(|error| error.within(#value::Step::Attribute(#name.into())))?)
        };
        quote!((#name, #value_of))
    });
    quote!(#value::Value::object::<&str, #value::Value>([#(#parts),*]))
}
