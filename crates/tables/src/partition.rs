//! The names of directories of partitions.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::reader::hex;

/// How many bytes of a name are written. Names of directories have at most 255.
const MOST: usize = 200;

/// How many bytes of a longer name are written, before its digest.
const MOST_BEFORE_DIGEST: usize = 170;

/// The name of a repository as a part of the name of a directory, as engines decode it: other characters than letters, digits and
/// a few signs are written as `%2F`. A longer one than 200 bytes ends with its digest, so that different names are different
/// directories.
///
/// ```
/// use hclkit_tables::partition_name;
///
/// assert_eq!(partition_name("acme/shop"), "acme%2Fshop");
/// let long = "x".repeat(300);
/// assert_ne!(partition_name(&long), partition_name(&format!("{long}y")));
/// ```
pub fn partition_name(repo: &str) -> String {
    let mut out = String::new();
    let mut before_digest = 0;
    for byte in repo.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => out.push(char::from(byte)),
            // Writing to a string cannot fail.
            _ => _ = write!(out, "%{byte:02X}"),
        }
        if out.len() <= MOST_BEFORE_DIGEST {
            before_digest = out.len();
        }
        if out.len() > MOST {
            // Any name with a digest is longer than one without.
            out.truncate(before_digest);
            out.push('-');
            out.push_str(&hex(&Sha256::digest(repo)[..16]));
            return out;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Names that differ in any of their parts, also in what is cut off, and names that look like others with a digest.
    #[test]
    fn different_names_are_different_directories() {
        let mut random = fastrand::Rng::with_seed(3);
        let letters = ["a", "%", "/", "é", "-", "0"];
        let mut names = vec![String::new()];
        for length in [1, 50, 66, 67, 100, 167, 170, 171, 198, 199, 200, 201, 250, 1_000] {
            for letter in letters {
                let name = letter.repeat(length);
                for _ in 0..5 {
                    let at = (0..=length).map(|at| at * letter.len()).nth(random.usize(..=length)).unwrap();
                    let (before, after) = name.split_at(at);
                    names.push(format!("{before}{}{after}", letters[random.usize(..letters.len())]));
                }
                names.push(partition_name(&name));
                names.push(name);
            }
        }
        let mut seen: HashMap<String, String> = HashMap::new();
        for name in names {
            let directory = partition_name(&name);
            assert!(directory.len() <= 240 && !directory.contains('/'), "{directory}");
            if let Some(other) = seen.insert(directory, name.clone()) {
                assert_eq!(other, name);
            }
        }
    }
}
