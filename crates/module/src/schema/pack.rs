//! The compact form of the schemas of a provider: an index of its objects, and each object compressed. A file begins with a line
//! that names the form, and the checksum of the rest; the index is an object of JSON in a line. Objects are read when somebody
//! asks for them.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::ops::Range;
use std::sync::Arc;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc, read::DeflateDecoder};
use hclkit_value::{Error, Str, Value};

use super::{KINDS, Schemas, properties, text};
use crate::messages;

/// How a file in the compact form begins.
const START: &[u8] = b"hcl provider schema 1 ";
/// The largest object, in bytes of JSON. It protects from files that would fill the memory.
const MOST_BYTES: usize = 64 << 20;

/// The schemas of a provider in the compact form.
#[derive(Clone, Debug)]
pub struct PackedSchema {
    /// The address of the provider, such as `registry.terraform.io/hashicorp/aws`.
    pub address: String,
    /// The version of the provider, if it is known.
    pub version: Option<String>,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

impl PackedSchema {
    /// How the names of the files end.
    pub const EXTENSION: &str = ".hclschema";

    /// The path of the file in a directory of such schemas, such as `registry.terraform.io/hashicorp/aws/5.31.0.hclschema`. A
    /// version that is not known is called `unknown`. `None` if the address and the version, which come from files that others
    /// have written, could lead to another directory.
    pub fn path(&self) -> Option<String> {
        let version = self.version.as_deref().unwrap_or("unknown");
        let is_plain = is_name(version, "-_.:+~") && self.address.split('/').count() == 3;
        (is_plain && is_provider(&self.address))
            .then(|| format!("{}/{version}{}", self.address, Self::EXTENSION))
    }
}

/// Whether the source or the address of a provider consists of plain names, which lead to no other directory.
pub fn is_provider(address: &str) -> bool {
    address.split('/').all(|part| is_name(part, "-_.:"))
}

fn is_name(part: &str, signs: &str) -> bool {
    part.starts_with(|first: char| first.is_ascii_alphanumeric())
        && part.chars().all(|sign| sign.is_ascii_alphanumeric() || signs.contains(sign))
}

/// The text of an object.
#[derive(Clone, Debug)]
pub(super) enum Text {
    Plain(Arc<[u8]>),
    /// A part of a file, compressed, and its size when it is not.
    Packed(Arc<[u8]>, Range<usize>, usize),
}

impl Text {
    /// The object. `None` if the text is not what the index says.
    pub(super) fn value(&self) -> Option<Value> {
        match self {
            Self::Plain(text) => Value::from_plain_json(text).ok(),
            Self::Packed(file, range, size) => {
                let mut text = Vec::with_capacity(*size);
                let reader = DeflateDecoder::new(file.get(range.clone())?);
                reader.take(*size as u64 + 1).read_to_end(&mut text).ok()?;
                if text.len() != *size {
                    return None;
                }
                Value::from_plain_json(&text).ok()
            }
        }
    }
}

impl Schemas {
    /// The compact form of what `terraform providers schema -json` writes, for each provider. It is less than a tenth as large, and
    /// only its index is read at once. `versions` are the versions of the providers by their addresses.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use hclkit_module::Schemas;
    ///
    /// let text = br#"{ "provider_schemas": { "registry.terraform.io/hashicorp/local": { "resource_schemas": {
    ///     "local_file": { "block": { "attributes": { "id": { "type": "string", "computed": true } } } } } } } }"#;
    /// let packed = Schemas::pack(text, &BTreeMap::new())?;
    /// let schemas = Schemas::read(&packed[0].bytes)?;
    /// assert!(schemas.block("resource", "local_file", "hashicorp/local").is_some());
    /// # Ok::<(), hclkit_value::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text is not JSON, or has no schemas of providers.
    pub fn pack(text: &[u8], versions: &BTreeMap<String, String>) -> Result<Vec<PackedSchema>, Error> {
        // It must be valid before it is packed.
        Self::from_json(text)?;
        let providers = text::member(text, "provider_schemas");
        let providers = providers.ok_or_else(|| Error::new(messages::NO_SCHEMAS))?;
        let providers = text::members(providers)?.into_iter();
        providers.map(|(address, provider)| pack(address, provider, versions)).collect()
    }

    /// Reads the schemas of providers in either form: as `terraform providers schema -json` writes them, or packed.
    ///
    /// # Errors
    /// The content has neither form, or is damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        match bytes.strip_prefix(START) {
            Some(rest) => unpack(rest).ok_or_else(|| Error::new(messages::DAMAGED_SCHEMAS)),
            None => Self::from_json(bytes),
        }
    }
}

fn pack(
    address: String,
    provider: &[u8],
    versions: &BTreeMap<String, String>,
) -> Result<PackedSchema, Error> {
    let version = versions.get(&address).cloned();
    let mut blobs: Vec<u8> = Vec::new();
    let mut index: Vec<(Str, Value)> = vec![(Str::from("address"), Value::from(address.as_str()))];
    index.extend(version.as_deref().map(|version| (Str::from("version"), Value::from(version))));
    for (list, own) in text::members(provider)? {
        if KINDS.iter().any(|(known, _)| *known == list) {
            let objects = text::members(own)?.into_iter();
            let objects = objects.map(|(name, object)| Ok((Str::from(name), place(&mut blobs, object)?)));
            index.push((Str::from(list), Value::object(objects.collect::<Result<Vec<_>, Error>>()?)));
        } else if list == "functions" {
            index.push((Str::from(list), place(&mut blobs, own)?));
        }
    }
    let index = Value::object(index);
    let mut rest = index.to_json(&index.ty())?.into_bytes();
    rest.push(b'\n');
    rest.append(&mut blobs);
    let mut bytes = START.to_vec();
    bytes.extend(format!("{:08x}\n", checksum(&rest)).into_bytes());
    bytes.append(&mut rest);
    Ok(PackedSchema { address, version, bytes })
}

/// Compresses a text. Returns its place: the offset, the size there, and the size of the text.
fn place(blobs: &mut Vec<u8>, text: &[u8]) -> Result<Value, Error> {
    let start = blobs.len();
    let mut encoder = DeflateEncoder::new(&mut *blobs, Compression::best());
    let written = encoder.write_all(text).and_then(|()| encoder.finish().map(|_| ()));
    written.map_err(|error| Error::new(error.to_string()))?;
    let numbers = [start, blobs.len() - start, text.len()];
    Ok(Value::tuple(numbers.map(|number| Value::from(number as u64))))
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = Crc::new();
    sum.update(bytes);
    sum.sum()
}

/// Reads what follows the start of a file. `None` if it is damaged.
fn unpack(rest: &[u8]) -> Option<Schemas> {
    let (sum, rest) = rest.split_at_checked(8)?;
    let rest = rest.strip_prefix(b"\n")?;
    let expected = u32::from_str_radix(std::str::from_utf8(sum).ok()?, 16).ok()?;
    if checksum(rest) != expected {
        return None;
    }
    let end = memchr::memchr(b'\n', rest)?;
    let index = Value::from_plain_json(rest.get(..end)?).ok()?;
    let blobs: Arc<[u8]> = rest.get(end + 1..)?.into();
    let text = |place: &Value| -> Option<Text> {
        let number = |at: usize| place.as_slice()?.get(at)?.as_number()?.to_string().parse::<usize>().ok();
        let (start, size, full) = (number(0)?, number(1)?, number(2)?);
        let range = start..start.checked_add(size)?;
        (range.end <= blobs.len() && full <= MOST_BYTES).then(|| Text::Packed(blobs.clone(), range, full))
    };
    let mut schemas = Schemas::default();
    let mut address: Arc<str> = Arc::from("");
    for (list, own) in properties(&index) {
        if list == "address" {
            address = own.as_str()?.into();
        } else if let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == list) {
            for (name, place) in properties(&own) {
                schemas.add(kind, name, &address, text(&place)?);
            }
        } else if list == "functions" {
            schemas.add_functions(&address, &text(&own)?.value()?);
        }
    }
    Some(schemas)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = br#"{ "format_version": "1.0", "provider_schemas": {
        "registry.terraform.io/hashicorp/one": {
            "resource_schemas": {
                "one_thing": { "block": { "attributes": {
                    "name": { "type": "string", "required": true, "description": "The \"name\"." },
                    "tags": { "type": ["map", "string"], "optional": true, "deprecated": true }
                }, "block_types": { "rule": { "nesting_mode": "list", "max_items": 1, "block": { "attributes": {
                    "port": { "type": "number", "optional": true } } } } } } },
                "one_other": { "block": {} }
            },
            "data_source_schemas": { "one_thing": { "block": { "attributes": { "id": { "type": "string", "computed": true } } } } },
            "functions": { "twice": { "return_type": "number", "parameters": [{ "name": "x", "type": "number" }] } }
        },
        "registry.terraform.io/example/two": { "ephemeral_resource_schemas": { "two_key": { "block": {} } } }
    } }"#;

    fn packed() -> Vec<PackedSchema> {
        let versions =
            BTreeMap::from([("registry.terraform.io/hashicorp/one".to_owned(), "1.2.3".to_owned())]);
        Schemas::pack(TEXT, &versions).unwrap()
    }

    #[test]
    fn packed_schemas_are_those_that_were_packed() {
        let plain = Schemas::from_json(TEXT).unwrap();
        let all = packed();
        let versions: BTreeMap<_, _> =
            all.iter().map(|own| (own.address.as_str(), own.version.as_deref())).collect();
        assert_eq!(versions["registry.terraform.io/hashicorp/one"], Some("1.2.3"));
        assert_eq!(versions["registry.terraform.io/example/two"], None);
        let mut seen = 0;
        for own in &all {
            let read = Schemas::read(&own.bytes).unwrap();
            for kind in ["resource", "data", "ephemeral"] {
                for name in read.types(kind) {
                    let both = [&read, &plain].map(|own| format!("{:?}", own.block(kind, name, "")));
                    assert_eq!(both[0], both[1]);
                    seen += 1;
                }
            }
            let names = |own: &Schemas| own.functions().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
            assert!(names(&read).iter().all(|name| names(&plain).contains(name)));
            seen += names(&read).len();
        }
        assert_eq!(seen, 5);
    }

    #[test]
    fn damaged_files_are_errors() {
        for own in packed() {
            for at in 0..own.bytes.len() {
                let mut bytes = own.bytes.clone();
                bytes[at] ^= 1;
                assert!(Schemas::read(&bytes).is_err(), "byte {at}");
                assert!(Schemas::read(&own.bytes[..at]).is_err(), "{at} bytes");
            }
        }
    }
}
