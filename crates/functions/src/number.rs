//! Functions on numbers. Operators and comparisons as functions are in `operator.rs`.

use std::cmp::Ordering;

use hclkit_value::{Error, Function, Number, Parameter, Type, Value};

use crate::arguments::{integer, not_null, number, text, wrong};
use crate::float::{logarithm, power};

fn numeric(name: &'static str, description: &'static str) -> Parameter {
    Parameter::new(name, Type::Number).with_description(description)
}

pub(crate) fn abs() -> Function {
    Function::unnamed(Type::Number, |args, _| args[0].abs())
        .with_description("Returns the absolute value of a number.")
        .with_parameter(numeric("number", "The number.").with_dynamic().with_marked())
        .with_refined_result(not_null)
        .with_example("abs(-1)", "1")
}

pub(crate) fn ceil() -> Function {
    Function::unnamed(Type::Number, |args, _| round(number(args, 0)?, Ordering::Greater))
        .with_description("Rounds a number up to the nearest whole number.")
        .with_parameter(numeric("number", "The number."))
        .with_refined_result(not_null)
        .with_example("ceil(5.1)", "6")
}

pub(crate) fn floor() -> Function {
    Function::unnamed(Type::Number, |args, _| round(number(args, 0)?, Ordering::Less))
        .with_description("Rounds a number down to the nearest whole number.")
        .with_parameter(numeric("number", "The number."))
        .with_refined_result(not_null)
        .with_example("floor(4.9)", "4")
}

/// Rounds to the next whole number in one direction.
fn round(number: &Number, side: Ordering) -> Result<Value, Error> {
    if number.is_infinite() {
        return Ok(Value::from(number.clone()));
    }
    let whole = without_negative_zero(number.trunc());
    if number.compare(&whole) != side {
        return Ok(Value::from(whole));
    }
    let step = if side == Ordering::Greater { Number::ONE } else { Number::ONE.negate() };
    Ok(Value::from(whole.add(&step)?))
}

fn without_negative_zero(number: Number) -> Number {
    if number.signum() == 0 { Number::ZERO } else { number }
}

pub(crate) fn int() -> Function {
    Function::unnamed(Type::Number, |args, _| {
        let number = number(args, 0)?;
        if number.is_infinite() {
            return Err(wrong(0, "cannot convert an infinity to a whole number"));
        }
        // A whole number is returned unchanged; a zero keeps its sign.
        if number.is_integer() {
            return Ok(args[0].clone());
        }
        Ok(Value::from(without_negative_zero(number.trunc())))
    })
    .with_description("Returns the whole part of a number, rounding toward zero.")
    .with_parameter(numeric("number", "The number, which must be finite."))
    .with_refined_result(not_null)
    .with_example("int(-2.7)", "-2")
}

pub(crate) fn signum() -> Function {
    Function::unnamed(Type::Number, |args, _| Ok(Value::from(i64::from(number(args, 0)?.signum()))))
        .with_description(
            "Returns the sign of a number: -1 if it is negative, 1 if it is positive, and 0 if it is zero.",
        )
        .with_parameter(numeric("number", "The number."))
        .with_refined_result(not_null)
        .with_example("signum(-13)", "-1")
}

pub(crate) fn max() -> Function {
    extreme(Ordering::Greater)
        .with_description("Returns the greatest of the given numbers.")
        .with_example("max(12, 54, 3)", "54")
}

pub(crate) fn min() -> Function {
    extreme(Ordering::Less)
        .with_description("Returns the smallest of the given numbers.")
        .with_example("min(12, 54, 3)", "3")
}

fn extreme(side: Ordering) -> Function {
    Function::unnamed(Type::Number, move |args, _| {
        let mut found: Option<&Number> = None;
        for at in 0..args.len() {
            let candidate = number(args, at)?;
            if found.is_none_or(|found| candidate.compare(found) == side) {
                found = Some(candidate);
            }
        }
        found.cloned().map(Value::from).ok_or_else(|| Error::new("at least one number is required"))
    })
    .with_variadic(numeric("numbers", "The numbers to compare.").with_dynamic())
    .with_refined_result(not_null)
}

pub(crate) fn log() -> Function {
    Function::unnamed(Type::Number, |args, _| {
        let (of, base) = (float(args, 0)?, float(args, 1)?);
        Ok(Value::from(Number::try_from(logarithm(of) / logarithm(base))?))
    })
    .with_description(
        "Returns the logarithm of a number in a given base, with the precision of a 64-bit float.",
    )
    .with_parameter(numeric("number", "A positive number."))
    .with_parameter(numeric("base", "The base, a positive number other than 1."))
    .with_refined_result(not_null)
    .with_example("log(16, 2)", "4")
}

pub(crate) fn pow() -> Function {
    Function::unnamed(Type::Number, |args, _| {
        Ok(Value::from(Number::try_from(power(float(args, 0)?, float(args, 1)?))?))
    })
    .with_description("Raises a number to a power, with the precision of a 64-bit float.")
    .with_parameter(numeric("number", "The base."))
    .with_parameter(numeric("power", "The exponent."))
    .with_refined_result(not_null)
    .with_example("pow(3, 2)", "9")
    .with_example("pow(4, 0.5)", "2")
}

/// Returns an argument as a float. As in the reference, it must be in the range of a 64-bit float.
fn float(args: &[Value], at: usize) -> Result<f64, Error> {
    let number = number(args, at)?;
    let (float, _) = number.to_f64();
    if float.is_infinite() && !number.is_infinite() {
        return Err(wrong(at, "the number is out of the range of a 64-bit float"));
    }
    Ok(float)
}

pub(crate) fn parseint() -> Function {
    Function::with_type(
        |args| {
            if args[0].has_type(&Type::String) {
                return Ok(Type::Number);
            }
            Err(wrong(0, format!("a string is required, not {}", args[0].ty().friendly_name())))
        },
        |args, _| {
            let base = integer(args, 1).ok().and_then(|base| u32::try_from(base).ok());
            let base = base.filter(|base| (2..=62).contains(base));
            let base = base.ok_or_else(|| wrong(1, "a whole number from 2 to 62 is required"))?;
            let digits = text(args, 0);
            parse_integer(digits, base)
                .map(Value::from)
                .ok_or_else(|| wrong(0, format!("cannot parse {digits:?} as a base {base} integer")))
        },
    )
    .with_description(
        "Parses a string as an integer in the given base. Letters are case-insensitive up to base 36.",
    )
    .with_parameter(
        Parameter::new("number", Type::Dynamic)
            .with_description("The string to parse: digits with an optional sign."),
    )
    .with_parameter(numeric("base", "The base, from 2 to 62."))
    .with_refined_result(not_null)
    .with_example(r#"parseint("FF", 16)"#, "255")
}

fn parse_integer(text: &str, base: u32) -> Option<Number> {
    let (negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let digit = |c: char| {
        let value = match c {
            '0'..='9' => u32::from(c) - u32::from('0'),
            'a'..='z' => u32::from(c) - u32::from('a') + 10,
            'A'..='Z' if base <= 36 => u32::from(c) - u32::from('A') + 10,
            'A'..='Z' => u32::from(c) - u32::from('A') + 36,
            _ => return None,
        };
        (value < base).then_some(value)
    };
    let digits: Vec<u32> = digits.chars().map(digit).collect::<Option<_>>()?;
    let small = digits
        .iter()
        .try_fold(0u128, |value, digit| value.checked_mul(u128::from(base))?.checked_add(u128::from(*digit)));
    let number = if let Some(value) = small {
        Number::from(value)
    } else {
        let base = Number::from(base);
        digits.iter().try_fold(Number::ZERO, |value, digit| {
            value.multiply(&base).ok()?.add(&Number::from(*digit)).ok()
        })?
    };
    Some(if negative && number.signum() != 0 { number.negate() } else { number })
}
