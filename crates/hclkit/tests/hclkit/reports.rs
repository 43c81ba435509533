//! Reports in every format: custom codes, related places in other files, diagnostics without a source, and streaming.

use std::io::{self, Write};
use std::sync::Arc;

use hclkit::render::{self, FailedFile, FixedError, FixedFile, Format, Renderer, ReportWriter};
use hclkit::syntax::Evidence;
use hclkit::{Code, Diagnostic, Diagnostics, Place, Severity, Source, Span};
use serde_json::{Value, json};

const OWNER: Code =
    Code::custom("aws-owner", "Owner defined twice").with_explanation("Define each owner once.");

/// A warning with a custom code and a related place in another file, and an error without a code, note and source.
fn findings() -> Diagnostics {
    let [first, second] = [("a.tf", "é = 1\nowner = \"x\"\n"), ("b é.tf", "😀 = 0; owner = \"y\"\n")]
        .map(|(name, text)| Arc::new(Source::new(name, text)));
    let start = second.text().find("owner").unwrap() as u32;
    let warning = Diagnostic::warning(OWNER)
        .at(Place::new(&second, Span::new(start, start + 5)))
        .with_note("The owner is defined in another file.")
        .with_related(&first, Span::new(7, 12), "first defined here")
        .with_evidence([Evidence::new("owner", "\"y\"")])
        .with_edit("Remove it", Span::new(start, start + 11), "");
    [warning, Diagnostic::error("Port in use")].into_iter().collect()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn text_shows_the_code_and_the_other_file() {
    let mut report = ReportWriter::new(Format::Text(Renderer::plain()), Vec::new());
    report.diagnostics(&findings()).unwrap();
    report.finish().unwrap();
    let text = String::from_utf8(report.into_inner()).unwrap();
    assert_eq!(text, format!("{}\n", Renderer::plain().diagnostics(&findings())));
    for part in [
        "warning[aws-owner]: Owner defined twice\n --> b é.tf:1:8\n",
        " ::: a.tf:2:1\n",
        "----- first defined here\n",
        "= note: The owner is defined in another file.\n",
        "= where: owner is \"y\"\n",
        "help: Remove it\n",
        "\n\nerror: Port in use\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[test]
fn json_is_what_diagnostics_serialize_to() {
    let found = findings();
    let report = parsed(&render::json(&found));
    let range = |line: u32, column: [u32; 2], byte: [u32; 2]| {
        let [start, end] = [0, 1].map(|at| json!({"line": line, "column": column[at], "byte": byte[at]}));
        json!({"start": start, "end": end})
    };
    let warning = json!({
        "code": "aws-owner",
        "severity": "warning",
        "summary": "Owner defined twice",
        "detail": "The owner is defined in another file.",
        "file": "b é.tf",
        "range": range(1, [8, 13], [10, 15]),
        "context": null,
        "related": [{"message": "first defined here", "file": "a.tf", "range": range(2, [1, 6], [7, 12])}],
        "address": null,
        "evidence": [{"expression": "owner", "value": "\"y\""}],
        "fix": {"title": "Remove it", "edits": [{"range": range(1, [8, 19], [10, 21]), "replacement": ""}]},
    });
    assert_eq!(report["diagnostics"][0], warning);
    let error = &report["diagnostics"][1];
    assert_eq!([&error["code"], &error["file"], &error["range"]], [&Value::Null; 3]);
    let serialized = serde_json::to_value(&found).unwrap();
    for (name, value) in serialized.as_object().unwrap() {
        assert_eq!(&report[name], value, "{name}");
    }
    assert_eq!(serialized["diagnostics"], serde_json::to_value(found.as_slice()).unwrap());
    let counts = ["version", "errors", "warnings", "unreported", "files"].map(|name| report[name].as_u64());
    assert_eq!(counts, [Some(1), Some(1), Some(1), Some(0), Some(0)]);
}

#[test]
fn sarif_lists_only_rules_that_were_declared_or_reported() {
    const UNUSED: Code = Code::custom("unused-rule", "Never reported");
    let mut report = ReportWriter::new(Format::Sarif, Vec::new())
        .with_tool("lint", "1.2.3", "https://example.com")
        .with_rules([(UNUSED, Severity::Warning)]);
    report.diagnostics(&findings()).unwrap();
    report.diagnostics(&findings()).unwrap();
    report.finish().unwrap();
    let sarif = parsed(&String::from_utf8(report.into_inner()).unwrap());
    let run = &sarif["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!([&driver["name"], &driver["semanticVersion"]], ["lint", "1.2.3"]);
    let rules = driver["rules"].as_array().unwrap();
    let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    let mut used = vec!["unused-rule"];
    for found in &findings() {
        let code = found.code().map(Code::as_str);
        used.extend(code.filter(|code| !used.contains(code)));
    }
    assert_eq!(ids, used);
    assert_eq!(
        rules.iter().find(|rule| rule["id"] == "aws-owner").unwrap(),
        &json!({
            "id": "aws-owner",
            "shortDescription": {"text": "Owner defined twice"},
            "fullDescription": {"text": "Define each owner once."},
            "help": {"text": "Define each owner once."},
            "defaultConfiguration": {"level": "warning"},
        })
    );
    // Columns count UTF-16 code units.
    let region = |line: u32, columns: [u32; 2], byte: u32| {
        json!({
            "startLine": line, "startColumn": columns[0], "endLine": line, "endColumn": columns[1],
            "byteOffset": byte, "byteLength": columns[1] - columns[0],
        })
    };
    let file = |uri: &str| json!({"uri": uri});
    let at = |uri, region| json!({"artifactLocation": file(uri), "region": region});
    let warning = json!({
        "ruleId": "aws-owner",
        "ruleIndex": ids.iter().position(|id| *id == "aws-owner").unwrap(),
        "level": "warning",
        "message": {"text": "Owner defined twice. The owner is defined in another file."},
        "locations": [{"physicalLocation": at("b%20%C3%A9.tf", region(1, [9, 14], 10))}],
        "relatedLocations": [{
            "physicalLocation": at("a.tf", region(2, [1, 6], 7)),
            "message": {"text": "first defined here"},
        }],
        "fixes": [{
            "description": {"text": "Remove it"},
            "artifactChanges": [{
                "artifactLocation": file("b%20%C3%A9.tf"),
                "replacements": [{"deletedRegion": region(1, [9, 20], 10)}],
            }],
        }],
    });
    let results = run["results"].as_array().unwrap();
    let fingerprint = |result: &Value| result["partialFingerprints"]["primaryLocationLineHash"].clone();
    assert_eq!([0, 2].map(|at| fingerprint(&results[at])), ["1b7e8b05b12dba50:1", "1b7e8b05b12dba50:2"]);
    // The schema does not allow null, so missing properties are left out.
    let error = json!({"level": "error", "message": {"text": "Port in use"}, "locations": []});
    let mut results = results.clone();
    for result in &mut results {
        result.as_object_mut().unwrap().remove("partialFingerprints");
    }
    assert_eq!(results, [warning.clone(), error.clone(), warning, error]);
}

/// The fingerprints of the findings in a text.
fn fingerprints(text: &str) -> Vec<String> {
    let document = hclkit::Document::parse(Source::new("a.hcl", text), hclkit::StartSymbol::Config);
    let report = parsed(&render::sarif(document.diagnostics()));
    let results = report["runs"][0]["results"].as_array().unwrap().iter();
    let one =
        |result: &Value| result["partialFingerprints"]["primaryLocationLineHash"].as_str().map(str::to_owned);
    results.map(|result| one(result).unwrap()).collect()
}

#[test]
fn fingerprints_follow_a_finding_when_its_line_moves() {
    let text = "a = [1 2]\nb = 'x'\nservice {\n  b = 'x'\n}\n";
    let before = fingerprints(text);
    assert_eq!(before.len(), 3);
    // Lines before it, spaces around it.
    let moved = text.replace("a = [1 2]", "c = 3\n\na  =  [1 2]").replace("  b = 'x'", "\tb = 'x'");
    assert_eq!(fingerprints(&moved), before);
    // Lines with the same text are numbered.
    assert_eq!(before[1].split_once(':').unwrap().0, before[2].split_once(':').unwrap().0);
    assert!(before[1].ends_with(":1") && before[2].ends_with(":2"), "{before:?}");
    // Another code and another text are other findings.
    let changed = fingerprints(&text.replace("[1 2]", "[1, 2"));
    assert!(changed.iter().all(|one| *one != before[0]), "{changed:?}");
    assert!(!fingerprints("b = 'y'\n").contains(&before[1]));
}

#[test]
fn sarif_reports_match_the_schema() {
    let mut compiler = boon::Compiler::new();
    compiler.enable_format_assertions();
    let schema = serde_json::from_str(include_str!("sarif.schema.json")).unwrap();
    compiler.add_resource("sarif.json", schema).unwrap();
    let mut schemas = boon::Schemas::new();
    let schema = compiler.compile("sarif.json", &mut schemas).unwrap();
    let check = |report: &Value| schemas.validate(report, schema).map_err(|error| format!("{error:#}"));

    let mut report =
        ReportWriter::new(Format::Sarif, Vec::new()).with_tool("lint", "1.2.3", "https://example.com");
    report.diagnostics(&findings()).unwrap();
    // Equal related places are written once.
    let twice = findings()[0].clone();
    let related = &twice.related()[0];
    let (source, span) = (related.source().unwrap().clone(), related.span());
    report.diagnostic(&twice.with_related(&source, span, "first defined here")).unwrap();
    let range = findings()[0].place().unwrap().range();
    let error = FixedError { range, code: Some(OWNER), title: "x".into() };
    report.fixed(FixedFile { name: "a b.tf".into(), errors: vec![error], written: true, diff: None });
    report.failed(FailedFile { name: "C: %/é?.tf".into(), action: "read", reason: "no such file".into() });
    // The diagnostics of texts that end too early, with their fixes.
    for text in
        [include_str!("../../../../examples/service/web.hcl"), "a = <<EOT\n${x\n%{if}\nEOT\nb = {c: [1 2"]
    {
        for end in (0..text.len()).step_by(3).filter(|&end| text.is_char_boundary(end)) {
            for text in [text[..end].to_owned(), text[end..].to_owned()] {
                let source = Source::new("web.hcl", text);
                let document = hclkit::Document::parse(source, hclkit::StartSymbol::Config);
                report.diagnostics(document.diagnostics()).unwrap();
            }
        }
    }
    report.finish().unwrap();
    let report = parsed(&String::from_utf8(report.into_inner()).unwrap());
    assert!(report["runs"][0]["results"].as_array().unwrap().len() > 300);
    check(&report).unwrap();

    // It rejects what the specification does not allow.
    let wrong: [fn(&mut Value); 4] = [
        |report| report["runs"][0]["results"][0]["level"] = json!("fatal"),
        |report| report["runs"][0]["results"][0]["message"] = json!({}),
        |report| report["runs"][0]["tool"]["driver"]["name"] = Value::Null,
        |report| {
            *report.pointer_mut("/runs/0/results/0/locations/0/physicalLocation/region/startLine").unwrap() =
                json!(0);
        },
    ];
    for change in wrong {
        let mut report = report.clone();
        change(&mut report);
        assert!(check(&report).is_err());
    }
}

#[test]
fn annotations_show_the_code_and_the_other_file() {
    assert_eq!(
        render::github(&findings()),
        "::warning file=b é.tf,line=1,endLine=1,col=8,endColumn=12,title=Owner defined twice [aws-owner]::\
         The owner is defined in another file.%0Aa.tf:2:1: first defined here%0Aowner is \"y\"%0A\
         Suggested fix: Remove it.\n\
         ::error title=Port in use::Port in use\n"
    );
}

#[test]
fn compact_reports_are_one_line() {
    for format in [Format::Json, Format::Sarif] {
        let written = |compact: bool| {
            let mut report = ReportWriter::new(format.clone(), Vec::new()).with_compact(compact);
            report.diagnostics(&findings()).unwrap();
            let error = FixedError {
                range: findings()[0].place().unwrap().range(),
                code: Some(OWNER),
                title: "x".into(),
            };
            report.fixed(FixedFile { name: "a.tf".into(), errors: vec![error], written: true, diff: None });
            report.finish().unwrap();
            String::from_utf8(report.into_inner()).unwrap()
        };
        let (compact, pretty) = (written(true), written(false));
        assert_eq!(compact.lines().count(), 1);
        let value = parsed(&compact);
        assert_eq!(value, parsed(&pretty));
        let count = |text: String| text.lines().count();
        assert_eq!(count(pretty), count(serde_json::to_string_pretty(&value).unwrap()));
    }
}

/// A writer that fails after a number of bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn diagnostics_are_written_when_they_are_pushed() {
    for format in [Format::Text(Renderer::plain()), Format::Json, Format::Sarif, Format::GitHub] {
        let mut report = ReportWriter::new(format.clone(), Vec::new());
        let mut written = 0;
        for diagnostic in &findings() {
            report.diagnostic(diagnostic).unwrap();
            assert!(report.get_mut().len() > written, "{format:?}");
            written = report.get_mut().len();
        }
    }
}

#[test]
fn diagnostics_are_counted_after_a_failure_to_write() {
    let mut report = ReportWriter::new(Format::Sarif, Full(100));
    assert_eq!(report.diagnostics(&findings()).unwrap_err().kind(), io::ErrorKind::StorageFull);
    report.diagnostics(&findings()).unwrap();
    assert_eq!((report.totals().errors, report.totals().warnings, report.totals().sources.len()), (2, 2, 1));
}
