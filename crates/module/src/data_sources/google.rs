//! `google_iam_policy`: bindings and settings of audits as the JSON of one IAM policy.

use std::collections::{BTreeMap, BTreeSet};

use hclkit_value::{Str, Value};

use super::arguments::ArgumentKind::{Blocks, Text, Texts};
use super::arguments::{Arguments, optional, required};
use super::json::Json;
use super::sets::{checksum, ordered, set_text, strings};
use super::{DataSource, Outputs, Refusal, World};

pub(super) const SOURCE: DataSource = DataSource {
    name: "google_iam_policy",
    provider: "hashicorp/google",
    // Before, bindings were not in order.
    since: "4.39.0",
    version: "7",
    arguments: &[
        optional(
            "audit_config",
            Blocks(&[
                required(
                    "audit_log_configs",
                    Blocks(&[optional("exempted_members", Texts), required("log_type", Text)]),
                ),
                required("service", Text),
            ]),
        ),
        optional(
            BINDING,
            Blocks(&[
                optional(
                    "condition",
                    Blocks(&[
                        optional("description", Text),
                        required("expression", Text),
                        required("title", Text),
                    ]),
                ),
                required("members", Texts),
                required("role", Text),
            ]),
        ),
    ],
    outputs: &["id", "policy_data"],
    compute,
};

const BINDING: &str = "binding";

fn compute(arguments: &Arguments, _: &dyn World) -> Result<Outputs, Refusal> {
    let mut members = Vec::new();
    let audits = audits(arguments.blocks("audit_config"));
    if !audits.is_empty() {
        members.push(("auditConfigs".into(), Json::List(audits)));
    }
    let bindings = bindings(arguments.blocks(BINDING))?;
    if !bindings.is_empty() {
        members.push(("bindings".into(), Json::List(bindings)));
    }
    let text = Json::Object(members).compact()?;
    Ok(vec![("id", Value::from(checksum(&text).to_string())), ("policy_data", Value::from(text))])
}

/// The condition of a binding, by which bindings are ordered: expression, title and description.
type Condition<'a> = Option<[&'a str; 3]>;

/// Bindings by their role and condition. The members of those that have the same are together.
fn bindings(blocks: &[Arguments]) -> Result<Vec<Json>, Refusal> {
    let mut distinct: BTreeSet<(&str, Condition<'_>, BTreeSet<&Str>)> = BTreeSet::new();
    for block in blocks {
        let members: BTreeSet<&Str> = block.texts("members").iter().collect();
        if members.iter().any(|member| member.starts_with("deleted:")) {
            return Err(Refusal::invalid(
                BINDING,
                "members must not be deleted principals (`deleted:`)".to_owned(),
            ));
        }
        let condition = match block.blocks("condition") {
            [] => None,
            [own] => {
                Some(["expression", "title", "description"].map(|name| own.text(name).unwrap_or_default()))
            }
            _ => return Err(Refusal::Unknown),
        };
        distinct.insert((block.text("role").unwrap_or_default(), condition, members));
    }
    let mut merged: BTreeMap<(&str, Condition<'_>), Vec<&Str>> = BTreeMap::new();
    for (role, condition, members) in distinct {
        merged.entry((role, condition)).or_default().extend(members);
    }
    let one = |((role, condition), mut members): ((&str, Condition<'_>), Vec<&Str>)| {
        members.sort();
        let mut own: Vec<(Str, Json)> = Vec::new();
        if let Some([expression, title, description]) = condition {
            let mut inner: Vec<(Str, Json)> = Vec::new();
            add_text(&mut inner, "description", description);
            inner.push(("expression".into(), Json::Text(expression.into())));
            inner.push(("title".into(), Json::Text(title.into())));
            own.push(("condition".into(), Json::Object(inner)));
        }
        add(&mut own, "members", members);
        add_text(&mut own, "role", role);
        Json::Object(own)
    };
    Ok(merged.into_iter().map(one).collect())
}

/// Adds a list, unless it is empty.
fn add(members: &mut Vec<(Str, Json)>, name: &str, all: Vec<&Str>) {
    if !all.is_empty() {
        members.push((name.into(), Json::texts(all)));
    }
}

/// Adds a string, unless it is empty.
fn add_text(members: &mut Vec<(Str, Json)>, name: &str, text: &str) {
    if !text.is_empty() {
        members.push((name.into(), Json::Text(text.into())));
    }
}

/// The settings of audits, in the order of a set.
fn audits(blocks: &[Arguments]) -> Vec<Json> {
    let log_text = |log: &&Arguments| {
        let members = set_text(log.texts("exempted_members"));
        format!("exempted_members:{members}log_type:{};", log.text("log_type").unwrap_or_default())
    };
    let text = |block: &&Arguments| {
        let logs = ordered(block.blocks("audit_log_configs"), log_text);
        let logs: Vec<String> = logs.iter().map(|log| format!("<{}>;", log_text(log))).collect();
        let logs = logs.concat();
        format!("audit_log_configs:{{{logs}}};service:{};", block.text("service").unwrap_or_default())
    };
    let log = |log: &Arguments| {
        let mut own = Vec::new();
        add(&mut own, "exemptedMembers", strings(log.texts("exempted_members")));
        add_text(&mut own, "logType", log.text("log_type").unwrap_or_default());
        Json::Object(own)
    };
    let audit = |block: &Arguments| {
        let mut own: Vec<(Str, Json)> = Vec::new();
        let logs = ordered(block.blocks("audit_log_configs"), log_text);
        if !logs.is_empty() {
            own.push(("auditLogConfigs".into(), Json::List(logs.into_iter().map(log).collect())));
        }
        add_text(&mut own, "service", block.text("service").unwrap_or_default());
        Json::Object(own)
    };
    ordered(blocks, text).into_iter().map(audit).collect()
}
