//! Configurations of the native syntax and what `hcl convert` makes of them in the JSON syntax: decoded by the same spec,
//! both have the same value. They are those of the suite and those recorded for the op `decode` that have a value.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hclkit::ast::{BlockNode, BodyNode, Item};
use hclkit::convert::ToJson;
use serde_json::Value as Json;

use crate::cases;

#[test]
fn converted_configurations_have_the_same_values() {
    let (mut seen, mut wrong, mut accepted) = (BTreeSet::new(), Vec::new(), 0);
    for mut request in requests() {
        let native = answer(&request);
        let is_empty = |file: &Json| file["src"] == "";
        let files = request["files"].as_array().expect("a request has files").clone();
        if rejects(&native) || files.iter().all(is_empty) || !seen.insert(request.to_string()) {
            continue;
        }
        let Some(converted) = files.iter().map(converted).collect::<Option<Vec<_>>>() else { continue };
        request["files"] = converted.into();
        let json = answer(&request);
        if rejects(&json) || native["value"] != json["value"] {
            wrong.push(format!("{request}\nnative {native}\nJSON   {json}"));
        }
        accepted += 1;
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(accepted >= 200, "only {accepted} configurations with a value");
}

/// Requests of the op `decode` without files in the JSON syntax.
fn requests() -> Vec<Json> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = cases::files(&folder.join("../tests/suite")).expect("the suite can be read");
    let mut requests: Vec<Json> =
        files.iter().flat_map(|file| &file.cases).flat_map(|case| cases::Input(case).requests()).collect();
    let recorded =
        fs::read_to_string(folder.join("recorded/decode.jsonl")).expect("there are recorded answers");
    requests.extend(recorded.lines().map(|line| {
        let mut record: Json = serde_json::from_str(line).expect("recorded as JSON");
        record["request"].take()
    }));
    let is_native = |file: &Json| {
        file["name"].as_str().is_some_and(|name| Path::new(name).extension().is_some_and(|end| end == "hcl"))
    };
    requests.retain(|request| request["files"].as_array().is_some_and(|files| files.iter().all(is_native)));
    requests
}

/// The file in the JSON syntax, unless JSON cannot express it.
fn converted(file: &Json) -> Option<Json> {
    let document = hclkit::parse(file["src"].as_str()?);
    if is_mixed(document.body()) {
        return None;
    }
    let types = document.body().items().filter_map(|item| match item {
        Item::Block(block) => Some(block.block_type().to_owned()),
        Item::Attribute(_) => None,
    });
    // The names of iterators of dynamic blocks are not expressions.
    let converter = ToJson::new().with_ordered(types).with_static(["dynamic.iterator"]);
    let json = converter.convert(&document).ok()?;
    let name = format!("{}.json", file["name"].as_str()?);
    Some(serde_json::json!({ "name": name, "src": serde_json::to_string(&json).ok()? }))
}

/// Whether dynamic blocks stand among others of their type: in JSON these are properties of two names, which have no order.
fn is_mixed(body: BodyNode) -> bool {
    let labels =
        |block: BlockNode| block.labels().map(|label| label.value().into_owned()).collect::<Vec<_>>();
    let dynamic = body.blocks().filter(|block| block.block_type() == "dynamic").flat_map(labels);
    let dynamic: BTreeSet<String> = dynamic.collect();
    body.blocks().any(|block| dynamic.contains(block.block_type()) || is_mixed(block.body()))
}

fn answer(request: &Json) -> Json {
    serde_json::from_str(&hclkit_conformance::answer(&request.to_string())).expect("an answer is JSON")
}

fn rejects(answer: &Json) -> bool {
    let lists = ["parse_diags", "diags"].iter().filter_map(|list| answer[list].as_array());
    lists.flatten().any(|diagnostic| diagnostic["severity"] == "error")
}
