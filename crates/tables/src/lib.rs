//! HCL files as tables of Arrow and Parquet, for engines that query and scale: `DuckDB`, Polars, `DataFusion`, Spark.
//!
//! [`Table`] says which tables there are. [`Batches`] gives the batches of one table, [`TableBatches`] those of several, and [`Run`]
//! writes tables from many files. The feature `parquet`, which is on by default, reads and writes files in Parquet.
//!
//! ```
//! use hclkit_tables::{Batches, Entry, Options, Table};
//!
//! let main = "module \"net\" {\n  source  = \"a/net/aws\"\n  version = \"~> 3.0\"\n}\n";
//! let entries = [Entry::new("main.tf", main).with_repo("shop")];
//! let batches = Batches::new(Table::ModuleCalls, Options::new(), entries.into_iter());
//! let rows: usize = batches.map(|batch| batch.unwrap().num_rows()).sum();
//! assert_eq!(rows, 1);
//! ```
#![forbid(unsafe_code)]

mod batch;
mod batches;
mod budget;
mod entry;
mod evaluate;
mod extract;
mod format;
mod input;
#[cfg(feature = "inputs")]
mod inputs;
mod jobs;
mod lines;
mod literal;
mod module_source;
mod overridden;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet_files;
mod partition;
mod reader;
pub mod repository;
mod rows;
mod run;
mod schema;
mod weight;

pub use batches::{Batches, LeftOut, TableBatches};
pub use budget::{Allowance, content_limit};
pub use entry::{Content, Entry, Later};
pub use format::Format;
pub use input::{BatchRows, Expansion, IpcRows, JsonRows, too_large};
#[cfg(feature = "inputs")]
pub use inputs::{
    Caller, Failures, InputEntries, InputKind, Inputs, RepoFrom, commit_of, input_kind, name_of,
};
pub use module_source::repository_name;
#[cfg(feature = "parquet")]
pub use parquet_files::ParquetRows;
pub use partition::partition_name;
pub use reader::Options;
pub use repository::Repository;
pub use run::{Enter, Run, Summary, Target};
pub use schema::{Column, FIRST, Kind, LAST, Table, UnknownTable, VERSION};

/// The library of Arrow that batches are of.
pub use arrow_array;
/// The schemas of batches.
pub use arrow_schema;
