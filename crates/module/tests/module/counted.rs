//! Modules with functions that count how often they are called.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hclkit_model::Functions;
use hclkit_module::{Dialect, Evaluation, Memory, Module, ModuleLoader};
use hclkit_value::{Function, Mark, Parameter, Type};

/// A module with a function `slow` that counts its calls.
pub(crate) struct Counted {
    pub(crate) module: Module,
    calls: Arc<AtomicUsize>,
}

impl Counted {
    pub(crate) fn load(files: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let calls = Arc::new(AtomicUsize::new(0));
        let count = calls.clone();
        let slow = Function::unnamed(Type::Dynamic, move |arguments, _| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(arguments[0].clone())
        });
        let any =
            Parameter::new("value", Type::Dynamic).with_dynamic().with_unknowns().with_nulls().with_marked();
        let sensitive =
            Function::unnamed(Type::Dynamic, |arguments, _| Ok(arguments[0].clone().mark(Mark::sensitive())));
        let functions: Functions =
            [("slow", slow.with_parameter(any.clone())), ("sensitive", sensitive.with_parameter(any))]
                .into_iter()
                .collect();
        let loader = ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter(files));
        Self { module: loader.with_functions(functions).load(), calls }
    }

    /// Evaluates addresses. Returns how often `slow` was called.
    pub(crate) fn evaluate(&self, patterns: &[&str]) -> (Evaluation, usize) {
        let patterns: Vec<_> = patterns.iter().map(|pattern| pattern.parse().unwrap()).collect();
        self.calls.store(0, Ordering::Relaxed);
        (self.module.evaluate(&patterns), self.calls.load(Ordering::Relaxed))
    }
}
