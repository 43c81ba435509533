//! Queries: what is allowed, which tables they refer to, and their results. A query is checked before anything is read.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use datafusion::common::TableReference;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::context::{SQLOptions, SessionContext};
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SessionConfig;
use datafusion::sql::parser::{DFParser, Statement};
use datafusion::sql::resolve::resolve_table_references;
use datafusion::sql::sqlparser::ast::{SetExpr, Statement as Sql};
use hclkit_tables::Table;

use crate::message::{Failure, unknown_table};
use crate::size;
use crate::tables::{self, Source};

/// A query that is valid, and what it needs.
pub(crate) struct Query {
    context: SessionContext,
    plan: LogicalPlan,
    sources: Vec<Arc<Source>>,
}

impl Query {
    /// Checks a query. It can use so many bytes of memory; what does not fit goes to files in the directory.
    pub(crate) async fn new(
        text: &str,
        memory: usize,
        threads: usize,
        spill: &Path,
    ) -> Result<Self, Failure> {
        let statement = parsed(text)?;
        if let Some(word) = refused(&statement) {
            return Err(Failure::new(format!(
                "{word} is not supported: hcl-sql only reads; use SELECT, WITH, VALUES, EXPLAIN, SHOW or DESCRIBE"
            )));
        }
        size::check_statement(&statement)?;
        let context = context(memory, threads, spill)?;
        let all = tables::all();
        for source in &all {
            context.register_table(source.table.name(), source.clone())?;
        }
        check_tables(&statement, &context)?;
        let plan = context.state().statement_to_plan(statement).await?;
        // What the statements are is known, but a query can also contain others.
        let only_reads =
            SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
        only_reads.verify_plan(&plan)?;
        let names = tables_of(&plan)?;
        let sources = all.into_iter().filter(|source| names.contains(source.table.name())).collect();
        Ok(Self { context, plan, sources })
    }

    /// The tables that it refers to.
    pub(crate) fn tables(&self) -> Vec<Table> {
        self.sources.iter().map(|source| source.table).collect()
    }

    /// Begins to answer, with the tables in a directory.
    pub(crate) async fn run(&self, directory: Option<&Path>) -> Result<SendableRecordBatchStream, Failure> {
        if let Some(directory) = directory {
            tables::read_from(directory, &self.sources, &self.context)?;
        }
        let frame = self.context.execute_logical_plan(self.plan.clone()).await?;
        Ok(frame.execute_stream().await?)
    }
}

fn context(memory: usize, threads: usize, spill: &Path) -> Result<SessionContext, Failure> {
    let files = DiskManagerBuilder::default().with_mode(DiskManagerMode::Directories(vec![spill.to_owned()]));
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(memory)))
        .with_disk_manager_builder(files)
        .build_arc()?;
    let mut config = SessionConfig::new()
        .with_default_catalog_and_schema("hcl", "tables")
        .with_information_schema(true)
        .with_target_partitions(threads);
    // Partitions are directories.
    config.options_mut().execution.listing_table_ignore_subdirectory = false;
    Ok(SessionContext::new_with_config_rt(config, runtime))
}

fn parsed(text: &str) -> Result<Statement, Failure> {
    size::check_text(text)?;
    let mut statements = DFParser::parse_sql(text)?;
    match (statements.pop_front(), statements.len()) {
        (Some(statement), 0) => Ok(statement),
        (Some(_), more) => Err(Failure::new(format!("expected one query, found {}", more + 1))),
        (None, _) => Err(Failure::new("the query is empty")),
    }
}

/// The first words of a statement that does more than read.
fn refused(statement: &Statement) -> Option<String> {
    match statement {
        Statement::Statement(statement) => refused_sql(statement),
        Statement::Explain(explain) => refused(&explain.statement),
        Statement::CreateExternalTable(_) => Some("CREATE EXTERNAL TABLE".to_owned()),
        Statement::CopyTo(_) => Some("COPY".to_owned()),
        Statement::Reset(_) => Some("RESET".to_owned()),
    }
}

fn refused_sql(statement: &Sql) -> Option<String> {
    match statement {
        Sql::Query(query) => match &*query.body {
            SetExpr::Insert(inner)
            | SetExpr::Update(inner)
            | SetExpr::Delete(inner)
            | SetExpr::Merge(inner) => refused_sql(inner),
            SetExpr::Select(select) if select.into.is_some() => Some("SELECT INTO".to_owned()),
            _ => None,
        },
        Sql::Explain { statement, .. } => refused_sql(statement),
        Sql::ExplainTable { .. }
        | Sql::ShowTables { .. }
        | Sql::ShowColumns { .. }
        | Sql::ShowVariable { .. }
        | Sql::ShowVariables { .. }
        | Sql::ShowFunctions { .. } => None,
        other => {
            // As written, without what is specific to it.
            let text = other.to_string();
            let words =
                text.split_whitespace().take_while(|word| word.chars().all(|c| c.is_ascii_uppercase()));
            let words: Vec<&str> = words.take(2).collect();
            Some(if words.is_empty() { "the statement".to_owned() } else { words.join(" ") })
        }
    }
}

/// Checks the names of tables, because the message of the planner has neither a suggestion nor the names.
fn check_tables(statement: &Statement, context: &SessionContext) -> Result<(), Failure> {
    let (references, _) = resolve_table_references(statement, true)?;
    let state = context.state();
    let known = Table::ALL.map(Table::name);
    for reference in &references {
        if let TableReference::Bare { table } = reference
            && !known.contains(&&**table)
            && !state.table_functions().contains_key(&**table)
        {
            return Err(Failure::new(unknown_table(table, &known)));
        }
    }
    Ok(())
}

/// The names of the tables that a plan reads.
fn tables_of(plan: &LogicalPlan) -> Result<BTreeSet<String>, Failure> {
    let mut names = BTreeSet::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node
            && scan.table_name.schema().is_none_or(|schema| schema == "tables")
        {
            names.insert(scan.table_name.table().to_owned());
        }
        // The rows of EXPLAIN do not need those of tables, but the plan that it shows is that of files.
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(names)
}
