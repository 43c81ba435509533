//! Data sources of small providers: templates, files, and what only repeats its arguments.

use hclkit_value::{Type, Value};

use super::arguments::ArgumentKind::{Blocks, Bool, Text, TextMap, Texts};
use super::arguments::{Arguments, optional, required};
use super::{DataSource, Outputs, Refusal, World};

pub(super) const TEMPLATE: DataSource = DataSource {
    name: "template_file",
    provider: "hashicorp/template",
    since: "2.1.0",
    version: "2",
    arguments: &[optional(TEXT, Text), optional("vars", TextMap)],
    outputs: &["id", "rendered"],
    compute: template,
};

pub(super) const NULL: DataSource = DataSource {
    name: "null_data_source",
    provider: "hashicorp/null",
    since: "2.0.0",
    version: "3",
    arguments: &[optional("has_computed_default", Text), optional("inputs", TextMap)],
    outputs: &["has_computed_default", "id", "outputs"],
    compute: null,
};

pub(super) const FILE: DataSource = DataSource {
    name: "local_file",
    provider: "hashicorp/local",
    since: "1.1.0",
    version: "2",
    arguments: FILE_ARGUMENTS,
    outputs: FILE_OUTPUTS,
    compute: |arguments, world| file(arguments, world, false),
};

pub(super) const SENSITIVE_FILE: DataSource = DataSource {
    name: "local_sensitive_file",
    provider: "hashicorp/local",
    since: "2.2.0",
    version: "2",
    arguments: FILE_ARGUMENTS,
    outputs: FILE_OUTPUTS,
    compute: |arguments, world| file(arguments, world, true),
};

pub(super) const ARCHIVE: DataSource = DataSource {
    name: "archive_file",
    provider: "hashicorp/archive",
    since: "1.0.0",
    version: "2",
    arguments: &[
        optional("exclude_symlink_directories", Bool),
        optional("excludes", Texts),
        optional("output_file_mode", Text),
        required(OUTPUT_PATH, Text),
        optional("source", Blocks(&[required("content", Text), required(FILE_NAME, Text)])),
        optional("source_content", Text),
        optional("source_content_filename", Text),
        optional("source_dir", Text),
        optional("source_file", Text),
        required("type", Text),
    ],
    outputs: &[OUTPUT_PATH],
    compute: archive,
};

const OUTPUT_PATH: &str = "output_path";
const TEXT: &str = "template";
const FILE_NAME: &str = "filename";
const FILE_ARGUMENTS: &[super::arguments::Argument] = &[required(FILE_NAME, Text)];
const FILE_OUTPUTS: &[&str] = &[
    "content",
    "content_base64",
    "content_base64sha256",
    "content_base64sha512",
    "content_md5",
    "content_sha1",
    "content_sha256",
    "content_sha512",
    "id",
];

fn template(arguments: &Arguments, world: &dyn World) -> Result<Outputs, Refusal> {
    let rendered =
        world.render(arguments.text(TEXT).unwrap_or_default(), arguments.text_map("vars").unwrap_or(&[]));
    let rendered = rendered.map_err(|own| own.of(TEXT))?;
    let rendered = match rendered.convert(&Type::String) {
        Ok(text) if text.is_null() => return Err(Refusal::invalid(TEXT, "its result is null".to_owned())),
        Ok(text) => text,
        Err(_) => return Err(Refusal::invalid(TEXT, "its result is not a string".to_owned())),
    };
    Ok(vec![("id", world.call("sha256", std::slice::from_ref(&rendered))?), ("rendered", rendered)])
}

fn null(arguments: &Arguments, _: &dyn World) -> Result<Outputs, Refusal> {
    let outputs = arguments.text_map("inputs").map(|all| {
        let all = all.iter().map(|(name, text)| (name.clone(), Value::from(text.clone())));
        Value::map_of(Type::String, all).map_err(|_| Refusal::Unknown)
    });
    Ok(vec![
        ("has_computed_default", Value::from(arguments.text("has_computed_default").unwrap_or("default"))),
        ("id", Value::from("static")),
        ("outputs", outputs.unwrap_or_else(|| Ok(Value::null(Type::map(Type::String))))?),
    ])
}

/// The provider writes the archive when it reads the data source. A known path would be one of a file that is not there, or of an
/// earlier archive, for the functions that read files. It is unknown, but for its beginning.
fn archive(arguments: &Arguments, _: &dyn World) -> Result<Outputs, Refusal> {
    let path = arguments.text(OUTPUT_PATH).unwrap_or_default();
    let unknown = Value::unknown(Type::String).refine().with_not_null().with_prefix(path).finish();
    Ok(vec![(OUTPUT_PATH, unknown.map_err(|_| Refusal::Unknown)?)])
}

/// What the functions of the language that read files say of one.
fn file(arguments: &Arguments, world: &dyn World, is_sensitive: bool) -> Result<Outputs, Refusal> {
    let name = [Value::from(arguments.text(FILE_NAME).unwrap_or_default())];
    let of = |function: &str| world.call(function, &name).map_err(|own| own.of(FILE_NAME));
    let content =
        |value: Value| if is_sensitive { value.mark(hclkit_value::Mark::sensitive()) } else { value };
    let base64 = of("filebase64")?;
    // What is not UTF-8 has another text, with characters that replace it.
    let text =
        world.call("base64decode", std::slice::from_ref(&base64)).unwrap_or(Value::unknown(Type::String));
    let sha1 = of("filesha1")?;
    Ok(vec![
        ("content", content(text)),
        ("content_base64", content(base64)),
        ("content_base64sha256", of("filebase64sha256")?),
        ("content_base64sha512", of("filebase64sha512")?),
        ("content_md5", of("filemd5")?),
        ("content_sha1", sha1.clone()),
        ("content_sha256", of("filesha256")?),
        ("content_sha512", of("filesha512")?),
        ("id", sha1),
    ])
}
