//! Rules that users write, for events that arrive as lines of JSON. A rule cannot reach outside of its event, and no rule can take
//! more than its share of time. From `crates/hclkit/examples/rules`:
//! `cargo run -p hclkit --example rules -- alerts.hcl < events.jsonl`.

use std::time::Duration;
use std::{env, error::Error, io, io::BufRead, path::Path};

use hclkit::functions::{Grants, Library};
use hclkit::{Context, Decode, Diagnostics, Expression, Limits, Value};

#[derive(Decode)]
struct Rules {
    #[hcl(block, min = 1)]
    rule: Vec<Rule>,
}

#[derive(Decode)]
struct Rule {
    #[hcl(label)]
    name: String,
    /// Whether the rule applies to an event.
    when: Expression,
    /// What is reported.
    report: Expression,
}

pub(crate) struct Engine {
    rules: Vec<Rule>,
    context: Context,
    limits: Limits,
}

impl Engine {
    pub(crate) fn open(path: &Path) -> Result<Self, Diagnostics> {
        let context = Context::new().with_functions(Library::Cty.functions(&Grants::new()));
        let limits =
            Limits::new().with_steps(10_000).with_bytes(64 << 10).with_timeout(Duration::from_secs(1));
        let rules: Rules = hclkit::load(path, &context)?;
        Ok(Self { rules: rules.rule, context, limits })
    }

    /// The reports of the rules that apply to an event. The report of a rule that fails is the reason.
    pub(crate) fn reports(&self, event: &str) -> Result<Vec<String>, Box<dyn Error>> {
        let event = Value::from_plain_json(event.as_bytes())?;
        let context = self.context.clone().with("event", event);
        let applied = self.rules.iter().filter_map(|rule| {
            let report = self.limits.run(|| {
                let applies = rule.when.evaluate(&context)?.as_bool() == Some(true);
                applies.then(|| rule.report.evaluate(&context)).transpose()
            });
            match report {
                Ok(report) => {
                    report.map(|text| format!("{}: {}", rule.name, text.as_str().unwrap_or_default()))
                }
                Err(errors) => Some(format!("{} failed: {errors}", rule.name)),
            }
        });
        Ok(applied.collect())
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let engine = Engine::open(env::args().nth(1).ok_or("usage: rules FILE < EVENTS")?.as_ref())?;
    for event in io::stdin().lock().lines() {
        engine.reports(&event?)?.iter().for_each(|report| println!("{report}"));
    }
    Ok(())
}
