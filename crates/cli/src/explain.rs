//! `hcl explain`: explains an error code, with an example and its diagnostic.

mod examples;
mod modules;

use std::fmt::Write as _;

use hclkit::Code;
use hclkit::render::Renderer;
use hclkit::syntax::or_did_you_mean;

use crate::args::Explain;
use crate::outcome::{Failure, Outcome};
use crate::output::print_styled;

pub(crate) fn run(command: &Explain) -> Result<Outcome, Failure> {
    let text = match &command.code {
        None => list(),
        Some(name) => explanation(named(bare(name))?),
    };
    print_styled(&text)?;
    Ok(Outcome::Fine)
}

/// Extracts the code from `error[code]`.
fn bare(name: &str) -> &str {
    let inner = name.split_once('[').and_then(|(_, inner)| inner.strip_suffix(']'));
    inner.unwrap_or(name)
}

fn named(name: &str) -> Result<Code, Failure> {
    name.parse::<Code>().map_err(|unknown| {
        let advice = match unknown.nearest() {
            Some(meant) => or_did_you_mean(Some(meant.as_str())),
            None => "; run `hcl explain` to list all codes".to_owned(),
        };
        Failure::new(format!("unknown code `{name}`{advice}"))
    })
}

fn list() -> String {
    let width = Code::ALL.iter().map(|code| code.as_str().len()).max().unwrap_or_default();
    Code::ALL.iter().fold(String::new(), |mut text, code| {
        let _ = writeln!(text, "{:width$}  {}", code.as_str(), code.summary());
        text
    })
}

fn explanation(code: Code) -> String {
    let mut text = format!("{code}: {}\n\n{}\n", code.summary(), code.explanation());
    if let Some(example) = examples::of(code) {
        let mistake = example.mistakes(code).into_iter().find(|diagnostic| diagnostic.has_code(code));
        if let Some(mistake) = mistake {
            let _ = write!(text, "\n{}\n", Renderer::colored().diagnostics(&mistake.into()));
        }
    }
    let _ = writeln!(
        text,
        "\nTo accept it at one place in hcl check, write `# hcl-check: allow {code} REASON` above; everywhere, use --allow {code}."
    );
    text
}
