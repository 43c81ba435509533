//! A page without scripts and without references to anything outside of it.

use std::fmt::Write as _;

use super::{
    Review, attribute_lines, causes, heading, in_words, line, location, of_rules, part_sign, setting,
    setting_sign, suggestions,
};

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<title>What the change does</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #1f2328; background: #fff }
summary { cursor: pointer; font-weight: 600; margin: .5em 0 }
code, .own { font: 13px/1.6 ui-monospace, monospace }
.own { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0 .5em; border-left: 3px solid #d0d7de }
.added { border-color: #1a7f37; background: #dafbe1 }
.removed { border-color: #cf222e; background: #ffebe9 }
.changed { border-color: #9a6700; background: #fff8c5 }
.maybe { border-color: #0969da; background: #ddf4ff }
.cause { color: #59636e }
@media (prefers-color-scheme: dark) {
  body { color: #e6edf3; background: #0d1117 }
  .added { background: #12261e } .removed { background: #25171c } .changed { background: #272115 } .maybe { background: #121d2f }
}
</style>
</head>
<body>
";

/// Returns a review as a page.
pub fn html(review: &Review) -> String {
    let mut out = HEAD.to_owned();
    let _ = writeln!(
        out,
        "<h1>What the change does</h1>\n<p>From <code>{}</code> to <code>{}</code></p>",
        escaped(&review.old),
        escaped(&review.new)
    );
    if review.is_empty() && !review.is_incomplete() {
        out.push_str("<p>No change in meaning.</p>\n");
    }
    for root in review.shown() {
        let (diff, totals) = (&root.diff, in_words(root.diff.totals()));
        let _ = writeln!(
            out,
            "<details open><summary><code>{}</code>: {totals}</summary>",
            escaped(&root.directory)
        );
        for own in &diff.instances {
            let place = own.place.as_ref().map(location).unwrap_or_default();
            entry(&mut out, own.action.sign(), &heading(own), &place);
            for (text, is_cause) in attribute_lines(own) {
                let class = if is_cause { "cause" } else { class(own.action.sign()) };
                let _ = writeln!(out, "<div class=\"own {class}\">    {}</div>", escaped(&text));
            }
        }
        for own in &diff.outputs {
            for part in &own.parts {
                let place = own.place.as_ref().map(location).unwrap_or_default();
                entry(&mut out, part_sign(part), &format!("output.{}: {}", own.name, line(part)), &place);
                for cause in causes(part) {
                    let _ = writeln!(out, "<div class=\"own cause\">    {}</div>", escaped(&cause));
                }
            }
        }
        for own in &diff.settings {
            entry(&mut out, setting_sign(own), &setting(own), &location(&own.place));
        }
        let suggested: Vec<String> = suggestions(diff).map(|line| escaped(&line)).collect();
        if !suggested.is_empty() {
            let block = suggested.join("\n");
            let _ = writeln!(
                out,
                "<div class=\"own maybe\">These look the same. To keep them, add:\n{block}</div>"
            );
        }
        for found in diff.findings.iter().chain(diff.old_errors.iter()) {
            let text = format!("{}: {}", found.severity().as_str(), found.summary());
            let _ = writeln!(out, "<div class=\"own removed\">{}</div>", escaped(&text));
        }
        out.push_str("</details>\n");
    }
    if let Some(rules) = &review.rules {
        let _ = writeln!(out, "<details open><summary>Rules: {}</summary>", rules.in_words());
        for (sign, text, place) in of_rules(rules) {
            let (class, word) = if sign == '+' { ("removed", "new") } else { ("added", "fixed") };
            let (text, place) = (escaped(&text), escaped(&place));
            let _ = writeln!(
                out,
                "<div class=\"own {class}\">{word}: {text} <span class=\"cause\">{place}</span></div>"
            );
        }
        out.push_str("</details>\n");
    }
    for problem in &review.problems {
        let _ = writeln!(out, "<p>{}</p>", escaped(problem));
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn entry(out: &mut String, sign: char, text: &str, place: &str) {
    let (text, place) = (escaped(text), escaped(place));
    let _ = writeln!(
        out,
        "<div class=\"own {}\">{sign} {text} <span class=\"cause\">{place}</span></div>",
        class(sign)
    );
}

fn class(sign: char) -> &'static str {
    match sign {
        '+' => "added",
        '-' => "removed",
        '?' => "maybe",
        _ => "changed",
    }
}

fn escaped(text: &str) -> String {
    let text = super::visible_line(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
