//! Macros with HCL in them: `value!`, `expr!` and `body!`. `hclkit-derive` parses and expands them.

use hclkit_value::{Number, Value};

/// A [`Value`] from literals, checked when the program is compiled.
///
/// `#name` and `#(expression)` are Rust values, of any type that converts into a [`Value`]; a variable is cloned. They can be
/// keys, too.
///
/// ```
/// use hclkit::value;
///
/// let (host, zones) = ("db.internal", ["a", "b"]);
/// let database = value!({
///     host  = #host
///     ports = [5432, #(5000 + 433)]
///     zones = #(&zones[..])
///     tags  = { #(format!("{host}/role")) = "primary" }
/// });
/// assert_eq!(
///     database.to_string(),
///     r#"{ host = "db.internal", ports = [5432, 5433], tags = { "db.internal/role" = "primary" }, zones = ["a", "b"] }"#,
/// );
/// ```
///
/// What is not a literal does not compile:
///
/// ```compile_fail
/// let size = hclkit::value!(2 * count);
/// ```
#[macro_export]
macro_rules! value {
    ($($hcl:tt)*) => { $crate::__private::value!([$crate] $($hcl)*) };
}

/// An expression to write, as [`write::NewValue`](crate::write::NewValue), checked when the program is compiled.
///
/// Rust values are `#name` and `#(expression)`, as in [`value!`]. Where they are part of an expression, they keep their
/// meaning: negative numbers, for example, get parentheses. After a dot, they are the name of an attribute, which must be an
/// identifier: otherwise, writing the expression is an error.
///
/// ```
/// use hclkit::expr;
///
/// let (name, step) = ("web", -2);
/// let size = expr!(var.sizes[#name] * #step + 1);
/// assert_eq!(size.source()?, r#"var.sizes["web"] * (-2) + 1"#);
/// assert_eq!(expr!(aws_instance.#name.id).source()?, "aws_instance.web.id");
/// assert!(expr!(local.#("a + b")).source().is_err());
/// assert_eq!(expr!({ all = [for zone in var.zones : upper(zone)], name = #name }).source()?,
///     r#"{ all = [for zone in var.zones : upper(zone)], name = "web" }"#);
/// # Ok::<(), hclkit::write::SourceError>(())
/// ```
///
/// ```compile_fail
/// let size = hclkit::expr!(var.count +);
/// ```
#[cfg(feature = "write")]
#[macro_export]
macro_rules! expr {
    ($($hcl:tt)*) => { $crate::__private::expr!([$crate] $($hcl)*) };
}

/// A body to write, as [`write::NewBody`](crate::write::NewBody), checked when the program is compiled.
///
/// Rust values are `#name` and `#(expression)`, as in [`expr!`]. They can also be labels, names of attributes and types of
/// blocks. Attributes are on lines of their own, as in files. What Rust cannot read as tokens, such as heredocs, comes from
/// Rust values; comments are not written. A comment begins with `//` or with `#` and a space, and what is in it must be tokens of
/// Rust, too: closed quotes and brackets.
///
/// ```
/// use hclkit::body;
///
/// let services = [("web", 80), ("api", 8080)];
/// let mut text = String::new();
/// for (name, port) in services {
///     let service = body! {
///         resource "service" #name {
///             ## The port of the container.
///             port  = #port
///             image = "registry/${var.image}"
///
///             check "alive" {
///                 path = #(format!("/{name}/alive"))
///             }
///         }
///     };
///     text.push_str(&service.source()?);
/// }
/// assert!(text.starts_with(
///     r#"resource "service" "web" {
///   port  = 80
///   image = "registry/${var.image}"
///
///   check "alive" {
///     path = "/web/alive"
///   }
/// }
/// "#,
/// ));
/// # Ok::<(), hclkit::write::SourceError>(())
/// ```
///
/// ```compile_fail
/// let service = hclkit::body! { service { port = } };
/// ```
#[cfg(feature = "write")]
#[macro_export]
macro_rules! body {
    ($($hcl:tt)*) => { $crate::__private::body!([$crate] $($hcl)*) };
}

/// The number of a literal that is no `i64`.
#[must_use]
pub fn number(text: &str) -> Value {
    text.parse::<Number>().map_or(Value::NULL, Value::from)
}
