//! Nodes of another document are refused by every edit, whatever their index, and nothing changes.

use hclkit_syntax::{Document, NodeId, Visit, parse};
use hclkit_write::{EditError, Edits, Selector};

type Edit = fn(&mut Edits, NodeId, NodeId) -> Result<(), EditError>;

/// Every edit. The second node is one of the document itself.
const EDITS: &[Edit] = &[
    |edits, node, _| edits.set(node, 99),
    |edits, node, _| edits.rename(node, "z"),
    |edits, node, _| edits.remove(node),
    |edits, node, _| edits.append(node, "z = 1"),
    |edits, node, _| edits.prepend(node, "z = 1"),
    |edits, node, _| edits.add(node, "z", 1),
    |edits, node, _| edits.append_label(node, "z"),
    |edits, node, _| edits.insert_before(node, "z = 1"),
    |edits, node, _| edits.insert_after(node, "z = 1"),
    |edits, node, own| edits.move_before(node, own),
    |edits, node, own| edits.move_after(node, own),
    |edits, node, own| edits.move_into(node, own),
    |edits, node, own| edits.move_before(own, node),
    |edits, node, own| edits.move_after(own, node),
    |edits, node, own| edits.move_into(own, node),
    |edits, node, own| edits.sort([own, node]),
];

fn nodes(document: &Document) -> Vec<NodeId> {
    let visits = document.tree().walk(NodeId::ROOT);
    visits.filter_map(|visit| if let Visit::Enter(id) = visit { Some(id) } else { None }).collect()
}

#[test]
fn every_edit_refuses_a_node_of_another_document() {
    let document = parse("a = 1\nb \"l\" {\n  c = [1, { d = 2 }]\n}\n");
    let own = document.body().attribute("a").unwrap().id();
    for text in [
        "a = 1\nb \"l\" {\n  c = [1, { d = 2 }]\n}\n",
        "x = [1, 2, 3, f(4), \"a${b}\"]\ny {}\n".repeat(9).as_str(),
    ] {
        let other = parse(text);
        for node in nodes(&other).into_iter().filter(|node| *node != NodeId::ROOT) {
            for (number, edit) in EDITS.iter().enumerate() {
                let mut edits = Edits::new(&document);
                let done = edit(&mut edits, node, own);
                assert!(matches!(done, Err(EditError::Foreign)), "edit {number} of {node:?}: {done:?}");
                assert!(edits.is_empty());
            }
            assert_eq!(Edits::new(&document).owned_source(node), "");
        }
    }
}

#[test]
fn a_match_in_the_text_before_an_edit_is_foreign() {
    let before = parse("c = 1\nd = 2\n");
    let found = "d".parse::<Selector>().unwrap().select(&before).unwrap();
    let mut edits = Edits::new(&before);
    edits.remove(before.body().attribute("c").unwrap().id()).unwrap();
    let after = edits.apply().unwrap();
    assert!(matches!(Edits::new(&after).set(found[0].node(), "99"), Err(EditError::Foreign)));
    // A clone is the same document.
    Edits::new(&before.clone()).set(found[0].node(), "99").unwrap();
}
