//! Settings: what an application reads from files in HCL 1, as a table in HCL. This file reads the table; `settings/check.rs`
//! checks files. A table has the kinds of files that the application reads, and the objects in them: names with types.

mod check;

use std::collections::BTreeMap;

use hclkit_syntax::{Severity, Source};
use hclkit_value::{Name, Value};

use crate::{Block, Body, Content, Context, Diagnostics, Expression, Schema, messages};

/// What an application reads from its files. The names of arguments and blocks are the same in upper and lower case.
#[derive(Debug)]
pub struct Settings {
    /// The application with its version, in messages.
    title: String,
    objects: Vec<Object>,
    files: Vec<File>,
    /// Files with one of these names are in none of the kinds, and are not checked.
    others: Vec<String>,
}

/// A kind of file.
#[derive(Debug)]
struct File {
    name: Name,
    object: usize,
    /// How serious an unknown name is.
    unknown: Severity,
    accepts: Accepts,
    /// A list of one element can replace the element.
    unwraps: bool,
    /// A block can be there only once, unless there is a list of them.
    once: bool,
    /// An argument can be set only once.
    set_once: bool,
}

/// What is written where each scalar type is expected.
#[derive(Debug, Default)]
struct Accepts(BTreeMap<String, Vec<Written>>);

/// A value as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Text,
    /// A string with a whole number.
    Digits,
    /// A string with a duration of Go, such as `1h30m`.
    Duration,
    Bool,
    Integer,
    Fraction,
    /// An object or a block without content, which the package of HCL 1 reads into a list as nothing.
    Empty,
}

const WRITTEN: [(&str, Written); 7] = [
    ("string", Written::Text),
    ("digits", Written::Digits),
    ("duration", Written::Duration),
    ("bool", Written::Bool),
    ("integer", Written::Integer),
    ("fraction", Written::Fraction),
    ("empty", Written::Empty),
];

/// The arguments and blocks of an object, by their names in lower case.
#[derive(Debug)]
struct Object(BTreeMap<String, Member>);

#[derive(Debug)]
struct Member {
    name: Name,
    kind: Kind,
}

/// The type of a value.
#[derive(Debug, Clone)]
enum Kind {
    Any,
    /// A scalar, by its name in [`Accepts`].
    Scalar(Name),
    OneOf(Vec<String>),
    /// An object, by its index.
    Object(usize),
    /// A string, or a value of another type.
    TextOr(Box<Self>),
    List(Box<Self>),
    Map(Box<Self>),
    /// A block with a label, which can be missing, and its contents.
    Labeled(Box<Self>),
}

impl Settings {
    /// Reads a table:
    ///
    /// ```
    /// use hclkit_model::hcl1::Settings;
    /// use hclkit_syntax::{Document, Source};
    ///
    /// let table = "
    ///     title = \"The agent\"
    ///     file \"agent\" {
    ///       object  = agent
    ///       accepts = { string = [\"string\"], integer = [\"integer\"] }
    ///     }
    ///     object \"agent\" { ports = map(integer) }
    /// ";
    /// let settings = Settings::read(Source::new("table.hcl", table))?;
    /// let document = Document::parse_hcl1(Source::new("agent.hcl", "port { http = 80 }"));
    /// let found = settings.check(&document);
    /// assert!(found.iter().next().unwrap().note().contains("Did you mean `ports`?"));
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The table has errors.
    pub fn read(table: Source) -> Result<Self, Diagnostics> {
        let (body, diagnostics) = Body::parse(table);
        let mut reader = Reader { diagnostics, names: Vec::new() };
        let settings = reader.settings(&body);
        if reader.diagnostics.has_errors() { Err(reader.diagnostics) } else { Ok(settings) }
    }
}

struct Reader {
    diagnostics: Diagnostics,
    /// The names of the objects.
    names: Vec<Name>,
}

impl Reader {
    fn settings(&mut self, body: &Body) -> Settings {
        let schema =
            Schema::new().with_required("title").with_optional("others").with_block("file", &["name"]);
        let content = self.diagnostics.absorb(body.content(&schema.with_block("object", &["name"])));
        self.names = content.blocks_of("object").map(|block| block.labels[0].clone()).collect();
        let title = content.attributes.get("title").and_then(|it| literal(&it.expression));
        Settings {
            title: title.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(),
            objects: content.blocks_of("object").map(|block| self.object(block)).collect(),
            files: content.blocks_of("file").map(|block| self.file(block)).collect(),
            others: content.attributes.get("others").map(|it| texts(&it.expression)).unwrap_or_default(),
        }
    }

    fn file(&mut self, block: &Block) -> File {
        let schema = Schema::new().with_required("object").with_required("accepts");
        let schema =
            ["unknown", "unwraps", "once", "set_once"].into_iter().fold(schema, Schema::with_optional);
        let content = self.diagnostics.absorb(block.body.content(&schema));
        let object = content.attributes.get("object").map(|it| self.kind(&it.expression));
        let is_set = |content: &Content, name: &str, value: &Value| {
            content.attributes.get(name).is_some_and(|it| literal(&it.expression).as_ref() == Some(value))
        };
        let is_warning = is_set(&content, "unknown", &Value::from("warning"));
        File {
            name: block.labels[0].clone(),
            object: if let Some(Kind::Object(object)) = object { object } else { 0 },
            unknown: if is_warning { Severity::Warning } else { Severity::Error },
            accepts: self.accepts(&content),
            unwraps: is_set(&content, "unwraps", &Value::TRUE),
            once: is_set(&content, "once", &Value::TRUE),
            set_once: is_set(&content, "set_once", &Value::TRUE),
        }
    }

    fn accepts(&mut self, content: &Content) -> Accepts {
        let Some(attribute) = content.attributes.get("accepts") else { return Accepts::default() };
        let items = self.diagnostics.absorb(match attribute.expression.static_map() {
            Ok(items) => (items, Diagnostics::new()),
            Err(errors) => (Vec::new(), errors),
        });
        let mut accepts = BTreeMap::new();
        for (name, list) in items {
            let written = |text: &String| WRITTEN.iter().find(|(name, _)| name == text).map(|(_, it)| *it);
            let found: Vec<_> = texts(&list).iter().filter_map(written).collect();
            if let Some(name) = name.static_keyword() {
                accepts.insert(name.to_string(), found);
            }
        }
        Accepts(accepts)
    }

    fn object(&mut self, block: &Block) -> Object {
        let attributes = self.diagnostics.absorb(block.body.attributes());
        let members = attributes.into_iter().map(|attribute| {
            let kind = self.kind(&attribute.expression);
            (attribute.name.to_lowercase(), Member { kind, name: attribute.name })
        });
        Object(members.collect())
    }

    /// A type: a name, or a call such as `list(string)`.
    fn kind(&mut self, expression: &Expression) -> Kind {
        if let Some(name) = expression.static_keyword() {
            return match self.names.iter().position(|own| *own == name) {
                Some(object) => Kind::Object(object),
                None if &*name == "any" => Kind::Any,
                None => Kind::Scalar(name),
            };
        }
        let call = match expression.static_call() {
            Ok(call) => call,
            Err(errors) => {
                self.diagnostics.append(errors);
                return Kind::Any;
            }
        };
        if call.name == "one_of" {
            let texts = call.arguments.iter().filter_map(|it| Some(literal(it)?.as_str()?.to_owned()));
            return Kind::OneOf(texts.collect());
        }
        let inner = Box::new(call.arguments.first().map_or(Kind::Any, |it| self.kind(it)));
        match &*call.name {
            "list" => Kind::List(inner),
            "map" => Kind::Map(inner),
            "labeled" => Kind::Labeled(inner),
            "text_or" => Kind::TextOr(inner),
            _ => {
                let error = messages::hcl1::unknown_type(&call.name);
                self.diagnostics.push(error.at(expression.place()));
                Kind::Any
            }
        }
    }
}

fn literal(expression: &Expression) -> Option<Value> {
    expression.evaluate(&Context::new()).ok()
}

/// The strings in a list.
fn texts(list: &Expression) -> Vec<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    literal(list)
        .and_then(|list| Some(list.as_slice()?.iter().filter_map(text).collect()))
        .unwrap_or_default()
}
