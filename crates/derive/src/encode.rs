//! `#[derive(Encode)]`, which uses the attributes of `#[derive(Decode)]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Path, Result, parse_quote};

use crate::attributes::{Role, Tag, TypeAttributes};
use crate::fields::{self, Field};
use crate::variants::{self, Content};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let attributes = TypeAttributes::of(&input.attrs)?;
    let krate: Path = attributes.krate.clone().unwrap_or_else(|| parse_quote!(::hclkit));
    let write = quote!(#krate::write);
    let methods = match &input.data {
        Data::Struct(data) => {
            let fields = fields::of(&data.fields, attributes.rename_all)?;
            let (labels, encode) = (labels(&fields, true), encode(&fields, &write, true));
            quote! {
                fn labels(&self) -> ::std::vec::Vec<::std::string::String> {
                    ::core::iter::empty::<::std::string::String>()#(.chain(#labels))*.collect()
                }

                fn encode_into(&self, body: #write::NewBody) -> ::core::result::Result<#write::NewBody, #write::Error> {
                    #encode
                    ::core::result::Result::Ok(body)
                }
            }
        }
        Data::Enum(data) => {
            let variants = variants::variants(input, data, &attributes)?;
            enum_methods(&variants, &attributes, &write)
        }
        Data::Union(data) => {
            return Err(Error::new(data.union_token.span(), "`Encode` can be derived for structs and enums"));
        }
    };
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #write::Encode for #name #type_generics #where_clause {
            #methods
        }
    })
}

/// An expression that refers to a field.
fn access(field: &Field, of_self: bool) -> TokenStream {
    let ident = field.ident;
    if of_self { quote!(&self.#ident) } else { quote!(#ident) }
}

/// Expressions of iterators of labels.
fn labels(fields: &[Field], of_self: bool) -> Vec<TokenStream> {
    let labels = fields.iter().filter(|field| field.attributes.role == Role::Label);
    labels
        .map(|field| {
            let label = access(field, of_self);
            if field.is_option() {
                quote!(::core::option::Option::iter(#label).map(::std::string::ToString::to_string))
            } else {
                quote!(::core::iter::once(::std::string::ToString::to_string(#label)))
            }
        })
        .collect()
}

/// Statements that add the fields to `body`.
fn encode(fields: &[Field], write: &TokenStream, of_self: bool) -> TokenStream {
    let one = |field: &Field| {
        let (name, value, span) = (&field.name, access(field, of_self), field.ty.span());
        match field.attributes.role {
            Role::Label | Role::Skip => TokenStream::new(),
            Role::Flatten if field.is_option() => quote_spanned! {span=>
                let body = match #value {
                    ::core::option::Option::Some(value) => #write::Encode::encode_into(value, body)?,
                    ::core::option::Option::None => body,
                };
            },
            Role::Flatten => quote_spanned!(span=> let body = #write::Encode::encode_into(#value, body)?;),
            Role::Rest
                if fields::arguments(field.ty, None).is_some_and(|arguments| !arguments.is_empty()) =>
            {
                quote_spanned! {span=>
                    let mut body = body;
                    for (name, value) in #value {
                        body = #write::encode_attribute(name.as_ref(), value, body)?;
                    }
                }
            }
            Role::Rest => quote_spanned!(span=> let body = #write::encode_rest(#value, body);),
            Role::Block if field.attributes.keyed => {
                // The order of a `HashMap` differs from run to run.
                let sort = field.is_hash_map().then(|| {
                    quote_spanned!(span=> entries.sort_by_cached_key(|(key, _)| ::std::string::ToString::to_string(key));)
                });
                let mutable = sort.is_some().then(|| quote!(mut));
                quote_spanned! {span=>
                    let mut body = body;
                    let #mutable entries: ::std::vec::Vec<_> = ::std::iter::IntoIterator::into_iter(#value).collect();
                    #sort
                    for (key, block) in entries {
                        body = #write::encode_keyed_block(#name, key, block, body)?;
                    }
                }
            }
            Role::Block => {
                quote_spanned!(span=> let body = #write::EncodeBlocks::encode_blocks(#value, #name, body)?;)
            }
            Role::Attribute => {
                let encode = if field.parsed_elements().is_some() {
                    quote! {{
                        let texts: ::std::vec::Vec<::std::string::String> =
                            value.iter().map(::std::string::ToString::to_string).collect();
                        #write::encode_attribute(#name, &texts, body)?
                    }}
                } else if field.attributes.from_str {
                    quote!(#write::encode_attribute(#name, &::std::string::ToString::to_string(value), body)?)
                } else {
                    quote_spanned!(span=> #write::encode_attribute(#name, value, body)?)
                };
                if field.is_option() {
                    quote! {
                        let body = match #value {
                            ::core::option::Option::Some(value) => #encode,
                            ::core::option::Option::None => body,
                        };
                    }
                } else {
                    quote!(let body = { let value = #value; #encode };)
                }
            }
        }
    };
    // Attributes come before blocks, as people write them.
    let rank = |field: &&Field| match field.attributes.role {
        Role::Label | Role::Attribute | Role::Skip => 0,
        Role::Flatten => 1,
        Role::Rest if fields::arguments(field.ty, None).is_some_and(|arguments| !arguments.is_empty()) => 2,
        Role::Block => 3,
        Role::Rest => 4,
    };
    let mut ordered: Vec<&Field> = fields.iter().collect();
    ordered.sort_by_key(rank);
    ordered.into_iter().map(one).collect()
}

fn enum_methods(
    variants: &[variants::Variant],
    attributes: &TypeAttributes,
    write: &TokenStream,
) -> TokenStream {
    let (mut types, mut label_arms, mut arms) = (Vec::new(), Vec::new(), Vec::new());
    for variant in variants {
        let (ident, name) = (variant.ident, &variant.names[0]);
        let label = matches!(attributes.tag, Some(Tag::Label))
            .then(|| quote!(::core::iter::once(::std::string::String::from(#name))));
        let label = label.iter();
        let tag = match &attributes.tag {
            Some(Tag::Attribute(tag)) => quote!(let body = body.attribute(#tag, #name);),
            _ => TokenStream::new(),
        };
        types.push(quote!(Self::#ident { .. } => #name));
        match &variant.content {
            Content::Type(_) => {
                label_arms.push(quote! {
                    Self::#ident(content) => {
                        ::core::iter::empty::<::std::string::String>()#(.chain(#label))*.chain(#write::Encode::labels(content)).collect()
                    }
                });
                arms.push(quote! {
                    Self::#ident(content) => {
                        #tag
                        let body = #write::Encode::encode_into(content, body)?;
                        ::core::result::Result::Ok(body)
                    }
                });
            }
            Content::Fields(fields) => {
                let names: Vec<_> = fields.iter().map(|field| field.ident).collect();
                let (own, encode) = (labels(fields, false), encode(fields, write, false));
                let all = label.cloned().chain(own);
                label_arms.push(quote! {
                    #[allow(unused_variables)]
                    Self::#ident { #(#names),* } => ::core::iter::empty::<::std::string::String>()#(.chain(#all))*.collect()
                });
                arms.push(quote! {
                    #[allow(unused_variables)]
                    Self::#ident { #(#names),* } => {
                        #tag
                        #encode
                        ::core::result::Result::Ok(body)
                    }
                });
            }
        }
    }
    let block_type = attributes.tag.is_none().then(|| {
        quote! {
            fn block_type<'n>(&self, _: &'n str) -> &'n str {
                match self { #(#types),* }
            }
        }
    });
    quote! {
        #block_type

        fn labels(&self) -> ::std::vec::Vec<::std::string::String> {
            match self { #(#label_arms),* }
        }

        fn encode_into(&self, body: #write::NewBody) -> ::core::result::Result<#write::NewBody, #write::Error> {
            match self { #(#arms),* }
        }
    }
}
