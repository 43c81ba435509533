//! `#[derive(FromValue)]` and `#[derive(IntoValue)]`: types for the values of attributes.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Ident, Result, Type};

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
    Tagged(String, Vec<(&'a Ident, Vec<String>, Option<&'a Type>)>),
}

fn form<'a>(input: &'a DeriveInput, attributes: &TypeAttributes) -> Result<Form<'a>> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => {
                Ok(Form::Newtype(&unnamed.unnamed[0].ty))
            }
            fields => {
                let fields = fields::of(fields, attributes.rename_all)?;
                let fits = |field: &Field| matches!(field.attributes.role, Role::Attribute | Role::Skip);
                if let Some(field) = fields.iter().find(|field| !fits(field)) {
                    return Err(Error::new(
                        field.ident.span(),
                        "values have no labels and blocks; derive `Decode` for bodies",
                    ));
                }
                Ok(Form::Object(fields))
            }
        },
        Data::Enum(data) => enum_form(data, attributes),
        Data::Union(data) => Err(Error::new(data.union_token.span(), "expected a struct or an enum")),
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
            Fields::Unit => None,
            Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => Some(&unnamed.unnamed[0].ty),
            other => return Err(Error::new(other.span(), "a variant must contain nothing or one type")),
        };
        variants.push((&variant.ident, names, content));
    }
    match &attributes.tag {
        Some(Tag::Attribute(tag)) => Ok(Form::Tagged(tag.value(), variants)),
        Some(Tag::Label) => {
            Err(Error::new(data.enum_token.span(), "values have no labels; write `tag = \"type\"`"))
        }
        None => match variants.iter().find(|(_, _, content)| content.is_some()) {
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
        Form::Names(variants) => {
            let names: Vec<&String> = variants.iter().flat_map(|(_, names)| names).collect();
            let arms = variants
                .iter()
                .map(|(ident, names)| quote!(#(#names)|* => ::core::result::Result::Ok(Self::#ident),));
            (
                quote!(#value::Type::String),
                quote! {
                    match <&str>::try_from(value)? {
                        #(#arms)*
                        other => ::core::result::Result::Err(#typed::unknown_name(other, &[#(#names),*])),
                    }
                },
            )
        }
        Form::Tagged(tag, variants) => {
            let names: Vec<&String> = variants.iter().flat_map(|(_, names, _)| names).collect();
            let arms = variants.iter().map(|(ident, names, content)| {
                let read = match content {
                    Some(ty) => quote!(#typed::read_rest::<#ty>(value, #tag).map(Self::#ident)),
                    None => {
                        quote!(#typed::read_rest::<#typed::NoAttributes>(value, #tag).map(|_| Self::#ident))
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
        Form::Object(fields) => (object_type(fields, &paths), read_object(fields, &attributes, &paths)),
    };
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #value::Typed for #name #type_generics #where_clause {
            fn value_type() -> #value::Type {
                #ty
            }
        }

        #[automatically_derived]
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

fn read_object(fields: &[Field], attributes: &TypeAttributes, paths: &Paths) -> TokenStream {
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
        let checks = field.checks();
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
                        Some(literal) if by_type => quote!(#typed::read_part::<#ty>(&#literal)?),
                        Some(literal) if field.attributes.from_str => quote!(#typed::parse_default::<#ty>(&#literal)?),
                        Some(literal) if field.attributes.one_or_many => {
                            quote!(#typed::read_one_or_many::<#ty>(&#literal)?)
                        }
                        _ => quote!(#expression),
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
    let checks = attributes.validate.iter().map(|path| {
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
        let read = Self { #(#idents: #typed::valid(#own)?),* };
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
    let Paths { typed, value, .. } = Paths::of(&attributes);
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let body = match &form {
        Form::Newtype(_) => quote!(#value::IntoValue::into_value(self.0)),
        Form::Names(variants) => {
            let arms = variants.iter().map(|(ident, names)| {
                let name = &names[0];
                quote!(Self::#ident => #name)
            });
            quote!(::core::result::Result::Ok(#value::Value::from(match self { #(#arms),* })))
        }
        Form::Tagged(tag, variants) => {
            let arms = variants.iter().map(|(ident, names, content)| {
                let name = &names[0];
                if content.is_some() {
                    quote!(Self::#ident(content) => #typed::tagged(&#value::IntoValue::into_value(content)?, #tag, #name))
                } else {
                    quote!(Self::#ident => #typed::tagged(&#value::Value::object::<&str>([]), #tag, #name))
                }
            });
            quote!(match self { #(#arms),* })
        }
        Form::Object(fields) => {
            let parts = fields.iter().filter(|field| !is_skipped(field)).map(|field| {
                let (ident, name, ty) = (field.ident, &field.name, field.ty);
                let value_of = if field.parsed_elements().is_some() {
                    let texts = |parts: TokenStream| quote! {
                        #value::Value::from(#parts.iter().map(::std::string::ToString::to_string)
                            .collect::<::std::vec::Vec<::std::string::String>>())
                    };
                    if field.is_option() {
                        let texts = texts(quote!(parts));
                        quote!(match &self.#ident {
                            ::core::option::Option::Some(parts) => #texts,
                            ::core::option::Option::None => #value::Value::NULL,
                        })
                    } else {
                        texts(quote!(self.#ident))
                    }
                } else if field.attributes.from_str || field.attributes.with.is_some() {
                    if field.is_option() {
                        quote!(match self.#ident {
                            ::core::option::Option::Some(part) => #value::Value::from(::std::string::ToString::to_string(&part)),
                            ::core::option::Option::None => #value::Value::NULL,
                        })
                    } else {
                        quote!(#value::Value::from(::std::string::ToString::to_string(&self.#ident)))
                    }
                } else {
                    quote_spanned!(ty.span()=> #value::IntoValue::into_value(self.#ident)
                        .map_err(|error| error.within(#value::Step::Attribute(#name.into())))?)
                };
                quote!((#name, #value_of))
            });
            quote!(::core::result::Result::Ok(#value::Value::object([#(#parts),*])))
        }
    };
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #value::IntoValue for #name #type_generics #where_clause {
            fn into_value(self) -> ::core::result::Result<#value::Value, #value::Error> {
                #body
            }
        }
    })
}
