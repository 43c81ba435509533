//! The distance of two names: how many characters to insert, to delete, to replace or to swap with the next one
//! (Damerau and Levenshtein, with changes between swapped characters).

/// The number of changes between two names. Time and memory grow with the product of their lengths.
pub(super) fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    // Row and column 0 come before both names. Their distance is too large to be chosen.
    let width = other.len() + 2;
    let far = one.len() + other.len();
    let mut rows = vec![far; (one.len() + 2) * width];
    let at = |row: usize, column: usize| row * width + column;
    for row in 0..=one.len() {
        rows[at(row + 1, 1)] = row;
    }
    for column in 0..=other.len() {
        rows[at(1, column + 1)] = column;
    }
    // The last row whose character is that of each column.
    let mut seen = vec![0; other.len()];
    for (row, own) in (1..).zip(&one) {
        // The last column whose character is that of this row.
        let mut matching = 0;
        for (column, found) in (1..).zip(&other) {
            let cost = usize::from(own != found);
            let replaced = rows[at(row, column)] + cost;
            let inserted = rows[at(row + 1, column)] + 1;
            let deleted = rows[at(row, column + 1)] + 1;
            let last = seen[column - 1];
            let swapped = rows[at(last, matching)] + (row - last - 1) + 1 + (column - matching - 1);
            rows[at(row + 1, column + 1)] = replaced.min(inserted).min(deleted).min(swapped);
            if cost == 0 {
                matching = column;
                seen[column - 1] = row;
            }
        }
    }
    rows[at(one.len() + 1, other.len() + 1)]
}

#[cfg(test)]
mod tests {
    use super::distance;
    use crate::names::random;

    #[test]
    fn the_distance_is_that_of_the_library_strsim() {
        let mut random = random();
        let mut name =
            || (0..random(9)).map(|_| ['a', 'b', 'c', 'é', '_'][random(5) as usize]).collect::<String>();
        for _ in 0..20_000 {
            let (one, other) = (name(), name());
            assert_eq!(distance(&one, &other), strsim::damerau_levenshtein(&one, &other), "{one} {other}");
        }
    }
}
