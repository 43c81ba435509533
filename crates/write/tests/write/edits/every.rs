//! Every insertion and every removal in small lists: all ways to separate items, to open and to close.

use fastrand::Rng;
use hclkit_syntax::{NodeId, parse};
use hclkit_test_cases::is_tried;
use hclkit_write::Formatter;

use super::check::{Near, containers, insert, remove};

fn check_all(text: &str) {
    let document = parse(text);
    let mut rng = Rng::with_seed(0);
    for container in containers(&document) {
        let children: Vec<NodeId> = document.tree().children(container).collect();
        for &child in &children {
            remove(&document, container, child);
        }
        let beside = children.into_iter().flat_map(|child| [Near::Before(child), Near::After(child)]);
        for near in beside.chain([Near::Start, Near::End]) {
            insert(&document, container, near, &mut rng);
        }
    }
}

/// What a list is made of.
struct Parts {
    open: &'static [&'static str],
    items: &'static [&'static str],
    separators: &'static [&'static str],
    close: &'static [&'static str],
}

const OBJECT: Parts = Parts {
    open: &["{ ", "{\n", "{ # c\n", "{\n  # c\n\n", "{ /* c */ "],
    items: &["@ = 1", "(@) : {\n  k = 1\n}", "@ = [\n  1,\n]", "/* c */ @ = 1 /* c */", "# c\n@ = 1"],
    separators: &[
        ", ",
        "\n",
        ",\n",
        " # c\n",
        ", // c\n",
        "\n\n",
        ",\n\n  # c\n\n",
        " /* c */, ",
        ", /* c */ ",
        " /* c */\n",
    ],
    close: &[" }", ", }", "\n}", ",\n}", " # c\n}", ", # c\n}", "\n  # c\n}", " /* c */ }", "\n\n}"],
};

const TUPLE: Parts = Parts {
    open: &["[", "[\n", "[ # c\n", "[\n  # c\n\n", "[ /* c */ "],
    items: &["@", "{\n  k = 1\n}", "f(\n  @...\n)", "/* c */ @ /* c */", "# c\n@"],
    separators: &[
        ", ",
        ",\n",
        "\n  , ",
        " # c\n  , ",
        ", // c\n",
        ",\n\n",
        ",\n\n  # c\n\n",
        " /* c */, ",
        ", /* c */ ",
        " /* c */,\n",
    ],
    close: &[
        "]",
        ", ]",
        "\n]",
        ",\n]",
        " # c\n]",
        ", # c\n]",
        "\n  # c\n]",
        " /* c */ ]",
        ",\n\n]",
        "\n,\n]",
    ],
};

const BODY: Parts = Parts {
    open: &["", "\n", "# c\n", "# c\n\n", "/* c\n   c */\n", "/* c */ "],
    items: &[
        "@ = 1",
        "@ {}",
        "@ {\n  k = 1\n}",
        "/* c */ @ = 1 # c",
        "// c\n@ {} /* c */",
        "@ = <<E\n  x\nE",
        "@ = [<<-E\n  x\n  E\n  , 1]",
    ],
    separators: &["\n", "\n\n", "\n\n\n", "\n\n# c\n\n", "\n# c\n\n", "\n\n/* c */\n", " # c\n"],
    close: &["", "\n", "\n\n", "\n# c", "\n\n# c\n", " // c", " // c\n"],
};

impl Parts {
    /// The list with this number of items, with the names `a`, `b` and so on.
    fn list(&self, count: u8, mut choose: impl FnMut(usize) -> usize) -> String {
        let mut pick = |from: &[&'static str]| from[choose(from.len())];
        let mut text = pick(self.open).to_owned();
        for number in 0..count {
            if number > 0 {
                text.push_str(pick(self.separators));
            }
            text.push_str(&pick(self.items).replace('@', &char::from(b'a' + number).to_string()));
        }
        text + pick(self.close)
    }
}

fn formatted(text: &str) -> String {
    let text = Formatter::plain().format(&parse(text)).bytes().into_owned();
    String::from_utf8(text).unwrap()
}

/// Checks a list as it is and formatted, in an attribute and in a block with other line breaks.
fn check_list(list: &str) {
    let text = format!("x = {list}\ny = 1\n");
    // A comment cannot contain a comma or a bracket.
    if parse(text.as_str()).has_errors() {
        return;
    }
    let in_block = format!("b {{\n  x = 1\n\n  y = {}\n}}", list.replace('\n', "\n  "));
    for text in [&text, &formatted(&text), &formatted(&in_block).replace('\n', "\r\n")] {
        check_all(text);
    }
}

/// Checks a body, formatted: as a file with and without a byte order mark, and in a block with other line breaks.
fn check_body(body: &str) {
    if parse(body).has_errors() {
        return;
    }
    let body = formatted(body);
    let in_block = formatted(&format!("b {{\n{body}\n}}")).replace('\n', "\r\n");
    for text in [&body, &format!("\u{feff}{body}"), &in_block, &in_block.replace("  ", "\t")] {
        check_all(text);
    }
}

/// Lists of two simple items: one of three.
pub(crate) fn check_pairs() {
    for parts in [&OBJECT, &TUPLE] {
        for open in 0..parts.open.len() {
            for separator in 0..parts.separators.len() {
                for close in (0..parts.close.len()).filter(|close| is_tried(open + separator + close, 3)) {
                    let mut choices = [open, 0, separator, 0, close].into_iter();
                    check_list(&parts.list(2, |_| choices.next().unwrap()));
                }
            }
        }
    }
}

/// Random lists of none to four items, as tuples, objects and arguments.
pub(crate) fn check_random(seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let (parts, is_call) = if rng.bool() { (&OBJECT, false) } else { (&TUPLE, rng.bool()) };
    let list = parts.list(rng.u8(..5), |count| rng.usize(..count));
    match list.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
        Some(arguments) if is_call => check_list(&format!("f({arguments})")),
        _ => check_list(&list),
    }
}

/// Random bodies of none to four attributes and blocks.
pub(crate) fn check_random_body(seed: u64) {
    let mut rng = Rng::with_seed(seed);
    check_body(&BODY.list(rng.u8(..5), |count| rng.usize(..count)));
}
