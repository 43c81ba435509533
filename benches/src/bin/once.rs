//! Runs one operation N times and nothing else, for profilers and for `cargo xtask instructions`. Without arguments,
//! `bench-once` prints its usage; `bench-once rows` prints the arguments of every row of the table.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use hclkit::convert::ToJson;
use hclkit_benches::eval::{Prepared, cases};
use hclkit_benches::inputs;
use hclkit_benches::structs::Config;
use hclkit_model::{Body, Context, Functions, SpecFile};
use hclkit_syntax::Source;

const USAGE: &str = "usage: bench-once parse FILE|@LIST|made|broken|json N
       bench-once evaluate|prepare CASE N
       bench-once decode native|json N
       bench-once structs derive|serde N [BLOCKS]
       bench-once format|convert FILE|@LIST|made N
       bench-once rows";

/// The size of the generated files, the elements of a collection, and the blocks of a configuration: small enough for
/// valgrind.
const BYTES: usize = 200_000;
const ELEMENTS: usize = 2_000;
const BLOCKS: u32 = 300;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["rows"] => rows(),
        ["parse", what, times] => parse(what, times.parse()?)?,
        ["evaluate", case, times] => evaluate(case, times.parse()?, Prepared::evaluate)?,
        ["prepare", case, times] => evaluate(case, times.parse()?, Prepared::evaluate_anew)?,
        ["decode", syntax, times] => decode(syntax, times.parse()?)?,
        ["structs", reader, times] => structs(reader, times.parse()?, BLOCKS)?,
        ["structs", reader, times, blocks] => structs(reader, times.parse()?, blocks.parse()?)?,
        ["format", what, times] => format(what, times.parse()?)?,
        ["convert", what, times] => convert(what, times.parse()?)?,
        _ => bail!("{USAGE}"),
    }
    Ok(())
}

fn rows() {
    for what in ["made", "broken", "json"] {
        println!("parse\t{what}");
    }
    for case in cases(1) {
        println!("evaluate\t{0}\nprepare\t{0}", case.name);
    }
    println!("decode\tnative\ndecode\tjson\nstructs\tderive\nstructs\tserde\nformat\tmade\nconvert\tmade");
}

fn texts(what: &str) -> Result<Vec<String>> {
    Ok(match what.strip_prefix('@') {
        Some(list) => inputs::read_list(Path::new(list))?,
        None if what == "made" => vec![inputs::generate(BYTES)],
        None => vec![fs::read_to_string(what)?],
    })
}

fn format(what: &str, times: usize) -> Result<()> {
    let texts = texts(what)?;
    for text in (0..times).flat_map(|_| &texts) {
        black_box(hclkit_write::format_source(&Source::new("", text.as_bytes())).bytes());
    }
    Ok(())
}

/// Parses, and writes indented JSON.
fn convert(what: &str, times: usize) -> Result<()> {
    let texts = texts(what)?;
    let mut out = Vec::new();
    for text in (0..times).flat_map(|_| &texts) {
        let document = hclkit_syntax::parse(text.as_bytes());
        out.clear();
        let converter = ToJson::new();
        if let Ok(conversion) = converter.check(&[&document]) {
            conversion.write_pretty(&mut out)?;
        }
        black_box(&out);
    }
    Ok(())
}

fn parse(what: &str, times: usize) -> Result<()> {
    let texts = match what {
        "json" => vec![services_as_json()],
        "broken" => vec![include_str!("../../../examples/broken/main.tf").to_owned()],
        _ => texts(what)?,
    };
    for _ in 0..times {
        for text in &texts {
            if what == "json" {
                black_box(hclkit_syntax::json::parse(text.as_bytes()));
            } else {
                black_box(hclkit_syntax::parse(text.as_bytes()));
            }
        }
    }
    Ok(())
}

fn evaluate<T>(name: &str, times: usize, run: impl Fn(&Prepared) -> Result<T>) -> Result<()> {
    let all = cases(ELEMENTS);
    let case = all.into_iter().find(|case| case.name == name).with_context(|| format!("no case {name}"))?;
    let prepared = Prepared::new(&case)?;
    for _ in 0..times {
        black_box(run(&prepared)?);
    }
    Ok(())
}

fn decode(syntax: &str, times: usize) -> Result<()> {
    let (name, text) = match syntax {
        "native" => ("services.hcl", inputs::services(0, BLOCKS)),
        "json" => ("services.json", services_as_json()),
        _ => bail!("{USAGE}"),
    };
    let spec = include_str!("../../inputs/services.hcldec");
    let spec = SpecFile::read(Source::new("services.hcldec", spec), &Functions::new())?.spec;
    let context = Context::new();
    for _ in 0..times {
        let (body, mut diagnostics) = Body::parse(Source::new(name, text.as_str()));
        let value = diagnostics.absorb(spec.decode(&body, &context));
        ensure!(!diagnostics.has_errors(), "{diagnostics}");
        black_box(value);
    }
    Ok(())
}

/// Parses services and reads them into structs.
fn structs(reader: &str, times: usize, blocks: u32) -> Result<()> {
    let text = inputs::services(0, blocks);
    for _ in 0..times {
        let config: Config = match reader {
            "derive" => hclkit::load_str(&text, &Context::new())?,
            "serde" => hclkit::serde::from_str(&text)?,
            _ => bail!("{USAGE}"),
        };
        black_box(config);
    }
    Ok(())
}

/// Services in the JSON syntax.
fn services_as_json() -> String {
    let mut text = String::from("{\"service\": {");
    for number in 0..BLOCKS {
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(
            text,
            r#"{comma}
  "web-{number}": {{
    "port": {}, "weight": 0.{number}, "tags": ["web", "zone-{number}", "tier-${{1 + 1}}"], "enabled": true,
    "limits": {{"cpu": 2, "memory": "512 MiB"}},
    "check": [{{"path": "/healthz", "every": 10}}, {{"path": "/ready", "every": 30}}]
  }}"#,
            8000 + number
        );
    }
    text + "\n}}\n"
}
