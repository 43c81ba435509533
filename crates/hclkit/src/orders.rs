//! Edits by paths, as the bindings for other languages offer them: all of them are made, or none.

use std::fmt;

use hclkit_model::{Context, Diagnostics};
use hclkit_syntax::{Document, Fix, Source, Syntax, ast::ExpressionKind};
use hclkit_value::Value;
use hclkit_write::{EditError, Edits, Formatter, Match, NewValue, Selector};

use crate::functions::{Grants, Library};

/// One edit of what a path selects.
#[derive(Debug)]
pub enum Order {
    /// Sets the value of what the path selects. If it selects nothing, adds the last name where the rest of it selects.
    Set(String, NewValue),
    /// Adds an attribute to a body, or an item to an object.
    Add(String, String, NewValue),
    /// Removes it.
    Remove(String),
    /// Adds source text at the end of bodies, objects, lists and calls.
    Append(String, String),
    /// Adds source text at the start of bodies, objects, lists and calls.
    Prepend(String, String),
    /// Adds source text before it.
    Before(String, String),
    /// Adds source text after it.
    After(String, String),
    /// Renames attributes, block types, labels and items.
    Rename(String, String),
    /// Moves it to the end of a body, an object or a list.
    Move(String, String),
}

/// Why nothing was edited.
#[derive(Debug)]
pub enum OrderError {
    /// A path is invalid or matches nothing, or not what it must match.
    Path(String),
    /// A predicate of a path fails.
    Predicate(Diagnostics),
    /// An edit of what the path selects is impossible. The path of all edits together is empty.
    Edit(String, EditError),
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(text) => f.write_str(text),
            Self::Predicate(found) => match found.iter().next() {
                Some(first) => write!(f, "{}: {}", first.summary(), first.note()),
                None => f.write_str("the path cannot be evaluated"),
            },
            Self::Edit(path, error) if path.is_empty() => error.fmt(f),
            Self::Edit(path, error) => write!(f, "{path}: {error}"),
        }
    }
}

fn wrong(error: impl fmt::Display) -> OrderError {
    OrderError::Path(error.to_string())
}

/// The functions of predicates: those of `hcl query`.
pub fn predicates() -> Context {
    Context::new().with_functions(Library::Terraform.functions(&Grants::new()))
}

/// What a path selects.
///
/// # Errors
/// The path is invalid, or one of its predicates fails.
pub fn select<'d>(document: &'d Document, path: &str) -> Result<Vec<Match<'d>>, OrderError> {
    let selector: Selector = path.parse().map_err(wrong)?;
    selector.select_with(document, &predicates()).map_err(OrderError::Predicate)
}

/// Makes all edits. The document must have no errors.
///
/// # Errors
/// A path selects nothing, or an edit is impossible.
pub fn edited(document: &Document, orders: &[Order]) -> Result<Document, OrderError> {
    let formatter = Formatter::of_path(document.source().name());
    let mut edits = Edits::new(document).with_formatter(formatter);
    let place = Place { document, within: None, predicates: &predicates() };
    for order in orders {
        place.make(&mut edits, order)?;
    }
    let edited = edits.apply().map_err(|why| OrderError::Edit(String::new(), why))?;
    Ok(match document.syntax() {
        Syntax::Native | Syntax::Hcl1 => edited,
        Syntax::Json => Document::parse_json(Source::new(edited.source().name(), edited.source().bytes())),
    })
}

/// Makes fixes of one document, which must have no errors. What is read of the document serves all of them.
#[derive(Debug)]
pub struct Fixes<'d> {
    edits: Edits<'d>,
    predicates: Context,
}

impl<'d> Fixes<'d> {
    /// For the fixes of a document.
    pub fn new(document: &'d Document) -> Self {
        let formatter = Formatter::of_path(document.source().name());
        Self { edits: Edits::new(document).with_formatter(formatter), predicates: predicates() }
    }

    /// Makes all edits of a part of the document. Their paths start there.
    ///
    /// # Errors
    /// As with [`edited`].
    pub fn fix(&self, within: &Match<'d>, orders: &[Order], title: String) -> Result<Fix, OrderError> {
        let mut edits = self.edits.clone();
        let place = Place { document: within.document(), within: Some(within), predicates: &self.predicates };
        for order in orders {
            place.make(&mut edits, order)?;
        }
        edits.to_fix(title).map_err(|why| OrderError::Edit(String::new(), why))
    }
}

/// Where paths start.
struct Place<'a, 'd> {
    document: &'d Document,
    /// A part of the document. `None` if it is the whole.
    within: Option<&'a Match<'d>>,
    predicates: &'a Context,
}

impl<'d> Place<'_, 'd> {
    fn select(&self, selector: &Selector) -> Result<Vec<Match<'d>>, OrderError> {
        let found = match self.within {
            Some(within) => selector.select_in(within, self.predicates),
            None => selector.select_with(self.document, self.predicates),
        };
        found.map_err(OrderError::Predicate)
    }

    fn make(&self, edits: &mut Edits<'d>, order: &Order) -> Result<(), OrderError> {
        let (Order::Set(path, _)
        | Order::Add(path, ..)
        | Order::Remove(path)
        | Order::Append(path, _)
        | Order::Prepend(path, _)
        | Order::Before(path, _)
        | Order::After(path, _)
        | Order::Rename(path, _)
        | Order::Move(path, _)) = order;
        let selector: Selector = path.parse().map_err(wrong)?;
        let found = self.select(&selector)?;
        if let Order::Set(_, value) = order {
            let is_any = self.add(edits, path, &selector, value)?;
            if found.is_empty() && !is_any {
                return Err(OrderError::Path(format!("{path} matches nothing")));
            }
        } else if found.is_empty() {
            return Err(OrderError::Path(format!("{path} matches nothing")));
        }
        for one in &found {
            let node = one.node();
            let made = match order {
                Order::Set(_, value) => edits.set(one.named(), value.clone()),
                Order::Add(_, name, value) => edits.add(node, name, value.clone()),
                Order::Remove(_) => edits.remove(node),
                Order::Append(_, source) => edits.append(node, source),
                Order::Prepend(_, source) => edits.prepend(node, source),
                Order::Before(_, source) => edits.insert_before(node, source),
                Order::After(_, source) => edits.insert_after(node, source),
                Order::Rename(_, name) => edits.rename(one.named(), name),
                Order::Move(_, to) => match &self.select(&to.parse().map_err(wrong)?)?[..] {
                    [destination] => edits.move_into(node, destination.node()),
                    [] => return Err(OrderError::Path(format!("{to} matches nothing"))),
                    _ => return Err(OrderError::Path(format!("{to} matches several places"))),
                },
            };
            made.map_err(|why| OrderError::Edit(path.clone(), why))?;
        }
        Ok(())
    }

    /// Adds a value to everything that lacks only the last name of a path. Returns whether anything does. It is an error if anything
    /// lacks an earlier name, because then only some matches could be changed.
    fn add(
        &self,
        edits: &mut Edits<'d>,
        path: &str,
        selector: &Selector,
        value: &NewValue,
    ) -> Result<bool, OrderError> {
        let (document, context) = (self.document, self.predicates);
        let all: Selector = "[*]".parse().map_err(wrong)?;
        let (mut is_any, mut lacking) = (false, Vec::new());
        let mut level = selector.split_last();
        let mut is_last = true;
        while let Some((parent, name)) = level {
            let step: Selector = format!("[{}]", Value::from(&*name)).parse().map_err(wrong)?;
            let found = self.select(&parent)?;
            // A whole file lacks only what is directly in it.
            let is_file = self.within.is_none() && parent.to_string() == ".";
            let found = if is_last || !is_file { found } else { Vec::new() };
            for one in found {
                // A name in an array of the JSON syntax is that of each object.
                let inside = match document.syntax() {
                    Syntax::Json => all.select_in(&one, context).unwrap_or_default(),
                    Syntax::Native | Syntax::Hcl1 => Vec::new(),
                };
                let is_array = one.expression().is_some_and(|it| matches!(it.kind(), ExpressionKind::Tuple));
                let containers = if is_array && !inside.is_empty() { inside } else { vec![one] };
                for container in containers {
                    // A block of which only some labels are matched has no names.
                    let is_part = document.block_at(container.node()).is_some_and(|block| {
                        block.labels().last().is_some_and(|label| label.id() != container.named())
                    });
                    let is_part = is_part && container.expression().is_none();
                    if is_part || step.select_in(&container, context).is_ok_and(|found| !found.is_empty()) {
                        continue;
                    }
                    if is_last {
                        is_any = true;
                        edits
                            .add(&container, &name, value.clone())
                            .map_err(|why| OrderError::Edit(path.to_owned(), why))?;
                    } else {
                        lacking.push(format!("{} has no `{name}`", container.address()));
                    }
                }
            }
            is_last = false;
            level = parent.split_last();
        }
        if lacking.is_empty() {
            Ok(is_any)
        } else {
            Err(OrderError::Path(format!("{path}: {}", lacking.join("; "))))
        }
    }
}
