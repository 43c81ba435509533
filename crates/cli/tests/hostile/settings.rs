//! Promises for every text of `hcl.toml` and of a language that it names: no command that reads it panics, aborts or takes
//! much memory, and what is wrong is an error with exit code 2. The fuzzer calls this, and so does `cargo test`.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use hclkit::Limits;
use hclkit_cli::{Host, hcl};
use rustix::thread::UnshareFlags;
use tempfile::TempDir;

use crate::output::Shared;

/// A run of each command that reads `hcl.toml`.
pub(crate) const RUNS: [(&str, &[&str]); 22] = [
    ("check", &["check", "."]),
    ("check", &["check", "--spec", "s.hcldec", "a.hcl"]),
    ("fmt", &["fmt", "--check", "."]),
    ("edit", &["edit", "a=1", "a.hcl"]),
    ("merge", &["merge", "s.hcldec", "a.hcl", "main.tf", "--result", "-"]),
    ("query", &["query", "..a", "."]),
    ("rename", &["rename", "local.a", "local.b", "."]),
    ("refs", &["refs", "local.a", "."]),
    ("convert", &["convert", "a.hcl"]),
    ("eval", &["eval", "."]),
    ("console", &["console", "--no-history", "."]),
    ("docs", &["docs", "."]),
    ("graph", &["graph", "."]),
    ("diff", &["diff", ".", "."]),
    ("tables", &["tables", "--table", "attributes", "."]),
    ("split", &["split", "."]),
    ("test", &["test", "--rules", "builtin:all", "."]),
    ("decode", &["decode", "--spec", "s.hcldec", "a.hcl"]),
    ("schema", &["schema", "--spec", "s.hcldec"]),
    ("schema", &["schema", "."]),
    ("dump", &["dump", "tokens", "a.hcl"]),
    ("eval", &["eval", "--allow-fs", ".", "fileset(\".\", \"**\")"]),
];

/// The commands that do not read it.
#[cfg(test)]
pub(crate) const OTHERS: [&str; 6] = ["explain", "completions", "man", "help", "lsp", "mcp"];

const FILES: [(&str, &str); 4] = [
    ("a.hcl", "a = 1\n"),
    ("main.tf", "locals {\n  a = 1\n}\nmodule \"m\" {\n  source = \"registry/m\"\n}\n"),
    ("s.hcldec", "object {\n  attr \"a\" {\n    type = number\n  }\n}\n"),
    ("n/b.ours", "block \"x\" {\n  a = 1\n}\n"),
];

/// How a run ended.
#[cfg_attr(not(test), expect(dead_code, reason = "the fuzzer checks the promises alone"))]
pub(crate) struct Ended {
    pub(crate) code: u8,
    pub(crate) errors: String,
}

/// The first byte chooses a command. Then come the settings and the table of a language `t.hcl`, with a line `---` between
/// them.
pub(crate) fn check(input: &[u8]) {
    const LINE: &[u8] = b"\n---\n";
    let Some((first, texts)) = input.split_first() else { return };
    let at = texts.windows(LINE.len()).position(|window| window == LINE);
    let (settings, table) = at.map_or((texts, &b""[..]), |at| (&texts[..=at], &texts[at + LINE.len()..]));
    let (_, run) = RUNS[usize::from(*first) % RUNS.len()];
    run_with(run, &[("hcl.toml", settings), ("t.hcl", table)]);
}

/// Runs a command beside files, and checks its promises.
pub(crate) fn run_with(line: &[&str], files: &[(&str, &[u8])]) -> Ended {
    static FOLDER: OnceLock<(TempDir, Mutex<()>)> = OnceLock::new();
    let (folder, lock) = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        for (name, text) in FILES {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in the folder")).expect("the folder is new");
            fs::write(path, text).expect("it can be written");
        }
        (folder, Mutex::new(()))
    });
    let _alone = lock.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("it can be written");
    }
    let (output, errors) = (Shared::default(), Shared::default());
    let limits = Limits::new().with_steps(100_000).with_elements(200_000).with_bytes(16 << 20);
    let host = Host::given(b"local.a\n".to_vec(), output, errors.clone()).within(limits);
    let words = ["hcl"].iter().chain(line).map(OsString::from).collect();
    let code = within(folder.path(), || hcl(words, &host));
    for (name, _) in files {
        fs::remove_file(folder.path().join(name)).expect("it was written");
    }
    let errors = String::from_utf8_lossy(&errors.text()).into_owned();
    let most = if line[0] == "fmt" { 3 } else { 2 };
    assert!(code <= most, "{line:?} ends with {code}");
    assert!(!errors.contains("internal error"), "{line:?}: {errors}");
    Ended { code, errors }
}

/// Runs a program on a thread with a working directory of its own.
fn within<T: Send>(folder: &Path, work: impl FnOnce() -> T + Send) -> T {
    let work = || {
        // The function is deprecated because it is only safe with flags such as this one.
        #[expect(deprecated)]
        rustix::thread::unshare(UnshareFlags::FS).expect("Linux can");
        std::env::set_current_dir(folder).expect("it is there");
        work()
    };
    std::thread::scope(|scope| scope.spawn(work).join()).expect("the program does not panic")
}
