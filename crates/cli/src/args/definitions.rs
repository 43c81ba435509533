//! `--var` and `--vars`, applied in the order of the command line: the last one wins.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use hclkit::syntax::is_identifier;

/// What variables are set to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Definitions(pub(crate) Vec<Definition>);

/// One `--var` or `--vars`.
#[derive(Debug, Clone)]
pub(crate) enum Definition {
    /// A variable and the text of an expression. Names with dots lead into objects.
    Variable { name: Vec<String>, expression: String },
    /// A file of variables, and the object whose attributes they become, if any.
    File { name: Vec<String>, path: PathBuf },
    /// The same with the text of a JSON object.
    Json { name: Vec<String>, text: String },
}

const VAR: &str = "var";
const VARS: &str = "vars";

const VAR_HELP: &str = "Set a variable to an expression, such as `region=\"eu\"` or `var.count=2`; repeatable

The expression can call functions and refer to variables that are set before it. A name with dots sets an attribute of \
an object. If a variable is set more than once, the last value wins, whether it comes from --var or --vars.";

const VARS_HELP: &str = "Set variables from a file or from a JSON object; repeatable

A file whose name ends in .json holds a JSON object. Any other file holds `name = value`, as .tfvars files do. Values \
are literal: strings in JSON are not templates. With NAME= in front, the variables become attributes of that object, \
such as `var=prod.tfvars` for expressions that refer to `var.region`.";

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
    let name = parts(name).ok_or_else(|| format!("`{name}` is not a name; {form}"))?;
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

/// How many parts a name with dots can have.
const MAX_PARTS: usize = 100;

/// Refuses a name that no expression can refer to.
pub(crate) fn check_name(name: &[String]) -> Result<(), String> {
    if name.len() > MAX_PARTS {
        return Err(format!("the name has {} parts, and the limit is {MAX_PARTS}", name.len()));
    }
    match name.first().map(String::as_str) {
        Some(word @ ("true" | "false" | "null")) => {
            Err(format!("`{word}` is a value and cannot be the name of a variable"))
        }
        _ => Ok(()),
    }
}

/// The parts of a name between dots, if all of them are identifiers.
pub(crate) fn parts(name: &str) -> Option<Vec<String>> {
    let parts: Vec<String> = name.trim().split('.').map(str::to_owned).collect();
    parts.iter().all(|part| is_identifier(part)).then_some(parts)
}
