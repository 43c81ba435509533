//! The program as users run it: every flag, its output and its exit codes.

#![allow(
    clippy::needless_raw_string_hashes,
    clippy::unicode_not_nfc,
    reason = "snapshots are written by a machine, and show what was printed"
)]

mod addresses;
mod bake;
#[cfg(unix)]
mod book;
mod canaries;
mod check;
mod check_applications;
mod check_cache;
mod check_callers;
mod check_meta;
mod check_modules;
mod check_spec;
mod check_verdicts;
mod check_versions;
#[cfg(unix)]
mod circles;
mod colors;
mod console;
mod convert;
mod decode;
mod decode_hcldec;
mod decode_schema;
mod diff;
mod docs;
mod edit;
mod edit_injections;
mod edit_merge;
mod edit_script;
mod eval;
mod eval_explain;
mod eval_functions;
mod eval_partial;
#[cfg(unix)]
mod exit_codes;
mod files;
mod fix;
mod fix_modules;
mod fmt;
mod formats;
mod graph;
#[cfg(unix)]
mod hcl1;
#[cfg(unix)]
mod hooks;
mod inputs;
mod inspect;
mod languages;
mod limits;
mod mcp;
mod merge;
mod messages;
mod module_explain;
mod module_partial;
mod module_secrets;
mod modules;
mod opens;
mod options;
mod policies;
mod program;
#[cfg(all(unix, feature = "tables"))]
mod programs;
mod recorded_versions;
mod refactor;
mod refactor_modules;
mod refactor_runs;
mod rego;
#[cfg(unix)]
mod rules;
mod sealed;
mod secrets;
#[cfg(unix)]
mod shared;
mod sources;
#[cfg(all(unix, feature = "tables"))]
mod tables;
#[cfg(all(unix, feature = "tables"))]
mod tables_update;
mod terraform_tests;
mod terragrunt;
#[cfg(unix)]
mod together;
mod visible;
#[cfg(target_os = "linux")]
mod watch;
