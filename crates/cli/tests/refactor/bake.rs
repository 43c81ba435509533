//! After a rename that is not refused, Bake plans what it planned before, up to the name of a target or group, and
//! renaming back gives the same bytes. Matrices, functions and `for` expressions give names another meaning.

use std::fmt::Write as _;

use arbitrary::{Result, Unstructured};
use hclkit::module::{Bake, bake_functions_without_files};

use crate::tree::{Files, Tree, different, run, show};

const VARIABLES: [&str; 4] = ["A", "B", "C", "D"];
const TARGETS: [&str; 4] = ["t1", "t2", "t3", "A"];
const PLAIN: [&str; 2] = ["t1", "A"];

/// Returns whether something was renamed.
pub(crate) fn check(decisions: &[u8]) -> bool {
    check_one(&mut Unstructured::new(decisions)).unwrap_or(false)
}

fn check_one(u: &mut Unstructured<'_>) -> Result<bool> {
    let (files, symbols) = generate(u)?;
    let old = u.choose(&symbols)?.clone();
    let name = old.rsplit('.').next().unwrap_or_default();
    let new =
        if u.arbitrary()? { "fresh" } else { *u.choose(&["A", "B", "C", "D", "i", "P", "t1", "upper"])? };
    let tree = Tree::with(&files);
    let before = plan(&files);
    let paths: Vec<String> = files.keys().map(|file| tree.path(file)).collect();
    let rename = |address: &str, new: &str| {
        let arguments = ["rename", "-w", address, new].into_iter().chain(paths.iter().map(String::as_str));
        run(&arguments.collect::<Vec<_>>())
    };
    let (code, printed) = rename(&old, new);
    let context = || format!("{old} to {new}: {printed}\n{}", show(&files));
    let renamed = tree.files();
    if code != 0 || name == new {
        assert!(renamed == files, "refused, but changed: {}", context());
        assert!(code == 2 || name == new, "neither refused nor renamed: {}", context());
        return Ok(false);
    }
    let mut after = plan(&renamed);
    if old.contains('.') {
        // Only names of targets and groups begin with what no other text contains.
        after = after.replace("fresh", name);
    }
    let is_comparable = !old.contains('.') || new == "fresh";
    assert!(
        !is_comparable || sorted(&before) == sorted(&after),
        "another plan:\n{before}\n{after}\n{}{}",
        context(),
        show(&renamed)
    );
    let back = old.rsplit_once('.').map_or_else(|| new.to_owned(), |(kind, _)| format!("{kind}.{new}"));
    let (code, printed) = rename(&back, name);
    assert!(code == 0, "not renamed back: {printed} {}{}", context(), show(&renamed));
    let back = tree.files();
    assert!(
        back == files,
        "other bytes on the way back: {old} to {new}:\n{}=== renamed\n{}=== back\n{}",
        different(&files, &back),
        different(&renamed, &files),
        different(&back, &files)
    );
    Ok(true)
}

/// What Bake builds, or the errors, one line each.
fn plan(files: &Files) -> String {
    let mut bake = Bake::new().with_functions(bake_functions_without_files());
    for (name, text) in files {
        bake = bake.with_file(name.clone(), text.clone());
    }
    let (plan, diagnostics) = bake.plan(&["*"]);
    let mut text = String::new();
    for planned in plan.groups.iter().chain(&plan.targets) {
        let values: Vec<String> =
            planned.attributes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let _ = writeln!(text, "{}: {}", planned.name, values.join(" "));
    }
    for error in diagnostics.iter().filter(|it| it.is_error()) {
        let _ = writeln!(text, "{}", error.summary());
    }
    text
}

/// The words of each line in order, because lists of targets are in the order of their names.
fn sorted(plan: &str) -> Vec<Vec<&str>> {
    let words = |line| {
        let mut words: Vec<&str> = str::split(line, ['[', ']', ' ', ',']).collect();
        words.sort_unstable();
        words
    };
    let mut lines: Vec<_> = plan.lines().map(words).collect();
    lines.sort_unstable();
    lines
}

/// Files, and the addresses of what they declare.
fn generate(u: &mut Unstructured<'_>) -> Result<(Files, Vec<String>)> {
    let mut files = Files::new();
    let mut symbols = Vec::new();
    for (at, name) in VARIABLES.into_iter().enumerate() {
        let earlier = &VARIABLES[..at];
        let default = match u.choose_iter(earlier.iter()) {
            Ok(earlier) if u.arbitrary()? => format!("\"{name}${{{earlier}}}\""),
            _ => format!("\"v{name}\""),
        };
        // A global attribute is a variable, too.
        let text = if u.ratio(1, 4)? {
            format!("{name} = {default}\n")
        } else {
            format!("variable \"{name}\" {{\n  default = {default}\n}}\n")
        };
        add(u, &mut files, &text)?;
        symbols.push(name.to_owned());
    }
    if u.arbitrary()? {
        let parameter = *u.choose(&["A", "B", "P"])?;
        let other = *u.choose(&VARIABLES)?;
        let text = format!(
            "function \"f\" {{\n  params = [{parameter}]\n  result = \"${{{parameter}}}-${{{other}}}\"\n}}\n"
        );
        add(u, &mut files, &text)?;
        add(u, &mut files, "F = f(\"x\")\n")?;
    }
    for name in TARGETS {
        for _ in 0..u.int_in_range(1..=2)? {
            let text = target(u, name)?;
            add(u, &mut files, &text)?;
        }
        symbols.push(format!("target.{name}"));
    }
    if u.arbitrary()? {
        let (one, other) = (*u.choose(&TARGETS)?, *u.choose(&TARGETS)?);
        add(u, &mut files, &format!("group \"g\" {{\n  targets = [\"{one}\", \"{other}\"]\n}}\n"))?;
        symbols.push("group.g".to_owned());
    }
    if u.arbitrary()? {
        let (target, matrix) = (*u.choose(&TARGETS)?, *u.choose(&["A", "B", "x"])?);
        let used = *u.choose(&VARIABLES)?;
        let text = format!(
            "{{\n  \"target\": {{\"{target}\": [{{\"matrix\": {{\"{matrix}\": [\"1\", \"${{{used}}}\"]}}, \"name\": \"j-${{{matrix}}}\"}}, {{\"labels\": {{\"l\": \"${{{matrix}}}\"}}}}]}}\n}}\n"
        );
        if matrix != "x" {
            files.insert("docker-bake.json".to_owned(), text);
        }
    }
    Ok((files, symbols))
}

fn add(u: &mut Unstructured<'_>, files: &mut Files, text: &str) -> Result<()> {
    let name = *u.choose(&["docker-bake.hcl", "docker-bake.hcl", "docker-bake.override.hcl"])?;
    let file = files.entry(name.to_owned()).or_default();
    if !file.is_empty() {
        file.push('\n');
    }
    file.push_str(text);
    Ok(())
}

fn target(u: &mut Unstructured<'_>, name: &str) -> Result<String> {
    let mut text = format!("target \"{name}\" {{\n");
    let used = |u: &mut Unstructured<'_>| u.choose(&VARIABLES).copied();
    // Other targets can link to one without a matrix only.
    let is_plain = PLAIN.contains(&name);
    if !is_plain && u.ratio(2, 3)? {
        let (key, one) = (used(u)?, used(u)?);
        let _ = writeln!(text, "  matrix = {{\n    {key} = [{one}, \"y\"]\n  }}");
        let _ = writeln!(text, "  name = \"m{name}-${{{key}}}\"");
    }
    for (argument, container) in [("tags", "[]"), ("args", "{}"), ("labels", "{}")] {
        if !u.arbitrary()? {
            continue;
        }
        let expression = expression(u)?;
        let key = used(u)?;
        let _ = match container {
            "[]" => writeln!(text, "  {argument} = [\"x:${{{expression}}}\"]"),
            _ => writeln!(text, "  {argument} = {{\n    {key} = \"${{{expression}}}\"\n  }}"),
        };
    }
    if u.ratio(1, 3)? {
        let parent = *u.choose(&PLAIN)?;
        let _ = writeln!(text, "  inherits = [\"{parent}\"]");
    }
    if u.ratio(1, 3)? {
        let other = *u.choose(&PLAIN)?;
        let _ = writeln!(text, "  contexts = {{\n    c = \"target:{other}\"\n  }}");
    }
    text.push_str("}\n");
    Ok(text)
}

fn expression(u: &mut Unstructured<'_>) -> Result<String> {
    let (one, other) = (*u.choose(&VARIABLES)?, *u.choose(&VARIABLES)?);
    Ok(match u.int_in_range(0..=5)? {
        0 => format!("join(\"-\", [for {one} in [\"1\", {other}] : \"${{{one}}}${{{other}}}\"])"),
        1 => format!("{{ {one} = {other} }}.{one}"),
        2 => format!("upper({one})"),
        3 => format!("join(\"\", [for i in [{one}] : \"${{i}}-${{{other}}}\"])"),
        _ => one.to_owned(),
    })
}
