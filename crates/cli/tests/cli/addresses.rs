//! `hcl eval --attr`: an address selects the only block that has everything that the address names.

use crate::program::Folder;

const NATIVE: &str = r#"locals {
  a = nothing.at_all
}
locals {
  x = 1
  y = nothing.at_all
}
locals {
  deep {
    p = 1
  }
  deep {
    q = [2, nothing]
    r = { s = 3 }
  }
  a = 4
}
"#;

const JSON: &str = r#"{
  "locals": [
    {"a": "${nothing.at_all}"},
    {"x": 1, "y": "${nothing.at_all}"},
    {"deep": [{"p": 1}, {"q": [2, "${nothing}"], "r": {"s": 3}}], "a": 4}
  ],
  "server": {"web": {"port": 80}, "db": {"port": 81, "host": "${nothing}"}},
  "server": {"cache": {"port": 82}},
  "names": {"${\"x\"}": 5, "z": 6},
  "text": "${[7, 8]}",
  "list": [{"n": 1}, {"n": 2}],
  "none": null
}"#;

/// The exit code and the output for an address.
fn at(file: &str, text: &str, address: &str) -> String {
    let folder = Folder::with(&[(file, text)]);
    let output = folder.command(&["eval", "-f", file, "--attr", address]).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    format!("{} {}", output.status.code().unwrap(), String::from_utf8(text).unwrap().trim_end())
}

#[test]
fn the_only_block_that_has_it_is_found_in_both_syntaxes() {
    for (file, text) in [("a.hcl", NATIVE), ("a.json", JSON)] {
        let at = |address: &str| at(file, text, address);
        assert_eq!(at("locals.x"), "0 1", "{file}");
        assert_eq!(at("locals[1].x"), "0 1", "{file}");
        assert_eq!(at("locals.deep.p"), "0 1", "{file}");
        assert_eq!(at("locals.deep.r.s"), "0 3", "{file}");
        assert_eq!(at("locals.deep[1].r"), "0 { s = 3 }", "{file}");
        assert_eq!(at("locals[2].a"), "0 4", "{file}");
        assert!(at("locals[0].a").starts_with("1 error[unknown-variable]"), "{file}");
        let nothing = "1 error: nothing found at";
        assert_eq!(
            at("locals.zz"),
            format!("{nothing} locals.zz: no `zz`; expected a, x, y, deep"),
            "{file}"
        );
        assert_eq!(
            at("locals.dep.p"),
            format!("{nothing} locals.dep.p: no `dep`; did you mean `deep`?"),
            "{file}"
        );
        assert_eq!(
            at("locals.deep.zz"),
            format!("{nothing} locals.deep.zz: no `zz`; expected p, q, r"),
            "{file}"
        );
        assert_eq!(
            at("locals[3].x"),
            format!("{nothing} locals[3].x: the index of the last block is 2"),
            "{file}"
        );
    }
}

#[test]
fn an_address_in_several_blocks_is_ambiguous() {
    assert_eq!(
        at("a.hcl", NATIVE, "locals.a"),
        "2 error: locals.a is ambiguous; it could refer to locals[0], locals[2]"
    );
    assert_eq!(
        at("a.json", JSON, "locals.a"),
        "2 error: locals.a is ambiguous; it could refer to the values on lines 3, 5"
    );
    assert_eq!(
        at("a.json", JSON, "server"),
        "2 error: server is ambiguous; it could refer to the values on lines 7, 8"
    );
    let inner = "a {\n  b {\n    c = 1\n  }\n  b {\n    c = 2\n  }\n}\na {\n  b {\n    c = 3\n  }\n}\n";
    assert_eq!(at("a.hcl", inner, "a.b.c"), "2 error: a.b.c is ambiguous; it could refer to b[0], b[1]");
    assert_eq!(at("a.hcl", inner, "a[1].b.c"), "0 3");
}

#[test]
fn addresses_lead_into_values_of_the_json_syntax() {
    let at = |address: &str| at("a.json", JSON, address);
    assert_eq!(at("server.db.port"), "0 81");
    assert_eq!(at("server.cache.port"), "0 82");
    assert_eq!(at("server[1].cache.port"), "0 82");
    // Names that are templates are evaluated.
    assert_eq!(at("names.x"), "0 5");
    assert_eq!(at("names.z"), "0 6");
    assert_eq!(at("text[1]"), "0 8");
    assert_eq!(at("list[1].n"), "0 2");
    assert_eq!(at("list"), "0 [{ n = 1 }, { n = 2 }]");
    assert_eq!(at("none.x"), "1 error: nothing found at none.x: a null value has no attributes or elements");
    assert_eq!(
        at("server.db.port.x"),
        "1 error: nothing found at server.db.port.x: only an object has attributes"
    );
}
