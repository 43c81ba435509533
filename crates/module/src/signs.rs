//! What files beside those of a module say about its application: which one it is, and in which version. They are the files of
//! version managers and the lock file, in the directory of the module or in one around it.

use std::collections::BTreeSet;
use std::sync::Arc;

use hclkit_dialect::{Dialect, Version};

use crate::LOCK_FILE;
use crate::config::Target;

/// The most bytes of such a file.
#[doc(hidden)]
pub const MOST_SIGN_BYTES: u64 = 1 << 20;

/// What the files around a directory say. The nearest one counts.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct Signs {
    /// The application, and the file that says so.
    language: Option<(Arc<Dialect>, String)>,
    /// The versions of applications, by their names, each with the file and its text.
    versions: Vec<(String, Version, String)>,
}

impl Signs {
    /// Reads the files of directories, from the directory of the module outwards. `read` returns the contents of a file with a name, if
    /// there is one.
    pub fn of<D>(
        directories: impl IntoIterator<Item = D>,
        read: impl Fn(&D, &str) -> Option<Vec<u8>>,
    ) -> Self {
        let mut signs = Self::default();
        let languages = languages();
        for directory in directories {
            signs.add(&languages, &|name| read(&directory, name));
        }
        signs
    }

    /// The names of the files.
    pub fn files() -> impl Iterator<Item = String> {
        let languages = languages().into_iter();
        let files =
            languages.flat_map(|language| language.version_files.clone().into_iter().map(|(file, _)| file));
        std::iter::once(LOCK_FILE.to_owned()).chain(files.collect::<BTreeSet<_>>())
    }

    /// Adds what the files of a directory say, unless an inner one says the same.
    fn add(&mut self, languages: &[Arc<Dialect>], read: &dyn Fn(&str) -> Option<Vec<u8>>) {
        let mut found: Vec<(&Arc<Dialect>, String)> = Vec::new();
        if let Some(lock) = read(LOCK_FILE) {
            let has = |language: &&Arc<Dialect>| {
                let registry = language.registry.as_ref().map(|host| format!("\"{host}/"));
                registry.is_some_and(|text| memchr::memmem::find(&lock, text.as_bytes()).is_some())
            };
            let language = languages.iter().find(has);
            found.extend(language.map(|language| (language, format!("`{LOCK_FILE}`"))));
        }
        for language in languages {
            for (file, name) in &language.version_files {
                let Some(text) = read(file).and_then(|text| version_in(&text, name)) else { continue };
                let is_known = self.versions.iter().any(|(own, ..)| own == language.name());
                if let Some(version) = Version::parse(&text).filter(|_| !is_known) {
                    let because = format!("`{file}` says {text}");
                    self.versions.push((language.name().to_owned(), version, because));
                }
                found.push((language, format!("`{file}`")));
            }
        }
        if self.language.is_none() {
            self.language = found.into_iter().next().map(|(language, file)| (language.clone(), file));
        }
    }

    /// The application of a directory whose files are those of a language by their names, and the file that says so.
    pub fn language(&self, by_names: &Arc<Dialect>) -> Option<(Arc<Dialect>, &str)> {
        let (language, file) = self.language.as_ref()?;
        // All files of the one must be files of the other.
        let mut files = by_names.module_files().map(|pattern| pattern.replace('*', "main"));
        let is_same = !by_names.version_files.is_empty() && files.all(|name| language.is_module_file(&name));
        is_same.then(|| (language.clone(), file.as_str()))
    }

    /// The version of an application.
    pub fn target(&self, language: &Dialect) -> Option<Target> {
        let (_, version, because) = self.versions.iter().find(|(own, ..)| own == language.name())?;
        let version = language.known_version(&version.to_string()).ok()?;
        Some(Target { version, because: because.clone() })
    }
}

/// The languages whose applications files can name. What extends another language is the special case, and comes first.
fn languages() -> Vec<Arc<Dialect>> {
    let mut languages: Vec<Arc<Dialect>> =
        Dialect::of_modules().filter(|language| !language.version_files.is_empty()).collect();
    languages.reverse();
    languages
}

/// The text of the version in a file of a version manager.
fn version_in(text: &[u8], name: &str) -> Option<String> {
    let lines =
        std::str::from_utf8(text).ok()?.lines().map(|line| line.split('#').next().unwrap_or_default());
    let mut words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    let version = match name {
        "" => words.find(|words| !words.is_empty())?.first().copied(),
        name => words.find(|words| words.first() == Some(&name))?.get(1).copied(),
    };
    version.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(directories: &[&[(&str, &str)]]) -> (Option<String>, Vec<String>) {
        let read = |directory: &&[(&str, &str)], name: &str| {
            let file = directory.iter().find(|(own, _)| *own == name);
            file.map(|(_, text)| text.as_bytes().to_vec())
        };
        let signs = Signs::of(directories.iter().copied(), read);
        let terraform = Dialect::terraform();
        let language =
            signs.language(&terraform).map(|(language, file)| format!("{} {file}", language.name()));
        let targets = [terraform, Dialect::opentofu()].into_iter().filter_map(|own| signs.target(&own));
        (language, targets.map(|target| format!("{}: {}", target.version, target.because)).collect())
    }

    /// Files by directory, from the inside out, with the language and the versions that they say.
    type Case =
        (&'static [&'static [(&'static str, &'static str)]], Option<&'static str>, &'static [&'static str]);

    #[test]
    fn the_nearest_file_counts() {
        const LOCK: &str = "provider \"registry.opentofu.org/hashicorp/aws\" {\n  version = \"5.0.0\"\n}\n";
        let cases: &[Case] = &[
            (&[&[]], None, &[]),
            (
                &[&[(".terraform-version", "1.9.8\n")]],
                Some("terraform `.terraform-version`"),
                &["1.9: `.terraform-version` says 1.9.8"],
            ),
            (&[&[(".terraform-version", "latest:^1.5\n")]], Some("terraform `.terraform-version`"), &[]),
            (&[&[(".terraform-version", "1.99.0\n")]], Some("terraform `.terraform-version`"), &[]),
            (
                &[&[(".opentofu-version", "# pinned\nv1.8.1")], &[(".terraform-version", "1.5.7")]],
                Some("opentofu `.opentofu-version`"),
                &["1.5: `.terraform-version` says 1.5.7", "1.8: `.opentofu-version` says v1.8.1"],
            ),
            (
                &[&[(".tool-versions", "nodejs 20.1.0\nopentofu 1.9.0 1.8.0\n")]],
                Some("opentofu `.tool-versions`"),
                &["1.9: `.tool-versions` says 1.9.0"],
            ),
            (
                &[&[(".terraform.lock.hcl", LOCK)], &[(".opentofu-version", "1.10.2")]],
                Some("opentofu `.terraform.lock.hcl`"),
                &["1.10: `.opentofu-version` says 1.10.2"],
            ),
            (&[&[(".terraform.lock.hcl", "")], &[(".tool-versions", "terraform-docs 1.0")]], None, &[]),
        ];
        for (directories, language, targets) in cases {
            let (found, versions) = signs(directories);
            assert_eq!(found.as_deref(), *language, "{directories:?}");
            assert_eq!(versions, *targets, "{directories:?}");
        }
    }
}
