//! `format` and `formatlist`: format strings with Go's verbs. Numbers are formatted in `format/number.rs`.

mod number;

use hclkit_value::{Error, ErrorKind, Function, Parameter, Type, Value};
use unicode_segmentation::UnicodeSegmentation;

use crate::arguments::{items, not_null, text, wrong};
use crate::limits::{check_count, check_length};
use crate::{json, string};

pub(crate) fn format() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let pattern = text(args, 0);
        if args.iter().all(Value::is_wholly_known) {
            return Ok(Value::from(formatted(pattern, &args[1..])?));
        }
        // The text before the first verb is always part of the result.
        let start = pattern.split_once('%').map_or("", |(start, _)| start);
        Value::unknown(Type::String).refine().with_not_null().with_prefix(start).finish()
    })
    .with_description(
        "Formats values according to a format string: %s inserts a string, %d a whole number and %v any value.",
    )
    .with_parameter(Parameter::new("format", Type::String).with_description("The format string."))
    .with_variadic(
        Parameter::new("args", Type::Dynamic)
            .with_description("The values to format, in the order of the verbs.")
            .with_nulls()
            .with_unknowns()
            .with_dynamic(),
    )
    .with_refined_result(not_null)
    .with_example(r#"format("Hello, %s!", "world")"#, r#""Hello, world!""#)
    .with_example(r#"format("%05.1f|%-4s|%#x", 3.14, "a", 255)"#, r#""003.1|a   |0xff""#)
}

pub(crate) fn formatlist() -> Function {
    Function::unnamed(Type::list(Type::String), |args, ty| {
        let mut length: Option<(usize, usize)> = None;
        let mut known = true;
        for (at, arg) in args.iter().enumerate().skip(1) {
            known &= arg.is_known() || !(is_sequence(arg) || arg.has_type(&Type::Dynamic));
            if arg.is_null() || !is_sequence(arg) {
                continue;
            }
            match (known_length(arg), length) {
                (None, _) => known = false,
                (Some(own), Some((first, common))) if common != own => {
                    let why =
                        format!("the list has {own} elements, but the list in argument {first} has {common}");
                    return Err(wrong(at, why));
                }
                (Some(own), _) => length = Some((at, own)),
            }
        }
        if !known {
            return Ok(Value::unknown(ty.clone()).refine_not_null());
        }
        check_count(length.map_or(1, |(_, length)| length))?;
        let (mut formats, mut total) = (Vec::new(), 0_usize);
        let mut row = args[1..].to_vec();
        for at in 0..length.map_or(1, |(_, length)| length) {
            for (cell, arg) in row.iter_mut().zip(&args[1..]) {
                if !arg.is_null() && is_sequence(arg) {
                    *cell = items(arg).get(at).cloned().unwrap_or(Value::NULL);
                }
            }
            formats.push(if row.iter().all(Value::is_wholly_known) {
                let formatted = formatted(text(args, 0), &row);
                let formatted = formatted.map_err(|error| match error.kind() {
                    ErrorKind::Limit(_) => error,
                    _ => Error::new(format!("element {at}: {error}")),
                })?;
                total = total.saturating_add(formatted.len());
                check_length(total)?;
                Value::from(formatted)
            } else {
                Value::unknown(Type::String).refine_not_null()
            });
        }
        Ok(Value::list_of(Type::String, formats)?)
    })
    .with_description("Formats values like `format` does, once for each element of the given lists.")
    .with_parameter(Parameter::new("format", Type::String).with_description("The format string."))
    .with_variadic(
        Parameter::new("args", Type::Dynamic)
            .with_description("Lists of the same length, and single values to use with every element.")
            .with_nulls()
            .with_unknowns()
            .with_dynamic(),
    )
    .with_refined_result(not_null)
    .with_example(r#"formatlist("%s has %d", ["a", "b"], 1)"#, r#"tolist(["a has 1", "b has 1"])"#)
}

fn is_sequence(value: &Value) -> bool {
    matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_))
}

/// Returns the number of elements, if known. Unknown elements of a set may turn out to be equal.
fn known_length(value: &Value) -> Option<usize> {
    match value.ty() {
        Type::Set(_) if items(value).len() > 1 && !value.is_wholly_known() => None,
        Type::Tuple(tuple) => Some(tuple.elements().len()),
        _ => value.as_slice().map(<[Value]>::len),
    }
}

/// The options between the percent sign and the letter of a verb.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent flags of the syntax")]
struct Options {
    sharp: bool,
    plus: bool,
    minus: bool,
    space: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// Formats values by a format string. Every value must be used.
fn formatted(pattern: &str, args: &[Value]) -> Result<String, Error> {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let (mut next, mut used) = (0, 0);
    while let Some((before, verb)) = rest.split_once('%') {
        out.push_str(before);
        if let Some(after) = verb.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let mut scan = Scan(verb);
        let (options, place) = scan.options()?;
        let letter = scan
            .0
            .chars()
            .next()
            .ok_or_else(|| Error::new("the format string ends with an incomplete verb"))?;
        rest = &scan.0[letter.len_utf8()..];
        let whole = &verb[..verb.len() - rest.len()];
        let at = place.unwrap_or(next);
        next = at.saturating_add(1);
        used = used.max(next);
        let failed = |why: Error| match why.kind() {
            ErrorKind::Limit(_) => why,
            _ => Error::new(format!("\"%{whole}\": {why}")),
        };
        let arg = args.get(at).ok_or_else(|| {
            failed(Error::without_values(format!("not enough values: only {} given", args.len())))
        })?;
        write_verb(letter, &options, arg, &mut out).map_err(failed)?;
        check_length(out.len())?;
    }
    out.push_str(rest);
    check_length(out.len())?;
    if used < args.len() {
        return Err(wrong(used + 1, format!("too many values: the format string uses only {used}")));
    }
    Ok(out)
}

struct Scan<'a>(&'a str);

impl Scan<'_> {
    /// Parses `[flags][width][.precision][[index]]`. The index counts from 1 in the syntax and from 0 in the result.
    fn options(&mut self) -> Result<(Options, Option<usize>), Error> {
        let mut options = Options::default();
        while let Some(c) = self.0.chars().next() {
            match c {
                '#' => options.sharp = true,
                '+' => options.plus = true,
                '-' => options.minus = true,
                ' ' => options.space = true,
                '0' => options.zero = true,
                _ => break,
            }
            self.0 = &self.0[1..];
        }
        options.width = self.count().unwrap_or(0);
        check_length(options.width)?;
        if let Some(rest) = self.0.strip_prefix('.') {
            self.0 = rest;
            options.precision = Some(self.count().unwrap_or(0));
        }
        let Some(rest) = self.0.strip_prefix('[') else { return Ok((options, None)) };
        self.0 = rest;
        let place = if rest.starts_with('0') { None } else { self.count() };
        match place.zip(self.0.strip_prefix(']')) {
            Some((place, rest)) => {
                self.0 = rest;
                Ok((options, Some(place - 1)))
            }
            None => Err(Error::new("the index of a verb must be a number of at least 1")),
        }
    }

    /// Parses a number, which saturates if it is too large.
    fn count(&mut self) -> Option<usize> {
        let end = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(usize::MAX))
    }
}

fn write_verb(letter: char, options: &Options, arg: &Value, out: &mut String) -> Result<(), Error> {
    if letter == 'v' {
        let text = if let (Some(text), false) = (arg.as_str(), options.sharp) {
            text.to_owned()
        } else if let (Some(number), false) = (arg.as_number(), options.sharp) {
            number::shortest(number)
        } else {
            json::encode(arg)?
        };
        pad(&text, options, out);
        return Ok(());
    }
    let wanted = match letter {
        's' | 'q' => Type::String,
        't' => Type::Bool,
        'b' | 'd' | 'o' | 'x' | 'X' | 'e' | 'E' | 'f' | 'g' | 'G' => Type::Number,
        _ => return Err(Error::new("unsupported format verb")),
    };
    if arg.is_null() {
        return Err(Error::new("cannot format a null value"));
    }
    let value = arg.convert(&wanted)?;
    if let Some(number) = value.as_number() {
        return number::write(letter, options, number, out);
    }
    if let Some(flag) = value.as_bool() {
        out.push_str(if flag { "true" } else { "false" });
        return Ok(());
    }
    let mut text = value.as_str().unwrap_or_default();
    if let Some(most) = options.precision.filter(|most| *most > 0) {
        let end = text.grapheme_indices(true).nth(most).map_or(text.len(), |(end, _)| end);
        text = &text[..end];
    }
    if letter == 'q' {
        let quoted = json::encode(&Value::from(text))?;
        pad(&quoted, options, out);
    } else {
        pad(text, options, out);
    }
    Ok(())
}

/// Writes text padded to the width in characters.
fn pad(text: &str, options: &Options, out: &mut String) {
    let missing = options.width.saturating_sub(if options.width == 0 { 0 } else { string::length(text) });
    let fill = if options.zero { '0' } else { ' ' };
    if options.minus {
        out.push_str(text);
    }
    out.extend(std::iter::repeat_n(fill, missing));
    if !options.minus {
        out.push_str(text);
    }
}
