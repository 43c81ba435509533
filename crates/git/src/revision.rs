//! Commits as people write them: `main`, `v1.2`, `HEAD~2`, `origin/main^`, the beginning of an id. Ranges, and what only the logs of
//! references know (`@{1}`, `@{upstream}`), are not supported.

use gix_error::{ErrorExt as _, Result, message};
use gix_object::Kind;
use gix_revision::spec::parse::delegate::{
    Kind as SpecKind, Navigate, PeelTo, PrefixHint, ReflogLookup, Revision, SiblingBranch, Traversal,
};
use gix_revision::spec::{self, parse::Delegate};

use crate::references;
use crate::{Error, Id, Repository};

impl Repository {
    /// The commit of a revision as people write it: a branch, a tag, an id, or one of these with `~2` or `^`.
    ///
    /// # Errors
    /// There is no such commit, or something in the repository is damaged.
    pub fn commit(&self, revision: &str) -> std::result::Result<Id, Error> {
        let mut found = Found { repository: self, id: None, problem: None };
        let parsed = spec::parse(revision.into(), &mut found);
        let (id, problem) = (found.id, found.problem);
        let none = || Error::new("there is no such commit");
        match (parsed, id, problem) {
            (_, _, Some(problem)) => Err(problem),
            (Ok(()), Some(id), None) => self.objects.commit(Id(id)),
            (Ok(()), None, None) => Err(none()),
            (Err(_), _, None) => Err(Error::new("it is not the name of a commit")),
        }
    }
}

/// What a revision means so far.
struct Found<'r> {
    repository: &'r Repository,
    id: Option<gix_hash::ObjectId>,
    problem: Option<Error>,
}

impl Found<'_> {
    fn fail(&mut self, problem: Error) -> Result {
        self.problem.get_or_insert(problem);
        Err(message("the revision cannot be found").raise())
    }

    fn unsupported(&mut self, what: &str) -> Result {
        self.fail(Error::new(format!("{what} is not supported")))
    }

    /// Sets the object, or says why there is none.
    fn set(&mut self, found: std::result::Result<Option<gix_hash::ObjectId>, Error>) -> Result {
        match found {
            Ok(Some(id)) => {
                self.id = Some(id);
                self.problem = None;
                Ok(())
            }
            Ok(None) => self.fail(Error::new("there is no such commit")),
            Err(problem) => self.fail(problem),
        }
    }

    fn commit(&self) -> std::result::Result<Id, Error> {
        match self.id {
            Some(id) => self.repository.objects.commit(Id(id)),
            None => self.repository.head()?.ok_or_else(|| Error::new("the repository has no commit yet")),
        }
    }
}

impl Revision for Found<'_> {
    fn find_ref(&mut self, name: &gix_object::bstr::BStr) -> Result {
        let found = match std::str::from_utf8(name) {
            Ok(name) => references::find(&self.repository.place, self.repository.objects.hash(), name),
            Err(_) => Ok(None),
        };
        self.set(found)
    }

    fn disambiguate_prefix(&mut self, prefix: gix_hash::Prefix, _: Option<PrefixHint<'_>>) -> Result {
        // A prefix that is no longer than an id of SHA-1 is one for the parser.
        let mut id =
            vec![0; self.repository.objects.hash().len_in_bytes().max(prefix.as_oid().as_bytes().len())];
        id[..prefix.as_oid().as_bytes().len()].copy_from_slice(prefix.as_oid().as_bytes());
        let id = gix_hash::ObjectId::try_from(&id[..]).ok();
        let prefix = id.and_then(|id| gix_hash::Prefix::new(&id, prefix.hex_len()).ok()).unwrap_or(prefix);
        let found = self.repository.objects.lend(|reader| reader.lookup_prefix(prefix, None));
        let found = match found {
            Ok(None) => Ok(None),
            Ok(Some(Ok(id))) => Ok(Some(id)),
            Ok(Some(Err(()))) => Err(Error::new("several objects have an id that begins so")),
            Err(_) => Err(Error::new("the objects of the repository are damaged")),
        };
        self.set(found)
    }

    fn reflog(&mut self, _: ReflogLookup) -> Result {
        self.unsupported("what a reference was before (@{…})")
    }

    fn nth_checked_out_branch(&mut self, _: usize) -> Result {
        self.unsupported("the branch that was checked out before (@{-1})")
    }

    fn sibling_branch(&mut self, _: SiblingBranch) -> Result {
        self.unsupported("the branch that is followed (@{upstream}); name it, as in origin/main,")
    }
}

impl Navigate for Found<'_> {
    fn traverse(&mut self, kind: Traversal) -> Result {
        let objects = &self.repository.objects;
        let walked = self.commit().and_then(|commit| match kind {
            Traversal::NthParent(number) => {
                Ok(objects.parents(commit)?.get(number.wrapping_sub(1)).map(|id| id.0))
            }
            Traversal::NthAncestor(number) => {
                let mut commit = commit;
                for _ in 0..number {
                    match objects.parents(commit)?.first() {
                        Some(parent) => commit = *parent,
                        None => return Ok(None),
                    }
                }
                Ok(Some(commit.0))
            }
        });
        self.set(walked)
    }

    fn peel_until(&mut self, kind: PeelTo<'_>) -> Result {
        match kind {
            PeelTo::ObjectKind(Kind::Commit) | PeelTo::RecursiveTagObject | PeelTo::ValidObject => {
                let commit = self.commit().map(|commit| Some(commit.0));
                self.set(commit)
            }
            PeelTo::ObjectKind(_) | PeelTo::Path(_) => self.unsupported("an object that is not a commit"),
        }
    }

    fn find(&mut self, _: &gix_object::bstr::BStr, _: bool) -> Result {
        self.unsupported("a search in messages (:/…)")
    }

    fn index_lookup(&mut self, _: &gix_object::bstr::BStr, _: u8) -> Result {
        self.unsupported("a file of the index (:…)")
    }
}

impl SpecKind for Found<'_> {
    fn kind(&mut self, kind: spec::Kind) -> Result {
        match kind {
            spec::Kind::IncludeReachable => Ok(()),
            _ => self.unsupported("a range of commits"),
        }
    }
}

impl Delegate for Found<'_> {
    fn done(&mut self) -> Result {
        Ok(())
    }
}
