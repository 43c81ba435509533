//! The rules that the program contains: all are valid, formatted and documented, and their tests pass.

use std::fmt::Write as _;
use std::path::Path;

use hclkit::Body;
use hclkit::model::{Block, BodyItem};
use hclkit_policy::{Outcome, rules::BUILTIN};

#[test]
fn tests_of_builtin_rules_pass() {
    let (mut count, mut wrong) = (0, Vec::new());
    for builtin in BUILTIN {
        let (rules, problems) = builtin.rules();
        for problem in &problems {
            wrong.push(format!("{}: {problem}", builtin.name));
        }
        count += rules.len();
        for test in 0..rules.tests() {
            for verdict in rules.test(test, &|_| true).verdicts {
                if verdict.outcome != Outcome::Passed {
                    wrong.push(format!("{}: {}", builtin.name, verdict.finding.unwrap()));
                }
            }
        }
        assert_eq!(rules.untested(), [""; 0], "{}", builtin.name);
    }
    assert!(wrong.is_empty(), "{}\n{} wrong", wrong.join("\n"), wrong.len());
    assert!(count >= 60, "{count} rules");
}

/// The page of the documentation, to which reports link.
fn page() -> String {
    let mut page = String::from(
        "# The rules that hcl contains\n\n`hcl test --rules builtin:NAME` applies the rules of a group, and `builtin:all` applies all.\n",
    );
    for builtin in BUILTIN {
        let (rules, _) = builtin.rules();
        let body = Body::of(&builtin.document());
        let items = body.items();
        let blocks: Vec<&Block> = items.iter().filter_map(BodyItem::as_block).collect();
        let of_type = |name: &'static str| blocks.iter().filter(move |own| &*own.block_type == name);
        let text = |block: &Block, name: &str| {
            block.body.attribute(name).map(|own| own.expression.text().to_owned()).unwrap_or_default()
        };
        let _ = write!(page, "\n## builtin:{}\n", builtin.name);
        for block in of_type("param") {
            let (name, about) = (&block.labels[0], text(block, "description"));
            let about = about.trim_matches('"');
            let _ = write!(page, "\n- `--param {name}=…` (default `{}`): {about}", text(block, "default"));
        }
        if of_type("param").next().is_some() {
            page.push('\n');
        }
        for (code, severity) in rules.codes() {
            let block =
                of_type("rule").find(|own| own.labels[0] == *code.as_str()).expect("the rule has a block");
            let has_fix = block.body.items().iter().any(|own| own.name() == "fix");
            let fix = if has_fix { ", with a fix" } else { "" };
            let anchor = code.page().rsplit_once('#').map(|(_, own)| own);
            assert_eq!(anchor, Some(code.as_str()), "the link of the rule is its heading");
            let (summary, docs) = (code.summary(), code.explanation());
            let _ = write!(page, "\n### {code}\n\n{summary} ({}{fix}). {docs}\n", severity.as_str());
        }
    }
    page
}

#[test]
fn the_page_lists_all_rules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/builtin-rules.md");
    if std::env::var("SNAPSHOTS").is_ok_and(|own| own == "overwrite") {
        std::fs::write(&path, page()).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(&path).unwrap_or_default(),
        page(),
        "SNAPSHOTS=overwrite writes the page"
    );
}
