//! `#[derive(Decode)]` for structs; enums are in `variants.rs`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Expr, Generics, Ident, Path, Result, parse_quote};

use crate::attributes::{DefaultValue, Role, TypeAttributes};
use crate::fields::{self, Elements, Field};
use crate::variants;

/// Paths into hclkit for generated code.
pub(crate) struct Paths {
    pub(crate) krate: Path,
    pub(crate) typed: TokenStream,
    pub(crate) model: TokenStream,
    pub(crate) value: TokenStream,
}

impl Paths {
    pub(crate) fn of(attributes: &TypeAttributes) -> Self {
        let krate: Path = attributes.krate.clone().unwrap_or_else(|| parse_quote!(::hclkit));
        Self {
            typed: quote!(#krate::model::typed),
            model: quote!(#krate::model),
            value: quote!(#krate::value),
            krate,
        }
    }
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let attributes = TypeAttributes::of(&input.attrs)?;
    fields::check_owned(&input.data)?;
    match &input.data {
        Data::Struct(data) => {
            if attributes.tag.is_some() {
                return Err(Error::new(input.ident.span(), "`tag` is for enums"));
            }
            let fields = fields::of(&data.fields, attributes.rename_all)?;
            Ok(implementation(&input.ident, &input.generics, &fields, &attributes))
        }
        Data::Enum(data) => variants::derive(input, data, &attributes),
        Data::Union(data) => {
            Err(Error::new(data.union_token.span(), "`Decode` can be derived for structs and enums"))
        }
    }
}

/// An error, with an implementation that does nothing, so that uses of the type are not errors too.
pub(crate) fn failed(input: &DeriveInput, error: &Error) -> TokenStream {
    let paths = Paths::of(&TypeAttributes::of(&input.attrs).unwrap_or_default());
    let Paths { typed, model, .. } = &paths;
    let items = quote! {
        fn spec() -> #model::Spec {
            ::core::unreachable!()
        }

        fn read(_: &mut #typed::Fields<'_>) -> ::core::option::Option<Self> {
            ::core::option::Option::None
        }
    };
    let implementation = implement(&input.ident, &input.generics, &quote!(#typed::Decode), &items);
    let error = error.to_compile_error();
    quote!(#error #implementation)
}

/// The implementation of a trait.
pub(crate) fn implement(
    name: &Ident,
    generics: &Generics,
    of: &TokenStream,
    items: &TokenStream,
) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    quote! {
        // Checks are closures over references to the types of fields, and that can be a box.
        #[automatically_derived]
        #[allow(clippy::borrowed_box)]
        impl #impl_generics #of for #name #type_generics #where_clause {
            #items
        }
    }
}

/// The impl for a struct.
pub(crate) fn implementation(
    name: &Ident,
    generics: &Generics,
    fields: &[Field],
    attributes: &TypeAttributes,
) -> TokenStream {
    let paths = Paths::of(attributes);
    let Paths { typed, model, .. } = &paths;
    let labels = || fields.iter().filter(|field| field.attributes.role == Role::Label);
    let optional_labels = labels().filter(|field| field.is_option()).count();
    let labels = labels().map(|field| &field.name);
    let has_rest = fields.iter().map(|field| match field.attributes.role {
        Role::Rest => quote!(true),
        Role::Flatten => {
            let ty = field.value_type();
            quote!(<#ty as #typed::Decode>::HAS_REST)
        }
        _ => quote!(false),
    });
    let specs = specs(fields, &paths);
    let schema = schema(generics, &paths);
    let reads = fields.iter().zip(0..).scan(0, |labels, (field, at)| {
        let label = *labels;
        *labels += usize::from(field.attributes.role == Role::Label);
        let local = quote::format_ident!("field_{at}");
        let read = read(field, label, &paths);
        Some(quote!(let #local = #read;))
    });
    let names = fields.iter().zip(0..).map(|(field, at)| {
        let (ident, local) = (field.ident, quote::format_ident!("field_{at}"));
        quote!(#ident: #local?)
    });
    let checks = attributes.validate.iter().map(|path| {
        quote_spanned!(path.span()=> let decoded = fields.checked(decoded, |decoded: &Self| #path(decoded))?;)
    });
    let items = quote! {
        const LABELS: &'static [&'static str] = &[#(#labels),*];
        const OPTIONAL_LABELS: usize = #optional_labels;
        const HAS_REST: bool = false #(|| #has_rest)*;

        fn spec() -> #model::Spec {
            #typed::spec_of::<Self>(|| {
                #[allow(unused_mut)]
                let mut attributes = ::std::vec::Vec::new();
                #(#specs)*
                #model::Spec::object::<#typed::Name>(attributes)
            })
        }

        #schema

        #[allow(unused_variables, clippy::let_unit_value)]
        fn read(fields: &mut #typed::Fields<'_>) -> ::core::option::Option<Self> {
            // All fields are read before the first error returns, so that all errors are reported.
            #(#reads)*
            let decoded = Self { #(#names),* };
            #(#checks)*
            ::core::option::Option::Some(decoded)
        }
    };
    implement(name, generics, &quote!(#typed::Decode), &items)
}

/// The schema is made once, unless a static cannot depend on the parameters of the type.
pub(crate) fn schema(generics: &Generics, paths: &Paths) -> TokenStream {
    let Paths { typed, model, .. } = paths;
    if !generics.params.is_empty() {
        return TokenStream::new();
    }
    quote! {
        fn schema() -> ::std::borrow::Cow<'static, #model::Schema> {
            static SCHEMA: ::std::sync::OnceLock<#model::Schema> = ::std::sync::OnceLock::new();
            ::std::borrow::Cow::Borrowed(
                SCHEMA.get_or_init(|| <Self as #typed::Decode>::spec().implied_schema()),
            )
        }
    }
}

/// An expression of an `Option`.
fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}

/// Statements that push the specs of fields to `attributes`.
fn specs(fields: &[Field], paths: &Paths) -> Vec<TokenStream> {
    let Paths { typed, value, .. } = paths;
    let mut labels = 0usize;
    let spec = |field: &Field| {
        let (name, ty) = (&field.name, field.ty);
        let described = option(field.attributes.docs.as_ref());
        let spec = match field.attributes.role {
            Role::Label => {
                labels += 1;
                let (index, optional) = (labels - 1, field.is_option());
                quote!(#typed::label_spec(#index, #name, #optional))
            }
            Role::Block if field.attributes.keyed => {
                let (_, block) = fields::key_and_block(field.ty);
                quote!(#typed::keyed_spec::<#block>(#name, #described))
            }
            Role::Block => {
                let count = count(field, paths);
                let ty = if field.has_default() { quote!(::core::option::Option<#ty>) } else { quote!(#ty) };
                let spec = quote!(<#ty as #typed::DecodeBlocks>::spec(#name, #count, #described));
                if field.attributes.either {
                    let value_type = value_type(field, paths);
                    let attribute = quote! {
                        #typed::attribute_spec(
                            #name, &[], &#value_type, false, ::core::option::Option::None, #described,
                            &#typed::Hints::default(),
                        )
                    };
                    quote!(#typed::either_spec(#spec, #attribute))
                } else {
                    spec
                }
            }
            Role::Flatten if field.is_option() => {
                let ty = field.value_type();
                return quote! {
                    attributes.extend(#typed::flattened_optional(<#ty as #typed::Decode>::spec()));
                };
            }
            Role::Flatten => {
                return quote! {
                    attributes.extend(#typed::flattened(<#ty as #typed::Decode>::spec()));
                };
            }
            Role::Rest | Role::Skip => return TokenStream::new(),
            Role::Attribute => {
                let value_type = value_type(field, paths);
                let required = if field.is_option() || field.has_default() {
                    quote!(false)
                } else if !field.attributes.is_read_by_type() || field.placed_elements().is_some() {
                    quote!(true)
                } else {
                    quote!(<#ty as #typed::DecodeAttribute>::missing().is_none())
                };
                let aliases = field.attributes.aliases.iter();
                let default = option(field.default_value(value));
                let hints = hints(field, paths);
                quote! {
                    #typed::attribute_spec(
                        #name, &[#(#aliases),*], &#value_type, #required, #default, #described, &#hints,
                    )
                }
            }
        };
        quote!(attributes.push((#typed::Name::from(#name), #spec));)
    };
    fields.iter().map(spec).collect()
}

/// What is known of the values of an attribute besides their type.
fn hints(field: &Field, paths: &Paths) -> TokenStream {
    let typed = &paths.typed;
    let ty = field.value_type();
    let is_by_type = field.attributes.is_read_by_type() && field.placed_elements().is_none();
    let names = if is_by_type { quote!(<#ty as #typed::DecodeAttribute>::names()) } else { quote!(&[]) };
    let (min, max) = field.bounds();
    let max = max.map(|(text, inclusive)| quote!((#text, #inclusive)));
    let (min, max, deprecated) = (option(min), option(max), option(field.attributes.deprecated.as_ref()));
    let pattern = option(field.attributes.pattern.as_ref());
    quote!(#typed::Hints { names: #names, min: #min, max: #max, pattern: #pattern, deprecated: #deprecated })
}

/// The type constraint of an attribute.
fn value_type(field: &Field, paths: &Paths) -> TokenStream {
    let Paths { typed, value, .. } = paths;
    let ty = field.value_type();
    if field.parsed_elements().is_some() {
        quote!(#value::Type::list(#value::Type::String))
    } else if field.attributes.from_str {
        quote!(#value::Type::String)
    } else if let Some(elements) = field.placed_elements() {
        match elements {
            Elements::List(element) => {
                quote!(#typed::collection_type(#value::Type::list, <#element as #typed::DecodeAttribute>::value_type()))
            }
            Elements::Map(_, element) => {
                quote!(#typed::collection_type(#value::Type::map, <#element as #typed::DecodeAttribute>::value_type()))
            }
        }
    } else if field.attributes.is_read_by_type() {
        quote!(<#ty as #typed::DecodeAttribute>::value_type())
    } else {
        quote!(#value::Type::Dynamic)
    }
}

fn count(field: &Field, paths: &Paths) -> TokenStream {
    let typed = &paths.typed;
    let bound = |bound: &Option<Expr>, otherwise: TokenStream| match bound {
        Some(bound) => quote!(#bound),
        None => otherwise,
    };
    let min = bound(&field.attributes.min, quote!(0));
    let max = bound(&field.attributes.max, quote!(usize::MAX));
    quote!(#typed::Count { min: #min, max: #max })
}

/// An expression of type `Option<T>` that reads a field of type `T`.
fn read(field: &Field, label: usize, paths: &Paths) -> TokenStream {
    let typed = &paths.typed;
    let (name, ty) = (&field.name, field.ty);
    match field.attributes.role {
        Role::Label if field.is_option() => {
            let ty = field.value_type();
            quote_spanned!(ty.span()=> fields.optional_label::<#ty>(#label))
        }
        Role::Label => quote_spanned!(ty.span()=> fields.label::<#ty>(#label)),
        Role::Flatten if field.is_option() => {
            let ty = field.value_type();
            quote_spanned!(ty.span()=> fields.flattened_optional::<#ty>())
        }
        Role::Flatten => quote_spanned!(ty.span()=> <#ty as #typed::Decode>::read(fields)),
        Role::Skip => quote_spanned! {ty.span()=>
            ::core::option::Option::Some(<#ty as ::core::default::Default>::default())
        },
        Role::Rest => match fields::arguments(ty, None) {
            Some(arguments) if !arguments.is_empty() => {
                let element = match arguments[..] {
                    [syn::Type::Tuple(pair)] => pair.elems.last().map(|element| quote!(#element)),
                    _ => arguments.get(1).map(|element| quote!(#element)),
                };
                quote_spanned!(ty.span()=> fields.rest_attributes::<#ty, #element>())
            }
            _ => quote_spanned!(ty.span()=> {
                let rest: #ty = fields.rest();
                ::core::option::Option::Some(rest)
            }),
        },
        Role::Block if field.attributes.keyed => {
            let (key, block) = fields::key_and_block(field.ty);
            quote_spanned!(ty.span()=> fields.keyed_blocks::<#ty, #key, #block>(#name))
        }
        Role::Block => {
            let count = count(field, paths);
            let read = |ty: &TokenStream| {
                if !field.attributes.either {
                    return quote_spanned!(ty.span()=> <#ty as #typed::DecodeBlocks>::decode_blocks(fields, #name, #count));
                }
                let field = if field.attributes.one_or_many {
                    quote_spanned!(ty.span()=> #typed::Field::<#ty>::with(#name, &#typed::one_or_many::<#ty>))
                } else {
                    quote_spanned!(ty.span()=> #typed::Field::<#ty>::new(#name))
                };
                quote_spanned!(ty.span()=> fields.either(#name, #count, &#field))
            };
            match &field.attributes.default {
                None => read(&quote!(#ty)),
                Some(default) => {
                    let default = match default {
                        DefaultValue::Trait => quote!(<#ty as ::core::default::Default>::default()),
                        DefaultValue::Expression(expression) => quote!(#expression),
                    };
                    let read = read(&quote_spanned!(ty.span()=> ::core::option::Option<#ty>));
                    quote_spanned!(ty.span()=> #read.map(|block| block.unwrap_or_else(|| #default)))
                }
            }
        }
        Role::Attribute => attribute(field, paths),
    }
}

fn attribute(field: &Field, paths: &Paths) -> TokenStream {
    let (name, value_type) = (&field.name, field.value_type());
    // Otherwise errors about the type would point at the derive macro.
    let typed = &at(&paths.typed, value_type.span());
    let attributes = &field.attributes;
    let aliases = attributes.aliases.iter();
    let deprecated = option(attributes.deprecated.as_ref());
    let sensitive = attributes.sensitive;
    let by_type = attributes.is_read_by_type() && field.placed_elements().is_none();
    let new = if let Some(elements) = field.placed_elements() {
        let (read, element) = match elements {
            Elements::List(element) => (quote!(#typed::elements::<#value_type, #element>), element),
            Elements::Map(key, element) => (quote!(#typed::entries::<#value_type, #key, #element>), element),
        };
        quote_spanned! {value_type.span()=> #typed::Field {
            evaluates: <#element as #typed::DecodeAttribute>::EVALUATES,
            ..#typed::Field::<#value_type>::with(#name, &#read)
        }}
    } else if let Some(element) = field.parsed_elements() {
        quote_spanned!(value_type.span()=> #typed::Field::<#value_type>::with(#name, &#typed::from_str_each::<#value_type, #element>))
    } else if let Some(path) = &attributes.with {
        quote_spanned!(path.span()=> #typed::Field::<#value_type>::with(#name, &|given| #typed::with(given, #path)))
    } else if attributes.from_str {
        quote_spanned!(value_type.span()=> #typed::Field::<#value_type>::with(#name, &#typed::from_str::<#value_type>))
    } else if attributes.one_or_many {
        quote_spanned!(value_type.span()=> #typed::Field::<#value_type>::with(#name, &#typed::one_or_many::<#value_type>))
    } else {
        quote_spanned!(value_type.span()=> #typed::Field::<#value_type>::new(#name))
    };
    let checks = field.checks(paths);
    let field_value = quote! {
        #typed::Field {
            aliases: &[#(#aliases),*],
            deprecated: #deprecated,
            sensitive: #sensitive,
            checks: &[#(&#checks),*],
            ..#new
        }
    };
    if field.is_option() {
        let read = quote!(fields.optional(&#field_value));
        return match &attributes.default {
            None => read,
            Some(default) => {
                let default = default_of(default, field, by_type, paths);
                quote!(fields.optional_or(&#field_value, || #default))
            }
        };
    }
    match &attributes.default {
        Some(default) => {
            let default = default_of(default, field, by_type, paths);
            quote!(fields.or_default(&#field_value, || #default))
        }
        None if by_type => {
            let ty = field.ty;
            quote!(fields.required(&#field_value, <#ty as #typed::DecodeAttribute>::missing()))
        }
        None => quote!(fields.required(&#field_value, ::core::option::Option::None)),
    }
}

/// The same tokens at another place.
fn at(tokens: &TokenStream, span: Span) -> TokenStream {
    let tokens = tokens.clone().into_iter();
    tokens
        .map(|mut token| {
            token.set_span(span.resolved_at(token.span()));
            token
        })
        .collect()
}

/// The default of a field, as a `Result`.
fn default_of(default: &DefaultValue, field: &Field, by_type: bool, paths: &Paths) -> TokenStream {
    let Paths { typed, value, .. } = paths;
    let ty = field.value_type();
    match default {
        DefaultValue::Trait => {
            quote!(::core::result::Result::Ok(<#ty as ::core::default::Default>::default()))
        }
        DefaultValue::Expression(expression) => match field.default_value(value) {
            Some(literal) if by_type => {
                quote_spanned!(expression.span()=> <#ty as #typed::DecodeAttribute>::from_default(#literal))
            }
            Some(literal) if field.parsed_elements().is_some() => {
                let element = field.parsed_elements();
                quote_spanned!(expression.span()=> #typed::parse_each::<#ty, #element>(&#literal))
            }
            Some(_) if field.placed_elements().is_some() => {
                quote_spanned!(expression.span()=> ::core::result::Result::Ok(#expression))
            }
            Some(literal) if field.attributes.from_str => {
                quote_spanned!(expression.span()=> #typed::parse_default::<#ty>(&#literal))
            }
            Some(literal) if field.attributes.one_or_many => {
                quote_spanned!(expression.span()=> #typed::read_one_or_many::<#ty>(&#literal))
            }
            Some(literal) => {
                let with = &field.attributes.with;
                quote_spanned!(expression.span()=> #with(&#literal).map_err(|error| #value::Error::new(::std::string::ToString::to_string(&error))))
            }
            None => {
                let expression = field.default_expression(expression);
                quote_spanned!(expression.span()=> ::core::result::Result::Ok({
                    let default: #ty = #expression;
                    default
                }))
            }
        },
    }
}
