//! Base64, gzip, URL encoding, and other character encodings (`charset.rs`).

use std::fmt::Write;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hclkit_value::{Error, Function, Parameter, Step, Type, Value};

use crate::arguments::{not_null, text, wrong};
use crate::charset::Charset;
use crate::gzip;
use crate::limits::check_length;

/// Standard Base64. As in the reference, decoding requires padding and ignores the unused bits of the last digit.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Encodes bytes as Base64.
///
/// # Errors
/// The result would be too long.
pub(crate) fn to_base64(bytes: &[u8]) -> Result<String, Error> {
    check_length(bytes.len().div_ceil(3).saturating_mul(4))?;
    Ok(BASE64.encode(bytes))
}

/// Encodes a digest as Base64, without checking its length.
pub(crate) fn digest_to_base64(digest: &[u8]) -> String {
    BASE64.encode(digest)
}

/// Decodes Base64 text. Line breaks are ignored.
pub(crate) fn from_base64(text: &str) -> Result<Vec<u8>, Error> {
    let joined: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
    BASE64.decode(joined).map_err(|error| Error::new(format!("not valid Base64: {error}")))
}

pub(crate) fn base64encode() -> Function {
    text_function("str", "The string to encode.", |text| to_base64(text.as_bytes()))
        .with_description("Encodes a string as Base64.")
        .with_example(r#"base64encode("Hello")"#, r#""SGVsbG8=""#)
}

pub(crate) fn base64decode() -> Function {
    text_function("str", "The Base64-encoded string.", |text| {
        String::from_utf8(from_base64(text)?).map_err(|_| Error::new("the decoded bytes are not valid UTF-8"))
    })
    .with_description("Decodes a Base64-encoded string. The decoded bytes must be valid UTF-8.")
    .with_example(r#"base64decode("SGVsbG8=")"#, r#""Hello""#)
}

pub(crate) fn base64gzip() -> Function {
    text_function("str", "The string to compress.", |text| to_base64(&gzip::compress(text.as_bytes())?))
        .with_description(
            "Compresses a string with gzip and encodes the result as Base64. Other programs may compress the \
             same string to different bytes.",
        )
        .with_example(r#"substr(base64gzip("Hello"), 0, 12)"#, r#""H4sIAAAAAAAA""#)
}

pub(crate) fn base64gunzip() -> Function {
    text_function("str", "The Base64-encoded gzip data.", |text| {
        String::from_utf8(gzip::decompress(&from_base64(text)?)?)
            .map_err(|_| Error::new("the decompressed bytes are not valid UTF-8"))
    })
    .with_description("Decodes a Base64-encoded string and decompresses the result with gzip.")
    .with_example(r#"base64gunzip("H4sIAAAAAAACA/NIzcnJBwCCidH3BQAAAA==")"#, r#""Hello""#)
}

pub(crate) fn urlencode() -> Function {
    text_function("str", "The string to encode.", |text| {
        check_length(text.len())?;
        if check_length(text.len().saturating_mul(3)).is_err() {
            let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~ ".contains(byte);
            let escaped = text.len() - text.bytes().filter(plain).count();
            check_length(text.len().saturating_add(escaped.saturating_mul(2)))?;
        }
        let mut out = String::with_capacity(text.len());
        for byte in text.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                    out.push(char::from(byte));
                }
                b' ' => out.push('+'),
                _ => {
                    let _ = write!(out, "%{byte:02X}");
                }
            }
        }
        Ok(out)
    })
    .with_description(
        "Encodes a string for use in a URL query: a space becomes `+`, and other special characters are percent-encoded.",
    )
    .with_example(r#"urlencode("Ann & Bob")"#, r#""Ann+%26+Bob""#)
}

pub(crate) fn urldecode() -> Function {
    text_function("str", "The string to decode.", |text| {
        check_length(text.len().saturating_mul('\u{fffd}'.len_utf8()))?;
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'+' => b' ',
                b'%' => {
                    let mut digit = || char::from(rest.next()?).to_digit(16);
                    let high = digit();
                    let value = high.zip(digit()).and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
                    value.ok_or_else(|| {
                        wrong(
                            0,
                            "`%` must be followed by two hexadecimal digits; write `%25` for the sign itself",
                        )
                    })?
                }
                byte => byte,
            });
        }
        Ok(with_replacements(&bytes))
    })
    .with_description(
        "Decodes a string from a URL query: `+` becomes a space, and `%` with two hexadecimal digits a byte.",
    )
    .with_example(r#"urldecode("Ann+%26+Bob")"#, r#""Ann & Bob""#)
}

/// The text of some bytes, with U+FFFD for each byte that is not part of a character.
fn with_replacements(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\u{fffd}'));
    }
    text
}

const CHARSET: &str = "The IANA name of the character encoding, such as `UTF-16LE`.";

pub(crate) fn textencodebase64() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let (text, name) = (text(args, 0), text(args, 1));
        let charset = Charset::named(name).map_err(|error| error.within(Step::from(1)))?;
        // No character has more than four bytes in any encoding.
        check_length(text.len().saturating_mul(4))?;
        let bytes = charset.encode(text).map_err(|error| error.within(Step::from(0)))?;
        Ok(Value::from(to_base64(&bytes)?))
    })
    .with_description("Encodes a string in the given character encoding and returns the bytes as Base64.")
    .with_parameter(Parameter::new("string", Type::String).with_description("The string to encode."))
    .with_parameter(Parameter::new("encoding", Type::String).with_description(CHARSET))
    .with_refined_result(not_null)
    .with_example(r#"textencodebase64("Hi", "UTF-16LE")"#, r#""SABpAA==""#)
}

pub(crate) fn textdecodebase64() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let (source, name) = (text(args, 0), text(args, 1));
        let charset = Charset::named(name).map_err(|error| error.within(Step::from(1)))?;
        let decoded = from_base64(source).and_then(|bytes| charset.decode(&bytes));
        Ok(Value::from(decoded.map_err(|error| error.within(Step::from(0)))?))
    })
    .with_description("Decodes a Base64-encoded string whose bytes are in the given character encoding.")
    .with_parameter(Parameter::new("source", Type::String).with_description("The Base64-encoded string."))
    .with_parameter(Parameter::new("encoding", Type::String).with_description(CHARSET))
    .with_refined_result(not_null)
    .with_example(r#"textdecodebase64("SABpAA==", "UTF-16LE")"#, r#""Hi""#)
}

/// A function from one string to another; the result is never null.
pub(crate) fn text_function(
    parameter: &str,
    description: &str,
    body: impl Fn(&str) -> Result<String, Error> + Send + Sync + 'static,
) -> Function {
    Function::unnamed(Type::String, move |args, _| body(text(args, 0)).map(Value::from))
        .with_parameter(Parameter::new(parameter, Type::String).with_description(description))
        .with_refined_result(not_null)
}
