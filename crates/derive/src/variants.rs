//! `#[derive(Decode)]` for enums: a variant for each block type, for each first label, or for each value of an
//! attribute.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{DataEnum, DeriveInput, Error, Fields, Generics, Ident, Result, Type};

use crate::attributes::{Tag, TypeAttributes};
use crate::decode::{Paths, implement, implementation};
use crate::fields;
use crate::names::Case;

/// A variant of an enum.
pub(crate) struct Variant<'a> {
    pub(crate) ident: &'a Ident,
    /// Its names in HCL; the first one is used in messages.
    pub(crate) names: Vec<String>,
    pub(crate) content: Content<'a>,
}

/// What a variant contains.
pub(crate) enum Content<'a> {
    /// `Variant(T)`
    Type(&'a Type),
    /// `Variant { … }` and `Variant`: fields, which a separate struct decodes.
    Fields(Vec<fields::Field<'a>>),
}

impl Variant<'_> {
    /// The type that decodes the content.
    fn ty(&self) -> TokenStream {
        match &self.content {
            Content::Type(ty) => quote!(#ty),
            Content::Fields(_) => {
                let name = self.struct_name();
                quote!(#name)
            }
        }
    }

    fn struct_name(&self) -> Ident {
        format_ident!("__{}", self.ident)
    }

    /// A closure from the content to the variant.
    fn constructor(&self) -> TokenStream {
        let (ident, name) = (self.ident, self.struct_name());
        match &self.content {
            Content::Type(_) => quote!(Self::#ident),
            Content::Fields(fields) => {
                let names: Vec<&Ident> = fields.iter().map(|field| field.ident).collect();
                quote!(|#name { #(#names),* }| Self::#ident { #(#names),* })
            }
        }
    }

    fn pattern(&self) -> TokenStream {
        let names = &self.names;
        quote!(#(#names)|*)
    }
}

pub(crate) fn derive(
    input: &DeriveInput,
    data: &DataEnum,
    attributes: &TypeAttributes,
) -> Result<TokenStream> {
    if data.variants.is_empty() {
        return Err(Error::new(input.ident.span(), "an enum without variants cannot be decoded"));
    }
    if let Some(validate) = attributes.validate.first() {
        return Err(Error::new(
            validate.span(),
            "`validate` is for structs; validate the content of each variant",
        ));
    }
    let variants = variants(input, data, attributes)?;
    let implementation = match &attributes.tag {
        None => by_type(input, &variants, attributes),
        Some(Tag::Label) => by_label(input, &variants, attributes),
        Some(Tag::Attribute(name)) => by_attribute(input, &variants, &name.value(), attributes),
    };
    let structs = structs(&variants, attributes);
    // The structs of the variants are visible only here.
    Ok(quote! {
        const _: () = {
            #structs
            #implementation
        };
    })
}

pub(crate) fn variants<'a>(
    input: &'a DeriveInput,
    data: &'a DataEnum,
    attributes: &TypeAttributes,
) -> Result<Vec<Variant<'a>>> {
    let case = attributes.rename_all.unwrap_or(Case::Snake);
    let mut seen: Vec<String> = Vec::new();
    let mut variants = Vec::new();
    for variant in &data.variants {
        let own = TypeAttributes::of(&variant.attrs)?;
        if own.tag.is_some() || !own.validate.is_empty() || own.krate.is_some() {
            return Err(Error::new(variant.span(), "a variant can have `rename`, `alias` and `rename_all`"));
        }
        let name = own.name.as_ref().map_or_else(|| case.apply(&variant.ident), syn::LitStr::value);
        let aliases = own.aliases.iter().map(syn::LitStr::value);
        let names: Vec<String> = std::iter::once(name).chain(aliases).collect();
        for name in &names {
            if seen.contains(name) {
                return Err(Error::new(
                    variant.ident.span(),
                    format!("another variant is already named \"{name}\""),
                ));
            }
            seen.push(name.clone());
        }
        let content = match &variant.fields {
            Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => Content::Type(&unnamed.unnamed[0].ty),
            Fields::Unnamed(unnamed) => {
                return Err(Error::new(unnamed.span(), "a variant must contain one type or named fields"));
            }
            named => {
                if !input.generics.params.is_empty() && !named.is_empty() {
                    return Err(Error::new(
                        named.span(),
                        "in a generic enum, a variant must contain one type; move the fields to a struct",
                    ));
                }
                Content::Fields(fields::of(named, own.rename_all)?)
            }
        };
        variants.push(Variant { ident: &variant.ident, names, content });
    }
    Ok(variants)
}

/// A struct for the content of each variant that has fields.
fn structs(variants: &[Variant], attributes: &TypeAttributes) -> TokenStream {
    let one = |variant: &Variant| {
        let Content::Fields(fields) = &variant.content else { return TokenStream::new() };
        let name = variant.struct_name();
        let (idents, types): (Vec<_>, Vec<_>) = fields.iter().map(|field| (field.ident, field.ty)).unzip();
        let plain = TypeAttributes { krate: attributes.krate.clone(), ..Default::default() };
        let implementation = implementation(&name, &Generics::default(), fields, &plain);
        quote! {
            #[allow(non_camel_case_types)]
            struct #name { #(#idents: #types),* }
            #implementation
        }
    };
    variants.iter().map(one).collect()
}

/// Each variant is a block type.
fn by_type(input: &DeriveInput, variants: &[Variant], attributes: &TypeAttributes) -> TokenStream {
    let Paths { typed, model, .. } = Paths::of(attributes);
    let types = variants.iter().flat_map(|variant| {
        let ty = variant.ty();
        variant.names.iter().map(move |name| (name.clone(), ty.clone()))
    });
    let (names, types): (Vec<String>, Vec<TokenStream>) = types.unzip();
    let arms = variants.iter().map(|variant| {
        let (pattern, ty, constructor) = (variant.pattern(), variant.ty(), variant.constructor());
        quote! {
            #pattern => {
                let (decoded, found) = <#ty as #typed::DecodeBlock>::decode_block(block, taken, context);
                (decoded.map(#constructor), found)
            }
        }
    });
    let items = quote! {
        const SEVERAL_TYPES: bool = true;

        fn block_types(_: &'static str) -> ::std::vec::Vec<#typed::BlockType> {
            ::std::vec![#(#typed::BlockType::of::<#types>(#names)),*]
        }

        fn is_block_type(_: &str, block_type: &str) -> bool {
            ::core::matches!(block_type, #(#names)|*)
        }

        fn decode_block(
            block: &#typed::GivenBlock<'_>,
            taken: usize,
            context: &#model::Context,
        ) -> (::core::option::Option<Self>, #model::Diagnostics) {
            match block.block_type() {
                #(#arms)*
                _ => {
                    let (name, place) = (block.block_type(), block.type_place());
                    (::core::option::Option::None, #typed::unknown_variant(name, &place, &[#(#names),*]))
                }
            }
        }
    };
    implement(&input.ident, &input.generics, &quote!(#typed::DecodeBlock), &items)
}

/// The first label of the block chooses the variant.
fn by_label(input: &DeriveInput, variants: &[Variant], attributes: &TypeAttributes) -> TokenStream {
    let Paths { typed, model, .. } = Paths::of(attributes);
    let types: Vec<TokenStream> = variants.iter().map(Variant::ty).collect();
    let first = &types[0];
    let names: Vec<&String> = variants.iter().flat_map(|variant| &variant.names).collect();
    let arms = variants.iter().map(|variant| {
        let (pattern, ty, constructor) = (variant.pattern(), variant.ty(), variant.constructor());
        quote! {
            #pattern => {
                let (decoded, found) = <#ty as #typed::DecodeBlock>::decode_block(block, taken + 1, context);
                (decoded.map(#constructor), found)
            }
        }
    });
    let items = quote! {
        fn block_types(name: &'static str) -> ::std::vec::Vec<#typed::BlockType> {
            const OWN: &[&str] = <#first as #typed::Decode>::LABELS;
            // A block type has a fixed number of labels.
            const _: () = { #(::core::assert!(
                <#types as #typed::Decode>::LABELS.len() == OWN.len(),
                "all variants must have the same number of labels",
            );)* };
            const LABELS: [&str; OWN.len() + 1] = {
                let mut labels = ["type"; OWN.len() + 1];
                let mut at = 0;
                while at < OWN.len() {
                    labels[at + 1] = OWN[at];
                    at += 1;
                }
                labels
            };
            let specs = [#(<#types as #typed::Decode>::spec()),*];
            ::std::vec![#typed::BlockType { name, labels: &LABELS, spec: #typed::any_of("type", &LABELS, specs) }]
        }

        fn decode_block(
            block: &#typed::GivenBlock<'_>,
            taken: usize,
            context: &#model::Context,
        ) -> (::core::option::Option<Self>, #model::Diagnostics) {
            match &*block.label(taken).unwrap_or_default() {
                #(#arms)*
                other => {
                    let place = block.label_place(taken);
                    (::core::option::Option::None, #typed::unknown_variant(other, &place, &[#(#names),*]))
                }
            }
        }
    };
    implement(&input.ident, &input.generics, &quote!(#typed::DecodeBlock), &items)
}

/// The value of an attribute chooses the variant.
fn by_attribute(
    input: &DeriveInput,
    variants: &[Variant],
    tag: &str,
    attributes: &TypeAttributes,
) -> TokenStream {
    let Paths { typed, model, .. } = Paths::of(attributes);
    let types: Vec<TokenStream> = variants.iter().map(Variant::ty).collect();
    let first = &types[0];
    let names: Vec<&String> = variants.iter().flat_map(|variant| &variant.names).collect();
    let arms = variants.iter().map(|variant| {
        let (pattern, ty, constructor) = (variant.pattern(), variant.ty(), variant.constructor());
        quote!(#pattern => fields.variant::<#ty>().map(#constructor),)
    });
    let items = quote! {
        const LABELS: &'static [&'static str] = <#first as #typed::Decode>::LABELS;
        const HAS_REST: bool = true;

        fn spec() -> #model::Spec {
            #typed::spec_of::<Self>(|| {
                #typed::any_of_tagged(#tag, [#(<#types as #typed::Decode>::spec()),*])
            })
        }

        fn schema() -> ::std::borrow::Cow<'static, #model::Schema> {
            ::std::borrow::Cow::Owned(#model::Schema::new().with_required(#tag))
        }

        fn read(fields: &mut #typed::Fields<'_>) -> ::core::option::Option<Self> {
            let tag = fields.required(
                &#typed::Field::<#typed::Spanned<::std::string::String>>::new(#tag),
                ::core::option::Option::None,
            )?;
            match tag.as_str() {
                #(#arms)*
                other => {
                    fields.add(#typed::unknown_variant(other, tag.place(), &[#(#names),*]));
                    ::core::option::Option::None
                }
            }
        }
    };
    implement(&input.ident, &input.generics, &quote!(#typed::Decode), &items)
}
