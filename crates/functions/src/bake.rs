//! The functions of Docker Bake, except for `try`, `can` and `convert`, which are part of the evaluator. Most are shared with
//! cty, Terraform or Packer, some under other names. `bake/version.rs` compares versions.

mod version;

use hclkit_value::{Error, Function, Parameter, Type, Value};

use crate::arguments::{integer_of, not_null, renamed, text, wrong};
use crate::cty;
use crate::datetime::Timestamp;
use crate::encoding::text_function;
use crate::grants::Grants;
use crate::network::Rules;
use crate::packer::unix_timestamp_parse;
use crate::{
    Table, crypto, datetime, encoding, filesystem, hash, network, number, operator, regex, sequence, string,
    terraform, time,
};

/// Other functions that Bake shares with cty, with the same names.
const FROM_CTY: [&str; 33] = [
    "add",
    "and",
    "byteslen",
    "coalesce",
    "contains",
    "divide",
    "element",
    "equal",
    "format",
    "formatlist",
    "greaterthan",
    "hasindex",
    "index",
    "int",
    "length",
    "lessthan",
    "lookup",
    "modulo",
    "multiply",
    "negate",
    "not",
    "notequal",
    "or",
    "range",
    "regex",
    "regexall",
    "replace",
    "sethaselement",
    "setsubtract",
    "setsymmetricdifference",
    "strlen",
    "substr",
    "subtract",
];

/// The functions of Bake, with the given grants.
pub(crate) fn table(grants: &Grants) -> Table {
    let mut table = cty::shared_and(&FROM_CTY);
    table.extend([
        ("signum", crate::terraform::older::signum()),
        ("absolute", renamed(&number::abs(), "absolute(-1)", "1")),
        ("base64decode", encoding::base64decode()),
        ("base64encode", encoding::base64encode()),
        ("basename", filesystem::basename()),
        ("bcrypt", crypto::bcrypt(grants)),
        ("cidrhost", network::cidrhost(Rules::GoCtyFuncs)),
        ("cidrnetmask", network::cidrnetmask(Rules::GoCtyFuncs)),
        ("cidrsubnet", network::cidrsubnet(Rules::GoCtyFuncs)),
        ("cidrsubnets", network::cidrsubnets(Rules::GoCtyFuncs)),
        ("dirname", filesystem::dirname()),
        ("formattimestamp", formattimestamp()),
        ("greaterthanorequalto", operator::greaterthanorequalto()),
        ("homedir", homedir(grants)),
        ("indexof", renamed(&terraform::index(), r#"indexof(["a", "b"], "b")"#, "1")),
        ("lessthanorequalto", operator::lessthanorequalto()),
        ("md5", hash::md5()),
        (
            "regex_replace",
            renamed(&regex::regexreplace(), r#"regex_replace("hello world", "o.*", "!")"#, r#""hell!""#),
        ),
        ("reverse", renamed(&string::strrev(), r#"reverse("hello")"#, r#""olleh""#)),
        ("reverselist", renamed(&sequence::reverse(), "reverselist([1, 2])", "[2, 1]")),
        ("rsadecrypt", crypto::rsadecrypt()),
        ("sanitize", sanitize()),
        ("semvercmp", version::semvercmp()),
        ("sha1", hash::sha1()),
        ("sha256", hash::sha256()),
        ("sha512", hash::sha512()),
        ("timestamp", time::timestamp(grants)),
        (
            "unixtimestampparse",
            renamed(&unix_timestamp_parse(), "unixtimestampparse(0).rfc3339", r#""1970-01-01T00:00:00Z""#),
        ),
        ("urlencode", encoding::urlencode()),
        ("uuidv4", crypto::uuid("uuidv4", grants)),
        ("uuidv5", crypto::uuidv5()),
    ]);
    table
}

fn formattimestamp() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let time = match args[1].ty() {
            Type::String => Timestamp::parse(text(args, 1)).map_err(|why| wrong(1, why))?,
            Type::Number => Timestamp::from_unix(integer_of(&args[1], 1)?),
            _ => return Err(wrong(1, "a timestamp or a Unix time is required")),
        };
        if text(args, 0) == "X" {
            return Ok(Value::from(time.instant().0.to_string()));
        }
        datetime::formatdate().call(&[args[0].clone(), Value::from(time.rfc3339())])
    })
    .with_description(
        "Formats a timestamp in RFC 3339 format or a Unix time, as `formatdate` does. The format `X` gives the Unix time.",
    )
    .with_parameter(Parameter::new("format", Type::String).with_description("The format, as for `formatdate`, or `X`."))
    .with_parameter(
        Parameter::new("time", Type::Dynamic).with_description("A timestamp in RFC 3339 format, or a Unix time."),
    )
    .with_refined_result(not_null)
    .with_example(r#"formattimestamp("YYYY-MM-DD", 0)"#, r#""1970-01-01""#)
    .with_example(r#"formattimestamp("X", "1970-01-01T00:01:00Z")"#, r#""60""#)
}

fn sanitize() -> Function {
    let is_valid =
        |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
    text_function("name", "The text.", move |name| {
        Ok(name.chars().map(|character| if is_valid(character) { character } else { '_' }).collect())
    })
    .with_description("Replaces each character that the name of a target cannot contain by `_`.")
    .with_example(r#"sanitize("v1.2")"#, r#""v1_2""#)
}

fn homedir(grants: &Grants) -> Function {
    let grants = grants.clone();
    Function::unnamed(Type::String, move |_, _| {
        grants.files()?;
        let home = std::env::home_dir().ok_or_else(|| Error::new("cannot determine the home directory"))?;
        Ok(Value::from(home.to_string_lossy().into_owned()))
    })
    .with_description("Returns the home directory of the user.")
    .with_refined_result(not_null)
    .with_example("length(homedir()) > 0", "true")
}
