//! Options of all commands: colors, standard input, and limits. The help of `hcl` lists them, that of commands does not.

use std::path::PathBuf;
use std::time::Duration;

use anstream::ColorChoice;
use clap::{Args as Group, Command, ValueEnum};
use hclkit::Limits;

use crate::input::MAX_SIZE;

/// The options of all commands.
#[derive(Debug, Clone, Group)]
#[command(next_help_heading = "Options of all commands")]
pub(crate) struct Global {
    /// When to use colors; `auto` respects `NO_COLOR`
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    pub(crate) color: Color,

    /// Disable colors; same as --color never
    #[arg(long, global = true)]
    pub(crate) no_color: bool,

    /// Do not print what was written, warnings and summaries
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// The file name to use for standard input, in messages and to choose the syntax and formatting
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) stdin_name: Option<PathBuf>,

    /// Maximum size of an input file, in bytes or with the suffix KiB, MiB or GiB
    #[arg(long, hide_short_help = true, value_name = "SIZE", global = true, default_value = "256MiB", value_parser = size)]
    pub(crate) max_size: u64,

    /// Maximum nesting depth of expressions, templates and blocks
    #[arg(long, hide_short_help = true, value_name = "N", global = true, default_value_t = Limits::NESTING)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_nesting: u32,

    /// Maximum number of subexpressions to evaluate; names and constants do not count
    #[arg(long, hide_short_help = true, value_name = "N", global = true, default_value_t = Limits::STEPS, value_parser = count)]
    pub(crate) max_steps: u64,

    /// Maximum number of collection elements to create or visit in an evaluation
    #[arg(long, hide_short_help = true, value_name = "N", global = true, default_value_t = Limits::ELEMENTS, value_parser = count)]
    pub(crate) max_elements: u64,

    /// Maximum number of bytes of text to create in an evaluation or to write
    #[arg(long, hide_short_help = true, value_name = "BYTES", global = true, default_value_t = Limits::BYTES, value_parser = count)]
    pub(crate) max_bytes: u64,

    /// Maximum duration of an evaluation, in seconds
    #[arg(long, hide_short_help = true, value_name = "SECONDS", global = true, value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
}

impl Default for Global {
    fn default() -> Self {
        Self {
            color: Color::Auto,
            no_color: false,
            quiet: false,
            stdin_name: None,
            max_size: MAX_SIZE,
            max_nesting: Limits::NESTING,
            max_steps: Limits::STEPS,
            max_elements: Limits::ELEMENTS,
            max_bytes: Limits::BYTES,
            timeout: None,
        }
    }
}

impl Global {
    pub(crate) fn colors(&self) -> ColorChoice {
        match self.color {
            _ if self.no_color => ColorChoice::Never,
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Color {
    /// Only if the output is a terminal
    Auto,
    Always,
    Never,
}

/// Leaves the options of all commands out of the help of each. A command that has an option does not get it from above.
pub(super) fn hidden_below(command: Command) -> Command {
    let globals: Vec<clap::Arg> =
        command.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
    command.mut_subcommands(|below| hidden_in(below, &globals))
}

fn hidden_in(command: Command, globals: &[clap::Arg]) -> Command {
    command
        .args(globals.iter().map(|arg| arg.clone().hide(true)))
        .mut_subcommands(|below| hidden_in(below, globals))
}

/// A number of bytes, such as `65536` or `64KiB`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)];
    let sizes = units.iter().filter_map(|(unit, bytes)| {
        text.strip_suffix(unit)?.trim_end().parse::<u64>().ok()?.checked_mul(*bytes)
    });
    sizes.into_iter().next().ok_or_else(|| "expected a number of bytes, such as 65536 or 64KiB".to_owned())
}

fn count(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "expected a whole number, such as 100000")
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or("expected a number of seconds, such as 2.5")
}
