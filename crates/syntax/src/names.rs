//! Names: which are identifiers, and which known name is closest to a misspelled one.

mod distance;
mod known;

use distance::distance;
pub use known::KnownNames;

/// Returns true if a text is an identifier of the native syntax: `ID_Start (ID_Continue | '-')*`, where an underscore
/// is allowed at the start, too.
///
/// ```
/// assert!(hclkit_syntax::is_identifier("instance-type"));
/// assert!(!hclkit_syntax::is_identifier("2nd"));
/// ```
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c));
    first && characters.all(|c| c == '-' || unicode_ident::is_xid_continue(c))
}

/// Returns the candidate closest to a misspelled name, if it is close enough: one change (a character added, removed,
/// replaced, or swapped with the next one) per three characters of the name, or one change in shorter names.
///
/// ```
/// assert_eq!(hclkit_syntax::nearest_name("endfi", ["if", "endif"]), Some("endif"));
/// assert_eq!(hclkit_syntax::nearest_name("region", ["colour"]), None);
/// assert_eq!(hclkit_syntax::nearest_name("list", ["int", "bool"]), None);
/// ```
pub fn nearest_name<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest_names(name, candidates).first().copied()
}

/// The question after a sentence about an unknown name, which begins with a space. Empty without a name that was meant.
/// Sentences about what someone knows from another language, such as its operators, are with the messages.
///
/// ```
/// let near = hclkit_syntax::nearest_name("endfi", ["if", "endif"]);
/// assert_eq!(hclkit_syntax::did_you_mean(near), " Did you mean `endif`?");
/// ```
#[doc(hidden)]
pub fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!(" Did you mean `{meant}`?"))
}

/// The same at the end of a message that is not a sentence.
#[doc(hidden)]
pub fn or_did_you_mean(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

/// Names with more bytes are not compared, because the time is proportional to the product of the lengths.
const LONGEST: usize = 200;

/// The maximum sum of these products for one name. It bounds the time for many misspelled names among many long ones.
const WORK: usize = 200_000;

/// Like [`nearest_name`], but returns all candidates that are equally close, in order. Names of more than 200 bytes are
/// never close to others. Of many similar candidates, only the first are compared: about 2,000 with ten characters.
///
/// ```
/// assert_eq!(hclkit_syntax::nearest_names("port3", ["port1", "port2", "host"]), ["port1", "port2"]);
/// ```
pub fn nearest_names<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut nearest = Vec::new();
    if name.len() > LONGEST {
        return nearest;
    }
    let mut limit = name.chars().count().max(3) / 3;
    let (own, mut work) = (Letters::of(name), 0);
    for candidate in candidates.into_iter().filter(|candidate| candidate.len() <= LONGEST) {
        let letters = Letters::of(candidate);
        if own.distance(letters) > limit {
            continue;
        }
        work += own.count * letters.count;
        if work > WORK {
            break;
        }
        let distance = if candidate == name { 0 } else { distance(name, candidate) };
        if distance > limit || distance >= letters.count {
            continue;
        }
        if distance < limit {
            limit = distance;
            nearest.clear();
        }
        nearest.push(candidate);
    }
    nearest
}

/// The number of characters in a name, and a rough set of them.
#[derive(Clone, Copy)]
struct Letters {
    count: usize,
    kinds: u64,
}

impl Letters {
    fn of(name: &str) -> Self {
        let mut letters = Self { count: 0, kinds: 0 };
        for character in name.chars() {
            letters.count += 1;
            letters.kinds |= 1 << (u32::from(character) % 64);
        }
        letters
    }

    /// A lower bound of the distance between two names: each change adds a kind of character, removes one, or does
    /// both.
    fn distance(self, other: Self) -> usize {
        let missing = (self.kinds & !other.kinds).count_ones().max((other.kinds & !self.kinds).count_ones());
        self.count.abs_diff(other.count).max(missing as usize)
    }
}

/// Numbers below a bound that look random, the same in each run.
#[cfg(test)]
fn random() -> impl FnMut(u64) -> u64 {
    let mut seed = 1u64;
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    }
}

#[cfg(test)]
mod tests {
    use super::{Letters, distance, nearest_names, random};

    #[test]
    fn skipped_candidates_are_too_far() {
        let mut random = random();
        let mut name = || (0..random(9)).map(|_| b"abcdAB_1"[random(8) as usize] as char).collect::<String>();
        for _ in 0..20_000 {
            let (a, b) = (name(), name());
            let distance = distance(&a, &b);
            assert!(Letters::of(&a).distance(Letters::of(&b)) <= distance, "{a} {b}");
        }
    }

    #[test]
    fn the_number_of_comparisons_is_limited() {
        let names: Vec<String> = (0..100_000).map(|at| format!("{}{at:06}", "a".repeat(100))).collect();
        let near = nearest_names(&format!("{}00000x", "a".repeat(100)), names.iter().map(String::as_str));
        assert_eq!(near, &names[..10]);
    }

    #[test]
    fn a_third_of_the_characters_may_differ() {
        for (name, near) in [
            ("list", "lst"),
            ("strng", "string"),
            ("ednif", "endif"),
            ("nubmre", "number"),
            ("availability_zoen", "availability_zone"),
            ("instnce_tpe", "instance_type"),
        ] {
            assert_eq!(nearest_names(name, [near]), [near], "{name}");
        }
        for (name, far) in [
            ("list", "int"),
            ("int", "list"),
            ("a", "b"),
            ("on", "no_"),
            ("bool", "tool2"),
            ("count", "mount2"),
        ] {
            assert!(nearest_names(name, [far]).is_empty(), "{name}");
        }
    }

    #[test]
    fn very_long_names_are_not_compared() {
        let long = "a".repeat(1_000_000);
        assert!(nearest_names(&long, [&*long, "a"]).is_empty());
        assert!(nearest_names("aaa", [&*long]).is_empty());
        assert_eq!(nearest_names(&long[..200], [&long[..199]]), [&long[..199]]);
    }
}
