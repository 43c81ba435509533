//! The extension module `hclkit._hclkit`: what the package `hclkit` calls. It converts between Python and the library, and has
//! no behaviour of its own.

// pyo3 passes arguments by value, and methods need `self`.
#![allow(clippy::needless_pass_by_value, clippy::unused_self)]

mod body;
mod comments;
mod compat;
mod context;
mod data;
mod diagnostic;
mod document;
mod edit;
mod error;
mod expression;
mod function;
mod limits;
mod module;
mod parts;
mod place;
mod run;
mod spec;
mod special;
mod tables;
mod to_python;
mod to_value;
mod types;
mod value;

use pyo3::prelude::*;

/// The private module of the package `hclkit`.
#[pymodule(gil_used = false)]
mod _hclkit {
    use super::{Bound, PyModule, PyResult};
    use pyo3::types::PyModuleMethods;

    #[pymodule_export]
    use super::body::{Attribute, Block, Body};
    #[pymodule_export]
    use super::compat::{loads_bc, loads_v7, loads_v8};
    #[pymodule_export]
    use super::context::Context;
    #[pymodule_export]
    use super::data::{dumps, loads};
    #[pymodule_export]
    use super::diagnostic::{Diagnostic, render};
    #[pymodule_export]
    use super::document::{Document, parse};
    #[pymodule_export]
    use super::edit::{Editor, Match, Raw, format, query_value, rename_in, select_parts};
    #[pymodule_export]
    use super::expression::{Expression, parse_expression, parse_template};
    #[pymodule_export]
    use super::function::Function;
    #[pymodule_export]
    use super::limits::Limits;
    #[pymodule_export]
    use super::module::{Bake, Graph, Module};
    #[pymodule_export]
    use super::place::{Position, Range};
    #[pymodule_export]
    use super::spec::Spec;
    #[pymodule_export]
    use super::special::{Sensitive, Unknown};
    #[pymodule_export]
    use super::tables::{ArrowTable, is_configuration, table_names, tables_of_ipc};
    #[pymodule_export]
    use super::types::{Type, parse_type};
    #[pymodule_export]
    use super::value::Value;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
