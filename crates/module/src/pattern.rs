//! Patterns that select addresses: `var.x`, `output.*`, `module.net[*].id`, `aws_instance.web[0].tags["Env"]`.

mod parts;
mod predicate;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hclkit_model::Expression;
use hclkit_syntax::{Source, TokenKind, Tokens, is_identifier};
use hclkit_value::{Name, Type, Value};

use crate::instance::Step;

/// A pattern that selects addresses of a module. It also selects everything below an address, and parts of values:
/// `local.a.b` is the attribute `b` of `local.a`.
///
/// `*` matches any name or key, also in values, and `**` any number of them. `*` in a name matches any characters. An
/// expression in brackets is a predicate: it keeps the values for which it is true. Its variables are the attributes of
/// the value, and `self` is the value.
///
/// ```
/// use hclkit_module::Pattern;
///
/// assert!("module.net[\"a\"].*".parse::<Pattern>().is_ok());
/// assert!("aws_*.web.tags".parse::<Pattern>().is_ok());
/// assert!("aws_instance.*[tags.Env == \"prod\"].id".parse::<Pattern>().is_ok());
/// assert!("module..net".parse::<Pattern>().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    steps: Vec<PatternStep>,
}

/// The text determines the steps.
impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[derive(Clone, Debug)]
enum PatternStep {
    Step(Step),
    /// A name that matches the parts around each `*`.
    Like(Vec<String>),
    Any,
    Many,
    /// A predicate about the value so far.
    Where(Arc<Expression>),
}

impl PatternStep {
    /// Returns true if the step matches whatever there is.
    fn is_any(&self) -> bool {
        matches!(self, PatternStep::Any | PatternStep::Many)
    }
}

/// The error for an invalid pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError(String);

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PatternError {}

/// How a pattern matches an address.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Match {
    /// The pattern selects this part of the value at the address.
    Selected(Vec<Step>),
    /// The pattern may select something below the address.
    Below,
    No,
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        let mut steps = Vec::new();
        let mut rest = text;
        let invalid = |rest: &str| {
            let what = if rest.is_empty() { "the end".to_owned() } else { format!("`{rest}`") };
            Err(PatternError(format!("`{text}` is not an address: expected a name or `*` at {what}")))
        };
        while !rest.is_empty() {
            if rest.starts_with('[') && !steps.is_empty() {
                let Some(end) = closing_bracket(rest) else { return invalid(rest) };
                let Some(step) = in_brackets(rest[1..end].trim()) else { return invalid(rest) };
                steps.push(step);
                rest = &rest[end + 1..];
            } else {
                let name = match (steps.is_empty(), rest.strip_prefix('.')) {
                    (true, None) => rest,
                    (false, Some(name)) => name,
                    _ => return invalid(rest),
                };
                let end = name.find(['.', '[']).unwrap_or(name.len());
                steps.push(match &name[..end] {
                    "*" => PatternStep::Any,
                    "**" => PatternStep::Many,
                    own if own.contains('*')
                        && !own.contains("**")
                        && is_identifier(&own.replace('*', "a")) =>
                    {
                        PatternStep::Like(own.split('*').map(str::to_owned).collect())
                    }
                    own if is_identifier(own) => PatternStep::Step(Step::Name(Name::from(own))),
                    own if !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit()) => {
                        let key = Value::from(own).convert(&Type::Number);
                        PatternStep::Step(Step::Key(key.unwrap_or(Value::NULL)))
                    }
                    _ => return invalid(name),
                });
                rest = &name[end..];
            }
        }
        if steps.is_empty() { invalid("") } else { Ok(Pattern { text: text.to_owned(), steps }) }
    }
}

/// A step in brackets: `*`, a key, or a predicate.
fn in_brackets(text: &str) -> Option<PatternStep> {
    if text == "*" {
        return Some(PatternStep::Any);
    }
    let expression = Expression::parse(text).ok()?;
    if !expression.variables().is_empty() {
        return Some(PatternStep::Where(Arc::new(expression)));
    }
    let key = expression.evaluate(&hclkit_model::Context::new()).ok()?;
    (key.as_str().is_some() || key.as_number().is_some()).then_some(PatternStep::Step(Step::Key(key)))
}

/// The offset of the bracket that closes the one at the start of the text.
fn closing_bracket(text: &str) -> Option<usize> {
    let source = Source::new("", text);
    let tokens = Tokens::of(&source);
    let mut open = 0_usize;
    let closing = tokens.iter().find(|token| {
        match token.kind {
            TokenKind::OpenBracket => open += 1,
            TokenKind::CloseBracket => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0
    })?;
    (closing.kind == TokenKind::CloseBracket).then_some(closing.span.start as usize)
}

impl Pattern {
    /// Returns true if the pattern has no `*` and no predicate, so that it must select something.
    pub(crate) fn is_exact(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, PatternStep::Step(_)))
    }

    /// The steps, if there is no `*` and no predicate.
    pub(crate) fn steps(&self) -> Option<Vec<Step>> {
        let step = |step: &PatternStep| match step {
            PatternStep::Step(step) => Some(step.clone()),
            _ => None,
        };
        self.steps.iter().map(step).collect()
    }

    pub(crate) fn matches(&self, path: &[Step]) -> Match {
        matches(&self.steps, path)
    }
}

fn matches(pattern: &[PatternStep], path: &[Step]) -> Match {
    match (pattern.split_first(), path.split_first()) {
        (None, _) => Match::Selected(Vec::new()),
        (Some(_), None) => {
            let steps: Option<Vec<Step>> = pattern
                .iter()
                .map(|step| match step {
                    PatternStep::Step(step) => Some(step.clone()),
                    _ => None,
                })
                .collect();
            match steps {
                Some(steps) => Match::Selected(steps),
                // `*` at the end selects whole values.
                None if pattern.iter().all(PatternStep::is_any) => Match::Selected(Vec::new()),
                None => Match::Below,
            }
        }
        (Some((PatternStep::Any, pattern)), Some((_, path))) => matches(pattern, path),
        // A predicate applies to each instance.
        (Some((PatternStep::Where(_), _)), Some((Step::Key(_), path))) => matches(pattern, path),
        (Some((PatternStep::Where(_), _)), Some((Step::Name(_), _))) => Match::No,
        (Some((PatternStep::Many, rest)), Some((_, tail))) => match matches(rest, path) {
            Match::No => matches(pattern, tail),
            found => found,
        },
        (Some((PatternStep::Step(step), pattern)), Some((own, path))) if same(step, own) => {
            matches(pattern, path)
        }
        (Some((PatternStep::Like(parts), pattern)), Some((Step::Name(own), path))) if is_like(parts, own) => {
            matches(pattern, path)
        }
        (Some((PatternStep::Step(_) | PatternStep::Like(_), _)), Some(_)) => Match::No,
    }
}

/// Whether a name has the parts around each `*` of a pattern, in order.
fn is_like(parts: &[String], name: &str) -> bool {
    let [first, middle @ .., last] = parts else { return false };
    let rest = name.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str()));
    let Some(mut rest) = rest else { return false };
    middle.iter().all(|part| match rest.find(part.as_str()) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

/// `.name` and `["name"]` are the same.
fn same(one: &Step, other: &Step) -> bool {
    match (one, other) {
        (Step::Name(one), Step::Name(other)) => one == other,
        (Step::Key(one), Step::Key(other)) => one == other,
        (Step::Name(name), Step::Key(key)) | (Step::Key(key), Step::Name(name)) => {
            key.as_str() == Some(name.as_str())
        }
    }
}
