//! References: files below `refs`, the file `packed-refs`, and names that refer to others.

use gix_ref::packed::Buffer;
use gix_ref::{FullName, Target, file::loose};

use crate::place::Place;
use crate::{Error, MOST_BYTES};

/// How many references may refer to each other, as in Git.
const MOST_LINKS: usize = 5;

/// The object that a name refers to, through other names. There is none if the last one does not exist.
pub(crate) fn follow(
    place: &Place,
    hash: gix_hash::Kind,
    name: &str,
) -> Result<Option<gix_hash::ObjectId>, Error> {
    let mut name = full(name)?;
    for _ in 0..=MOST_LINKS {
        match read(place, hash, &name)? {
            None => return Ok(None),
            Some(Target::Object(id)) => return Ok(Some(id)),
            Some(Target::Symbolic(next)) => name = next,
        }
    }
    Err(Error::new("a reference leads through too many others"))
}

/// The object of a name as people write it, such as `main` or `origin/main`.
pub(crate) fn find(
    place: &Place,
    hash: gix_hash::Kind,
    name: &str,
) -> Result<Option<gix_hash::ObjectId>, Error> {
    for (before, after) in [
        ("", ""),
        ("refs/", ""),
        ("refs/tags/", ""),
        ("refs/heads/", ""),
        ("refs/remotes/", ""),
        ("refs/remotes/", "/HEAD"),
    ] {
        let name = format!("{before}{name}{after}");
        // A file such as `config` is not a reference.
        let is_special = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if (name.starts_with("refs/") || is_special)
            && full(&name).is_ok()
            && let Some(id) = follow(place, hash, &name)?
        {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

fn full(name: &str) -> Result<FullName, Error> {
    FullName::try_from(name).map_err(|_| Error::new("the name of a reference is invalid"))
}

fn read(place: &Place, hash: gix_hash::Kind, name: &FullName) -> Result<Option<Target>, Error> {
    let text = name.as_bstr().to_string();
    let damaged = || Error::new(format!("the reference {text} is damaged"));
    // Each working tree has some of its own.
    let is_own = !text.starts_with("refs/")
        || ["refs/bisect/", "refs/worktree/", "refs/rewritten/"].iter().any(|own| text.starts_with(own));
    let content = if is_own { place.read_own(&text, 1 << 16)? } else { place.read_common(&text, 1 << 16)? };
    if let Some(content) = content {
        let reference = loose::Reference::try_from_path(name.clone(), &content, hash);
        return reference.map(|reference| Some(reference.target)).map_err(|_| damaged());
    }
    let Some(packed) = place.common_file("packed-refs", MOST_BYTES)? else { return Ok(None) };
    let packed = Buffer::open(packed, 1 << 16, hash).map_err(|_| Error::new("packed-refs is damaged"))?;
    let found = packed.try_find(name.as_ref()).map_err(|_| damaged())?;
    Ok(found.map(|found| Target::Object(found.target())))
}
