//! A request of the protocol. Each op reads the fields that it knows and ignores others.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

/// One request: a JSON object.
#[derive(Debug)]
pub struct Request {
    fields: Value,
}

/// The reason why a request is invalid.
#[derive(Debug)]
pub struct BadRequest(String);

impl BadRequest {
    /// Creates the error with its reason.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Request {
    /// Reads a request from its line. Nesting has no limit here, because values may be nested deeply.
    ///
    /// # Errors
    /// The line is not one JSON object.
    pub fn read(line: &str) -> Result<Self, BadRequest> {
        let mut json = serde_json::Deserializer::from_str(line);
        json.disable_recursion_limit();
        let fields = Value::deserialize(&mut json).and_then(|fields| json.end().map(|()| fields));
        match fields {
            Ok(fields @ Value::Object(_)) => Ok(Self { fields }),
            Ok(_) => Err(BadRequest::new("a request is an object")),
            Err(error) => Err(BadRequest::new(error.to_string())),
        }
    }

    /// The request's id, or null if it has none.
    pub fn id(&self) -> Value {
        self.field("id").cloned().unwrap_or(Value::Null)
    }

    /// A field, if the request has it.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.fields.get(name)
    }

    /// A required field.
    ///
    /// # Errors
    /// The request does not have the field.
    pub fn required(&self, name: &str) -> Result<&Value, BadRequest> {
        self.field(name).ok_or_else(|| BadRequest::new(format!("no {name}")))
    }

    /// The text of a required field.
    ///
    /// # Errors
    /// The request does not have the field, or it is not a string.
    pub fn text(&self, name: &str) -> Result<&str, BadRequest> {
        self.required(name)?.as_str().ok_or_else(|| BadRequest::new(format!("{name} is not a string")))
    }
}
