//! `--var` and `--var-file`, which are taken in the order in which they stand on the command line: the later one wins.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use hclkit::syntax::is_identifier;

/// What variables are set to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Definitions(pub(crate) Vec<Definition>);

/// One `--var` or `--var-file`.
#[derive(Debug, Clone)]
pub(crate) enum Definition {
    /// A variable and the text of an expression. Names with dots lead into objects.
    Variable { name: Vec<String>, expression: String },
    /// A file of variables, and the object that they are to be attributes of, if any.
    File { name: Vec<String>, path: PathBuf },
}

const VAR: &str = "var";
const VAR_FILE: &str = "var_file";

const VAR_HELP: &str = "Set a variable to an expression, such as `region=\"eu\"` or `var.count=2`; repeatable

The expression may call functions, and refer to variables that were set before. A name with dots sets an \
attribute of an object. Where a variable is set more than once the last time counts, files included.";

const VAR_FILE_HELP: &str =
    "Set variables from a file: .json, or else `name = value` as in .tfvars; repeatable

Values are literal; strings in JSON are no templates. With NAME= before the file, the variables become \
attributes of that object, such as `var=prod.tfvars` for expressions that say `var.region`.";

impl Args for Definitions {
    fn augment_args(command: Command) -> Command {
        let variable = Arg::new(VAR)
            .long("var")
            .value_name("NAME=EXPR")
            .action(ArgAction::Append)
            .help(first_line(VAR_HELP))
            .long_help(VAR_HELP)
            .value_parser(variable);
        let file = Arg::new(VAR_FILE)
            .long("var-file")
            .value_name("[NAME=]FILE")
            .action(ArgAction::Append)
            .value_hint(clap::ValueHint::FilePath)
            .help(first_line(VAR_FILE_HELP))
            .long_help(VAR_FILE_HELP)
            .value_parser(OsStringValueParser::new().map(file));
        command.arg(variable).arg(file)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Definitions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found: Vec<(usize, Definition)> = Vec::new();
        for id in [VAR, VAR_FILE] {
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
    let form = "it is written NAME=EXPR, such as 'region=\"eu\"'";
    let (name, expression) = text.split_once('=').ok_or(form)?;
    let name = parts(name).ok_or_else(|| format!("`{name}` is no name; {form}"))?;
    check_name(&name)?;
    Ok(Definition::Variable { name, expression: expression.to_owned() })
}

fn file(text: OsString) -> Definition {
    let named = text.to_str().and_then(|text| text.split_once('='));
    match named.and_then(|(name, path)| Some((parts(name)?, path))) {
        Some((name, path)) => Definition::File { name, path: path.into() },
        None => Definition::File { name: Vec::new(), path: text.into() },
    }
}

/// Refuses a name that no expression can refer to.
pub(crate) fn check_name(name: &[String]) -> Result<(), String> {
    match name.first().map(String::as_str) {
        Some(word @ ("true" | "false" | "null")) => {
            Err(format!("`{word}` is a value, and cannot be the name of a variable"))
        }
        _ => Ok(()),
    }
}

/// The parts of a name between dots, if all of them are identifiers.
pub(crate) fn parts(name: &str) -> Option<Vec<String>> {
    let parts: Vec<String> = name.trim().split('.').map(str::to_owned).collect();
    parts.iter().all(|part| is_identifier(part)).then_some(parts)
}
