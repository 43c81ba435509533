//! What hands know from other programs: options with one dash, and names of commands and options that are others here.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory as _, ValueEnum as _};

use super::{FEATURES, Output, not_built};

/// Replaces a single leading dash of long options by two, as in `-var-file=prod.tfvars`. Options with one letter keep it.
pub(super) fn with_two_dashes(command: &Command, line: Vec<OsString>) -> Vec<OsString> {
    let mut known: Vec<&Arg> = command.get_arguments().collect();
    let mut commands = Vec::new();
    let mut within = Some(command);
    for argument in line.iter().skip(1) {
        within = within.and_then(|command| command.find_subcommand(argument));
        commands.extend(within);
    }
    known.extend(commands.iter().flat_map(|command| command.get_arguments()));
    let is_long = |name: &str| {
        known.iter().any(|arg| {
            let aliases = arg.get_all_aliases().unwrap_or_default();
            arg.get_long() == Some(name) || aliases.contains(&name)
        })
    };
    let mut names = true;
    let two = |argument: OsString| {
        names &= argument != "--";
        let name = argument.to_str().and_then(|text| text.strip_prefix('-')?.split('=').next());
        match name {
            Some(name) if names && name.len() > 1 && is_long(name) => {
                let mut long = OsString::from("-");
                long.push(&argument);
                long
            }
            _ => argument,
        }
    };
    line.into_iter().map(two).collect()
}

/// The commands that other programs call differently.
const COMMANDS: [(&str, &str); 12] = [
    ("lint", "check"),
    ("validate", "check"),
    ("verify", "check"),
    ("format", "fmt"),
    ("get", "query"),
    ("grep", "query"),
    ("select", "query"),
    ("set", "edit"),
    ("repl", "console"),
    ("show", "eval"),
    ("evaluate", "eval"),
    ("mv", "rename"),
];

/// The options that other programs, or other commands, have.
const OPTIONS: [(&str, &str); 13] = [
    (
        "--format",
        "use --output for the format of what is written, and --report for that of errors and warnings",
    ),
    ("--json", "use --report json for errors and warnings as JSON"),
    ("--profile", "use --language for the application of files"),
    ("--schema", "use --provider-schema for the schemas of providers, and --spec for a spec file"),
    ("--dry-run", "without --write, changes are only shown"),
    ("--diff", "without --write, changes are shown as a diff"),
    ("--in-place", "use --write to write the files"),
    ("--inplace", "use --write to write the files"),
    ("-i", "use --write to write the files"),
    ("--set", "an edit is an argument: hcl edit 'PATH=EXPR' FILE"),
    ("--stdout", "the result of standard input (`-`) is written to standard output"),
    ("--verbose", "there are no further messages"),
    ("--chdir", "use -C DIR with hcl eval; other commands take the directory as an argument"),
];

/// What to write instead of the name of a format as an option.
fn format_tip(option: &str) -> Option<String> {
    let name = option.strip_prefix("--")?;
    let formats = Output::value_variants().iter().filter_map(Output::to_possible_value);
    formats.into_iter().any(|format| format.matches(name, false)).then(|| format!("use --output {name}"))
}

/// Adds what to write instead.
pub(super) fn with_tips(mut error: clap::Error) -> clap::Error {
    let text = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let given = text(&error, ContextKind::InvalidSubcommand);
            let known = COMMANDS.iter().find(|(name, _)| given.as_deref() == Some(name));
            let meant = known.map(|(_, command)| *command).or(given.as_deref());
            let absent = FEATURES.iter().find(|(name, _, built)| Some(*name) == meant && !built);
            if let Some((name, feature, _)) = absent {
                let text = not_built(&format!("the command `{name}`"), feature);
                return super::Args::command().error(ErrorKind::InvalidSubcommand, text);
            } else if let Some((_, command)) = known {
                let names = ContextValue::Strings(vec![(*command).to_owned()]);
                error.insert(ContextKind::SuggestedSubcommand, names);
            }
        }
        ErrorKind::UnknownArgument => {
            let given = text(&error, ContextKind::InvalidArg);
            let known = OPTIONS.iter().find(|(name, _)| given.as_deref() == Some(name));
            let tip = known.map(|(_, tip)| (*tip).to_owned()).or_else(|| format_tip(given.as_deref()?));
            if let Some(tip) = tip {
                error.remove(ContextKind::SuggestedArg);
                // It would be that of the suggestion.
                error.remove(ContextKind::Usage);
                let tips: Vec<StyledStr> = vec![tip.into()];
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
            }
        }
        ErrorKind::MissingRequiredArgument if error.to_string().contains("hcl check --spec") => {
            let tip = "variables are for files with a spec; to evaluate a module with values, use hcl eval DIR --var";
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        ErrorKind::InvalidValue => {
            let is_format =
                text(&error, ContextKind::InvalidArg).is_some_and(|arg| arg.starts_with("--output"));
            let value = text(&error, ContextKind::InvalidValue).filter(|value| value.contains(['.', '/']));
            if let Some(file) = value.filter(|_| is_format) {
                let tips: Vec<StyledStr> = vec![format!("to write to a file, use --out {file}").into()];
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
            }
        }
        _ => {}
    }
    error
}
