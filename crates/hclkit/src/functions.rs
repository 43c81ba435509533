//! Function libraries by name, for use in a [`Context`]: with the functions that take unevaluated arguments, and with a
//! renderer for templates.

mod documentation;

use std::fmt;
use std::str::FromStr;

use hclkit_functions::{Table, Template};
use hclkit_limits::Meter;
#[cfg(feature = "functions")]
use hclkit_model::{Callable, LazyFunction};
use hclkit_model::{Context, Expression, Functions, error_within};
use hclkit_syntax::{Source, StartSymbol};
use hclkit_value::{Error, Value};

#[doc(hidden)]
pub use documentation::{Signature, SignatureParameter, description, examples};
#[cfg(feature = "fs")]
pub use hclkit_functions::Directory;
#[cfg(feature = "fs")]
#[doc(hidden)]
pub use hclkit_functions::FileTree;
pub use hclkit_functions::Grants;

/// The number of bytes of a template that count as one step when an evaluation parses them.
const PARSED_STEP: u64 = 8;

/// A library of functions. All but [`Spec`](Self::Spec) require a [feature](crate#features).
///
/// Some functions also require the feature of a topic. Without it, calling them is an error that names the feature.
///
/// ```
/// use hclkit::functions::{Grants, Library};
/// use hclkit::{Context, Expression};
///
/// let functions = Library::Terraform.functions(&Grants::new());
/// let context = Context::new().with("names", hclkit::Value::tuple(["b", "a"]));
/// let expression = Expression::parse(r#"join("-", sort(try(names, [])))"#)?;
/// let value = expression.evaluate(&context.with_functions(functions))?;
/// assert_eq!(value.as_str(), Some("a-b"));
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Library {
    /// No functions. Every call is an error.
    None,
    /// The functions of the spec language.
    Spec,
    /// The standard library of cty.
    #[cfg(feature = "functions")]
    Cty,
    /// The functions of Terraform, with and without the namespace `core`.
    #[cfg(feature = "functions")]
    Terraform,
    /// The functions of `OpenTofu`, with and without the namespace `core`.
    #[cfg(feature = "functions")]
    OpenTofu,
    /// The functions of Packer.
    #[cfg(feature = "functions")]
    Packer,
    /// The functions of Docker Bake.
    #[cfg(feature = "functions")]
    Bake,
    /// The functions of Nomad's job files.
    #[cfg(feature = "functions")]
    Nomad,
}

impl Library {
    /// All libraries.
    pub const ALL: &'static [Self] = &[
        Self::None,
        Self::Spec,
        #[cfg(feature = "functions")]
        Self::Cty,
        #[cfg(feature = "functions")]
        Self::Terraform,
        #[cfg(feature = "functions")]
        Self::OpenTofu,
        #[cfg(feature = "functions")]
        Self::Packer,
        #[cfg(feature = "functions")]
        Self::Bake,
        #[cfg(feature = "functions")]
        Self::Nomad,
    ];

    /// The name: `none`, `spec`, `cty`, `terraform`, `opentofu`, `packer`, `bake` or `nomad`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Spec => "spec",
            #[cfg(feature = "functions")]
            Self::Cty => "cty",
            #[cfg(feature = "functions")]
            Self::Terraform => "terraform",
            #[cfg(feature = "functions")]
            Self::OpenTofu => "opentofu",
            #[cfg(feature = "functions")]
            Self::Packer => "packer",
            #[cfg(feature = "functions")]
            Self::Bake => "bake",
            #[cfg(feature = "functions")]
            Self::Nomad => "nomad",
        }
    }

    /// The functions, with access to what is granted. `templatefile` and `templatestring` work without a granted renderer:
    /// templates can call the same functions, except those that render templates.
    #[cfg_attr(not(feature = "functions"), allow(unused_variables, reason = "nothing to grant"))]
    pub fn functions(self, grants: &Grants) -> Functions {
        let grants = grants.clone().with_templates(move |template| self.render(template));
        let table = match self {
            Self::None => Table::new(),
            Self::Spec => hclkit_functions::spec(),
            #[cfg(feature = "functions")]
            Self::Cty => hclkit_functions::cty(),
            #[cfg(feature = "functions")]
            Self::Terraform => hclkit_functions::terraform(&grants),
            #[cfg(feature = "functions")]
            Self::OpenTofu => hclkit_functions::opentofu(&grants),
            #[cfg(feature = "functions")]
            Self::Packer => hclkit_functions::packer(&grants),
            #[cfg(feature = "functions")]
            Self::Bake => hclkit_functions::bake(&grants),
            #[cfg(feature = "functions")]
            Self::Nomad => hclkit_functions::nomad(&grants),
        };
        self.with_special(table)
    }

    /// A table with the functions that take unevaluated arguments.
    fn with_special(self, table: Table) -> Functions {
        let names: &[&str] = match self {
            Self::None | Self::Spec => &[],
            #[cfg(feature = "functions")]
            Self::Terraform | Self::OpenTofu => &["can", "try"],
            #[cfg(feature = "functions")]
            _ => &["can", "convert", "try"],
        };
        let special = Functions::special();
        let mut functions = Functions::from(table);
        functions.extend(names.iter().filter_map(|&name| Some((name, special.get(name)?.clone()))));
        #[cfg(feature = "functions")]
        if matches!(self, Self::Terraform | Self::OpenTofu) {
            if self == Self::Terraform {
                functions.insert("convert", LazyFunction::convert_with_defaults());
                if let Some(Callable::Function(function)) = functions.get("templatestring") {
                    let function = LazyFunction::of_reference(function.clone());
                    functions.insert("templatestring", function);
                }
            }
            for (name, replacement) in hclkit_functions::TERRAFORM_REMOVED {
                functions.insert_removed(name, replacement);
            }
            return functions.with_namespace("core");
        }
        functions
    }

    fn render(self, template: &Template<'_>) -> Result<Value, Error> {
        let failed = |found: hclkit_model::Diagnostics| error_within(&found);
        Meter::current().take_steps(template.text.len() as u64 / PARSED_STEP)?;
        let source = Source::new(template.name, template.text);
        let expression = Expression::read(source, StartSymbol::Template).map_err(failed)?;
        let (variables, marks) = template.variables.unmark();
        let mut context = Context::new().with_functions(self.with_special(template.functions.clone()));
        let entries = variables.entries().into_iter().flatten();
        context.set_all(entries.map(|(name, value)| (name, value.clone())));
        Ok(expression.evaluate(&context).map_err(failed)?.with_marks(&marks))
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Library {
    type Err = UnknownLibrary;

    fn from_str(name: &str) -> Result<Self, UnknownLibrary> {
        let found = Self::ALL.iter().copied().find(|library| library.as_str() == name);
        found.ok_or_else(|| UnknownLibrary { name: name.to_owned() })
    }
}

/// The error of parsing a [`Library`]: no library has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLibrary {
    name: String,
}

impl fmt::Display for UnknownLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Library::ALL.iter().map(|library| library.as_str()).collect();
        let known = known.join(", ");
        write!(
            f,
            "unknown function library `{}`; expected one of {known}",
            hclkit_syntax::visible_line(&self.name)
        )
    }
}

impl std::error::Error for UnknownLibrary {}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(template: &str, variables: &str) -> String {
        let functions = Library::Terraform.functions(&Grants::new());
        let context = Context::new().with("t", template).with_functions(functions);
        let call = Expression::parse(format!("templatestring(t, {variables})")).unwrap();
        call.evaluate(&context).map_or_else(|errors| errors[0].note().to_string(), |value| value.to_string())
    }

    #[test]
    fn templates_are_rendered_with_the_functions_of_the_library() {
        assert_eq!(render("${upper(name)} ${try(other, 1)}", "{ name = \"a\" }"), "\"A 1\"");
        assert_eq!(render("${name}", "{ name = sensitive(\"a\") }"), "(sensitive)");
        assert_eq!(render("${name}", "sensitive({ name = \"a\" })"), "(sensitive)");
        assert!(render("${nam}", "{ name = 1 }").contains("1:3: Unknown variable"));
        assert!(render("${", "{}").contains("failed: "));
    }

    #[test]
    fn a_template_in_a_string_is_a_reference() {
        let context =
            Context::new().with("t", "a ${x}").with_functions(Library::Terraform.functions(&Grants::new()));
        let evaluate = |template: &str| {
            let call = Expression::parse(format!("templatestring({template}, {{ x = 1 }})")).unwrap();
            call.evaluate(&context).ok().map(|value| value.to_string())
        };
        assert_eq!(evaluate("t"), Some("\"a 1\"".to_owned()));
        for other in ["(t)", "\"${t}\"", "\"a\"", "upper(t)", "[t][0]", "t[*][0]"] {
            assert_eq!(evaluate(other), None, "{other}");
        }
    }

    #[test]
    fn terraform_functions_are_also_in_a_namespace() {
        let evaluate = |library: Library, text: &str| {
            let context = Context::new()
                .with("t", "${core::lower(x)}")
                .with_functions(library.functions(&Grants::new()));
            Expression::parse(text).unwrap().evaluate(&context).ok().map(|value| value.to_string())
        };
        for (call, wanted) in [
            (r#"core::upper("x")"#, Some(r#""X""#)),
            ("upper(core::try(nothing, \"y\"))", Some(r#""Y""#)),
            ("core::can(core::nothing())", Some("false")),
            ("core::templatestring(t, { x = \"Z\" })", Some(r#""z""#)),
            (r#"core::core::upper("x")"#, None),
            (r#"other::upper("x")"#, None),
            (r#"core::("x")"#, None),
        ] {
            let read = Expression::parse(call).is_ok();
            assert_eq!(
                read.then(|| evaluate(Library::Terraform, call)).flatten().as_deref(),
                wanted,
                "{call}"
            );
        }
        assert_eq!(evaluate(Library::OpenTofu, r#"core::urldecode("a+b")"#).as_deref(), Some(r#""a b""#));
        assert_eq!(evaluate(Library::Packer, r#"core::upper("x")"#), None);
    }

    #[test]
    fn removed_functions_have_a_replacement_in_terraform_and_opentofu() {
        for &library in Library::ALL {
            let functions = library.functions(&Grants::new());
            for name in ["list", "core::list", "map", "core::map"] {
                assert!(functions.get(name).is_none(), "{library}: {name}");
                let removed = functions.replacement(name).is_some();
                let expected = matches!(library, Library::Terraform | Library::OpenTofu);
                assert_eq!(removed, expected, "{library}: {name}");
            }
            assert_eq!(functions.replacement("other::map"), None);
        }
        assert!(render("${map()}", "{}").contains("tomap"), "templates know of them, too");
    }

    #[test]
    fn nested_templates_are_errors() {
        let nested = render("${templatestring(name, {})}", "{ name = \"a\" }");
        assert!(nested.contains("templatestring"), "{nested}");
        assert!(nested.contains("failed: "), "{nested}");
    }

    #[test]
    fn libraries_have_names() {
        for &library in Library::ALL {
            assert_eq!(library.as_str().parse(), Ok(library));
        }
        let unknown = "terrafrom".parse::<Library>().unwrap_err().to_string();
        assert!(unknown.starts_with("unknown function library `terrafrom`; expected one of "), "{unknown}");
    }
}
