//! Templates from files and strings, rendered by the caller's renderer.

use std::sync::{Arc, OnceLock};

use hclkit_value::{Error, Function, Parameter, Step, Type, Value};

use crate::Table;
use crate::arguments::{text, wrong};
use crate::filesystem::template_text;
use crate::grants::{Grants, Template};

/// The functions that a template can call: the library's own, created for the first template.
#[derive(Clone)]
pub(crate) struct Inside {
    make: fn(&Grants) -> Table,
    grants: Grants,
    table: Arc<OnceLock<Table>>,
    /// Templates can render templates, and their results can be null.
    is_recursive: bool,
}

impl Inside {
    pub(crate) fn new(make: fn(&Grants) -> Table, grants: &Grants) -> Self {
        Self { make, grants: grants.clone(), table: Arc::default(), is_recursive: false }
    }

    /// The functions of a library whose templates can render templates, up to the limit of depth.
    pub(crate) fn recursive(make: fn(&Grants) -> Table, grants: &Grants) -> Self {
        Self { is_recursive: true, ..Self::new(make, grants) }
    }

    fn table(&self) -> &Table {
        self.table.get_or_init(|| {
            let mut table = (self.make)(&self.grants);
            for (name, own) in self.grants.functions_in_templates() {
                if let Some(function) = table.get_mut(name.as_str()) {
                    *function = own.clone();
                }
            }
            for name in ["templatefile", "templatestring"].into_iter().filter(|_| !self.is_recursive) {
                if let Some(function) = table.get_mut(name) {
                    *function = refusing(name, function);
                }
            }
            table
        })
    }

    fn render(&self, text: &str, name: &str, variables: &Value) -> Result<Value, Error> {
        check_variables(variables)?;
        let template = Template { text, name, variables, functions: self.table() };
        let rendered = self.grants.render(&template)?;
        if rendered.is_null() && !self.is_recursive {
            Err(Error::new("the template result must not be null"))
        } else {
            Ok(rendered)
        }
    }
}

/// Replaces a function inside templates: it keeps its parameters but returns an error.
fn refusing(name: &'static str, function: &Function) -> Function {
    let refused = Function::unnamed(Type::Dynamic, move |_, _| {
        Err(Error::new(format!("a template must not call {name} recursively")))
    });
    let refused = refused.with_description(function.description());
    function.parameters().iter().cloned().fold(refused, Function::with_parameter)
}

fn check_variables(variables: &Value) -> Result<(), Error> {
    if !matches!(variables.ty(), Type::Object(_) | Type::Map(_)) {
        return Err(wrong(1, "a map or object is required"));
    }
    for (name, _) in variables.entries().into_iter().flatten() {
        let mut signs = name.chars();
        let starts = signs.next().is_some_and(|sign| sign.is_alphabetic() || sign == '_');
        if !starts || !signs.all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '-')) {
            return Err(wrong(1, format!("{name:?} is not a valid variable name")));
        }
    }
    Ok(())
}

fn variables() -> Parameter {
    Parameter::new("vars", Type::Dynamic)
        .with_description("A map or object with the variables of the template.")
}

pub(crate) fn templatefile(grants: &Grants, inside: Inside) -> Function {
    let grants = grants.clone();
    Function::unnamed(Type::Dynamic, move |args, _| {
        let path = text(args, 0);
        let template = template_text(&grants, path).map_err(|error| error.within(Step::from(0)))?;
        inside.render(&template, path, &args[1])
    })
    .with_description("Reads a file and renders it as a template with the given variables. The template must not render other templates.")
    .with_parameter(Parameter::new("path", Type::String).with_description("The path of the file, relative to the granted directory."))
    .with_parameter(variables())
    .with_example(r#"templatefile("hello.txt", { name = "Ann" })"#, r#""Hello, Ann!""#)
}

pub(super) fn templatestring(inside: Inside) -> Function {
    Function::unnamed(Type::String, move |args, _| {
        let template = args[0].as_str().ok_or_else(|| wrong(0, "a string is required"))?;
        let rendered = inside.render(template, "<templatestring argument>", &args[1])?;
        rendered.convert(&Type::String).map_err(|_| Error::new("the template result must be a string"))
    })
    .with_description(
        "Renders a string as a template with the given variables. The template must be a reference to a value from \
         elsewhere, not a literal.",
    )
    .with_parameter(Parameter::new("template", Type::Dynamic).with_description("A reference to the template string."))
    .with_parameter(variables())
    .with_example(r#"templatestring(local.hello, { name = "Ann" })"#, r#""Hello, Ann!""#)
}

/// `templatestring` of any string, whose result can have any type.
pub(crate) fn text_template(inside: Inside) -> Function {
    Function::unnamed(Type::Dynamic, move |args, _| {
        inside.render(text(args, 0), "<templatestring argument>", &args[1])
    })
    .with_description("Renders a string as a template with the given variables.")
    .with_parameter(Parameter::new("data", Type::String).with_description("The template string."))
    .with_parameter(variables())
    .with_example(r#"templatestring("Hello, $${name}!", { name = "Ann" })"#, r#""Hello, Ann!""#)
}
