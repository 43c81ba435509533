//! The table of options by commands, which is `docs/options.md`. In it, a name never has two meanings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use clap::{Arg, Command};

/// An option in the table.
#[derive(Default)]
struct Row {
    names: BTreeSet<String>,
    helps: BTreeSet<String>,
    values: BTreeSet<String>,
    commands: BTreeSet<String>,
}

/// The help of an option: its first line, without the default.
fn help(arg: &Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let first = help.lines().next().unwrap_or_default();
    first.split(" [default: ").next().unwrap_or_default().to_owned()
}

fn rows() -> BTreeMap<String, Row> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let root = super::command();
    let mut open: Vec<(String, &Command)> = vec![("all commands".to_owned(), &root)];
    while let Some((name, command)) = open.pop() {
        for arg in command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set()) {
            let Some(long) = arg.get_long() else { continue };
            let row = rows.entry(long.to_owned()).or_default();
            row.names.insert(
                arg.get_short().map_or(format!("`--{long}`"), |short| format!("`-{short}`, `--{long}`")),
            );
            row.helps.insert(help(arg));
            let values = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string);
            // A flag may take a value, as in -write=false.
            let is_flag = arg.get_num_args().is_none_or(|count| count.min_values() == 0);
            row.values.insert(if is_flag { String::new() } else { values.collect::<Vec<_>>().join(" ") });
            row.commands.insert(name.clone());
        }
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            let name = match name.as_str() {
                "all commands" => below.get_name().to_owned(),
                _ => format!("{name} {}", below.get_name()),
            };
            open.push((name, below));
        }
    }
    rows
}

#[test]
fn each_command_is_in_one_group_of_the_help() {
    let listed: Vec<&str> = super::GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    let command = super::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    for name in &names {
        assert_eq!(listed.iter().filter(|own| *own == name).count(), 1, "{name}");
    }
}

#[test]
fn a_name_never_has_two_meanings() {
    let mut wrong = Vec::new();
    for (name, row) in rows() {
        if row.helps.len() > 1 || row.values.len() > 1 || row.names.len() > 1 {
            wrong.push(format!("--{name}: {:?} {:?} {:?}", row.names, row.values, row.helps));
        }
    }
    // A letter, an alias or a hidden name is never another option.
    let mut letters: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let root = super::command();
    let mut open = vec![&root];
    while let Some(command) = open.pop() {
        for arg in command.get_arguments().filter(|arg| !arg.is_positional()) {
            let Some(long) = arg.get_long() else { continue };
            let aliases =
                arg.get_all_aliases().unwrap_or_default().into_iter().map(|alias| format!("--{alias}"));
            let names = arg.get_short().map(|short| format!("-{short}")).into_iter().chain(aliases);
            for name in names.chain([format!("--{long}")]) {
                letters.entry(name).or_default().insert(long.to_owned());
            }
        }
        open.extend(command.get_subcommands().filter(|below| below.get_name() != "help"));
    }
    wrong.extend(
        letters.iter().filter(|(_, all)| all.len() > 1).map(|(name, all)| format!("{name}: {all:?}")),
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_table_is_in_the_manual() {
    let mut text = String::from(
        "# Options\n\nEvery option of `hcl`, with the commands that have it. An option means the same in all of them. A test writes this \
         table from the definitions of the options.\n\n| option | meaning | commands |\n| --- | --- | --- |\n",
    );
    for row in rows().into_values() {
        let first = |all: &BTreeSet<String>| all.first().cloned().unwrap_or_default();
        let value = first(&row.values);
        let value = if value.is_empty() { value } else { format!(" `{}`", value.replace('|', "\\|")) };
        let commands: Vec<String> = row.commands.into_iter().collect();
        let help = first(&row.helps).replace('|', "\\|");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {}{value} | {help} | {} |", first(&row.names), commands.join(", "));
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/options.md");
    let compare =
        snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).normalize_paths(false);
    let expected = snapbox::Data::read_from(&path, Some(snapbox::data::DataFormat::Text)).raw();
    compare.eq(snapbox::Data::text(text).raw(), expected);
}

/// One page of the guide for each command, with its help, and a row of the manual.
#[test]
fn each_command_has_a_page() {
    let compare =
        snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).normalize_paths(false);
    let book = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src");
    let summary = std::fs::read_to_string(book.join("SUMMARY.md")).unwrap();
    let manual = include_str!("../../README.md");
    let mut root = super::command().term_width(100);
    root.build();
    for command in root.get_subcommands_mut().filter(|command| command.get_name() != "help") {
        let name = command.get_name().to_owned();
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let help = command.render_long_help().to_string();
        // Blocks of code that are sessions would be run.
        let text = format!("# hcl {name}\n\n{about}.\n\n```\n{}\n```\n", help.trim_end());
        let path = book.join(format!("commands/{name}.md"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let expected = snapbox::Data::read_from(&path, Some(snapbox::data::DataFormat::Text)).raw();
        compare.eq(snapbox::Data::text(text).raw(), expected);
        assert!(summary.contains(&format!("(commands/{name}.md)")), "SUMMARY.md does not list {name}");
        assert!(manual.contains(&format!("`hcl {name}")), "README.md does not list {name}");
    }
}
