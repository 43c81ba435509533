//! `hcl convert`: converts between the native syntax and the JSON syntax with `hclkit::convert`, and from HCL 1 to both
//! (`convert/hcl1.rs`). JSON is streamed, and many files are converted in parallel.

mod hcl1;
pub(crate) mod yaml;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use hclkit::convert::{self, Json, ToJson, ToNative};
use hclkit::dialect::{Dialect, FileKind};
use hclkit::functions::{Grants, Library};
use hclkit::model::SpecFile;
use hclkit::syntax::json::JsonDocument;
use hclkit::write::Formatter;
use hclkit::{Diagnostics, Document, Source, StartSymbol};

use self::yaml::Yaml;
use crate::args::{Convert, ConvertSyntax as Format, LanguageName, Output, Shape};
use crate::atomic_write;
use crate::decode;
use crate::host::{self, Host};
use crate::input::{Find, Input, Unreadable, selection};
use crate::module::table;
use crate::outcome::{CommandError, Failure, Outcome};
use crate::output::{complain, json_writer, plural, print_diagnostics, print_written, write_json};
use crate::values::{Printer, json_of, yaml};
use crate::workers::Workers;

pub(crate) fn run(command: &Convert) -> Result<Outcome, Failure> {
    let mut inputs = inputs(command)?;
    let by_ending = || match command.destination.format(&[Output::Json, Output::Yaml, Output::Hcl])? {
        Output::Json => Some(Format::Json),
        Output::Yaml => Some(Format::Yaml),
        _ => Some(Format::Hcl),
    };
    let wanted = command.output.or(command.json.then_some(Format::Json)).or_else(by_ending);
    let is_native = |input: &Input| from(command, input) == Format::Hcl;
    let to = wanted.unwrap_or_else(|| if inputs.iter().any(is_native) { Format::Json } else { Format::Hcl });
    let is_unchanged = |input: &Input| from(command, input) == to && !is_hcl1(command, input);
    // Directories may have files of both syntaxes.
    inputs.retain(|input| !(matches!(input, Input::Found(..)) && is_unchanged(input)));
    if let Some(input) = inputs.iter().find(|input| is_unchanged(input)) {
        let name = input.name();
        return Err(Failure::new(match to {
            Format::Hcl => format!("{name} is in the native syntax already; use --from json or --to json"),
            Format::Json => format!("{name} is JSON already; use --to hcl or --to yaml"),
            Format::Yaml => format!("{name} is YAML already; use --to hcl or --to json"),
        }));
    }
    if inputs.is_empty() {
        return Err(Failure::new("nothing to convert: all files are in the wanted syntax already"));
    }
    let languages = match Languages::new(command) {
        Ok(languages) => languages,
        Err(CommandError::Problems(problems)) => return Problem::Wrong(problems).report(),
        Err(CommandError::Failure(failure)) => return Err(failure),
    };
    let workers = Workers::new();
    let outcome = match to {
        Format::Hcl if inputs.iter().any(|input| is_hcl1(command, input)) => {
            hcl1::to_native(command, &languages, &inputs)
        }
        Format::Hcl => to_native(command, &languages, &inputs, &workers),
        Format::Json if inputs.iter().any(Input::is_hcl1) => {
            to_tree(command, &languages, &inputs, &workers, to)
        }
        Format::Yaml => to_tree(command, &languages, &inputs, &workers, to),
        Format::Json if !inputs.iter().all(is_native) => to_tree(command, &languages, &inputs, &workers, to),
        Format::Json if command.merge || inputs.len() == 1 => {
            one_to_json(command, &languages, &inputs, &workers)
        }
        Format::Json => all_to_json(command, &languages, &inputs, &workers),
    }?;
    if let (Some(path), Outcome::Fine) = (atomic_write::file(command.destination.out.as_ref()), outcome) {
        print_written(&path.display().to_string(), &format!("converted {}", plural(inputs.len(), "file")))?;
    }
    Ok(outcome)
}

fn inputs(command: &Convert) -> Result<Vec<Input>, Failure> {
    if command.paths.is_empty() {
        if host::stdin_is_terminal() {
            return Err(Failure::new("nothing to convert: specify a file, or `-` for standard input"));
        }
        return Ok(vec![Input::Stdin]);
    }
    let mut names = HashSet::new();
    for path in &command.paths {
        // Two paths that are not valid UTF-8 can have the same displayed name, which can be used only once.
        if !names.insert(Input::of(path).name()) {
            return Err(Failure::new(format!("{} is specified twice", path.display())));
        }
    }
    let mut found = selection(&command.files)?.find_in(&command.paths)?;
    if let Some(out) = atomic_write::file(command.destination.out.as_ref()) {
        found.inputs.iter().filter_map(Input::path).for_each(|path| Host::current().note_read(path));
        atomic_write::refuse_input(out)?;
    }
    if command.keep_going || found.unreadable.is_empty() {
        found.unreadable.iter().for_each(complain);
        return Ok(found.inputs);
    }
    Err(found.unreadable.swap_remove(0).into())
}

/// The format of an input: the requested one, or the one for its name, also one given with `--stdin-name`.
fn from(command: &Convert, input: &Input) -> Format {
    let name = input.name();
    let extension = Path::new(&name).extension().map(OsStr::to_ascii_lowercase);
    match (command.from, extension.as_ref().and_then(|extension| extension.to_str())) {
        (Some(from), _) => from,
        (None, Some("json")) => Format::Json,
        (None, Some("yaml" | "yml")) => Format::Yaml,
        (None, _) => Format::Hcl,
    }
}

/// Whether an input is in HCL 1, and not in JSON.
fn is_hcl1(command: &Convert, input: &Input) -> bool {
    input.is_hcl1() && from(command, input) == Format::Hcl
}

/// Why a file is not converted.
enum Problem {
    Unreadable(Unreadable),
    Wrong(Diagnostics),
}

impl Problem {
    /// Reports the problem. Returns the best outcome that the run can still have.
    fn report(&self) -> Result<Outcome, Failure> {
        match self {
            Self::Unreadable(unreadable) => {
                complain(unreadable);
                Ok(Outcome::Incomplete)
            }
            Self::Wrong(diagnostics) => {
                print_diagnostics(diagnostics)?;
                Ok(Outcome::of_errors(diagnostics))
            }
        }
    }
}

/// The results of all inputs in order, if there are no problems. Otherwise the outcome, after reporting them.
fn each<T: Send>(
    inputs: &[Input],
    workers: &Workers,
    work: impl Fn(&Input) -> Result<T, Problem> + Sync,
) -> Result<Result<Vec<T>, Outcome>, Failure> {
    let (all, outcome) = possible(inputs, workers, work)?;
    Ok(if outcome == Outcome::Fine { Ok(all) } else { Err(outcome) })
}

/// The results of the inputs without problems in order, and the outcome, after reporting the problems of the others.
fn possible<T: Send>(
    inputs: &[Input],
    workers: &Workers,
    work: impl Fn(&Input) -> Result<T, Problem> + Sync,
) -> Result<(Vec<T>, Outcome), Failure> {
    let (mut all, mut outcome) = (Vec::with_capacity(inputs.len()), Outcome::Fine);
    workers.for_each(inputs, work, |results| {
        for result in results {
            match result {
                Ok(result) => all.push(result),
                Err(problem) => outcome = outcome.max(problem.report()?),
            }
        }
        Ok::<_, Failure>(())
    })?;
    Ok((all, outcome))
}

fn parse(input: &Input) -> Result<Document, Problem> {
    let source = input.read_text().map_err(Problem::Unreadable)?;
    Ok(Document::parse(source, StartSymbol::Config))
}

/// Converts one configuration of one or more files to JSON, and streams the output.
fn one_to_json(
    command: &Convert,
    languages: &Languages,
    inputs: &[Input],
    workers: &Workers,
) -> Result<Outcome, Failure> {
    let converter = together(command, languages, inputs)?;
    let documents = match each(inputs, workers, parse)? {
        Ok(documents) => documents,
        Err(outcome) => return Ok(outcome),
    };
    let documents: Vec<&Document> = documents.iter().collect();
    let conversion = match converter.check(&documents) {
        Ok(conversion) => conversion,
        Err(problems) => return Problem::Wrong(problems).report(),
    };
    put(command, |out| {
        let mut out = json_writer(out);
        if command.spacing.compact {
            conversion.write(&mut out)?;
        } else {
            conversion.write_pretty(&mut out)?;
        }
        out.write_all(b"\n")
    })?;
    Ok(Outcome::Fine)
}

/// Converts files to YAML, or also JSON and YAML to JSON, with the structure of the JSON syntax.
fn to_tree(
    command: &Convert,
    languages: &Languages,
    inputs: &[Input],
    workers: &Workers,
    to: Format,
) -> Result<Outcome, Failure> {
    let is_other = |input: &&Input| from(command, input) != Format::Hcl || input.is_hcl1();
    if let (true, Some(input)) = (command.merge, inputs.iter().find(is_other)) {
        return Err(Failure::new(format!(
            "{} is not in the native syntax and cannot be merged",
            input.name()
        )));
    }
    let (tree, outcome) = if command.merge {
        let converter = together(command, languages, inputs)?;
        let documents = match each(inputs, workers, parse)? {
            Ok(documents) => documents,
            Err(outcome) => return Ok(outcome),
        };
        match converter.convert_merged(&documents.iter().collect::<Vec<_>>()) {
            Ok(tree) => (tree, Outcome::Fine),
            Err(problems) => return Problem::Wrong(problems).report(),
        }
    } else {
        let named = |input: &Input| Ok((input.name(), tree_of(command, languages, input)?));
        let (mut trees, outcome) = possible(inputs, workers, named)?;
        let is_one = inputs.len() == 1;
        if outcome != Outcome::Fine && (is_one || !command.keep_going) {
            return Ok(outcome);
        }
        let only = trees.pop_if(|_| is_one).map(|(_, tree)| tree);
        (only.unwrap_or_else(|| Json::Object(trees.into_iter().collect())), outcome)
    };
    if to == Format::Yaml {
        let text = Host::current().limits().run(|| yaml(&tree))?;
        put(command, |out| out.write_all(text.as_bytes()))?;
    } else {
        put(command, |out| Ok(write_json(&tree, command.spacing, out)?))?;
    }
    Ok(outcome)
}

/// A file in the structure of the JSON syntax.
fn tree_of(command: &Convert, languages: &Languages, input: &Input) -> Result<Json, Problem> {
    if input.is_hcl1() && from(command, input) != Format::Yaml {
        return hcl1::tree_of(input);
    }
    if from(command, input) == Format::Hcl {
        let document = parse(input)?;
        let converter = converter(command, languages.of(input), std::slice::from_ref(input));
        return converter.convert(&document).map_err(Problem::Wrong);
    }
    let Read { document, yaml } = read_json(command, input)?;
    if document.has_errors() {
        return Err(Problem::Wrong(document.diagnostics().clone()));
    }
    json_of(document.root()).map_err(|error| {
        let found = Diagnostics::from(error.with_source(document.shared_source()));
        Problem::Wrong(yaml::at_yaml(found, yaml.as_slice()))
    })
}

/// Converts files to the properties of an object.
fn all_to_json(
    command: &Convert,
    languages: &Languages,
    inputs: &[Input],
    workers: &Workers,
) -> Result<Outcome, Failure> {
    let compact = command.spacing.compact;
    let one = |input: &Input| -> Result<(String, Vec<u8>), Problem> {
        let document = parse(input)?;
        let converter = converter(command, languages.of(input), std::slice::from_ref(input));
        let conversion = converter.check(&[&document]).map_err(Problem::Wrong)?;
        let mut text = Vec::with_capacity(2 * document.source().len() as usize);
        let mut out = json_writer(&mut text);
        let written = if compact { conversion.write(&mut out) } else { conversion.write_nested(&mut out, 1) };
        drop(out);
        let failed = |error: io::Error| {
            Problem::Unreadable(Unreadable {
                name: input.name(),
                reason: error.to_string(),
                action: "convert",
            })
        };
        written.map_err(failed)?;
        Ok((input.name(), text))
    };
    if !command.keep_going {
        let files = match each(inputs, workers, one)? {
            Ok(files) => files,
            Err(outcome) => return Ok(outcome),
        };
        put(command, |out| {
            let mut object = Object::begin(out, compact)?;
            files.iter().try_for_each(|(name, text)| object.property(name, text))?;
            object.end()
        })?;
        return Ok(Outcome::Fine);
    }
    let (mut outcome, mut unreported) = (Outcome::Fine, None);
    put(command, |out| {
        let mut object = Object::begin(out, compact)?;
        workers.for_each(inputs, one, |results| {
            for result in results {
                match result {
                    Ok((name, text)) => object.property(&name, &text)?,
                    Err(problem) => match problem.report() {
                        Ok(reported) => outcome = outcome.max(reported),
                        Err(failure) => _ = unreported.get_or_insert(failure),
                    },
                }
            }
            Ok::<_, io::Error>(())
        })?;
        object.end()
    })?;
    unreported.map_or(Ok(outcome), Err)
}

/// Writes an object whose values are text already.
struct Object<W> {
    out: W,
    compact: bool,
    is_empty: bool,
}

impl<W: Write> Object<W> {
    fn begin(mut out: W, compact: bool) -> io::Result<Self> {
        out.write_all(b"{")?;
        Ok(Self { out, compact, is_empty: true })
    }

    fn property(&mut self, name: &str, text: &[u8]) -> io::Result<()> {
        let before = match (self.is_empty, self.compact) {
            (true, true) => "",
            (true, false) => "\n  ",
            (false, true) => ",",
            (false, false) => ",\n  ",
        };
        self.is_empty = false;
        self.out.write_all(before.as_bytes())?;
        serde_json::to_writer(json_writer(&mut self.out), name)?;
        self.out.write_all(if self.compact { b":" } else { b": " })?;
        self.out.write_all(text)
    }

    fn end(mut self) -> io::Result<()> {
        self.out.write_all(if self.compact || self.is_empty { b"}\n" } else { b"\n}\n" })
    }
}

/// The converter for files that are one configuration.
fn together(command: &Convert, languages: &Languages, inputs: &[Input]) -> Result<ToJson, Failure> {
    Ok(converter(command, common_dialect(languages, inputs)?, inputs))
}

/// The converter for files of a language.
fn converter(command: &Convert, dialect: Option<Arc<Dialect>>, inputs: &[Input]) -> ToJson {
    let shape = match command.shape {
        Shape::Arrays => convert::Shape::Arrays,
        Shape::Compact => convert::Shape::Compact,
    };
    let converter = ToJson::new()
        .with_shape(shape)
        .with_all_static(hold_values(dialect.as_deref(), inputs))
        .with_static(&command.statics)
        .with_ordered(command.ordered.iter().map(String::as_str));
    match dialect {
        None => converter,
        Some(dialect) => converter.with_dialect(&dialect),
    }
}

/// Converts one configuration of one or more files to the native syntax.
fn to_native(
    command: &Convert,
    languages: &Languages,
    inputs: &[Input],
    workers: &Workers,
) -> Result<Outcome, Failure> {
    if inputs.len() > 1 && !command.merge {
        return Err(Failure::new(
            "several files can be converted to HCL only as one configuration, with --merge",
        ));
    }
    let out = atomic_write::file(command.destination.out.as_ref());
    let by_output = || out.and_then(Dialect::of_path).filter(|_| matches!(languages, Languages::ByName));
    let dialect = common_dialect(languages, inputs)?.or_else(by_output);
    // A file that sets variables has values, and no templates and blocks, whatever the name of the input is.
    let kind = out.zip(dialect.as_deref()).and_then(|(out, dialect)| dialect.file_kind(out));
    let is_values = kind == Some(FileKind::Values) && command.spec.is_none();
    let mut converter = ToNative::new()
        .with_dynamic(command.dynamic)
        .with_all_static(is_values || hold_values(dialect.as_deref(), inputs))
        .with_literal_strings(command.literal)
        .with_static(&command.statics)
        .with_blocks(command.blocks.iter().map(|(name, labels)| (name, *labels)))
        .with_attributes(&command.attributes);
    if let Some(path) = &command.spec {
        let functions = Library::Spec.functions(&Grants::new());
        let source = decode::read(path)?;
        match Host::current().limited(|| SpecFile::read(source, &functions)) {
            Ok(file) => converter = converter.with_spec(file.spec),
            Err(problems) => return Problem::Wrong(problems).report(),
        }
    } else if let Some(dialect) = dialect {
        converter = converter.with_dialect(dialect);
    }
    let read = match each(inputs, workers, |input| read_json(command, input))? {
        Ok(read) => read,
        Err(outcome) => return Ok(outcome),
    };
    let (documents, yaml): (Vec<JsonDocument>, Vec<Option<Yaml>>) =
        read.into_iter().map(|read| (read.document, read.yaml)).unzip();
    let yaml: Vec<Yaml> = yaml.into_iter().flatten().collect();
    let warnings = documents.iter().flat_map(JsonDocument::diagnostics).filter(|found| !found.is_error());
    print_diagnostics(warnings)?;
    match workers.run(|| converter.convert_merged(&documents)) {
        Ok(text) => {
            let text = formatted(command, languages, &inputs[0], text);
            put(command, |out| out.write_all(text.as_bytes())).map(|()| Outcome::Fine)
        }
        Err(problems) => Problem::Wrong(yaml::at_yaml(problems, &yaml)).report(),
    }
}

/// The text as `hcl fmt` formats the file that it is written to, or else that of the input without its last extension.
fn formatted(command: &Convert, languages: &Languages, input: &Input, text: String) -> String {
    let name = match atomic_write::file(command.destination.out.as_ref()) {
        Some(path) => path.to_owned(),
        None => Path::new(&input.name()).with_extension(""),
    };
    let formatter = match languages {
        Languages::One(Some(dialect)) => Formatter::new(dialect.clone()),
        Languages::One(None) => Formatter::plain(),
        Languages::ByName => Formatter::of_path(&name),
    };
    let document = Document::parse(Source::new("", text), StartSymbol::Config);
    if document.has_errors() {
        return document.source().text().to_owned();
    }
    let formatted = formatter.format(&document);
    formatted.text().into_owned()
}

/// A file in the JSON syntax, or one in YAML as JSON.
struct Read {
    document: JsonDocument,
    yaml: Option<Yaml>,
}

fn read_json(command: &Convert, input: &Input) -> Result<Read, Problem> {
    let source = input.read_text().map_err(Problem::Unreadable)?;
    if from(command, input) != Format::Yaml {
        return Ok(Read { document: JsonDocument::parse(source), yaml: None });
    }
    let (document, yaml) = Yaml::read(source).map_err(Problem::Wrong)?;
    Ok(Read { document, yaml: Some(yaml) })
}

/// The languages of the files.
enum Languages {
    /// The ones that match the names of the files.
    ByName,
    /// The requested one, or none.
    One(Option<Arc<Dialect>>),
}

impl Languages {
    fn new(command: &Convert) -> Result<Self, CommandError> {
        Ok(match &command.language.language {
            None => Self::ByName,
            Some(LanguageName::Hcl) => Self::One(None),
            Some(LanguageName::Table(path)) => Self::One(Some(table(path)?)),
            Some(language) => Self::One(Dialect::named(language.name())),
        })
    }

    fn of(&self, input: &Input) -> Option<Arc<Dialect>> {
        match self {
            Self::ByName => input.dialect(),
            Self::One(dialect) => dialect.clone(),
        }
    }
}

/// The common language of the files of one configuration. Files without a language use that of the others.
fn common_dialect(languages: &Languages, inputs: &[Input]) -> Result<Option<Arc<Dialect>>, Failure> {
    let mut known = inputs.iter().filter_map(|input| Some((input, languages.of(input)?)));
    let Some((first, common)) = known.next() else { return Ok(None) };
    match known.find(|(_, dialect)| dialect.name() != common.name()) {
        None => Ok(Some(common)),
        Some((other, _)) => Err(Failure::new(format!(
            "{} and {} belong to different applications; choose one with `--language`, or use `--language hcl`",
            first.name(),
            other.name()
        ))),
    }
}

/// Whether all files set variables, which are not evaluated.
fn hold_values(dialect: Option<&Dialect>, inputs: &[Input]) -> bool {
    let kind = |input: &Input| dialect.and_then(|dialect| dialect.file_kind(input.name()));
    inputs.iter().all(|input| kind(input) == Some(FileKind::Values))
}

/// Writes the output to the file or to standard output, within limits: because of indentation, the length of the
/// output can be quadratic in the nesting.
fn put(command: &Convert, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let limits = Host::current().limits();
    let printer = Printer::new(&command.destination, command.spacing);
    printer.pieces(|out| limits.run(|| write(out)))
}
