//! `--var` and `--vars`, applied in the order of the command line: the last one wins.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use hclkit::syntax::{is_identifier, visible_line};
use hclkit::value::Name;
use hclkit::{Diagnostics, Source, Syntax, Value, variables};

use crate::input::Input;

/// The definitions of variables.
#[derive(Debug, Clone, Default)]
pub(crate) struct Definitions(pub(crate) Vec<Definition>);

/// One `--var` or `--vars`.
#[derive(Debug, Clone)]
pub(crate) enum Definition {
    /// A variable and the source of an expression. A name with dots refers to an attribute of an object.
    Variable { name: Vec<String>, expression: String },
    /// Variables, and the name of the object whose attributes they are, if any.
    Variables { name: Vec<String>, from: Variables },
}

/// Where variables are, for `--vars` of `hcl` and of `hcldec`.
#[derive(Debug, Clone)]
pub(crate) enum Variables {
    /// In a variable file.
    File(Input),
    /// In the text of a JSON object.
    Json(String),
}

impl Variables {
    /// An argument that is the text of a JSON object, or something else, which is the path of a file.
    pub(crate) fn of(argument: &OsStr, file: impl FnOnce(&Path) -> Input) -> Self {
        match argument.to_str() {
            Some(text) if text.trim_start().starts_with('{') => Self::Json(text.to_owned()),
            _ => Self::File(file(Path::new(argument))),
        }
    }

    /// Evaluates the variables in the source that was read.
    pub(crate) fn read(&self, source: Source) -> Result<Vec<(Name, Value)>, Diagnostics> {
        let syntax = match self {
            Self::File(input) => input.path().map_or(Syntax::Native, Syntax::of),
            Self::Json(_) => Syntax::Json,
        };
        variables::read(source, syntax)
    }
}

const VAR: &str = "var";
const VARS: &str = "vars";

const VAR_HELP: &str = "Set a variable to an expression, such as `region=\"eu\"` or `var.count=2`; repeatable

The expression can call functions and refer to variables set by earlier options. A name with dots sets an attribute of \
an object. If --var and --vars set a variable more than once, the last value wins.";

const VARS_HELP: &str = "Set variables from a file or a JSON object; repeatable

A file whose name ends in .json must contain a JSON object. Any other file must contain `name = value` lines, like a \
.tfvars file. Values are literal: strings in JSON are not templates. With the prefix NAME=, the variables become \
attributes of that object: `var=prod.tfvars` sets `var.region`.";

impl Args for Definitions {
    fn augment_args(command: Command) -> Command {
        let variable = Arg::new(VAR)
            .long("var")
            .value_name("NAME=EXPR")
            .action(ArgAction::Append)
            .help(first_line(VAR_HELP))
            .long_help(VAR_HELP)
            .value_parser(variable);
        let variables = Arg::new(VARS)
            .long("vars")
            .visible_alias("var-file")
            .value_name("[NAME=]FILE|JSON")
            .action(ArgAction::Append)
            .value_hint(clap::ValueHint::FilePath)
            .help(first_line(VARS_HELP))
            .long_help(VARS_HELP)
            .value_parser(OsStringValueParser::new().map(prefixed_variables));
        command.arg(variable).arg(variables)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Definitions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found: Vec<(usize, Definition)> = Vec::new();
        for id in [VAR, VARS] {
            let places = matches.indices_of(id).into_iter().flatten();
            let values = matches.get_many::<Definition>(id).into_iter().flatten().cloned();
            found.extend(places.zip(values));
        }
        found.sort_by_key(|(place, _)| *place);
        Ok(Self(found.into_iter().map(|(_, definition)| definition).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.extend(Self::from_arg_matches(matches)?.0);
        Ok(())
    }
}

fn first_line(help: &'static str) -> &'static str {
    help.lines().next().unwrap_or_default()
}

fn variable(text: &str) -> Result<Definition, String> {
    let form = "expected NAME=EXPR, such as count=2";
    let (name, expression) = text.split_once('=').ok_or(form)?;
    let name = parts(name)
        .ok_or_else(|| format!("`{}` is not a valid variable name; {form}", visible_line(name)))?;
    check_name(&name)?;
    Ok(Definition::Variable { name, expression: expression.to_owned() })
}

fn prefixed_variables(given: OsString) -> Definition {
    let split = given.to_str().and_then(|text| {
        let (name, variables) = text.split_once('=')?;
        Some((parts(name)?, variables))
    });
    let (name, variables) = match split {
        Some((name, variables)) => (name, OsString::from(variables)),
        None => (Vec::new(), given),
    };
    Definition::Variables { name, from: Variables::of(&variables, Input::of) }
}

/// The maximum number of parts of a name.
const MAX_PARTS: usize = 100;

/// Rejects names that expressions cannot refer to.
pub(crate) fn check_name(name: &[String]) -> Result<(), String> {
    if name.len() > MAX_PARTS {
        return Err(format!("the name has {} parts; the limit is {MAX_PARTS}", name.len()));
    }
    match name.first().map(String::as_str) {
        Some(word @ ("true" | "false" | "null")) => {
            Err(format!("`{word}` is a keyword and cannot be used as a variable name"))
        }
        _ => Ok(()),
    }
}

/// Splits a name at dots, if all parts are identifiers.
pub(crate) fn parts(name: &str) -> Option<Vec<String>> {
    let parts: Vec<String> = name.trim().split('.').map(str::to_owned).collect();
    parts.iter().all(|part| is_identifier(part)).then_some(parts)
}
