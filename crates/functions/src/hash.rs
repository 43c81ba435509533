//! Hashes of strings, as hexadecimal digits or Base64. Hashes of files are in `filesystem.rs`.

use hclkit_value::{Error, Function};

use crate::digest;
use crate::encoding::{digest_to_base64, text_function};

/// A function that hashes bytes and formats the digest.
pub(crate) type Hash = fn(&[u8]) -> Result<String, Error>;

/// Formats bytes as hexadecimal digits.
fn to_hex(bytes: &[u8]) -> String {
    let digits = b"0123456789abcdef";
    let pair = |byte: &u8| [digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]];
    bytes.iter().flat_map(pair).map(char::from).collect()
}

pub(crate) fn md5_hex(bytes: &[u8]) -> Result<String, Error> {
    Ok(to_hex(&digest::md5(bytes)?))
}

pub(crate) fn sha1_hex(bytes: &[u8]) -> Result<String, Error> {
    Ok(to_hex(&digest::sha1(bytes)?))
}

pub(crate) fn sha256_hex(bytes: &[u8]) -> Result<String, Error> {
    Ok(to_hex(&digest::sha256(bytes)?))
}

pub(crate) fn sha512_hex(bytes: &[u8]) -> Result<String, Error> {
    Ok(to_hex(&digest::sha512(bytes)?))
}

pub(crate) fn sha256_base64(bytes: &[u8]) -> Result<String, Error> {
    Ok(digest_to_base64(&digest::sha256(bytes)?))
}

pub(crate) fn sha512_base64(bytes: &[u8]) -> Result<String, Error> {
    Ok(digest_to_base64(&digest::sha512(bytes)?))
}

fn of_text(hash: Hash, description: &str) -> Function {
    text_function("str", "The string to hash, as UTF-8.", move |text| hash(text.as_bytes()))
        .with_description(description)
}

pub(crate) fn md5() -> Function {
    of_text(
        md5_hex,
        "Computes the MD5 hash of a string as hexadecimal digits. MD5 is not cryptographically secure.",
    )
    .with_example(r#"md5("hello")"#, r#""5d41402abc4b2a76b9719d911017c592""#)
}

pub(crate) fn sha1() -> Function {
    of_text(
        sha1_hex,
        "Computes the SHA-1 hash of a string as hexadecimal digits. SHA-1 is not cryptographically secure.",
    )
    .with_example(r#"sha1("hello")"#, r#""aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d""#)
}

pub(crate) fn sha256() -> Function {
    of_text(sha256_hex, "Computes the SHA-256 hash of a string as hexadecimal digits.").with_example(
        r#"sha256("hello")"#,
        r#""2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824""#,
    )
}

pub(crate) fn sha512() -> Function {
    of_text(sha512_hex, "Computes the SHA-512 hash of a string as hexadecimal digits.").with_example(
        r#"sha512("hello")"#,
        r#""9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043""#,
    )
}

pub(crate) fn base64sha256() -> Function {
    of_text(sha256_base64, "Computes the SHA-256 hash of a string as Base64.")
        .with_example(r#"base64sha256("hello")"#, r#""LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=""#)
}

pub(crate) fn base64sha512() -> Function {
    of_text(sha512_base64, "Computes the SHA-512 hash of a string as Base64.").with_example(
        r#"base64sha512("hello")"#,
        r#""m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw==""#,
    )
}
