//! `csvdecode`. It has its own reader, because the reference rejects input that CSV libraries accept, such as quotes
//! in the middle of a field.

use hclkit_value::{Error, Function, ObjectShape, Parameter, Str, Type, Value};

use crate::arguments::text;
use crate::limits::check_collections;

pub(crate) fn csvdecode() -> Function {
    Function::with_type(
        |args| {
            if !args[0].is_known() {
                return Ok(Type::Dynamic);
            }
            let header = Records::new(text(args, 0)).next().transpose()?;
            let names = header.ok_or_else(|| Error::new("the header line is missing"))?;
            let mut names: Vec<Str> = names.into_iter().map(Str::from).collect();
            names.sort_unstable();
            let twice = names.iter().zip(names.iter().skip(1)).find(|(name, next)| name == next);
            if let Some((name, _)) = twice {
                return Err(Error::new(format!("duplicate column name {name:?}")));
            }
            Ok(Type::list(Type::object(names.into_iter().map(|name| (name, Type::String)))))
        },
        |args, ty| {
            let mut records = Records::new(text(args, 0));
            let names = records.next().transpose()?.unwrap_or_default();
            let names: Vec<Str> = names.into_iter().map(Str::from).collect();
            let shape = ObjectShape::new(names.iter().cloned());
            let mut rows = Vec::new();
            while let Some(fields) = records.next().transpose()? {
                check_collections(1, rows.len() + names.len())?;
                let row = shape.object(fields.into_iter().map(Value::from));
                rows.push(row.ok_or_else(|| records.error("the number of fields differs from the header"))?);
            }
            Ok(Value::list_of(ty.element().cloned().unwrap_or(Type::Dynamic), rows)?)
        },
    )
    .with_description("Decodes CSV data into a list of objects. The first row gives the attribute names.")
    .with_parameter(
        Parameter::new("str", Type::String).with_description("The CSV data, as defined by RFC 4180."),
    )
    .with_example(r#"csvdecode("a,b\n1,2\n3,4")"#, r#"tolist([{ a = "1", b = "2" }, { a = "3", b = "4" }])"#)
}

/// Iterates over the records of a CSV text.
struct Records<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Records<'a> {
    fn new(text: &'a str) -> Self {
        Records { rest: text, line: 0 }
    }

    fn error(&self, why: &str) -> Error {
        Error::new(format!("CSV line {}: {why}", self.line))
    }

    /// Returns the next line without its line ending, which is CR LF or LF.
    fn line(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    fn record(&mut self, mut line: &'a str) -> Result<Vec<String>, Error> {
        let mut fields = Vec::new();
        loop {
            if let Some(quoted) = line.strip_prefix('"') {
                let (field, rest) = self.quoted(quoted)?;
                fields.push(field);
                match rest.strip_prefix(',') {
                    Some(next) => line = next,
                    None if rest.is_empty() => return Ok(fields),
                    None => return Err(self.error("unexpected text after a quoted field")),
                }
                continue;
            }
            let (field, next) =
                line.split_once(',').map_or((line, None), |(field, next)| (field, Some(next)));
            if field.contains('"') {
                return Err(self.error("unexpected quote in an unquoted field"));
            }
            fields.push(field.to_owned());
            match next {
                Some(next) => line = next,
                None => return Ok(fields),
            }
        }
    }

    /// Reads a quoted field, which may span several lines, from after its opening quote. Returns the field and the rest
    /// of its last line.
    fn quoted(&mut self, mut line: &'a str) -> Result<(String, &'a str), Error> {
        let mut field = String::new();
        loop {
            let Some((part, rest)) = line.split_once('"') else {
                field.push_str(line);
                field.push('\n');
                line = self.line().ok_or_else(|| self.error("unterminated quoted field"))?;
                continue;
            };
            field.push_str(part);
            match rest.strip_prefix('"') {
                Some(rest) => {
                    field.push('"');
                    line = rest;
                }
                None => return Ok((field, rest)),
            }
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Vec<String>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.line()?;
            if !line.is_empty() {
                return Some(self.record(line));
            }
        }
    }
}
