//! Functions that return the time of the granted clock, and the comparison of timestamps. Formatting and arithmetic are
//! in `datetime.rs`.

use std::time::{SystemTime, UNIX_EPOCH};

use hclkit_value::{Error, Function, Parameter, Type, Value};

use crate::arguments::{not_null, text, wrong};
use crate::datetime::Timestamp;
use crate::grants::{Clock, Grants};

pub(crate) fn timestamp(grants: &Grants) -> Function {
    told(grants, Clock::now)
        .with_description("Returns the current time in UTC, in RFC 3339 format.")
        .with_example("length(timestamp())", "20")
}

pub(crate) fn plantimestamp(grants: &Grants) -> Function {
    told(grants, |clock| clock.start)
        .with_description("Returns the time at which evaluation started, in UTC, in RFC 3339 format. Every call returns the same time.")
        .with_example("plantimestamp() == plantimestamp()", "true")
}

fn told(grants: &Grants, tell: fn(Clock) -> SystemTime) -> Function {
    let grants = grants.clone();
    Function::unnamed(Type::String, move |_, _| {
        Ok(Value::from(timestamp_of(tell(grants.time()?))?.rfc3339()))
    })
    .with_impure()
    .with_refined_result(not_null)
}

/// Converts a system time to UTC, in whole seconds.
pub(crate) fn timestamp_of(time: SystemTime) -> Result<Timestamp, Error> {
    let seconds = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_secs()),
        Err(before) => i64::try_from(before.duration().as_secs()).map(|seconds| -seconds),
    };
    let seconds = seconds.map_err(|_| Error::new("the time of the clock is out of range"))?;
    Ok(Timestamp::from_unix(seconds))
}

pub(crate) fn timecmp() -> Function {
    Function::unnamed(Type::Number, |args, _| {
        let read = |at: usize| Timestamp::parse(text(args, at)).map_err(|message| wrong(at, message));
        Ok(Value::from(read(0)?.instant().cmp(&read(1)?.instant()) as i8))
    })
    .with_description("Compares two timestamps: returns -1 if the first is earlier, 1 if it is later, and 0 if they are the same instant.")
    .with_parameter(Parameter::new("timestamp_a", Type::String).with_description("The first timestamp, in RFC 3339 format."))
    .with_parameter(Parameter::new("timestamp_b", Type::String).with_description("The second timestamp, in RFC 3339 format."))
    .with_refined_result(not_null)
    .with_example(r#"timecmp("2017-11-22T00:00:00Z", "2017-11-22T01:00:00Z")"#, "-1")
    .with_example(r#"timecmp("2017-11-22T00:00:00Z", "2017-11-22T01:00:00+01:00")"#, "0")
}
