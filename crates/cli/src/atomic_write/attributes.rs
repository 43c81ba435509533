//! Copies the owner, group, extended attributes (including access control lists) and mode to a file that replaces
//! another. If one of them cannot be preserved, the file is not replaced.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt as _, fchown};

use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
use rustix::io::Errno;

/// Copies the attributes of one file to another. The mode is set last, because changing the owner clears the setuid
/// bit.
pub(super) fn copy(from: &File, metadata: &Metadata, to: &File) -> io::Result<()> {
    let new = to.metadata()?;
    if (new.uid(), new.gid()) != (metadata.uid(), metadata.gid()) {
        let owner = (new.uid() != metadata.uid()).then_some(metadata.uid());
        fchown(to, owner, Some(metadata.gid())).map_err(|_| {
            io::Error::new(io::ErrorKind::PermissionDenied, "cannot preserve the owner and group of the file")
        })?;
    }
    for name in names(from)? {
        let value = value(from, &name)?;
        if self::value(to, &name).is_ok_and(|own| own == value) {
            continue;
        }
        fsetxattr(to, name.as_slice(), &value, XattrFlags::empty()).map_err(|_| {
            let name = String::from_utf8_lossy(&name);
            let why = format!("cannot preserve the extended attribute {name}");
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
        // The file system does not support extended attributes.
        Err(Errno::NOTSUP | Errno::NOSYS) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

fn value(file: &File, name: &[u8]) -> io::Result<Vec<u8>> {
    Ok(grown(|buffer| fgetxattr(file, name, buffer))?)
}

/// Calls a function with a growing buffer until it is large enough.
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
