//! Options that say where modules of registries and repositories are, and what providers have.

use std::path::PathBuf;

use clap::Args as Group;

/// The directories of modules that are not called by a path.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct Sources {
    /// Read modules with this source from this directory; `*` is any text; repeatable
    ///
    /// Each `*` in SOURCE is any text, which replaces a `*` in DIR, as in 'terraform-aws-modules/*/aws=vendor/*'. A source also
    /// matches without its version and the directory inside of it (`//modules/x?ref=v1`). Modules in .terraform/modules come
    /// first. The table [modules] of hcl.toml maps sources, too.
    #[arg(long = "module-dir", value_name = "SOURCE=DIR", value_parser = source)]
    pub(crate) module_dirs: Vec<(String, PathBuf)>,
}

/// What is known about providers.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct Providers {
    /// The schemas of providers, as `terraform providers schema -json` writes them
    ///
    /// Resources and data sources then have the attributes, types and blocks of their provider.
    #[arg(long, value_name = "FILE")]
    pub(crate) provider_schema: Option<PathBuf>,
}

/// A source may contain `=`, as in `?ref=v1`.
fn source(text: &str) -> Result<(String, PathBuf), String> {
    match text.rsplit_once('=') {
        Some((source, directory)) if !source.is_empty() && !directory.is_empty() => {
            Ok((source.to_owned(), directory.into()))
        }
        _ => Err("expected SOURCE=DIR, such as hashicorp/consul/aws=vendor/consul".to_owned()),
    }
}
