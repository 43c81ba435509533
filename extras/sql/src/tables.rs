//! The tables as `DataFusion` sees them. Their schemas are known before anything is read, so a query is checked first; then the
//! tables that it refers to are read from a directory of Parquet files, and nothing outside of it can be read.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::SessionContext;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::object_store::local::LocalFileSystem;
use datafusion::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use datafusion::physical_plan::ExecutionPlan;
use hclkit_tables::{Column, Kind, Table, VERSION};

use crate::message::Failure;

/// The only place that queries can read from.
const STORE: &str = "tables://directory";

/// A table, with its rows once they are there.
pub(crate) struct Source {
    pub(crate) table: Table,
    schema: SchemaRef,
    rows: OnceLock<ListingTable>,
}

/// All tables, without rows.
pub(crate) fn all() -> Vec<Arc<Source>> {
    let source = |table| Arc::new(Source { table, schema: schema(table), rows: OnceLock::new() });
    Table::ALL.into_iter().map(source).collect()
}

fn schema(table: Table) -> SchemaRef {
    Arc::new(Schema::new(table.columns().map(field).collect::<Vec<_>>()))
}

fn field(column: &Column) -> Field {
    let kind = match column.kind {
        Kind::Text => DataType::Utf8,
        Kind::Int => DataType::Int64,
        Kind::Bool => DataType::Boolean,
        Kind::Texts => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, false))),
    };
    Field::new(column.name, kind, column.nullable)
}

/// Gives the tables their rows from a directory with `TABLE.parquet` or `TABLE/`, whose directories are partitions.
pub(crate) fn read_from(
    directory: &Path,
    sources: &[Arc<Source>],
    context: &SessionContext,
) -> Result<(), Failure> {
    let store = ObjectStoreUrl::parse(STORE)?;
    let files = LocalFileSystem::new_with_prefix(directory).map_err(DataFusionError::from)?;
    context.register_object_store(store.as_ref(), Arc::new(files));
    for source in sources {
        let name = source.table.name();
        let own = format!("{name}.parquet");
        let place = if directory.join(&own).is_file() {
            own
        } else if directory.join(name).is_dir() {
            format!("{name}/")
        } else {
            let option = if source.table.is_evaluated() { " --evaluate" } else { "" };
            return Err(Failure::new(format!(
                "{} has no table {name}; `hcl tables{option} --out DIR` writes it",
                directory.display()
            )));
        };
        check_version(&directory.join(&place))?;
        let url = ListingTableUrl::parse(format!("{STORE}/{place}"))?;
        let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
            .with_file_extension(".parquet")
            .with_session_config_options(&context.copied_config());
        let config =
            ListingTableConfig::new(url).with_listing_options(options).with_schema(source.schema.clone());
        // A source gets its rows once.
        let _ = source.rows.set(ListingTable::try_new(config)?);
    }
    Ok(())
}

/// Checks that a file, or the first one of a directory, has the schemas that are known here.
fn check_version(path: &Path) -> Result<(), Failure> {
    let Some(first) = first_file(path) else { return Ok(()) };
    let unreadable = |why: &dyn fmt::Display| Failure::new(format!("cannot read {}: {why}", first.display()));
    let file = File::open(&first).map_err(|error| unreadable(&error))?;
    let read = ArrowReaderMetadata::load(&file, ArrowReaderOptions::default())
        .map_err(|error| unreadable(&error))?;
    match read.schema().metadata().get("hclkit.version") {
        Some(version) if *version != VERSION.to_string() => {
            Err(unreadable(&format!("its schema has version {version}, and hcl-sql has {VERSION}")))
        }
        // Other engines that have written the file again may leave the version out.
        _ => Ok(()),
    }
}

fn first_file(path: &Path) -> Option<std::path::PathBuf> {
    if path.is_file() {
        return Some(path.to_owned());
    }
    let mut entries: Vec<_> = path.read_dir().ok()?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let is_table =
        |path: &Path| path.is_dir() || path.extension().is_some_and(|extension| extension == "parquet");
    entries.into_iter().filter(|path| is_table(path)).find_map(|path| first_file(&path))
}

impl Source {
    fn rows(&self) -> Result<&ListingTable> {
        let unread = || DataFusionError::Execution(format!("the table {} was not read", self.table.name()));
        self.rows.get().ok_or_else(unread)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.table.name())
    }
}

#[async_trait]
impl TableProvider for Source {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.rows()?.scan(state, projection, filters, limit).await
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.rows()?.supports_filters_pushdown(filters)
    }
}

/// All tables and their columns, as text.
pub(crate) fn listing() -> String {
    let column = |column: &Column| {
        let null = if column.nullable { ", or null" } else { "" };
        let kind = format!("{}{null}", column.kind);
        format!("  {:<18} {kind:<18} {}\n", column.name, column.doc.replace('`', ""))
    };
    let table = |table: Table| {
        let columns: Vec<String> = table.columns().map(column).collect();
        format!("{}: {}\n{}", table.name(), table.doc(), columns.concat())
    };
    Table::ALL.map(table).join("\n")
}
