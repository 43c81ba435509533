//! Finds the members of objects in the text of JSON, without reading their values.

use hclkit_value::{Error, Value};

use crate::messages;

/// The members of the object that a text is: each name, and the text of the value.
///
/// # Errors
/// The text is not an object, or not JSON.
pub(super) fn members(text: &[u8]) -> Result<Vec<(String, &[u8])>, Error> {
    match split(text) {
        Some(members) => Ok(members),
        // The error of the reader says where it is.
        None => Err(Value::from_plain_json(text).err().unwrap_or_else(|| Error::new(messages::NO_SCHEMAS))),
    }
}

/// The text of a member of the object that a text is.
pub(super) fn member<'t>(text: &'t [u8], name: &str) -> Option<&'t [u8]> {
    split(text)?.into_iter().find(|(own, _)| own == name).map(|(_, value)| value)
}

fn split(text: &[u8]) -> Option<Vec<(String, &[u8])>> {
    let mut found = Vec::new();
    let mut at = after(text, 0, b'{')?;
    if after(text, at, b'}').is_some() {
        return Some(found);
    }
    loop {
        at = blank(text, at);
        let end = value(text, at)?;
        let name = Value::from_plain_json(text.get(at..end)?).ok()?.as_str()?.to_owned();
        at = blank(text, after(text, end, b':')?);
        let end = value(text, at)?;
        found.push((name, text.get(at..end)?));
        if let Some(next) = after(text, end, b',') {
            at = next;
        } else {
            let end = after(text, end, b'}')?;
            return (blank(text, end) == text.len()).then_some(found);
        }
    }
}

fn blank(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The place after blanks and a byte, if it is there.
fn after(text: &[u8], at: usize, byte: u8) -> Option<usize> {
    let at = blank(text, at);
    (text.get(at) == Some(&byte)).then_some(at + 1)
}

/// The end of the value that starts at a place.
fn value(text: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match text.get(at)? {
            b'"' => at = string(text, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            b',' | b':' if depth > 0 => at += 1,
            byte if byte.is_ascii_whitespace() && depth > 0 => at += 1,
            _ => {
                let rest = &text[at..];
                let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                let length = rest.iter().take_while(is_part).count();
                if length == 0 {
                    return None;
                }
                at += length;
            }
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The end of the string that starts at a place.
fn string(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_divided_as_they_are_read() {
        let text = br#" { "a" : {"x": [1, "}\"", {}]} , "b\u0041":-1.5e3,"c":"\\" } "#;
        let found = members(text).unwrap();
        let shown: Vec<_> =
            found.iter().map(|(name, text)| (name.as_str(), std::str::from_utf8(text).unwrap())).collect();
        assert_eq!(shown, [("a", r#"{"x": [1, "}\"", {}]}"#), ("bA", "-1.5e3"), ("c", r#""\\""#)]);
        assert_eq!(members(b"{}").unwrap().len(), 0);
        for wrong in [
            "",
            "{",
            "[]",
            "1",
            "{\"a\"}",
            "{\"a\": }",
            "{\"a\": 1,}",
            "{\"a\": 1} x",
            "{\"a\": \"",
            "{1: 2}",
            "{\"a\": ]}",
        ] {
            assert!(members(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
