//! What expressions see in `hcl eval` and `hcl console`: variables from the command line and from files, the functions
//! of a library; and the limits under which they are evaluated.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use hclkit::functions::{Folder, Grants, Library};
use hclkit::model::Target;
use hclkit::value::Str;
use hclkit::{
    Code, Context, Diagnostics, Document, Entry, Expression, Limits, ParseOptions, Source, Syntax, Value,
    variables,
};

use crate::args::{self, Definition};
use crate::input::Input;
use crate::output::{Failure, Outcome, complain};

/// What expressions see, and how they are evaluated.
pub(crate) struct Scope {
    context: Context,
    /// The objects that names with dots set attributes in.
    open: BTreeSet<Vec<String>>,
    options: ParseOptions,
    limits: Limits,
    timeout: Option<Duration>,
    /// Set to end the evaluation that runs.
    stop: Arc<AtomicBool>,
    /// Whether the time was up.
    timed_out: Arc<AtomicBool>,
}

/// Why something came to no result.
pub(crate) enum Halt {
    /// There are mistakes in what was read.
    Problems(Diagnostics),
    /// It could not be read, or does not make sense.
    Failure(Failure),
}

impl From<Diagnostics> for Halt {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Problems(diagnostics)
    }
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// What is to be told at the end of a run, the warnings with it, and how that ended.
pub(crate) fn told(
    ended: Result<(), Halt>,
    warnings: Diagnostics,
) -> Result<(Diagnostics, Outcome), Failure> {
    match ended {
        Ok(()) => Ok((warnings, Outcome::Fine)),
        Err(Halt::Problems(mut found)) => {
            found.extend(warnings);
            Ok((found, Outcome::Problems))
        }
        Err(Halt::Failure(failure)) => Err(failure),
    }
}

/// How long functions that do not look at whether they are to stop are waited for.
const GRACE: Duration = Duration::from_secs(2);

impl Scope {
    pub(crate) fn new(args: &args::Scope, options: ParseOptions) -> Result<Self, Halt> {
        let mut context = Context::new();
        context.set_all(Vec::<(&str, Value)>::new());
        let library = args.functions.library();
        if library != Library::None {
            context.set_functions(library.functions(&grants(args)?));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let mut limits = Limits::new().cancel(stop.clone());
        if let Some(steps) = args.max_steps {
            limits = limits.steps(steps);
        }
        let timed_out = Arc::default();
        let open = BTreeSet::new();
        let mut scope = Self { context, open, options, limits, timeout: args.timeout, stop, timed_out };
        for definition in &args.definitions.0 {
            scope.define(definition)?;
        }
        Ok(scope)
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Set to end the evaluation that runs.
    pub(crate) fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    fn define(&mut self, definition: &Definition) -> Result<(), Halt> {
        match definition {
            Definition::Variable { name, expression } => {
                let source = argument(format!("--var {}", name.join(".")), expression);
                let expression = self.read(source, Entry::Expression)?;
                let value = self.run(|context| expression.evaluate(context))?;
                self.set(name, value);
            }
            Definition::File { name, path } => {
                let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
                let syntax = if is_json { Syntax::Json } else { Syntax::Native };
                let source = Input::of(path).read_text().map_err(Failure::from)?;
                self.set_all(name, variables::read(source, syntax)?);
            }
        }
        Ok(())
    }

    /// Sets a variable, or an attribute in it.
    pub(crate) fn set(&mut self, name: &[String], value: Value) {
        if let Some((last, object)) = name.split_last() {
            self.set_all(object, vec![(last.as_str().into(), value)]);
        }
    }

    /// Sets variables, or attributes of the object that a name leads to.
    fn set_all(&mut self, object: &[String], values: Vec<(Str, Value)>) {
        self.open.extend((1..=object.len()).map(|end| object[..end].to_vec()));
        set_in(&mut self.context, object, values);
    }

    /// What an expression sees where what nobody set is not known yet: attributes too, in objects in which others were
    /// set by names with dots.
    pub(crate) fn opened(&self, expression: &Expression) -> Context {
        let mut context = self.context.clone();
        for traversal in expression.variables() {
            let mut name = vec![traversal.root.to_string()];
            let mut value = self.context.variable(&traversal.root).cloned();
            for step in &traversal.steps {
                let attribute = match &step.target {
                    Target::Attribute(attribute) => Some(attribute.as_str()),
                    Target::Element(key) => key.as_str(),
                };
                let (Some(attribute), Some(object)) =
                    (attribute, value.filter(|_| self.open.contains(&name)))
                else {
                    break;
                };
                value = object.unmark().0.attribute(attribute).ok();
                if value.is_none() {
                    set_in(&mut context, &name, vec![(attribute.into(), Value::DYNAMIC)]);
                }
                name.push(attribute.to_owned());
            }
        }
        context
    }

    /// Reads an expression or a template.
    pub(crate) fn read(&self, source: Source, entry: Entry) -> Result<Expression, Diagnostics> {
        let document = Arc::new(self.options.parse(source, entry));
        if document.has_errors() {
            return Err(hclkit::diagnostics_of(&document));
        }
        Ok(Expression::of_document(&document))
    }

    /// Reads a file in the native syntax.
    pub(crate) fn read_file(&self, source: Source) -> Result<Arc<Document>, Diagnostics> {
        let document = Arc::new(self.options.parse(source, Entry::Config));
        if document.has_errors() { Err(hclkit::diagnostics_of(&document)) } else { Ok(document) }
    }

    /// Evaluates something under the limits.
    pub(crate) fn run<T>(
        &self,
        work: impl FnOnce(&Context) -> Result<T, Diagnostics>,
    ) -> Result<T, Diagnostics> {
        self.stop.store(false, Ordering::Relaxed);
        self.timed_out.store(false, Ordering::Relaxed);
        // Dropped when the work is done, which ends the clock's waiting.
        let _running = self.timeout.map(|timeout| self.start_clock(timeout));
        self.limits.run(|| work(&self.context)).map_err(|diagnostics| self.say_timeout(diagnostics))
    }

    fn start_clock(&self, timeout: Duration) -> mpsc::Sender<()> {
        let (running, done) = mpsc::channel();
        let (stop, timed_out) = (self.stop.clone(), self.timed_out.clone());
        std::thread::spawn(move || {
            let still_runs = |patience| done.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Timeout);
            if still_runs(timeout) {
                timed_out.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
                if still_runs(GRACE) {
                    complain("the evaluation takes longer than --timeout allows");
                    std::process::exit(1);
                }
            }
        });
        running
    }

    /// Where the time was up, that is said instead of that something stopped the evaluation.
    fn say_timeout(&self, diagnostics: Diagnostics) -> Diagnostics {
        let late = self.timed_out.load(Ordering::Relaxed);
        let said = diagnostics.into_iter().map(|mut diagnostic| {
            if late && diagnostic.code == Code::Cancelled {
                diagnostic.detail = "The evaluation takes longer than --timeout allows.".into();
            }
            diagnostic
        });
        said.collect()
    }
}

/// Sets variables, or attributes of the object that a name leads to.
fn set_in(context: &mut Context, object: &[String], values: Vec<(Str, Value)>) {
    match object.split_first() {
        None => context.set_all(values),
        Some((root, rest)) => {
            let value = with_attributes(context.variable(root), rest, values);
            context.set(root.as_str(), value);
        }
    }
}

/// A value with attributes somewhere in it; what is there and is no object has to go.
fn with_attributes(value: Option<&Value>, object: &[String], new: Vec<(Str, Value)>) -> Value {
    let (before, marks) = value.unwrap_or(&Value::NULL).unmark();
    let mut attributes: BTreeMap<Str, Value> =
        before.entries().into_iter().flatten().map(|(name, value)| (name.clone(), value.clone())).collect();
    match object.split_first() {
        None => attributes.extend(new),
        Some((name, rest)) => {
            let inner = with_attributes(attributes.get(name.as_str()), rest, new);
            attributes.insert(name.as_str().into(), inner);
        }
    }
    Value::object(attributes).with_marks(&marks)
}

/// An expression on the command line, where the name that closes a heredoc needs no line break behind it.
pub(crate) fn argument(name: String, text: &str) -> Source {
    let end = if text.contains("<<") { "\n" } else { "" };
    Source::new(name, format!("{text}{end}"))
}

fn grants(args: &args::Scope) -> Result<Grants, Failure> {
    let mut grants = Grants::new().clock().random();
    if args.allow_env {
        grants = grants.environment();
    }
    if let Some(path) = &args.allow_fs {
        let folder = open(path)
            .map_err(|error| Failure::new(format!("cannot open the folder {}: {error}", path.display())))?;
        grants = grants.folder(folder);
    }
    Ok(grants)
}

/// Paths start in the current directory if that is in the folder, else in the folder.
fn open(path: &Path) -> std::io::Result<Folder> {
    let folder = Folder::open(path)?;
    let (root, here) = (path.canonicalize()?, std::env::current_dir()?.canonicalize()?);
    if here.starts_with(&root) { folder.starting_in(here) } else { Ok(folder) }
}
