//! Functions that read files, and those on paths. Files are read from the folder that the caller grants (`folder.rs`).

use std::path::Path;

use hclkit_value::{Error, Function, Parameter, Step, Type, Value};

use crate::arguments::{not_null, text, wrong};
use crate::encoding::{text_function, to_base64};
use crate::folder::clean;
use crate::grants::Grants;
use crate::hash::{self, Hash};

const PATH: &str = "The file's path, from the granted folder.";

pub(crate) fn file(grants: &Grants) -> Function {
    of_content(grants, |path, content| String::from_utf8(content).map_err(|_| not_text(path)))
        .describe("The content of a file, which must be UTF-8 text.")
        .example(r#"file("hello.txt")"#, r#""Hello, $${name}!""#)
}

pub(crate) fn filebase64(grants: &Grants) -> Function {
    of_content(grants, |_, content| to_base64(&content))
        .describe("The bytes of a file as Base64.")
        .example(r#"filebase64("hello.txt")"#, r#""SGVsbG8sICR7bmFtZX0h""#)
}

pub(crate) fn fileexists(grants: &Grants) -> Function {
    let grants = grants.clone();
    Function::new(Type::Bool, move |args, _| {
        let folder = grants.files()?;
        folder.has_file(&expand(text(args, 0))?).map(Value::from).map_err(|error| error.within(Step::from(0)))
    })
    .describe("Whether there is a file. It is an error if there is something else.")
    .parameter(Parameter::new("path", Type::String).describe(PATH))
    .refine_result(not_null)
    .example(r#"fileexists("missing.txt")"#, "false")
}

pub(crate) fn fileset(grants: &Grants) -> Function {
    let grants = grants.clone();
    Function::new(Type::set(Type::String), move |args, _| {
        let found = grants.files()?.matching(&expand(text(args, 0))?, text(args, 1));
        let found = found.map_err(|error| error.within(Step::from(1)))?;
        Ok(Value::set_of(Type::String, found.into_iter().map(Value::from))?)
    })
    .describe("The paths of the files in a folder that match a pattern, as seen from that folder.")
    .parameter(Parameter::new("path", Type::String).describe("The folder's path, from the granted one."))
    .parameter(Parameter::new("pattern", Type::String).describe(
        "The pattern: `*` is any part of a name, `?` one sign, `[a-z]` one of these, `{a,b}` one or the other, and \
         `**` any number of folders.",
    ))
    .refine_result(not_null)
    .example(r#"fileset(".", "*.txt")"#, r#"toset(["hello.txt"])"#)
}

pub(crate) fn filemd5(grants: &Grants) -> Function {
    of_hash(grants, hash::md5_hex)
        .describe("The MD5 digest of a file in hexadecimal digits. Not safe against forgery.")
        .example(r#"filemd5("hello.txt") == md5(file("hello.txt"))"#, "true")
}

pub(crate) fn filesha1(grants: &Grants) -> Function {
    of_hash(grants, hash::sha1_hex)
        .describe("The SHA-1 digest of a file in hexadecimal digits. Not safe against forgery.")
        .example(r#"filesha1("hello.txt") == sha1(file("hello.txt"))"#, "true")
}

pub(crate) fn filesha256(grants: &Grants) -> Function {
    of_hash(grants, hash::sha256_hex)
        .describe("The SHA-256 digest of a file in hexadecimal digits.")
        .example(r#"filesha256("hello.txt") == sha256(file("hello.txt"))"#, "true")
}

pub(crate) fn filesha512(grants: &Grants) -> Function {
    of_hash(grants, hash::sha512_hex)
        .describe("The SHA-512 digest of a file in hexadecimal digits.")
        .example(r#"filesha512("hello.txt") == sha512(file("hello.txt"))"#, "true")
}

pub(crate) fn filebase64sha256(grants: &Grants) -> Function {
    of_hash(grants, hash::sha256_base64)
        .describe("The SHA-256 digest of a file as Base64.")
        .example(r#"filebase64sha256("hello.txt") == base64sha256(file("hello.txt"))"#, "true")
}

pub(crate) fn filebase64sha512(grants: &Grants) -> Function {
    of_hash(grants, hash::sha512_base64)
        .describe("The SHA-512 digest of a file as Base64.")
        .example(r#"filebase64sha512("hello.txt") == base64sha512(file("hello.txt"))"#, "true")
}

pub(crate) fn abspath(grants: &Grants) -> Function {
    let grants = grants.clone();
    text_function("path", "The path.", move |path| {
        let path = Path::new(path);
        let absolute = if path.is_absolute() { clean(path) } else { grants.files()?.absolute(&path.to_string_lossy()) };
        Ok(absolute.to_string_lossy().into_owned())
    })
    .describe("The absolute form of a path, without `.` and `..`; one that is not absolute starts in the granted folder.")
    .example(r#"abspath("/etc/nginx/../hosts")"#, r#""/etc/hosts""#)
}

pub(crate) fn pathexpand(grants: &Grants) -> Function {
    let grants = grants.clone();
    text_function("path", "The path.", move |path| {
        if path.starts_with('~') {
            grants.files()?;
        }
        expand(path)
    })
    .describe("The path, and the user's home folder in the place of a `~` at its start.")
    .example(r#"pathexpand("./hosts")"#, r#""./hosts""#)
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
    .describe("The last part of a path. Its text is all that counts: there need not be such a file.")
    .example(r#"basename("/etc/nginx/nginx.conf")"#, r#""nginx.conf""#)
}

pub(crate) fn dirname() -> Function {
    text_function("path", "The path.", |path| {
        let folder = path.rfind('/').map_or("", |at| &path[..=at]);
        let cleaned = clean(Path::new(folder)).to_string_lossy().into_owned();
        Ok(if cleaned.is_empty() { ".".to_owned() } else { cleaned })
    })
    .describe("A path without its last part. Its text is all that counts: there need not be such a file.")
    .example(r#"dirname("/etc/nginx/nginx.conf")"#, r#""/etc/nginx""#)
}

/// The text of a template's file.
pub(crate) fn template_text(grants: &Grants, path: &str) -> Result<String, Error> {
    String::from_utf8(grants.files()?.read(&expand(path)?)?).map_err(|_| not_text(path))
}

fn not_text(path: &str) -> Error {
    Error::new(format!("the file {path:?} is not UTF-8 text; filebase64 reads its bytes"))
}

fn of_hash(grants: &Grants, hash: Hash) -> Function {
    of_content(grants, move |_, content| Ok(hash(&content)))
}

/// A function of a file's path that gives text made from its content.
fn of_content(
    grants: &Grants,
    body: impl Fn(&str, Vec<u8>) -> Result<String, Error> + Send + Sync + 'static,
) -> Function {
    let grants = grants.clone();
    text_function("path", PATH, move |path| {
        let content = grants.files()?.read(&expand(path)?).map_err(|error| error.within(Step::from(0)))?;
        body(path, content)
    })
}

/// The path with the home folder for a leading `~`.
fn expand(path: &str) -> Result<String, Error> {
    let Some(rest) = path.strip_prefix('~') else { return Ok(path.to_owned()) };
    if !rest.is_empty() && !rest.starts_with('/') {
        return Err(wrong(0, "only the user's own home folder has a short form"));
    }
    let home = std::env::home_dir().ok_or_else(|| wrong(0, "the home folder is not known"))?;
    Ok(clean(&home.join(rest.trim_start_matches('/'))).to_string_lossy().into_owned())
}
