//! Compression, with the feature `compress`.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::DeflateEncoder;
use hclkit_value::Error;

use crate::limits::{check_length, take_steps};

/// How many bytes are read at once.
const CHUNK: u64 = 64 << 10;

/// Creates a gzip stream without time and name, flushed before its end, like the reference.
pub(crate) fn compress(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    // Compressing a few bytes takes about as long as evaluating one expression.
    take_steps(bytes.len() as u64 / 8)?;
    let failed = |error: std::io::Error| Error::new(format!("failed to compress the string: {error}"));
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    let mut encoder = DeflateEncoder::new(out, Compression::default());
    encoder.write_all(bytes).map_err(failed)?;
    encoder.flush().map_err(failed)?;
    out = encoder.finish().map_err(failed)?;
    let mut checksum = flate2::Crc::new();
    checksum.update(bytes);
    out.extend(checksum.sum().to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    Ok(out)
}

/// Reads a gzip stream, or several ones after each other.
pub(crate) fn decompress(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut decoder = MultiGzDecoder::new(bytes);
    let mut out = Vec::new();
    loop {
        let before = out.len();
        let read = decoder.by_ref().take(CHUNK).read_to_end(&mut out);
        read.map_err(|error| Error::new(format!("not valid gzip data: {error}")))?;
        let added = out.len() - before;
        if added == 0 {
            return Ok(out);
        }
        take_steps(added as u64 / 8)?;
        check_length(out.len())?;
    }
}
