//! Functions on strings. A character is a grapheme cluster.

mod case;

use hclkit_value::{Error, Function, Number, Parameter, RefinementBuilder, Str, Type, Value};
use unicode_segmentation::UnicodeSegmentation;

use crate::arguments::{integer, items, not_null, text, wrong};
use crate::limits::{check_count, check_length, visit};

pub(crate) use case::{capitalized, lowered, raised};

fn textual(name: &'static str, description: &'static str) -> Parameter {
    Parameter::new(name, Type::String).with_description(description)
}

/// A function that maps a string to another.
fn mapping(map: fn(&str) -> Str) -> Function {
    Function::unnamed(Type::String, move |args, _| {
        // Changing the case of a letter can at most triple its number of bytes.
        check_length(text(args, 0).len().saturating_mul(3))?;
        Ok(Value::from(map(text(args, 0))))
    })
    .with_parameter(textual("str", "The string."))
    .with_refined_result(not_null)
}

/// A function that removes parts of a string. If there is nothing to remove, it returns the argument itself.
fn cutting(cut: for<'a> fn(&'a str, &'a str) -> &'a str) -> Function {
    Function::unnamed(Type::String, move |args, _| {
        let text = text(args, 0);
        let rest = cut(text, args.get(1).and_then(Value::as_str).unwrap_or_default());
        Ok(if rest.len() == text.len() { args[0].clone() } else { Value::from(rest) })
    })
    .with_parameter(textual("str", "The string."))
    .with_refined_result(not_null)
}

pub(crate) fn upper() -> Function {
    mapping(raised)
        .with_description("Converts a string to uppercase.")
        .with_example(r#"upper("hello")"#, r#""HELLO""#)
}

pub(crate) fn lower() -> Function {
    mapping(lowered)
        .with_description("Converts a string to lowercase.")
        .with_example(r#"lower("HELLO")"#, r#""hello""#)
}

pub(crate) fn title() -> Function {
    mapping(capitalized)
        .with_description("Converts the first letter of each word in a string to uppercase.")
        .with_example(r#"title("hello world")"#, r#""Hello World""#)
}

pub(crate) fn strrev() -> Function {
    mapping(|text| Str::from(text.graphemes(true).rev().collect::<String>()))
        .with_description("Reverses the characters of a string.")
        .with_example(r#"strrev("hello")"#, r#""olleh""#)
}

pub(crate) fn chomp() -> Function {
    cutting(|text, _| text.trim_end_matches(['\n', '\r']))
        .with_description("Removes newline characters from the end of a string.")
        .with_example(r#"chomp("hello\n")"#, r#""hello""#)
}

pub(crate) fn trimspace() -> Function {
    cutting(|text, _| text.trim())
        .with_description("Removes whitespace from the start and end of a string.")
        .with_example(r#"trimspace("  hello\n")"#, r#""hello""#)
}

pub(crate) fn trim() -> Function {
    cutting(|text, set| text.trim_matches(|c| set.contains(c)))
        .with_description("Removes the given characters from the start and end of a string.")
        .with_parameter(textual("cutset", "The characters to remove."))
        .with_example(r#"trim("?!hello?!", "!?")"#, r#""hello""#)
}

pub(crate) fn trimprefix() -> Function {
    cutting(|text, prefix| text.strip_prefix(prefix).unwrap_or(text))
        .with_description("Removes a prefix from the start of a string, if present.")
        .with_parameter(textual("prefix", "The prefix to remove."))
        .with_example(r#"trimprefix("helloworld", "hello")"#, r#""world""#)
}

pub(crate) fn trimsuffix() -> Function {
    cutting(|text, suffix| text.strip_suffix(suffix).unwrap_or(text))
        .with_description("Removes a suffix from the end of a string, if present.")
        .with_parameter(textual("suffix", "The suffix to remove."))
        .with_example(r#"trimsuffix("helloworld", "world")"#, r#""hello""#)
}

pub(crate) fn strlen() -> Function {
    // An unknown string has at least the characters of its known prefix.
    Function::unnamed(Type::Number, |args, _| {
        if let Some(text) = args[0].as_str() {
            return Ok(Value::from(length(text)));
        }
        let least = length(args[0].refinement().prefix());
        Value::unknown(Type::Number).refine().with_not_null().with_min(Number::from(least)).finish()
    })
    .with_description("Returns the number of characters in a string.")
    .with_parameter(textual("str", "The string.").with_unknowns().with_dynamic())
    .with_refined_result(|result: RefinementBuilder| result.with_not_null().with_min(Number::ZERO))
    .with_example(r#"strlen("hello")"#, "5")
    .with_example(r#"strlen("👾🕹️")"#, "2")
}

pub(crate) fn length(text: &str) -> usize {
    if is_single_bytes(text) { text.len() } else { text.graphemes(true).count() }
}

/// Returns true if each byte is a character of its own.
fn is_single_bytes(text: &str) -> bool {
    text.is_ascii() && !text.contains('\r')
}

pub(crate) fn substr() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let (text, offset, length) = (text(args, 0), integer(args, 1)?, integer(args, 2)?);
        Ok(Value::from(substring(text, offset, length)))
    })
    .with_description("Extracts a substring by offset and length.")
    .with_parameter(textual("str", "The string."))
    .with_parameter(Parameter::new("offset", Type::Number).with_description(
        "The index of the first character, from 0. A negative offset counts from the end of the string.",
    ))
    .with_parameter(
        Parameter::new("length", Type::Number)
            .with_description("The number of characters. If negative, the rest of the string."),
    )
    .with_refined_result(not_null)
    .with_example(r#"substr("hello world", 1, 4)"#, r#""ello""#)
    .with_example(r#"substr("hello world", -5, -1)"#, r#""world""#)
}

fn substring(text: &str, offset: i64, count: i64) -> &str {
    // With a negative offset, the reference treats a count of 0 as no limit.
    let to_end = count < 0 || (count == 0 && offset < 0);
    let offset = if offset < 0 { (length(text) as i64).saturating_add(offset).max(0) } else { offset };
    let place = |characters: i64| {
        let characters = usize::try_from(characters).unwrap_or(usize::MAX);
        if is_single_bytes(text) {
            return characters.min(text.len());
        }
        text.grapheme_indices(true).nth(characters).map_or(text.len(), |(at, _)| at)
    };
    let end = if to_end { text.len() } else { place(offset.saturating_add(count)) };
    &text[place(offset)..end]
}

pub(crate) fn indent() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let spaces = usize::try_from(integer(args, 0)?);
        let spaces = spaces.map_err(|_| wrong(0, "the number of spaces must not be negative"))?;
        let text = text(args, 1);
        let breaks = text.bytes().filter(|byte| *byte == b'\n').count();
        if breaks == 0 {
            return Ok(args[1].clone());
        }
        check_length(breaks.saturating_mul(spaces).saturating_add(text.len()))?;
        Ok(Value::from(text.replace('\n', &format!("\n{}", " ".repeat(spaces)))))
    })
    .with_description("Adds spaces to the start of each line of a string except the first.")
    .with_parameter(Parameter::new("spaces", Type::Number).with_description("The number of spaces to add."))
    .with_parameter(textual("str", "The string."))
    .with_refined_result(not_null)
    .with_example(r#"indent(2, "a\nb")"#, r#""a\n  b""#)
}

pub(crate) fn replace() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let (text, from, to) = (text(args, 0), text(args, 1), text(args, 2));
        // Count the matches only if the maximum possible length is too long.
        if check_length((text.len() + 1).saturating_mul(to.len())).is_err() {
            check_length(text.matches(from).count().saturating_mul(to.len()).saturating_add(text.len()))?;
        }
        Ok(Value::from(text.replace(from, to)))
    })
    .with_description("Replaces all occurrences of a substring.")
    .with_parameter(textual("str", "The string."))
    .with_parameter(textual("substr", "The substring to search for."))
    .with_parameter(textual("replace", "The replacement."))
    .with_refined_result(not_null)
    .with_example(r#"replace("1 + 2 + 3", "+", "-")"#, r#""1 - 2 - 3""#)
}

pub(crate) fn split() -> Function {
    Function::unnamed(Type::list(Type::String), |args, _| {
        let (separator, text) = (text(args, 0), text(args, 1));
        // Count the matches only if the maximum possible count is too large.
        if check_count(text.len()).is_err() {
            check_count(text.matches(separator).count())?;
        }
        let parts: Vec<Value> = if separator.is_empty() {
            text.chars().map(|c| Value::from(c.encode_utf8(&mut [0; 4]) as &str)).collect()
        } else {
            text.split(separator).map(Value::from).collect()
        };
        Ok(Value::list_of(Type::String, parts)?)
    })
    .with_description("Splits a string into a list of strings at each separator.")
    .with_parameter(textual("separator", "The separator."))
    .with_parameter(textual("str", "The string."))
    .with_refined_result(not_null)
    .with_example(r#"split(",", "foo,bar")"#, r#"tolist(["foo", "bar"])"#)
}

pub(crate) fn join() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let (separator, lists) = (text(args, 0), &args[1..]);
        if lists.is_empty() {
            return Err(Error::new("at least one list is required"));
        }
        if lists.iter().any(|list| !list.is_wholly_known()) {
            return Ok(Value::unknown(Type::String).refine_not_null());
        }
        let count = lists.iter().map(|list| items(list).len()).sum::<usize>();
        visit(count)?;
        let mut length = count.saturating_sub(1).saturating_mul(separator.len());
        for (list, at) in lists.iter().zip(1..) {
            for item in items(list) {
                let part = item.as_str().ok_or_else(|| wrong(at, "list elements must not be null"))?;
                length = length.saturating_add(part.len());
            }
        }
        check_length(length)?;
        let mut joined = String::with_capacity(length);
        for (at, part) in lists.iter().flat_map(items).filter_map(Value::as_str).enumerate() {
            if at > 0 {
                joined.push_str(separator);
            }
            joined.push_str(part);
        }
        Ok(Value::from(joined))
    })
    .with_description("Joins the elements of one or more lists into a string, with a separator between them.")
    .with_parameter(textual("separator", "The separator to insert between the elements."))
    .with_variadic(
        Parameter::new("lists", Type::list(Type::String)).with_description("One or more lists of strings."),
    )
    .with_refined_result(not_null)
    .with_example(r#"join(", ", ["foo", "bar"])"#, r#""foo, bar""#)
}

pub(crate) fn sort() -> Function {
    Function::unnamed(Type::list(Type::String), |args, ty| {
        let list = &args[0];
        if !list.is_wholly_known() {
            // The order of the elements is unknown, but their number is the same.
            let range = list.refinement();
            let mut sorted =
                Value::unknown(ty.clone()).refine().with_not_null().with_min_len(range.min_len());
            if let Some(most) = range.max_len() {
                sorted = sorted.with_max_len(most);
            }
            return sorted.finish();
        }
        if items(list).is_sorted_by(|a, b| a.as_str().is_some() && a.as_str() <= b.as_str())
            && items(list).iter().all(|item| !item.is_null())
        {
            return Ok(list.clone());
        }
        visit(items(list).len())?;
        let mut sorted = items(list).to_vec();
        if let Some(at) = sorted.iter().position(Value::is_null) {
            return Err(wrong(0, format!("element {at} is null; null elements cannot be sorted")));
        }
        sorted.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
        Ok(Value::list_of(Type::String, sorted)?)
    })
    .with_description("Sorts a list of strings in lexical order (by UTF-8 bytes).")
    .with_parameter(
        Parameter::new("list", Type::list(Type::String)).with_description("The list.").with_unknowns(),
    )
    .with_refined_result(not_null)
    .with_example(r#"sort(["b", "a"])"#, r#"tolist(["a", "b"])"#)
}
