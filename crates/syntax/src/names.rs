//! Names: which are identifiers, and which known name is closest to a misspelled one.

mod known;

pub use known::KnownNames;

/// Whether a text is an identifier of the native syntax: `ID_Start (ID_Continue | '-')*`, where an underscore may come
/// first too.
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

/// The candidate closest to a misspelled name, if one is near enough: one change (a character that is
/// added, removed, replaced, or swapped with the next one) for each three characters of the name, and one in shorter names.
///
/// ```
/// assert_eq!(hclkit_syntax::nearest_name("endfi", ["if", "endif"]), Some("endif"));
/// assert_eq!(hclkit_syntax::nearest_name("region", ["colour"]), None);
/// assert_eq!(hclkit_syntax::nearest_name("list", ["int", "bool"]), None);
/// ```
pub fn nearest_name<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest_names(name, candidates).first().copied()
}

/// Names of more bytes than this are not compared, which takes time in the product of their lengths.
const LONGEST: usize = 200;

/// The sum of these products for one name. It bounds the time for each of many misspelt names among many long ones.
const WORK: usize = 200_000;

/// The same with all candidates that are equally near, in their order. Names that nobody types have no near ones: those
/// of more than 200 bytes. Of many candidates that look alike only the first ones are compared: about 2,000 of ten
/// characters.
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
        let distance = strsim::damerau_levenshtein(name, candidate);
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

/// How many characters a name has, and which ones, roughly.
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

    /// At least how far two names are apart: each change adds a kind of character, removes one, or does both.
    fn distance(self, other: Self) -> usize {
        let missing = (self.kinds & !other.kinds).count_ones().max((other.kinds & !self.kinds).count_ones());
        self.count.abs_diff(other.count).max(missing as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::{Letters, nearest_names};

    #[test]
    fn candidates_that_are_skipped_are_too_far() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut name = || (0..random(9)).map(|_| b"abcdAB_1"[random(8) as usize] as char).collect::<String>();
        for _ in 0..20_000 {
            let (a, b) = (name(), name());
            let distance = strsim::damerau_levenshtein(&a, &b);
            assert!(Letters::of(&a).distance(Letters::of(&b)) <= distance, "{a} {b}");
        }
    }

    #[test]
    fn one_name_is_compared_with_so_many_others() {
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
