//! Moves, sorting and removals in lists whose items are written alike: the opposite gives the same bytes back.

use fastrand::Rng;
use hclkit_syntax::{Document, NodeId, parse};
use hclkit_write::{EditError, Edits, Formatter};

use super::check::{common, containers};

/// How a list opens, separates its items, and closes.
const FORMS: &[[&str; 3]] = &[
    ["{ ", ", ", " }"],
    ["{\n", "\n", "\n}"],
    ["{\n", ",\n", "\n}"],
    ["{\n", ",\n", ",\n}"],
    ["{ # c\n", " # @\n", " # @\n}"],
    ["{\n  # c\n\n", ", // @\n", ", // @\n\n  # c\n}"],
    ["[", ", ", "]"],
    ["[\n", ",\n", "\n]"],
    ["[\n", ",\n", ",\n]"],
    ["[ # c\n", ", # @\n", ", # @\n]"],
    ["f(", ", ", ")"],
    ["f(\n", ",\n", "\n)"],
    ["f(\n", ", // @\n", " // @\n)"],
    // Bodies.
    ["", "\n", "\n"],
    ["# c\n\n", "\n", ""],
    ["", " # @\n", " # @\n"],
];

const VALUES: &[&str] = &["1", "[1, 2]", "{\n  k = 1\n}", "f(\n  1\n)", "{ k = 1 }", "<<E\n  @\nE"];

/// The list with its items, whose names are `a`, `b` and so on.
fn text(rng: &mut Rng) -> String {
    let [open, separator, close] = FORMS[rng.usize(..FORMS.len())];
    let is_inline = !separator.contains('\n');
    let has_names = open.starts_with('{') || close.trim_start_matches(" # @").trim().is_empty();
    let mut text = open.to_owned();
    for (number, name) in ["a", "b", "c"].into_iter().enumerate() {
        let value = VALUES[rng.usize(..VALUES.len())];
        // A line break must follow a heredoc, and stays.
        let is_possible = separator == "\n" && !close.is_empty();
        let value = if value.starts_with("<<") && !is_possible { name } else { value };
        let above = if is_inline || rng.bool() { "" } else { "# @\n" };
        let key = if has_names { "@ = " } else { "" };
        let after = if number < 2 { separator } else { close };
        text.push_str(&format!("{above}{key}{value}{after}").replace('@', name));
    }
    if open.is_empty() || open.starts_with('#') { text } else { format!("x = {text}\n") }
}

/// Makes an edit, and then the opposite one. The functions get the items of the list.
fn check_pair(
    document: &Document,
    list: usize,
    what: &str,
    edit: impl Fn(&mut Edits<'_>, &[NodeId]) -> Result<(), EditError>,
    back: impl Fn(&mut Edits<'_>, &[NodeId]) -> Result<(), EditError>,
) {
    let what = format!("{what} in\n{}", document.source().text());
    let items = |document: &Document| -> Vec<NodeId> {
        document.tree().children(containers(document)[list]).collect()
    };
    let mut edits = Edits::new(document);
    edit(&mut edits, &items(document)).unwrap_or_else(|error| panic!("{what}: {error}"));
    let edited = edits.apply().unwrap_or_else(|error| panic!("{what}: {error}"));
    common(document, &edited, &what);
    let mut edits = Edits::new(&edited);
    back(&mut edits, &items(&edited)).unwrap_or_else(|error| panic!("{what}: {error}"));
    let restored = edits.apply().unwrap_or_else(|error| panic!("{what} and back: {error}"));
    let (old, back) = (document.source().text(), restored.source().text());
    assert!(old == back, "{what}becomes\n{}and then\n{back}", edited.source().text());
}

/// Makes every move and every removal in a random list, and changes the order of all items.
pub(crate) fn check_random(seed: u64) {
    let text = text(&mut Rng::with_seed(seed));
    let text = Formatter::plain().format(&parse(text)).bytes().into_owned();
    let document = parse(String::from_utf8(text).unwrap());
    assert!(!document.has_errors(), "{}", document.source().text());
    let count = |id: NodeId| document.tree().children(id).count();
    let list = containers(&document).into_iter().position(|id| count(id) == 3).unwrap();
    let rotate = |by: usize| {
        move |edits: &mut Edits<'_>, items: &[NodeId]| {
            edits.sort([items[by], items[(by + 1) % 3], items[(by + 2) % 3]])
        }
    };
    check_pair(&document, list, "sorting", rotate(1), rotate(2));
    check_pair(&document, list, "sorting", rotate(2), rotate(1));
    for from in 0..3 {
        for to in (0..3).filter(|&to| to != from) {
            let shift = |from: usize, to: usize| {
                move |edits: &mut Edits<'_>, items: &[NodeId]| {
                    let (item, anchor) = (items[from], items[to]);
                    if from < to { edits.move_after(item, anchor) } else { edits.move_before(item, anchor) }
                }
            };
            check_pair(&document, list, &format!("moving {from} to {to}"), shift(from, to), shift(to, from));
        }
        let item = document.tree().children(containers(&document)[list]).nth(from).unwrap();
        let source = Edits::new(&document).owned_source(item);
        check_pair(
            &document,
            list,
            &format!("removing {from}"),
            |edits, items| edits.remove(items[from]),
            |edits, items| match from.checked_sub(1) {
                Some(before) => edits.insert_after(items[before], &source),
                None => edits.insert_before(items[0], &source),
            },
        );
    }
}
