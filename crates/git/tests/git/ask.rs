//! Asks everything that can be asked of a repository. `fuzz/fuzz_targets/git.rs` does so, too.

use std::ops::ControlFlow;

use hclkit_git::{Error, Repository};

/// Everything that can be asked of a repository, none of which may panic or wait. Returns the number of errors.
pub(crate) fn everything(repository: Result<Repository, Error>) -> usize {
    let Ok(repository) = repository else { return 1 };
    let mut errors = 0;
    let _ = repository.origin();
    errors += usize::from(repository.tracked(repository.top()).is_err());
    for revision in ["HEAD", "main", "v1", "HEAD~2", "HEAD^2", "side", "0", "HEAD@{1}", "a..b", ":/x", ""] {
        errors += usize::from(repository.changes_since(revision).is_err());
    }
    match repository.head() {
        Ok(None) => {}
        Err(_) => errors += 1,
        Ok(Some(head)) => {
            let mut found = Vec::new();
            let walked = repository.files(head, &mut |file| {
                found.push(file.id);
                if found.len() < 500 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            errors += usize::from(walked.is_err());
            for id in found {
                let objects = repository.objects();
                errors += usize::from(objects.size(id).is_err() || objects.file(id, 1 << 20).is_err());
            }
        }
    }
    errors
}
