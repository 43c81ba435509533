//! A linter for Terraform files in both syntaxes, with custom codes. It writes SARIF, and fixes files with `--fix`:
//! `cargo run -p hclkit --example linter -- examples/terraform/*.tf > report.sarif`.

use std::{convert::Infallible, env, fs, io, path::Path, process::ExitCode};

use hclkit::model::{Attribute, Block, Body, Descend, Schema, Visitor};
use hclkit::render::{Format, ReportWriter};
use hclkit::{Code, Diagnostic, Diagnostics, apply_fixes};

const TAGS: Code = Code::custom("aws-tags", "Resource without tags")
    .with_explanation("Every resource of AWS must have tags, so that its costs can be assigned.");
const OLD_INSTANCE: Code = Code::custom("aws-old-instance", "Previous-generation instance type");

#[derive(Default)]
struct Linter {
    found: Diagnostics,
}

impl Visitor for Linter {
    type Error = Infallible;

    /// The labels of blocks. In the JSON syntax, they cannot be distinguished from nested objects.
    fn schema(&mut self, _: Option<&Block>) -> Schema {
        Schema::new().with_block("resource", &["type", "name"])
    }

    fn block(&mut self, block: &Block) -> Result<Descend, Infallible> {
        let aws = block.block_type == "resource" && block.labels[0].starts_with("aws_");
        if aws && block.body.attribute("tags").is_none() {
            let note = format!("Add `tags` to the resource `{}`.", block.labels[1]);
            self.found.push(Diagnostic::error(TAGS).at(block.definition_place()).with_note(note));
        }
        Ok(Descend::Inside)
    }

    fn attribute(&mut self, attribute: &Attribute) -> Result<Descend, Infallible> {
        let (value, text) = (&attribute.expression, attribute.expression.text());
        if attribute.name == "instance_type" && text.starts_with("\"t2.") {
            let warning = Diagnostic::warning(OLD_INSTANCE).at(value.place());
            let newer = text.replacen("t2", "t3", 1);
            self.found.push(warning.with_edit(format!("Use {newer}"), value.span(), newer));
        }
        Ok(Descend::Inside)
    }
}

pub(crate) fn lint(path: &Path, fix: bool) -> io::Result<Diagnostics> {
    let (body, mut found) = Body::open(path)?;
    let mut linter = Linter::default();
    let Ok(()) = body.visit(&mut linter);
    found.append(linter.found);
    if fix {
        let fixes = found.iter().filter_map(Diagnostic::fix);
        fs::write(path, apply_fixes(body.source().text(), fixes).0)?;
    }
    Ok(found)
}

pub(crate) fn main() -> io::Result<ExitCode> {
    let (flags, files): (Vec<_>, Vec<_>) = env::args().skip(1).partition(|argument| argument == "--fix");
    let mut report = ReportWriter::new(Format::Sarif, io::stdout()).with_tool("tf-lint", "0.1.0", "");
    for file in files {
        report.diagnostics(&lint(file.as_ref(), !flags.is_empty())?)?;
    }
    report.finish()?;
    Ok(if report.totals().errors > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
