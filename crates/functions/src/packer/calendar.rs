//! Functions that split a time into its parts: `rfc3339_parse` and `unix_timestamp_parse`.

use hclkit_value::{Function, Parameter, Type, Value};

use crate::arguments::{integer, not_null, text, wrong};
use crate::datetime::Timestamp;

pub(super) fn rfc3339_parse() -> Function {
    Function::unnamed(parts_and("unix", Type::Number), |args, _| {
        let text = text(args, 0);
        // The date and the time can be separated by a space.
        let joined = text.replacen(' ', "T", 1);
        let time = Timestamp::parse(&joined).map_err(|why| wrong(0, why))?;
        Ok(parts(time, ("unix", Value::from(time.instant().0))))
    })
    .with_description("Parses a timestamp and returns its parts and its Unix time.")
    .with_parameter(
        Parameter::new("timestamp", Type::String).with_description("A timestamp in RFC 3339 format."),
    )
    .with_refined_result(not_null)
    .with_example(r#"rfc3339_parse("2023-07-25T23:43:16Z").unix"#, "1690328596")
    .with_example(r#"rfc3339_parse("2023-07-25T23:43:16+02:00").weekday_name"#, r#""Tuesday""#)
}

pub(crate) fn unix_timestamp_parse() -> Function {
    Function::unnamed(parts_and("rfc3339", Type::String), |args, _| {
        let time = Timestamp::from_unix(integer(args, 0)?);
        Ok(parts(time, ("rfc3339", Value::from(time.rfc3339()))))
    })
    .with_description("Converts a Unix time to UTC and returns its parts and its RFC 3339 timestamp.")
    .with_parameter(
        Parameter::new("unix_timestamp", Type::Number)
            .with_description("The number of seconds since January 1, 1970 UTC."),
    )
    .with_refined_result(not_null)
    .with_example("unix_timestamp_parse(1690328596).rfc3339", r#""2023-07-25T23:43:16Z""#)
}

/// The parts that `formatdate` has a verb for.
const VERBS: [(&str, &str); 8] = [
    ("year", "YYYY"),
    ("month", "M"),
    ("month_name", "MMMM"),
    ("day", "D"),
    ("weekday_name", "EEEE"),
    ("hour", "h"),
    ("minute", "m"),
    ("second", "s"),
];

fn is_name(part: &str) -> bool {
    part.ends_with("_name")
}

fn parts_and(further: &'static str, ty: Type) -> Type {
    let verbs = VERBS.map(|(part, _)| (part, if is_name(part) { Type::String } else { Type::Number }));
    let numbers = ["year_day", "weekday", "iso_year", "iso_week"].map(|part| (part, Type::Number));
    Type::object(verbs.into_iter().chain(numbers).chain([(further, ty)]))
}

fn parts(time: Timestamp, further: (&'static str, Value)) -> Value {
    let verbs = VERBS.map(|(part, verb)| {
        let written = time.part(verb);
        let number = written.parse::<i64>().ok().filter(|_| !is_name(part));
        (part, number.map_or_else(|| Value::from(written), Value::from))
    });
    let (iso_year, iso_week) = time.iso_week();
    let numbers = [
        ("year_day", time.day_of_year()),
        ("weekday", time.weekday()),
        ("iso_year", iso_year),
        ("iso_week", iso_week),
    ];
    let numbers = numbers.map(|(part, number)| (part, Value::from(number)));
    Value::object(verbs.into_iter().chain(numbers).chain([further]))
}
