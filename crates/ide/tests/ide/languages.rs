//! Other languages, and one with a table of its own.

use std::sync::Arc;

use hclkit::Source;
use hclkit::dialect::Dialect;
use hclkit_ide::{MemoryFiles, Workspace};

use super::one;

/// Diagnostics, outline, formatting, hover and completion of a file.
fn check(path: &str, text: &str, hover: &str, offered: &str) {
    let wrong = one(path, &format!("{text}\na = [‸\n"));
    assert!(!wrong.codes().is_empty(), "{path}");
    let found = one(path, &format!("‸{text}"));
    let errors = found.snapshot.diagnostics(&found.path).iter().filter(|found| found.is_error()).count();
    assert_eq!(errors, 0, "{path}: {:?}", found.snapshot.diagnostics(&found.path));
    assert!(!found.snapshot.symbols(&found.path).is_empty(), "{path}");
    let spaced = one(path, &format!("‸{}", text.replace(" = ", "   =   ")));
    assert_eq!(spaced.snapshot.formatted(&spaced.path).as_deref(), Some(text), "{path}");
    let at = text.find(hover).unwrap() + 1;
    let over = one(path, &format!("{}‸{}", &text[..at], &text[at..]));
    assert!(!over.hover().is_empty(), "{path}: {hover}");
    let top = one(path, &format!("{text}\n‸"));
    assert!(top.labels().iter().any(|label| label == offered), "{path}: {offered} in {:?}", top.labels());
}

#[test]
fn packer_bake_nomad_and_terragrunt() {
    let packer =
        "source \"docker\" \"a\" {\n  image = \"x\"\n}\n\nbuild {\n  sources = [\"source.docker.a\"]\n}\n";
    check("a.pkr.hcl", packer, "source", "build");
    check("docker-bake.hcl", "target \"app\" {\n  tags = [upper(\"a\")]\n}\n", "upper", "group");
    check("web.nomad", "job \"web\" {\n  group \"a\" {\n    count = 1\n  }\n}\n", "group", "job");
    check(
        "terragrunt.hcl",
        "locals {\n  a = upper(\"b\")\n}\n\ninputs = {\n  b = local.a\n}\n",
        "upper",
        "dependency",
    );
}

#[test]
fn strings_name_targets() {
    let found =
        one("docker-bake.hcl", "group \"default\" {\n  targets = [\"ap‸p\"]\n}\ntarget \"app\" {\n}\n");
    let definition = found.snapshot.definition(&found.path, found.offset);
    assert_eq!(found.shown(&found.path, definition[0].name), "docker-bake.hcl:4: app");
    let edits = found.snapshot.rename(&found.path, found.offset, "web").unwrap();
    assert_eq!(edits["/w/docker-bake.hcl"].len(), 2);
}

#[test]
fn json_has_diagnostics_and_an_outline() {
    let found = one("main.tf.json", "‸{\n  \"locals\": { \"a\": \"${local.b}\" }\n}\n");
    assert_eq!(found.codes(), ["unused-declaration", "unknown-variable"]);
    assert_eq!(found.snapshot.symbols(&found.path)[0].children[0].name, "a");
}

const TABLE: &str = "name  = \"services\"
files = [\"*.services\"]

repeat \"copies\" {
  over = \"number\"
  key  = \"copy.number\"
}

block \"service\" {
  role    = \"object\"
  labels  = [\"name\"]
  defines = \"service.{name}\"
  meta    = [\"copies\"]
  repeat  = [\"copies\"]
}
";

#[test]
fn a_language_with_a_table_of_its_own() {
    let language = Arc::new(Dialect::read(Source::new("services.hcl", TABLE)).unwrap());
    let open = |text: &str| {
        let mut workspace = Workspace::new(Arc::new(MemoryFiles::default()), ["/w"]);
        workspace.set_languages([language.clone()]);
        let offset = text.find('‸').unwrap() as u32;
        workspace.open("/w/web.services", text.replace('‸', ""), Some(1), None);
        (workspace.snapshot(), "/w/web.services", offset)
    };
    let (own, path, _) = open("‸service \"a\" {\n  port=1\n}\nservice \"b\" {\n  port = service.c.port\n}\n");
    let found = own.diagnostics(path);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(own.formatted(path).unwrap().contains("  port = 1\n"));
    assert_eq!(own.symbols(path).len(), 2);
    let (own, path, offset) = open(
        "service \"a\" {\n  copies = 1 + 1\n  port = 80\n}\nservice \"b\" {\n  port = service.a‸[0].port + 1\n}\n",
    );
    assert!(own.hover(path, offset).unwrap().text.contains("80"), "{:?}", own.hover(path, offset));
    assert_eq!(own.references(path, offset).len(), 2);
    assert_eq!(own.rename(path, offset, "c").unwrap()[path].len(), 2);
    let (own, path, offset) = open("service \"a\" {}\nservice \"b\" {\n  copies = 2\n  port = ‸\n}\n");
    let labels: Vec<String> = own.completions(path, offset).into_iter().map(|item| item.label).collect();
    assert!(
        labels.contains(&"service.a".to_owned()) && labels.contains(&"copy.number".to_owned()),
        "{labels:?}"
    );
    let (own, path, offset) = open("service \"a\" {\n  ‸\n}\n");
    let labels: Vec<String> = own.completions(path, offset).into_iter().map(|item| item.label).collect();
    assert_eq!(labels, ["copies"]);
}

#[test]
fn languages_of_the_settings_are_known() {
    let table = "name = \"services\"\nfiles = [\"*.services\"]\nblock \"service\" {\n  role    = \"object\"\n  labels  = [\"name\"]\n  defines = \"service.{name}\"\n}\n";
    let files = MemoryFiles::from_iter([
        ("/p/hcl.toml", "languages = [\"services.hcl\", \"../outside.hcl\", \"none.hcl\"]\n"),
        ("/p/services.hcl", table),
        ("/outside.hcl", table),
    ]);
    let mut workspace = Workspace::new(Arc::new(files), ["/p"]);
    let (languages, problems) = workspace.languages_of_settings();
    assert_eq!(languages.iter().map(|language| language.name()).collect::<Vec<_>>(), ["services"]);
    assert_eq!(problems.len(), 2, "{problems:?}");
    workspace.set_languages(languages);
    workspace.open("/p/web.services", "service \"web\" {\n  a = service.none.b\n}\n", Some(1), None);
    let found = workspace.snapshot().diagnostics("/p/web.services");
    assert!(found.iter().any(|own| own.note().contains("service.none")), "{found:?}");
}

/// Blocks with the role of a call, whatever they are called, lead to the directories that they call.
#[test]
fn calls_of_a_language_with_a_table_of_its_own() {
    let table = "name = \"stack\"\nfiles = [\"*.stack\"]\n\
        block \"input\" {\n  role = \"input\"\n  labels = [\"name\"]\n  defines = \"in.{name}\"\n  attributes = [\"default\"]\n}\n\
        block \"export\" {\n  role = \"result\"\n  labels = [\"name\"]\n  defines = \"export.{name}\"\n  attributes = [\"value\"]\n}\n\
        block \"component\" {\n  role = \"call\"\n  labels = [\"name\"]\n  defines = \"component.{name}\"\n  meta = [\"source\"]\n  required = [\"source\"]\n  static = [\"source\"]\n}\n";
    let language = Arc::new(Dialect::read(Source::new("stack.hcl", table)).unwrap());
    let main = "component \"net\" {\n  source = \"./net\"\n  zone   = 1\n}\nexport \"id\" {\n  value = component.net.id\n}\n";
    let net = "input \"zone\" {\n}\nexport \"id\" {\n  value = in.zone\n}\n";
    let files = MemoryFiles::from_iter([("/w/main.stack", main), ("/w/net/main.stack", net)]);
    let mut workspace = Workspace::new(Arc::new(files), ["/w"]);
    workspace.set_languages([language]);
    workspace.open("/w/main.stack", main, Some(1), None);
    workspace.open("/w/net/main.stack", net, Some(1), None);
    let own = workspace.snapshot();
    workspace.languages().run(|| {
        let at = |text: &str, name: &str| text.find(name).unwrap() as u32 + 1;
        // From the argument, the declaration, and a reference to it.
        let places = [
            ("/w/main.stack", at(main, "zone")),
            ("/w/net/main.stack", at(net, "zone")),
            ("/w/net/main.stack", net.find("in.zone").unwrap() as u32 + 4),
        ];
        for (path, offset) in places {
            assert_eq!(own.references(path, offset).len(), 3, "{path} {offset}");
            assert!(own.hover(path, offset).is_some(), "{path} {offset}");
            let renamed = own.rename(path, offset, "area").unwrap();
            assert_eq!(renamed.values().map(Vec::len).sum::<usize>(), 3, "{renamed:?}");
        }
        let result = main.find("net.id").unwrap() as u32 + 5;
        assert_eq!(own.definition("/w/main.stack", result)[0].location.path, "/w/net/main.stack");
        assert_eq!(own.references("/w/net/main.stack", at(net, "id\"")).len(), 2);
        assert_eq!(own.outgoing_calls("/w").len(), 1);
        assert_eq!(own.incoming_calls("/w/net").len(), 1);
    });
}
