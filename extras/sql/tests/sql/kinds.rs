//! Statements of all kinds, of any size: each is answered or refused with a message that says what is too large. None ends only because
//! of its timeout.

use std::fmt::Write as _;

use hclkit_test_cases::seeds;

use crate::program::Folder;

/// A statement of a kind, with so many parts.
type Kind = fn(usize) -> String;

/// `start`, `more` many times, and `end` as many times.
fn nested(start: &str, more: &str, middle: &str, end: &str, count: usize) -> String {
    format!("{start}{}{middle}{}", more.repeat(count), end.repeat(count))
}

/// Parts with their numbers, after each other.
fn many(count: usize, separator: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(separator)
}

fn joined(how: &str, count: usize) -> String {
    let mut text = "SELECT count(*) FROM files f0".to_owned();
    for at in 1..=count {
        let _ = write!(
            text,
            " {how} f{at}{}",
            if how.starts_with("NATURAL") || how.starts_with("CROSS") {
                String::new()
            } else {
                format!(" ON f{at}.path = f{}.path", at - 1)
            }
        );
    }
    text
}

const KINDS: &[(&str, Kind)] = &[
    // Chains of operators.
    ("sums", |n| nested("SELECT 1", " + 1", "", "", n)),
    ("texts", |n| nested("SELECT 'a'", " || 'a'", "", "", n)),
    ("casts", |n| nested("SELECT 1", "::int", "", "", n)),
    ("tests", |n| nested("SELECT 1", " IS NULL", "", "", n)),
    ("comparisons", |n| nested("SELECT true", " = true", "", "", n)),
    ("distinctions", |n| nested("SELECT true", " IS NOT DISTINCT FROM true", "", "", n)),
    ("negations", |n| nested("SELECT ", "NOT ", "true", "", n)),
    ("signs", |n| nested("SELECT ", "- ", "1", "", n)),
    ("alternatives", |n| {
        nested("SELECT 1 AS x FROM variables WHERE name = 'a'", " OR name = 'b'", "", "", n)
    }),
    ("conditions", |n| {
        nested("SELECT 1 AS x FROM variables WHERE name = 'a'", " AND name != 'b'", "", "", n)
    }),
    ("ranges", |n| {
        nested("SELECT 1 AS x FROM variables WHERE true", " AND name BETWEEN 'a' AND 'z'", "", "", n)
    }),
    ("patterns", |n| nested("SELECT 1 AS x FROM variables WHERE false", " OR name LIKE 'b%'", "", "", n)),
    ("intervals", |n| nested("SELECT TIMESTAMP '2026-01-01'", " + INTERVAL '1 day'", "", "", n)),
    // Nesting.
    ("parentheses", |n| nested("SELECT ", "(", "1", ")", n)),
    ("calls in calls", |n| nested("SELECT ", "upper(", "'a'", ")", n)),
    ("cases in cases", |n| nested("SELECT ", "CASE WHEN true THEN ", "1", " END", n)),
    ("queries in values", |n| nested("SELECT ", "(SELECT ", "1", ")", n)),
    ("queries in tables", |n| nested("SELECT x FROM ", "(SELECT x FROM ", "(SELECT 1 AS x)", ")", n)),
    ("queries in conditions", |n| nested("SELECT 1 WHERE ", "EXISTS (SELECT 1 WHERE ", "true", ")", n)),
    ("arrays in arrays", |n| nested("SELECT ", "[", "1", "]", n)),
    ("unions in unions", |n| nested("", "(SELECT 1 UNION ", "SELECT 1", ")", n)),
    ("comments in comments", |n| nested("SELECT 1 ", "/*", "", "*/", n)),
    // Lists.
    ("cases", |n| nested("SELECT CASE", " WHEN true THEN 1", "", "", n) + " END"),
    ("cases of a value", |n| {
        nested("SELECT CASE name", " WHEN 'a' THEN 1", "", "", n) + " END FROM variables"
    }),
    ("elements", |n| format!("SELECT 1 AS x WHERE 1 IN ({})", many(n, ",", |at| at.to_string()))),
    ("texts of a list", |n| {
        format!("SELECT name FROM variables WHERE name IN ({})", many(n, ",", |at| format!("'{at}'")))
    }),
    ("arguments", |n| format!("SELECT concat({})", many(n, ",", |at| format!("'{at}'")))),
    ("elements of an array", |n| format!("SELECT [{}]", many(n, ",", |at| at.to_string()))),
    ("rows", |n| format!("VALUES {}", many(n, ",", |at| format!("({at})")))),
    ("columns", |n| format!("SELECT {}", many(n, ",", |at| format!("{at} AS c{at}")))),
    ("columns of rows", |n| format!("VALUES ({})", many(n, ",", |at| at.to_string()))),
    ("columns without names", |n| format!("SELECT {}", many(n, ",", |at| at.to_string()))),
    ("calls", |n| format!("SELECT {}", many(n, ",", |at| format!("upper('a') AS c{at}")))),
    ("sums of columns", |n| {
        format!("SELECT {} FROM files", many(n, ",", |at| format!("sum({at}) AS c{at}")))
    }),
    ("windows", |n| {
        format!(
            "SELECT {} FROM files",
            many(n, ",", |at| format!("row_number() OVER (ORDER BY path, {at}) AS c{at}"))
        )
    }),
    ("groups", |n| format!("SELECT 1 FROM files GROUP BY {}", many(n, ",", |at| format!("path || '{at}'")))),
    ("orders", |n| {
        format!("SELECT path FROM files ORDER BY {}", many(n, ",", |at| format!("path || '{at}'")))
    }),
    ("cubes", |n| {
        format!("SELECT 1 FROM files GROUP BY {}", many(n, ",", |_| "CUBE (path, repo)".to_owned()))
    }),
    ("a cube", |n| {
        format!("SELECT 1 FROM files GROUP BY CUBE ({})", many(n, ",", |at| format!("path || '{at}'")))
    }),
    ("a rollup", |n| {
        format!("SELECT 1 FROM files GROUP BY ROLLUP ({})", many(n, ",", |at| format!("path || '{at}'")))
    }),
    ("grouping sets", |n| {
        format!("SELECT 1 FROM files GROUP BY GROUPING SETS ({})", many(n, ",", |_| "(path)".to_owned()))
    }),
    ("all columns", |n| format!("SELECT {} FROM files", many(n, ",", |_| "*".to_owned()))),
    // CTEs.
    ("CTEs after each other", |n| {
        format!(
            "WITH c0 AS (SELECT 1 AS x){} SELECT x FROM c{n}",
            many(n, "", |at| format!(", c{} AS (SELECT x FROM c{at})", at + 1))
        )
    }),
    ("CTEs that add", |n| {
        format!(
            "WITH c0 AS (SELECT 1 AS x){} SELECT x FROM c{n}",
            many(n, "", |at| format!(", c{} AS (SELECT x + x AS x FROM c{at})", at + 1))
        )
    }),
    ("CTEs that join", |n| {
        format!(
            "WITH c0 AS (SELECT 1 AS x){} SELECT count(*) FROM c{}",
            many(n.min(40), "", |at| format!(", c{} AS (SELECT a.x FROM c{at} AS a, c{at} AS b)", at + 1)),
            n.min(40)
        )
    }),
    ("CTEs beside each other", |n| {
        format!("WITH {} SELECT x FROM c0", many(n, ", ", |at| format!("c{at} AS (SELECT 1 AS x)")))
    }),
    // Unions and joins.
    ("unions", |n| nested("SELECT 1 AS x", " UNION SELECT 1", "", "", n)),
    ("unions of all", |n| nested("SELECT path FROM files", " UNION ALL SELECT path FROM files", "", "", n)),
    ("unions of rows", |n| nested("VALUES (1)", " UNION VALUES (1)", "", "", n)),
    ("intersections", |n| nested("SELECT 1 AS x", " INTERSECT SELECT 1", "", "", n)),
    ("differences", |n| nested("SELECT 1 AS x", " EXCEPT SELECT 2", "", "", n)),
    ("joins", |n| joined("JOIN files", n)),
    ("left joins", |n| joined("LEFT JOIN files", n)),
    ("natural joins", |n| joined("NATURAL JOIN files", n)),
    ("products", |n| joined("CROSS JOIN files", n)),
    ("products of rows", |n| joined("CROSS JOIN (VALUES (1))", n)),
    ("joins of functions", |n| joined("CROSS JOIN generate_series(1, 1)", n)),
    // Subqueries beside each other.
    ("values of queries", |n| format!("SELECT {}", many(n, ",", |at| format!("(SELECT {at}) AS c{at}")))),
    ("values of tables", |n| {
        format!("SELECT {}", many(n, ",", |at| format!("(SELECT max(path) FROM files) AS c{at}")))
    }),
    ("queries of conditions", |n| {
        format!(
            "SELECT 1 AS x FROM files AS f WHERE true{}",
            many(n, "", |_| " AND EXISTS (SELECT 1 FROM files AS g WHERE g.path = f.path)".to_owned())
        )
    }),
    ("lists of queries", |n| {
        format!(
            "SELECT 1 AS x FROM files WHERE true{}",
            many(n, "", |_| " AND path IN (SELECT path FROM files)".to_owned())
        )
    }),
    // What is only long.
    ("a text", |n| format!("SELECT '{}'", "x".repeat(n))),
    ("a number", |n| format!("SELECT {}", "9".repeat(n.max(1)))),
    ("a name", |n| format!("SELECT 1 AS {}", "x".repeat(n.max(1)))),
    ("nothing", |n| nested("SELECT 1", ";", "", "", n)),
    ("an explained sum", |n| nested("EXPLAIN SELECT 1", " + 1", "", "", n)),
];

/// What statements are refused for, besides their size: names that occur twice, and literals that are no numbers.
const REFUSED: [&str; 12] = [
    "at most",
    "nested too deeply",
    "longer than 1 MiB",
    "words and operators",
    "counting those of a CTE each time",
    "more memory than --memory",
    "not SQL",
    "require unique expression names",
    "has two columns",
    "in several tables",
    "invalid",
    "found",
];

/// Runs a statement. It has rows or none, or is refused with one line that says why, before its timeout.
fn check(folder: &Folder, name: &str, text: &str) -> i32 {
    folder.write("q.sql", text);
    let ran = folder.sql(&["--output", "ndjson", "--quiet", "--query-timeout", "300", "--file", "q.sql"]);
    assert!((0..=2).contains(&ran.code), "{name}: {}", ran.errors);
    if ran.code == 2 {
        assert_eq!(ran.errors.lines().count(), 1, "{name}: {}", ran.errors);
        assert!(REFUSED.iter().any(|why| ran.errors.contains(why)), "{name}: {}", ran.errors);
        assert!(!ran.errors.contains("--query-timeout"), "{name}: {}", ran.errors);
    }
    ran.code
}

/// The largest power of two of parts that a query may have, by its length.
fn largest(kind: Kind) -> usize {
    let mut count = 2;
    while count < 1 << 19 && kind(2 * count).len() <= 1 << 20 {
        count *= 2;
    }
    count
}

#[test]
fn statements_of_all_kinds_end() {
    let folder = Folder::with(&[("main.tf", "variable \"a\" {}\n")]);
    for (name, kind) in KINDS {
        // Small ones are answered.
        assert!(check(&folder, name, &kind(1)) < 2, "{name}: {}", kind(1));
        // About as many as are supported, and as many as fit into a query.
        for count in [45, 480, largest(*kind)] {
            check(&folder, &format!("{name}, {count}"), &kind(count));
        }
    }
}

/// Statements that consist of others.
#[test]
fn random_statements_of_several_kinds_end() {
    let folder = Folder::with(&[("main.tf", "variable \"a\" {}\n")]);
    for seed in seeds(20) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut one = || {
            let (name, kind) = KINDS[random.usize(..KINDS.len())];
            let count = [1, 3, 20, 100, 600][random.usize(..5)];
            (format!("{name}, {count}"), kind(count), random.u8(..4))
        };
        let (mut name, mut text, _) = one();
        for _ in 0..2 {
            let (other, more, how) = one();
            text = match how {
                0 => format!("SELECT count(*) AS x FROM ({text}) AS a, ({more}) AS b"),
                1 => format!("SELECT 1 AS x WHERE EXISTS ({text}) AND EXISTS ({more})"),
                2 => format!("WITH a AS ({text}), b AS ({more}) SELECT count(*) AS x FROM a, b"),
                _ => format!(
                    "SELECT count(*) AS x FROM ({text}) AS a UNION SELECT count(*) FROM ({more}) AS b"
                ),
            };
            let _ = write!(name, "; {other}");
        }
        check(&folder, &format!("seed {seed}: {name}"), &text);
    }
}
