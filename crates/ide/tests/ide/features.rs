//! Every feature on Terraform.

use std::sync::Arc;

use hclkit::Span;
use hclkit_ide::{Encoding, FileSystem, FoldKind, MemoryFiles, TokenMeaning, Workspace};

use super::{case, one};

const VARIABLES: &str = "\
# Where everything is.
variable \"region\" {
  type        = string
  description = \"The region.\"
  default     = \"eu\"
}
";

#[test]
fn diagnostics_are_those_of_the_file_and_its_module() {
    let found =
        case(&[("main.tf", "output \"a\" {\n  value = var.regio‸n2\n}\n"), ("variables.tf", VARIABLES)]);
    assert_eq!(found.codes(), ["unknown-variable"]);
    let note = found.snapshot.diagnostics("/w/main.tf")[0].note().to_owned();
    assert!(note.contains("`var.region`"), "{note}");
    // In the file with the declaration, it is unused.
    let found = found.snapshot.diagnostics("/w/variables.tf");
    assert_eq!(
        found.iter().map(|found| found.code().unwrap().as_str()).collect::<Vec<_>>(),
        ["unused-declaration"]
    );
}

/// Freeing waits until answers are sent, but not longer, and nothing owns itself.
#[test]
fn what_answers_leave_is_freed() {
    let files = [("/w/net/main.tf", "output \"id\" {\n  value = 1\n}\n")];
    let files: Arc<dyn FileSystem> = Arc::new(MemoryFiles::from_iter(files));
    let mut workspace = Workspace::new(files.clone(), ["/w"]);
    let call = "module \"net\" {\n  source = \"./net\"\n}\noutput \"id\" {\n  value = module.net.id\n}\n";
    let answer = |workspace: &mut Workspace, version: i32| {
        workspace.open("/w/main.tf", format!("{call}# {version}\n"), Some(version), None);
        let snapshot = workspace.snapshot();
        assert_eq!(snapshot.diagnostics("/w/main.tf").len(), 0);
        assert!(snapshot.hover("/w/main.tf", call.find("net.id").unwrap() as u32).is_some());
    };
    let before = Arc::strong_count(&files);
    answer(&mut workspace, 1);
    let left = Arc::strong_count(&files);
    assert!(left > before);
    for version in 2..5 {
        answer(&mut workspace, version);
        assert_eq!(Arc::strong_count(&files), left);
    }
    workspace.tidy();
    assert_eq!(Arc::strong_count(&files), before);
    answer(&mut workspace, 5);
    drop(workspace);
    assert_eq!(Arc::strong_count(&files), 1);
}

#[test]
fn callers_use_variables_and_give_arguments() {
    let found = case(&[
        (
            "net/main.tf",
            "variable \"cidr\" {\n  type = number\n}\noutput \"a\" {\n  value = var.cidr‸ + 1\n}\n",
        ),
        ("main.tf", "module \"net\" {\n  source = \"./net\"\n  cidr   = \"x\"\n}\n"),
    ]);
    assert_eq!(found.codes(), [] as [&str; 0]);
    let found = found.snapshot.diagnostics("/w/main.tf");
    assert!(found[0].note().contains("number"), "{found:?}");
}

#[test]
fn definitions_lead_to_declarations() {
    let show = |text: &str| {
        let found = case(&[
            ("main.tf", text),
            ("variables.tf", VARIABLES),
            ("terraform.tfvars", "region = \"us\"\n"),
            ("net/main.tf", "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n"),
        ]);
        let found_at = found.snapshot.definition(&found.path, found.offset);
        found_at.iter().map(|own| found.shown(&own.location.path, own.name)).collect::<Vec<_>>()
    };
    assert_eq!(show("output \"a\" {\n  value = var.re‸gion\n}\n"), ["variables.tf:2: region"]);
    assert_eq!(show("locals {\n  a = 1\n  b = \"${local.a‸}\"\n}\n"), ["main.tf:2: a"]);
    let call = "module \"net\" {\n  source = \"./net\"\n  cidr = 1\n}\n";
    assert_eq!(
        show(&format!("{call}output \"a\" {{\n  value = module.net.i‸d\n}}\n")),
        ["net/main.tf:2: id"]
    );
    assert_eq!(show(&format!("{call}output \"a\" {{\n  value = module.n‸et.id\n}}\n")), ["main.tf:1: net"]);
    assert_eq!(show(&call.replace("cidr", "ci‸dr")), ["net/main.tf:1: cidr"]);
    let resource = "resource \"a_b\" \"c\" {\n  for_each = {}\n}\n";
    assert_eq!(
        show(&format!("{resource}output \"a\" {{\n  value = a_b.c[\"x\"].i‸d\n}}\n")),
        ["main.tf:1: c"]
    );
    assert_eq!(show(&format!("{resource}output \"a\" {{\n  depends_on = [a_‸b.c]\n}}\n")), ["main.tf:1: c"]);
    // The variable of a loop is not the one of the module.
    assert_eq!(show("output \"a\" {\n  value = [for var in [] : var.re‸gion]\n}\n"), [] as [&str; 0]);
}

#[test]
fn references_and_highlights_are_the_occurrences() {
    let found = case(&[
        ("main.tf", "locals {\n  zo‸ne = \"a\"\n}\noutput \"a\" {\n  value = \"${local.zone}-x\"\n}\n"),
        ("other.tf", "output \"b\" {\n  value = local.zone\n}\n"),
    ]);
    let shown = |all: Vec<hclkit_ide::Reference>| -> Vec<String> {
        all.iter().map(|own| found.shown(&own.location.path, own.location.span)).collect()
    };
    let all = shown(found.snapshot.references(&found.path, found.offset));
    assert_eq!(all, ["main.tf:2: zone", "main.tf:5: local.zone", "other.tf:2: local.zone"]);
    let own = shown(found.snapshot.highlights(&found.path, found.offset));
    assert_eq!(own, ["main.tf:2: zone", "main.tf:5: local.zone"]);
}

#[test]
fn hover_documents_functions_names_blocks_and_arguments() {
    assert!(
        one("main.tf", "locals {\n  a = joi‸n(\",\", [])\n}\n").hover().contains("join(separator: string")
    );
    let hover =
        case(&[("main.tf", "output \"a\" {\n  value = var.reg‸ion\n}\n"), ("variables.tf", VARIABLES)])
            .hover();
    for part in ["Type: `string`", "The region.", "variables.tf:2", "var.region = \"eu\"", "the default"] {
        assert!(hover.contains(part), "{part} in {hover}");
    }
    let hover = one("main.tf", "locals {\n  a = 2\n  b = local.a * 21\n  c = local.b‸\n}\n").hover();
    assert!(hover.contains("local.b = 42") && hover.contains("local.a * 21"), "{hover}");
    let attribute = "resource \"a_b\" \"c\" {\n  name = \"x\"\n}\nlocals {\n  a = a_b.c.na‸me\n}\n";
    let hover = one("main.tf", attribute).hover();
    assert!(hover.contains("a_b.c.name = \"x\"") && hover.contains("main.tf:1"), "{hover}");
    let each = "resource \"a_b\" \"c\" {\n  for_each = {}\n  name = each.k‸ey\n}\n";
    assert!(one("main.tf", each).hover().contains("The key of an instance, from `for_each`"));
    assert!(
        one("main.tf", "locals {\n  a = path.mod‸ule\n}\n").hover().contains("Terraform defines this name")
    );
    assert!(one("main.tf", "vari‸able \"a\" {}\n").hover().contains("A block of Terraform"));
    let argument = one("main.tf", "module \"a\" {\n  sou‸rce = \"./b\"\n}\n").hover();
    assert!(argument.contains("required"), "{argument}");
}

#[test]
fn outlines_have_blocks_attributes_and_items() {
    let found =
        one("main.tf", "‸resource \"a\" \"b\" {\n  tags = { Name = \"x\" }\n}\nlocals {\n  c = 1\n}\n");
    let symbols = found.snapshot.symbols(&found.path);
    let names: Vec<&str> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["resource \"a\" \"b\"", "locals"]);
    assert_eq!(symbols[0].children[0].children[0].name, "Name");
    let all = found.snapshot.workspace_symbols("res b", Encoding::Utf8);
    assert_eq!(all.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["resource \"a\" \"b\""]);
    assert_eq!(found.snapshot.workspace_symbols("c", Encoding::Utf8).len(), 2);
}

#[test]
fn blocks_heredocs_and_comments_fold() {
    let text = "‸# one\n# two\n\na {\n  b = [\n    1,\n  ]\n  c = <<EOT\nx\ny\nEOT\n}\n";
    let found = one("main.hcl", text);
    let folds = found.snapshot.folds(&found.path);
    let lines: Vec<_> = folds.iter().map(|fold| (fold.start, fold.end, fold.kind)).collect();
    let region = FoldKind::Region;
    assert_eq!(lines, [(0, 1, FoldKind::Comment), (3, 10, region), (4, 5, region), (7, 10, region)]);
}

#[test]
fn selections_grow() {
    let found = one("main.hcl", "a {\n  b = f(1 + na‸me)\n}\n");
    let spans = found.snapshot.selections(&found.path, found.offset);
    let texts: Vec<&str> = spans.iter().map(|span| &found.text[span.to_range()]).collect();
    assert_eq!(texts[..4], ["name", "1 + name", "f(1 + name)", "b = f(1 + name)"]);
    assert_eq!(*texts.last().unwrap(), found.text);
    assert!(spans.windows(2).all(|pair| pair[1].start <= pair[0].start && pair[0].end <= pair[1].end));
}

#[test]
fn tokens_have_meanings() {
    let found = one("main.tf", "‸a \"b\" {\n  c = [for d in e.f : g(true)] # h\n}\n");
    let tokens = found.snapshot.tokens(&found.path, None);
    let text = |token: &hclkit_ide::SemanticToken| found.text[token.span.to_range()].to_owned();
    let of = |meaning| tokens.iter().filter(|token| token.meaning == meaning).map(text).collect::<Vec<_>>();
    assert_eq!(of(TokenMeaning::BlockType), ["a"]);
    assert_eq!(of(TokenMeaning::Label), ["\"b\""]);
    assert_eq!(of(TokenMeaning::Property), ["c", "f"]);
    assert_eq!(of(TokenMeaning::Parameter), ["d"]);
    assert_eq!(of(TokenMeaning::Variable), ["e"]);
    assert_eq!(of(TokenMeaning::Function), ["g"]);
    assert_eq!(of(TokenMeaning::Keyword), ["for", "in", "true"]);
    assert_eq!(of(TokenMeaning::Comment), ["# h"]);
    let line = Span::new(9, 12);
    let part = found.snapshot.tokens(&found.path, Some(line));
    assert!(part.iter().all(|token| tokens.contains(token)) && part.len() < tokens.len());
}

#[test]
fn heredocs_have_a_token_in_each_line() {
    let text = "‸a = <<-EOT\n  ä ${b.c}😀\n\n  %{ if d }é%{ endif }\n  EOT\n/* x\n  ü */\n";
    let found = one("main.tf", text);
    let tokens = found.snapshot.tokens(&found.path, None);
    assert!(tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{tokens:?}");
    let parts: Vec<&str> = tokens.iter().map(|token| &found.text[token.span.to_range()]).collect();
    assert!(parts.iter().all(|part| !part.contains('\n') && !part.is_empty()), "{parts:?}");
    assert!(parts.contains(&"b") && parts.contains(&"  ü */"), "{parts:?}");
}

#[test]
fn formatting_is_that_of_the_program() {
    let found = one("main.tf", "‸a=1\nlonger = \"${b}\"\n\nc {\nd=1\n}\n");
    assert_eq!(found.snapshot.formatted(&found.path).unwrap(), "a      = 1\nlonger = b\n\nc {\n  d = 1\n}\n");
    let apply = |edits: Vec<hclkit::syntax::Edit>| {
        let mut text = found.text.clone();
        edits.iter().rev().for_each(|edit| text.replace_range(edit.span.to_range(), &edit.replacement));
        text
    };
    assert_eq!(apply(found.snapshot.format(&found.path)), found.snapshot.formatted(&found.path).unwrap());
    let last = found.text.find("d=1").unwrap() as u32;
    let part = apply(found.snapshot.format_range(&found.path, Span::empty(last)));
    assert_eq!(part, "a=1\nlonger = \"${b}\"\n\nc {\n  d = 1\n}\n");
    let styled = case(&[("main.tf", "‸a = [\n  1\n]\nlonger = 1\n"), ("hcl.toml", "[fmt]\nalign = false\n")]);
    assert_eq!(styled.snapshot.formatted(&styled.path), None);
    let wrong = one("main.tf", "‸a=[\n");
    assert!(wrong.snapshot.format(&wrong.path).is_empty());
}

#[test]
fn sources_are_links() {
    let found = case(&[
        (
            "main.tf",
            "‸module \"a\" {\n  source = \"./net\"\n}\nmodule \"b\" {\n  source = \"x/vpc/aws\"\n}\nmodule \"c\" {\n  source = \"./gone\"\n}\n",
        ),
        ("net/main.tf", ""),
    ]);
    let links = found.snapshot.links(&found.path);
    assert_eq!(links[0].path.as_deref(), Some("/w/net/main.tf"));
    assert_eq!(links[1].url.as_deref(), Some("https://registry.terraform.io/modules/x/vpc/aws"));
    assert_eq!(links.len(), 2);
}

#[test]
fn signatures_say_which_argument_is_next() {
    let active = |text: &str| {
        let found = one("main.tf", &format!("locals {{\n  a = {text}\n}}\n"));
        let help = found.snapshot.signature(&found.path, found.offset)?;
        Some((help.label.split('(').next().unwrap().to_owned(), help.active))
    };
    let some = |name: &str, at: usize| Some((name.to_owned(), Some(at)));
    assert_eq!(active("join(‸"), some("join", 0));
    assert_eq!(active("join(\",\", ‸)"), some("join", 1));
    assert_eq!(active("join(\",\", [1, 2], ‸)"), some("join", 1));
    assert_eq!(active("join(upper(\"a\"), ‸)"), some("join", 1));
    assert_eq!(active("join(upper(‸\"a\"), 1)"), some("upper", 0));
    assert_eq!(active("join([1, 2‸])"), some("join", 0));
    assert_eq!(active("[‸]"), None);
    assert_eq!(active("\"${upper(‸)}\""), some("upper", 0));
}

#[test]
fn actions_fix_errors_and_declare_what_is_missing() {
    let found = one("main.tf", "a = 'x‸'\n");
    let actions = found.snapshot.actions(&found.path, Span::new(0, 8));
    assert_eq!(actions[0].edits["/w/main.tf"][0].replacement, "\"");
    let all = found.snapshot.fix_all(&found.path).unwrap();
    assert!(!all.edits["/w/main.tf"].is_empty());
    let declare = |text: &str, other: &str| {
        let found = case(&[("main.tf", text), ("variables.tf", other)]);
        let actions = found.snapshot.actions(&found.path, Span::empty(found.offset));
        let action = actions.iter().find(|action| action.title.starts_with("Declare"))?;
        let (path, edits) = action.edits.iter().next()?;
        Some(format!("{path}: {}", edits[0].replacement))
    };
    let expected = "/w/variables.tf: \nvariable \"size\" {\n  type = number\n}\n";
    assert_eq!(
        declare("resource \"a_b\" \"c\" {\n  count = var.si‸ze\n}\n", VARIABLES).as_deref(),
        Some(expected)
    );
    let text = declare("output \"a\" {\n  value = upper(var.si‸ze)\n}\n", "");
    assert_eq!(text.as_deref(), Some("/w/variables.tf: variable \"size\" {\n  type = string\n}\n"));
    let text = declare("output \"a\" {\n  value = local.si‸ze\n}\n", "");
    assert_eq!(text.as_deref(), Some("/w/main.tf: \nlocals {\n  size = null\n}\n"));
    assert_eq!(declare("locals {\n  a = local.b‸\n  b = 1\n}\n", ""), None);
}

#[test]
fn calls_go_both_ways_and_lenses_count() {
    let found = case(&[
        ("main.tf", "module \"net\" {\n  source = \"./n‸et\"\n}\n"),
        ("net/main.tf", "variable \"a\" {}\noutput \"b\" {\n  value = [var.a, var.a]\n}\n"),
    ]);
    let node = found.snapshot.module_at(&found.path, found.offset).unwrap();
    assert_eq!(node.directory, "/w/net");
    let incoming = found.snapshot.incoming_calls(&node.directory);
    assert_eq!((incoming[0].module.directory.as_str(), incoming[0].blocks.len()), ("/w", 1));
    assert_eq!(found.snapshot.outgoing_calls("/w")[0].module.directory, "/w/net");
    let lenses = found.snapshot.lenses("/w/net/main.tf");
    assert_eq!(lenses.iter().map(|lens| lens.count).collect::<Vec<_>>(), [2]);
}

#[test]
fn moved_directories_keep_their_calls() {
    let found = case(&[
        ("main.tf", "‸module \"net\" {\n  source = \"./net\"\n}\n"),
        ("net/main.tf", "module \"other\" {\n  source = \"../other\"\n}\n"),
        ("other/main.tf", ""),
    ]);
    let edits = found.snapshot.moved(&[("/w/net".to_owned(), "/w/modules/net".to_owned())]);
    let texts: Vec<_> = edits.values().map(|edits| edits[0].replacement.to_string()).collect();
    assert_eq!(texts, ["./modules/net", "../../other"]);
}

#[test]
fn an_interrupted_search_goes_on() {
    let found = case(&[("main.tf", "‸locals {\n  a = 1\n}\n"), ("net/x/main.tf", "locals {\n  b = 1\n}\n")]);
    let token = hclkit::CancelToken::new();
    token.cancel();
    let count = || found.snapshot.workspace_symbols("", Encoding::Utf8).len();
    assert_eq!(hclkit::Limits::new().with_cancel(token).run(count), 0);
    assert_eq!(count(), 2);
}
