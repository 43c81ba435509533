//! The functions that only Terragrunt has. What they return depends on the file that calls them: its [`Frame`].

use std::sync::Arc;

use hclkit_dialect::{Constraints, Dialect, Version};
use hclkit_model::{Context, Expression, Functions, error_within};
use hclkit_syntax::Source;
use hclkit_value::{Capability, Error, Function, Parameter, Type, Value};

use crate::engine::{Engine, Frame};
use crate::merge::deep_merge;
use crate::messages;
use crate::paths::{ancestors, join, leading, split};

/// The name of the file that `find_in_parent_folders` looks for by default, which is also that of a unit.
pub(crate) const UNIT_FILE: &str = "terragrunt.hcl";

/// The functions of Terraform that are newer than those that Terragrunt has, but which it adds itself.
const ADDED: [&str; 4] = ["startswith", "endswith", "strcontains", "timecmp"];

/// Commands of Terraform that accept `-lock-timeout`, `-var`, `-input` and `-parallelism`.
const COMMANDS: [(&str, &[&str]); 4] = [
    (
        "get_terraform_commands_that_need_locking",
        &["apply", "destroy", "import", "plan", "refresh", "taint", "untaint"],
    ),
    (
        "get_terraform_commands_that_need_vars",
        &["apply", "console", "destroy", "import", "plan", "push", "refresh"],
    ),
    ("get_terraform_commands_that_need_input", &["apply", "import", "init", "plan", "refresh"]),
    ("get_terraform_commands_that_need_parallelism", &["apply", "plan", "destroy"]),
];

/// The functions whose results are known only when Terragrunt runs, and why.
pub(crate) const UNKNOWN: [(&str, &str); 11] = [
    ("run_cmd", "no program is run"),
    ("sops_decrypt_file", "nothing is decrypted"),
    ("get_aws_account_alias", "AWS is not asked"),
    ("get_aws_account_id", "AWS is not asked"),
    ("get_aws_caller_identity_arn", "AWS is not asked"),
    ("get_aws_caller_identity_user_id", "AWS is not asked"),
    ("get_default_retryable_errors", "it depends on the version of Terragrunt"),
    ("get_terraform_cli_args", "it depends on the command that is run"),
    ("get_terraform_command", "it depends on the command that is run"),
    ("get_terragrunt_source_cli_flag", "it depends on the options of Terragrunt"),
    ("get_working_dir", "Terragrunt chooses the directory when it runs"),
];

/// A function of texts.
type Call = fn(&Arc<Engine>, &Arc<Frame>, &[&str]) -> Result<Value, Error>;

/// All functions for a file: those of Terraform 0.15 with its own.
pub(crate) fn functions(engine: &Arc<Engine>, frame: &Arc<Frame>) -> Functions {
    let terraform = Dialect::terraform();
    let has = |name: &str| ADDED.contains(&name) || terraform.function_since(name).is_none();
    let library = engine.functions_of(split(&frame.file).0);
    let mut functions = Functions::new();
    for (name, function) in library.iter().filter(|(name, _)| has(name)) {
        functions.insert(name, function.clone());
    }
    for (name, commands) in COMMANDS {
        let value = Value::tuple(commands.iter().copied());
        functions.insert(name, Function::unnamed(Type::Dynamic, move |_, _| Ok(value.clone())));
    }
    for (name, _) in UNKNOWN {
        let ty = if name.starts_with("get_terraform_cli") || name.ends_with("retryable_errors") {
            Type::list(Type::String)
        } else {
            Type::String
        };
        let value = Value::unknown(ty.clone());
        let unknown = Function::unnamed(ty, move |_, _| Ok(value.clone()));
        functions.insert(name, unknown.with_variadic(any("arguments")));
    }
    let mut add = |name: &'static str, call: Call| {
        let (engine, frame) = (engine.clone(), frame.clone());
        let function = Function::unnamed(Type::String, move |args, _| {
            let texts: Vec<&str> = args.iter().filter_map(Value::as_str).collect();
            call(&engine, &frame, &texts)
        });
        functions.insert(name, function.with_variadic(Parameter::new("arguments", Type::String)));
    };
    add("find_in_parent_folders", find_in_parent_folders);
    add("get_env", get_env);
    add("get_platform", |_, _, _| Ok(Value::from(platform())));
    add("get_repo_root", |engine, frame, _| Ok(Value::from(repository(engine, frame)?)));
    add("get_path_from_repo_root", |engine, frame, _| {
        Ok(Value::from(leading(&repository(engine, frame)?, frame.directory())))
    });
    add("get_path_to_repo_root", |engine, frame, _| {
        Ok(Value::from(leading(frame.directory(), &repository(engine, frame)?)))
    });
    add("get_terragrunt_dir", |_, frame, _| Ok(Value::from(frame.directory())));
    add("get_original_terragrunt_dir", |_, frame, _| Ok(Value::from(frame.original.as_str())));
    add("get_parent_terragrunt_dir", |_, frame, args| Ok(Value::from(included(frame, args)?)));
    add("path_relative_to_include", |_, frame, args| {
        Ok(Value::from(leading(included(frame, args)?, frame.directory())))
    });
    add("path_relative_from_include", |_, frame, args| {
        Ok(Value::from(leading(frame.directory(), included(frame, args)?)))
    });
    add("read_tfvars_file", read_tfvars_file);
    add("sops_decrypt_file", |engine, frame, args| {
        let [path] = args else { return Err(Error::new("expected the path of a file")) };
        let path = join(frame.directory(), path);
        if engine.tree.may_read(&path) && !engine.tree.is_file(&path) {
            return Err(Error::new(engine.tree.missing(&path)));
        }
        Ok(Value::unknown(Type::String))
    });
    add("mark_as_read", |_, _, args| match args {
        [path] => Ok(Value::from(*path)),
        _ => Err(Error::new("expected the path of a file")),
    });
    let (of_read, of_frame) = (engine.clone(), frame.clone());
    let read =
        Function::unnamed(Type::Dynamic, move |args, _| read_terragrunt_config(&of_read, &of_frame, args));
    functions.insert(
        "read_terragrunt_config",
        read.with_parameter(Parameter::new("path", Type::String)).with_variadic(any("default")),
    );
    let check = Function::unnamed(Type::Bool, |args, _| constraint_check(args));
    let check = ["version", "constraint"]
        .into_iter()
        .fold(check, |check, name| check.with_parameter(Parameter::new(name, Type::String)));
    functions.insert("constraint_check", check);
    let merge = Function::unnamed(Type::Dynamic, |args, _| {
        let given = args.iter().filter(|value| !value.is_null());
        let merged = given.cloned().map(Ok).reduce(|one, other| deep_merge(&one?, &other?));
        merged.unwrap_or_else(|| Err(Error::new("expected a map")))
    });
    functions.insert("deep_merge", merge.with_variadic(Parameter::new("maps", Type::Dynamic).with_nulls()));
    let files = Value::unknown(Type::list(Type::String));
    let mark = Function::unnamed(Type::list(Type::String), move |_, _| Ok(files.clone()));
    functions.insert("mark_glob_as_read", mark.with_variadic(any("pattern")));
    functions
}

/// A parameter that takes anything.
fn any(name: &'static str) -> Parameter {
    Parameter::new(name, Type::Dynamic).with_dynamic().with_unknowns().with_nulls()
}

fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        os => os,
    }
}

fn find_in_parent_folders(engine: &Arc<Engine>, frame: &Arc<Frame>, args: &[&str]) -> Result<Value, Error> {
    if args.len() > 2 {
        return Err(Error::new("expected at most a name and a fallback"));
    }
    let name = args.first().copied().filter(|name| !name.is_empty()).unwrap_or(UNIT_FILE);
    let (mut last, mut is_whole) = (frame.directory(), true);
    for directory in ancestors(frame.directory()).skip(1) {
        if !engine.tree.may_read(directory) {
            is_whole = false;
            break;
        }
        last = directory;
        let path = format!("{}/{name}", directory.trim_end_matches('/'));
        if engine.tree.is_file(&path) || engine.tree.is_directory(&path) {
            return Ok(Value::from(path));
        }
    }
    match args {
        [_, fallback] => Ok(Value::from(*fallback)),
        _ => Err(Error::new(messages::not_in_parents(name, &engine.tree.name(last), is_whole))),
    }
}

fn get_env(engine: &Arc<Engine>, _: &Arc<Frame>, args: &[&str]) -> Result<Value, Error> {
    let (name, default) = match args {
        ["", ..] => return Err(Error::new("the name of the variable is empty")),
        [name] => (*name, None),
        [name, default] => (*name, Some(*default)),
        _ => return Err(Error::new("expected the name of a variable and at most a default")),
    };
    let Some(environment) = engine.environment() else {
        if engine.is_for_any() {
            return Ok(Value::unknown(Type::String));
        }
        return Err(Error::not_granted(
            Capability::Environment,
            "reading environment variables is not granted",
        ));
    };
    match environment.get(name).map(String::as_str).or(default) {
        Some(value) => Ok(Value::from(value)),
        None if engine.is_for_any() => Ok(Value::unknown(Type::String)),
        None => Err(Error::new(format!("the environment variable {name:?} is not set"))),
    }
}

fn repository(engine: &Engine, frame: &Frame) -> Result<String, Error> {
    let found = engine.tree.repository(frame.directory());
    found.ok_or_else(|| Error::new("the file is in no Git repository"))
}

/// The directory of the file that includes select: that which includes this one, or the included one that is named.
fn included<'f>(frame: &'f Frame, args: &[&str]) -> Result<&'f str, Error> {
    if let Some(own) = &frame.included {
        return Ok(split(own).0);
    }
    match (frame.includes.as_slice(), args) {
        ([], _) => Ok(frame.directory()),
        ([(_, path)], _) => Ok(split(path).0),
        (all, [name]) => {
            let found = all.iter().find(|(own, _)| own == name);
            let names = || all.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            found.map(|(_, path)| split(path).0).ok_or_else(|| {
                Error::new(format!("no block `include` is named `{name}`; there are {}", names()))
            })
        }
        _ => Err(Error::new("several files are included; expected the name of one")),
    }
}

fn read_tfvars_file(engine: &Arc<Engine>, frame: &Arc<Frame>, args: &[&str]) -> Result<Value, Error> {
    let [path] = args else { return Err(Error::new("expected the path of a file")) };
    let path = join(frame.directory(), path);
    let text =
        engine.tree.read(&path).map_err(|error| messages::unreadable(&engine.tree.name(&path), &error))?;
    let source = Source::new(engine.tree.name(&path), text);
    let (body, found) = hclkit_model::ParseOptions::new().parse(source);
    if found.has_errors() {
        return Err(error_within(&found));
    }
    let (attributes, found) = body.attributes();
    if found.has_errors() {
        return Err(error_within(&found));
    }
    let context = Context::new();
    let values = attributes.iter().map(|own| Ok((own.name.clone(), own.expression.evaluate(&context)?)));
    let values: Vec<(_, Value)> =
        values.collect::<Result<_, hclkit_syntax::Diagnostics>>().map_err(|found| error_within(&found))?;
    let object = Value::object(values.into_iter().map(|(name, value)| (name.to_string(), value)));
    let functions = engine.functions_of(frame.directory());
    let context = Context::new().with_functions(functions).with("value", object);
    let encoded = Expression::parse("jsonencode(value)").and_then(|own| own.evaluate(&context));
    encoded.map_err(|found| error_within(&found))
}

fn read_terragrunt_config(engine: &Arc<Engine>, frame: &Arc<Frame>, args: &[Value]) -> Result<Value, Error> {
    let (path, default) = match args {
        [path] => (path, None),
        [path, default] => (path, Some(default)),
        _ => return Err(Error::new("expected a path and at most a default")),
    };
    let Some(path) = path.as_str() else { return Ok(Value::DYNAMIC) };
    let mut path = join(frame.directory(), path);
    if engine.tree.is_directory(&path) {
        path = format!("{path}/{UNIT_FILE}");
    }
    if !engine.tree.is_file(&path) {
        return match default {
            Some(default) => Ok(default.clone()),
            None => Err(Error::new(engine.tree.missing(&path))),
        };
    }
    engine.value_of_file(&path, frame)
}

fn constraint_check(args: &[Value]) -> Result<Value, Error> {
    let (version, constraint) = (args[0].as_str().unwrap_or_default(), args[1].as_str().unwrap_or_default());
    let Some(own) = Version::parse(version.strip_prefix('v').unwrap_or(version)) else {
        return Err(Error::new(format!("`{version}` is no version")));
    };
    let Some(all) = Constraints::parse(constraint) else {
        return Err(Error::new(format!("`{constraint}` is no constraint on versions")));
    };
    Ok(Value::from(all.allow(&own)))
}

/// Why the result of a function is unknown.
pub(crate) fn why_unknown(name: &str) -> Option<&'static str> {
    match name {
        "mark_glob_as_read" => Some("files are not searched by a pattern"),
        "uuid" | "timestamp" | "bcrypt" => Some("it differs from call to call"),
        _ => UNKNOWN.iter().find(|(own, _)| *own == name).map(|(_, why)| *why),
    }
}
