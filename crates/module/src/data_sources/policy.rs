//! `aws_iam_policy_document`: statements and other documents as the JSON of one IAM policy.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use hclkit_limits::Meter;
use hclkit_value::{Kind, Str, Value};

use super::arguments::ArgumentKind::{Blocks, Text, Texts};
use super::arguments::{Argument, Arguments, optional, required};
use super::json::Json;
use super::sets::{checksum, list_text, ordered, set_text};
use super::{DataSource, Outputs, Refusal, World};

pub(super) const SOURCE: DataSource = DataSource {
    name: "aws_iam_policy_document",
    provider: "hashicorp/aws",
    // Before, conditions with the same test and variable replaced each other.
    since: "5.14.0",
    version: "6",
    arguments: &[
        optional("override_json", Text),
        optional(OVERRIDES, Texts),
        optional("policy_id", Text),
        optional("source_json", Text),
        optional(SOURCES, Texts),
        optional(
            STATEMENT,
            Blocks(&[
                optional("actions", Texts),
                optional(
                    "condition",
                    Blocks(&[required("test", Text), required("values", Texts), required("variable", Text)]),
                ),
                optional("effect", Text),
                optional("not_actions", Texts),
                optional("not_principals", Blocks(PRINCIPALS)),
                optional("not_resources", Texts),
                optional("principals", Blocks(PRINCIPALS)),
                optional("resources", Texts),
                optional("sid", Text),
            ]),
        ),
        optional(VERSION, Text),
    ],
    outputs: &["id", "json", "minified_json", VERSION],
    compute,
};

const PRINCIPALS: &[Argument] = &[required("identifiers", Texts), required("type", Text)];
const OVERRIDES: &str = "override_policy_documents";
const SOURCES: &str = "source_policy_documents";
const STATEMENT: &str = "statement";
const VERSION: &str = "version";
/// The versions of the language of policies. Only the second one has variables.
const VERSIONS: [&str; 2] = ["2008-10-17", "2012-10-17"];
/// How a variable of a policy begins in an argument, where `${` would be a template, and in the policy.
const VARIABLE: [&str; 2] = ["&{", "${"];

/// A policy, or what is merged into one.
#[derive(Default)]
struct Document {
    version: Str,
    id: Str,
    statements: Vec<Rc<Statement>>,
    /// The indices of statements by their sid.
    by_sid: HashMap<Str, usize>,
}

#[derive(Default)]
struct Statement {
    sid: Str,
    effect: Str,
    /// The members with a string or a list of strings, in their order.
    lists: [Option<OneOrMany>; LISTS.len()],
    principals: [Vec<Principal>; PARTIES.len()],
    conditions: Vec<Condition>,
}

/// The arguments of a statement with strings, and the members of the document that they become.
const LISTS: [(&str, &str); 4] = [
    ("actions", "Action"),
    ("not_actions", "NotAction"),
    ("resources", "Resource"),
    ("not_resources", "NotResource"),
];
const PARTIES: [(&str, &str); 2] = [("principals", "Principal"), ("not_principals", "NotPrincipal")];

/// A string, or a list, which may have one element.
#[derive(Clone)]
enum OneOrMany {
    One(Str),
    Many(Vec<Str>),
}

struct Principal {
    kind: Str,
    identifiers: OneOrMany,
}

struct Condition {
    test: Str,
    variable: Str,
    values: Vec<Str>,
}

fn compute(arguments: &Arguments, _: &dyn World) -> Result<Outputs, Refusal> {
    for removed in ["source_json", "override_json"] {
        if arguments.text(removed).is_some_and(|text| !text.is_empty()) {
            let instead = removed.replace("json", "policy_documents");
            return Err(Refusal::invalid(removed, format!("it was removed; use `{instead}`")));
        }
    }
    let mut merged = Document::default();
    let mut sids: HashSet<Str> = HashSet::new();
    for (at, text) in arguments.texts(SOURCES).iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        let document = Document::parse(text).map_err(|own| own.of(SOURCES, at))?;
        for statement in document.statements.iter().filter(|statement| !statement.sid.is_empty()) {
            if !sids.insert(statement.sid.clone()) {
                let problem = format!("document {at} has a statement with a `Sid` that another one has, too");
                return Err(Refusal::invalid(SOURCES, problem));
            }
        }
        merged.merge(document);
    }
    let own = Document::of(arguments)?;
    let version = own.version.clone();
    merged.merge(own);
    for (at, text) in arguments.texts(OVERRIDES).iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        merged.merge(Document::parse(text).map_err(|own| own.of(OVERRIDES, at))?);
    }
    let json = merged.json();
    let text = json.indented()?;
    Ok(vec![
        ("id", Value::from(checksum(&text).to_string())),
        ("json", Value::from(text)),
        ("minified_json", Value::from(json.compact()?)),
        (VERSION, Value::from(version)),
    ])
}

impl Document {
    /// The document that the arguments describe.
    fn of(arguments: &Arguments) -> Result<Self, Refusal> {
        let version = arguments.text(VERSION).filter(|text| !text.is_empty()).unwrap_or(VERSIONS[1]);
        if !VERSIONS.contains(&version) {
            let all = VERSIONS.map(|own| format!("\"{own}\"")).join(" or ");
            return Err(Refusal::invalid(VERSION, format!("it must be {all}")));
        }
        let mut own = Self { version: version.into(), id: text(arguments, "policy_id"), ..Self::default() };
        for (at, block) in arguments.blocks(STATEMENT).iter().enumerate() {
            let statement = Statement::of(block, version, at)?;
            if own.by_sid.contains_key(&statement.sid) {
                let problem = format!("statement {at} has the same `sid` as another one");
                return Err(Refusal::invalid(STATEMENT, problem));
            }
            own.add(Rc::new(statement));
        }
        Ok(own)
    }

    /// Adds what another document says. Its statements replace those with the same sid.
    fn merge(&mut self, other: Self) {
        if !other.id.is_empty() {
            self.id = other.id;
        }
        if other.version > self.version {
            self.version = other.version;
        }
        for statement in other.statements {
            match self.by_sid.get(&statement.sid) {
                Some(at) => self.statements[*at] = statement,
                None => self.add(statement),
            }
        }
    }

    fn add(&mut self, statement: Rc<Statement>) {
        if !statement.sid.is_empty() {
            self.by_sid.entry(statement.sid.clone()).or_insert(self.statements.len());
        }
        self.statements.push(statement);
    }

    fn json(&self) -> Json {
        let mut members = Vec::new();
        add_text(&mut members, "Version", &self.version);
        add_text(&mut members, "Id", &self.id);
        if !self.statements.is_empty() {
            let all = self.statements.iter().map(|statement| statement.json()).collect();
            members.push(("Statement".into(), Json::List(all)));
        }
        Json::Object(members)
    }
}

fn text(arguments: &Arguments, name: &str) -> Str {
    arguments.text(name).unwrap_or_default().into()
}

fn add_text(members: &mut Vec<(Str, Json)>, name: &str, text: &Str) {
    if !text.is_empty() {
        members.push((name.into(), Json::Text(text.clone())));
    }
}

impl Statement {
    fn of(block: &Arguments, version: &str, at: usize) -> Result<Self, Refusal> {
        let effect = block.text("effect").unwrap_or("Allow");
        if !["Allow", "Deny"].contains(&effect) {
            let problem = format!("the effect of statement {at} must be \"Allow\" or \"Deny\"");
            return Err(Refusal::invalid(STATEMENT, problem));
        }
        let mut own = Self { sid: text(block, "sid"), effect: effect.into(), ..Self::default() };
        for (number, (name, _)) in LISTS.iter().enumerate() {
            let all = block.texts(name);
            // Actions have no variables.
            let all = if number < 2 { all.to_vec() } else { with_variables(all, version, at)? };
            own.lists[number] = (!all.is_empty()).then(|| OneOrMany::of_set(all));
        }
        for (number, (name, _)) in PARTIES.iter().enumerate() {
            let key = |block: &&Arguments| {
                let (all, kind) = (block.texts("identifiers"), block.text("type").unwrap_or_default());
                format!("identifiers:{}type:{kind};", set_text(all))
            };
            for block in ordered(block.blocks(name), key) {
                let identifiers = with_variables(block.texts("identifiers"), version, at)?;
                let identifiers = OneOrMany::of_set(identifiers);
                own.principals[number].push(Principal { kind: text(block, "type"), identifiers });
            }
        }
        let key = |block: &&Arguments| {
            let (test, variable) = (text(block, "test"), text(block, "variable"));
            format!("test:{test};values:{}variable:{variable};", list_text(block.texts("values")))
        };
        for block in ordered(block.blocks("condition"), key) {
            let values = with_variables(block.texts("values"), version, at)?;
            own.conditions.push(Condition {
                test: text(block, "test"),
                variable: text(block, "variable"),
                values,
            });
        }
        Ok(own)
    }

    fn json(&self) -> Json {
        let mut members = Vec::new();
        add_text(&mut members, "Sid", &self.sid);
        add_text(&mut members, "Effect", &self.effect);
        for ((_, name), list) in LISTS.iter().zip(&self.lists) {
            members.extend(list.as_ref().map(|list| ((*name).into(), list.json())));
        }
        for ((_, name), all) in PARTIES.iter().zip(&self.principals).filter(|(_, all)| !all.is_empty()) {
            members.push(((*name).into(), principals(all)));
        }
        if !self.conditions.is_empty() {
            members.push(("Condition".into(), conditions(&self.conditions)));
        }
        Json::Object(members)
    }
}

/// The strings with variables as the policy has them.
fn with_variables(all: &[Str], version: &str, at: usize) -> Result<Vec<Str>, Refusal> {
    if version == VERSIONS[0] && all.iter().any(|text| text.contains(VARIABLE[0])) {
        let problem =
            format!("statement {at} has a variable (`&{{`), which version {version} does not support");
        return Err(Refusal::invalid(STATEMENT, problem));
    }
    Ok(all.iter().map(|text| text.replace(VARIABLE[0], VARIABLE[1]).into()).collect())
}

impl OneOrMany {
    /// The strings of a set: one as a string, and several in reverse order.
    fn of_set(mut all: Vec<Str>) -> Self {
        all.sort_by(|one, other| other.cmp(one));
        all.dedup();
        match &all[..] {
            [only] => Self::One(only.clone()),
            _ => Self::Many(all),
        }
    }

    /// Reads a string or a list of strings. `None` if it is something else.
    fn parse(value: &Value) -> Result<Option<Self>, BadDocument> {
        if let Some(text) = value.as_str() {
            return Ok(Some(Self::One(text.into())));
        }
        Ok(value.as_slice().map(texts).transpose()?.flatten().map(Self::Many))
    }

    /// Adds strings at the end.
    fn extend(&mut self, more: Self) {
        if let Self::One(only) = self {
            *self = Self::Many(vec![only.clone()]);
        }
        if let Self::Many(all) = self {
            match more {
                Self::One(only) => all.push(only),
                Self::Many(more) => all.extend(more),
            }
        }
    }

    fn json(&self) -> Json {
        match self {
            Self::One(text) => Json::Text(text.clone()),
            Self::Many(all) => Json::texts(all),
        }
    }
}

/// Principals by their types.
fn principals(all: &[Principal]) -> Json {
    let is_any = |identifiers: &OneOrMany| match identifiers {
        OneOrMany::One(only) => **only == *"*",
        OneOrMany::Many(all) => matches!(&all[..], [only] if **only == *"*"),
    };
    if let [Principal { kind, identifiers }] = all
        && **kind == *"*"
        && is_any(identifiers)
    {
        return Json::Text("*".into());
    }
    let mut merged: BTreeMap<&Str, OneOrMany> = BTreeMap::new();
    for Principal { kind, identifiers } in all {
        let mut identifiers = identifiers.clone();
        if let OneOrMany::Many(all) = &mut identifiers {
            all.sort_by(|one, other| other.cmp(one));
        }
        match merged.get_mut(kind) {
            Some(own) => own.extend(identifiers),
            None => {
                merged.insert(kind, identifiers);
            }
        }
    }
    Json::Object(merged.into_iter().map(|(kind, all)| (kind.clone(), all.json())).collect())
}

/// Conditions by their tests and variables.
fn conditions(all: &[Condition]) -> Json {
    let mut merged: BTreeMap<&Str, BTreeMap<&Str, Vec<&Str>>> = BTreeMap::new();
    for Condition { test, variable, values } in all {
        merged.entry(test).or_default().entry(variable).or_default().extend(values);
    }
    let of_variable = |(variable, values): (&Str, Vec<&Str>)| match &values[..] {
        [only] => (variable.clone(), Json::Text((*only).clone())),
        _ => (variable.clone(), Json::texts(values)),
    };
    let of_test = |(test, variables): (&Str, BTreeMap<&Str, Vec<&Str>>)| {
        (test.clone(), Json::Object(variables.into_iter().map(of_variable).collect()))
    };
    Json::Object(merged.into_iter().map(of_test).collect())
}

/// Why a document cannot be merged.
enum BadDocument {
    /// What is wrong with it.
    Invalid(&'static str),
    /// It has what only the provider knows how to merge.
    Beyond,
}

impl BadDocument {
    fn of(self, argument: &'static str, at: usize) -> Refusal {
        match self {
            Self::Invalid(problem) => Refusal::invalid(argument, format!("document {at} {problem}")),
            Self::Beyond => Refusal::Unknown,
        }
    }
}

impl Document {
    fn parse(text: &str) -> Result<Self, BadDocument> {
        let value = Value::from_plain_json(text.as_bytes());
        let value = value.map_err(|_| BadDocument::Invalid("is not JSON"))?;
        if value.is_null() {
            return Ok(Self::default());
        }
        if value.as_object().is_none() {
            return Err(BadDocument::Invalid("is not an object"));
        }
        let mut own = Self {
            version: text_member(&value, "Version")?,
            id: text_member(&value, "Id")?,
            ..Self::default()
        };
        if let Some(all) = member(&value, "Statement")? {
            let Some(all) = all.as_slice() else {
                return Err(BadDocument::Invalid("has a `Statement` that is not a list"));
            };
            for statement in all {
                own.add(Rc::new(Statement::parse(statement)?));
            }
        }
        Ok(own)
    }
}

/// A member of an object that is not null.
fn member(object: &Value, name: &str) -> Result<Option<Value>, BadDocument> {
    Ok(any_member(object, name)?.filter(|value| !value.is_null()))
}

/// A member of an object. As in Go, letters of its name can have any case.
fn any_member(object: &Value, name: &str) -> Result<Option<Value>, BadDocument> {
    let entries = object.entries().into_iter().flatten();
    let mut same = entries.filter(|(own, _)| own.eq_ignore_ascii_case(name));
    let found = same.next().map(|(_, value)| value.clone());
    if same.next().is_some() {
        return Err(BadDocument::Beyond);
    }
    Ok(found)
}

fn text_member(object: &Value, name: &str) -> Result<Str, BadDocument> {
    match member(object, name)? {
        None => Ok(Str::default()),
        Some(value) => match value.as_str() {
            Some(text) => Ok(text.into()),
            None => {
                Err(BadDocument::Invalid("has a `Version`, `Id`, `Sid` or `Effect` that is not a string"))
            }
        },
    }
}

/// The strings of a list, if it has nothing else.
fn texts(all: &[Value]) -> Result<Option<Vec<Str>>, BadDocument> {
    Meter::current().take_elements(all.len()).map_err(|_| BadDocument::Beyond)?;
    Ok(all.iter().map(|value| value.as_str().map(Str::from)).collect())
}

impl Statement {
    fn parse(value: &Value) -> Result<Self, BadDocument> {
        if value.is_null() {
            return Err(BadDocument::Beyond);
        }
        if value.as_object().is_none() {
            return Err(BadDocument::Invalid("has a statement that is not an object"));
        }
        let mut own = Self {
            sid: text_member(value, "Sid")?,
            effect: text_member(value, "Effect")?,
            ..Self::default()
        };
        for (number, (_, name)) in LISTS.iter().enumerate() {
            let Some(list) = member(value, name)? else { continue };
            own.lists[number] = Some(OneOrMany::parse(&list)?.ok_or(BadDocument::Beyond)?);
        }
        for (number, (_, name)) in PARTIES.iter().enumerate() {
            if let Some(all) = any_member(value, name)? {
                own.principals[number] = parse_principals(&all)?;
            }
        }
        if let Some(all) = member(value, "Condition")? {
            own.conditions = parse_conditions(&all)?;
        }
        Ok(own)
    }
}

fn parse_principals(value: &Value) -> Result<Vec<Principal>, BadDocument> {
    const INVALID: BadDocument =
        BadDocument::Invalid("has a principal that is not a string or a list of strings");
    let any = || OneOrMany::Many(vec!["*".into()]);
    if value.as_str().is_some() {
        return Ok(vec![Principal { kind: "*".into(), identifiers: any() }]);
    }
    let Some(entries) = value.entries() else { return Err(INVALID) };
    let one = |(kind, value): (&Str, &Value)| {
        Ok(Principal { kind: kind.clone(), identifiers: OneOrMany::parse(value)?.ok_or(INVALID)? })
    };
    entries.map(one).collect()
}

fn parse_conditions(value: &Value) -> Result<Vec<Condition>, BadDocument> {
    const INVALID: BadDocument = BadDocument::Invalid("has a condition that is not an object of objects");
    let mut all = Vec::new();
    for (test, variables) in value.entries().ok_or(INVALID)? {
        if variables.is_null() {
            continue;
        }
        for (variable, values) in variables.entries().ok_or(INVALID)? {
            let values = match values.kind() {
                Kind::String(text) => vec![Str::from(&**text)],
                Kind::Bool(value) => vec![value.to_string().into()],
                Kind::Tuple(_) => texts(values.as_slice().unwrap_or_default())?.ok_or(BadDocument::Beyond)?,
                // As in the provider, others are left out.
                _ => continue,
            };
            all.push(Condition { test: test.clone(), variable: variable.clone(), values });
        }
    }
    Ok(all)
}
