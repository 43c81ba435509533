//! A session evaluates entries and keeps their variables.

use std::fmt::Write as _;

use hclkit::layout::{self, Layout};
use hclkit::limits::Meter;
use hclkit::render::Renderer;
use hclkit::syntax::visible_line;
use hclkit::{Context, Diagnostic, Expression, Source, StartSymbol as Syntax, Type, Value};

use super::Names;
use super::documentation;
use super::entry::{Entry, Origin};
use super::types;
use crate::args::{Spacing, check_name};
use crate::host;
use crate::outcome::{CommandError, Failure};
use crate::output::MAX_EXPLANATION;
use crate::scope::Scope;
use crate::values;

/// The answer to an entry.
pub(super) enum Answer {
    /// Text to print, possibly empty.
    Text(String),
    /// The end of the session.
    Quit,
}

pub(super) struct Session {
    scope: Scope,
    /// Whose names are seen.
    names: Names,
    show_sensitive: bool,
    spacing: Spacing,
}

/// The commands: name, arguments and description.
pub(super) const COMMANDS: [(&str, &str, &str); 6] = [
    ("type", "EXPR", "show the type of a value"),
    ("explain", "EXPR", "show how a value is computed, by subexpression"),
    ("doc", "[FUNCTION]", "show the documentation of a function, or list all functions"),
    ("vars", "", "list the variables"),
    ("help", "", "show this help"),
    ("quit", "", "exit the console (also Ctrl-D)"),
];

impl Session {
    pub(super) fn new(scope: Scope, names: Names, show_sensitive: bool, spacing: Spacing) -> Self {
        Self { scope, names, show_sensitive, spacing }
    }

    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The context in which entries are evaluated.
    pub(super) fn context(&mut self) -> &Context {
        self.scope.settle_all();
        self.scope.context()
    }

    /// Evaluates an entry.
    pub(super) fn enter(&mut self, text: &str, origin: Origin) -> Result<Answer, CommandError> {
        match Entry::read(text, origin) {
            Entry::Nothing => Ok(Answer::Text(String::new())),
            Entry::Command { name, argument } => self.command(&name, argument),
            Entry::Assignment { name, expression } => {
                check_name(&name).map_err(Failure::new)?;
                if expression.text().trim().is_empty() {
                    let name = name.join(".");
                    return Err(
                        Failure::new(format!("`{name} =` requires an expression: {name} = EXPR")).into()
                    );
                }
                let value = self.evaluate(expression)?;
                self.scope.set(&name, value);
                Ok(Answer::Text(String::new()))
            }
            Entry::Expression(source) => {
                // These commands are common in other consoles.
                match source.text().trim() {
                    "exit" | "quit" | "help" if self.context().variable(source.text().trim()).is_some() => {}
                    "exit" | "quit" => return Ok(Answer::Quit),
                    "help" => return Ok(Answer::Text(help())),
                    _ => {}
                }
                let expression = Expression::read(source, Syntax::Expression)?;
                if let Some(argument) = self.argument_of_type(&expression) {
                    return Ok(Answer::Text(format!("{}\n", Layout::new().ty(&self.type_of(&argument)?))));
                }
                let value = self.scope.evaluate(&expression)?;
                let layout = Layout::new().with_color(true).with_one_line(self.spacing.compact);
                let mut text = String::new();
                self.scope.write([&value], || {
                    text = format!("{}\n", layout.value(&self.shown(&value)));
                    Ok(())
                })?;
                Ok(Answer::Text(text))
            }
        }
    }

    fn command(&mut self, name: &str, argument: Source) -> Result<Answer, CommandError> {
        let needs_argument = matches!(name, "type" | "explain");
        if needs_argument && argument.text().trim().is_empty() {
            return Err(Failure::new(format!(":{name} requires an expression: :{name} EXPR")).into());
        }
        let text = match name {
            "type" | "t" => {
                let expression = Expression::read(argument, Syntax::Expression)?;
                format!("{}\n", Layout::new().ty(&self.type_of(&expression)?))
            }
            "explain" => {
                let expression = Expression::read(argument, Syntax::Expression)?;
                self.scope.settle(&expression);
                let context = self.scope.context_for(&expression);
                let explanation = self.scope.run(|_| Ok(expression.explain(&context)))?;
                let renderer = Renderer::colored().with_width(host::stdout_width().min(MAX_EXPLANATION));
                let mut text = renderer.explanation(&expression, &explanation);
                if let Names::Module(module) = &self.names {
                    let names = self.scope.run(|_| Ok(module.explain_references(&expression)))?;
                    if names.diagnostics.has_errors() {
                        return Err(names.diagnostics.into());
                    }
                    if !names.all.is_empty() {
                        text.push('\n');
                        text.push_str(&renderer.derivations(&names));
                    }
                }
                text
            }
            "doc" => documentation::of(self.context(), argument.text().trim())?,
            "vars" => self.variables(),
            "help" | "h" | "?" => help(),
            "quit" | "q" | "exit" => return Ok(Answer::Quit),
            _ => {
                return Err(
                    Failure::new(format!("unknown command :{name}; use :help to list all commands")).into()
                );
            }
        };
        Ok(Answer::Text(text))
    }

    fn evaluate(&mut self, source: Source) -> Result<Value, CommandError> {
        let expression = Expression::read(source, Syntax::Expression)?;
        Ok(self.scope.evaluate(&expression)?)
    }

    /// The argument of `type(EXPR)`, which consoles of other programs have as a function.
    fn argument_of_type(&mut self, expression: &Expression) -> Option<Expression> {
        let call = expression.static_call().ok().filter(|call| call.name == "type")?;
        let is_function = self.context().function("type").is_some();
        call.arguments.into_iter().next().filter(|_| !is_function)
    }

    fn type_of(&mut self, expression: &Expression) -> Result<Type, CommandError> {
        self.scope.settle(expression);
        let context = self.scope.context_for(expression);
        Ok(self.scope.run(|_| {
            let value = expression.evaluate(&context)?;
            // It is as large as its text, however much memory the value takes.
            let size = usize::try_from(value.ty().text_size()).unwrap_or(usize::MAX);
            if let Err(exceeded) = Meter::current().take_bytes(size) {
                return Err(Diagnostic::exceeded(exceeded)
                    .at(expression.span())
                    .with_source(expression.source())
                    .into());
            }
            let explain = || expression.explain(&context);
            Ok(if self.show_sensitive { value.ty() } else { types::shown(&value, explain) })
        })?)
    }

    fn shown(&self, value: &Value) -> Value {
        values::shown(value, self.show_sensitive)
    }

    fn variables(&mut self) -> String {
        self.scope.settle_all();
        let context = self.scope.context();
        // Those of the module come first. Other commands report their errors.
        let resolved = |outer: Context| -> Vec<(String, Value)> {
            let found = self.scope.run(|_| Ok(outer.resolve().0)).unwrap_or_default();
            found.into_iter().map(|own| (own.name, own.value)).collect()
        };
        let mut own = match &self.names {
            Names::Options => Vec::new(),
            Names::Module(module) => resolved(module.context().clone()),
            Names::Targets(names) => resolved(names.context()),
            Names::Unit(unit) => unit.values().into_iter().map(|own| (own.address, own.value)).collect(),
        };
        own.sort_by(|(one, _), (other, _)| one.cmp(other));
        // Internal names are in parentheses.
        let is_visible = |name: &str| {
            !name.starts_with('(')
                && Expression::parse(name).is_ok_and(|name| context.undefined_names(&name).is_empty())
        };
        let own = own.iter().map(|(name, value)| (name.as_str(), value));
        // In Bake, variables without a value are null.
        let is_set = |value: &Value| !value.is_null() || matches!(self.names, Names::Module(_));
        let own = own.filter(|(name, value)| is_set(value) && is_visible(name));
        let all = || own.clone().chain(context.variables().map(|(name, value)| (name.as_str(), value)));
        let width = layout::name_width(all().map(|(name, _)| name));
        let room = 80_usize.saturating_sub(width + " = ".len()).max(20);
        let lines = all().map(|(name, value)| {
            let value = self.shown(value);
            format!("{:width$} = {}\n", visible_line(name), value.show().with_color(true).with_limit(room))
        });
        let text: String = lines.collect();
        if text.is_empty() { "No variables are set. Use NAME = EXPR to set one.\n".to_owned() } else { text }
    }
}

fn help() -> String {
    let head = |name: &str, argument: &str| format!(":{name} {argument}");
    let others = [
        ("EXPR", "evaluate an expression"),
        ("NAME = EXPR", "set a variable, or with NAME.NAME an attribute of an object"),
    ];
    let commands = COMMANDS.iter().map(|(name, argument, what)| (head(name, argument), *what));
    let all = others.iter().map(|(head, what)| ((*head).to_owned(), *what)).chain(commands);
    let mut text = String::new();
    for (head, what) in all {
        let _ = writeln!(text, "{head:17} {what}");
    }
    text.push_str("\nInput continues on the next line while a bracket or a heredoc is open. The tab key completes names.\n");
    text.push_str("Ctrl-C stops an evaluation or discards the input.\n");
    text
}
