//! Repositories as `git` creates them, with the answers of `git`, and hostile ones. Needs the program `git`.
#![cfg(unix)]

mod ask;
mod bombs;
mod changes;
mod hostile;
mod oracle;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use hclkit_git::{File, Id, Repository};

/// What `git` prints about a repository, divided at NUL, or its error.
fn asked(directory: &Path, words: &[&str]) -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(directory)
        .args(words)
        .output()
        .expect("Git runs");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8(output.stdout).expect("names are UTF-8");
    Ok(text.split(['\0', '\n']).filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// The files of a commit.
fn files(repository: &Repository, commit: Id) -> Result<Vec<File>, hclkit_git::Error> {
    let mut all = Vec::new();
    repository.files(commit, &mut |file| {
        all.push(file);
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

fn sorted(paths: impl IntoIterator<Item = PathBuf>) -> BTreeSet<String> {
    paths.into_iter().map(|path| path.display().to_string()).collect()
}
