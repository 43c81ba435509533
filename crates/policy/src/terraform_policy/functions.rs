//! The functions of policies: Terraform's in the namespace `core`, those of policies, and what needs a provider or a network, whose
//! results are unknown.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use hclkit::functions::Grants;
use hclkit::limits::Meter;
use hclkit::model::Callable;
use hclkit::module::{self, Dialect};
use hclkit::value::{Error, Function, Parameter};
use hclkit::{Functions, Type, Value};

use super::version::{Constraints, Version};

/// What `core::getresources` and `core::getdatasource` find.
#[derive(Debug, Default)]
pub(super) struct World {
    /// The attributes of resources, by type.
    pub(super) resources: HashMap<String, Vec<Value>>,
    /// The attributes of data sources, by type. `None` if only a provider knows them.
    pub(super) data: Option<HashMap<String, Vec<Value>>>,
    /// Resources of each type may be more than those that are listed.
    pub(super) is_open: bool,
}

/// The functions that do not depend on what they are applied to.
static SHARED: LazyLock<Functions> = LazyLock::new(|| {
    let terraform = module::functions(&Dialect::terraform(), &Grants::new());
    let mut functions = Functions::new();
    for (name, callable) in terraform.iter().filter(|(name, _)| !name.contains("::")) {
        functions.insert(format!("core::{name}"), callable.clone());
    }
    let regexall = match terraform.get("regexall") {
        Some(Callable::Function(own)) => own.clone(),
        _ => Function::new("regexall", Type::Dynamic, |_, _| Err(Error::new("there are no patterns"))),
    };
    for function in
        [contains_substring(), regex_match(regexall), semvercmp(), semverconstraint(), valuetostring()]
    {
        functions.insert(format!("core::{}", function.name()), function);
    }
    functions.insert(
        "core::gethttprequest",
        anything().with_description(
            "The response to an HTTP request. No request is made here: the result is unknown.",
        ),
    );
    functions.insert("plugin::*", anything());
    functions
});

/// The functions of a policy.
pub(super) fn library(world: &Arc<World>) -> Functions {
    let mut functions = SHARED.clone();
    functions.insert("core::getresources", getresources(world.clone()));
    functions.insert("core::getdatasource", getdatasource(world.clone()));
    functions
}

/// The functions of a policy about which nothing is known.
pub(super) fn open_library() -> Functions {
    library(&Arc::new(World { is_open: true, ..World::default() }))
}

/// Why the result of a function is unknown, if it is without a provider, a network or a clock.
pub(super) fn why_unknown(name: &str, has_data: bool) -> Option<String> {
    let needs = match name {
        "core::gethttprequest" => "a network",
        "core::getdatasource" if !has_data => "a provider",
        "core::timestamp" | "core::plantimestamp" => "a clock",
        "core::uuid" | "core::bcrypt" => "random numbers",
        own if own.starts_with("plugin::") => "a plugin",
        _ => return None,
    };
    Some(format!("it calls `{name}`, which needs {needs}"))
}

/// A function of anything whose result is unknown.
fn anything() -> Function {
    let any = Parameter::new("arguments", Type::Dynamic).with_nulls().with_unknowns().with_dynamic();
    Function::new("anything", Type::Dynamic, |_, _| Ok(Value::DYNAMIC)).with_variadic(any)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn strings(function: Function, names: [&'static str; 2]) -> Function {
    names.into_iter().fold(function, |own, name| own.with_parameter(Parameter::new(name, Type::String)))
}

fn contains_substring() -> Function {
    let function = Function::new("contains_substring", Type::Bool, |args, _| {
        Ok(Value::from(text(&args[0]).contains(text(&args[1]))))
    });
    let function = function.with_description("Whether a text contains another one.");
    strings(function, ["str", "substr"])
}

fn regex_match(regexall: Function) -> Function {
    let function = Function::new("regex_match", Type::Bool, move |args, _| {
        let found = regexall.call(&[args[1].clone(), args[0].clone()]);
        let found = found.map_err(|why| Error::new(why.message().to_owned()))?;
        Ok(Value::from(found.as_slice().is_some_and(|all| !all.is_empty())))
    });
    let function = function.with_description("Whether a regular expression matches in a text.");
    strings(function, ["str", "pattern"])
}

fn version(value: &Value) -> Result<Version, Error> {
    Version::parse(text(value)).ok_or_else(|| Error::new("a version is required, such as `1.2.3`"))
}

fn semvercmp() -> Function {
    let function = Function::new("semvercmp", Type::Number, |args, _| {
        Ok(Value::from(version(&args[0])?.compare(&version(&args[1])?) as i64))
    });
    let function = function
        .with_description("-1, 0 or 1 if a version is lower than, equal to or higher than another one.");
    strings(function, ["version_a", "version_b"])
}

fn semverconstraint() -> Function {
    let function = Function::new("semverconstraint", Type::Bool, |args, _| {
        let version = version(&args[0])?;
        let constraints = Constraints::parse(text(&args[1]));
        let constraints =
            constraints.ok_or_else(|| Error::new("a constraint is required, such as `>= 1.2, < 2.0`"))?;
        Ok(Value::from(constraints.allow(&version)))
    });
    let function =
        function.with_description("Whether a version meets a constraint, such as `>= 1.2, < 2.0`.");
    strings(function, ["version", "constraint"])
}

fn valuetostring() -> Function {
    let value = Parameter::new("value", Type::Dynamic).with_nulls().with_unknowns().with_dynamic();
    Function::new("valuetostring", Type::String, |args, _| {
        let value = &args[0];
        if !value.is_known() {
            return Ok(Value::from("(unknown)"));
        }
        if value.is_null() {
            return Ok(Value::from("(null)"));
        }
        if let Ok(text) = value.convert(&Type::String) {
            return Ok(text);
        }
        let mut written = String::new();
        indented(value, 0, &mut written)?;
        Ok(Value::from(written))
    })
    .with_description("A value as text, and lists and objects as indented JSON.")
    .with_parameter(value)
}

/// A value as indented JSON.
fn indented(value: &Value, depth: usize, out: &mut String) -> Result<(), Error> {
    Meter::current().take_steps(1)?;
    let newline = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    if !value.is_known() {
        out.push_str("\"(unknown)\"");
        return Ok(());
    }
    if let Some(entries) = value.entries() {
        let entries: Vec<_> = entries.map(|(name, own)| (name.to_string(), own.clone())).collect();
        if entries.is_empty() {
            out.push_str("{}");
            return Ok(());
        }
        out.push('{');
        for (at, (name, own)) in entries.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { "," });
            newline(out, depth + 1);
            out.push_str(&Value::from(name.as_str()).to_json(&Type::String)?);
            out.push_str(": ");
            indented(own, depth + 1, out)?;
        }
        newline(out, depth);
        out.push('}');
    } else if !value.is_null()
        && value.as_str().is_none()
        && let Ok(all) = value.elements()
    {
        if all.is_empty() {
            out.push_str("[]");
            return Ok(());
        }
        out.push('[');
        for (at, (_, own)) in all.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { "," });
            newline(out, depth + 1);
            indented(own, depth + 1, out)?;
        }
        newline(out, depth);
        out.push(']');
    } else {
        out.push_str(&value.to_json(&value.ty())?);
    }
    Ok(())
}

/// The parameters of the functions that find something: a type, and what its attributes must be.
fn finder(
    name: &'static str,
    find: impl Fn(&str, Option<&Value>) -> Result<Value, Error> + Send + Sync + 'static,
) -> Function {
    let wanted = Parameter::new("attrs", Type::Dynamic).with_nulls().with_unknowns().with_dynamic();
    Function::new(name, Type::Dynamic, move |args, _| {
        if args.len() > 2 {
            return Err(Error::new("a type and one object of attributes are expected"));
        }
        let wanted = args.get(1).filter(|own| !own.is_null());
        if let Some(wanted) = wanted.filter(|own| own.is_known() && own.entries().is_none()) {
            return Err(Error::new(format!("the attributes must be an object, not {}", wanted.ty())));
        }
        find(text(&args[0]), wanted)
    })
    .with_parameter(Parameter::new("type", Type::String))
    .with_variadic(wanted)
}

fn getresources(world: Arc<World>) -> Function {
    finder("getresources", move |kind, wanted| {
        if world.is_open || wanted.is_some_and(|own| !own.is_known()) {
            return Ok(Value::DYNAMIC);
        }
        let mut found = Vec::new();
        for own in world.resources.get(kind).into_iter().flatten() {
            match matches(own, wanted)? {
                Some(true) => found.push(own.clone()),
                Some(false) => {}
                None => return Ok(Value::DYNAMIC),
            }
        }
        Ok(Value::tuple(found))
    })
    .with_description("The attributes of all resources of a type, or of those with these attributes.")
}

fn getdatasource(world: Arc<World>) -> Function {
    finder("getdatasource", move |kind, wanted| {
        let Some(data) = &world.data else { return Ok(Value::DYNAMIC) };
        if wanted.is_some_and(|own| !own.is_known()) {
            return Ok(Value::DYNAMIC);
        }
        for own in data.get(kind).into_iter().flatten() {
            match matches(own, wanted)? {
                Some(true) => return Ok(own.clone()),
                Some(false) => {}
                None => return Ok(Value::DYNAMIC),
            }
        }
        Err(Error::new(format!("no data source `{kind}` of the test has these attributes")))
    })
    .with_description("The attributes of the data source of a type with these attributes. Without a provider, they are unknown.")
}

/// Whether attributes are those that are wanted. `None` if that is unknown.
fn matches(own: &Value, wanted: Option<&Value>) -> Result<Option<bool>, Error> {
    let mut is_known = true;
    let own = own.unmark().0;
    for (name, wanted) in wanted.and_then(Value::entries).into_iter().flatten() {
        Meter::current().take_steps(1)?;
        if !own.is_known() {
            return Ok(None);
        }
        let value = own.attribute(name).unwrap_or(Value::NULL);
        let is_equal = value.unmark_deep().0.equals(&wanted.unmark_deep().0);
        match is_equal.as_bool() {
            Some(true) => {}
            Some(false) => return Ok(Some(false)),
            None => is_known = false,
        }
    }
    Ok(is_known.then_some(true))
}
