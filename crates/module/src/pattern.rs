//! Patterns that select addresses: `var.x`, `output.*`, `module.net[*].id`, `aws_instance.web[0].tags["Env"]`.

mod parts;

use std::fmt;
use std::str::FromStr;

use hclkit_model::Expression;
use hclkit_syntax::is_identifier;
use hclkit_value::{Name, Type, Value};

use crate::instance::Step;

/// A pattern that selects addresses of a module. It also selects everything below an address, and parts of values:
/// `local.a.b` is the attribute `b` of `local.a`.
///
/// `*` matches any name or key, also in values, and `**` any number of them. `*` in a name matches any characters.
///
/// ```
/// use hclkit_module::Pattern;
///
/// assert!("module.net[\"a\"].*".parse::<Pattern>().is_ok());
/// assert!("aws_*.web.tags".parse::<Pattern>().is_ok());
/// assert!("module..net".parse::<Pattern>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    text: String,
    steps: Vec<PatternStep>,
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[derive(Clone, Debug, PartialEq)]
enum PatternStep {
    Step(Step),
    /// A name that matches the parts around each `*`.
    Like(Vec<String>),
    Any,
    Many,
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
            if let Some(inside) = rest.strip_prefix('[') {
                let Some(end) = end_of_index(inside) else { return invalid(rest) };
                let key = inside[..end].trim();
                steps.push(match key {
                    "*" => PatternStep::Any,
                    _ => match Expression::parse(key)
                        .and_then(|key| key.evaluate(&hclkit_model::Context::new()))
                    {
                        Ok(key) if key.as_str().is_some() || key.as_number().is_some() => {
                            PatternStep::Step(Step::Key(key))
                        }
                        _ => return invalid(rest),
                    },
                });
                rest = &inside[end + 1..];
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

/// The length of the text before the closing bracket.
fn end_of_index(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    text.char_indices().find_map(|(at, c)| {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return Some(at),
            _ => {}
        }
        None
    })
}

impl Pattern {
    /// Returns true if the pattern has no `*`, so that it must select something.
    pub(crate) fn is_exact(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, PatternStep::Step(_)))
    }

    /// The steps, if there is no `*`.
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
