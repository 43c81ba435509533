//! Archives with headers that the usual writers do not make.

use std::io::Write;

const BLOCK: u64 = 512;

/// Numbers are octal, with a zero byte at the end.
fn octal(field: &mut [u8], value: u64) {
    let digits = format!("{value:0width$o}", width = field.len() - 1);
    field[..digits.len()].copy_from_slice(digits.as_bytes());
}

/// A header of GNU's format.
fn header(name: &str, kind: u8, size: u64) -> [u8; 512] {
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    octal(&mut header[100..108], 0o644);
    octal(&mut header[124..136], size);
    header[156] = kind;
    header[257..265].copy_from_slice(b"ustar  \0");
    header
}

fn with_sum(mut header: [u8; 512]) -> [u8; 512] {
    header[148..156].fill(b' ');
    let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
    octal(&mut header[148..155], sum);
    header
}

/// Zeros, without having all of them in memory.
pub(super) fn zeros(out: &mut dyn Write, mut bytes: u64) {
    let block = [0; 1 << 14];
    while bytes > 0 {
        let count = bytes.min(block.len() as u64);
        out.write_all(&block[..count as usize]).expect("vectors take everything");
        bytes -= count;
    }
}

/// A member with a kind.
pub(super) fn member(out: &mut dyn Write, name: &str, kind: u8, size: u64, content: &dyn Fn(&mut dyn Write)) {
    out.write_all(&with_sum(header(name, kind, size))).expect("vectors take everything");
    content(out);
    zeros(out, (BLOCK - size % BLOCK) % BLOCK);
}

/// A file.
pub(super) fn file(out: &mut dyn Write, name: &str, content: &[u8]) {
    let size = content.len() as u64;
    member(out, name, b'0', size, &|out| out.write_all(content).expect("vectors take everything"));
}

/// An extended header with one record.
pub(super) fn extended(out: &mut dyn Write, key: &str, value: &str) {
    let rest = format!(" {key}={value}\n");
    // The length of a record includes its own digits.
    let length =
        (1..20).map(|digits| rest.len() + digits).find(|all| all.to_string().len() + rest.len() == *all);
    let record = format!("{}{rest}", length.expect("there is one"));
    member(out, "x", b'x', record.len() as u64, &|out| {
        out.write_all(record.as_bytes()).expect("vectors take everything");
    });
}

/// A sparse file, with a number of headers that continue the list of its parts.
pub(super) fn sparse(out: &mut dyn Write, name: &str, real_size: u64, more: u64) {
    let mut first = header(name, b'S', 0);
    octal(&mut first[483..495], real_size);
    first[482] = u8::from(more > 0);
    out.write_all(&with_sum(first)).expect("vectors take everything");
    for at in 0..more {
        let mut block = [0; 512];
        for part in block[..504].chunks_exact_mut(24) {
            octal(&mut part[..12], real_size);
            octal(&mut part[12..], 0);
        }
        block[504] = u8::from(at + 1 < more);
        out.write_all(&block).expect("vectors take everything");
    }
}
