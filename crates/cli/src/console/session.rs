//! A session: what entries mean, and what they change.

use std::fmt::Write as _;

use hclkit::layout::{self, Layout};
use hclkit::render;
use hclkit::syntax::visible_line;
use hclkit::{Context, Entry as Syntax, Source, Type, Value};

use super::documentation;
use super::entry::{Entry, Origin};
use super::types;
use crate::args::{Spacing, check_name};
use crate::output::{Failure, MAX_EXPLANATION, width_of};
use crate::scope::{Halt, Scope};

/// What is answered to an entry.
pub(super) enum Answer {
    /// Lines, or nothing.
    Text(String),
    /// The end.
    Quit,
}

pub(super) struct Session {
    scope: Scope,
    show_sensitive: bool,
    spacing: Spacing,
}

/// The commands: what is typed, and what it does.
pub(super) const COMMANDS: [(&str, &str, &str); 6] = [
    ("type", "EXPR", "the type of a value"),
    ("explain", "EXPR", "how a value came about, sub-expression by sub-expression"),
    ("doc", "[FUNCTION]", "what a function does; all functions"),
    ("vars", "", "the variables"),
    ("help", "", "this list"),
    ("quit", "", "ends the console, as Ctrl-D does"),
];

impl Session {
    pub(super) fn new(scope: Scope, show_sensitive: bool, spacing: Spacing) -> Self {
        Self { scope, show_sensitive, spacing }
    }

    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// What entries see.
    pub(super) fn context(&mut self) -> &Context {
        self.scope.settle_all();
        self.scope.context()
    }

    /// Answers an entry.
    pub(super) fn enter(&mut self, text: &str, origin: Origin) -> Result<Answer, Halt> {
        match Entry::read(text, origin) {
            Entry::Nothing => Ok(Answer::Text(String::new())),
            Entry::Command { name, argument } => self.command(&name, argument),
            Entry::Assignment { name, expression } => {
                check_name(&name).map_err(Failure::new)?;
                if expression.text().trim().is_empty() {
                    let name = name.join(".");
                    return Err(Failure::new(format!("`{name} =` needs an expression: {name} = EXPR")).into());
                }
                let value = self.evaluate(expression)?;
                self.scope.set(&name, value);
                Ok(Answer::Text(String::new()))
            }
            Entry::Expression(source) => {
                // What is typed in other consoles.
                match source.text().trim() {
                    "exit" | "quit" | "help" if self.context().variable(source.text().trim()).is_some() => {}
                    "exit" | "quit" => return Ok(Answer::Quit),
                    "help" => return Ok(Answer::Text(help())),
                    _ => {}
                }
                let value = self.evaluate(source)?;
                let layout = Layout::new().colour(true).one_line(self.spacing.compact);
                let mut text = String::new();
                self.scope.write([&value], || {
                    text = format!("{}\n", layout.value(&self.shown(&value)));
                    Ok(())
                })?;
                Ok(Answer::Text(text))
            }
        }
    }

    fn command(&mut self, name: &str, argument: Source) -> Result<Answer, Halt> {
        let needs_argument = matches!(name, "type" | "explain");
        if needs_argument && argument.text().trim().is_empty() {
            return Err(Failure::new(format!(":{name} is for an expression: :{name} EXPR")).into());
        }
        let text = match name {
            "type" | "t" => format!("{}\n", Layout::new().ty(&self.type_of(argument)?)),
            "explain" => {
                let expression = hclkit::Expression::read(argument, Syntax::Expression)?;
                self.scope.settle(&expression);
                let context = self.scope.seen_by(&expression);
                let explanation = self.scope.run(|_| Ok(expression.explain(&context)))?;
                render::explanation(
                    &expression,
                    &explanation,
                    width_of(&std::io::stdout()).min(MAX_EXPLANATION),
                    true,
                )
            }
            "doc" => documentation::of(self.context(), argument.text().trim())?,
            "vars" => self.variables(),
            "help" | "h" | "?" => help(),
            "quit" | "q" | "exit" => return Ok(Answer::Quit),
            _ => return Err(Failure::new(format!("there is no command :{name}; :help lists them")).into()),
        };
        Ok(Answer::Text(text))
    }

    fn evaluate(&mut self, source: Source) -> Result<Value, Halt> {
        let expression = hclkit::Expression::read(source, Syntax::Expression)?;
        Ok(self.scope.evaluate(&expression)?)
    }

    fn type_of(&mut self, source: Source) -> Result<Type, Halt> {
        let expression = hclkit::Expression::read(source, Syntax::Expression)?;
        self.scope.settle(&expression);
        let context = self.scope.seen_by(&expression);
        Ok(self.scope.run(|_| {
            let value = expression.evaluate(&context)?;
            let explain = || expression.explain(&context);
            Ok(if self.show_sensitive { value.ty() } else { types::shown(&value, explain) })
        })?)
    }

    fn shown(&self, value: &Value) -> Value {
        if self.show_sensitive { value.unmark_deep().0 } else { value.clone() }
    }

    fn variables(&mut self) -> String {
        self.scope.settle_all();
        let context = self.scope.context();
        let width = layout::name_width(context.variables().map(|(name, _)| name.as_str()));
        let room = 80_usize.saturating_sub(width + " = ".len()).max(20);
        let lines = context.variables().map(|(name, value)| {
            let value = self.shown(value);
            format!("{:width$} = {}\n", visible_line(name), value.show().color(true).limit(room))
        });
        let text: String = lines.collect();
        if text.is_empty() { "There are no variables. NAME = EXPR sets one.\n".to_owned() } else { text }
    }
}

fn help() -> String {
    let head = |name: &str, argument: &str| format!(":{name} {argument}");
    let others = [
        ("EXPR", "evaluates an expression"),
        ("NAME = EXPR", "sets a variable; NAME.NAME an attribute in it"),
    ];
    let commands = COMMANDS.iter().map(|(name, argument, what)| (head(name, argument), *what));
    let all = others.iter().map(|(head, what)| ((*head).to_owned(), *what)).chain(commands);
    let mut text = String::new();
    for (head, what) in all {
        let _ = writeln!(text, "{head:17} {what}");
    }
    text.push_str("\nA line goes on as long as a bracket or a heredoc is open. The tabulator key completes names. Ctrl-C\n");
    text.push_str("stops an evaluation, or drops what was typed.\n");
    text
}
