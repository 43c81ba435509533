//! Writing files: never half of one. What is written goes to a temporary file beside the place, then takes it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file that is to be written, if one is: `-` is standard output, as it is standard input elsewhere.
pub(crate) fn file(out: Option<&PathBuf>) -> Option<&Path> {
    out.map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
}

/// Makes `contents` what the file holds, or says why that failed.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), String> {
    replace(path, contents).map_err(|error| {
        // The name of a temporary file that never came to be says nothing to anybody.
        let why = error.to_string();
        why.split_once(" at path ").map_or(why.as_str(), |(why, _)| why).to_owned()
    })
}

/// Puts a new file in the place; a file that was there keeps its permissions, a symbolic link its target.
fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let target = resolve(path)?;
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let before = match target.metadata() {
        // Devices and pipes cannot be replaced, only written to.
        Ok(metadata) if !metadata.is_file() => {
            return std::fs::OpenOptions::new().write(true).open(&target)?.write_all(contents);
        }
        Ok(metadata) => Some(metadata.permissions()),
        Err(_) => None,
    };
    if before.as_ref().is_some_and(std::fs::Permissions::readonly) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hcl-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What the umask allows, as for any new file; temporary files are otherwise for their owner alone.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(contents)?;
    if let Some(permissions) = before {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

/// The file behind symbolic links; the path itself where nothing is there yet.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        other => other,
    }
}
