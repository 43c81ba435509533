//! Arguments that are large, deeply nested, or share parts so that they are much larger than their memory.

use hclkit_value::{Type, Value};

/// A text of `bytes` bytes.
pub(crate) fn long_text(bytes: usize) -> Value {
    Value::from("x".repeat(bytes))
}

/// A list that repeats one value.
pub(crate) fn long_list(count: usize) -> Value {
    Value::list(vec![Value::from("x"); count]).expect("elements of one type")
}

/// A list of distinct numbers.
pub(crate) fn wide_list(count: usize) -> Value {
    Value::list((0..count).map(Value::from)).expect("elements of one type")
}

/// A set of distinct numbers.
pub(crate) fn wide_set(count: usize) -> Value {
    Value::set((0..count).map(Value::from)).expect("elements of one type")
}

/// A map with `count` entries.
pub(crate) fn long_map(count: usize) -> Value {
    Value::map((0..count).map(|at| (format!("k{at}"), Value::from("x")))).expect("elements of one type")
}

/// Nests a value by repeating it twice at each level. The result takes little memory but is endless when written in
/// full.
pub(crate) fn doubled(value: Value, levels: usize) -> Value {
    (0..levels).fold(value, |value, _| Value::tuple([value.clone(), value]))
}

fn deep(levels: usize) -> Value {
    (0..levels).fold(Value::from("x"), |value, _| Value::tuple([value]))
}

fn number(text: &str) -> Value {
    Value::from(text).convert(&Type::Number).expect("a number")
}

/// Test arguments of a type.
pub(crate) fn candidates(ty: &Type) -> Vec<Value> {
    let texts = || {
        vec![
            long_text(5 << 18),
            Value::from("a\n".repeat(1 << 16)),
            Value::from("{\"a\":[1,".repeat(5_000)),
            Value::from("%999999999d%1000000.1000000f"),
            Value::from("x"),
            Value::from(""),
            Value::from("(a|b|ab)*".repeat(500)),
            Value::from("${".repeat(10_000)),
            Value::from("é\u{301}".repeat(1 << 14)),
            Value::from("2020-01-01T00:00:00Z"),
            Value::from("10.0.0.0/8"),
        ]
    };
    let numbers = || {
        vec![
            number("1e9"),
            number("-1e9"),
            number("1e600000000"),
            number("0"),
            number("-0.5"),
            number("31"),
            number("9223372036854775807"),
            number("1e-600000000"),
        ]
    };
    match ty {
        Type::String => texts(),
        Type::Number => numbers(),
        Type::Bool => vec![Value::TRUE, Value::FALSE],
        Type::List(element) if **element == Type::String => vec![long_list(30_000), long_list(1)],
        Type::List(_) => {
            vec![
                wide_list(30_000),
                long_list(20_000),
                Value::list([deep(900)]).expect("elements of one type"),
            ]
        }
        Type::Set(_) => vec![
            Value::set((0..20_000).map(Value::from)).expect("elements of one type"),
            Value::set([Value::from(1)]).expect("elements of one type"),
        ],
        Type::Map(_) => vec![
            long_map(20_000),
            Value::map([("a", long_list(20_000)), ("b", long_list(20_000))]).expect("elements of one type"),
        ],
        _ => {
            let mut all = vec![
                doubled(Value::from(1), 40),
                doubled(Value::tuple::<Value>([]), 60),
                doubled(Value::object([("a", Value::from("x"))]), 40),
                deep(900),
                wide_list(30_000),
                long_map(20_000),
                Value::set((0..20_000).map(Value::from)).expect("elements of one type"),
                Value::tuple(
                    (0..20_000).map(|at| if at % 2 == 0 { Value::from(at) } else { Value::from("x") }),
                ),
            ];
            all.extend(texts());
            all.extend(numbers());
            all
        }
    }
}

/// Functions whose work and result are at most proportional to their arguments, and aliases of other functions.
pub(crate) const HARMLESS: &[&str] = &[
    "abs",
    "absolute",
    "abspath",
    "add",
    "and",
    "assertnotnull",
    "aws_secretsmanager",
    "aws_secretsmanager_raw",
    "base64decode",
    "base64sha256",
    "base64sha512",
    "basename",
    "byteslen",
    "ceil",
    "chomp",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "cidrsubnets",
    "coalesce",
    "coalescelist",
    "consul_key",
    "dirname",
    "divide",
    "element",
    "endswith",
    "env",
    "ephemeralasnull",
    "equal",
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
    "floor",
    "formatdate",
    "formattimestamp",
    "greaterthan",
    "greaterthanorequalto",
    "hasindex",
    "homedir",
    "indexof",
    "int",
    "issensitive",
    "legacy_isotime",
    "legacy_strftime",
    "length",
    "lessthan",
    "lessthanorequalto",
    "log",
    "lookup",
    "max",
    "md5",
    "min",
    "modulo",
    "multiply",
    "negate",
    "nonsensitive",
    "not",
    "notequal",
    "one",
    "or",
    "parseint",
    "pathexpand",
    "plantimestamp",
    "pow",
    "range",
    "regex_replace",
    "regexreplace",
    "reverselist",
    "rfc3339_parse",
    "sanitize",
    "semvercmp",
    "sensitive",
    "sethaselement",
    "setsymmetricdifference",
    "sha1",
    "sha256",
    "signum",
    "startswith",
    "strcontains",
    "strlen",
    "strrev",
    "substr",
    "subtract",
    "templatefile",
    "textdecodebase64",
    "timeadd",
    "timecmp",
    "timestamp",
    "tobool",
    "tonumber",
    "tostring",
    "trim",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "unix_timestamp_parse",
    "unixtimestampparse",
    "uuid",
    "uuidv4",
    "uuidv5",
    "vault",
];
