//! A property of the fixes of every text. Each one alone, and all of them together, leave fewer errors and add none.
//! `fix_all` returns the same text as applying the first fix again and again. The origin of errors is computed here in
//! another way than in the crate.

use hclkit_syntax::{Diagnostic, Diagnostics, Fix, apply_fixes, fix_all};

/// From this number on, fixes are applied in groups, so that their order may matter.
const MANY: usize = 33;

/// Applies the fixes of a text in all ways. Returns their number, or a violation of the property.
pub(crate) fn fixes_are_safe(text: &str, parse: impl Fn(&str) -> Diagnostics) -> Result<usize, String> {
    let before = parse(text);
    let fixes: Vec<&Fix> = before.iter().filter_map(|diagnostic| diagnostic.fix()).collect();
    if fixes.is_empty() {
        return Ok(0);
    }
    let mut apart: Vec<&Fix> = Vec::new();
    for &fix in &fixes {
        if fixes.len() < MANY {
            leaves_less(text, &before, &[fix], &parse)?;
        }
        apart.push(fix);
        if apply_fixes(text, apart.iter().copied()).1 < apart.len() {
            apart.pop();
        }
    }
    leaves_less(text, &before, &apart, &parse)?;
    if fixes.len() < MANY && text.len() < 1 << 15 {
        let at_once = fix_all(text, &parse).text;
        if let Some(in_turn) = one_by_one(text, before.clone(), &parse)?
            && at_once != in_turn
        {
            return Err(format!("at once:\n{at_once}\none by one:\n{in_turn}"));
        }
    }
    Ok(fixes.len())
}

/// Applies the first fix again and again. `None` if so many fixes come up that they are applied in groups.
fn one_by_one(
    text: &str,
    mut found: Diagnostics,
    parse: &impl Fn(&str) -> Diagnostics,
) -> Result<Option<String>, String> {
    let mut text = text.to_owned();
    loop {
        let mut fixes = found.iter().filter_map(|diagnostic| diagnostic.fix());
        let Some(fix) = fixes.next() else { return Ok(Some(text)) };
        if fixes.count() + 1 >= MANY {
            return Ok(None);
        }
        (text, found) = leaves_less(&text, &found, &[fix], parse)?;
    }
}

/// Checks that there are fewer errors after some fixes, and that each of them existed before.
fn leaves_less(
    text: &str,
    before: &Diagnostics,
    fixes: &[&Fix],
    parse: &impl Fn(&str) -> Diagnostics,
) -> Result<(String, Diagnostics), String> {
    let titles: Vec<&str> = fixes.iter().map(|fix| &*fix.title).collect();
    let (edited, applied) = apply_fixes(text, fixes.iter().copied());
    let after = parse(&edited);
    let fail = |why: String| Err(format!("{titles:?}: {why}\n{edited}\n"));
    if applied < fixes.len() {
        return fail("not all are applied".to_owned());
    }
    if after.total() >= before.total() {
        return fail(format!("{} errors became {}", before.total(), after.total()));
    }
    let mut unmatched: Vec<&Diagnostic> = before.iter().collect();
    for error in &after {
        let [first, last] = origin(text, fixes, error.span().start);
        let same =
            |old: &&Diagnostic| old.code() == error.code() && (first..=last).contains(&old.span().start);
        let Some(at) = unmatched.iter().position(same) else {
            return fail(format!("{} at {} is new", error.code().unwrap(), error.span().start));
        };
        unmatched.remove(at);
    }
    Ok((edited, after))
}

/// The positions in the text before some fixes that a position after them may correspond to.
fn origin(text: &str, fixes: &[&Fix], place: u32) -> [u32; 2] {
    let crlf = text.find('\n').is_some_and(|newline| text[..newline].ends_with('\r'));
    let mut edits: Vec<_> = fixes.iter().flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| edit.span);
    let (mut added, mut removed, mut found) = (0, 0, None::<[u32; 2]>);
    for edit in edits {
        let breaks = edit.replacement.matches('\n').count() - edit.replacement.matches("\r\n").count();
        let len = (edit.replacement.len() + if crlf { breaks } else { 0 }) as u32;
        let start = edit.span.start + added - removed;
        if place < start {
            break;
        }
        if place <= start + len {
            found = Some([found.map_or(edit.span.start, |[first, _]| first), edit.span.end]);
        }
        (added, removed) = (added + len, removed + edit.span.len());
    }
    found.unwrap_or_else(|| [place + removed - added; 2])
}
