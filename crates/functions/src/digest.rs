//! Hash functions, with the feature `hash`.
#![allow(clippy::unnecessary_wraps, reason = "these functions return errors without the feature")]

use hclkit_value::Error;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

pub(crate) fn md5(bytes: &[u8]) -> Result<[u8; 16], Error> {
    Ok(Md5::digest(bytes).into())
}

pub(crate) fn sha1(bytes: &[u8]) -> Result<[u8; 20], Error> {
    Ok(Sha1::digest(bytes).into())
}

pub(crate) fn sha256(bytes: &[u8]) -> Result<[u8; 32], Error> {
    Ok(Sha256::digest(bytes).into())
}

pub(crate) fn sha512(bytes: &[u8]) -> Result<[u8; 64], Error> {
    Ok(Sha512::digest(bytes).into())
}
