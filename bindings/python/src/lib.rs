//! The extension module `hclkit._hclkit`: what the package `hclkit` calls. It converts between Python and the library, and has
//! no behavior of its own.

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
mod objects;
mod parts;
mod pickle;
mod place;
mod policy;
mod run;
mod spec;
mod tables;
mod to_python;
mod to_value;
mod types;
mod unknown;
mod value;

use std::sync::OnceLock;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// Fails in an interpreter other than the first one: classes that are kept, such as those of errors, are the objects of that one.
/// Python itself refuses only interpreters with a lock of their own.
fn refuse_subinterpreters(py: Python<'_>) -> PyResult<()> {
    /// The address of the module `sys`, of which each interpreter has its own.
    static FIRST: OnceLock<usize> = OnceLock::new();
    let this = py.import("sys")?.as_ptr() as usize;
    if *FIRST.get_or_init(|| this) == this {
        return Ok(());
    }
    Err(PyImportError::new_err("hclkit does not support subinterpreters"))
}

/// The private module of the package `hclkit`.
#[pymodule(gil_used = false)]
mod _hclkit {
    use super::{Bound, PyModule, PyResult};
    use pyo3::types::PyModuleMethods;

    #[pymodule_export]
    use super::body::{Attribute, Block, Body};
    #[pymodule_export]
    use super::compat::{loads_bc, loads_gohcl, loads_v7, loads_v8, value_v8, view_v8};
    #[pymodule_export]
    use super::context::Context;
    #[pymodule_export]
    use super::data::{dumps, expanded, loads, to_json};
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
    use super::objects::write_items;
    #[pymodule_export]
    use super::pickle::{
        PickledSource, pickled_diagnostics, pickled_unknown, unpickled_diagnostic, unpickled_document,
        unpickled_position, unpickled_range, unpickled_unknown,
    };
    #[pymodule_export]
    use super::place::{Position, Range};
    #[pymodule_export]
    use super::policy::Rules;
    #[pymodule_export]
    use super::spec::{Decoding, Spec};
    #[pymodule_export]
    use super::tables::{ArrowBatch, ArrowRows, Paths, TableBatches, is_configuration, table_names};
    #[pymodule_export]
    use super::types::{Type, parse_type};
    #[pymodule_export]
    use super::unknown::{Sensitive, Unknown};
    #[pymodule_export]
    use super::value::Value;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::refuse_subinterpreters(module.py())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
