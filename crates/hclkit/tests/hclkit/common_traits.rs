//! The traits that Rust users expect of public types: they can be printed, cloned, and sent to other threads.

use std::error::Error;
use std::fmt::{Debug, Display};

use hclkit::convert::{Json, ToJson, ToNative};
use hclkit::decode::Decoder;
use hclkit::functions::{Grants, Library, UnknownLibrary};
use hclkit::model::{
    Attribute, BlockSchema, BodyItem, Content, Dynamic, Explanation, Functions, Partial, Schema, Scope, Spec,
    SpecFile, Traversal, TypeConstraint,
};
use hclkit::refactor::Symbol;
use hclkit::render::{Format, Renderer, Totals};
use hclkit::syntax::json::JsonDocument;
use hclkit::syntax::{Tokens, Tree};
use hclkit::value::{Function, Marks, Number, Path, Refinement};
use hclkit::write::{Formatter, NewBody, NewValue, Selector};
use hclkit::{
    Body, CancelToken, Code, Context, Diagnostic, Diagnostics, Document, Expression, Fix, Limits, Loader,
    Place, Source, Span, Type, Value,
};

fn shared<T: Debug + Clone + Send + Sync + 'static>() {}

fn error<T: Error + Display + Clone + Send + Sync + 'static>() {}

macro_rules! each {
    ($check:ident: $($type:ty),+ $(,)?) => {
        $($check::<$type>();)+
    };
}

#[test]
fn types_can_be_printed_cloned_and_shared_between_threads() {
    each!(shared: Source, Span, Place, Document, JsonDocument, Tokens, Tree, Code, Diagnostic, Diagnostics, Fix);
    each!(shared: Type, Value, Number, Marks, Path, Refinement, Function);
    each!(shared: Body, BodyItem, Attribute, Content, Schema, BlockSchema, Context, Expression, Functions, Scope);
    each!(shared: Dynamic, Explanation, Partial, Spec, SpecFile, Traversal, TypeConstraint, Limits, CancelToken);
    each!(shared: ToJson, ToNative, Json, Decoder, Loader, Grants, Library);
    each!(shared: Format, Renderer, Totals, Formatter, NewBody, NewValue, Selector, Symbol);
}

#[test]
fn errors_can_cross_threads() {
    each!(error: Diagnostics, UnknownLibrary, hclkit::value::Error, hclkit::limits::Exceeded);
    each!(error: hclkit::write::EditError, hclkit::write::SourceError, hclkit::write::PathError);
    each!(error: hclkit::refactor::RenameError, hclkit::refactor::SymbolError, hclkit::serde::SerdeError);
}

/// The public enums that a program can match without `_`: those of which a grammar, the type system, or the question
/// decides the variants. A new enum is either in this list, or `non_exhaustive`.
#[test]
fn enums_are_closed_or_may_grow() {
    const CLOSED: [&str; 23] = [
        // The grammar of the native syntax.
        "BinaryOperator",
        "ExpressionKind",
        "Item",
        "ObjectKey",
        "Part",
        "TemplateKind",
        "UnaryOperator",
        "Hcl1Number",
        // The information model: the two syntaxes, bodies, references.
        "BodyItem",
        "Root",
        "Syntax",
        "Target",
        // The type system.
        "Kind",
        "MaybeUnknown",
        "Step",
        "Type",
        // JSON.
        "Json",
        // Answers: two or three of them.
        "Descend",
        "Inside",
        "Partial",
        "Severity",
        "Version",
        "Visit",
    ];
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api");
    let mut open = std::collections::BTreeSet::new();
    for name in [
        "hclkit",
        "bake",
        "derive",
        "dialect",
        "functions",
        "limits",
        "model",
        "module",
        "refactor",
        "syntax",
        "value",
        "write",
    ] {
        let name = if name == "hclkit" { name.to_owned() } else { format!("hclkit-{name}") };
        let listing = std::fs::read_to_string(format!("{directory}/{name}.txt")).unwrap();
        for line in listing.lines().filter(|line| !line.contains("#[non_exhaustive]")) {
            if let Some((_, path)) = line.split_once("pub enum ") {
                let name = path.split('<').next().unwrap_or(path);
                open.insert(name.rsplit("::").next().unwrap_or(name).to_owned());
            }
        }
    }
    assert_eq!(open, CLOSED.iter().map(|&name| name.to_owned()).collect());
}
