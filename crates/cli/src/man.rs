//! `hcl man`: manual pages, made from the definitions and the help of all commands.

use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use hclkit::syntax::{nearest_name, or_did_you_mean};

use crate::args::{self, Manual};
use crate::atomic_write::OutputDirectory;
use crate::hcldec;
use crate::outcome::{Failure, Outcome};
use crate::output::print_bytes;

pub(crate) fn run(command: &Manual) -> Result<Outcome, Failure> {
    let hcl = built(args::command());
    let Some(directory) = &command.directory else {
        print_bytes(&page(&hcl, true)?)?;
        return Ok(Outcome::Fine);
    };
    let named = directory.to_str().and_then(|name| hcl.find_subcommand(name));
    if let Some(command) = named.filter(|_| !directory.is_dir()) {
        print_bytes(&page(command, true)?)?;
        return Ok(Outcome::Fine);
    }
    // Of a command that is misspelled, no directory should be left.
    let names = hcl.get_subcommands().map(Command::get_name);
    let meant = directory.to_str().filter(|_| !directory.exists()).and_then(|name| nearest_name(name, names));
    if let Some(meant) = meant {
        let name = directory.display();
        return Err(Failure::new(format!(
            "there is no command `{name}`{} For a directory with this name, write ./{name}",
            or_did_you_mean(Some(meant))
        )));
    }
    let directory = OutputDirectory::create(directory)?;
    let mut commands = vec![(hcl, true), (built(hcldec::command()), false)];
    while let Some((command, is_hcl)) = commands.pop() {
        let name = Man::new(command.clone()).get_filename();
        directory.write(Path::new(&name), &page(&command, is_hcl)?)?;
        commands.extend(
            command
                .get_subcommands()
                .filter(|inner| !inner.is_hide_set())
                .map(|inner| (inner.clone(), is_hcl)),
        );
    }
    Ok(Outcome::Fine)
}

fn built(command: Command) -> Command {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    command
}

/// The page of one command.
fn page(command: &Command, is_hcl: bool) -> Result<Vec<u8>, Failure> {
    let version = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(version).manual("HCL");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    let mut rest = Roff::new();
    let help = command.get_after_long_help().or_else(|| command.get_after_help()).map(ToString::to_string);
    let mut notes = false;
    for paragraph in help.iter().flat_map(|help| help.split("\n\n")) {
        let (first, lines) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        if first == "Examples:" {
            rest.control("SH", ["EXAMPLES"]).control("nf", []);
            rest.text(
                lines.lines().map(|line| roman(format!("{}\n", line.trim_start()))).collect::<Vec<_>>(),
            );
            rest.control("fi", []);
        } else {
            rest.control(
                if notes { "PP" } else { "SH" },
                if notes { &[][..] } else { &["NOTES"][..] }.iter().copied(),
            );
            rest.text([roman(paragraph)]);
            notes = true;
        }
    }
    if is_hcl && command.get_name() != "hcl" {
        rest.control("SH", ["SEE ALSO"]).text([roman("hcl(1)")]);
    }
    rest.to_writer(&mut page)?;
    Ok(page)
}
