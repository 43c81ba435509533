//! Values and expressions to write.

use std::fmt;

use hclkit_limits::with_room;
use hclkit_syntax::ast::ExpressionKind;
use hclkit_syntax::{Diagnostics, Root, Source, Syntax, is_identifier, parse, parse_expression};
use hclkit_value::{Plain, Type, Value};

use super::SourceError;
use super::error::Problem;
use crate::edit::{EditError, NewExpression, quoted_json};
use crate::format_source;
use crate::layout::{Layout, Node, key};

/// A value or an expression to write as source text.
///
/// Create it from a [`Value`], from source text with [`raw`], or from collections of both.
///
/// ```
/// use hclkit_write::{NewValue, raw};
///
/// let tags = NewValue::object([("Name", NewValue::from("web")), ("Zone", raw("var.zone"))]);
/// assert_eq!(tags.source()?, r#"{ Name = "web", Zone = var.zone }"#);
/// # Ok::<(), hclkit_write::SourceError>(())
/// ```
#[derive(Debug, Clone)]
pub struct NewValue(Form);

#[derive(Debug, Clone)]
enum Form {
    Value(Value),
    Source(String),
    Tuple(Vec<NewValue>),
    Object(Vec<(NewValue, NewValue)>),
    /// What [`splice`] could not write.
    Failed(SourceError),
}

/// Source text with values between its parts, as `expr!` writes it. There is one text more than values.
#[doc(hidden)]
pub fn splice(texts: &[&str], values: &[NewValue]) -> NewValue {
    let mut source = String::new();
    let mut values = values.iter();
    for text in texts {
        source.push_str(text);
        match values.next().map(NewValue::term) {
            Some(Ok(term)) => source.push_str(&term),
            Some(Err(error)) => return NewValue(Form::Failed(error)),
            None => {}
        }
    }
    raw(source)
}

/// The name of an attribute, as part of what [`splice`] writes. It must be an identifier.
#[doc(hidden)]
pub fn attribute_name(name: impl fmt::Display) -> NewValue {
    let name = name.to_string();
    if is_identifier(&name) {
        raw(name)
    } else {
        NewValue(Form::Failed(SourceError::new(Problem::Name("the name of an attribute", name))))
    }
}

/// An expression as source text. If the text is not an expression, writing it is an error.
///
/// ```
/// use hclkit_write::raw;
///
/// assert_eq!(raw("[for n in names:upper( n )]").source()?, "[for n in names : upper(n)]");
/// assert!(raw("var.").source().is_err());
/// # Ok::<(), hclkit_write::SourceError>(())
/// ```
pub fn raw(source: impl Into<String>) -> NewValue {
    NewValue(Form::Source(source.into()))
}

impl<T: Into<Value>> From<T> for NewValue {
    fn from(value: T) -> Self {
        Self(Form::Value(value.into()))
    }
}

impl NewValue {
    /// A tuple.
    pub fn tuple<T: Into<Self>>(elements: impl IntoIterator<Item = T>) -> Self {
        Self(Form::Tuple(elements.into_iter().map(Into::into).collect()))
    }

    /// An object. Its items stay in order. A key is text, a number, or an expression from [`raw`], which is written in
    /// parentheses unless it is a quoted template.
    ///
    /// ```
    /// use hclkit_write::{NewValue, raw};
    ///
    /// let object = NewValue::object([(raw("var.key"), 1), (NewValue::from("a b"), 2), (raw(r#""${x}-c""#), 3)]);
    /// assert_eq!(object.source()?, r#"{ (var.key) = 1, "a b" = 2, "${x}-c" = 3 }"#);
    /// # Ok::<(), hclkit_write::SourceError>(())
    /// ```
    pub fn object<K: Into<Self>, V: Into<Self>>(items: impl IntoIterator<Item = (K, V)>) -> Self {
        Self(Form::Object(items.into_iter().map(|(key, item)| (key.into(), item.into())).collect()))
    }

    /// The source text, formatted, without a line break at the end. If it ends with a heredoc, a line break must
    /// follow.
    ///
    /// The source text evaluates to the same value, except that lists and sets become tuples, and maps become objects,
    /// because source text cannot express these types. Converted to the original type, it is the same value.
    ///
    /// ```
    /// use hclkit_value::Value;
    /// use hclkit_write::NewValue;
    ///
    /// let script = Value::object([("run", Value::from("echo ${HOME}\nexit\n")), ("retries", Value::from(3))]);
    /// assert_eq!(
    ///     NewValue::from(script).source()?,
    ///     "{\n  retries = 3\n  run     = <<-EOT\n    echo $${HOME}\n    exit\n  EOT\n}",
    /// );
    /// # Ok::<(), hclkit_write::SourceError>(())
    /// ```
    ///
    /// # Errors
    /// Unknown values, marked values, capsules and infinities cannot be written. Other errors are source text that is
    /// not an expression, keys that are neither text nor numbers, and more text than the limit on bytes allows.
    pub fn source(&self) -> Result<String, SourceError> {
        let mut text = String::new();
        Layout::new().write_item(Node::New(&self.check()?), 0, 0, &mut text);
        // A heredoc ends with a line break.
        text.push('\n');
        let source = Source::new("", text);
        let formatted = format_source(&source).bytes().into_owned();
        let text = String::from_utf8_lossy(&formatted);
        Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }

    /// The text that sets a label: a string, or text from [`raw`].
    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.0 {
            Form::Value(value) => value.as_str(),
            Form::Source(text) => Some(text),
            Form::Tuple(_) | Form::Object(_) | Form::Failed(_) => None,
        }
    }

    /// The source text, in parentheses if it could mean something else as a part of another expression.
    fn term(&self) -> Result<String, SourceError> {
        let text = self.source()?;
        let is_term = NewExpression::read(&text, Syntax::Native).is_ok_and(|read| read.is_term());
        // The end of a heredoc is a line of its own.
        let line_break = if text.contains('\n') { "\n" } else { "" };
        Ok(if is_term { text } else { format!("({text}{line_break})") })
    }

    /// Source text from [`raw`], as it was given.
    pub(crate) fn as_raw(&self) -> Option<&str> {
        match &self.0 {
            Form::Source(text) => Some(text),
            _ => None,
        }
    }

    /// The value for a file in the JSON syntax, in which strings are templates. Text from [`raw`] must be JSON.
    pub(crate) fn json(&self) -> Result<String, SourceError> {
        match &self.0 {
            Form::Value(value) => {
                value.check_text_size()?;
                json_of(value)
            }
            Form::Source(text) => Ok(text.clone()),
            Form::Failed(error) => Err(error.clone()),
            Form::Tuple(elements) => {
                let json = |(index, element): (usize, &Self)| {
                    with_room(|| element.json()).map_err(|error| error.within(format!("[{index}]")))
                };
                let elements = elements.iter().enumerate().map(json).collect::<Result<Vec<_>, _>>()?;
                Ok(format!("[{}]", elements.join(", ")))
            }
            Form::Object(items) => {
                let json = |(name, item): &(Self, Self)| {
                    let name = match &name.0 {
                        Form::Value(value) => value.convert(&Type::String).ok(),
                        _ => None,
                    };
                    let name = name.as_ref().and_then(Value::as_str);
                    let name = name.ok_or_else(|| SourceError::new(Problem::Key))?;
                    let item = with_room(|| item.json()).map_err(|error| error.within(key(name)))?;
                    Ok(format!("{}: {item}", json_template(name)))
                };
                let items = items.iter().map(json).collect::<Result<Vec<_>, SourceError>>()?;
                Ok(format!("{{{}}}", items.join(", ")))
            }
        }
    }

    /// Checks that all parts can be written.
    pub(super) fn check(&self) -> Result<Checked, SourceError> {
        match &self.0 {
            Form::Value(value) => {
                value.check_text_size()?;
                literal(value).map(Checked::Value)
            }
            Form::Source(text) => ReadSource::of(text).map(Checked::Source),
            Form::Failed(error) => Err(error.clone()),
            Form::Tuple(elements) => {
                let check = |(index, element): (usize, &Self)| {
                    with_room(|| element.check()).map_err(|error| error.within(format!("[{index}]")))
                };
                elements.iter().enumerate().map(check).collect::<Result<_, _>>().map(Checked::Tuple)
            }
            Form::Object(items) => {
                let check = |(name, item): &(Self, Self)| {
                    let key = name.key()?;
                    let item = with_room(|| item.check()).map_err(|error| error.within(&key))?;
                    Ok((key, item))
                };
                items.iter().map(check).collect::<Result<_, _>>().map(Checked::Object)
            }
        }
    }

    /// The source text of a key.
    fn key(&self) -> Result<String, SourceError> {
        let invalid = || SourceError::new(Problem::Key);
        match &self.0 {
            Form::Value(value) => match value.plain() {
                Ok(Plain::String(name)) => Ok(key(name)),
                Ok(Plain::Number(number)) => Ok(key(&number.to_string())),
                Ok(_) => Err(invalid()),
                Err(why) => Err(SourceError::new(Problem::Value(why))),
            },
            Form::Source(text) => {
                let source = ReadSource::of(text)?;
                let line_break = if source.ends_with_heredoc() { "\n" } else { "" };
                let text = source.indented(0);
                Ok(if source.is_key { text } else { format!("({text}{line_break})") })
            }
            Form::Failed(error) => Err(error.clone()),
            Form::Tuple(_) | Form::Object(_) => Err(invalid()),
        }
    }
}

/// A value as JSON in which strings are templates.
fn json_of(value: &Value) -> Result<String, SourceError> {
    Ok(match value.plain().map_err(|why| SourceError::new(Problem::Value(why)))? {
        Plain::Null => "null".to_owned(),
        Plain::Bool(flag) => flag.to_string(),
        Plain::Number(number) => number.to_string(),
        Plain::String(text) => json_template(text),
        Plain::Sequence(items) => {
            let json = |(index, item): (usize, &Value)| {
                with_room(|| json_of(item)).map_err(|error| error.within(format!("[{index}]")))
            };
            format!("[{}]", items.iter().enumerate().map(json).collect::<Result<Vec<_>, _>>()?.join(", "))
        }
        Plain::Map(entries) => {
            let json = |(name, item): (&hclkit_value::Str, &Value)| {
                let item = with_room(|| json_of(item)).map_err(|error| error.within(key(name)))?;
                Ok(format!("{}: {item}", json_template(name)))
            };
            format!("{{{}}}", entries.map(json).collect::<Result<Vec<_>, SourceError>>()?.join(", "))
        }
    })
}

/// Text as a template in JSON.
fn json_template(text: &str) -> String {
    quoted_json(&text.replace("${", "$${").replace("%{", "%%{"))
}

/// A value in the form that its source evaluates to: with tuples and objects only.
fn literal(value: &Value) -> Result<Value, SourceError> {
    Ok(match value.plain().map_err(|why| SourceError::new(Problem::Value(why)))? {
        Plain::Sequence(items) => {
            let element = |(index, item): (usize, &Value)| {
                with_room(|| literal(item)).map_err(|error| error.within(format!("[{index}]")))
            };
            Value::tuple(items.iter().enumerate().map(element).collect::<Result<Vec<_>, _>>()?)
        }
        Plain::Map(entries) => {
            let entry = |(name, item): (&hclkit_value::Str, &Value)| {
                Ok((name.clone(), with_room(|| literal(item)).map_err(|error| error.within(key(name)))?))
            };
            Value::object(entries.map(entry).collect::<Result<Vec<_>, SourceError>>()?)
        }
        _ => value.clone(),
    })
}

/// A [`NewValue`] that can be written.
#[derive(Debug, Clone)]
pub(crate) enum Checked {
    Value(Value),
    Source(ReadSource),
    Tuple(Vec<Self>),
    /// Items with the source text of their keys.
    Object(Vec<(String, Self)>),
}

/// Source text that is an expression.
#[derive(Debug, Clone)]
pub(crate) struct ReadSource {
    expression: NewExpression,
    /// True if it continues on another line in a way that requires parentheses.
    parentheses: bool,
    /// True if it can be the key of an item without changes: a quoted string or template, or an expression in
    /// parentheses.
    is_key: bool,
}

impl ReadSource {
    fn of(source: &str) -> Result<Self, SourceError> {
        let expression = NewExpression::read(source, Syntax::Native).map_err(|error| {
            let diagnostics = match error {
                EditError::InvalidSource { diagnostics, .. } => diagnostics,
                _ => Diagnostics::new(),
            };
            SourceError::new(Problem::Expression(source.to_owned(), diagnostics))
        })?;
        let text = expression.indented("", "\n");
        let parentheses = text.contains('\n') && parse(format!("a = {text}\n")).has_errors();
        let is_key = text.starts_with(['"', '('])
            && match parse_expression(text).root() {
                Root::Expression(root) => {
                    matches!(root.kind(), ExpressionKind::Template(_) | ExpressionKind::Parens(_))
                }
                _ => false,
            };
        Ok(Self { expression, parentheses, is_key })
    }

    pub(crate) fn ends_with_heredoc(&self) -> bool {
        self.expression.ends_with_heredoc() && !self.parentheses
    }

    /// Returns the text if it is a single line.
    pub(crate) fn line(&self) -> Option<&str> {
        self.expression.line()
    }

    pub(crate) fn indented(&self, indent: usize) -> String {
        let text = self.expression.indented(&" ".repeat(indent), "\n");
        match (self.parentheses, self.expression.ends_with_heredoc()) {
            (false, _) => text,
            (true, false) => format!("({text})"),
            (true, true) => format!("({text}\n)"),
        }
    }
}
