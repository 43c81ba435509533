//! Values and types.
#![forbid(unsafe_code)]
mod convert;
mod diff;
mod display;
mod function;
mod json;
mod marks;
mod msgpack;
mod number;
mod ops;
mod path;
mod refine;
#[cfg(feature = "serde")]
mod serde;
mod set;
mod text;
mod types;
mod value;
mod walk;
pub use convert::{unify, unify_unsafely};
pub use diff::Difference;
pub use display::Show;
pub use function::{Function, Parameter};
pub use marks::{Mark, Marks};
pub use number::{Number, NumberError};
pub use path::{Error, Path, Step};
pub use refine::{Bound, Refinement, RefinementBuilder};
pub use text::Str;
pub use types::{Capsule, CapsuleType, CapsuleTypeBuilder, ObjectType, TupleType, Type};
pub use value::{BuildError, Entries, Kind, List, Map, Object, ObjectShape, Set, Tuple, Value};
