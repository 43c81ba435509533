//! UUIDs, password hashes and RSA. Random functions require a grant.

use hclkit_value::{Error, Function, Parameter, Step, Type, Value};
use uuid::{Builder, Uuid};

use crate::arguments::{integer, not_null, text, wrong};
use crate::encoding::from_base64;
use crate::grants::Grants;
use crate::{bcrypt, decryption, digest, random};

/// A function that returns a random UUID. `name` is its name in the library.
pub(crate) fn uuid(name: &str, grants: &Grants) -> Function {
    let grants = grants.clone();
    Function::unnamed(Type::String, move |_, _| {
        grants.randomness()?;
        Ok(Value::from(Builder::from_random_bytes(random::bytes()?).into_uuid().to_string()))
    })
    .with_impure()
    .with_description("Generates a random UUID (version 4). Each call returns a different one.")
    .with_refined_result(not_null)
    .with_example(format!("length({name}())"), "36")
}

pub(crate) fn uuidv5() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let namespace = match text(args, 0) {
            "dns" => Uuid::NAMESPACE_DNS,
            "url" => Uuid::NAMESPACE_URL,
            "oid" => Uuid::NAMESPACE_OID,
            "x500" => Uuid::NAMESPACE_X500,
            other => read_uuid(other).ok_or_else(|| {
                wrong(0, format!("{other:?} is not a UUID or one of \"dns\", \"url\", \"oid\" and \"x500\""))
            })?,
        };
        let [first @ .., _, _, _, _] =
            digest::sha1(&[namespace.as_bytes(), text(args, 1).as_bytes()].concat())?;
        Ok(Value::from(Builder::from_sha1_bytes(first).into_uuid().to_string()))
    })
    .with_description(
        "Generates a name-based UUID (version 5). The same namespace and name always give the same UUID.",
    )
    .with_parameter(
        Parameter::new("namespace", Type::String)
            .with_description("`dns`, `url`, `oid`, `x500`, or the UUID of another namespace."),
    )
    .with_parameter(Parameter::new("name", Type::String).with_description("The name within the namespace."))
    .with_refined_result(not_null)
    .with_example(r#"uuidv5("dns", "www.terraform.io")"#, r#""a5008fae-b28c-5ba5-96cd-82b4c53552d6""#)
}

/// Parses a UUID with or without hyphens, braces and a URN prefix. As in the reference, the braces may be any two
/// characters.
fn read_uuid(text: &str) -> Option<Uuid> {
    let inner = match text.len() {
        38 => text.get(1..37)?,
        _ => text,
    };
    let inner = match inner.get(..9) {
        Some(urn) if inner.len() == 45 && urn.eq_ignore_ascii_case("urn:uuid:") => &inner[9..],
        _ => inner,
    };
    matches!(inner.len(), 32 | 36).then(|| Uuid::try_parse(inner).ok()).flatten()
}

const DEFAULT_COST: u32 = 10;

pub(crate) fn bcrypt(grants: &Grants) -> Function {
    let grants = grants.clone();
    Function::unnamed(Type::String, move |args, _| {
        let cost = match args.len() {
            1 => DEFAULT_COST,
            2 => match integer(args, 1)? {
                ..4 => DEFAULT_COST,
                cost => u32::try_from(cost)
                    .ok()
                    .filter(|cost| *cost <= 31)
                    .ok_or_else(|| wrong(1, "the cost must be at most 31"))?,
            },
            _ => return Err(Error::new("one or two arguments are required")),
        };
        grants.randomness()?;
        bcrypt::hash(text(args, 0), cost, random::bytes()?).map(Value::from)
    })
    .with_impure()
    .with_description("Hashes a string with bcrypt and a random salt. Each call returns a different hash.")
    .with_parameter(
        Parameter::new("str", Type::String).with_description("The string to hash, at most 72 bytes long."),
    )
    .with_variadic(
        Parameter::new("cost", Type::Number)
            .with_description("The cost, from 4 to 31; 10 by default. Each increment doubles the work."),
    )
    .with_refined_result(not_null)
    .with_example(r#"substr(bcrypt("secret", 4), 0, 7)"#, r#""$2a$04$""#)
}

pub(crate) fn rsadecrypt() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let ciphertext = from_base64(text(args, 0)).map_err(|error| error.within(Step::from(0)))?;
        let pem = text(args, 1);
        let plain = decryption::decrypt(&ciphertext, pem)?;
        let plain = String::from_utf8(plain);
        Ok(Value::from(plain.map_err(|_| wrong(0, "the decrypted data is not valid UTF-8"))?))
    })
    .with_description("Decrypts an RSA-encrypted ciphertext with PKCS #1 v1.5 padding.")
    .with_parameter(Parameter::new("ciphertext", Type::String).with_description("The ciphertext, encoded as Base64."))
    .with_parameter(
        Parameter::new("privatekey", Type::String).with_description("The private key in PEM format (PKCS #1 or PKCS #8)."),
    )
    .with_refined_result(not_null)    .with_example(
        r#"rsadecrypt("JPdMxnXSOpdiqWDomQS+tai+Bw4b8+grHlwdy3lnChOtsKOR3mNYR1j1m7QrKWQIe2cYSsatrx1Vquufg5vdCg==", file("key.pem"))"#,
        r#""secret""#,
    )
}
