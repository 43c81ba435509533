//! `hcl docs`: documents modules with `hclkit::docs`, on standard output or between markers in a file of each module.
//! `docs/config.rs` reads `.terraform-docs.yml`.

mod config;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use hclkit::decode::Decoder;
use hclkit::dialect::{Dialect, FileKind};
use hclkit::docs::{BEGIN, DocsFormat, DocsLayout, DocsOptions, END, docs, header_comment, inject};
use hclkit::limits::directory_of;
use hclkit::module::{BAKE_FILES, Disk};
use hclkit::render::Renderer;
use hclkit::schema::markdown;
use hclkit::{Diagnostics, Source};

use crate::args::{self, Docs, Output, Spacing};
use crate::atomic_write;
use crate::bake;
use crate::host::{self, Host};
use crate::input::{self, Find as _, FoundFile, Input, selection};
use crate::module::{self, ModulePath};
use crate::outcome::{CommandError, Failure, Outcome};
use crate::output::{complain, note, print_diff, print_written, warn};
use crate::schema::title;
use crate::sources::Sources;
use crate::text_diff;
use crate::values::Printer;
use config::Config;

/// The markers in `AsciiDoc`, which has comments of its own.
const IN_ASCIIDOC: (&str, &str) = ("// BEGIN_TF_DOCS", "// END_TF_DOCS");

pub(crate) fn run(command: &Docs) -> Result<Outcome, Failure> {
    let (targets, mut outcome) = targets(command)?;
    let is_written = command.inject.is_some() || command.check;
    if targets.len() > 1 && !is_written {
        return Err(Failure::new(
            "several modules are documented only in files of their own; use --inject README.md",
        ));
    }
    if is_written && command.output() == Some(Output::Json) {
        return Err(Failure::new("JSON has no markers; use --out FILE instead of --inject"));
    }
    for target in &targets {
        let ended = Host::current().limited(|| document(command, target));
        outcome = outcome.max(match ended {
            Ok(ended) => ended,
            Err(CommandError::Problems(problems)) => {
                writeln!(host::styled_stderr(), "{}", Renderer::colored().diagnostics(&problems))?;
                Outcome::of_errors(&problems)
            }
            Err(CommandError::Failure(failure)) if targets.len() > 1 && !failure.is_unread_output() => {
                complain(&failure);
                Outcome::Incomplete
            }
            Err(CommandError::Failure(failure)) => return Err(failure),
        });
    }
    Ok(outcome)
}

/// The modules of the command line, and of subdirectories.
fn targets(command: &Docs) -> Result<(Vec<PathBuf>, Outcome), Failure> {
    let paths = input::or_here(&command.paths);
    // Wrong patterns are errors also where no directory is searched.
    let selection = selection(&command.files)?;
    if !command.recursive {
        return Ok((paths.to_vec(), Outcome::Fine));
    }
    let found = selection.find(paths);
    found.unreadable.iter().for_each(complain);
    let is_module = |path: &Path| {
        let language = Dialect::of_path(path);
        language.is_some_and(|own| own.file_kind(path) == Some(FileKind::Module))
    };
    let mut all: BTreeSet<PathBuf> = paths.iter().filter(|&path| !path.is_dir()).cloned().collect();
    for input in &found.inputs {
        if let Input::Found(FoundFile { path, .. }) = input
            && is_module(path)
        {
            all.insert(directory_of(path).to_owned());
        }
    }
    let outcome = if found.unreadable.is_empty() { Outcome::Fine } else { Outcome::Incomplete };
    if all.is_empty() {
        return Err(Failure::new("no modules found"));
    }
    Ok((all.into_iter().collect(), outcome))
}

fn document(command: &Docs, target: &Path) -> Result<Outcome, CommandError> {
    if is_spec(target) {
        let source = crate::decode::read(target)?;
        let decoder = Decoder::new(source)?;
        let text = markdown(decoder.spec_file(), &title(target));
        let options = DocsOptions::default();
        return finish(command, directory_of(target), &Config::default(), &options, text.trim_end());
    }
    let Some(text) = target.to_str() else {
        return Err(Failure::new(format!("{}: the name is not valid UTF-8", target.display())).into());
    };
    let place = module::required_place(text, &command.language)?;
    let config = Config::read(command.config.as_deref(), &place.directory)?;
    let mut options = options(command, &config, &place)?;
    let summary = {
        let is_bake = bake::is_bake(Some(text), &command.language);
        let language = match Dialect::named("bake").filter(|_| is_bake) {
            Some(language) => language,
            None => module::language(&place, &command.language)?,
        };
        let mut loader = module::files(language, &place, &[], &Sources::default());
        if is_bake {
            let has = |name: &&str| place.directory.join(name).is_file();
            loader = match target.file_name().and_then(|name| name.to_str()).filter(|_| target.is_file()) {
                Some(name) => loader.with_only([name]),
                None => loader.with_only(BAKE_FILES.into_iter().filter(has)),
            };
        }
        loader.summary(config.lockfile && !command.no_lockfile)
    };
    if command.header_from.is_none() && config.header_from.is_none() {
        options.header = summary.main.as_ref().and_then(|main| header_comment(main.text()));
    }
    if summary.broken.has_errors() || summary.diagnostics.has_limit() {
        return Err(errors(summary.diagnostics).into());
    }
    let errors = summary.diagnostics.errors();
    if errors > 0 {
        let errors = crate::output::plural(errors, "error");
        warn(format_args!(
            "{text} has {errors}, which `hcl check {text}` shows; its documentation may lack something"
        ));
    }
    finish(command, &place.directory, &config, &options, &docs(&summary, &options))
}

/// The errors without the warnings.
fn errors(all: Diagnostics) -> Diagnostics {
    all.into_iter().filter(hclkit::Diagnostic::is_error).collect()
}

fn is_spec(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "hcldec") && path.is_file()
}

fn options(command: &Docs, config: &Config, place: &ModulePath) -> Result<DocsOptions, Failure> {
    let mut options = config.options.clone();
    match command.output() {
        Some(Output::Json) => options.format = DocsFormat::Json,
        Some(Output::Asciidoc) => options.format = DocsFormat::Asciidoc,
        Some(_) => options.format = DocsFormat::Markdown,
        None => {}
    }
    match command.layout {
        Some(args::DocsLayout::Table) => options.layout = DocsLayout::Table,
        Some(args::DocsLayout::Document) => options.layout = DocsLayout::Document,
        None => {}
    }
    if !command.show.is_empty() {
        options.sections = command.show.iter().copied().collect();
    }
    options.sections.retain(|section| !command.hide.contains(section));
    if let Some(order) = command.order {
        options.order = order.order();
    }
    options.indent = command.indent.map_or(options.indent, usize::from);
    options.hide_empty |= command.hide_empty;
    options.anchor &= !command.no_anchor;
    options.html &= !command.no_html;
    options.marks &= !command.no_marks;
    options.comments &= !command.no_comments;
    let directory = &place.directory;
    options.header = match (&command.header_from, &config.header_from) {
        (Some(path), _) => text_of(&directory.join(path))?,
        (None, Some(path)) => text_of(&config.inside(directory, path)?)?,
        (None, None) => None,
    };
    options.footer = match (&command.footer_from, &config.footer_from) {
        (Some(path), _) => text_of(&directory.join(path))?,
        (None, Some(path)) => text_of(&config.inside(directory, path)?)?,
        (None, None) => None,
    };
    Ok(options)
}

/// The text of a header or footer: the first comment of a file in HCL, or the whole file.
fn text_of(path: &Path) -> Result<Option<String>, Failure> {
    let source: Source = Input::of(path).read_text()?;
    let is_hcl =
        path.extension().is_some_and(|ending| ["tf", "tofu", "hcl"].iter().any(|own| ending == *own));
    Ok(if is_hcl { header_comment(source.text()) } else { Some(source.text().trim_end().to_owned()) })
}

/// Prints the documentation, or puts it into the file of its module.
fn finish(
    command: &Docs,
    directory: &Path,
    config: &Config,
    options: &DocsOptions,
    text: &str,
) -> Result<Outcome, CommandError> {
    let named = config.file.as_deref();
    let file = match (&command.inject, command.check) {
        (Some(file), _) => directory.join(file),
        (None, true) => match named {
            Some(file) => config.inside(directory, file)?,
            None => directory.join("README.md"),
        },
        (None, false) => {
            if let Some(file) = named {
                let file = file.display();
                note(format!(".terraform-docs.yml names {file}; write to it with --inject {file}"));
            }
            let printer = Printer::new(&command.destination, Spacing::default());
            printer.bytes(format!("{text}\n").as_bytes())?;
            return Ok(Outcome::Fine);
        }
    };
    let name = file.display().to_string();
    let input = Input::File(file.clone());
    let before = match std::fs::symlink_metadata(&file) {
        Ok(_) => Some(input.read_text().map_err(Failure::from)?),
        Err(_) => None,
    };
    if before.as_ref().is_some_and(|source| !source.invalid().is_empty()) {
        return Err(Failure::new(format!("{name}: the file is not valid UTF-8")).into());
    }
    let old = before.as_ref().map_or("", |source| source.text());
    let (begin, end) = match &config.markers {
        Some((begin, end)) => (begin.as_str(), end.as_str()),
        None if options.format == DocsFormat::Asciidoc && !old.contains(BEGIN) => IN_ASCIIDOC,
        None => (BEGIN, END),
    };
    let new = inject(old, text, (begin, end)).map_err(|why| Failure::new(format!("{name}: {why}")))?;
    if new == old {
        return Ok(Outcome::Fine);
    }
    if command.check {
        let diff = if before.is_some() {
            text_diff::unified(&name, old, &new)
        } else {
            text_diff::created(&name, &new)
        };
        print_diff(&diff)?;
        return Ok(Outcome::Problems);
    }
    match &before {
        Some(source) => {
            let written = atomic_write::rewrite(&file, || input.open(), source.bytes(), new.as_bytes());
            if written.map_err(|why| Failure::new(format!("cannot write {name}: {why}")))? {
                warn(format_args!("{name} had other hard links, which keep the old content"));
            }
        }
        None => atomic_write::write(&file, new.as_bytes())?,
    }
    print_written(&name, "documentation")?;
    Ok(Outcome::Fine)
}

/// What files that settings name must be in: the repository of the module.
fn repository(directory: &Path) -> Result<PathBuf, Failure> {
    Disk::repository(directory)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", directory.display())))
}
