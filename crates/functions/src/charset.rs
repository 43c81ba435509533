//! The IANA character sets that the reference supports. Single-byte sets are in `charset/single_byte.txt`; most
//! multi-byte sets come from `encoding_rs`.

use std::collections::HashMap;
use std::sync::OnceLock;

use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use hclkit_value::Error;

/// A character encoding.
pub(crate) struct Charset {
    name: &'static str,
    form: Form,
}

#[derive(Clone, Copy)]
enum Form {
    SingleByte(&'static SingleByte),
    Utf8,
    Utf16 {
        big_endian: bool,
        mark: bool,
    },
    /// GBK in seven bits, between `~{` and `~}`.
    Hz,
    /// EUC-JP with the characters of JIS X 0212.
    EucJp,
    /// ISO-2022-JP with half-width katakana.
    Iso2022Jp,
    Other(&'static Encoding),
}

const MULTI_BYTE: [(&[&str], Form); 12] = [
    (&["UTF-8", "csUTF8"], Form::Utf8),
    (&["UTF-16", "csUTF16"], Form::Utf16 { big_endian: true, mark: true }),
    (&["UTF-16BE", "csUTF16BE"], Form::Utf16 { big_endian: true, mark: false }),
    (&["UTF-16LE", "csUTF16LE"], Form::Utf16 { big_endian: false, mark: false }),
    (&["Shift_JIS", "MS_Kanji", "csShiftJIS"], Form::Other(encoding_rs::SHIFT_JIS)),
    (&["EUC-JP", "Extended_UNIX_Code_Packed_Format_for_Japanese", "csEUCPkdFmtJapanese"], Form::EucJp),
    (&["ISO-2022-JP", "csISO2022JP"], Form::Iso2022Jp),
    (&["EUC-KR", "csEUCKR"], Form::Other(encoding_rs::EUC_KR)),
    (&["HZ-GB-2312"], Form::Hz),
    (&["GB18030", "csGB18030"], Form::Other(encoding_rs::GB18030)),
    (&["GBK", "CP936", "MS936", "windows-936", "csGBK"], Form::Other(encoding_rs::GBK)),
    (&["Big5", "csBig5"], Form::Other(encoding_rs::BIG5)),
];

impl Charset {
    /// Finds a character set by name, ignoring case and surrounding whitespace.
    pub(crate) fn named(wanted: &str) -> Result<Self, Error> {
        let wanted = wanted.trim();
        for (names, form) in MULTI_BYTE {
            if names.iter().any(|name| name.eq_ignore_ascii_case(wanted)) {
                return Ok(Self { name: names[0], form });
            }
        }
        single_byte()
            .iter()
            .find(|set| set.names.iter().any(|name| name.eq_ignore_ascii_case(wanted)))
            .and_then(|set| Some(Self { name: set.names.first()?, form: Form::SingleByte(set) }))
            .ok_or_else(|| Error::new(format!("{wanted:?} is not a supported IANA encoding name")))
    }

    /// Encodes text as bytes.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<u8>, Error> {
        match self.form {
            Form::SingleByte(set) => text.chars().map(|c| set.byte(c)).collect(),
            Form::Utf8 => Some(text.as_bytes().to_vec()),
            Form::Utf16 { big_endian, mark } => {
                let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
                let bytes = |unit: u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
                Some(units.flat_map(bytes).collect())
            }
            Form::Hz => encode_hz(text),
            Form::EucJp => encode_euc_jp(text),
            Form::Iso2022Jp => encode_iso_2022_jp(text),
            Form::Other(encoding) => encode_other(encoding, text),
        }
        .ok_or_else(|| {
            Error::new(format!("the string contains characters that cannot be represented in {}", self.name))
        })
    }

    /// Decodes bytes as text. As in the reference, the result must not contain a replacement character.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Result<String, Error> {
        match self.form {
            Form::SingleByte(set) => bytes.iter().map(|byte| set.chars[usize::from(*byte)]).collect(),
            Form::Utf8 => String::from_utf8(bytes.to_vec()).ok(),
            Form::Utf16 { big_endian, mark } => decode_utf16(bytes, big_endian, mark),
            Form::Hz => decode_hz(bytes),
            Form::EucJp => decode_other(encoding_rs::EUC_JP, bytes),
            Form::Iso2022Jp => decode_other(encoding_rs::ISO_2022_JP, bytes),
            Form::Other(encoding) => decode_other(encoding, bytes),
        }
        .filter(|text| !text.contains(char::REPLACEMENT_CHARACTER))
        .ok_or_else(|| Error::new(format!("the bytes are not valid {} text", self.name)))
    }
}

fn decode_utf16(bytes: &[u8], big_endian: bool, mark: bool) -> Option<String> {
    let (big_endian, bytes) = match bytes {
        [0xfe, 0xff, rest @ ..] if mark => (true, rest),
        [0xff, 0xfe, rest @ ..] if mark => (false, rest),
        _ => (big_endian, bytes),
    };
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    let units = pairs
        .iter()
        .map(|pair| if big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) });
    char::decode_utf16(units).collect::<Result<String, _>>().ok()
}

fn encode_other(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    let mut encoder = encoding.new_encoder();
    let length = encoder.max_buffer_length_from_utf8_without_replacement(text.len())?;
    let mut out = Vec::with_capacity(length);
    match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut out, true) {
        (EncoderResult::InputEmpty, _) => Some(out),
        _ => None,
    }
}

fn decode_other(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let length = decoder.max_utf8_buffer_length_without_replacement(bytes.len())?;
    let mut out = String::with_capacity(length);
    match decoder.decode_to_string_without_replacement(bytes, &mut out, true) {
        (DecoderResult::InputEmpty, _) => Some(out),
        _ => None,
    }
}

/// Encodes EUC-JP. `encoding_rs` decodes the characters of JIS X 0212 but does not encode them; the reference does
/// both.
fn encode_euc_jp(text: &str) -> Option<Vec<u8>> {
    static SUPPLEMENT: OnceLock<HashMap<char, [u8; 3]>> = OnceLock::new();
    if let Some(bytes) = encode_other(encoding_rs::EUC_JP, text) {
        return Some(bytes);
    }
    let supplement = SUPPLEMENT.get_or_init(|| {
        let places = (0xa1..=0xfe).flat_map(|row| (0xa1..=0xfe).map(move |cell| [0x8f, row, cell]));
        let read = |bytes: [u8; 3]| Some((decode_other(encoding_rs::EUC_JP, &bytes)?.chars().next()?, bytes));
        places.filter_map(read).collect()
    });
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match encode_other(encoding_rs::EUC_JP, c.encode_utf8(&mut [0; 4])) {
            Some(bytes) => out.extend(bytes),
            None => out.extend(supplement.get(&c)?),
        }
    }
    Some(out)
}

/// Encodes ISO-2022-JP. `encoding_rs` converts half-width katakana to full width; the reference encodes them in a
/// separate set.
fn encode_iso_2022_jp(text: &str) -> Option<Vec<u8>> {
    const TO_ASCII: &[u8] = b"\x1b(B";
    const TO_KATAKANA: &[u8] = b"\x1b(I";
    let is_narrow = |c: char| ('\u{ff61}'..='\u{ff9f}').contains(&c);
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut in_katakana = false;
    while let Some(first) = rest.chars().next() {
        let narrow = is_narrow(first);
        let end = rest.find(|c| is_narrow(c) != narrow).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        if narrow {
            if out.ends_with(TO_ASCII) {
                out.truncate(out.len() - TO_ASCII.len());
            }
            out.extend(TO_KATAKANA);
            out.extend(part.chars().map(|c| (u32::from(c) - 0xff61) as u8 + 0x21));
        } else {
            let bytes = encode_other(encoding_rs::ISO_2022_JP, part)?;
            if in_katakana && !bytes.starts_with(b"\x1b") {
                out.extend(TO_ASCII);
            }
            out.extend(bytes);
        }
        in_katakana = narrow;
    }
    if in_katakana {
        out.extend(TO_ASCII);
    }
    Some(out)
}

/// Encodes HZ. Like the reference, it does not switch back to ASCII before a tilde or at the end.
fn encode_hz(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut wide = false;
    for c in text.chars() {
        if c == '~' {
            out.extend(b"~~");
            continue;
        }
        if wide == c.is_ascii() {
            wide = !wide;
            out.extend(if wide { b"~{" } else { b"~}" });
        }
        if c.is_ascii() {
            out.push(c as u8);
            continue;
        }
        // The two-byte code of a character in GB 18030 is the same as in GB 2312, if it is part of GB 2312.
        match encode_other(encoding_rs::GB18030, c.encode_utf8(&mut [0; 4]))?[..] {
            [high @ 0xa1..=0xff, low @ 0xa1..=0xff] => out.extend([high & 0x7f, low & 0x7f]),
            _ => return None,
        }
    }
    Some(out)
}

fn decode_hz(bytes: &[u8]) -> Option<String> {
    let mut out = String::with_capacity(bytes.len());
    let mut wide = false;
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first == b'~' {
            let (&second, after) = rest.split_first()?;
            rest = after;
            match second {
                b'~' => out.push('~'),
                b'{' => wide = true,
                b'}' => wide = false,
                b'\n' => {}
                _ => return None,
            }
        } else if wide && first != b'\n' {
            let (&second, after) = rest.split_first()?;
            rest = after;
            if !(first.is_ascii_graphic() && second.is_ascii_graphic()) {
                return None;
            }
            out.push_str(&decode_other(encoding_rs::GBK, &[first | 0x80, second | 0x80])?);
        } else if first.is_ascii() {
            // A line break switches back to ASCII.
            wide = false;
            out.push(char::from(first));
        } else {
            return None;
        }
    }
    Some(out)
}

/// A single-byte character set.
struct SingleByte {
    names: Vec<&'static str>,
    chars: Vec<Option<char>>,
    bytes: HashMap<char, u8>,
}

impl SingleByte {
    fn byte(&self, c: char) -> Option<u8> {
        self.bytes.get(&c).copied()
    }
}

fn single_byte() -> &'static [SingleByte] {
    static SETS: OnceLock<Vec<SingleByte>> = OnceLock::new();
    SETS.get_or_init(|| {
        include_str!("charset/single_byte.txt").split("\n\n").skip(1).filter_map(read).collect()
    })
}

/// Parses one paragraph of the file.
fn read(paragraph: &'static str) -> Option<SingleByte> {
    let (names, codes) = paragraph.split_once('\n')?;
    let mut chars = Vec::with_capacity(256);
    for code in codes.split_whitespace() {
        if let Some(count) = code.strip_prefix('?') {
            chars.resize(chars.len() + count.parse::<usize>().ok()?, None);
            continue;
        }
        let (first, last) = code.split_once('-').unwrap_or((code, code));
        let (first, last) = (u32::from_str_radix(first, 16).ok()?, u32::from_str_radix(last, 16).ok()?);
        chars.extend((first..=last).map(char::from_u32));
    }
    if chars.len() == 128 {
        chars = (0..128_u8).map(|byte| Some(char::from(byte))).chain(chars).collect();
    }
    let bytes = (0..=255).zip(&chars).filter_map(|(byte, c)| Some(((*c)?, byte))).collect();
    (chars.len() == 256).then(|| SingleByte { names: names.split(' ').collect(), chars, bytes })
}

#[cfg(test)]
mod tests {
    use super::{MULTI_BYTE, single_byte};

    #[test]
    fn all_character_sets_are_loaded() {
        assert_eq!(single_byte().len() + MULTI_BYTE.len(), 57);
    }
}
