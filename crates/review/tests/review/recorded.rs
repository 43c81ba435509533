//! Properties over the recorded random modules, whose plans are those of Terraform: what is written in another way means the same, and one
//! changed literal changes exactly what two evaluations differ in.

use std::collections::BTreeSet;
use std::path::Path;

use fastrand::Rng;
use hclkit::module::{AddressKind, Module};
use hclkit::refactor::{Names, rename};
use hclkit::syntax::{NodeKind, Visit};
use hclkit::value::Kind;
use hclkit::write::format_source;
use hclkit::{Document, Source, Syntax, Value, parse};
use hclkit_review::{Action, Certainty, Diff, diff};
use hclkit_test_cases::{is_tried, read, seed};

use crate::kit::{lines, module};

type Files = Vec<(String, String)>;

/// The recorded modules without errors.
fn modules() -> Vec<(String, Files)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/plans");
    let mut found = Vec::new();
    for case in read(&directory, "plans", &["json"]).unwrap().iter().flat_map(|file| &file.cases) {
        let sections = case.sections.iter().filter(|section| section.title != "plan");
        let files: Files = sections.map(|section| (section.title.clone(), section.text.clone())).collect();
        if !load(&files).evaluate(&[]).diagnostics.has_errors() {
            found.push((case.name.clone(), files));
        }
    }
    assert!(found.len() > 80, "{}", found.len());
    // A third of them.
    let tried = found.into_iter().enumerate().filter(|(at, _)| is_tried(*at, 3));
    tried.map(|(_, module)| module).collect()
}

fn load(files: &Files) -> Module {
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    module(&files)
}

fn compared(old: &Files, new: &Files) -> Diff {
    diff(&load(old), &load(new))
}

fn assert_same(name: &str, what: &str, old: &Files, new: &Files) {
    let found = compared(old, new);
    assert!(found.is_empty(), "{name}, {what}:\n{}\n{}", new[0].1, lines(found));
}

fn each(files: &Files, change: impl Fn(&str) -> String) -> Files {
    files.iter().map(|(name, text)| (name.clone(), change(text))).collect()
}

/// The blocks of a file.
fn blocks(text: &str) -> Vec<String> {
    let document = parse(text);
    document.body().blocks().map(|block| block.text().to_owned()).collect()
}

#[test]
fn what_is_written_in_another_way_is_the_same() {
    let mut rng = Rng::with_seed(seed(1));
    let mut renamed_ones = 0;
    for (name, files) in modules() {
        assert_same(&name, "itself", &files, &files);
        let formatted = each(&files, |text| format_source(&Source::new("", text)).text().into_owned());
        assert_same(&name, "formatted", &files, &formatted);
        let commented =
            each(&files, |text| text.replace('\n', " # a comment\n").replace("{ # a comment", "{"));
        assert_same(&name, "with comments", &files, &commented);
        let mut reordered = files.clone();
        for (_, text) in &mut reordered {
            let mut blocks = blocks(text);
            rng.shuffle(&mut blocks);
            *text = blocks.join("\n\n") + "\n";
        }
        assert_same(&name, "in another order", &files, &reordered);
        let (first, others): (Vec<String>, Vec<String>) =
            blocks(&files[0].1).into_iter().partition(|_| rng.bool());
        let mut split = files.clone();
        split[0].1 = first.join("\n") + "\n";
        split.push(("more.tf".to_owned(), others.join("\n") + "\n"));
        assert_same(&name, "in two files", &files, &split);
        for symbol in
            ["test_thing.r0", "test_thing.r1", "local.a0", "local.a1", "module.m0", "data.test_info.d"]
        {
            let text = &files[0].1;
            let Ok(renamed) = rename(
                &[Names::of(&Document::parse_in(Source::new("main.tf", text.as_str()), Syntax::Native))],
                &symbol.parse().unwrap(),
                "renamed",
                true,
            ) else {
                continue;
            };
            let Some(document) = &renamed[0] else { continue };
            let mut new = files.clone();
            new[0].1 = document.source().text().to_owned();
            let mut found = compared(&files, &new);
            if symbol.starts_with("data") {
                // It is read again, and nothing moves it.
                found.instances.retain(|own| own.action == Action::Changed || own.action == Action::Moved);
                found.outputs.clear();
            }
            assert!(found.is_empty(), "{name}, {symbol}:\n{}\n{}", new[0].1, lines(found));
            renamed_ones += 1;
        }
    }
    assert!(renamed_ones > 30, "{renamed_ones}");
}

/// The parts of a value that are known and not sensitive, and the paths of the others.
fn leaves(value: &Value, path: &str, out: &mut BTreeSet<(String, String)>) {
    let parts = value
        .entries()
        .map(|entries| entries.map(|(name, part)| (name.to_string(), part)).collect::<Vec<_>>());
    let list = value.as_slice().filter(|_| !matches!(value.kind(), Kind::Set(_)));
    let parts =
        parts.or_else(|| Some(list?.iter().enumerate().map(|(at, part)| (at.to_string(), part)).collect()));
    match parts.filter(|parts| !parts.is_empty() && !value.is_marked()) {
        Some(parts) => {
            for (name, part) in parts {
                leaves(part, &format!("{path}/{name}"), out);
            }
        }
        None if value.is_null() => {}
        None if value.is_marked() => {
            let (bare, _) = value.unmark_deep();
            let mut inner = BTreeSet::new();
            leaves(&bare, "", &mut inner);
            out.insert((path.to_owned(), format!("sensitive {inner:?}")));
        }
        None => {
            _ = out.insert((
                path.to_owned(),
                if value.is_known() { value.to_string() } else { "unknown".to_owned() },
            ));
        }
    }
}

/// The leaves of all instances and outputs of a module.
fn all_leaves(files: &Files) -> Option<BTreeSet<(String, String)>> {
    let found = load(files).evaluate(&[]);
    if found.diagnostics.has_errors() {
        return None;
    }
    let mut out = BTreeSet::new();
    for own in &found.values {
        let is_root = own.address.modules().next().is_none();
        let counts = match own.address.kind() {
            AddressKind::Resource | AddressKind::Data => true,
            AddressKind::Output => is_root,
            _ => false,
        };
        if counts {
            let value = if own.sensitive {
                own.value.mark(hclkit::value::Mark::sensitive())
            } else {
                own.value.clone()
            };
            leaves(&value, own.address.as_str(), &mut out);
            out.insert((own.address.as_str().to_owned(), String::new()));
        }
    }
    Some(out)
}

#[test]
fn one_changed_literal_changes_what_depends_on_it() {
    let mut rng = Rng::with_seed(seed(2));
    let (mut tried, mut with_changes) = (0, 0);
    for (name, files) in modules() {
        for _ in 0..hclkit_test_cases::rounds(4) {
            let text = &files[0].1;
            let document = parse(text.as_str());
            let walk = document.tree().walk(document.body().id());
            let mut literals = Vec::new();
            for step in walk {
                let Visit::Enter(id) = step else { continue };
                if matches!(document.tree().kind(id), NodeKind::Number | NodeKind::True | NodeKind::False) {
                    literals.push(document.span(id));
                }
            }
            let Some(span) = literals.get(rng.usize(..literals.len().max(1))) else { continue };
            let new_text = match document.source().slice(*span) {
                "true" => "false".to_owned(),
                "false" => "true".to_owned(),
                _ => rng.u8(0..4).to_string(),
            };
            let mut new = files.clone();
            new[0].1 = format!("{}{new_text}{}", &text[..span.start as usize], &text[span.end as usize..]);
            let (Some(before), Some(after)) = (all_leaves(&files), all_leaves(&new)) else { continue };
            tried += 1;
            let found = compared(&files, &new);
            let mut ours: BTreeSet<String> = BTreeSet::new();
            let parts = found.instances.iter().flat_map(|own| {
                let whole =
                    matches!(own.action, Action::Added | Action::Removed).then(|| own.address.clone());
                let parts = own.attributes.iter().filter(|part| part.certainty != Certainty::MayChange);
                whole.into_iter().chain(parts.map(|part| format!("{}/{}", own.address, part.path)))
            });
            ours.extend(parts);
            for own in &found.outputs {
                let parts = own.parts.iter().filter(|part| part.certainty != Certainty::MayChange);
                ours.extend(parts.map(|part| format!("output.{}/{}", own.name, part.path)));
            }
            let plain = |path: &str| {
                path.replace(['[', ']', '.', '"', '/'], "|").replace("||", "|").trim_matches('|').to_owned()
            };
            let ours: BTreeSet<String> = ours.iter().map(|path| plain(path)).collect();
            let theirs: BTreeSet<String> =
                before.symmetric_difference(&after).map(|(path, _)| plain(path)).collect();
            let touches = |one: &str, other: &str| {
                one == other || one.starts_with(&format!("{other}|")) || other.starts_with(&format!("{one}|"))
            };
            let missed: Vec<&String> =
                theirs.iter().filter(|own| !ours.iter().any(|other| touches(own, other))).collect();
            let invented: Vec<&String> =
                ours.iter().filter(|own| !theirs.iter().any(|other| touches(own, other))).collect();
            assert!(
                missed.is_empty() && invented.is_empty(),
                "{name}: missed {missed:?}, invented {invented:?}\n{}\n{}",
                new[0].1,
                lines(found)
            );
            with_changes += usize::from(!theirs.is_empty());
        }
    }
    assert!(tried > 40 && with_changes > 15, "{tried} {with_changes}");
}
