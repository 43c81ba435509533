//! Hostile files cost their limits, and become rows of `diagnostics`.

use std::io;

use hclkit_tables::{Allowance, Batches, Content, Entry, Format, Options, Run, Table};

use crate::kit::{lines, rows, write};

fn diagnostics(options: Options, entries: Vec<Entry>) -> (Vec<String>, u64, u64) {
    let (files, summary) = write(options, Format::Ndjson, false, 2, entries.into_iter());
    let codes = lines(&files.0["diagnostics"]);
    let codes = codes.iter().map(|row| row["code"].as_str().unwrap_or("none").to_owned()).collect();
    (codes, summary.limited, summary.unread)
}

#[test]
fn deep_files() {
    let deep = format!("a = {}1{}\n", "[".repeat(50_000), "]".repeat(50_000));
    let blocks = format!("{}{}", "b {\n".repeat(50_000), "}\n".repeat(50_000));
    let json = format!("{{\"a\": {}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    for (path, text) in [("main.tf", deep), ("main.tf", blocks), ("main.tf.json", json)] {
        let (codes, limited, _) = diagnostics(Options::new(), vec![Entry::new(path, text)]);
        assert!(codes.contains(&"nesting-too-deep".to_owned()), "{path}: {codes:?}");
        assert_eq!(limited, 1);
    }
}

#[test]
fn addresses_do_not_grow_without_end() {
    let label = "x".repeat(2_000);
    let depth = 400;
    let text = format!("{}a = 1\n{}", format!("b \"{label}\" {{\n").repeat(depth), "}\n".repeat(depth));
    let all = rows(Table::Blocks, "a.hcl", &text);
    assert_eq!(all.len(), depth);
    assert!(all.iter().all(|row| row["address"].as_str().unwrap().len() < 1_100));
}

#[test]
fn rows_have_a_limit() {
    let items: Vec<String> = (0..20_000).map(|at| format!("a{at} = b.c\n")).collect();
    let text = items.concat();
    let options = Options::new().with_row_bytes(100_000);
    let entries = || vec![Entry::new("big.hcl", text.as_str()), Entry::new("small.hcl", "a = 1\n")];
    let (files, summary) = write(options.clone(), Format::Ndjson, false, 2, entries().into_iter());
    assert_eq!(summary.limited, 1);
    let found = lines(&files.0["attributes"]);
    assert!(found.len() < 2_000 && found.iter().any(|row| row["path"] == "small.hcl"));
    let found = lines(&files.0["diagnostics"]);
    assert_eq!((found.len(), &found[0]["summary"]), (1, &"Too many rows".into()));
    assert_eq!(lines(&files.0["files"]).len(), 2);
    let (_, limited, _) = diagnostics(Options::new(), entries());
    assert_eq!(limited, 0);
}

#[test]
fn files_that_cannot_be_read() {
    let failing = |kind: io::ErrorKind| Content::Later(Box::new(move |_| Err(kind.into())));
    let unread = Content::Unread { bytes: 9, code: "source-too-large", why: "too large".to_owned() };
    let entry = |path: &str, content| Entry { repo: None, commit: None, path: path.into(), content };
    let entries = vec![
        entry("a.tf", failing(io::ErrorKind::PermissionDenied)),
        entry("b.tf", failing(io::ErrorKind::FileTooLarge)),
        entry("c.tf", unread),
        Entry::new("d.tf", "a = 1\n"),
    ];
    let (codes, limited, unread) = diagnostics(Options::new(), entries);
    assert_eq!(codes, ["unreadable-file", "source-too-large", "source-too-large"]);
    assert_eq!((limited, unread), (2, 1));
}

#[test]
fn invalid_text_is_a_diagnostic() {
    let entry = Entry::new("a.tf", &b"a = \"\xff\xfe\"\nb = 2\n"[..]);
    let (files, _) = write(Options::new(), Format::Ndjson, false, 1, [entry].into_iter());
    assert_eq!(lines(&files.0["diagnostics"])[0]["code"], "invalid-encoding");
    assert_eq!(lines(&files.0["attributes"]).len(), 2);
}

/// Whatever is in flight, each entry has its rows, and they do not depend on threads.
#[test]
fn a_small_budget_reads_the_same() {
    let text = |at: usize| format!("a{at} = [b.c{at}, \"{}\"]\n", "x".repeat(at * 37 % 5_000));
    let texts: Vec<String> = (0..400).map(text).collect();
    let entries = || {
        texts.iter().enumerate().map(|(at, text)| {
            let path = format!("{at}.hcl");
            if at % 3 == 0 {
                return Entry::new(path, text.as_str());
            }
            let text = text.clone().into_bytes();
            let read = move |allowance: &mut Allowance| {
                allowance.ask(text.len() as u64)?;
                Ok(text)
            };
            Entry { repo: None, commit: None, path: path.into(), content: Content::Later(Box::new(read)) }
        })
    };
    let rows = |in_flight: u64, threads: usize| {
        let options = Options::new().with_bytes_in_flight(in_flight);
        let (files, summary) = write(options, Format::Ndjson, false, threads, entries());
        assert_eq!((summary.entries, summary.limited, summary.unread), (400, 0, 0));
        files.0
    };
    let expected = rows(256 << 20, 1);
    for threads in [1, 2, 5] {
        assert!(rows(24 << 10, threads) == expected, "{threads}");
    }
    for threads in [1, 3] {
        let options = Options::new().with_bytes_in_flight(24 << 10);
        let batches = Batches::new(Table::Attributes, options, entries()).with_threads(threads);
        let count: usize = batches.map(|batch| batch.unwrap().num_rows()).sum();
        assert_eq!(count, 400);
    }
}

/// A run whose files cannot be written ends, also if what it reads waits for memory.
#[test]
fn a_run_that_fails_ends() {
    struct Full;
    impl hclkit_tables::Target for Full {
        type File = Self;
        fn create(&mut self, _: Table, _: Option<&str>) -> io::Result<Self> {
            Ok(Self)
        }
        fn finish(&mut self, _: Self) -> io::Result<()> {
            Ok(())
        }
    }
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let options = Options::new().with_bytes_in_flight(64 << 10);
    let enter: hclkit_tables::Enter = std::sync::Arc::new(|work: &mut dyn FnMut()| work());
    for threads in [1, 3] {
        let run = Run {
            options: options.clone(),
            format: Format::Ndjson,
            partitioned: false,
            threads,
            enter: enter.clone(),
        };
        let text = format!("# {}\n{}", "x".repeat(10_000), "a = 1\n".repeat(20));
        let error = run.write(
            |emit| _ = (0..100_000).all(|at| emit(Entry::new(format!("{at}.hcl"), format!("{text}#{at}\n")))),
            &mut Full,
        );
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}

#[test]
fn what_exceeds_the_budget_is_a_diagnostic() {
    let options = || Options::new().with_bytes_in_flight(1 << 20);
    let comment = |bytes: usize| format!("# {}\n", "x".repeat(bytes));
    let long = "x".repeat(5_000);
    for (entry, expected) in [
        (Entry::new("a.tf", comment(300_000)), "source-too-large"),
        (Entry::new("a.tf", "a=1\n".repeat(20_000)), "source-too-large"),
        (Entry::new(format!("{long}.tf"), "a = 1\n"), "source-too-large"),
        (Entry::new("a.tf", "a = 1\n").with_repo(long.as_str()), "source-too-large"),
    ] {
        let (codes, limited, unread) = diagnostics(options(), vec![entry, Entry::new("b.tf", "a = 1\n")]);
        assert_eq!((codes, limited, unread), (vec![expected.to_owned()], 1, 0));
    }
    let (codes, ..) = diagnostics(options(), vec![Entry::new("a.tf", comment(200_000))]);
    assert!(codes.is_empty(), "{codes:?}");
}
