//! The order of sets in Terraform's SDK for providers: by a checksum of the text of each element.

use flate2::Crc;
use hclkit_value::Str;

/// The checksum by which the SDK tells elements apart, and which many providers use as an id.
pub(super) fn checksum(text: &str) -> u32 {
    let mut crc = Crc::new();
    crc.update(text.as_bytes());
    crc.sum()
}

/// The elements of a set in its order, without duplicates. `text` is what the SDK computes the checksum of.
pub(super) fn ordered<T>(all: impl IntoIterator<Item = T>, text: impl Fn(&T) -> String) -> Vec<T> {
    let mut keyed: Vec<(String, T)> =
        all.into_iter().map(|own| (checksum(&text(&own)).to_string(), own)).collect();
    keyed.sort_by(|(one, _), (other, _)| one.cmp(other));
    keyed.dedup_by(|(one, _), (other, _)| one == other);
    keyed.into_iter().map(|(_, own)| own).collect()
}

/// The strings of a set in its order.
pub(super) fn strings(all: &[Str]) -> Vec<&Str> {
    ordered(all, |text| format!("{text};"))
}

/// The text of a set of strings.
pub(super) fn set_text(all: &[Str]) -> String {
    let all: Vec<[&str; 2]> = strings(all).into_iter().map(|text| [text.as_str(), ";"]).collect();
    format!("{{{}}};", all.concat().concat())
}

/// The text of a list of strings.
pub(super) fn list_text(all: &[Str]) -> String {
    let all: Vec<[&str; 2]> = all.iter().map(|text| [text.as_str(), ";"]).collect();
    format!("({});", all.concat().concat())
}
