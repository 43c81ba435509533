//! Versions and constraints on them, as `core::semvercmp` and `core::semverconstraint` compare them: those of Terraform.

use std::cmp::Ordering;

use hclkit::dialect::{Operator, read_constraints};

/// A version, such as `1.2.0-beta.1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    numbers: Vec<u64>,
    /// The parts of a pre-release.
    before: Vec<String>,
}

impl Version {
    /// Reads a version. Numbers that are left out are zero.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
        let (numbers, before) = text.split_once('-').map_or((text, None), |(own, rest)| (own, Some(rest)));
        let is_part = |part: &str| {
            !part.is_empty() && part.bytes().all(|own| own.is_ascii_alphanumeric() || own == b'-')
        };
        if [before, build].into_iter().flatten().any(|list| !list.split('.').all(is_part)) {
            return None;
        }
        let number = |part: &str| {
            let is_number = !part.is_empty() && part.bytes().all(|own| own.is_ascii_digit());
            is_number.then(|| part.parse().ok()).flatten()
        };
        let numbers = numbers.split('.').map(number).collect::<Option<Vec<u64>>>()?;
        let before = before.map(|list| list.split('.').map(str::to_owned).collect()).unwrap_or_default();
        Some(Self { numbers, before })
    }

    fn number(&self, at: usize) -> u64 {
        self.numbers.get(at).copied().unwrap_or_default()
    }

    /// The order of versions: a pre-release is before its release.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let by_before = || match (self.before.is_empty(), other.before.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => {
                let parts = self.before.iter().zip(&other.before);
                let first = parts.map(|(own, other)| compare_parts(own, other)).find(|order| order.is_ne());
                first.unwrap_or_else(|| self.before.len().cmp(&other.before.len()))
            }
        };
        self.compare_numbers(other).then_with(by_before)
    }

    fn compare_numbers(&self, other: &Self) -> Ordering {
        let count = self.numbers.len().max(other.numbers.len());
        let orders = (0..count).map(|at| self.number(at).cmp(&other.number(at)));
        orders.fold(Ordering::Equal, Ordering::then)
    }
}

fn compare_parts(one: &str, other: &str) -> Ordering {
    match (one.parse::<u64>(), other.parse::<u64>()) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => one.cmp(other),
    }
}

/// Constraints that a version must all satisfy.
#[derive(Clone, Debug)]
pub(super) struct Constraints(Vec<(Operator, Version)>);

impl Constraints {
    /// Reads constraints that commas separate.
    pub(super) fn parse(text: &str) -> Option<Self> {
        read_constraints(text, Version::parse).map(Self)
    }

    /// Whether a version satisfies all of them. A pre-release satisfies only constraints that name one of the same version.
    pub(super) fn allow(&self, version: &Version) -> bool {
        self.0.iter().all(|(operator, own)| allows(*operator, own, version))
    }
}

fn allows(operator: Operator, own: &Version, version: &Version) -> bool {
    let order = version.compare(own);
    let is_comparable = match (own.before.is_empty(), version.before.is_empty()) {
        (true, false) => false,
        (false, false) => own.compare_numbers(version).is_eq(),
        _ => true,
    };
    match operator {
        Operator::Exact => order.is_eq(),
        Operator::Not => order.is_ne(),
        Operator::Above => is_comparable && order.is_gt(),
        Operator::Below => is_comparable && order.is_lt(),
        Operator::AtLeast => is_comparable && order.is_ge(),
        Operator::AtMost => is_comparable && order.is_le(),
        Operator::Pessimistic => {
            // Only the last number that the constraint names may be higher.
            let fixed = own.numbers.len() - 1;
            let is_same = (0..fixed).all(|at| version.number(at) == own.number(at));
            // One that names a pre-release allows no release.
            let is_pre = own.before.is_empty() || !version.before.is_empty();
            is_comparable && is_pre && order.is_ge() && is_same
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Constraints, Version};

    /// Versions, and for each constraint which of them hashicorp/go-version 1.7 allows.
    const VERSIONS: [&str; 16] = [
        "1.0.0",
        "1.2.3",
        "1.2",
        "1",
        "2.0.0",
        "2.0.0-beta",
        "2.0.0-beta.1",
        "2.0.0-beta.2",
        "2.1.0-rc1",
        "0.9.9",
        "1.2.3+b",
        "v1.2.3",
        "1.10.0",
        "1.2.3.4",
        "01.2.3",
        "1.2.3-alpha-1",
    ];

    const ALLOWED: [(&str, &str); 24] = [
        ("1.2.3", "0100000000110010"),
        ("= 1.2", "0010000000000000"),
        (">= 1.0", "1111100000111110"),
        ("> 1.2.3", "0000100000001100"),
        ("< 2.0.0", "1111000001111110"),
        ("<= 1.2.3", "1111000001110010"),
        ("~> 1.2", "0110000000111110"),
        ("~> 1.2.3", "0100000000110110"),
        ("~> 1", "1111100000111110"),
        ("!= 1.2.3", "1011111111001101"),
        (">= 1.0, < 2.0", "1111000000111110"),
        (">= 2.0.0-beta", "0000111100000000"),
        ("~> 2.0.0-beta", "0000011100000000"),
        ("~> 2.0.0-beta.1", "0000001100000000"),
        ("< 2.0.0-beta.2", "1111011001111110"),
        ("> 2.0.0-alpha, < 3", "0000100000000000"),
        ("= 2.0.0-beta", "0000010000000000"),
        ("!= 2.0.0-beta", "1111101111111111"),
        (">=1.2", "0110100000111110"),
        ("~> 2.0-beta", "0000011100000000"),
        ("~>1.2.3.4", "0000000000000100"),
        (">= v1.0", "1111100000111110"),
        ("<= 2.0.0-beta.1", "1111011001111110"),
        ("< 2.1.0-rc2", "1111100011111110"),
    ];

    #[test]
    fn constraints_allow_what_they_allow_in_go() {
        for (text, expected) in ALLOWED {
            let constraints = Constraints::parse(text).unwrap();
            let allowed = VERSIONS.map(|own| constraints.allow(&Version::parse(own).unwrap()));
            let found: String = allowed.iter().map(|own| if *own { '1' } else { '0' }).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_version_or_constraint() {
        for text in ["", "x", "1.2.x", "1..2", "-1", "1.2.3-a..b", "99999999999999999999"] {
            assert!(Version::parse(text).is_none(), "{text}");
        }
        for text in ["x", "*", "=> 1", "> 1.2.3,", ">= 1.2.x", "~>", "> 1 2"] {
            assert!(Constraints::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn order() {
        let ordered = [
            "1",
            "1.0.1-alpha",
            "1.0.1-alpha.1",
            "1.0.1-alpha.2",
            "1.0.1-alpha.10",
            "1.0.1-beta",
            "1.0.1",
            "1.10.0",
            "2",
        ];
        for pair in ordered.windows(2) {
            let (one, other) = (Version::parse(pair[0]).unwrap(), Version::parse(pair[1]).unwrap());
            assert!(one.compare(&other).is_lt() && other.compare(&one).is_gt(), "{pair:?}");
        }
        assert!(Version::parse("1.2").unwrap().compare(&Version::parse("v1.2.0+b").unwrap()).is_eq());
    }
}
