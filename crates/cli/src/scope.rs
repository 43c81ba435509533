//! The scope of expressions, shared by all commands that evaluate them: variables from the command line and from files,
//! the functions of a library, and the limits of evaluation.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use hclkit::functions::{Directory, Grants, Library};
use hclkit::model::Traversal;
use hclkit::value::{Marks, Name, Str};
use hclkit::{CancelToken, Code, Context, Diagnostics, Expression, Limits, Source, StartSymbol, Value};

use crate::args::{self, Definition, Variables};
use crate::host::Host;
use crate::input::{Input, argument};
use crate::outcome::{CommandError, Failure};

/// The variables, functions and limits of evaluation.
#[derive(Clone)]
pub(crate) struct Scope {
    context: Context,
    /// The objects whose attributes were set by names with dots.
    open: BTreeSet<Vec<String>>,
    /// Attributes set by names with dots that are not in `context` yet. Setting them one by one would copy the object
    /// each time.
    pending: BTreeMap<String, Vec<Attributes>>,
    /// Whether undefined variables are unknown.
    unknown_variables: bool,
    limits: Limits,
    /// Cancels the current evaluation.
    stop: CancelToken,
}

/// Attributes, and the path from a variable to the object that contains them.
type Attributes = (Vec<String>, Vec<(Name, Value)>);

impl Scope {
    /// Creates the scope for expressions on the command line.
    pub(crate) fn new(args: &args::Scope) -> Result<Self, CommandError> {
        let mut context = Context::new();
        let library = args.functions.library();
        if library != Library::None {
            context.set_functions(library.functions(&grants(args)?));
        }
        Self::within(context, args)
    }

    /// Creates a scope with the variables and functions of a context instead of those of the library.
    pub(crate) fn within(mut context: Context, args: &args::Scope) -> Result<Self, CommandError> {
        context.set_all(Vec::<(&str, Value)>::new());
        let mut scope = Self {
            context,
            open: BTreeSet::new(),
            pending: BTreeMap::new(),
            unknown_variables: args.unknown_vars,
            limits: limits(),
            stop: CancelToken::new(),
        };
        for definition in &args.definitions.0 {
            scope.define(definition)?;
        }
        scope.settle_all();
        Ok(scope)
    }

    /// A copy for another thread. Cancelling one evaluation does not cancel the other.
    pub(crate) fn separate(&self) -> Self {
        Self { stop: CancelToken::new(), ..self.clone() }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The token that cancels the current evaluation.
    #[cfg(feature = "console")]
    pub(crate) fn stop(&self) -> &CancelToken {
        &self.stop
    }

    fn define(&mut self, definition: &Definition) -> Result<(), CommandError> {
        match definition {
            Definition::Variable { name, expression } => {
                let source = argument(format!("--var {}", name.join(".")), expression);
                let expression = Expression::read(source, StartSymbol::Expression)?;
                let value = self.evaluate(&expression)?;
                self.set(name, value);
            }
            Definition::Variables { name, from } => {
                let source = match from {
                    Variables::File(input) => read_variables(name, input)?,
                    Variables::Json(text) => Source::new("--vars", text.as_str()),
                };
                let values = self.run(|_| from.read(source))?;
                self.set_all(name, values);
            }
        }
        Ok(())
    }

    /// Evaluates an expression within the limits.
    pub(crate) fn evaluate(&mut self, expression: &Expression) -> Result<Value, Diagnostics> {
        self.settle(expression);
        self.run(|_| expression.evaluate(&self.context_for(expression)))
    }

    /// Sets a variable, or an attribute of an object if the name has several parts.
    pub(crate) fn set(&mut self, name: &[String], value: Value) {
        if let Some((last, object)) = name.split_last() {
            self.set_all(object, vec![(last.as_str().into(), value)]);
        }
    }

    /// Sets variables, or attributes of the object with a name.
    fn set_all(&mut self, object: &[String], values: Vec<(Name, Value)>) {
        self.open.extend((1..=object.len()).map(|end| object[..end].to_vec()));
        match object.split_first() {
            None => {
                for (name, value) in values {
                    self.pending.remove(name.as_str());
                    self.context.set(name, value);
                }
            }
            Some((root, path)) => self.pending.entry(root.clone()).or_default().push((path.to_vec(), values)),
        }
    }

    /// Adds the pending attributes of the variables that an expression refers to to the context.
    pub(crate) fn settle(&mut self, expression: &Expression) {
        if !self.pending.is_empty() {
            for traversal in expression.variables() {
                if let Some((root, attributes)) = self.pending.remove_entry(traversal.root.as_str()) {
                    set_attributes(&mut self.context, &root, attributes);
                }
            }
        }
    }

    /// Adds all pending attributes to the context.
    pub(crate) fn settle_all(&mut self) {
        for (root, attributes) in std::mem::take(&mut self.pending) {
            set_attributes(&mut self.context, &root, attributes);
        }
    }

    /// The context of an expression. With `--unknown-vars`, undefined variables are unknown.
    pub(crate) fn context_for(&self, expression: &Expression) -> Cow<'_, Context> {
        self.seen_by_all([expression], false)
    }

    /// The context of several expressions, which may be evaluated partially.
    pub(crate) fn seen_by_all<'e>(
        &self,
        expressions: impl IntoIterator<Item = &'e Expression>,
        is_partial: bool,
    ) -> Cow<'_, Context> {
        if !is_partial && !self.unknown_variables {
            return Cow::Borrowed(&self.context);
        }
        let references: Vec<_> = expressions.into_iter().flat_map(Expression::variables).collect();
        Cow::Owned(self.opened(&references))
    }

    /// Whether there are objects whose undefined attributes are unknown.
    pub(crate) fn has_open_objects(&self) -> bool {
        self.unknown_variables && !self.open.is_empty()
    }

    /// The context of expressions with these references, in which undefined attributes of objects set by names with
    /// dots are unknown and, with `--unknown-vars`, undefined variables as well.
    pub(crate) fn opened<'t>(&self, traversals: impl IntoIterator<Item = &'t Traversal>) -> Context {
        let mut context = self.context.clone();
        let mut missing: BTreeMap<&str, Vec<Attributes>> = BTreeMap::new();
        for traversal in traversals {
            let mut name = vec![traversal.root.to_string()];
            let mut value = self.context.variable(&traversal.root).cloned();
            if value.is_none() && self.unknown_variables {
                context.set(traversal.root.clone(), Value::DYNAMIC);
            }
            for step in &traversal.steps {
                let (Some(attribute), Some(object)) =
                    (step.target.name(), value.filter(|_| self.open.contains(&name)))
                else {
                    break;
                };
                value = object.unmark().0.attribute(attribute).ok();
                if value.is_none() {
                    let unknown = (name[1..].to_vec(), vec![(attribute.into(), Value::DYNAMIC)]);
                    missing.entry(&traversal.root).or_default().push(unknown);
                }
                name.push(attribute.to_owned());
            }
        }
        for (root, attributes) in missing {
            set_attributes(&mut context, root, attributes);
        }
        context
    }

    /// Writes values within the limits of an evaluation, because writing takes bytes and time as well. A value can be
    /// far larger as text than in memory, where its parts are shared.
    pub(crate) fn write<'v>(
        &self,
        values: impl IntoIterator<Item = &'v Value>,
        work: impl FnOnce() -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let size = values.into_iter().fold(0_u64, |size, value| size.saturating_add(value.text_size()));
        let max_bytes = Host::current().options().max_bytes;
        if size > max_bytes {
            return Err(CommandError::Failure(Failure::new(format!(
                "the output exceeds the limit of {max_bytes} bytes; use --max-bytes to raise it"
            ))));
        }
        self.limited().run(work)
    }

    /// The limits of an evaluation that starts now.
    fn limited(&self) -> Limits {
        self.limits.clone().with_cancel(self.stop.clone())
    }

    /// Runs an evaluation within the limits.
    pub(crate) fn run<T>(
        &self,
        work: impl FnOnce(&Context) -> Result<T, Diagnostics>,
    ) -> Result<T, Diagnostics> {
        self.stop.reset();
        self.limited().run(|| work(&self.context))
    }
}

/// Reads a variable file. If it does not exist, the error says what else was possibly meant.
fn read_variables(name: &[String], input: &Input) -> Result<Source, Failure> {
    input.read_text().map_err(|unreadable| {
        let hint = match input.path().filter(|path| !path.exists()) {
            None => String::new(),
            Some(path) if !name.is_empty() => {
                format!("; to set a single variable, use --var {}={}", name.join("."), path.display())
            }
            Some(_) => "; --vars expects a file or a JSON object, such as '{\"name\": \"value\"}'".to_owned(),
        };
        Failure::new(format!("{unreadable}{hint}"))
    })
}

/// Sets attributes of objects in a variable. Values on the path that are not objects are replaced.
fn set_attributes(context: &mut Context, root: &str, attributes: Vec<Attributes>) {
    let mut part = OpenValue::Whole(context.variable(root).unwrap_or(&Value::NULL).clone());
    for (path, values) in attributes {
        part.set(&path, values);
    }
    context.set(root, part.into_value());
}

/// A value whose attributes are being set.
enum OpenValue {
    Whole(Value),
    Object { attributes: BTreeMap<Str, Self>, marks: Marks },
}

impl OpenValue {
    fn set(&mut self, path: &[String], values: Vec<(Name, Value)>) {
        if let Self::Whole(whole) = self {
            let (object, marks) = whole.unmark();
            let entries = object.entries().into_iter().flatten();
            let attributes =
                entries.map(|(name, value)| (name.clone(), Self::Whole(value.clone()))).collect();
            *self = Self::Object { attributes, marks };
        }
        let Self::Object { attributes, .. } = self else { return };
        match path.split_first() {
            None => {
                attributes.extend(values.into_iter().map(|(name, value)| (name.into(), Self::Whole(value))));
            }
            Some((name, rest)) => {
                let part = attributes.entry(name.as_str().into()).or_insert(Self::Whole(Value::NULL));
                part.set(rest, values);
            }
        }
    }

    fn into_value(self) -> Value {
        match self {
            Self::Whole(value) => value,
            Self::Object { attributes, marks } => {
                let attributes = attributes.into_iter().map(|(name, part)| (name, part.into_value()));
                Value::object(attributes).with_marks(&marks)
            }
        }
    }
}

/// The option that grants what a function required, if there is one that was not used.
pub(crate) fn grant_hint(args: &args::Scope, diagnostics: &Diagnostics) -> Option<&'static str> {
    let found = |code: Code| diagnostics.iter().any(|diagnostic| diagnostic.has_code(code));
    if args.allow_fs.is_empty() && found(Code::FilesNotGranted) {
        return Some("use --allow-fs DIR to allow functions to read files in a directory");
    }
    let environment = !args.allow_env && found(Code::EnvironmentNotGranted);
    environment.then_some("use --allow-env to allow functions to read environment variables")
}

/// The limits of the options. The limits of the program on depth apply, too.
fn limits() -> Limits {
    let host = Host::current();
    let limits = host.limits().with_source_bytes(u64::MAX).with_bytes(host.options().max_bytes);
    host.with_timeout(limits.with_nesting(u32::MAX).with_value_depth(u32::MAX))
}

/// Runs an evaluation within the limits of the options.
pub(crate) fn run_limited<T>(work: impl FnOnce() -> T) -> T {
    limits().run(work)
}

/// The grants of functions.
pub(crate) fn grants(args: &args::Scope) -> Result<Grants, Failure> {
    let mut grants = Grants::new().with_clock().with_random();
    if args.allow_env {
        grants = grants.with_environment();
    }
    let failed = |path: &Path, error: io::Error| {
        Failure::new(format!("cannot open the directory {}: {error}", path.display()))
    };
    if let Some((first, others)) = args.allow_fs.split_first() {
        let mut folder = Directory::open(first)
            .map_err(|error| failed(first, error))?
            .with_max_size(Host::current().max_size());
        for path in others {
            folder = folder.and(path).map_err(|error| failed(path, error))?;
        }
        let here = folder.starting_in(".").map_err(|error| failed(Path::new("."), error))?;
        grants = grants.with_directory(here);
    }
    Ok(grants)
}
