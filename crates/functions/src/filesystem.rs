//! Functions for files and paths. Files are read from the granted directory (`directory.rs`).

use std::path::Path;

use hclkit_limits::clean_path;
use hclkit_value::{Error, Function, Parameter, Step, Type, Value};

use crate::arguments::{not_null, text, wrong};
use crate::encoding::{text_function, to_base64};
use crate::grants::{Braces, Grants};
use crate::hash::{self, Hash};

const PATH: &str = "The path of the file, relative to the granted directory.";

pub(crate) fn file(grants: &Grants) -> Function {
    of_content(grants, |path, content| String::from_utf8(content).map_err(|_| not_text(path)))
        .with_description("Reads a file. Its content must be valid UTF-8.")
        .with_example(r#"file("hello.txt")"#, r#""Hello, $${name}!""#)
}

pub(crate) fn filebase64(grants: &Grants) -> Function {
    of_content(grants, |_, content| to_base64(&content))
        .with_description("Reads a file and encodes its content as Base64.")
        .with_example(r#"filebase64("hello.txt")"#, r#""SGVsbG8sICR7bmFtZX0h""#)
}

pub(crate) fn fileexists(grants: &Grants) -> Function {
    let grants = grants.clone();
    Function::unnamed(Type::Bool, move |args, _| {
        let directory = grants.files()?;
        directory
            .has_file(&expand(text(args, 0))?)
            .map(Value::from)
            .map_err(|error| error.within(Step::from(0)))
    })
    .with_description("Returns whether a file exists. Fails if the path exists but is not a regular file.")
    .with_parameter(Parameter::new("path", Type::String).with_description(PATH))
    .with_refined_result(not_null)
    .with_example(r#"fileexists("missing.txt")"#, "false")
}

pub(crate) fn fileset(grants: &Grants) -> Function {
    files_of_pattern(grants, Braces::Name)
}

/// `fileset`, where alternatives in braces can be paths: `{a,b/c}.txt`.
pub(crate) fn fileset_with_paths_in_braces(grants: &Grants) -> Function {
    files_of_pattern(grants, Braces::Path)
}

fn files_of_pattern(grants: &Grants, braces: Braces) -> Function {
    let grants = grants.clone();
    Function::unnamed(Type::set(Type::String), move |args, _| {
        let found = grants.files()?.matching(&expand(text(args, 0))?, text(args, 1), braces);
        let found = found.map_err(|error| error.within(Step::from(1)))?;
        Ok(Value::set_of(Type::String, found.into_iter().map(Value::from))?)
    })
    .with_description("Lists the files in a directory that match a pattern, as paths relative to that directory.")
    .with_parameter(Parameter::new("path", Type::String).with_description("The path of the directory, relative to the granted directory."))
    .with_parameter(Parameter::new("pattern", Type::String).with_description(
        "The pattern: `*` matches any part of a name, `?` any one character, `[a-z]` one of a range, `{a,b}` either \
         alternative, and `**` any number of directories.",
    ))
    .with_refined_result(not_null)
    .with_example(r#"fileset(".", "*.txt")"#, r#"toset(["hello.txt"])"#)
}

pub(crate) fn filemd5(grants: &Grants) -> Function {
    of_hash(grants, hash::md5_hex)
        .with_description(
            "Computes the MD5 hash of a file as hexadecimal digits. MD5 is not cryptographically secure.",
        )
        .with_example(r#"filemd5("hello.txt") == md5(file("hello.txt"))"#, "true")
}

pub(crate) fn filesha1(grants: &Grants) -> Function {
    of_hash(grants, hash::sha1_hex)
        .with_description(
            "Computes the SHA-1 hash of a file as hexadecimal digits. SHA-1 is not cryptographically secure.",
        )
        .with_example(r#"filesha1("hello.txt") == sha1(file("hello.txt"))"#, "true")
}

pub(crate) fn filesha256(grants: &Grants) -> Function {
    of_hash(grants, hash::sha256_hex)
        .with_description("Computes the SHA-256 hash of a file as hexadecimal digits.")
        .with_example(r#"filesha256("hello.txt") == sha256(file("hello.txt"))"#, "true")
}

pub(crate) fn filesha512(grants: &Grants) -> Function {
    of_hash(grants, hash::sha512_hex)
        .with_description("Computes the SHA-512 hash of a file as hexadecimal digits.")
        .with_example(r#"filesha512("hello.txt") == sha512(file("hello.txt"))"#, "true")
}

pub(crate) fn filebase64sha256(grants: &Grants) -> Function {
    of_hash(grants, hash::sha256_base64)
        .with_description("Computes the SHA-256 hash of a file as Base64.")
        .with_example(r#"filebase64sha256("hello.txt") == base64sha256(file("hello.txt"))"#, "true")
}

pub(crate) fn filebase64sha512(grants: &Grants) -> Function {
    of_hash(grants, hash::sha512_base64)
        .with_description("Computes the SHA-512 hash of a file as Base64.")
        .with_example(r#"filebase64sha512("hello.txt") == base64sha512(file("hello.txt"))"#, "true")
}

pub(crate) fn abspath(grants: &Grants) -> Function {
    let grants = grants.clone();
    text_function("path", "The path.", move |path| {
        let path = Path::new(path);
        let absolute = if path.is_absolute() { clean_path(path) } else { grants.files()?.absolute(&path.to_string_lossy()) };
        Ok(absolute.to_string_lossy().into_owned())
    })
    .with_description("Converts a path to an absolute path without `.` and `..`. A relative path is resolved from the granted directory.")
    .with_example(r#"abspath("/etc/nginx/../hosts")"#, r#""/etc/hosts""#)
}

pub(crate) fn pathexpand(grants: &Grants) -> Function {
    let grants = grants.clone();
    text_function("path", "The path.", move |path| {
        if path.starts_with('~') {
            grants.files()?;
        }
        expand(path)
    })
    .with_description("Replaces a leading `~` in a path with the user's home directory.")
    .with_example(r#"pathexpand("./hosts")"#, r#""./hosts""#)
}

pub(crate) fn basename() -> Function {
    text_function("path", "The path.", |path| {
        let trimmed = path.trim_end_matches('/');
        Ok(match trimmed.rsplit('/').next() {
            _ if path.is_empty() => ".",
            Some(name) if !name.is_empty() => name,
            _ => "/",
        }
        .to_owned())
    })
    .with_description("Returns the last part of a path. The path does not need to exist.")
    .with_example(r#"basename("/etc/nginx/nginx.conf")"#, r#""nginx.conf""#)
}

pub(crate) fn dirname() -> Function {
    text_function("path", "The path.", |path| {
        let directory = path.rfind('/').map_or("", |at| &path[..=at]);
        let cleaned = clean_path(Path::new(directory)).to_string_lossy().into_owned();
        Ok(if cleaned.is_empty() { ".".to_owned() } else { cleaned })
    })
    .with_description("Returns a path without its last part. The path does not need to exist.")
    .with_example(r#"dirname("/etc/nginx/nginx.conf")"#, r#""/etc/nginx""#)
}

/// Reads the text of a template file.
pub(crate) fn template_text(grants: &Grants, path: &str) -> Result<String, Error> {
    String::from_utf8(grants.content(&expand(path)?)?).map_err(|_| not_text(path))
}

fn not_text(path: &str) -> Error {
    Error::new(format!("the file {path:?} is not valid UTF-8; use filebase64 to read its bytes"))
}

fn of_hash(grants: &Grants, hash: Hash) -> Function {
    of_content(grants, move |_, content| hash(&content))
}

/// A function that takes the path of a file and returns text computed from its content.
fn of_content(
    grants: &Grants,
    body: impl Fn(&str, Vec<u8>) -> Result<String, Error> + Send + Sync + 'static,
) -> Function {
    let grants = grants.clone();
    text_function("path", PATH, move |path| {
        let content = grants.content(&expand(path)?).map_err(|error| error.within(Step::from(0)))?;
        body(path, content)
    })
}

/// Replaces a leading `~` with the home directory.
fn expand(path: &str) -> Result<String, Error> {
    let Some(rest) = path.strip_prefix('~') else { return Ok(path.to_owned()) };
    if !rest.is_empty() && !rest.starts_with('/') {
        return Err(wrong(0, "`~user` is not supported; only `~` for your own home directory is"));
    }
    let home = std::env::home_dir().ok_or_else(|| wrong(0, "cannot determine the home directory"))?;
    Ok(clean_path(&home.join(rest.trim_start_matches('/'))).to_string_lossy().into_owned())
}
