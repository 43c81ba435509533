//! Small inputs of `hcl tables` that become large: each run ends, with a row of `diagnostics` if something was left out, and takes
//! memory in proportion to the bytes that it may have in flight. The runs are in this process, which counts what it allocates.
#![cfg(unix)]

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_cli::{Host, hcl};
use hclkit_test_cases::bombs::{Bomb, bombs, git_bombs};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The bytes in flight, and how many bytes a run may have allocated: twice as many, and what the program needs.
const IN_FLIGHT: u64 = 8 << 20;
/// Held by each test, because memory is counted for the whole process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
/// Decoding an object may take more, with what it is a delta of.
const MOST_GIT_MEMORY: usize = MOST_MEMORY + (96 << 20);
const MOST_MEMORY: usize = 2 * (IN_FLIGHT as usize) + (16 << 20);

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a run in a directory ended with, what it said, and how much memory it took.
fn run(folder: &Path, words: &[&str]) -> (u8, String, usize) {
    let (output, errors) = (Shared::default(), Shared::default());
    let host = Host::given(Vec::new(), output, errors.clone());
    let path = |word: &str| folder.join(word).into_os_string();
    let line = words.iter().map(|word| if word.starts_with("./") { path(word) } else { word.into() });
    let line: Vec<_> = std::iter::once("hcl".into()).chain(line).collect();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let code = hcl(line, &host);
    (code, errors.text(), MEMORY.peak_usage().saturating_sub(before))
}

/// What is wrong with the end of a run, and with the tables that it wrote.
fn problem(folder: &Path, bomb: &Bomb, threads: &str, format: &str) -> Option<String> {
    let _ = fs::remove_dir_all(folder.join("out"));
    let file = format!("./{}", bomb.file);
    let in_flight = IN_FLIGHT.to_string();
    let words = ["tables", "--out", "./out", "--output", format, "--threads", threads, &file];
    let words = [&words[..], &["--max-bytes-in-flight", &in_flight], bomb.options].concat();
    let (code, errors, peak) = run(folder, &words);
    let shown: String = errors.chars().take(300).collect();
    let rows = || fs::read_to_string(folder.join("out/diagnostics.ndjson")).unwrap_or_default();
    match () {
        () if peak > MOST_MEMORY => Some(format!("{peak} bytes of memory; {shown}")),
        () if errors.contains("internal error") => Some(shown),
        () if code != if bomb.is_limited { 2 } else { 0 } => Some(format!("exit code {code}: {shown}")),
        () if bomb.is_limited && format == "ndjson" && rows().is_empty() => {
            Some(format!("no diagnostic: {shown}"))
        }
        () => None,
    }
}

#[test]
fn small_repositories_take_little_memory() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut failed = Vec::new();
    for bomb in git_bombs().iter().filter(|bomb| bomb.input.contains(&only)) {
        let _ = fs::remove_dir_all(folder.path().join("bare.git"));
        for (path, text) in bomb.files(IN_FLIGHT) {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let in_flight = IN_FLIGHT.to_string();
        let _ = fs::remove_dir_all(folder.path().join("out"));
        let words = [
            "tables",
            "--out",
            "./out",
            "--output",
            "ndjson",
            "--max-bytes-in-flight",
            &in_flight,
            "./bare.git",
        ];
        let (code, errors, peak) = run(folder.path(), &words);
        let rows = fs::read_to_string(folder.path().join("out/diagnostics.ndjson")).unwrap_or_default();
        let is_fine = code == 2 && !rows.is_empty() && peak <= MOST_GIT_MEMORY;
        if !is_fine || errors.contains("internal error") {
            failed
                .push(format!("{}: exit code {code}, {peak} bytes of memory; {errors}; {rows}", bomb.input));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn small_inputs_take_little_memory() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut failed = Vec::new();
    for bomb in bombs().iter().filter(|bomb| bomb.input.contains(&only)) {
        let content = bomb.content(IN_FLIGHT);
        fs::write(folder.path().join(bomb.file), &content).unwrap();
        drop(content);
        for (threads, format) in [("2", "ndjson"), ("1", "parquet")] {
            let problem = problem(folder.path(), bomb, threads, format);
            failed.extend(problem.map(|problem| format!("{} ({format}): {problem}", bomb.input)));
        }
        fs::remove_file(folder.path().join(bomb.file)).unwrap();
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
