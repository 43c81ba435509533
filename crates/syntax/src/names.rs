//! Names: which are identifiers, and which of several is meant by one that is not known.

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

/// The candidate that a misspelt name was most likely meant to be, if one is near enough.
///
/// ```
/// assert_eq!(hclkit_syntax::nearest_name("endfi", ["if", "endif"]), Some("endif"));
/// assert_eq!(hclkit_syntax::nearest_name("region", ["colour"]), None);
/// ```
pub fn nearest_name<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest_names(name, candidates).first().copied()
}

/// Names of more bytes than this are not compared, which takes time in the product of their lengths.
const LONGEST: usize = 200;

/// The same with all candidates that are equally near, in their order. Names that nobody types have no near ones: those
/// of more than 200 bytes.
///
/// ```
/// assert_eq!(hclkit_syntax::nearest_names("port3", ["port1", "port2", "host"]), ["port1", "port2"]);
/// ```
pub fn nearest_names<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut nearest = Vec::new();
    if name.len() > LONGEST {
        return nearest;
    }
    let mut limit = 1 + name.chars().count() / 4;
    for candidate in candidates.into_iter().filter(|candidate| candidate.len() <= LONGEST) {
        let distance = strsim::damerau_levenshtein(name, candidate);
        if distance > limit || distance >= candidate.chars().count() {
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

#[cfg(test)]
mod tests {
    use super::nearest_names;

    #[test]
    fn very_long_names_are_not_compared() {
        let long = "a".repeat(1_000_000);
        assert!(nearest_names(&long, [&*long, "a"]).is_empty());
        assert!(nearest_names("aaa", [&*long]).is_empty());
        assert_eq!(nearest_names(&long[..200], [&long[..199]]), [&long[..199]]);
    }
}
