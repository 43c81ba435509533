//! How large a query may be. Plans take more than the text that they are made from, and planning is not interrupted, so what they
//! become is limited before it is planned.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, ObjectName, OrderBy, OrderByKind, Query as SqlQuery, Select, SetExpr,
    TableFactor, Visit as _, Visitor, WindowType,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::message::Failure;

/// The longest query in bytes.
pub(crate) const LONGEST: usize = 1 << 20;

/// The maximum number of words and operators: chains of them are nested in plans.
const MOST_WORDS: usize = 10_000;

/// The maximum number of operations of an expression that are in each other, as those of a chain `1 + 1 + …` are. Plans name a part
/// of an expression by its text, so that planning takes the square of their number. Chains of AND and OR in WHERE do not count.
const MOST_DEPTH: usize = 500;

/// The maximum number of operations such as UNION. Plans are nested in them.
const MOST_SETS: usize = 500;

/// The maximum number of tables, where those of a CTE count each time that it is used: plans contain it each time.
const MOST_TABLES: u64 = 500;

/// The maximum number of calls of functions, of those with OVER, and of expressions to group and order by. Each is compared with all
/// others.
const MOST_CALLS: usize = 1_000;
const MOST_WINDOWS: usize = 100;
const MOST_KEYS: usize = 300;

/// The maximum number of columns in all SELECTs, whose names are compared.
const MOST_COLUMNS: usize = 2_000;

/// The maximum number of columns of a CUBE, which has a grouping set for each choice of them.
const MOST_CUBED: usize = 12;

/// The maximum number of tables of one SELECT. Conditions of each join are compared with those of all others.
const MOST_JOINED: usize = 50;

/// Checks that a query has a size that can be planned.
pub(crate) fn check_text(text: &str) -> Result<(), Failure> {
    if text.len() > LONGEST {
        return Err(Failure::new("the query is longer than 1 MiB"));
    }
    let (mut words, mut sets) = (0_usize, 0_usize);
    // An invalid token is an error of the parser.
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().unwrap_or_default();
    for token in tokens {
        if let Token::Word(word) = &token {
            let is_set = matches!(
                word.keyword,
                Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::MINUS
            );
            sets += usize::from(is_set && word.quote_style.is_none());
        }
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
    check(words, MOST_WORDS, "words and operators")?;
    check(sets, MOST_SETS, "operations such as UNION")
}

/// Counts the tables of a query, as often as the plan contains them, and how deep its expressions are.
#[derive(Default)]
struct Size {
    /// The queries around the current one, with the tables counted in them.
    open: Vec<u64>,
    /// The names of queries that are CTEs, by their addresses.
    names: HashMap<*const SqlQuery, String>,
    known: HashMap<String, u64>,
    all: u64,
    /// The conditions of WHERE, by their addresses, and what AND and OR combine in them. They have no names in plans.
    conditions: HashSet<*const Expr>,
    /// How many operations the current one is in, and which of those around it count.
    depth: usize,
    counted: Vec<bool>,
    /// How many tables are in the FROM of each SELECT around.
    joined: Vec<usize>,
    most_joined: usize,
    deepest: usize,
    calls: usize,
    windows: usize,
    keys: usize,
    columns: usize,
    most_cubed: usize,
}

impl Visitor for Size {
    type Break = ();

    fn pre_visit_query(&mut self, query: &SqlQuery) -> ControlFlow<()> {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.names.insert(std::ptr::from_ref(&*cte.query), cte.alias.name.value.to_lowercase());
        }
        if let Some(OrderBy { kind: OrderByKind::Expressions(keys), .. }) = &query.order_by {
            self.keys += keys.len();
        }
        self.columns += columns_of_rows(&query.body);
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

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.conditions.extend(select.selection.as_ref().map(std::ptr::from_ref));
        self.columns += select.projection.len();
        if let GroupByExpr::Expressions(keys, _) = &select.group_by {
            self.keys += keys.len();
        }
        self.joined.push(0);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &Select) -> ControlFlow<()> {
        self.most_joined = self.most_joined.max(self.joined.pop().unwrap_or_default());
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, _: &TableFactor) -> ControlFlow<()> {
        self.joined.iter_mut().last().into_iter().for_each(|count| *count += 1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        let is_condition = self.conditions.remove(&std::ptr::from_ref(expression));
        let counts = match expression {
            Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } if is_condition => {
                self.conditions.extend([&**left, &**right].map(std::ptr::from_ref));
                false
            }
            _ => true,
        };
        match expression {
            Expr::Function(call) => {
                self.calls += 1;
                self.windows += usize::from(call.over.is_some());
                if let Some(WindowType::WindowSpec(window)) = &call.over {
                    self.keys += window.partition_by.len() + window.order_by.len();
                }
            }
            Expr::Cube(columns) => self.most_cubed = self.most_cubed.max(columns.len()),
            _ => {}
        }
        self.depth += usize::from(counts);
        self.counted.push(counts);
        self.deepest = self.deepest.max(self.depth);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.depth -= usize::from(self.counted.pop().unwrap_or_default());
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        let name = name.to_string().replace('"', "").to_lowercase();
        self.add(self.known.get(&name).copied().unwrap_or(0).max(1));
        ControlFlow::Continue(())
    }
}

/// The number of columns of VALUES.
fn columns_of_rows(body: &SetExpr) -> usize {
    match body {
        SetExpr::Values(values) => values.rows.iter().map(|row| row.content.len()).max().unwrap_or_default(),
        SetExpr::SetOperation { left, right, .. } => columns_of_rows(left) + columns_of_rows(right),
        _ => 0,
    }
}

impl Size {
    fn add(&mut self, count: u64) {
        let to = self.open.last_mut().unwrap_or(&mut self.all);
        *to = to.saturating_add(count);
    }
}

/// Checks that a statement becomes a plan of a size that can be made.
pub(crate) fn check_statement(statement: &Statement) -> Result<(), Failure> {
    let mut size = Size::default();
    let mut statement = statement;
    while let Statement::Explain(explain) = statement {
        statement = &explain.statement;
    }
    if let Statement::Statement(statement) = statement {
        let _ = statement.visit(&mut size);
    }
    if size.all > MOST_TABLES {
        return Err(Failure::new(format!(
            "the query uses tables {} times, counting those of a CTE each time that it is used, and at most {MOST_TABLES} times are supported",
            size.all
        )));
    }
    let counts = [
        (size.most_joined, MOST_JOINED, "tables in one SELECT"),
        (size.deepest, MOST_DEPTH, "operations in each other, as in `1 + 1 + 1`"),
        (size.calls, MOST_CALLS, "calls of functions"),
        (size.windows, MOST_WINDOWS, "calls with OVER"),
        (size.keys, MOST_KEYS, "expressions to group or order by"),
        (size.columns, MOST_COLUMNS, "columns"),
        (size.most_cubed, MOST_CUBED, "columns in a CUBE"),
    ];
    counts.into_iter().try_for_each(|(count, most, what)| check(count, most, what))
}

fn check(count: usize, most: usize, what: &str) -> Result<(), Failure> {
    if count <= most {
        return Ok(());
    }
    Err(Failure::new(format!("the query has {count} {what}, and at most {most} are supported")))
}
