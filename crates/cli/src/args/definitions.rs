//! `--var` and `--vars`, applied in the order of the command line: the last one wins.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use hclkit::syntax::{is_identifier, visible_line};

/// The definitions of variables.
#[derive(Debug, Clone, Default)]
pub(crate) struct Definitions(pub(crate) Vec<Definition>);

/// One `--var` or `--vars`.
#[derive(Debug, Clone)]
pub(crate) enum Definition {
    /// A variable and the source of an expression. A name with dots refers to an attribute of an object.
    Variable { name: Vec<String>, expression: String },
    /// A variable file, and the name of the object whose attributes it sets, if any.
    File { name: Vec<String>, path: PathBuf },
    /// Like `File`, with the text of a JSON object.
    Json { name: Vec<String>, text: String },
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
            .value_parser(OsStringValueParser::new().map(variables));
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
    let form = "expected NAME=EXPR, such as 'region=\"eu\"'";
    let (name, expression) = text.split_once('=').ok_or(form)?;
    let name = parts(name)
        .ok_or_else(|| format!("`{}` is not a valid variable name; {form}", visible_line(name)))?;
    check_name(&name)?;
    Ok(Definition::Variable { name, expression: expression.to_owned() })
}

fn variables(given: OsString) -> Definition {
    let split = given.to_str().and_then(|text| {
        let (name, variables) = text.split_once('=')?;
        Some((parts(name)?, variables))
    });
    let (name, variables) = match split {
        Some((name, variables)) => (name, OsString::from(variables)),
        None => (Vec::new(), given),
    };
    match variables.to_str() {
        Some(text) if text.trim_start().starts_with('{') => Definition::Json { name, text: text.to_owned() },
        _ => Definition::File { name, path: variables.into() },
    }
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
