//! Renaming.

use super::{case, one};

fn renamed(files: &[(&str, &str)], new: &str) -> Result<Vec<(String, String)>, String> {
    let found = case(files);
    let edits = found.snapshot.rename(&found.path, found.offset, new)?;
    let mut after = Vec::new();
    for (path, edits) in edits {
        let mut text = found.snapshot.file(&path).unwrap().text().to_owned();
        edits.iter().rev().for_each(|edit| text.replace_range(edit.span.to_range(), &edit.replacement));
        after.push((path.trim_start_matches("/w/").to_owned(), text));
    }
    Ok(after)
}

#[test]
fn names_change_in_all_files_and_in_callers() {
    let after = renamed(
        &[
            ("net/main.tf", "variable \"ci‸dr\" {\n}\n"),
            ("net/out.tf", "output \"o\" {\n  value = \"${var.cidr}\"\n}\n"),
            ("main.tf", "module \"net\" {\n  source = \"./net\"\n  cidr   = 1\n}\n"),
        ],
        "block",
    );
    let text = |text: &str| text.to_owned();
    assert_eq!(
        after.unwrap(),
        [
            (text("main.tf"), text("module \"net\" {\n  source = \"./net\"\n  block  = 1\n}\n")),
            (text("net/main.tf"), text("variable \"block\" {\n}\n")),
            (text("net/out.tf"), text("output \"o\" {\n  value = \"${var.block}\"\n}\n")),
        ]
    );
}

#[test]
fn resources_get_a_moved_block() {
    let after = renamed(&[("main.tf", "resource \"a_b\" \"on‸e\" {\n}\n")], "two").unwrap();
    assert_eq!(
        after[0].1,
        "resource \"a_b\" \"two\" {\n}\n\nmoved {\n  from = a_b.one\n  to   = a_b.two\n}\n"
    );
}

#[test]
fn what_cannot_be_renamed_says_why() {
    let taken = renamed(&[("main.tf", "locals {\n  a‸ = 1\n  b = 2\n}\n")], "b").unwrap_err();
    assert!(taken.contains("`local.b` already exists"), "{taken}");
    let wrong = renamed(&[("main.tf", "locals {\n  a‸ = 1\n}\n")], "1").unwrap_err();
    assert!(wrong.contains("expected a name"), "{wrong}");
    let broken =
        renamed(&[("main.tf", "locals {\n  a‸ = 1\n}\n"), ("b.tf", "x = local.a +\n")], "c").unwrap_err();
    assert!(broken.contains("b.tf has errors"), "{broken}");
    assert!(renamed(&[("main.tf", "# no‸thing\n")], "c").is_err());
}

#[test]
fn the_name_is_what_is_selected() {
    let selected = |text: &str| {
        let found = one("main.tf", text);
        found
            .snapshot
            .prepare_rename(&found.path, found.offset)
            .map(|own| (own.name, found.text[own.span.to_range()].to_owned()))
    };
    let both = |name: &str| Some((name.to_owned(), name.to_owned()));
    let module = "variable \"region\" {}\n";
    assert_eq!(selected(&format!("{module}output \"o\" {{\n  value = var.reg‸ion\n}}\n")), both("region"));
    assert_eq!(selected("variable \"reg‸ion\" {}\n"), both("region"));
    assert_eq!(selected("locals {\n  a = [for x in [] : x‸]\n}\n"), None);
    assert_eq!(selected("output \"o\" {\n  value = var.gon‸e\n}\n"), None);
}
