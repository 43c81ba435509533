//! `cargo xtask prose`: prints texts picked at random, so that a reader can judge whether they are easy to understand.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, ensure};
use clap::Args as ClapArgs;
use fastrand::Rng;

use crate::programs::root;

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// How many texts
    #[arg(default_value_t = 40)]
    count: usize,
    /// Repeat a choice
    #[arg(long)]
    seed: Option<u64>,
    /// Only files whose path begins with this
    #[arg(long)]
    under: Option<String>,
    /// Only texts of this kind: comment, documentation, message, test
    #[arg(long)]
    kind: Option<String>,
}

/// A text, and the line that it begins on.
type Text = (usize, String);

pub(crate) fn pick(args: &Args) -> anyhow::Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
    let listed =
        Command::new("git").args(["ls-files"]).current_dir(root()).output().context("git ls-files")?;
    ensure!(listed.status.success(), "git ls-files failed");
    let listed = String::from_utf8(listed.stdout)?;
    // Each kind has the same chance, however many texts it has.
    let mut texts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in listed.lines().filter(|file| args.under.as_ref().is_none_or(|under| file.starts_with(under)))
    {
        for (kind, (line, text)) in texts_of(file)? {
            if args.kind.as_ref().is_none_or(|wanted| wanted == kind) {
                texts.entry(kind).or_default().push(format!("{file}:{line}: {kind}\n    {text}"));
            }
        }
    }
    let mut rng = Rng::with_seed(seed);
    println!("seed {seed}");
    let mut kinds: Vec<_> = texts.into_values().collect();
    for number in 0..args.count {
        kinds.retain(|texts| !texts.is_empty());
        let Some(index) = number.checked_rem(kinds.len()) else { break };
        let texts = &mut kinds[index];
        println!("\n{}", texts.swap_remove(rng.usize(..texts.len())));
    }
    Ok(ExitCode::SUCCESS)
}

fn texts_of(file: &str) -> anyhow::Result<Vec<(&'static str, Text)>> {
    let path = Path::new(file);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let read = || fs::read_to_string(root().join(file)).with_context(|| file.to_owned());
    let kinds: Vec<(&str, Vec<Text>)> = match extension {
        "md" => vec![("documentation", paragraphs(&read()?))],
        "rs" => {
            let source = read()?;
            let tested = file.contains("/tests/");
            let messages = if tested { Vec::new() } else { messages(&source) };
            vec![("comment", comments(&source)), ("test", test_names(&source)), ("message", messages)]
        }
        _ => Vec::new(),
    };
    Ok(kinds.into_iter().flat_map(|(kind, texts)| texts.into_iter().map(move |text| (kind, text))).collect())
}

/// Paragraphs, list items and table rows, without code.
fn paragraphs(page: &str) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    let (mut fenced, mut open) = (false, false);
    for (index, line) in page.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            fenced = !fenced;
        }
        if fenced || trimmed.is_empty() || trimmed.starts_with("```") || trimmed.starts_with("| ---") {
            open = false;
            continue;
        }
        let begins = ["#", "- ", "* ", "|"].iter().any(|mark| trimmed.starts_with(mark));
        match texts.last_mut() {
            Some((_, text)) if open && !begins => {
                text.push(' ');
                text.push_str(trimmed);
            }
            _ => texts.push((index + 1, trimmed.to_owned())),
        }
        open = true;
    }
    texts.retain(|(_, text)| is_prose(text));
    texts
}

/// Comments of several lines are one text.
fn comments(source: &str) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    let mut open = None;
    for (index, line) in source.lines().enumerate() {
        let trimmed = line.trim_start();
        let marker = ["///", "//!", "//"].into_iter().find(|marker| trimmed.starts_with(marker));
        let Some(marker) = marker else {
            open = None;
            continue;
        };
        let text = trimmed[marker.len()..].trim();
        match texts.last_mut() {
            Some((_, before)) if open == Some(marker) && !text.is_empty() => {
                before.push(' ');
                before.push_str(text);
            }
            _ => texts.push((index + 1, text.to_owned())),
        }
        open = Some(marker).filter(|_| !text.is_empty());
    }
    texts.retain(|(_, text)| is_prose(text));
    texts
}

/// The names of tests, as sentences.
fn test_names(source: &str) -> Vec<Text> {
    let lines: Vec<_> = source.lines().map(str::trim).collect();
    let tests = lines.iter().enumerate().filter(|(_, line)| **line == "#[test]");
    let name = |at: usize| {
        lines[at..].iter().find_map(|line| line.strip_prefix("fn ")?.split_once('(')).map(|(name, _)| name)
    };
    tests.filter_map(|(index, _)| Some((index + 2, name(index)?.replace('_', " ")))).collect()
}

/// String literals of several words outside of comments, up to the tests at the end of the file.
fn messages(source: &str) -> Vec<Text> {
    let texts = literals(source).into_iter().map(|literal| (literal.line, literal.text));
    texts.filter(|(_, text)| is_prose(text)).collect()
}

/// A string literal.
pub(crate) struct Literal<'s> {
    pub(crate) line: usize,
    /// The code before it.
    #[cfg_attr(not(test), expect(dead_code, reason = "only the test of catalogues needs it"))]
    pub(crate) before: &'s str,
    pub(crate) text: String,
}

/// The string literals outside of comments, up to the tests at the end of the file.
pub(crate) fn literals(source: &str) -> Vec<Literal<'_>> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut literals = Vec::new();
    let mut line = 1;
    let mut rest = source.char_indices().peekable();
    let mut last = ' ';
    while let Some((start, character)) = rest.next() {
        match character {
            '\n' => line += 1,
            '/' if rest.next_if(|&(_, next)| next == '/').is_some() => {
                rest.by_ref().find(|&(_, character)| character == '\n');
                line += 1;
            }
            'r' if !(last.is_alphanumeric() || last == '_') && raw_start(&source[start..]).is_some() => {
                let (open, close) = raw_start(&source[start..]).unwrap_or_default();
                let text = &source[start + open..];
                let text = &text[..text.find(&close).unwrap_or(text.len())];
                let end = start + open + text.len() + close.len();
                while rest.next_if(|&(at, _)| at < end).is_some() {}
                literals.push(Literal { line, before: &source[..start], text: text.to_owned() });
                line += text.matches('\n').count();
            }
            // A quote as a character, not a string.
            '"' if last != '\'' => {
                let mut literal = Literal { line, before: &source[..start], text: String::new() };
                while let Some((_, character)) = rest.next() {
                    line += usize::from(character == '\n');
                    match character {
                        '"' => break,
                        '\\' if rest.peek().is_some_and(|&(_, next)| next == '\n') => {
                            while let Some((_, space)) = rest.next_if(|(_, next)| next.is_whitespace()) {
                                line += usize::from(space == '\n');
                            }
                        }
                        '\\' => literal.text.extend(rest.next().map(|(_, escaped)| match escaped {
                            'n' => '\n',
                            't' => '\t',
                            other => other,
                        })),
                        _ => literal.text.push(character),
                    }
                }
                literals.push(literal);
            }
            _ => {}
        }
        last = character;
    }
    literals
}

/// The length of the opening of a raw string, such as `r#"`, and its end.
fn raw_start(text: &str) -> Option<(usize, String)> {
    let hashes = text[1..].bytes().take_while(|byte| *byte == b'#').count();
    text[1 + hashes..].starts_with('"').then(|| (hashes + 2, format!("\"{}", "#".repeat(hashes))))
}

/// Whether a text has three words in a row.
fn is_prose(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.trim_end_matches([',', '.', ':']).chars().all(char::is_alphabetic)
    };
    let words: Vec<_> = text.split(' ').map(is_word).collect();
    words.windows(3).any(|three| three == [true; 3])
}

#[cfg(test)]
mod tests {
    use super::{comments, messages, paragraphs, test_names};

    #[test]
    fn texts_are_found_with_their_lines() {
        let page = "# On the page\n\nOne two three\nfour.\n```\nOne two three\n```\n- A list of things\n| a | no words |\n";
        let wanted = [(1, "# On the page"), (3, "One two three four."), (8, "- A list of things")];
        assert_eq!(paragraphs(page), wanted.map(|(line, text)| (line, text.to_owned())));

        let source = concat!(
            "/// Gives what was asked.\n/// And more.\nfn f() {\n    // \"This is no message at all\"\n",
            "    report(\"expected a \\\n        value here\", '\"', \"a\");\n}\n#[test]\nfn three_words_here() {}\n",
        );
        let texts = |texts: Vec<(usize, String)>, wanted: &[(usize, &str)]| {
            assert_eq!(texts.iter().map(|(line, text)| (*line, text.as_str())).collect::<Vec<_>>(), wanted);
        };
        texts(
            comments(source),
            &[(1, "Gives what was asked. And more."), (4, "\"This is no message at all\"")],
        );
        texts(messages(source), &[(5, "expected a value here")]);
        let raw = "f(r#\"\n \"one\" two three four\"#, r\"\\\", \"a\\nb\", \"one two three\")";
        texts(messages(raw), &[(1, "\n \"one\" two three four"), (2, "one two three")]);
        texts(test_names(source), &[(9, "three words here")]);
    }
}
