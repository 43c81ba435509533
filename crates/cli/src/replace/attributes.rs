//! What a file that takes the place of another has of it: owner, group, extended attributes with access control lists, and
//! mode. Where one of them cannot be kept, the file is not replaced.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt as _, fchown};

use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
use rustix::io::Errno;

/// Gives one file the attributes of another. The mode comes last: a new owner takes the setuid bit away.
pub(super) fn copy(from: &File, metadata: &Metadata, to: &File) -> io::Result<()> {
    let new = to.metadata()?;
    if (new.uid(), new.gid()) != (metadata.uid(), metadata.gid()) {
        let owner = (new.uid() != metadata.uid()).then_some(metadata.uid());
        fchown(to, owner, Some(metadata.gid())).map_err(|_| {
            io::Error::new(io::ErrorKind::PermissionDenied, "the file would not keep its owner and group")
        })?;
    }
    for name in names(from)? {
        let value = value(from, &name)?;
        if self::value(to, &name).is_ok_and(|own| own == value) {
            continue;
        }
        fsetxattr(to, name.as_slice(), &value, XattrFlags::empty()).map_err(|_| {
            let name = String::from_utf8_lossy(&name);
            let why = format!("the file would not keep its extended attribute {name}");
            io::Error::new(io::ErrorKind::PermissionDenied, why)
        })?;
    }
    to.set_permissions(metadata.permissions())
}

/// The names of the extended attributes.
fn names(file: &File) -> io::Result<Vec<Vec<u8>>> {
    let list = grown(|buffer| flistxattr(file, buffer));
    match list {
        Ok(list) => {
            Ok(list.split(|&byte| byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
        }
        // The file system has none.
        Err(Errno::NOTSUP | Errno::NOSYS) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

fn value(file: &File, name: &[u8]) -> io::Result<Vec<u8>> {
    Ok(grown(|buffer| fgetxattr(file, name, buffer))?)
}

/// What a call gives, in a buffer that is large enough.
fn grown(call: impl Fn(&mut [u8]) -> Result<usize, Errno>) -> Result<Vec<u8>, Errno> {
    let mut buffer = vec![0; 1 << 10];
    loop {
        match call(&mut buffer) {
            Ok(length) => {
                buffer.truncate(length);
                return Ok(buffer);
            }
            Err(Errno::RANGE) => buffer.resize(buffer.len() * 4, 0),
            Err(error) => return Err(error),
        }
    }
}
