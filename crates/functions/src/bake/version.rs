//! `semvercmp`: versions and constraints with the syntax and the rules of the Go package `semver` of Masterminds.

use std::cmp::Ordering;

use hclkit_value::{Function, Parameter, Type, Value};

use crate::arguments::{not_null, text, wrong};

pub(super) fn semvercmp() -> Function {
    Function::unnamed(Type::Bool, |args, _| {
        let version = Version::parse(text(args, 0)).filter(|(_, parts)| *parts > 0);
        let (version, _) = version.ok_or_else(|| wrong(0, "a version is required, such as `1.2.3`"))?;
        let any = constraints(text(args, 1));
        let any = any.ok_or_else(|| wrong(1, "a constraint is required, such as `>= 1.2, < 2`"))?;
        Ok(Value::from(any.iter().any(|all| all.iter().all(|one| one.allows(&version)))))
    })
    .with_description("Returns whether a version satisfies a constraint.")
    .with_parameter(Parameter::new("version", Type::String).with_description("The version."))
    .with_parameter(Parameter::new("constraint", Type::String).with_description(
        "The constraint: comparisons, `~1.2`, `^1.2`, `1.x` or `1.2 - 1.4`, separated by commas or `||`.",
    ))
    .with_refined_result(not_null)
    .with_example(r#"semvercmp("1.8.0", ">= 1.2, < 2")"#, "true")
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Version {
    numbers: [u64; 3],
    pre: Vec<String>,
}

impl Version {
    /// Reads a version, and how many numbers it has.
    fn parse(text: &str) -> Option<(Self, usize)> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
        let (text, pre) = text.split_once('-').map_or((text, None), |(text, pre)| (text, Some(pre)));
        let is_part = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        if [pre, build].into_iter().flatten().any(|list| !list.split('.').all(is_part)) {
            return None;
        }
        let (mut numbers, mut count, mut any) = ([0; 3], 0, false);
        for (at, part) in text.split('.').enumerate() {
            if at == 3 {
                return None;
            }
            if matches!(part, "x" | "X" | "*") {
                any = true;
            } else if !any {
                numbers[at] = part.parse().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()))?;
                count = at + 1;
            }
        }
        let pre = pre.map(|list| list.split('.').map(str::to_owned).collect()).unwrap_or_default();
        Some((Self { numbers, pre }, count))
    }

    fn compare(&self, other: &Self) -> Ordering {
        let by_pre = || match (self.pre.is_empty(), other.pre.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => {
                let parts = self.pre.iter().zip(&other.pre).map(|(one, other)| identifiers(one, other));
                let first = parts.into_iter().find(|order| order.is_ne());
                first.unwrap_or_else(|| self.pre.len().cmp(&other.pre.len()))
            }
        };
        self.numbers.cmp(&other.numbers).then_with(by_pre)
    }
}

fn identifiers(one: &str, other: &str) -> Ordering {
    match (one.parse::<u64>(), other.parse::<u64>()) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => one.cmp(other),
    }
}

#[derive(Clone, Debug)]
struct Constraint {
    operator: &'static str,
    version: Version,
    /// How many numbers are written.
    parts: usize,
}

const OPERATORS: [(&str, &str); 12] = [
    ("!=", "!="),
    (">=", ">="),
    ("=>", ">="),
    ("<=", "<="),
    ("=<", "<="),
    ("~>", "~"),
    ("=", "="),
    (">", ">"),
    ("<", "<"),
    ("~", "~"),
    ("^", "^"),
    ("", "="),
];

/// The alternatives of a constraint, each with what must hold.
fn constraints(text: &str) -> Option<Vec<Vec<Constraint>>> {
    text.split("||").map(alternative).collect()
}

fn alternative(text: &str) -> Option<Vec<Constraint>> {
    let mut all = Vec::new();
    let mut words = text.split([',', ' ', '\t']).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let (sign, operator) = *OPERATORS.iter().find(|(sign, _)| word.starts_with(sign))?;
        let rest = &word[sign.len()..];
        // There can be spaces after an operator.
        let version = if rest.is_empty() { words.next()? } else { rest };
        let (version, parts) = Version::parse(version)?;
        if words.peek() == Some(&"-") {
            words.next();
            let (high, high_parts) = Version::parse(words.next()?)?;
            all.push(Constraint { operator: ">=", version, parts });
            all.push(Constraint { operator: "<=", version: high, parts: high_parts });
            continue;
        }
        all.push(Constraint { operator, version, parts });
    }
    (!all.is_empty()).then_some(all)
}

impl Constraint {
    fn allows(&self, version: &Version) -> bool {
        if !version.pre.is_empty() && self.version.pre.is_empty() {
            return false;
        }
        let order = version.compare(&self.version);
        let (own, other) = (&self.version.numbers, &version.numbers);
        let same = own[..self.parts] == other[..self.parts];
        match self.operator {
            "=" if self.parts < 3 => same,
            "=" => order.is_eq(),
            "!=" if self.parts < 3 => !same,
            "!=" => order.is_ne(),
            ">" if self.parts < 3 => other[..self.parts] > own[..self.parts],
            ">" => order.is_gt(),
            "<" => order.is_lt(),
            ">=" => order.is_ge(),
            "<=" if self.parts < 3 => other[..self.parts] <= own[..self.parts],
            "<=" => order.is_le(),
            // A tilde keeps the first two numbers, or the one that is written.
            "~" if self.parts == 3 && *own == [0; 3] => order.is_ge(),
            "~" => order.is_ge() && own[..self.parts.min(2)] == other[..self.parts.min(2)],
            // A caret keeps the first number that is not zero.
            _ => {
                let first = own.iter().take(self.parts).position(|number| *number > 0);
                let kept = first.map_or(self.parts, |first| first + 1);
                order.is_ge() && own[..kept] == other[..kept]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_allow_versions() {
        for (version, constraint, allowed) in [
            ("1.2.3", ">= 1.2, < 2", true),
            ("2.0.0", ">=1.2 <2", false),
            ("v1.2.3", "1.2.3", true),
            ("1.2.9", "1.2", true),
            ("1.3.0", "~1.2", false),
            ("1.9.0", "~1", true),
            ("1.9.0", "^1.2", true),
            ("0.2.5", "^0.2.3", true),
            ("0.3.0", "^0.2.3", false),
            ("0.0.4", "^0.0.3", false),
            ("1.4.5", "1.2 - 1.4", true),
            ("1.5.0", "1.2 - 1.4", false),
            ("3.0.0", "<1 || >=3", true),
            ("11.1.0", ">11", false),
            ("12.0.0", ">11", true),
            ("1.2.3-beta", ">=1.0.0", false),
            ("1.2.3-beta.2", ">=1.2.3-beta.1", true),
            ("1.2.3", "1.x", true),
            ("1.2.3", "*", true),
            ("1.2.3", "!=1.2", false),
            ("11.5.0", "<=11", true),
        ] {
            let (found, _) = Version::parse(version).unwrap();
            let all = constraints(constraint).unwrap();
            let ours = all.iter().any(|all| all.iter().all(|one| one.allows(&found)));
            assert_eq!(ours, allowed, "{version} {constraint}");
        }
        assert!(constraints("a").is_none() && constraints("").is_none() && constraints(">").is_none());
    }
}
