//! The semantics of HCL 2: evaluation of expressions and templates in contexts of variables and functions, static
//! analysis, bodies that are read by schemas, and specs that decode bodies to values.
//!
//! ```
//! use hclkit_model::{Context, Expression};
//! use hclkit_value::{Type, Value};
//!
//! // Only what depends on an unknown value is unknown.
//! let context = Context::new().with("id", Value::unknown(Type::String)).with("count", 2);
//! let value = Expression::parse(r#"[count + 1, "disk-${id}"]"#)?.evaluate(&context)?;
//! assert_eq!(value.to_string(), r#"[3, (unknown string, not null, starts with "disk-")]"#);
//! # Ok::<(), hclkit_model::Diagnostics>(())
//! ```
//!
//! An [`Expression`] is parsed from text or taken from a document, and evaluated in a [`Context`], which has variables
//! and [`Functions`]. A [`TypeConstraint`] is read from an expression. [`Limits`] bound what an evaluation may use.
//! Errors are [`Diagnostics`].
//!
//! A [`Body`] is the body of a file or a block in either syntax, or several [merged](Body::merge) ones. A [`Schema`]
//! selects its [`Content`]. [`Dynamic`] expands `dynamic` blocks. A [`Spec`] decodes bodies to values; a [`SpecFile`]
//! contains one in the spec language. [`evaluate_config`] and similar functions do everything from text to value.
#![forbid(unsafe_code)]

mod address;
mod body;
mod context;
mod dynamic;
mod eval;
mod evidence;
mod explain;
mod expression;
mod functions;
pub mod hcl1;
mod hidden;
mod literal;
mod lower;
mod messages;
mod node;
mod operations;
mod partial;
#[doc(hidden)]
pub mod path;
mod place;
mod scope;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod serde;
mod spec;
mod spec_language;
mod statics;
mod suggest;
mod traversal;
pub mod typed;
mod types;
mod user_functions;
mod visit;
mod withheld;

#[doc(hidden)]
pub use address::{shown_source, without_credentials};
pub use body::{
    Attribute, AttributeSchema, Attributes, Block, BlockSchema, Body, BodyItem, Content, ParseOptions, Schema,
};
#[doc(hidden)]
pub use body::{BodyPart, Flag, OptionalLabels};
pub use context::Context;
pub use dynamic::Dynamic;
#[doc(hidden)]
pub use dynamic::{Reference, References};
#[doc(hidden)]
pub use eval::Arguments;
pub use explain::Explanation;
pub use expression::Expression;
pub use functions::Functions;
#[doc(hidden)]
pub use functions::error_within;
#[doc(hidden)]
pub use functions::{Callable, LazyFunction};
#[doc(hidden)]
pub use hclkit_limits::{CancelToken, Limits};
#[doc(hidden)]
pub use hclkit_syntax::{Diagnostics, Place};
#[doc(hidden)]
pub use hidden::{doubtful_from, hides_value, mentions_flags};
#[doc(hidden)]
pub use operations::{evaluate_config, evaluate_config_attributes, evaluate_expression, evaluate_template};
pub use partial::{Partial, PartialOptions, Rest};
#[doc(hidden)]
pub use scope::{Computation, Reported, SharedValues, Use, UseStep};
pub use scope::{Definition, Scope};
pub use spec::{
    Accepts, AttributeSpec, BlockAttributesSpec, BlockLabelSpec, BlockSpec, BlocksSpec, LabeledBlocksSpec,
    Spec, SwitchSpec, TransformSpec,
};
#[doc(hidden)]
pub use spec::{
    CallSpec, Cases, DefaultSpec, ExpressionSpec, LiteralSpec, Nested, ObjectSpec, RefineSpec, TupleSpec,
    ValidateSpec,
};
pub use spec_language::SpecFile;
pub use statics::StaticCall;
pub use traversal::{Target, Traversal, TraversalStep};
pub use types::TypeConstraint;
#[doc(hidden)]
pub use types::{Defaults, constraint_of, type_of};
pub use user_functions::user_functions;
pub use visit::{Descend, Visitor};
#[doc(hidden)]
pub use withheld::{SENSITIVE_VALUES, Sourced, Withheld};
