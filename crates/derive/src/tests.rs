//! The error messages of the macros. Their places are the spans of the tokens in question.

use syn::{DeriveInput, parse_quote};

#[track_caller]
#[allow(clippy::needless_pass_by_value, reason = "the callers are shorter")]
fn refuses(input: DeriveInput, expected: &str) {
    let error = crate::decode::derive(&input).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn decode_rejects_meaningless_attributes() {
    refuses(
        parse_quote!(
            struct A {
                #[hcl(lable)]
                a: u8,
            }
        ),
        "unknown attribute; did you mean `label`?",
    );
    refuses(
        parse_quote!(
            struct A {
                #[hcl(fast)]
                a: u8,
            }
        ),
        "unknown attribute; expected one of `label`",
    );
    refuses(
        parse_quote!(
            struct A {
                #[hcl(label, block)]
                a: u8,
            }
        ),
        "a field is one of `label`, `block`",
    );
    refuses(
        parse_quote!(
            struct A {
                #[hcl(label, default = 1)]
                a: u8,
            }
        ),
        "`default` is only for fields of attributes and blocks",
    );
    refuses(
        parse_quote!(
            struct A {
                #[hcl(min = 1)]
                a: u8,
            }
        ),
        "`min` is only for fields of blocks",
    );
    refuses(
        parse_quote!(
            struct A {
                #[hcl(key = label)]
                a: u8,
            }
        ),
        "add `block`",
    );
    refuses(
        parse_quote!(
            struct A {
                #[hcl(block, key = name)]
                a: u8,
            }
        ),
        "expected `key = label`",
    );
    refuses(
        parse_quote!(
            struct A {
                #[hcl(block, sensitive)]
                a: B,
            }
        ),
        "`sensitive` is only for fields of attributes",
    );
    refuses(
        parse_quote!(
            struct A {
                #[hcl(from_str, with = f)]
                a: u8,
            }
        ),
        "`from_str` and `with` cannot be used together",
    );
    refuses(
        parse_quote!(
            struct A {
                #[hcl(remain)]
                a: Body,
                #[hcl(remain)]
                b: Body,
            }
        ),
        "only one field can be `remain`",
    );
    refuses(
        parse_quote!(
            struct A {
                a: u8,
                #[hcl(rename = "a")]
                b: u8,
            }
        ),
        "another field is already named \"a\"",
    );
    refuses(
        parse_quote!(
            struct A {
                a: u8,
                #[hcl(alias = "a")]
                b: u8,
            }
        ),
        "another field is already named \"a\"",
    );
    refuses(
        parse_quote!(
            struct A(u8);
        ),
        "the fields must have names",
    );
    refuses(
        parse_quote!(
            #[hcl(tag = "a")]
            struct A {
                a: u8,
            }
        ),
        "`tag` is for enums",
    );
    refuses(
        parse_quote!(
            #[hcl(rename_all = "snake")]
            struct A {
                a: u8,
            }
        ),
        "expected one of \"snake_case\"",
    );
    refuses(
        parse_quote!(
            #[hcl(tag = name)]
            enum A {
                B,
            }
        ),
        "expected `tag = label`",
    );
    refuses(
        parse_quote!(
            enum A {}
        ),
        "an enum without variants",
    );
    refuses(
        parse_quote!(
            enum A {
                B(u8, u8),
            }
        ),
        "a variant must contain one type",
    );
    refuses(
        parse_quote!(
            enum A {
                B,
                #[hcl(rename = "b")]
                C,
            }
        ),
        "another variant is already named \"b\"",
    );
    refuses(
        parse_quote!(
            enum A<T> {
                B { a: T },
            }
        ),
        "move the fields to a struct",
    );
    refuses(parse_quote!(union A { a: u8 }), "structs and enums");
}

#[test]
fn from_value_rejects_meaningless_attributes() {
    let refuses = |input: DeriveInput, expected: &str| {
        let error = crate::value::derive_from(&input).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refuses(
        parse_quote!(
            struct A {
                #[hcl(block)]
                a: B,
            }
        ),
        "values have no labels and blocks",
    );
    refuses(
        parse_quote!(
            enum A {
                B(C),
            }
        ),
        "requires `#[hcl(tag = \"type\")]`",
    );
    refuses(
        parse_quote!(
            #[hcl(tag = label)]
            enum A {
                B(C),
            }
        ),
        "values have no labels",
    );
    refuses(
        parse_quote!(
            enum A {
                B { a: u8 },
            }
        ),
        "requires `#[hcl(tag = \"type\")]`",
    );
}

#[test]
fn names_in_each_case() {
    use crate::names::Case;
    let name = |case: &str, ident: &str| {
        let case = Case::of(&syn::LitStr::new(case, proc_macro2::Span::call_site())).unwrap();
        case.apply(&syn::Ident::new_raw(ident, proc_macro2::Span::call_site()))
    };
    for (ident, snake, kebab, camel, pascal, screaming) in [
        ("max_size", "max_size", "max-size", "maxSize", "MaxSize", "MAX_SIZE"),
        ("MaxSize", "max_size", "max-size", "maxSize", "MaxSize", "MAX_SIZE"),
        ("S3", "s3", "s3", "s3", "S3", "S3"),
        ("type", "type", "type", "type", "Type", "TYPE"),
    ] {
        assert_eq!(name("snake_case", ident), snake);
        assert_eq!(name("kebab-case", ident), kebab);
        assert_eq!(name("camelCase", ident), camel);
        assert_eq!(name("PascalCase", ident), pascal);
        assert_eq!(name("SCREAMING_SNAKE_CASE", ident), screaming);
    }
    assert_eq!(
        (name("lowercase", "MaxSize"), name("UPPERCASE", "max_size")),
        ("maxsize".into(), "MAXSIZE".into())
    );
}
