//! How large a query may be. Plans take more than the text that they are made from, and planning is not interrupted, so what they
//! become is limited before it is planned.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, ObjectName, Query as SqlQuery, Visit as _, Visitor,
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
/// of an expression by its text, so that planning takes the square of their number. Conditions in chains of AND and OR do not count.
const MOST_DEPTH: usize = 500;

/// The maximum number of operations such as UNION. Plans are nested in them.
const MOST_SETS: usize = 500;

/// The maximum number of tables, where those of a CTE count each time that it is used: plans contain it each time.
const MOST_TABLES: u64 = 1_000;

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
    if words > MOST_WORDS {
        return Err(Failure::new(format!(
            "the query has {words} words and operators, and at most {MOST_WORDS} are supported"
        )));
    }
    if sets > MOST_SETS {
        return Err(Failure::new(format!(
            "the query has {sets} operations such as UNION, and at most {MOST_SETS} are supported"
        )));
    }
    Ok(())
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
    /// How many operations the current one is in.
    depth: usize,
    deepest: usize,
}

impl Visitor for Size {
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

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        self.depth += usize::from(!is_condition(expression));
        self.deepest = self.deepest.max(self.depth);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        self.depth -= usize::from(!is_condition(expression));
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        let name = name.to_string().replace('"', "").to_lowercase();
        self.add(self.known.get(&name).copied().unwrap_or(0).max(1));
        ControlFlow::Continue(())
    }
}

/// Whether an expression only combines conditions.
fn is_condition(expression: &Expr) -> bool {
    matches!(expression, Expr::BinaryOp { op: BinaryOperator::And | BinaryOperator::Or, .. })
}

impl Size {
    fn add(&mut self, count: u64) {
        let to = self.open.last_mut().unwrap_or(&mut self.all);
        *to = to.saturating_add(count);
    }
}

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
    if size.deepest > MOST_DEPTH {
        return Err(Failure::new(format!(
            "{} operations of an expression are in each other, as in `1 + 1 + 1`, and at most {MOST_DEPTH} are supported",
            size.deepest
        )));
    }
    Ok(())
}
