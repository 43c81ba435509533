//! Versions, and constraints on them such as `~> 1.2, != 1.3.0`, as Terraform reads them.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;

/// A version. Missing numbers are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    numbers: Vec<u64>,
    /// It comes before the version with these numbers.
    is_pre_release: bool,
}

impl Version {
    /// Reads a version such as `1.2`, `v1.2.3` or `1.2.3-beta1`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let end = text.find(|next: char| !next.is_ascii_digit() && next != '.').unwrap_or(text.len());
        let (numbers, rest) = text.split_at(end);
        let is_suffix = |next: char| next.is_ascii_alphanumeric() || "-~.+".contains(next);
        let numbers: Option<Vec<u64>> = numbers.split('.').map(|number| number.parse().ok()).collect();
        let is_pre_release = !rest.is_empty() && !rest.starts_with('+');
        rest.chars().all(is_suffix).then_some(Self { numbers: numbers?, is_pre_release })
    }

    fn number(&self, at: usize) -> u64 {
        self.numbers.get(at).copied().unwrap_or_default()
    }

    /// The next version that is not a pre-release.
    fn next(&self) -> Self {
        let mut numbers = self.numbers.clone();
        numbers.resize(numbers.len().max(3), 0);
        if let Some(last) = numbers.last_mut() {
            *last = last.saturating_add(1);
        }
        Self { numbers, is_pre_release: false }
    }

    /// The version with the same numbers that is not a pre-release.
    fn release(&self) -> Self {
        Self { numbers: self.numbers.clone(), is_pre_release: false }
    }

    /// The numbers without zeros at the end.
    fn significant(&self) -> &[u64] {
        let length = self.numbers.iter().rposition(|number| *number != 0).map_or(0, |at| at + 1);
        &self.numbers[..length]
    }

    /// The version without patches and pre-releases.
    #[must_use]
    pub fn minor(&self) -> Self {
        Self { numbers: vec![self.number(0), self.number(1)], is_pre_release: false }
    }

    /// The order of two versions. A pre-release comes before its version.
    pub fn compare(&self, other: &Self) -> Ordering {
        let length = self.numbers.len().max(other.numbers.len());
        let numbers = (0..length).map(|at| self.number(at).cmp(&other.number(at)));
        let numbers = numbers.fold(Ordering::Equal, Ordering::then);
        numbers.then(other.is_pre_release.cmp(&self.is_pre_release))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.numbers.iter().map(u64::to_string).collect();
        f.write_str(&numbers.join("."))
    }
}

/// How a constraint compares versions.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Operator {
    /// Only the last number of the version may be higher.
    Pessimistic,
    AtLeast,
    AtMost,
    Not,
    Exact,
    Above,
    Below,
}

/// Those with two characters first.
const OPERATORS: [(&str, Operator); 7] = [
    ("~>", Operator::Pessimistic),
    (">=", Operator::AtLeast),
    ("<=", Operator::AtMost),
    ("!=", Operator::Not),
    ("=", Operator::Exact),
    (">", Operator::Above),
    ("<", Operator::Below),
];

/// Reads constraints that commas separate. A version without an operator must be that one.
#[doc(hidden)]
pub fn read_constraints<V>(text: &str, version: impl Fn(&str) -> Option<V>) -> Option<Vec<(Operator, V)>> {
    let one = |text: &str| {
        let text = text.trim();
        let known = OPERATORS.iter().find_map(|(name, operator)| Some((*operator, text.strip_prefix(name)?)));
        let (operator, own) = known.unwrap_or((Operator::Exact, text));
        Some((operator, version(own.trim_start())?))
    };
    text.split(',').map(one).collect()
}

/// Constraints that a version must all satisfy.
#[derive(Debug)]
pub struct Constraints(Vec<(Operator, Version)>);

impl Constraints {
    /// Reads constraints that are separated by commas.
    pub fn parse(text: &str) -> Option<Self> {
        read_constraints(text, Version::parse).map(Self)
    }

    /// Returns true if a constraint names a pre-release.
    pub fn name_pre_release(&self) -> bool {
        self.0.iter().any(|(_, own)| own.is_pre_release)
    }

    /// Returns true if a version satisfies all constraints.
    pub fn allow(&self, version: &Version) -> bool {
        self.0.iter().all(|(operator, own)| {
            let order = version.compare(own);
            match operator {
                Operator::Pessimistic => {
                    let fixed = own.numbers.len() - 1;
                    order.is_ge() && (0..fixed).all(|at| version.number(at) == own.number(at))
                }
                Operator::AtLeast => order.is_ge(),
                Operator::AtMost => order.is_le(),
                Operator::Not => order.is_ne(),
                Operator::Exact => order.is_eq(),
                Operator::Above => order.is_gt(),
                Operator::Below => order.is_lt(),
            }
        })
    }

    /// The newest version that satisfies all constraints, without patches, from one minor version of a major version to another one.
    pub fn newest(&self, first: &Version, last: &Version) -> Option<Version> {
        let minor = |number| Version { numbers: vec![last.number(0), number], is_pre_release: false };
        let all = (first.number(1)..=last.number(1)).rev().map(minor);
        all.into_iter().find(|version| self.allow_some(version, version))
    }

    /// Returns true if some version from the first one to the last one satisfies all constraints. Patches of the last one
    /// are included, pre-releases are not.
    pub fn allow_some(&self, first: &Version, last: &Version) -> bool {
        let lowest = self.lowest(first);
        let own = last.numbers.len();
        let cut =
            Version { numbers: lowest.numbers.iter().take(own).copied().collect(), is_pre_release: false };
        cut.compare(last).is_le() && self.allow(&lowest)
    }

    /// The lowest version from the first one on that lower bounds and exclusions allow. If it does not satisfy all constraints,
    /// no later version does.
    fn lowest(&self, first: &Version) -> Version {
        let mut lowest = first.clone();
        let mut excluded = HashSet::new();
        for (operator, own) in &self.0 {
            let bound = match operator {
                Operator::Above if !own.is_pre_release => own.next(),
                Operator::Above | Operator::Pessimistic | Operator::AtLeast | Operator::Exact => {
                    own.release()
                }
                Operator::Not if !own.is_pre_release => {
                    excluded.insert(own.significant());
                    continue;
                }
                Operator::Not | Operator::AtMost | Operator::Below => continue,
            };
            if bound.compare(&lowest).is_gt() {
                lowest = bound;
            }
        }
        while excluded.contains(lowest.significant()) {
            lowest = lowest.next();
        }
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::{Constraints, Version};

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn constraints() {
        let cases = [
            ("1.2", "1.2.0", true),
            ("= 1.2", "1.2.1", false),
            ("~> 1.2", "1.9.0", true),
            ("~> 1.2", "2.0.0", false),
            ("~> 1.2.3", "1.2.9", true),
            ("~> 1.2.3", "1.3.0", false),
            ("~> 1", "2.0", true),
            (">= 1.2, < 2.0", "1.99", true),
            (">= 1.2, != 1.3", "1.3.0", false),
            ("> v1.2.0-beta1", "1.2.0", true),
            ("1.2.0+build", "1.2.0", true),
        ];
        for (constraints, text, expected) in cases {
            let allowed = Constraints::parse(constraints).unwrap().allow(&version(text));
            assert_eq!(allowed, expected, "{constraints} and {text}");
        }
        for text in ["", "x", ">= x", "1..2", "1.2, ", "=> 1", "1.2 3", "99999999999999999999"] {
            assert!(Constraints::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn newest_version() {
        for (constraints, newest) in [
            (">= 1.3", Some("1.16")),
            ("~> 1.12", Some("1.16")),
            ("~> 1.12.0", Some("1.12")),
            ("< 1.15", Some("1.14")),
            ("<= 1.15", Some("1.15")),
            ("< 1.15.2", Some("1.15")),
            ("1.5.7", Some("1.5")),
            (">= 0.13, < 1.0", None),
            (">= 2", None),
            ("!= 1.16.0", Some("1.16")),
            ("> 1.4, < 1.6.0-rc1", Some("1.5")),
        ] {
            let found = Constraints::parse(constraints).unwrap().newest(&version("1.0"), &version("1.16"));
            assert_eq!(found.map(|found| found.to_string()).as_deref(), newest, "{constraints}");
        }
    }

    #[test]
    fn some_known_version() {
        let cases = [
            (">= 0.12", true),
            ("~> 0.12", false),
            ("~> 0.12.0", false),
            ("< 1.0", false),
            ("> 1.14", true),
            (">= 1.15", false),
            ("= 1.5.7", true),
            (">= 1.0, != 1.0.0, != 1.0.1", true),
            ("> 1.5.0, < 1.5.1", false),
            ("1.5.0-beta1", false),
            (">= 2", false),
            ("<= 1.0.0", true),
            ("> 1.14.2-rc1, < 1.14.3", true),
            ("!= 1.0, != 1.0.1, < 1.0.2", false),
            ("= 1.5, = 1.6", false),
        ];
        for (constraints, expected) in cases {
            let parsed = Constraints::parse(constraints).unwrap();
            assert_eq!(parsed.allow_some(&version("1.0"), &version("1.14")), expected, "{constraints}");
        }
    }

    /// The same as asking about each version.
    #[test]
    fn random_constraints() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut allowed = 0;
        for _ in 0..3_000 {
            let one = |random: &mut fastrand::Rng| {
                let operator = random.choice(["~>", ">=", "<=", "!=", "=", ">", "<", "!="]).unwrap();
                let numbers: Vec<String> =
                    (0..random.usize(1..4)).map(|at| random.u64(u64::from(at == 0)..3).to_string()).collect();
                format!("{operator} {}", numbers.join("."))
            };
            let text = (0..random.usize(1..5)).map(|_| one(&mut random)).collect::<Vec<_>>().join(", ");
            let parsed = Constraints::parse(&text).unwrap();
            let all =
                (0..2).flat_map(|minor| (0..9).map(move |patch| version(&format!("1.{minor}.{patch}"))));
            let expected = all.clone().any(|version| parsed.allow(&version));
            assert_eq!(parsed.allow_some(&version("1.0"), &version("1.1")), expected, "{text}");
            allowed += usize::from(expected);
        }
        assert!((500..2_500).contains(&allowed), "{allowed}");
    }
}
