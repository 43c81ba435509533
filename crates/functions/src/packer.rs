//! The functions of Packer, except for `try`, `can` and `convert`, which are part of the evaluator. Most are shared
//! with cty or Terraform. Functions that only Packer has are here; its time formats are in `packer/layout.rs` and
//! `packer/calendar.rs`.

mod calendar;
mod layout;

use hclkit_value::{Error, Function, Parameter, Type, Value};

pub(crate) use calendar::unix_timestamp_parse;

use crate::arguments::{not_null, renamed, text};
use crate::datetime::Timestamp;
use crate::encoding::text_function;
use crate::grants::Grants;
use crate::network::Rules;
use crate::terraform::template::{Inside, templatefile};
use crate::terraform::{self, older};
use crate::{Table, crypto, cty, encoding, filesystem, hash, network, regex, time, yaml};

/// Other functions that Packer shares with cty.
const FROM_CTY: [&str; 8] =
    ["abs", "lookup", "regex", "regexall", "replace", "reverse", "setsubtract", "strrev"];

/// The functions of Packer, with the given grants.
pub(crate) fn table(grants: &Grants) -> Table {
    let inside = Inside::new(table, grants);
    let mut table = cty::shared_and(&FROM_CTY);
    table.extend([
        ("abspath", filesystem::abspath(grants)),
        ("alltrue", terraform::alltrue()),
        ("anytrue", terraform::anytrue()),
        ("aws_secretsmanager", aws_secretsmanager(grants)),
        ("aws_secretsmanager_raw", aws_secretsmanager_raw(grants)),
        ("base64decode", encoding::base64decode()),
        ("base64encode", encoding::base64encode()),
        ("base64gzip", encoding::base64gzip()),
        ("basename", filesystem::basename()),
        ("bcrypt", crypto::bcrypt(grants)),
        ("cidrhost", network::cidrhost(Rules::GoCtyFuncs)),
        ("cidrnetmask", network::cidrnetmask(Rules::GoCtyFuncs)),
        ("cidrsubnet", network::cidrsubnet(Rules::GoCtyFuncs)),
        ("cidrsubnets", network::cidrsubnets(Rules::GoCtyFuncs)),
        ("coalesce", terraform::coalesce()),
        ("consul_key", consul_key(grants)),
        ("contains", older::contains()),
        ("dirname", filesystem::dirname()),
        ("element", older::element_from_start()),
        ("endswith", terraform::endswith()),
        ("env", env(grants)),
        ("file", filesystem::file(grants)),
        ("filebase64", filesystem::filebase64(grants)),
        ("fileexists", filesystem::fileexists(grants)),
        ("fileset", filesystem::fileset(grants)),
        ("format", older::format()),
        ("formatlist", older::formatlist()),
        ("index", terraform::index()),
        ("legacy_isotime", legacy_isotime(grants)),
        ("legacy_strftime", legacy_strftime(grants)),
        ("length", terraform::length()),
        ("md5", hash::md5()),
        ("pathexpand", filesystem::pathexpand(grants)),
        ("range", older::range()),
        ("regex_replace", regex_replace()),
        ("rfc3339_parse", calendar::rfc3339_parse()),
        ("rsadecrypt", crypto::rsadecrypt()),
        ("sha1", hash::sha1()),
        ("sha256", hash::sha256()),
        ("sha512", hash::sha512()),
        ("signum", older::signum()),
        ("startswith", terraform::startswith()),
        ("strcontains", terraform::strcontains()),
        ("substr", older::substr()),
        ("sum", terraform::sum()),
        ("templatefile", templatefile(grants, inside)),
        ("textdecodebase64", encoding::textdecodebase64()),
        ("textencodebase64", encoding::textencodebase64()),
        ("timestamp", time::timestamp(grants)),
        ("unix_timestamp_parse", calendar::unix_timestamp_parse()),
        ("urlencode", encoding::urlencode()),
        ("uuidv4", crypto::uuid("uuidv4", grants)),
        ("uuidv5", crypto::uuidv5()),
        ("vault", vault(grants)),
        ("yamldecode", yaml::yamldecode(yaml::Numbers::Yaml11)),
        ("yamlencode", yaml::yamlencode()),
    ]);
    table
}

fn env(grants: &Grants) -> Function {
    let grants = grants.clone();
    text_function("key", "The name of the environment variable.", move |name| {
        Ok(grants.variable(name)?.unwrap_or_default())
    })
    .with_description("Returns the value of an environment variable, or an empty string if it is not set.")
    .with_example(r#"env("NO_SUCH_VARIABLE")"#, r#""""#)
}

fn regex_replace() -> Function {
    renamed(&regex::regexreplace(), r#"regex_replace("hello world", "o.*", "!")"#, r#""hell!""#)
        .with_refined_result(not_null)
}

fn legacy_isotime(grants: &Grants) -> Function {
    at_start(grants, layout::by_example)
        .with_description(
            "Returns the time at which evaluation started, in UTC, in RFC 3339 format or in a layout of Go's `time` package.",
        )
        .with_variadic(Parameter::new("format", Type::String).with_description("The layout: Go's reference time, written in the wanted format."))
        .with_example(r#"length(legacy_isotime("2006-01-02"))"#, "10")
}

fn legacy_strftime(grants: &Grants) -> Function {
    at_start(grants, layout::by_letters)
        .with_description(
            "Returns the time at which evaluation started, in UTC, in RFC 3339 format or in a format of C's `strftime`.",
        )
        .with_variadic(Parameter::new("format", Type::String).with_description("The `strftime` format."))
        .with_example(r#"length(legacy_strftime("%Y-%m-%d"))"#, "10")
}

fn at_start(grants: &Grants, format: fn(Timestamp, &str) -> String) -> Function {
    let grants = grants.clone();
    Function::unnamed(Type::String, move |args, _| {
        let start = time::timestamp_of(grants.time()?.start)?;
        Ok(Value::from(match args.len() {
            0 => start.rfc3339(),
            1 => format(start, text(args, 0)),
            _ => return Err(Error::new("at most one argument is required")),
        }))
    })
    .with_impure()
    .with_refined_result(not_null)
}

/// A function that reads from a secret store.
fn secret(grants: &Grants, name: &'static str) -> Function {
    let grants = grants.clone();
    Function::unnamed(Type::String, move |args, _| grants.ask(name, args).map(Value::from))
}

fn vault(grants: &Grants) -> Function {
    secret(grants, "vault")
        .with_description("Reads a secret from HashiCorp Vault.")
        .with_parameter(Parameter::new("path", Type::String).with_description("The path of the secret."))
        .with_parameter(
            Parameter::new("key", Type::String).with_description("The key of the value in the secret."),
        )
        .with_example(r#"vault("secret/data/hello", "foo")"#, r#""secret""#)
}

fn consul_key(grants: &Grants) -> Function {
    secret(grants, "consul_key")
        .with_description("Reads the value of a key from Consul.")
        .with_parameter(Parameter::new("key", Type::String).with_description("The key."))
        .with_example(r#"consul_key("myservice/version")"#, r#""secret""#)
}

fn aws_secretsmanager(grants: &Grants) -> Function {
    secret(grants, "aws_secretsmanager")
        .with_description("Reads a value of a secret from AWS Secrets Manager.")
        .with_parameter(Parameter::new("name", Type::String).with_description("The name of the secret."))
        .with_parameter(
            Parameter::new("key", Type::String)
                .with_description("The key of the value in the secret; null for the first key.")
                .with_nulls(),
        )
        .with_example(r#"aws_secretsmanager("sample/app/password", null)"#, r#""secret""#)
}

fn aws_secretsmanager_raw(grants: &Grants) -> Function {
    secret(grants, "aws_secretsmanager_raw")
        .with_description("Reads the raw text of a secret from AWS Secrets Manager.")
        .with_parameter(Parameter::new("name", Type::String).with_description("The name of the secret."))
        .with_example(r#"aws_secretsmanager_raw("sample/app/password")"#, r#""secret""#)
}
