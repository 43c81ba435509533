//! Queries: what is allowed, which tables they refer to, and their results. A query is checked before anything is read.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
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
use datafusion::sql::sqlparser::ast::{
    ObjectName, Query as SqlQuery, SetExpr, Statement as Sql, Visit as _, Visitor,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use hclkit_tables::Table;

use crate::message::{Failure, unknown_table};
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
        check_tables_of_ctes(&statement)?;
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

/// The longest query in bytes.
pub(crate) const LONGEST: usize = 1 << 20;

/// The maximum number of words and operators: chains of them are nested in plans.
const MOST_WORDS: usize = 10_000;

/// The maximum number of tables, where those of a CTE count each time that it is used: plans contain it each time.
const MOST_TABLES: u64 = 1_000;

/// Checks that a query has a size that can be planned.
fn check_size(text: &str) -> Result<(), Failure> {
    if text.len() > LONGEST {
        return Err(Failure::new("the query is longer than 1 MiB"));
    }
    let mut words = 0_usize;
    // An invalid token is an error of the parser.
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().unwrap_or_default();
    for token in tokens {
        words += usize::from(!matches!(
            token,
            Token::Whitespace(_)
                | Token::Comma
                | Token::Number(..)
                | Token::SingleQuotedString(_)
                | Token::LParen
                | Token::RParen
        ));
    }
    if words > MOST_WORDS {
        return Err(Failure::new(format!(
            "the query has {words} words and operators, and at most {MOST_WORDS} are supported"
        )));
    }
    Ok(())
}

/// Counts the tables of a query, as often as the plan contains them.
#[derive(Default)]
struct Tables {
    /// The queries around the current one, with the tables counted in them.
    open: Vec<u64>,
    /// The names of queries that are CTEs, by their addresses.
    names: HashMap<*const SqlQuery, String>,
    known: HashMap<String, u64>,
    all: u64,
}

impl Visitor for Tables {
    type Break = ();

    fn pre_visit_query(&mut self, query: &SqlQuery) -> ControlFlow<()> {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.names.insert(std::ptr::from_ref(&*cte.query), cte.alias.name.value.to_lowercase());
        }
        self.open.push(0);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &SqlQuery) -> ControlFlow<()> {
        let count = self.open.pop().unwrap_or_default();
        match self.names.get(&std::ptr::from_ref(query)) {
            Some(name) => drop(self.known.insert(name.clone(), count)),
            None => self.add(count),
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        let name = name.to_string().replace('"', "").to_lowercase();
        self.add(self.known.get(&name).copied().unwrap_or(0).max(1));
        ControlFlow::Continue(())
    }
}

impl Tables {
    fn add(&mut self, count: u64) {
        let to = self.open.last_mut().unwrap_or(&mut self.all);
        *to = to.saturating_add(count);
    }
}

fn check_tables_of_ctes(statement: &Statement) -> Result<(), Failure> {
    let mut tables = Tables::default();
    let mut statement = statement;
    while let Statement::Explain(explain) = statement {
        statement = &explain.statement;
    }
    if let Statement::Statement(statement) = statement {
        let _ = statement.visit(&mut tables);
    }
    if tables.all > MOST_TABLES {
        return Err(Failure::new(format!(
            "the query uses tables {} times, counting those of a CTE each time that it is used, and at most {MOST_TABLES} times are supported",
            tables.all
        )));
    }
    Ok(())
}

fn parsed(text: &str) -> Result<Statement, Failure> {
    check_size(text)?;
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
