//! Workflow commands, which GitHub shows as annotations at the lines of a pull request: a notice for each block that changes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hclkit::Place;

use super::{Review, attribute_lines, heading, line, sentence, setting};

/// Returns a review as annotations.
pub fn github(review: &Review) -> String {
    let mut all: BTreeMap<(String, u32), Vec<String>> = BTreeMap::new();
    let mut add = |place: Option<&Place>, directory: &str, text: String| {
        let (file, at) = match place {
            Some(place) => (place.source.name().to_owned(), place.source.range(place.span).start.line),
            None => (directory.to_owned(), 1),
        };
        all.entry((file, at)).or_default().push(text);
    };
    for root in &review.roots {
        let (diff, directory) = (&root.diff, &root.directory);
        for own in &diff.instances {
            let lines = attribute_lines(own).into_iter().map(|(text, _)| text);
            let text: Vec<String> =
                std::iter::once(format!("{} {}", own.action.sign(), heading(own))).chain(lines).collect();
            add(own.place.as_ref(), directory, text.join("\n"));
        }
        for own in &diff.outputs {
            let parts: Vec<String> = own.parts.iter().map(line).collect();
            add(own.place.as_ref(), directory, format!("output.{}: {}", own.name, parts.join("\n")));
        }
        for own in &diff.settings {
            add(Some(&own.place), directory, setting(own));
        }
    }
    let mut out = String::new();
    for ((file, at), texts) in &all {
        let title = if texts.len() == 1 { "1 change".to_owned() } else { format!("{} changes", texts.len()) };
        let _ = writeln!(
            out,
            "::notice file={},line={at},title={title}::{}",
            property(file),
            data(&texts.join("\n"))
        );
    }
    let new = review.rules.iter().flat_map(|rules| rules.new.iter());
    for found in new {
        let Some(place) = found.place() else { continue };
        let (file, at) = (place.source.name(), place.source.range(place.span).start.line);
        let (level, file) = (found.severity().as_str(), property(file));
        let _ =
            writeln!(out, "::{level} file={file},line={at},title=A new finding::{}", data(&sentence(found)));
    }
    out
}

/// A text without what ends a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
