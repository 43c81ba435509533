//! Renders how a value was computed, as a tree: a line for each subexpression, with its source text and its value.

use std::fmt::Write as _;
use std::rc::Rc;

use hclkit_model::{Explanation, Expression, Withheld};
use hclkit_syntax::{Source, Span, visible_line};

use super::shown_name;

/// The maximum number of characters of a subexpression to show.
const MOST_SOURCE: usize = 60;
/// The maximum column at which values are aligned.
const MOST_COLUMN: usize = 64;
/// The minimum number of characters of a value to show.
const LEAST_VALUE: usize = 40;
/// The number of levels of a tree. Parts that are nested deeper are shown below as separate trees, because the space
/// for the branches is quadratic in the depth.
const MOST_LEVELS: usize = 16;

/// A line of the tree.
struct Row<'e> {
    /// The branches before it.
    branches: String,
    source: String,
    result: Result<'e>,
}

enum Result<'e> {
    /// An explanation, its note, and the number of the tree with its parts, if that is another one.
    Of(&'e Explanation, Option<&'e str>, Option<usize>),
    /// The number of iterations that are left out.
    Omitted(usize),
    /// The line between two trees.
    Gap,
}

/// The lines so far, and the parts to show as separate trees, with their sources.
#[derive(Default)]
struct Rows<'e> {
    rows: Vec<Row<'e>>,
    trees: Vec<(&'e Explanation, &'e Source, Rc<Withheld>)>,
}

/// See [`Renderer::explanation`](super::Renderer::explanation). Lines have about `width` characters.
pub(super) fn explanation(
    expression: &Expression,
    explanation: &Explanation,
    width: usize,
    color: bool,
) -> String {
    let most_source = MOST_SOURCE.min(width / 2);
    let most_column = MOST_COLUMN.min(width / 2);
    let line_width = width;
    let mut rows = Rows::default();
    let withheld = Rc::new(Withheld::of_expression(expression));
    let drawing = Drawing { source: expression.source(), withheld, most_source, color };
    drawing.collect(explanation, None, ("", ""), 0, &mut rows);
    let mut shown = 0;
    while let Some((explanation, source, withheld)) = rows.trees.get(shown).cloned() {
        shown += 1;
        rows.rows.push(Row { branches: String::new(), source: String::new(), result: Result::Gap });
        Drawing { source, withheld, ..drawing.clone() }.collect(
            explanation,
            None,
            (&format!("[{shown}] "), ""),
            0,
            &mut rows,
        );
    }
    let rows = rows.rows;
    let width = |row: &Row<'_>| row.branches.chars().count() + row.source.chars().count();
    let column = rows.iter().map(width).filter(|&width| width <= most_column).max().unwrap_or_default();
    let mut text = String::new();
    for row in rows {
        if let Result::Gap = row.result {
            text.push('\n');
            continue;
        }
        let gap = column.saturating_sub(width(&row));
        let left = line_width.saturating_sub(width(&row) + gap + 4).max(LEAST_VALUE.min(line_width / 3));
        let (dim, plain) = if color { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        let result = drawing.result(&row.result, left);
        let _ = writeln!(text, "{dim}{}{plain}{}{:gap$}  {result}", row.branches, row.source, "");
    }
    text
}

#[derive(Clone)]
struct Drawing<'d> {
    source: &'d Source,
    /// What must not be shown of it.
    withheld: Rc<Withheld>,
    /// The maximum number of characters of a subexpression to show.
    most_source: usize,
    color: bool,
}

impl<'d> Drawing<'d> {
    /// Adds the lines of an explanation. Its own line starts with `first`, those of its parts with `others`.
    fn collect<'e>(
        &self,
        explanation: &'e Explanation,
        around: Option<Span>,
        (first, others): (&str, &str),
        level: usize,
        rows: &mut Rows<'e>,
    ) where
        'd: 'e,
    {
        let mut parts: Vec<&Explanation> = explanation.parts.iter().collect();
        let (source, note) = match turn(explanation, around) {
            Some(turn) => {
                // For a template of several lines, show only its parts.
                if let [content] = parts[..]
                    && self.source.slice(content.span).contains('\n')
                {
                    parts = content.parts.iter().collect();
                }
                (visible_line(turn).into_owned(), None)
            }
            None => (self.source(explanation.span), explanation.note.as_deref()),
        };
        // The last step of a chain of operations is the whole chain.
        let here = |part: &Explanation| part.source.is_none() && part.span == explanation.span;
        parts.retain(|part| !here(part) || part.note.is_some() || !part.parts.is_empty());
        let is_turn = turn(explanation, around).is_some();
        let below = level >= MOST_LEVELS && !parts.is_empty() && !is_turn;
        let tree = below.then(|| {
            rows.trees.push((explanation, self.source, self.withheld.clone()));
            rows.trees.len()
        });
        rows.rows.push(Row {
            branches: first.to_owned(),
            source,
            result: Result::Of(explanation, note, tree),
        });
        if below {
            return;
        }
        let omitted = (explanation.omitted > 0).then(|| Row {
            branches: format!("{others}└─ "),
            source: "…".to_owned(),
            result: Result::Omitted(explanation.omitted),
        });
        // Parts are in source order, so that a condition comes before its results. Iterations, and parts in other
        // sources, keep their order.
        if !parts.iter().any(|part| here(part)) {
            parts.sort_by_key(|part| (part.source.is_some(), part.source.is_none().then_some(part.span)));
        }
        for (at, part) in parts.iter().enumerate() {
            let last = at + 1 == parts.len() && omitted.is_none();
            let (own, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let (own, below) = (format!("{others}{own}"), format!("{others}{below}"));
            match &part.source {
                None => self.collect(part, Some(explanation.span), (&own, &below), level + 1, rows),
                Some(source) => {
                    let first = rows.rows.len();
                    let withheld = Rc::new(Withheld::of_template(source));
                    Drawing { source, withheld, ..self.clone() }.collect(
                        part,
                        None,
                        (&own, &below),
                        level + 1,
                        rows,
                    );
                    rows.rows[first].source.insert_str(0, &prefix(source));
                }
            }
        }
        rows.rows.extend(omitted);
    }

    /// The source text of a part on one line. For a directive, only its introduction.
    fn source(&self, span: Span) -> String {
        let text = &*self.withheld.beginning(self.source, span, 8 * self.most_source);
        let shown = if text.starts_with("%{") { text.lines().next().unwrap_or_default() } else { text };
        // Nested parts may be large, so read only the text that is shown.
        let (mut words, mut count, mut gap) = (String::new(), 0, false);
        for character in shown.trim_start().chars() {
            if character.is_whitespace() {
                gap = true;
                continue;
            }
            if count > self.most_source {
                break;
            }
            if std::mem::take(&mut gap) {
                words.push(' ');
            }
            words.push(character);
            count += 1;
        }
        let mut line = visible_line(&words).into_owned();
        if shown.len() < text.len() || line.chars().count() > self.most_source {
            line = line.chars().take(self.most_source.saturating_sub(1)).collect();
            line.push('…');
        }
        line
    }

    /// The value or error with its notes, in about `limit` characters.
    fn result(&self, result: &Result<'_>, limit: usize) -> String {
        let (explanation, note, tree) = match result {
            Result::Of(explanation, note, tree) => (explanation, note, tree),
            Result::Omitted(count) => return format!("{count} more"),
            Result::Gap => return String::new(),
        };
        let mut text = match explanation.errors.first() {
            Some(error) => {
                let (red, plain) = if self.color { ("\x1b[31m", "\x1b[0m") } else { ("", "") };
                let detail = visible_line(&error.note().replace('\n', "; ")).into_owned();
                format!("{red}error: {detail}{plain}")
            }
            None => format!("→ {}", explanation.value.show().with_color(self.color).with_limit(limit)),
        };
        if let Some(note) = note {
            let _ = write!(text, "  ({})", visible_line(note));
        }
        if let Some(tree) = tree {
            let _ = write!(text, "  (parts: see [{tree}])");
        }
        text
    }
}

/// The prefix for text in another source: its name.
fn prefix(source: &Source) -> String {
    if source.name().is_empty() { String::new() } else { format!("{}: ", shown_name(source)) }
}

/// The iteration that an explanation is about, if any. It has the same span as its loop, and a note.
fn turn(explanation: &Explanation, around: Option<Span>) -> Option<&str> {
    let note = explanation.note.as_deref()?;
    (around == Some(explanation.span) && note.contains(" = ")).then_some(note)
}
