//! `evalconfig`, `evalconfigspec` and `schema`: the functions that use specs.

use std::io::{ErrorKind, Read as _};
use std::path::Path;

use hclkit::decode::{self, Decoder};
use hclkit::model::SpecFile;
use hclkit::schema::{JsonSchemaOptions, json_schema};
use hclkit::value::{Error, Function};
use hclkit::{Diagnostics, Source, Type, Value, limits};

use crate::variables::{self, Variables};
use crate::{Visible, function, problems, text, text_of};

const SPEC: &str = "<spec_src>";

pub(crate) fn functions(visible: &Visible) -> Vec<Function> {
    let (file, inline) = (visible.clone(), visible.clone());
    let configuration = || text("config_src", "The source of the configuration.");
    vec![
        function(
            (
                "evalconfig",
                "Evaluates a configuration according to a spec file. The spec file describes, in the spec language, which \
                 arguments and blocks the configuration can have and the value that it evaluates to. Expressions in the \
                 configuration can use the given variables, the evaluation functions, and the variables and functions of the \
                 spec file.",
            ),
            [
                configuration(),
                text(
                    "spec_filename",
                    "The name of the spec file, such as `\"${path.module}/service.hcldec\"`. If it ends in `.json`, the file \
                     is in the JSON syntax.",
                ),
                crate::variables(),
            ],
            Type::Dynamic,
            move |arguments| {
                let name = text_of(arguments, 1);
                let source = read(name).map_err(|why| problems::plain(1, why))?;
                evaluate(&file, arguments, source)
            },
        ),
        function(
            (
                "evalconfigspec",
                "Evaluates a configuration according to a spec. It is like `evalconfig`, except that the spec is an argument \
                 instead of a file.",
            ),
            [
                configuration(),
                text("spec_src", "The source of the spec, in the spec language."),
                crate::variables(),
            ],
            Type::Dynamic,
            move |arguments| evaluate(&inline, arguments, Source::new(SPEC, text_of(arguments, 1))),
        )
        .with_example(
            r#"provider::hcl::evalconfigspec("n = \"1\"", "object {\n  attr \"n\" {\n    type = number\n  }\n}\n", {})"#,
            "{ n = 1 }",
        ),
        function(
            (
                "schema",
                "Returns a JSON Schema of a spec. The schema describes configurations in the JSON syntax, for editors and \
                 validators.",
            ),
            [text("spec_src", "The source of the spec, in the spec language.")],
            Type::String,
            |arguments| {
                let decoder = Decoder::new(Source::new(SPEC, text_of(arguments, 0)))
                    .map_err(|found| problems::at(0, &found))?;
                crate::text::json(&json_schema(decoder.spec_file(), &JsonSchemaOptions::new("Configuration")))
            },
        ),
    ]
}

/// Reads a spec file.
fn read(name: &str) -> Result<Source, String> {
    let failed = |error: std::io::Error| format!("cannot read the spec file {name}: {error}");
    let file = limits::open_file(Path::new(name)).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::IsADirectory => {
            format!("the spec file {name} is not a regular file")
        }
        _ => failed(error),
    })?;
    let size = file.metadata().map_err(failed)?.len();
    let meter = limits::Meter::current();
    meter
        .check_source(size)
        .and_then(|()| meter.take_bytes(usize::try_from(size).unwrap_or(usize::MAX)))
        .map_err(|exceeded| format!("cannot read the spec file {name}: {exceeded}"))?;
    let mut text = Vec::new();
    file.take(size.saturating_add(1)).read_to_end(&mut text).map_err(failed)?;
    if text.len() as u64 > size {
        return Err(format!("the spec file {name} changed while it was read"));
    }
    Ok(Source::new(name, text))
}

fn evaluate(visible: &Visible, arguments: &[Value], spec: Source) -> Result<Value, Error> {
    let variables = Variables::read(arguments, 2)?;
    let name = spec.name().to_owned();
    let spec = SpecFile::read(spec, visible).map_err(|found| problems::at(1, &found))?;
    let decoder = Decoder::of(spec).with_functions(visible.clone());
    let configuration = Source::new("<config_src>", text_of(arguments, 0));
    configuration_value(&decoder, configuration, &variables).map_err(|found| {
        // The expressions of transforms are in the spec.
        let in_spec =
            found.iter().all(|problem| problem.source().is_some_and(|source| source.name() == name));
        problems::at(usize::from(in_spec), &found)
    })
}

fn configuration_value(
    decoder: &Decoder,
    configuration: Source,
    variables: &Variables,
) -> Result<Value, Diagnostics> {
    let body = decode::read([configuration])?;
    let references = || decoder.references(&body).into_iter().map(|reference| reference.traversal).collect();
    variables::evaluate(&variables.named(references), |named| {
        let value = decoder.clone().with_variables(named).decode(&body)?;
        Ok(value)
    })
}
