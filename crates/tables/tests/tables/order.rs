//! Results depend neither on threads, nor on the order and the partitioning of the input, and equal contents are parsed once.

use std::collections::BTreeMap;

use fastrand::Rng;
use hclkit_tables::arrow_array::RecordBatch;
use hclkit_tables::{Batches, Entry, Format, Options, Table, TableBatches};

use crate::kit::{Files, lines, write};

/// Files of some repositories, some of them equal, some of them broken.
fn entries(random: &mut Rng, count: usize) -> Vec<(String, String, String)> {
    let names = ["main.tf", "vars.tf", "a.tf.json", "x.auto.tfvars", "docker-bake.hcl", "any.hcl"];
    let file = |at: usize, random: &mut Rng| {
        let number = random.usize(..=count / 2);
        let name = names[random.usize(..names.len())];
        let text = match random.usize(..8) {
            0 => "{\"variable\": {\"a\": {\"default\": 1}}}".to_owned(),
            1 => format!("resource \"a\" \"b{number}\" {{\n  c = [\n}}\n"),
            2 => String::new(),
            3 => format!("a = {number}\nb = a.b{number}\n"),
            _ => format!(
                "variable \"v{number}\" {{\n  default = {number}\n}}\noutput \"o\" {{\n  value = var.v{number}\n}}\n"
            ),
        };
        (format!("repo{}", at * 5 / count), format!("dir{at}/{name}"), text)
    };
    (0..count).map(|at| file(at, random)).collect()
}

fn entry((repo, path, text): &(String, String, String)) -> Entry {
    Entry::new(path.as_str(), text.as_str()).with_repo(repo.as_str())
}

fn sorted(files: &Files) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, bytes) in &files.0 {
        let table = name.split('/').next().unwrap().to_owned();
        let text = std::str::from_utf8(bytes).unwrap();
        all.entry(table).or_default().extend(text.lines().map(str::to_owned));
    }
    for rows in all.values_mut() {
        rows.sort();
    }
    all
}

#[test]
fn files_are_equal_for_any_number_of_threads() {
    let mut random = Rng::with_seed(7);
    for count in [0, 1, 31, 33, 700] {
        let all = entries(&mut random, count.max(1));
        let all = &all[..count];
        for format in [Format::Parquet, Format::Arrow, Format::Csv, Format::Ndjson] {
            let of =
                |threads: usize| write(Options::new(), format, false, threads, all.iter().map(entry)).0.0;
            let first = of(1);
            assert_eq!(first.len(), 10);
            for threads in [1, 2, 7] {
                assert!(first == of(threads), "{count} {format} {threads}");
            }
        }
    }
}

#[test]
fn rows_do_not_depend_on_order_or_partitions() {
    let mut random = Rng::with_seed(8);
    let mut all = entries(&mut random, 300);
    let of = |all: &[_], partitioned: bool| {
        write(Options::new(), Format::Ndjson, partitioned, 3, all.iter().map(entry)).0
    };
    let whole = of(&all, false);
    let expected = sorted(&whole);
    // The order of rows is that of the input.
    let paths: Vec<String> = all.iter().map(|(_, path, _)| path.clone()).collect();
    let found: Vec<String> =
        lines(&whole.0["files"]).iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect();
    assert_eq!(found, paths);
    let partitions = of(&all, true);
    assert!(partitions.0.contains_key("files/repo0") && partitions.0.contains_key("files/repo4"));
    assert_eq!(sorted(&partitions), expected);
    // The parts of an input, each alone.
    let mut parts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for part in all.chunks(37) {
        for (table, rows) in sorted(&of(part, false)) {
            parts.entry(table).or_default().extend(rows);
        }
    }
    for rows in parts.values_mut() {
        rows.sort();
    }
    assert_eq!(parts, expected);
    for _ in 0..3 {
        random.shuffle(&mut all);
        assert_eq!(sorted(&of(&all, false)), expected);
        assert_eq!(sorted(&of(&all, true)), expected);
    }
}

#[test]
fn equal_contents_are_parsed_once() {
    let text = "variable \"a\" {}\n";
    let names = (0..500).map(|at| format!("d{at}/main.tf"));
    let same = names.map(|name| Entry::new(name, text));
    // The same text in another language is another content.
    let others = ["main.tf.json", "x.tfvars", "a.hcl"].map(|name| Entry::new(name, text));
    let (files, summary) = write(Options::new(), Format::Ndjson, false, 4, same.chain(others));
    assert_eq!((summary.entries, summary.parsed), (503, 4));
    assert_eq!(lines(&files.0["variables"]).len(), 500);
    assert_eq!(summary.rows, files.0.values().map(|bytes| lines(bytes).len() as u64).sum::<u64>());
}

#[test]
fn batches_have_the_same_rows() {
    let mut random = Rng::with_seed(9);
    let all = entries(&mut random, 2_500);
    for table in [Table::Files, Table::Attributes, Table::Variables] {
        let (files, _) = write(Options::new(), Format::Ndjson, false, 2, all.iter().map(entry));
        let expected = lines(&files.0[table.name()]);
        for threads in [1, 3] {
            let batches = Batches::new(table, Options::new(), all.iter().map(entry)).with_threads(threads);
            let batches: Vec<_> = batches.map(Result::unwrap).collect();
            assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), expected.len());
            let paths: Vec<&str> = batches
                .iter()
                .flat_map(|batch| {
                    let column = batch.column_by_name("path").unwrap();
                    hclkit_tables::arrow_array::cast::AsArray::as_string::<i32>(column).iter().flatten()
                })
                .collect();
            let expected: Vec<&str> = expected.iter().map(|row| row["path"].as_str().unwrap()).collect();
            assert_eq!(paths, expected);
        }
    }
}

#[test]
fn batches_of_several_tables_are_those_of_each() {
    let all = entries(&mut Rng::with_seed(11), 2_500);
    let options = Options::new();
    for threads in [1, 3] {
        let pass = TableBatches::new(options.clone(), all.iter().map(entry)).unwrap().with_threads(threads);
        let mut found: Vec<(Table, RecordBatch)> = pass.map(Result::unwrap).collect();
        for table in options.tables() {
            let expected = Batches::new(*table, options.clone(), all.iter().map(entry));
            let own = found.extract_if(.., |(own, _)| own == table).map(|(_, batch)| batch);
            assert_eq!(
                own.collect::<Vec<_>>(),
                expected.collect::<Result<Vec<_>, _>>().unwrap(),
                "{}",
                table.name()
            );
        }
        assert!(found.is_empty());
    }
    let mixed = Options::new().with_tables([Table::Blocks, Table::Values]);
    assert!(TableBatches::new(mixed, all.iter().map(entry)).is_err());
}
