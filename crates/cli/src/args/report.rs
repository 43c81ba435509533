//! The option for the format of reports.

use clap::{Args as Group, ValueEnum};

#[derive(Debug, Clone, Copy, Group)]
pub(crate) struct Reporting {
    /// The format of the report of errors and warnings
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) report: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable messages with source excerpts
    Human,
    /// A single JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// GitHub Actions workflow commands, for annotations
    Github,
    #[value(help = "JUnit XML, for test reports")]
    Junit,
}
