//! Ways to write a module that mean the same, and what two evaluations differ in. `recorded.rs` and `real.rs` try them.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use hclkit::ast::{ExpressionKind, ExpressionNode};
use hclkit::module::{AddressKind, Module, SettingKind};
use hclkit::refactor::{Names, rename};
use hclkit::syntax::{NodeKind, Span, Visit};
use hclkit::value::{Kind, Mark};
use hclkit::write::format_source;
use hclkit::{Document, Source, Syntax, Value, parse};
use hclkit_review::{Action, Certainty, Diff};

/// The files of a root module in the native syntax: names and texts.
pub(crate) type Files = Vec<(String, String)>;

fn each(files: &Files, change: impl Fn(&str) -> String) -> Files {
    files.iter().map(|(name, text)| (name.clone(), change(text))).collect()
}

/// The blocks of a file.
fn blocks(text: &str) -> Vec<String> {
    let document = parse(text);
    document.body().blocks().map(|block| block.text().to_owned()).collect()
}

/// A comment before each block and each argument.
fn commented(text: &str) -> String {
    let document = parse(text);
    let (mut open, mut starts) = (vec![document.body()], Vec::new());
    while let Some(body) = open.pop() {
        starts.extend(body.attributes().map(|own| own.span().start as usize));
        starts.extend(body.blocks().map(|own| own.span().start as usize));
        open.extend(body.blocks().map(hclkit::ast::BlockNode::body));
    }
    starts.sort_unstable();
    let mut text = text.to_owned();
    for start in starts.into_iter().rev() {
        text.insert_str(start, "/* a comment */ ");
    }
    format!("# a comment\n{text}\n# another one\n")
}

/// The same module with comments, formatted, and with its blocks in other places.
pub(crate) fn rewritten(rng: &mut Rng, files: &Files) -> Vec<(&'static str, Files)> {
    let mut found = vec![
        ("itself", files.clone()),
        ("formatted", each(files, |text| format_source(&Source::new("", text)).text().into_owned())),
        ("with comments", each(files, commented)),
    ];
    let mut reordered = files.clone();
    for (_, text) in &mut reordered {
        let mut blocks = blocks(text);
        rng.shuffle(&mut blocks);
        *text = blocks.join("\n\n") + "\n";
    }
    found.push(("in another order", reordered));
    if !files[0].0.ends_with("override.tf") {
        let (first, others): (Vec<String>, Vec<String>) =
            blocks(&files[0].1).into_iter().partition(|_| rng.bool());
        let mut split = files.clone();
        split[0].1 = first.join("\n") + "\n";
        split.push(("one_more.tf".to_owned(), others.join("\n") + "\n"));
        found.push(("in two files", split));
    }
    found
}

/// The module after a symbol is renamed, with a `moved` block.
pub(crate) fn renamed(files: &Files, symbol: &str) -> Option<Files> {
    let names: Vec<Names> = files
        .iter()
        .map(|(name, text)| {
            Names::of(&Document::parse_in(Source::new(name.as_str(), text.as_str()), Syntax::Native))
        })
        .collect();
    let renamed = rename(&names, &symbol.parse().ok()?, "renamed", true).ok()?;
    let mut new = files.clone();
    for (own, document) in new.iter_mut().zip(&renamed) {
        if let Some(document) = document {
            document.source().text().clone_into(&mut own.1);
        }
    }
    (new != *files).then_some(new)
}

/// The module with statements that what has a key now had none before, which is long ago.
pub(crate) fn with_old_moves(files: &Files, module: &Module) -> Option<Files> {
    let mut moves = BTreeMap::new();
    for own in &module.evaluate(&[]).values {
        let (address, call) = (own.address.as_str(), own.address.modules().next());
        if let Some((name, Some(key))) = call {
            moves.entry(format!("module.{name}")).or_insert_with(|| format!("module.{name}[{key}]"));
        } else if let (None, AddressKind::Resource, Some(key)) = (call, own.address.kind(), own.address.key())
            && let Some(block) = address.strip_suffix(&format!("[{key}]"))
        {
            moves.entry(block.to_owned()).or_insert_with(|| address.to_owned());
        }
    }
    let is_stated = files.iter().any(|(_, text)| text.contains("moved {"));
    if moves.is_empty() || is_stated {
        return None;
    }
    let moves = moves.iter().map(|(from, to)| format!("moved {{\n  from = {from}\n  to   = {to}\n}}\n"));
    let mut new = files.clone();
    new.push(("old_moves.tf".to_owned(), moves.collect()));
    Some(new)
}

/// The module with the expression of a local value in all places that name it.
pub(crate) fn inlined(files: &Files, name: &str) -> Option<Files> {
    let documents: Vec<Document> = files.iter().map(|(_, text)| parse(text.as_str())).collect();
    let is_locals = |own: &hclkit::ast::BlockNode<'_>| own.block_type() == "locals";
    let value = documents
        .iter()
        .flat_map(|document| document.body().blocks().filter(is_locals))
        .find_map(|block| block.body().attribute(name))?;
    let expression = value.value().text();
    if expression.contains("<<") || expression.contains('#') || expression.contains("//") {
        return None;
    }
    let is_name = |expression: ExpressionNode<'_>| match expression.kind() {
        ExpressionKind::GetAttr { object, name: Some(own) } => {
            own.text == name
                && matches!(object.kind(), ExpressionKind::Variable(root) if root.text == "local")
        }
        _ => false,
    };
    let mut new = files.clone();
    for (own, document) in new.iter_mut().zip(&documents) {
        let mut spans: Vec<Span> = document
            .tree()
            .walk(document.body().id())
            .filter_map(|step| match step {
                Visit::Enter(id) if is_expression(document.tree().kind(id)) => {
                    let found = document.expression_at(id);
                    is_name(found).then(|| found.span())
                }
                _ => None,
            })
            .collect();
        spans.sort_by_key(|span| span.start);
        for span in spans.into_iter().rev() {
            own.1.replace_range(span.start as usize..span.end as usize, &format!("({expression})"));
        }
    }
    (new != *files).then_some(new)
}

fn is_expression(kind: NodeKind) -> bool {
    kind == NodeKind::GetAttr
}

/// The module with another number, truth value or text in one place.
pub(crate) fn with_another_literal(rng: &mut Rng, files: &Files) -> Option<Files> {
    let at = rng.usize(..files.len());
    let text = &files[at].1;
    let document = parse(text.as_str());
    let mut literals = Vec::new();
    for step in document.tree().walk(document.body().id()) {
        let Visit::Enter(id) = step else { continue };
        if matches!(document.tree().kind(id), NodeKind::Number | NodeKind::True | NodeKind::False) {
            literals.push(document.span(id));
        }
    }
    let span = literals.get(rng.usize(..literals.len().max(1)))?;
    let new_text = match document.source().slice(*span) {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        _ => rng.u8(0..4).to_string(),
    };
    let mut new = files.clone();
    new[at].1 = format!("{}{new_text}{}", &text[..span.start as usize], &text[span.end as usize..]);
    Some(new)
}

/// A path in a value, and the text of what is there.
type Leaves = BTreeSet<(String, String)>;

/// The parts of a value. Null is nothing in an object.
fn leaves(value: &Value, path: &str, out: &mut Leaves) {
    let parts = value.entries().map(|entries| {
        let entries = entries.filter(|(_, part)| !part.unmark().0.is_null());
        entries.map(|(name, part)| (name.to_string(), part)).collect::<Vec<_>>()
    });
    let list = value.as_slice().filter(|_| !matches!(value.kind(), Kind::Set(_)));
    let parts =
        parts.or_else(|| Some(list?.iter().enumerate().map(|(at, part)| (at.to_string(), part)).collect()));
    let is_element = path.rsplit('/').next().is_some_and(|step| step.parse::<usize>().is_ok());
    match parts.filter(|_| !value.is_marked()) {
        Some(parts) if !parts.is_empty() => {
            for (name, part) in parts {
                leaves(part, &format!("{path}/{name}"), out);
            }
        }
        Some(_) => _ = out.insert((path.to_owned(), "empty".to_owned())),
        None if value.is_null() && !is_element => {}
        None if value.is_marked() => {
            let (bare, _) = value.unmark_deep();
            let mut inner = BTreeSet::new();
            leaves(&bare, "", &mut inner);
            out.insert((path.to_owned(), format!("sensitive {inner:?}")));
        }
        None => {
            let text = if value.is_known() { value.to_string() } else { "unknown".to_owned() };
            out.insert((path.to_owned(), text));
        }
    }
}

/// The leaves of all instances and outputs of a module without errors.
pub(crate) fn all_leaves(module: &Module) -> Option<Leaves> {
    let found = module.evaluate(&[]);
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
            let value = if own.sensitive { own.value.mark(Mark::sensitive()) } else { own.value.clone() };
            leaves(&value, own.address.as_str(), &mut out);
            out.insert((own.address.as_str().to_owned(), String::new()));
        }
    }
    Some(out)
}

/// How a difference and two evaluations disagree: what it misses and what it invents.
pub(crate) fn disagreement(before: &Leaves, after: &Leaves, found: &Diff) -> (Vec<String>, Vec<String>) {
    let plain = |path: &str| {
        let steps = path.split(['[', ']', '.', '"', '/']).filter(|step| !step.is_empty());
        steps.collect::<Vec<_>>().join("|")
    };
    let mut ours: BTreeSet<String> = BTreeSet::new();
    for own in &found.instances {
        if matches!(own.action, Action::Added | Action::Removed) {
            ours.insert(plain(&own.address));
        }
        let parts = own.attributes.iter().filter(|part| part.certainty != Certainty::MayChange);
        ours.extend(parts.map(|part| plain(&format!("{}/{}", own.address, part.path))));
    }
    for own in &found.outputs {
        let parts = own.parts.iter().filter(|part| part.certainty != Certainty::MayChange);
        ours.extend(parts.map(|part| plain(&format!("output.{}/{}", own.name, part.path))));
    }
    let blocks = found.settings.iter().filter(|own| own.kind == SettingKind::Object && own.path.is_empty());
    ours.extend(blocks.map(|own| plain(&own.name())));
    let parts =
        found.instances.iter().flat_map(|own| own.attributes.iter().map(|part| (own.address.clone(), part)));
    let outputs = found
        .outputs
        .iter()
        .flat_map(|own| own.parts.iter().map(|part| (format!("output.{}", own.name), part)));
    let open: BTreeSet<String> = parts
        .chain(outputs)
        .filter(|(_, part)| part.certainty == Certainty::MayChange)
        .map(|(address, part)| plain(&format!("{address}/{}", part.path)))
        .collect();
    let differences: Vec<(String, &str)> =
        before.symmetric_difference(after).map(|(path, text)| (plain(path), text.as_str())).collect();
    let theirs: BTreeSet<String> = differences.iter().map(|(path, _)| path.clone()).collect();
    // What is unknown as a whole in one version, and in its parts in the other one, may change.
    let is_open = |path: &str| differences.iter().all(|(own, text)| own != path || *text == "unknown");
    let touches = |one: &str, other: &str| {
        one == other || one.starts_with(&format!("{other}|")) || other.starts_with(&format!("{one}|"))
    };
    let lacks = |all: &BTreeSet<String>, own: &str| !all.iter().any(|other| touches(own, other));
    (
        theirs
            .iter()
            .filter(|own| lacks(&ours, own) && (!is_open(own) || lacks(&open, own)))
            .cloned()
            .collect(),
        ours.iter().filter(|own| lacks(&theirs, own)).cloned().collect(),
    )
}
