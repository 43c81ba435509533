//! YAML as the reference writes and reads it, and as people write it. Encoding is in `yaml/encode.rs`; decoding follows the YAML
//! 1.1 rules for plain scalars (`yaml/decode.rs`, `yaml/scalar.rs`).

#[cfg(feature = "yaml")]
mod decode;
mod encode;
mod scalar;

use hclkit_value::{Function, Parameter, Step, Type, Value};

use crate::arguments::text;
#[cfg(not(feature = "yaml"))]
use crate::missing::yaml as decode;

#[cfg(feature = "yaml")]
pub use decode::YamlError;
pub use encode::{YamlNode, YamlTree, to_yaml};

/// Which plain scalars are numbers, besides decimal ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Binary numbers, and digits separated by underscores: `0b11`, `1_000`.
    Yaml11,
    /// Hexadecimal and octal numbers: `0x1f`, `0o17`.
    Yaml12,
}

/// What differs between the libraries that read YAML.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) numbers: Numbers,
    /// The value of `<<` can be a list of mappings, and the tag `!!merge` makes any key one that merges.
    pub(crate) merges_lists: bool,
    /// Keys without quotes are text as written: `y` and `on` are no bools.
    pub(crate) keys_as_written: bool,
}

impl From<Numbers> for Rules {
    fn from(numbers: Numbers) -> Self {
        Self { numbers, merges_lists: false, keys_as_written: false }
    }
}

/// The maximum nesting depth of a YAML document.
const DEPTH_LIMIT: usize = 1_000;

/// Converts a YAML document to JSON text of the same meaning and order, as `yamldecode` reads it, except that keys are text as
/// written: `y` and `on` are no bools there.
///
/// ```
/// let json = hclkit_functions::yaml_to_json("b: 1\na: [yes, x]\nn: 2\n")?;
/// assert_eq!(json, r#"{"b": 1, "a": [true, "x"], "n": 2}"#);
///
/// let aliases = (1..30).map(|at| format!("a{at}: &a{at} [*a{0}, *a{0}]\n", at - 1)).collect::<String>();
/// assert!(hclkit_functions::yaml_to_json(&format!("a0: &a0 x\n{aliases}")).is_err());
/// let repeated = format!("a: &a {}\nb: [{}]\n", "x".repeat(1 << 20), "*a, ".repeat(100));
/// assert!(hclkit_functions::yaml_to_json(&repeated).is_err());
/// # Ok::<(), hclkit_value::Error>(())
/// ```
///
/// # Errors
/// Text that is not one YAML document of scalars, sequences and mappings, and infinities, which JSON does not have. Aliases may
/// expand the document to 1,000,000 values and 64 MiB of JSON.
#[cfg(feature = "yaml")]
pub fn yaml_to_json(text: &str) -> Result<String, hclkit_value::Error> {
    decode::to_json(text).map(|(json, _)| json).map_err(|error| error.located(text))
}

/// The same, with the place of each scalar: its bytes in the JSON text, and those in the document.
///
/// # Errors
/// Those of [`yaml_to_json`], with their places.
#[doc(hidden)]
#[cfg(feature = "yaml")]
pub fn yaml_to_json_with_places(text: &str) -> Result<(String, Vec<Placed>), YamlError> {
    decode::to_json(text)
}

/// Where a scalar is: its bytes in the JSON text, and those in the document.
#[doc(hidden)]
#[cfg(feature = "yaml")]
pub type Placed = (std::ops::Range<usize>, std::ops::Range<usize>);

pub(crate) fn yamlencode() -> Function {
    Function::unnamed(Type::String, |args, _| {
        if !args[0].is_wholly_known() {
            return Ok(Value::unknown(Type::String));
        }
        encode::encode(&args[0]).map(Value::from).map_err(|error| error.within(Step::from(0)))
    })
    .with_description("Encodes a value as YAML, with quoted strings and collections in block style.")
    .with_parameter(
        Parameter::new("value", Type::Dynamic)
            .with_description("The value to encode.")
            .with_nulls()
            .with_unknowns()
            .with_dynamic(),
    )
    .with_example(r#"yamlencode({ a = "b", c = [1, true] })"#, r#""\"a\": \"b\"\n\"c\":\n- 1\n- true\n""#)
}

pub(crate) fn yamldecode(rules: impl Into<Rules>) -> Function {
    let rules = rules.into();
    // The result type is only known with the value, and a second pass over the text would take twice as long.
    Function::unnamed(Type::Dynamic, move |args, _| {
        decode::decode(text(args, 0), rules).map_err(|error| error.within(Step::from(0)))
    })
    .with_description(
        "Decodes a YAML document. Only one document of scalars, sequences and mappings is supported.",
    )
    .with_parameter(Parameter::new("src", Type::String).with_description("The YAML document to decode."))
    .with_example(r#"yamldecode("hello: world\nlist: [1, yes]")"#, r#"{ hello = "world", list = [1, true] }"#)
}
