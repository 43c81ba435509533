//! Oracles that read a request on each line and write an answer on each line, for the cases of a directory in `tests`: a Go
//! program in the directory of `conformance` with the same name.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, anyhow};
use hclkit_test_cases::{Case, File};
use serde_json::Value;

use crate::modules::record;
use crate::programs::{root, run, target};

/// An oracle and its cases.
pub(crate) struct CaseOracle {
    /// The name of the directories, and the extension of the case files.
    pub(crate) name: &'static str,
    /// The title of the section with the answer.
    pub(crate) answer: &'static str,
    /// The request of a case.
    pub(crate) request: fn(&Case) -> Value,
    /// An answer without what is different in each run.
    pub(crate) stable: fn(Value) -> Value,
}

impl CaseOracle {
    /// The directory of the program's source.
    pub(crate) fn directory(&self) -> PathBuf {
        root().join("conformance").join(self.name)
    }

    /// The program.
    pub(crate) fn program(&self) -> PathBuf {
        target().join(format!("{}-oracle", self.name))
    }

    /// Builds the program, and asks for all recorded cases afresh. Fails if an answer is different, unless it is recorded.
    pub(crate) fn run(&self, bless: bool) -> Result<ExitCode> {
        let program = self.program();
        run(Command::new("go").args(["build", "-o"]).arg(&program).arg(".").current_dir(self.directory()))?;
        let directory = root().join("tests").join(self.name);
        let files = hclkit_test_cases::read(&directory, self.name, &[]).map_err(|error| anyhow!(error))?;
        let (mut asked, mut different) = (0, 0);
        for file in files {
            let requests: Vec<Value> = file.cases.iter().map(self.request).collect();
            let answers = ask(&program, &requests)?;
            let mut answered: File = file.clone();
            for (case, answer) in answered.cases.iter_mut().zip(answers) {
                let answer = (self.stable)(answer);
                asked += 1;
                let recorded = case.section(self.answer).map(serde_json::from_str::<Value>);
                if recorded.is_some_and(|own| own.is_ok_and(|own| (self.stable)(own) == answer)) {
                    continue;
                }
                let answer = format!("{answer:#}\n");
                different += 1;
                record(case, &file.path, self.answer, answer, bless);
            }
            if bless {
                fs::write(&file.path, answered.text())?;
            }
        }
        println!("{asked} requests, {different} with another answer than the recorded one");
        Ok(if bless || different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Sends requests, each on a line, and reads the answers.
pub(crate) fn ask(oracle: &Path, requests: &[Value]) -> Result<Vec<Value>> {
    let mut child =
        Command::new(oracle).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut input = child.stdin.take().context("the input is a pipe")?;
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let lines = lines.join("\n") + "\n";
    let writing = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output()?;
    writing.join().map_err(|_| anyhow!("writing the requests failed"))??;
    let answers: Vec<Value> =
        std::str::from_utf8(&output.stdout)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if answers.len() == requests.len() {
        Ok(answers)
    } else {
        Err(anyhow!("{} answers to {} requests", answers.len(), requests.len()))
    }
}
