//! Reads the tasks of a file into Rust structs, with custom functions whose parameters are checked by their signatures:
//! `cargo run -p hclkit --example jobspec -- crates/hclkit/examples/jobspec/shop.hcl`.

use std::{collections::BTreeMap, env, error::Error, fs, time::Duration};

use hclkit::decode::{self, Decoder};
use hclkit::model::{AttributeSpec, LabeledBlocksSpec, Spec};
use hclkit::render::Renderer;
use hclkit::value::{Error as ValueError, FromValue, Function, Number, Typed, Variadic};
use hclkit::{Source, Type, Value};

/// A task. Its fields are the attributes of the decoded value.
#[derive(Debug)]
#[allow(dead_code, reason = "a real application would run it")]
struct Task {
    image: String,
    cpu: u32,
    memory: u64,
    timeout: Option<Duration>,
}

impl Typed for Task {}

impl FromValue for Task {
    fn from_value(value: &Value) -> Result<Self, ValueError> {
        let (image, cpu) = (value.attribute_as("image")?, value.attribute_as("cpu")?);
        let (memory, timeout) = (value.attribute_as("memory")?, value.attribute_as("timeout")?);
        Ok(Self { image, cpu, memory, timeout })
    }
}

/// Parses a size such as `512Mi`. Returns MiB.
fn mib(size: &str) -> Result<u64, String> {
    let number = size.strip_suffix("Mi").ok_or_else(|| format!("{size:?} does not end in Mi"))?;
    number.parse().map_err(|why| format!("{size:?} is not a size: {why}"))
}

pub(crate) fn run(source: Source) -> Result<String, Box<dyn Error>> {
    let clamp = |n: Number, low: Number, high: Number| n.max(low).min(high);
    let functions = [
        Function::typed("clamp", clamp).with_parameters(["n", "low", "high"]),
        Function::typed("mib", |size: String| mib(&size)).with_parameters(["size"]),
        Function::typed("image", |tag: Option<String>, Variadic(path): Variadic<String>| {
            format!("{}:{}", path.join("/"), tag.as_deref().unwrap_or("latest"))
        }),
    ];
    let task = Spec::object([
        ("image", Spec::from(AttributeSpec::new("image", Type::String).with_required())),
        ("cpu", Spec::from(AttributeSpec::new("cpu", Type::Number).with_required())),
        ("memory", Spec::from(AttributeSpec::new("memory", Type::Number).with_required())),
        ("timeout", Spec::from(AttributeSpec::new("timeout", Type::String))),
    ]);
    let decoder = Decoder::of(Spec::BlockObject(LabeledBlocksSpec::new("task", ["name"], task)));
    let body = decode::read([source]);
    let value = body.and_then(|body| decoder.with_functions(functions.into()).decode(&body));
    let value = value.map_err(|found| Renderer::plain().diagnostics(&found))?;
    let tasks = BTreeMap::<String, Task>::from_value(&value)?;
    Ok(tasks.iter().fold(String::new(), |text, (name, task)| format!("{text}{name}: {task:?}\n")))
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: jobspec FILE")?;
    print!("{}", run(Source::new(&*path, fs::read(&path)?))?);
    Ok(())
}
