//! Which spec file the files of a project have, by their paths.

use hclkit_limits::Glob;

/// The most characters of a pattern in a message.
const MOST_SHOWN: usize = 40;

/// A spec for files whose paths end with names that match a pattern.
///
/// ```
/// use hclkit_settings::SpecPattern;
///
/// let own = SpecPattern::new("services/*.hcl", "service.hcldec")?;
/// assert!(own.matches("/srv/services/web.hcl") && !own.matches("/srv/services/a/web.hcl"));
/// assert!(SpecPattern::new("[", "service.hcldec").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpecPattern {
    pattern: Glob,
    path: String,
}

impl SpecPattern {
    /// Files with names such as `*.service` have the spec in a file.
    ///
    /// # Errors
    /// The pattern is invalid. The message says why.
    pub fn new(pattern: &str, path: impl Into<String>) -> Result<Self, String> {
        let own = Glob::new(&format!("**/{}", pattern.trim_start_matches('/')));
        let own = own.map_err(|why| format!("the pattern {} is invalid: {why}", shortened(pattern)))?;
        Ok(Self { pattern: own, path: path.into() })
    }

    /// The path of the spec file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The pattern, which matches paths from any directory on.
    pub fn glob(&self) -> &Glob {
        &self.pattern
    }

    /// Whether a path ends with names that match the pattern.
    pub fn matches(&self, path: &str) -> bool {
        self.pattern.matches(path)
    }
}

/// A pattern in quotes. Of a long one, the start.
fn shortened(pattern: &str) -> String {
    match pattern.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{:?}", format!("{}…", &pattern[..end])),
        None => format!("{pattern:?}"),
    }
}
