//! JSON Schema of types with `#[derive(Decode)]`, for applications that collect schemas with `schemars`.

use crate::Decode;

/// The schema of configurations in the JSON syntax that a type decodes, with the descriptions of its fields. It is that of
/// [`json_schema`](crate::schema::json_schema).
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use hclkit::Decode;
/// use hclkit::integrations::schemars::schema_of;
///
/// #[derive(Decode)]
/// struct Server {
///     /// Where it listens.
///     port: u16,
/// }
///
/// let schema = schema_of::<Server>("server");
/// assert_eq!(schema.get("title").and_then(|title| title.as_str()), Some("server"));
/// assert!(schema.pointer("/properties/port").unwrap().to_string().contains("Where it listens."));
/// # }
/// ```
pub fn schema_of<T: Decode>(title: &str) -> schemars::Schema {
    let schema = crate::schema::json_schema(&T::spec().into(), title, false);
    let schema = serde_json::to_value(schema).ok().and_then(|schema| schema.try_into().ok());
    schema.unwrap_or_default()
}
