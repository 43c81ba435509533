//! Every edit of the parts of small templates: removing or inserting a part and the opposite give the same bytes back.

use fastrand::Rng;
use hclkit_syntax::{Document, NodeId, NodeKind, parse};
use hclkit_write::{EditError, Edits, Formatter};

use super::check::{common, nodes};

const PARTS: &[&str] = &[
    "text",
    " ",
    "é",
    "$${",
    "%%{ a }",
    "${a}",
    "${~ a.b ~}",
    "${f(\"b ${c} d\")}",
    "%{ if a }b%{ else }c${d}%{ endif }",
    "%{~ for a in b ~}${a} c%{ endfor }",
];

const FORMS: &[[&str; 2]] = &[
    ["x = \"", "\"\n"],
    ["x = [1, \"", "\", 2]\n"],
    ["x = <<EOT\n", "\nEOT\ny = 1\n"],
    ["x = {\n  y = <<-EOT\n    ", "\n    z\n  EOT\n}\n"],
];

const NEW: &str = "${zz_new_zz}";

/// Makes an edit and then another one, which restores the text.
fn check_pair(
    document: &Document,
    what: &str,
    edit: impl FnOnce(&mut Edits<'_>) -> Result<(), EditError>,
    back: impl FnOnce(&Document, &mut Edits<'_>) -> Result<(), EditError>,
) {
    let mut edits = Edits::new(document);
    edit(&mut edits).unwrap_or_else(|error| panic!("{what}: {error}"));
    let edited = match edits.apply() {
        Ok(edited) => edited,
        // The marker of a heredoc must be on its own line.
        Err(error) => {
            assert!(what.contains("<<"), "{what}: {error}");
            return;
        }
    };
    common(document, &edited, what);
    let mut edits = Edits::new(&edited);
    back(&edited, &mut edits).unwrap_or_else(|error| panic!("{what} and back: {error}"));
    let restored = edits.apply().unwrap_or_else(|error| panic!("{what} and back: {error}"));
    assert_eq!(restored.source().text(), document.source().text(), "{what}");
}

fn is_template(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::QuotedTemplate | NodeKind::Heredoc | NodeKind::DirectiveBody)
}

/// The node that was inserted.
fn inserted(document: &Document) -> NodeId {
    nodes(document).find(|&id| document.text(id) == NEW).unwrap()
}

/// Makes every edit of a random template.
pub(crate) fn check_random(seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let [open, close] = FORMS[rng.usize(..FORMS.len())];
    let parts: String = (0..rng.u8(..5)).map(|_| PARTS[rng.usize(..PARTS.len())]).collect();
    let text = Formatter::plain().format(&parse(format!("{open}{parts}{close}"))).bytes().into_owned();
    let document = parse(String::from_utf8(text).unwrap());
    assert!(!document.has_errors(), "{}", document.source().text());
    let (text, tree) = (document.source().text(), document.tree());
    for template in nodes(&document).filter(|&id| is_template(tree.kind(id))) {
        let children: Vec<NodeId> = tree.children(template).collect();
        for (at, &part) in children.iter().enumerate() {
            let remove = |edited: &Document, edits: &mut Edits<'_>| edits.remove(inserted(edited));
            let what = format!("inserting beside `{}` in {text}", document.text(part));
            check_pair(&document, &what, |edits| edits.insert_before(part, NEW), remove);
            check_pair(&document, &what, |edits| edits.insert_after(part, NEW), remove);
            // Text on both sides becomes one part.
            let is_text = |at: usize| children.get(at).is_some_and(|&id| tree.kind(id) == NodeKind::Text);
            if tree.kind(template) == NodeKind::DirectiveBody || at > 0 && is_text(at - 1) && is_text(at + 1)
            {
                continue;
            }
            let source = document.text(part);
            let what = format!("removing `{source}` from {text}");
            let same = nodes(&document).position(|id| id == template).unwrap();
            let insert = |edited: &Document, edits: &mut Edits<'_>| {
                let template = nodes(edited).nth(same).unwrap();
                let left: Vec<NodeId> = edited.tree().children(template).collect();
                match (at.checked_sub(1).and_then(|before| left.get(before)), left.get(at)) {
                    (Some(&before), _) => edits.insert_after(before, source),
                    (None, Some(&after)) => edits.insert_before(after, source),
                    // What is left is a string without parts.
                    _ if at > 0 => edits.append(template, source),
                    _ => edits.prepend(template, source),
                }
            };
            check_pair(&document, &what, |edits| edits.remove(part), insert);
        }
        if tree.kind(template) == NodeKind::QuotedTemplate {
            let what = format!("inserting into {text}");
            let remove = |edited: &Document, edits: &mut Edits<'_>| edits.remove(inserted(edited));
            check_pair(&document, &what, |edits| edits.append(template, NEW), remove);
            check_pair(&document, &what, |edits| edits.prepend(template, NEW), remove);
        }
    }
}
