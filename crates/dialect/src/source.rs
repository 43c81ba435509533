//! The sources of modules.

/// Returns true if the source of a module is a path, relative to the directory of the module that calls it. Other sources
/// are addresses of packages: Terraform and OpenTofu refuse `.` and `..`.
///
/// ```
/// use hclkit_dialect::is_local_source;
/// assert!(is_local_source("../network"));
/// assert!(!is_local_source("hashicorp/consul/aws"));
/// ```
#[doc(hidden)]
pub fn is_local_source(source: &str) -> bool {
    source.starts_with("./") || source.starts_with("../")
}
