//! The chore `hostile`: the time and memory that hostile inputs take, for the tables of `docs/security.md`. The inputs
//! are in `hostile/inputs.rs`, one row each.

mod inputs;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only rows whose input, command or table contain this
    #[arg(long)]
    row: Option<String>,
    /// Run this program instead of building one
    #[arg(long)]
    program: Option<PathBuf>,
    /// Only write the files of the row with this number. The chore starts itself so, because the memory in which it makes a large
    /// input would count as that of the program
    #[arg(long, hide = true)]
    write: Option<usize>,
}

#[cfg(not(unix))]
pub(crate) fn run(_: &Args) -> Result<ExitCode> {
    anyhow::bail!("this needs a system like Unix")
}

#[cfg(unix)]
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    use crate::programs::{self, target};

    let program = match (&args.program, args.write) {
        (Some(program), _) => program.canonicalize()?,
        // It is not started.
        (None, Some(_)) => PathBuf::new(),
        (None, None) => programs::own_released()?,
    };
    let folder = target().join("hostile");
    let (mut failed, mut number) = (0, 0);
    for (title, rows) in inputs::tables() {
        let first = number;
        number += rows.len();
        let wanted = |row: &&inputs::Row| {
            let names =
                |part: &String| [title, row.input, &row.command].iter().any(|it| it.contains(&**part));
            args.row.as_ref().is_none_or(names)
        };
        if let Some(number) = args.write {
            if let Some(row) = number.checked_sub(first).and_then(|at| rows.get(at)) {
                write(&folder, row)?;
            }
            continue;
        }
        let rows: Vec<_> = rows.iter().enumerate().filter(|(_, row)| wanted(row)).collect();
        if rows.is_empty() {
            continue;
        }
        println!("{title}\n\n| input | command | before | now | seconds | MiB | written |");
        println!("| --- | --- | --- | --- | --- | --- | --- |");
        for (at, row) in rows {
            // In another process: the memory of this one counts as that of the programs that it starts.
            let number = (first + at).to_string();
            let written = std::process::Command::new(std::env::current_exe()?)
                .args(["hostile", "--write", &number])
                .status()?;
            anyhow::ensure!(written.success(), "the files of {} cannot be written", row.input);
            let taken = taken(&program, &folder, row)?;
            let is_fine = taken.is_fine && taken.mib <= row.most_mib && taken.seconds <= row.most_seconds;
            failed += usize::from(!is_fine);
            println!(
                "| {} | `{}` | {} | {} | {:.2} | {} | {} |{}",
                row.input,
                row.command,
                row.before,
                taken.result,
                taken.seconds,
                taken.mib,
                size(taken.written),
                if is_fine { "" } else { " **too much**" }
            );
        }
        println!();
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// Writes the files of a row, and no others.
#[cfg(unix)]
fn write(folder: &Path, row: &inputs::Row) -> Result<()> {
    use std::fs;

    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    for (name, text) in (row.files)() {
        let path = folder.join(&*name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// The time and memory of a run.
#[cfg(unix)]
struct Taken {
    /// How it ended, for people.
    result: String,
    is_fine: bool,
    seconds: f64,
    mib: u64,
    written: u64,
}

#[cfg(unix)]
fn taken(program: &Path, folder: &Path, row: &inputs::Row) -> Result<Taken> {
    use std::fs;
    use std::process::{Command, Stdio};

    use anyhow::Context as _;
    use wait4::Wait4 as _;

    let (out, errors) = (folder.join("standard output"), folder.join("standard error"));
    // This keeps a mistake from blocking the whole machine.
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 8388608; ulimit -t 300; exec \"$@\"", "sh"]).arg(program);
    let mut stdin = Stdio::null();
    let mut words = row.command.split(' ');
    while let Some(word) = words.next() {
        match word {
            "<" => {
                let path = words.next().context("a file after `<`")?;
                stdin = fs::File::open(folder.join(path))?.into();
            }
            "$PATH" => _ = command.arg(fs::read_to_string(folder.join("path"))?),
            word => _ = command.arg(word),
        }
    }
    let mut child = command
        .current_dir(folder)
        .stdin(stdin)
        .stdout(fs::File::create(&out)?)
        .stderr(fs::File::create(&errors)?)
        .spawn()?;
    let taken = child.wait4()?;
    let report = String::from_utf8_lossy(&fs::read(&errors)?).into_owned();
    let code = taken.status.code();
    let result = match code {
        _ if report.contains("internal error") => "internal error".to_owned(),
        Some(0) => "done".to_owned(),
        Some(1 | 2) => match report.split_once("error[").and_then(|(_, rest)| rest.split_once(']')) {
            Some((code, _)) => format!("`{code}`"),
            None => "error".to_owned(),
        },
        _ => taken.status.to_string(),
    };
    Ok(Taken {
        is_fine: matches!(code, Some(0..=2)) && !report.contains("internal error"),
        result,
        seconds: (taken.rusage.utime + taken.rusage.stime).as_secs_f64(),
        mib: taken.rusage.maxrss >> 20,
        written: fs::metadata(&out)?.len() + fs::metadata(&errors)?.len(),
    })
}

/// A number of bytes, for people.
#[cfg(unix)]
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} KB", bytes / 1_000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
