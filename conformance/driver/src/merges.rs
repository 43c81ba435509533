//! `cargo xtask merges`: merges three versions of files from the histories of Git repositories with `hclkit::write::Merge` and
//! with `git merge-file`, and compares both with each other and with what was committed. Where a repository has too few merges of
//! files that both sides changed, changes of neighboring commits are paired.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use hclkit_syntax::Syntax;
use hclkit_write::{LinesOnly, Merge, Method};

#[path = "../../../crates/write/tests/write/merge/check.rs"]
mod check;

const PATTERNS: [&str; 6] = ["*.tf", "*.hcl", "*.tfvars", "*.nomad", "*.tofu", "*.pkr.hcl"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Git directories
    #[arg(required = true)]
    repositories: Vec<PathBuf>,
    /// Merge at most so many commits of each repository
    #[arg(long, default_value_t = 3_000)]
    merges: usize,
    /// Pair the changes of at most so many commits of each repository
    #[arg(long, default_value_t = 0)]
    pairs: usize,
    /// Write the versions of what differs to this directory
    #[arg(long)]
    show: Option<PathBuf>,
}

/// Three versions of a file, and what was committed.
struct Case {
    name: String,
    versions: [String; 3],
    committed: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut counts = Counts::default();
    for repository in &args.repositories {
        let before = counts.counts.get("cases").copied().unwrap_or_default();
        let mut objects = Objects::open(repository)?;
        let mut see = |case: &Case| counts.add(case, args.show.as_deref());
        merges(repository, &mut objects, args.merges, &mut see)?;
        pairs(repository, &mut objects, args.pairs, &mut see)?;
        let cases = counts.counts.get("cases").copied().unwrap_or_default() - before;
        eprintln!("{}: {cases} cases", repository.display());
    }
    for (name, count) in &counts.counts {
        println!("{count:7}  {name}");
    }
    println!("slowest merge: {} ms", counts.slowest);
    let is_wrong =
        ["lost a change", "invalid from valid versions"].iter().any(|name| counts.counts.contains_key(*name));
    Ok(ExitCode::from(u8::from(is_wrong)))
}

/// What was found, by what it is.
#[derive(Default)]
struct Counts {
    counts: BTreeMap<String, usize>,
    slowest: u128,
}

impl Counts {
    fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    fn add(&mut self, case: &Case, show: Option<&Path>) -> Result<()> {
        let [base, ours, theirs] = &case.versions;
        if ours == theirs || base == ours || base == theirs {
            return Ok(());
        }
        self.count("cases");
        let (by_git, git_conflicts) = git_merge(&case.versions)?;
        let start = Instant::now();
        let merged = Merge::new(Syntax::Native).merge(base, ours, theirs);
        let merged = merged.map_err(|errors| anyhow::anyhow!("{}: {errors:?}", case.name))?;
        self.slowest = self.slowest.max(start.elapsed().as_millis());
        let text = String::from_utf8_lossy(merged.bytes()).into_owned();
        let is_clean = merged.conflicts() == 0;
        let mut kinds = Vec::new();
        match merged.method() {
            Method::LinesOnly(LinesOnly::NoResult) => {
                kinds.push("by lines: does not fit together".to_owned());
            }
            Method::LinesOnly(why) => kinds.push(format!("by lines: {why:?}")),
            method => kinds.push(format!("method: {method:?}")),
        }
        let are_valid = case.versions.iter().all(|text| check::errors(text).is_none());
        match (git_conflicts == 0, is_clean) {
            (true, true) if by_git == text => kinds.push("both clean: equal".to_owned()),
            (true, true) if without_blanks(&by_git) == without_blanks(&text) => {
                kinds.push("both clean: other blanks".to_owned());
            }
            (true, true) if check::errors(&by_git).is_some() => {
                kinds.push("both clean: Git's has errors".to_owned());
            }
            (true, true) if check::lost(&case.versions, &by_git, false).is_some() => {
                kinds.push("both clean: Git's lost a change".to_owned());
            }
            (true, true) => kinds.push("both clean: DIFFERENT".to_owned()),
            (false, true) => kinds.push("conflict of Git solved".to_owned()),
            (true, false) if check::errors(&by_git).is_some() => {
                kinds.push("conflict where Git's has errors".to_owned());
            }
            (true, false) => kinds.push("CONFLICT where Git has none".to_owned()),
            (false, false) => kinds.push("conflicts in both".to_owned()),
        }
        if let Some(committed) = &case.committed {
            let agreement = |text: &str, is_clean: bool| match () {
                () if !is_clean => "conflict",
                () if text == committed => "equal",
                () if without_blanks(text) == without_blanks(committed) => "equal but for blanks",
                () => "different",
            };
            let (git, own) = (agreement(&by_git, git_conflicts == 0), agreement(&text, is_clean));
            kinds.push(format!("committed: Git {git}, hcl {own}"));
        }
        if are_valid {
            let sides = if is_clean { 1..2 } else { 1..3 };
            if sides.into_iter().any(|side| check::errors(&check::taken(&text, side)).is_some()) {
                kinds.push("invalid from valid versions".to_owned());
            }
            let is_result = merged.method() != Method::LinesOnly(LinesOnly::NoResult);
            if let Some(lost) = check::lost(&case.versions, &text, !is_clean).filter(|_| is_result) {
                println!("{}: {lost}", case.name);
                kinds.push("lost a change".to_owned());
            }
        } else {
            kinds.push("a version has errors".to_owned());
        }
        for kind in &kinds {
            self.count(kind);
            if let Some(show) = show {
                write_case(show, kind, self.counts[kind], case, &by_git, &text)?;
            }
        }
        Ok(())
    }
}

/// Writes the first hundred cases of a kind.
fn write_case(show: &Path, kind: &str, number: usize, case: &Case, by_git: &str, text: &str) -> Result<()> {
    if number > 100 || kind == "both clean: equal" || kind.starts_with("method: Lines") {
        return Ok(());
    }
    let name: String = kind.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let folder = show.join(name).join(number.to_string());
    fs::create_dir_all(&folder)?;
    let [base, ours, theirs] = &case.versions;
    let committed = case.committed.as_deref().unwrap_or_default();
    let files = [
        ("base", base.as_str()),
        ("ours", ours),
        ("theirs", theirs),
        ("git", by_git),
        ("hcl", text),
        ("committed", committed),
        ("name", &case.name),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The text that `git merge-file` makes, and its number of conflicts.
fn git_merge(versions: &[String; 3]) -> Result<(String, i32)> {
    let folder = std::env::temp_dir().join(format!("hcl-merges-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    for (name, text) in ["base", "ours", "theirs"].iter().zip(versions) {
        fs::write(folder.join(name), text)?;
    }
    let words =
        ["merge-file", "-p", "-q", "-L", "ours", "-L", "base", "-L", "theirs", "ours", "base", "theirs"];
    let output = Command::new("git").args(words).current_dir(&folder).output()?;
    let code = output.status.code().context("git merge-file was killed")?;
    ensure!(code < 128, "git merge-file: {}", String::from_utf8_lossy(&output.stderr));
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), code))
}

/// The files of merge commits that differ from both parents.
fn merges(
    repository: &Path,
    objects: &mut Objects,
    most: usize,
    each: &mut dyn FnMut(&Case) -> Result<()>,
) -> Result<()> {
    let words = [
        "log",
        "--all",
        "--merges",
        "-c",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--format=commit %H %P",
        "--",
    ];
    let mut parents: Vec<String> = Vec::new();
    let mut commits = 0;
    let mut base = None;
    for line in lines(repository, &[&words[..], &PATTERNS[..]].concat())? {
        if let Some(commit) = line.strip_prefix("commit ") {
            parents = commit.split(' ').skip(1).map(str::to_owned).collect();
            base = None;
            continue;
        }
        // `::100644 100644 100644 OURS THEIRS RESULT MM` and the path.
        let Some((modes, path)) = line.strip_prefix("::").and_then(|line| line.split_once('\t')) else {
            continue;
        };
        let fields: Vec<&str> = modes.split(' ').collect();
        if parents.len() != 2
            || fields.len() != 7
            || path.starts_with('"')
            || fields[..3].iter().any(|mode| !mode.starts_with("100"))
        {
            continue;
        }
        if base.is_none() {
            commits += 1;
            if commits > most {
                break;
            }
            let found = lines(repository, &["merge-base", &parents[0], &parents[1]])?;
            base = Some(found.into_iter().next().unwrap_or_default());
        }
        let ids = [
            format!("{}:{path}", base.as_deref().unwrap_or_default()),
            fields[3].into(),
            fields[4].into(),
            fields[5].into(),
        ];
        let mut texts = Vec::new();
        for id in &ids {
            texts.extend(objects.text(id)?);
        }
        let Ok([base, ours, theirs, committed]) = <[String; 4]>::try_from(texts) else { continue };
        let name = format!("{} {} {path}", repository.display(), parents.join(" "));
        each(&Case { name, versions: [base, ours, theirs], committed: Some(committed) })?;
    }
    Ok(())
}

/// Pairs of changes of a file by neighboring commits: the later one, and the earlier one backward, on the version between them.
fn pairs(
    repository: &Path,
    objects: &mut Objects,
    most: usize,
    each: &mut dyn FnMut(&Case) -> Result<()>,
) -> Result<()> {
    if most == 0 {
        return Ok(());
    }
    let words = [
        "log",
        "--all",
        "--no-merges",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--diff-filter=M",
        "--format=",
        "--",
    ];
    // The last change of each version, as the log goes back in time.
    let mut later: BTreeMap<(String, String), String> = BTreeMap::new();
    let mut found = 0;
    for line in lines(repository, &[&words[..], &PATTERNS[..]].concat())? {
        let Some((modes, path)) = line.split_once('\t') else { continue };
        let fields: Vec<&str> = modes.split(' ').collect();
        if fields.len() != 5 || !fields[0].starts_with(":100") || !fields[1].starts_with("100") {
            continue;
        }
        let (old, new) = (fields[2].to_owned(), fields[3].to_owned());
        if let Some(latest) = later.remove(&(path.to_owned(), new.clone())) {
            let texts = [objects.text(&new)?, objects.text(&old)?, objects.text(&latest)?];
            let [Some(base), Some(ours), Some(theirs)] = texts else { continue };
            found += 1;
            if found > most {
                break;
            }
            let name = format!("{} {new} {old} {latest} {path}", repository.display());
            each(&Case { name, versions: [base, ours, theirs], committed: None })?;
        }
        later.insert((path.to_owned(), old), new);
    }
    Ok(())
}

fn lines(repository: &Path, words: &[&str]) -> Result<Vec<String>> {
    let output = Command::new("git").arg("--git-dir").arg(repository).args(words).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// The texts of objects, from `git cat-file`.
struct Objects {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Objects {
    fn open(repository: &Path) -> Result<Self> {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(repository).args(["cat-file", "--batch"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("no input")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        Ok(Self { child, input, output })
    }

    /// The text of an object, if it is there and UTF-8.
    fn text(&mut self, id: &str) -> Result<Option<String>> {
        writeln!(self.input, "{id}")?;
        let mut head = String::new();
        self.output.read_line(&mut head)?;
        let fields: Vec<&str> = head.split_whitespace().collect();
        let [_, "blob", size] = fields[..] else {
            // An object of another kind is not read here.
            ensure!(head.ends_with("missing\n") || head.contains("ambiguous"), "git cat-file {id}: {head}");
            return Ok(None);
        };
        let mut bytes = vec![0; size.parse::<usize>()? + 1];
        self.output.read_exact(&mut bytes)?;
        bytes.pop();
        Ok(String::from_utf8(bytes).ok())
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // It ends with its input.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
