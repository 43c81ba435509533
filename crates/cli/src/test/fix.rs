//! `hcl test --fix`: applies the fixes of rules to a file. The result has no syntax errors, or the file stays as it is.

use hclkit::render::{FixedError, FixedFile};
use hclkit::syntax::Edited;
use hclkit::{Diagnostic, Document, Source};
use hclkit_policy::Suite;

use super::run::Run;
use crate::args::Format;
use crate::atomic_write;
use crate::input::{Input, Unreadable};
use crate::outcome::Failure;
use crate::output::print_diff;
use crate::text_diff;

/// Prints or writes the fixes. With `--write`, returns what is left.
pub(super) fn fix(
    input: &Input,
    document: &Document,
    mut suite: Suite,
    run: &mut Run<'_>,
) -> Result<Suite, Failure> {
    let path = input.path().ok_or_else(|| Failure::new("--fix requires files"))?;
    let found: Vec<&Diagnostic> = suite
        .verdicts
        .iter()
        .filter_map(|own| own.finding.as_ref())
        .filter(|own| own.fix().is_some())
        .collect();
    if found.is_empty() {
        return Ok(suite);
    }
    let source = document.source();
    let edited = Edited::new(source.text(), found.iter().filter_map(|own| own.fix()));
    let after = Document::parse_in(Source::new(source.name(), edited.text.as_str()), input.syntax());
    if after.has_errors() {
        return Ok(suite);
    }
    let errors = edited.applied.iter().map(|at| {
        let own = found[*at];
        FixedError {
            range: document.range(own.span()),
            code: own.code(),
            title: own.fix().map(|fix| fix.title.clone()).unwrap_or_default(),
        }
    });
    let errors: Vec<FixedError> = errors.collect();
    let diff = || text_diff::unified(&input.name(), source.text(), after.source().text());
    let format = run.command.reporting.report;
    if !run.command.write {
        if format == Format::Human {
            print_diff(&diff())?;
        }
        let diff = (format == Format::Json).then(diff);
        run.fixed(FixedFile { name: input.name(), errors, written: false, diff });
        return Ok(suite);
    }
    match atomic_write::rewrite(path, || input.open(), source.bytes(), after.source().bytes()) {
        Ok(_) => {
            let places: Vec<_> =
                edited.applied.iter().map(|at| (found[*at].span(), found[*at].code())).collect();
            suite.verdicts.retain(|own| {
                own.finding.as_ref().is_none_or(|own| !places.contains(&(own.span(), own.code())))
            });
            run.fixed(FixedFile { name: input.name(), errors, written: true, diff: None });
        }
        Err(reason) => {
            run.unreadable([Unreadable { name: input.name(), reason, action: "write" }].into_iter());
        }
    }
    Ok(suite)
}
