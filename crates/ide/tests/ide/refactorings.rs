//! Refactorings and fixes that are more than one edit.

use std::sync::Arc;

use hclkit::Span;
use hclkit_ide::{Action, MemoryFiles, Snapshot, Workspace};

use super::{case, one};

/// The text of a file after the action with a title that begins like this. `‹` and `›` are the selection.
fn done(text: &str, title: &str) -> Option<String> {
    let (start, rest) = text.split_once('‹').expect("a selection");
    let (selected, _) = rest.split_once('›').expect("its end");
    let whole = text.replace(['‹', '›'], "");
    let found = one("main.tf", &format!("‸{whole}"));
    let within = Span::new(start.len() as u32, (start.len() + selected.len()) as u32);
    let all = found.snapshot.refactorings(&found.path, within);
    let fixes = found.snapshot.actions(&found.path, within);
    let action = all.iter().chain(&fixes).find(|action| action.title.starts_with(title))?;
    Some(applied(&found.snapshot, action, &found.path))
}

fn applied(snapshot: &Snapshot, action: &Action, path: &str) -> String {
    let mut text = snapshot.file(path).unwrap().text().to_owned();
    for edit in action.edits.get(path).into_iter().flatten().rev() {
        text.replace_range(edit.span.to_range(), &edit.replacement);
    }
    text
}

#[test]
fn an_expression_becomes_a_local_value() {
    let extract = |text: &str| done(text, "Extract");
    assert_eq!(
        extract("output \"a\" {\n  value = ‹1 + var.b› * 2\n}\n").as_deref(),
        None,
        "the selection is no expression, because of the precedence"
    );
    assert_eq!(
        extract("output \"a\" {\n  value = [‹var.b + 1›, 2]\n}\n").as_deref(),
        Some("output \"a\" {\n  value = [local.value, 2]\n}\n\nlocals {\n  value = var.b + 1\n}\n")
    );
    assert_eq!(
        extract("locals {\n  b = 1\n}\nresource \"x_y\" \"z\" {\n  size = ‹max(local.b, 2)›\n}\n").as_deref(),
        Some(
            "locals {\n  b = 1\n  size = max(local.b, 2)\n}\nresource \"x_y\" \"z\" {\n  size = local.size\n}\n"
        )
    );
    // The name is taken.
    assert!(
        extract("locals {\n  size = 1 # one\n}\nresource \"x_y\" \"z\" {\n  size = ‹2›\n}\n")
            .unwrap()
            .contains("\n  size = 1 # one\n  size_2 = 2\n}")
    );
    for text in [
        "output \"a\" {\n  value = [for x in [] : ‹x + 1›]\n}\n",
        "resource \"x_y\" \"z\" {\n  for_each = {}\n  a        = ‹each.key›\n}\n",
        "output \"a\" {\n  value = { ‹b› = 1 }\n}\n",
        "output \"‹a›\" {\n  value = 1\n}\n",
        "variable \"a\" {\n  default = ‹1›\n}\n",
        "resource \"a_b\" \"c\" {\n  depends_on = [‹a_b.d›]\n}\n",
        "resource \"a_b\" \"c\" {\n  lifecycle {\n    ignore_changes = [‹tags›]\n  }\n}\n",
        "module \"a\" {\n  source = ‹\"./b\"›\n}\n",
        "output \"a\" {\n  value = ‹local›.b\n}\n",
        "output \"a\" {\n  value = ‹<<EOT\nx\nEOT›\n}\n",
        "output \"a\" {\n  value = \"x ‹y›\"\n}\n",
    ] {
        assert_eq!(extract(text), None, "{text}");
    }
    // What a loop declares inside of the selection is no name of its place.
    assert!(extract("output \"a\" {\n  value = ‹[for x in [] : x]›\n}\n").is_some());
}

#[test]
fn a_local_value_is_written_where_it_is_used() {
    let inline = |text: &str| done(text, "Inline");
    assert_eq!(
        inline("locals {\n  ‹›a = 1 + 2\n  b = local.a * 3\n  c = local.a\n}\n").as_deref(),
        Some("locals {\n  b = (1 + 2) * 3\n  c = 1 + 2\n}\n")
    );
    assert_eq!(
        inline("locals {\n  a = var.b\n}\noutput \"c\" {\n  value = \"x ${local.‹›a.d}\"\n}\n").as_deref(),
        Some("output \"c\" {\n  value = \"x ${var.b.d}\"\n}\n")
    );
    for text in [
        "locals {\n  ‹›a = local.a\n}\n",
        "locals {\n  ‹›a = <<EOT\nx\nEOT\n  b = local.a\n}\n",
        "locals {\n  ‹›a = 1\n  b = local[\"a\"]\n}\n",
        "variable \"‹›a\" {\n}\n",
    ] {
        assert_eq!(inline(text), None, "{text}");
    }
}

#[test]
fn text_is_a_heredoc_or_in_quotes() {
    let heredoc = "output \"a\" {\n  value = <<-EOT\n    one $${x}\n      two\n\n    three\n  EOT\n}\n";
    let quoted = "output \"a\" {\n  value = \"one $${x}\\n  two\\n\\nthree\\n\"\n}\n";
    assert_eq!(done(&heredoc.replace("one", "‹›one"), "Write as text").as_deref(), Some(quoted));
    assert_eq!(done(&quoted.replace("one", "‹›one"), "Write as a heredoc").as_deref(), Some(heredoc));
    // The blanks at the start of all lines would be lost.
    let moved = quoted.replace("one", "  one").replace("\\nthree", "\\n  three");
    assert_eq!(done(&moved.replace("one", "‹›one"), "Write as a heredoc"), None);
    for text in [
        "a‹› = \"x\"\n",
        "a‹› = \"${b}\\n\\n\"\n",
        "a‹› = \"x\\ny\"\n",
        "a‹› = \"x\\r\\ny\\n\"\n",
        "a‹› = 1\n",
    ] {
        assert_eq!(done(text, "Write as"), None, "{text}");
    }
}

#[test]
fn arguments_are_sorted_in_their_block() {
    let text =
        "resource \"a\" \"b\" {\n  z = 1\n  ‹›y = 2\n}\n\nresource \"a\" \"c\" {\n  z = 1\n  y = 2\n}\n";
    let after = done(text, "Sort").unwrap();
    assert_eq!(
        after,
        "resource \"a\" \"b\" {\n  y = 2\n  z = 1\n}\n\nresource \"a\" \"c\" {\n  z = 1\n  y = 2\n}\n"
    );
    assert_eq!(done("resource \"a\" \"b\" {\n  y = 2\n  ‹›z = 1\n}\n", "Sort"), None);
}

#[test]
fn required_arguments_are_added() {
    assert_eq!(
        done("module \"a\" {‹›\n  count = 1\n}\n", "Add the required").as_deref(),
        Some("module \"a\" {\n  source = \"\"\n  count = 1\n}\n")
    );
    assert_eq!(
        done("  module \"‹›a\" {}\n", "Add the required").as_deref(),
        Some("  module \"a\" {\n    source = \"\"\n  }\n")
    );
    assert_eq!(done("module \"a\" {\n‹›  source = \"./b\"\n}\n", "Add the required"), None);
}

#[test]
fn unused_declarations_are_removed() {
    let remove = |text: &str| done(text, "Remove the unused");
    assert_eq!(remove("locals {\n  a = 1\n  ‹›b = local.a\n}\n").as_deref(), Some("locals {\n  a = 1\n}\n"));
    assert_eq!(
        remove(
            "output \"o\" {\n  value = 1\n}\n\nlocals {\n  ‹›a = 1\n}\n\noutput \"p\" {\n  value = 1\n}\n"
        )
        .as_deref(),
        Some("output \"o\" {\n  value = 1\n}\n\noutput \"p\" {\n  value = 1\n}\n")
    );
    assert_eq!(remove("variable \"‹›a\" {\n  default = 1\n}\n").as_deref(), Some(""));
    assert_eq!(remove("locals { ‹›a = 1 } # x\n"), None);
}

#[test]
fn what_was_typed_is_formatted() {
    let typed = |text: &str, typed: &str| {
        let found = one("main.tf", text);
        let mut text = found.text.clone();
        for edit in found.snapshot.format_typed(&found.path, found.offset, typed).iter().rev() {
            text.replace_range(edit.span.to_range(), &edit.replacement);
        }
        text
    };
    assert_eq!(typed("a {\nb=1\nlonger=2\n}‸\nc=1\n", "}"), "a {\n  b      = 1\n  longer = 2\n}\nc=1\n");
    assert_eq!(typed("a=1\n‸\nc=1\n", "\n"), "a = 1\n\nc=1\n");
    assert_eq!(typed("a = [\n‸\n", "\n"), "a = [\n\n");
}

/// The hints of outputs, which are their values.
fn values(snapshot: &Snapshot) -> Vec<String> {
    let mut found = Vec::new();
    for (path, _) in FILES {
        let path = format!("/w/{path}");
        let file = snapshot.file(&path).unwrap();
        let all = Span::new(0, file.text().len() as u32);
        let is_output = |offset: u32| {
            let before = &file.text()[..offset as usize];
            before.rfind("output \"") > before.rfind("locals {")
        };
        let hints = snapshot.inlay_hints(&path, all).into_iter().filter(|hint| is_output(hint.offset));
        found.extend(hints.map(|hint| hint.label));
    }
    found
}

const FILES: [(&str, &str); 2] = [
    (
        "main.tf",
        "variable \"n\" {\n  default = 3\n}\nlocals {\n  a = var.n + 1\n  b = [for i in range(local.a) : i * local.a]\n  c = { x = local.a, y = \"v-${local.a}\" }\n  d = -local.a\n  e = local.a > 2 ? local.c : null\n  f = length(local.b)\n}\noutput \"all\" {\n  value = [local.a * 2, local.b[local.f - 1], local.c.y, local.d, local.e.x]\n}\n",
    ),
    (
        "out.tf",
        "output \"more\" {\n  value = \"${local.d} ${join(\",\", local.b)} ${local.c[\"x\"]}\"\n}\noutput \"same\" {\n  value = !(local.f == 4)\n}\n",
    ),
];

/// Every expression is extracted, and every local value inlined: the values of the module stay the same.
#[test]
fn values_stay_the_same() {
    let open = |texts: &[(String, String)]| {
        let mut workspace = Workspace::new(Arc::new(MemoryFiles::default()), ["/w"]);
        for (path, text) in texts {
            workspace.open(path, text.as_str(), Some(1), None);
        }
        workspace.snapshot()
    };
    let texts: Vec<(String, String)> =
        FILES.iter().map(|(path, text)| (format!("/w/{path}"), (*text).to_owned())).collect();
    let before = open(&texts);
    let expected = values(&before);
    assert_eq!(expected.len(), 3, "{expected:?}");
    let (mut extracted, mut inlined) = (0, 0);
    for (path, text) in &texts {
        let file = before.file(path).unwrap();
        let tree = file.document().tree();
        let mut spans: Vec<Span> = Vec::new();
        for visit in tree.walk(hclkit::syntax::NodeId::ROOT) {
            if let hclkit::syntax::Visit::Enter(node) = visit {
                spans.push(file.document().span(node));
            }
        }
        spans
            .extend((0..text.len() as u32).filter(|&at| text.is_char_boundary(at as usize)).map(Span::empty));
        for span in spans {
            for action in before.refactorings(path, span) {
                let after: Vec<(String, String)> =
                    texts.iter().map(|(path, _)| (path.clone(), applied(&before, &action, path))).collect();
                assert_eq!(values(&open(&after)), expected, "{}: {after:#?}", action.title);
                extracted += usize::from(action.title.starts_with("Extract"));
                inlined += usize::from(action.title.starts_with("Inline"));
            }
        }
    }
    assert!(extracted > 30 && inlined > 10, "{extracted} {inlined}");
}

#[test]
fn other_files_are_part_of_it() {
    let found = case(&[
        ("main.tf", "locals {\n  ‸a = 1 + 1\n}\n"),
        ("other.tf", "output \"b\" {\n  value = local.a * 2\n}\n"),
    ]);
    let all = found.snapshot.refactorings(&found.path, Span::empty(found.offset));
    let action = all.iter().find(|action| action.title.starts_with("Inline")).unwrap();
    assert_eq!(applied(&found.snapshot, action, "/w/main.tf"), "");
    assert_eq!(applied(&found.snapshot, action, "/w/other.tf"), "output \"b\" {\n  value = (1 + 1) * 2\n}\n");
    let json = case(&[
        ("main.tf", "locals {\n  ‸a = 1 + 1\n}\n"),
        ("other.tf.json", "{\"output\": {\"b\": {\"value\": \"${local.a}\"}}}"),
    ]);
    assert!(
        json.snapshot
            .refactorings(&json.path, Span::empty(json.offset))
            .iter()
            .all(|action| !action.title.starts_with("Inline"))
    );
}

/// The actions that move blocks at the cursor: each title with the files that change, and their new texts.
fn moves(files: &[(&str, &str)]) -> Vec<(String, Vec<(String, String)>)> {
    let found = case(files);
    let all = found.snapshot.moves(&found.path, Span::empty(found.offset));
    let text = |(path, edits): (&String, &Vec<hclkit::syntax::Edit>)| {
        let mut text = found.snapshot.file(path).map(|file| file.text().to_owned()).unwrap_or_default();
        for edit in edits.iter().rev() {
            text.replace_range(edit.span.to_range(), &edit.replacement);
        }
        (path.trim_start_matches("/w/").to_owned(), text)
    };
    all.into_iter().map(|action| (action.title, action.edits.iter().map(text).collect())).collect()
}

fn texts(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn blocks_move_to_other_files() {
    let main = "# why\nvariable \"a\" {‸} # here\n\nlocals {\n  b = 1\n}\n\nvariable \"c\" {}\n";
    let files = [("main.tf", main), ("variables.tf", "variable \"d\" {}\n"), ("a.tf", "")];
    let expected = [
        (
            "Move to `variables.tf`",
            texts(&[
                ("main.tf", "locals {\n  b = 1\n}\n\nvariable \"c\" {}\n"),
                ("variables.tf", "variable \"d\" {}\n\n# why\nvariable \"a\" {} # here\n"),
            ]),
        ),
        (
            "Move to the new file `a_2.tf`",
            texts(&[
                ("a_2.tf", "# why\nvariable \"a\" {} # here\n"),
                ("main.tf", "locals {\n  b = 1\n}\n\nvariable \"c\" {}\n"),
            ]),
        ),
        (
            "Split the file as the style guide recommends",
            texts(&[
                ("locals.tf", "locals {\n  b = 1\n}\n"),
                ("main.tf", ""),
                (
                    "variables.tf",
                    "variable \"d\" {}\n\n# why\nvariable \"a\" {} # here\n\nvariable \"c\" {}\n",
                ),
            ]),
        ),
    ];
    assert_eq!(moves(&files), expected.map(|(title, texts)| (title.to_owned(), texts)));
    // A cursor between blocks moves all or none.
    let titles = |files: &[(&str, &str)]| -> Vec<String> {
        moves(files).into_iter().map(|(title, _)| title).collect()
    };
    let split = "Split the file as the style guide recommends";
    assert_eq!(titles(&[("main.tf", "variable \"a\" {}\n\n‸\n\nresource \"b\" \"c\" {}\n")]), [split]);
    let resource = "resource \"b\" \"c\" {‸}\n";
    for (name, target) in [
        ("main.tf", "c.tf"),
        ("main.tofu", "c.tofu"),
        ("x_override.tf", "c_override.tf"),
        ("build.pkr.hcl", "c.pkr.hcl"),
        ("c.tf", "c_2.tf"),
    ] {
        assert_eq!(titles(&[(name, resource)]), [format!("Move to the new file `{target}`")], "{name}");
    }
    assert_eq!(
        titles(&[("main.tf", "import {‸\n  to = a.b\n}\n")]),
        ["Move to the new file `import.tf`".to_owned()]
    );
    // The recommended file has the name that a new one would have.
    let locals = "locals {‸\n  a = 1\n}\n";
    assert_eq!(titles(&[("main.tf", locals)]), ["Move to `locals.tf`"]);
    assert_eq!(titles(&[("main.tf", locals), ("locals.tf", "locals {}\n")]), ["Move to `locals.tf`"]);
    // One block is the whole split, which is not offered twice.
    let both = "variable \"a\" {‸}\n\nvariable \"b\" {}\n";
    assert_eq!(
        titles(&[("main.tf", both)]),
        ["Move to `variables.tf`", "Move to the new file `a.tf`", split]
    );
}

#[test]
fn blocks_that_would_mean_something_else_stay() {
    let resource = "resource \"b\" \"c\" {‸}\n";
    let none: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for name in ["a.tftest.hcl", "web.nomad", "terragrunt.hcl", "docker-bake.hcl", "a.hcl", "a.tfvars"] {
        assert_eq!(moves(&[(name, resource)]), none, "{name}");
    }
    // There is nothing to move, or it is there already, or has no name for a file.
    assert_eq!(moves(&[("main.tf", "‸\n")]), none);
    assert_eq!(moves(&[("main.tf", "resource \"b\" \"../c\" {‸}\n")]), none);
    assert_eq!(moves(&[("variables.tf", "variable \"a b\" {‸}\n")]), none);
    // A file with errors stays as it is, whichever.
    assert_eq!(moves(&[("main.tf", "variable \"a\" {‸}\nvariable \"b\" {\n")]), none);
    let broken = [("main.tf", "variable \"a\" {‸}\n"), ("variables.tf", "variable \"b\" {\n")];
    let titles: Vec<String> = moves(&broken).into_iter().map(|(title, _)| title).collect();
    assert_eq!(titles, ["Move to the new file `a.tf`"]);
}

#[test]
fn properties_of_the_json_syntax_move_to_such_files() {
    let main = "{\n  \"variable\": {\n    \"a\": {‸},\n    \"b\": {}\n  },\n  \"locals\": {\"c\": 1}\n}\n";
    let files =
        [("main.tf.json", main), ("variables.tf.json", "{\n  \"variable\": {\n    \"d\": {}\n  }\n}\n")];
    let found = moves(&files);
    let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, ["Move to the new file `a.tf.json`", "Split the file as the style guide recommends"]);
    let after: Vec<_> = found.into_iter().map(|(_, texts)| texts).collect();
    let expected = [
        texts(&[
            ("a.tf.json", "{\n  \"variable\": {\n    \"a\": {}\n  }\n}\n"),
            ("main.tf.json", "{\n  \"variable\": {\n    \"b\": {}\n  },\n  \"locals\": {\"c\": 1}\n}\n"),
        ]),
        texts(&[
            ("locals.tf.json", "{\n  \"locals\": {\"c\": 1}\n}\n"),
            ("main.tf.json", "{}\n"),
            (
                "variables.tf.json",
                "{\n  \"variable\": {\n    \"d\": {},\n    \"a\": {},\n    \"b\": {}\n  }\n}\n",
            ),
        ]),
    ];
    assert_eq!(after, expected);
}
