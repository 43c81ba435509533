//! The cases of evaluation: sources with their variables, for any number of elements, for hclkit, hcl-rs and the
//! reference.

use anyhow::{Context as _, Result, anyhow};
use hclkit_model::{Context, Expression, Functions};
use hclkit_syntax::ast::Item;
use hclkit_syntax::{Document, parse, parse_expression, parse_template};
use hclkit_value::{Type, Value};
use serde_json::{Value as Json, json};

/// How a source is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum As {
    /// An expression.
    Expression,
    /// A template.
    Template,
    /// A file with one block, each attribute of which sees those before it under `local`.
    Locals,
}

/// One row of the table.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name in the table and on the command line.
    pub name: &'static str,
    /// How the source is read.
    pub source_is: As,
    /// The source.
    pub source: String,
    /// The source and the number of elements for hcl-rs, if it cannot evaluate this many.
    pub smaller: Option<(String, usize)>,
    /// The number of elements. Times are for one element.
    pub elements: usize,
    /// Variables: names, types and values, as the type system's JSON.
    pub variables: Vec<(&'static str, Json, Json)>,
}

/// All cases with this many elements; the chain has a tenth of them.
pub fn cases(count: usize) -> Vec<Case> {
    let servers = || {
        let items: Vec<_> = (0..count)
            .map(|n| json!({ "name": format!("server-{n}"), "zone": ZONES[n % ZONES.len()], "port": 8000 + n % 100, "up": n % 3 > 0 }))
            .collect();
        let ty = json!(["list", ["object", { "name": "string", "zone": "string", "port": "number", "up": "bool" }]]);
        vec![("servers", ty, items.into())]
    };
    let numbers = || vec![("numbers", json!(["list", "number"]), (0..count).collect::<Json>())];
    let chain = |length: usize| vec!["x"; length + 1].join(" + ");
    let case = |name, source: &str, variables| Case {
        name,
        source_is: As::Expression,
        source: source.to_owned(),
        smaller: None,
        elements: count,
        variables,
    };
    let long = (count / 10).max(1);
    vec![
        case("list for with condition", "[for n in numbers : n * 2 if n > 10]", numbers()),
        case("object for with grouping", "{for s in servers : s.zone => s.name...}", servers()),
        Case {
            source_is: As::Template,
            ..case(
                "template loop",
                "%{ for s in servers ~}\n${s.name} listens on ${s.port}\n%{ endfor ~}\n",
                servers(),
            )
        },
        Case {
            elements: long,
            smaller: Some((chain(60), 60)),
            ..case("operator in a chain", &chain(long), vec![("x", json!("number"), json!(3))])
        },
        case("function call", "[for n in numbers : abs(n)]", numbers()),
        case("splat", "servers[*].name", servers()),
        Case { source_is: As::Locals, elements: 1, ..case("block of locals", LOCALS, inputs()) },
    ]
}

const ZONES: [&str; 4] = ["eu-central-1a", "eu-central-1b", "eu-west-1a", "us-east-1c"];

/// A block of 200 lines.
pub const LOCALS: &str = include_str!("../inputs/locals.hcl");

/// The variables of [`LOCALS`].
fn inputs() -> Vec<(&'static str, Json, Json)> {
    let service = json!(["object", {
        "image": "string", "tag": "string", "port": "number", "public": "bool", "replicas": "number", "memory": "number", "tier": "string"
    }]);
    let rule = json!(["object", {
        "description": "string", "port": "number", "udp": "bool", "enabled": "bool", "blocks": ["list", "string"]
    }]);
    let ty = json!(["object", {
        "project": "string", "environment": "string", "region": "string", "account": "string", "registry": "string",
        "domain": "string", "size": "string", "alarm_topic": "string", "network": "number", "budget": "number",
        "zones": ["list", "string"], "tags": ["map", "string"], "services": ["map", service],
        "extra_rules": ["list", rule],
        "databases": ["map", ["object", { "engine": "string", "replicated": "bool" }]],
        "users": ["list", ["object", { "name": "string", "email": "string", "admin": "bool" }]]
    }]);
    let service = |port: u32, public: bool, memory: u32, tier: &str| json!({ "image": "platform", "tag": "1.4.2", "port": port, "public": public, "replicas": 2, "memory": memory, "tier": tier });
    let rule = |description: &str, port: u32, udp: bool| json!({ "description": description, "port": port, "udp": udp, "enabled": true, "blocks": ["10.0.0.0/8", "192.168.0.0/16"] });
    let user = |name: &str, admin: bool| json!({ "name": name, "email": format!("{name}@example.com"), "admin": admin });
    let value = json!({
        "project": "atlas", "environment": "production", "region": "eu-central-1", "account": "123456789012",
        "registry": "registry.example.com", "domain": "atlas.example.com", "size": "medium",
        "alarm_topic": "arn:aws:sns:eu-central-1:123456789012:alarms", "network": 42, "budget": 500,
        "zones": ["a", "b", "c"], "tags": { "Owner": "platform", "CostCenter": "4711" },
        "services": {
            "api": service(8080, true, 1024, "backend"), "web": service(8081, true, 512, "frontend"),
            "worker": service(8082, false, 2048, "backend"), "search": service(9200, false, 4096, "data"),
        },
        "extra_rules": [rule("name service", 53, true), rule("time", 123, true), rule("packages", 443, false)],
        "databases": {
            "main": { "engine": "postgres", "replicated": true }, "events": { "engine": "postgres", "replicated": false },
            "cache": { "engine": "redis", "replicated": false },
        },
        "users": [user("ada", true), user("grace", true), user("edsger", false), user("barbara", false), user("tony", false)],
    });
    vec![("var", ty, value)]
}

impl Case {
    /// The request to the oracle, without `op` and `id`.
    pub fn request(&self) -> Json {
        let variables = self.variables.iter();
        let variables: serde_json::Map<_, _> = variables
            .map(|(name, ty, json)| ((*name).to_owned(), json!({ "type": ty, "json": json })))
            .collect();
        let source_is = match self.source_is {
            As::Expression => "expression",
            As::Template => "template",
            As::Locals => "locals",
        };
        json!({ "src": self.source, "as": source_is, "vars": variables })
    }
}

/// What hclkit evaluates: parsed expressions and their context.
#[derive(Debug)]
pub struct Prepared {
    document: Document,
    nodes: Vec<hclkit_syntax::NodeId>,
    expressions: Vec<Expression>,
    context: Context,
}

impl Prepared {
    /// Parses the source and builds the variables of a case.
    ///
    /// # Errors
    /// A case is invalid.
    pub fn new(case: &Case) -> Result<Self> {
        let mut functions = Functions::from(hclkit_functions::cty());
        functions.extend(Functions::special().iter().map(|(name, function)| (name, function.clone())));
        let mut context = Context::new();
        context.set_functions(functions);
        for (name, ty, json) in &case.variables {
            let wrong = |error| anyhow!("{name}: {error}");
            let ty = Type::from_json(ty.to_string().as_bytes()).map_err(wrong)?;
            context.set(*name, Value::from_json(json.to_string().as_bytes(), &ty).map_err(wrong)?);
        }
        let document = match case.source_is {
            As::Expression => parse_expression(case.source.as_str()),
            As::Template => parse_template(case.source.as_str()),
            As::Locals => parse(case.source.as_str()),
        };
        if case.source_is != As::Locals {
            let expression = Expression::from_document(&document);
            let nodes = expression.ast().map(hclkit_syntax::ast::ExpressionNode::id).into_iter().collect();
            return Ok(Self { document, nodes, expressions: vec![expression], context });
        }
        let mut made =
            Self { document: document.clone(), nodes: Vec::new(), expressions: Vec::new(), context };
        let block = document.body().blocks().next().context("no block")?;
        let mut locals: Vec<(String, Value)> = Vec::new();
        for item in block.body().items() {
            let Item::Attribute(attribute) = item else { continue };
            made.context.set("local", Value::object(locals.clone()));
            let expression = Expression::from_ast(attribute.value());
            let value = expression.evaluate(&made.context).map_err(|wrong| anyhow!("{wrong}"))?;
            locals.push((attribute.name().to_owned(), value));
            made.nodes.push(attribute.value().id());
            made.expressions.push(expression);
        }
        made.context.set("local", Value::object(locals));
        Ok(made)
    }

    /// Evaluates everything again.
    ///
    /// # Errors
    /// The errors of evaluation.
    pub fn evaluate(&self) -> Result<Vec<Value>> {
        self.expressions.iter().map(|expression| self.value(expression)).collect()
    }

    /// Prepares everything for evaluation again and evaluates it, as the first evaluation of a parsed source does.
    ///
    /// # Errors
    /// The errors of evaluation.
    pub fn evaluate_anew(&self) -> Result<Vec<Value>> {
        self.nodes
            .iter()
            .map(|id| self.value(&Expression::from_ast(self.document.expression_at(*id))))
            .collect()
    }

    fn value(&self, expression: &Expression) -> Result<Value> {
        expression.evaluate(&self.context).map_err(|wrong| {
            wrong
                .iter()
                .fold(anyhow!("evaluation failed"), |error, one| error.context(one.note().to_string()))
        })
    }
}
