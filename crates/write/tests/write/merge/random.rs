//! Random versions of a file: a base, and two versions with random changes. Comments are all different.

use fastrand::Rng;

/// A part of a body.
#[derive(Clone)]
enum Part {
    Attribute { name: String, value: String, comment: Option<String> },
    Object { name: String, items: Vec<(String, String)>, inline: bool },
    List { name: String, elements: Vec<String> },
    Heredoc { name: String, lines: Vec<String> },
    Block { block_type: &'static str, labels: Vec<String>, body: Vec<Self>, comment: Option<String> },
    Comment(String),
    Blank,
}

/// The next part of comments and values that is used nowhere else.
struct Maker<'r> {
    rng: &'r mut Rng,
    next: u32,
}

const NAMES: [&str; 8] = ["a", "b", "count", "d", "name_of_it", "e", "tags", "zone"];

impl Maker<'_> {
    fn new_text(&mut self) -> String {
        self.next += 1;
        format!("t{}", self.next)
    }

    fn value(&mut self) -> String {
        match self.rng.u8(..4) {
            0 => self.rng.u8(..4).to_string(),
            1 => format!("var.x{}", self.rng.u8(..4)),
            2 => format!("f({}, \"{}\")", self.rng.u8(..3), self.rng.u8(..3)),
            _ => format!("\"{}\"", self.new_text()),
        }
    }

    fn comment(&mut self) -> Option<String> {
        (self.rng.u8(..5) == 0).then(|| self.new_text())
    }

    fn part(&mut self, depth: u32) -> Part {
        let name = self.rng.choice(NAMES).unwrap().to_owned();
        match self.rng.u8(..if depth < 3 { 13 } else { 8 }) {
            0..3 => Part::Attribute { name, value: self.value(), comment: self.comment() },
            3 => {
                let count = self.rng.usize(..5);
                let mut items: Vec<(String, String)> = Vec::new();
                for _ in 0..count {
                    let key = self.rng.choice(NAMES).unwrap();
                    if items.iter().all(|(other, _)| other != key) {
                        items.push((key.to_owned(), self.value()));
                    }
                }
                Part::Object { name, items, inline: self.rng.bool() }
            }
            4 => Part::List { name, elements: (0..self.rng.usize(..5)).map(|_| self.value()).collect() },
            5 => Part::Heredoc { name, lines: (0..self.rng.usize(..4)).map(|_| self.new_text()).collect() },
            6 => Part::Comment(self.new_text()),
            7 => Part::Blank,
            _ => {
                let block_type = self.rng.choice(["resource", "variable", "ingress", "rule"]).unwrap();
                let count = match block_type {
                    "resource" => 2,
                    "variable" => 1,
                    _ => 0,
                };
                let labels =
                    (0..count).map(|_| self.rng.choice(["x", "y", "z", "w"]).unwrap().to_owned()).collect();
                Part::Block { block_type, labels, body: self.body(depth + 1), comment: self.comment() }
            }
        }
    }

    fn body(&mut self, depth: u32) -> Vec<Part> {
        let mut body = Vec::new();
        for _ in 0..self.rng.usize(..8) {
            let part = self.part(depth);
            add(&mut body, part, usize::MAX);
        }
        body
    }

    fn change(&mut self, body: &mut Vec<Part>, depth: u32) {
        let at = self.rng.usize(..body.len().max(1));
        match self.rng.u8(..10) {
            0 | 1 => {
                let part = self.part(depth);
                add(body, part, at);
            }
            2 if !body.is_empty() => {
                body.remove(at);
            }
            3 if body.len() > 1 => {
                let part = body.remove(at);
                let to = self.rng.usize(..=body.len());
                body.insert(to, part);
            }
            _ if at < body.len() => self.change_part(body, at, depth),
            _ => {}
        }
    }

    fn change_part(&mut self, body: &mut Vec<Part>, at: usize, depth: u32) {
        let value = self.value();
        let text = self.new_text();
        let (choice, place) = (self.rng.u8(..4), self.rng.usize(..4));
        match &mut body[at] {
            Part::Attribute { comment, .. } if choice == 0 => *comment = Some(text),
            Part::Attribute { value: own, .. } => *own = value,
            Part::Object { inline, .. } if choice == 0 => *inline = !*inline,
            Part::Object { items, .. } => match items.get_mut(place) {
                Some(_) if choice == 1 => {
                    items.remove(place);
                }
                Some(item) => item.1 = value,
                None => items.push((text, value)),
            },
            Part::List { elements: lines, .. } | Part::Heredoc { lines, .. } => match lines.get_mut(place) {
                Some(_) if choice == 1 => {
                    lines.remove(place);
                }
                Some(line) => *line = format!("\"{text}\""),
                None => lines.push(format!("\"{text}\"")),
            },
            Part::Block { comment, .. } if choice == 0 => *comment = Some(text),
            Part::Block { labels, .. } if choice == 1 && place == 0 && !labels.is_empty() => {
                labels[0] = text;
            }
            Part::Block { body: inner, .. } => {
                for _ in 0..=place {
                    self.change(inner, depth + 1);
                }
            }
            Part::Comment(own) => *own = text,
            Part::Blank => {
                body.remove(at);
            }
        }
    }
}

/// Adds a part, unless its attribute or its labels are there.
fn add(body: &mut Vec<Part>, part: Part, at: usize) {
    let is_same = |other: &Part| match (name(other), name(&part)) {
        (Some(other), Some(own)) => other == own,
        _ => match (other, &part) {
            (Part::Block { labels: other, .. }, Part::Block { labels, .. }) => {
                !labels.is_empty() && other == labels
            }
            _ => false,
        },
    };
    if !body.iter().any(is_same) {
        body.insert(at.min(body.len()), part);
    }
}

fn name(part: &Part) -> Option<&str> {
    match part {
        Part::Attribute { name, .. }
        | Part::Object { name, .. }
        | Part::List { name, .. }
        | Part::Heredoc { name, .. } => Some(name),
        _ => None,
    }
}

/// Writes a body. With `align`, equals signs are aligned.
#[allow(clippy::format_push_string, clippy::needless_for_each, reason = "the text is short")]
fn write(body: &[Part], indent: &str, align: bool, text: &mut String) {
    let width = body.iter().filter_map(name).map(str::len).max().unwrap_or_default();
    for part in body {
        let own = name(part).unwrap_or_default();
        let own = if align { format!("{own:width$}") } else { own.to_owned() };
        let comment =
            |comment: &Option<String>| comment.as_ref().map(|it| format!(" # {it}")).unwrap_or_default();
        match part {
            Part::Attribute { value, comment: own_comment, .. } => {
                // Comments above and after an attribute.
                if own_comment.as_ref().is_some_and(|it| it.ends_with(['1', '2', '3'])) {
                    text.push_str(&format!("{indent}#{}\n{indent}{own} = {value}\n", comment(own_comment)));
                } else {
                    let after = own_comment.as_ref().map(|it| format!(" // {it}")).unwrap_or_default();
                    text.push_str(&format!("{indent}{own} = {value}{after}\n"));
                }
            }
            Part::Object { items, inline: true, .. } => {
                let items: Vec<String> =
                    items.iter().map(|(key, value)| format!("{key} = {value}")).collect();
                text.push_str(&format!("{indent}{own} = {{ {} }}\n", items.join(", ")));
            }
            Part::Object { items, .. } => {
                text.push_str(&format!("{indent}{own} = {{\n"));
                items.iter().for_each(|(key, value)| text.push_str(&format!("{indent}  {key} = {value}\n")));
                text.push_str(&format!("{indent}}}\n"));
            }
            Part::List { elements, .. } => {
                text.push_str(&format!("{indent}{own} = [\n"));
                elements.iter().for_each(|element| text.push_str(&format!("{indent}  {element},\n")));
                text.push_str(&format!("{indent}]\n"));
            }
            Part::Heredoc { lines, .. } => {
                text.push_str(&format!("{indent}{own} = <<-END\n"));
                lines.iter().for_each(|line| text.push_str(&format!("{indent}  {line}\n")));
                text.push_str(&format!("{indent}END\n"));
            }
            Part::Block { block_type, labels, body, comment: own_comment } => {
                if let Some(comment) = own_comment {
                    text.push_str(&format!("{indent}# {comment}\n"));
                }
                let labels = labels.iter().fold(String::new(), |all, label| all + " \"" + label + "\"");
                text.push_str(&format!("{indent}{block_type}{labels} {{\n"));
                write(body, &format!("{indent}  "), align, text);
                text.push_str(&format!("{indent}}}\n"));
            }
            Part::Comment(comment) => text.push_str(&format!("{indent}# {comment}\n\n")),
            Part::Blank => text.push('\n'),
        }
    }
}

/// A base and two versions of it.
pub(super) fn versions(rng: &mut Rng) -> [String; 3] {
    let mut maker = Maker { rng, next: 0 };
    let base = maker.body(0);
    let mut sides = [base.clone(), base.clone()];
    for side in &mut sides {
        for _ in 0..maker.rng.usize(1..5) {
            maker.change(side, 0);
        }
    }
    let [ours, theirs] = sides;
    let is_aligned = maker.rng.bool();
    let is_changed = maker.rng.u8(..6) == 0;
    [(&base, is_aligned), (&ours, is_aligned), (&theirs, is_aligned != is_changed)].map(
        |(body, is_aligned)| {
            let mut text = String::new();
            write(body, "", is_aligned, &mut text);
            text
        },
    )
}
