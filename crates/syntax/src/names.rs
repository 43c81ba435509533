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
    let limit = 1 + name.chars().count() / 4;
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= limit && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}
