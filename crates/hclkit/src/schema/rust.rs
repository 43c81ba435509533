//! Writes a spec file as Rust types with `#[derive(Decode)]`: a struct for each body and for each type of objects.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hclkit_model::{Spec, SpecFile};
use hclkit_value::{Number, Type, Value};

use super::{ArgumentReference, BlockReference, BodyReference, Inside, MAX_PATH, Names};

/// Writes Rust types that decode the configurations that a spec file accepts. They are a starting point for an
/// application, which can change them. Descriptions become doc comments. Numbers are `f64`, because specs have only
/// one type of numbers.
///
/// Values that a spec computes from arguments and blocks are omitted, and so are its checks.
///
/// ```
/// use hclkit::schema;
/// use hclkit::model::{AttributeSpec, Spec};
/// use hclkit::Type;
///
/// let spec = Spec::object([
///     ("host", Spec::from(AttributeSpec::new("host", Type::String).with_required())),
///     ("port", Spec::from(AttributeSpec::new("port", Type::Number)).or(Spec::literal(80))),
/// ]);
/// assert_eq!(
///     schema::rust(&spec.into(), "server"),
///     "\
/// use hclkit::Decode;
///
/// #[derive(Debug, Clone, PartialEq, Decode)]
/// pub struct Server {
///     pub host: String,
///     #[hcl(default = 80)]
///     pub port: f64,
/// }
/// "
/// );
/// ```
pub fn rust(file: &SpecFile, title: &str) -> String {
    let mut types = Types::new();
    let root = types.name(title, None);
    types.body(&file.spec, &root, &[], file.description.as_deref());
    let mut out = String::new();
    if types.used.contains("BTreeMap") || types.used.contains("BTreeSet") {
        let names: Vec<&str> =
            ["BTreeMap", "BTreeSet"].into_iter().filter(|name| types.used.contains(name)).collect();
        let _ = writeln!(out, "use std::collections::{};\n", braced(&names));
    }
    let names: Vec<&str> =
        ["Decode", "FromValue", "Value"].into_iter().filter(|name| types.used.contains(name)).collect();
    let _ = writeln!(out, "use hclkit::{};", braced(&names));
    for (_, text) in &types.structs {
        let _ = write!(out, "\n{text}");
    }
    out
}

fn braced(names: &[&str]) -> String {
    if let [only] = names { (*only).to_owned() } else { format!("{{{}}}", names.join(", ")) }
}

/// The structs that were written so far.
struct Types {
    /// The place of each struct, and its text. A struct comes before those of its fields.
    structs: Vec<(String, String)>,
    names: Names,
    /// The imported names that are used.
    used: BTreeSet<&'static str>,
}

impl Types {
    fn new() -> Self {
        // These names would shadow types that are used.
        let used = [
            "BTreeMap",
            "BTreeSet",
            "Clone",
            "Debug",
            "Decode",
            "FromValue",
            "Option",
            "String",
            "Value",
            "Vec",
        ];
        let mut names = Names::default();
        for name in used {
            names.take(name.to_owned(), "");
        }
        Self { structs: Vec::new(), names, used: BTreeSet::new() }
    }

    /// A new name for a type: that of the block or attribute, prefixed with that of the enclosing type if it is taken.
    fn name(&mut self, name: &str, around: Option<&str>) -> String {
        let own = type_name(name);
        let longer = around.map(|around| format!("{around}{own}"));
        let longer = longer.filter(|longer| self.names.contains(&own) && longer.len() <= MAX_PATH);
        self.names.take(longer.unwrap_or(own), "")
    }

    /// Adds a struct for a body.
    fn body(&mut self, spec: &Spec, name: &str, labels: &[String], description: Option<&str>) {
        let reference = BodyReference::of(spec);
        let mut fields = Fields::default();
        let at = self.begin(name);
        for label in labels {
            fields.add(label, &["label".to_owned()], "String", None);
        }
        for argument in &reference.arguments {
            self.argument(argument, name, &mut fields);
        }
        for block in &reference.blocks {
            self.block(block, name, &mut fields);
        }
        self.used.insert("Decode");
        self.structs[at].1 = struct_text(name, "Decode", description, &fields);
    }

    /// Reserves the place of a struct.
    fn begin(&mut self, name: &str) -> usize {
        self.structs.push((name.to_owned(), String::new()));
        self.structs.len() - 1
    }

    fn argument(&mut self, argument: &ArgumentReference<'_>, around: &str, fields: &mut Fields) {
        let ty = self.ty(argument.ty, argument.name, around);
        let (mut attributes, mut description) = (Vec::new(), argument.description.map(str::to_owned));
        let default = argument.default.map(|value| (value, self.default_of(value, argument.ty)));
        let ty = match default {
            Some((_, Some(default))) => {
                attributes.push(format!("default = {default}"));
                ty
            }
            // The application must add values that do not fit on one line of Rust.
            Some((value, None)) => {
                let text =
                    format!("Default: `{}`.", hclkit_write::Layout::new().with_one_line(true).value(value));
                description =
                    Some(description.map_or(text.clone(), |description| format!("{description}\n\n{text}")));
                format!("Option<{ty}>")
            }
            None if argument.required => ty,
            None => format!("Option<{ty}>"),
        };
        fields.add(argument.name, &attributes, &ty, description.as_deref());
    }

    fn block(&mut self, block: &BlockReference<'_>, around: &str, fields: &mut Fields) {
        let name = self.name(block.block_type, Some(around));
        let labels: Vec<String> = block.label_names().collect();
        match block.content {
            Inside::Body(spec) => {
                hclkit_limits::with_room(|| self.body(spec, &name, &labels, block.description));
            }
            Inside::Arguments(ty) => {
                let at = self.begin(&name);
                let ty = self.ty(ty, "argument", &name);
                self.used.extend(["BTreeMap", "Decode"]);
                let mut inner = Fields::default();
                for label in &labels {
                    inner.add(label, &["label".to_owned()], "String", None);
                }
                inner.add("arguments", &["remain".to_owned()], &format!("BTreeMap<String, {ty}>"), None);
                self.structs[at].1 = struct_text(&name, "Decode", block.description, &inner);
            }
        }
        let mut attributes = vec!["block".to_owned()];
        let ty = match (block.min, block.max) {
            (1, Some(1)) => name,
            (0, Some(1)) => format!("Option<{name}>"),
            (min, max) => {
                attributes.extend((min > 0).then(|| format!("min = {min}")));
                attributes.extend(max.map(|max| format!("max = {max}")));
                format!("Vec<{name}>")
            }
        };
        fields.add(block.block_type, &attributes, &ty, block.description);
    }

    /// The Rust type for an HCL type. Objects are structs of their own, named after the attribute.
    fn ty(&mut self, ty: &Type, name: &str, around: &str) -> String {
        hclkit_limits::with_room(|| self.ty_within(ty, name, around))
    }

    fn ty_within(&mut self, ty: &Type, name: &str, around: &str) -> String {
        match ty {
            Type::String => "String".to_owned(),
            Type::Number => "f64".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::List(element) => format!("Vec<{}>", self.ty(element, name, around)),
            Type::Set(element) if matches!(**element, Type::String | Type::Bool) => {
                self.used.insert("BTreeSet");
                format!("BTreeSet<{}>", self.ty(element, name, around))
            }
            Type::Set(element) => format!("Vec<{}>", self.ty(element, name, around)),
            Type::Map(element) => {
                self.used.insert("BTreeMap");
                format!("BTreeMap<String, {}>", self.ty(element, name, around))
            }
            Type::Object(object) => {
                let own = self.name(name, Some(around));
                let at = self.begin(&own);
                let mut fields = Fields::default();
                for attribute in object.names() {
                    let Some(part) = object.get(attribute) else { continue };
                    let part = self.ty(part, attribute, &own);
                    let optional = object.is_optional(attribute);
                    let part = if optional { format!("Option<{part}>") } else { part };
                    fields.add(attribute, &[], &part, None);
                }
                self.used.insert("FromValue");
                self.structs[at].1 = struct_text(&own, "FromValue", None, &fields);
                own
            }
            Type::Tuple(tuple) if (1..=MOST_IN_TUPLE).contains(&tuple.elements().len()) => {
                let parts: Vec<String> =
                    tuple.elements().iter().map(|element| self.ty(element, name, around)).collect();
                let comma = if parts.len() == 1 { "," } else { "" };
                format!("({}{comma})", parts.join(", "))
            }
            _ => {
                self.used.insert("Value");
                "Value".to_owned()
            }
        }
    }

    /// The default of an argument in the syntax of the macro: a literal or a Rust expression.
    fn default_of(&mut self, value: &Value, ty: &Type) -> Option<String> {
        match (value.as_str(), value.as_number(), value.as_bool()) {
            (Some(text), ..) => Some(format!("{text:?}")),
            (_, Some(number), _) => Some(number.to_string()),
            (_, _, Some(flag)) => Some(flag.to_string()),
            _ => self.expression(value, ty),
        }
    }

    fn expression(&mut self, value: &Value, ty: &Type) -> Option<String> {
        let value = value.convert(ty).ok()?;
        let list = |types: &mut Self, element: &Type| {
            let parts = value.as_slice()?.iter().map(|part| types.expression(part, element));
            Some(parts.collect::<Option<Vec<_>>>()?.join(", "))
        };
        Some(match ty {
            Type::String => format!("{:?}.to_owned()", value.as_str()?),
            Type::Number => float(value.as_number()?),
            Type::Bool => value.as_bool()?.to_string(),
            Type::List(element) => format!("vec![{}]", list(self, element)?),
            Type::Set(element) if matches!(**element, Type::String | Type::Bool) => {
                format!("BTreeSet::from([{}])", list(self, element)?)
            }
            Type::Set(element) => format!("vec![{}]", list(self, element)?),
            Type::Map(element) => {
                let entry = |(key, part): (&hclkit_value::Str, &Value)| {
                    Some(format!("({:?}.to_owned(), {})", key.as_str(), self.expression(part, element)?))
                };
                let entries: Option<Vec<String>> = value.entries()?.map(entry).collect();
                format!("BTreeMap::from([{}])", entries?.join(", "))
            }
            _ => return None,
        })
    }
}

/// The largest tuple that `FromValue` is implemented for.
const MOST_IN_TUPLE: usize = 6;

/// A float literal.
fn float(number: &Number) -> String {
    let text = number.to_string();
    if text.contains(['.', 'e']) { text } else { format!("{text}.0") }
}

/// The fields of a struct.
#[derive(Default)]
struct Fields {
    names: Names,
    text: String,
}

impl Fields {
    fn add(&mut self, name: &str, attributes: &[String], ty: &str, description: Option<&str>) {
        let field = self.names.take(field_name(name), "_");
        let rename = (field != name).then(|| format!("rename = {name:?}"));
        // The name of a label is only for messages.
        let attributes: Vec<&str> = attributes.iter().chain(&rename).map(String::as_str).collect();
        comment(description, "    ", &mut self.text);
        if !attributes.is_empty() {
            let _ = writeln!(self.text, "    #[hcl({})]", attributes.join(", "));
        }
        let _ = writeln!(self.text, "    pub {field}: {ty},");
    }
}

fn struct_text(name: &str, derive: &str, description: Option<&str>, fields: &Fields) -> String {
    let mut out = String::new();
    comment(description, "", &mut out);
    let _ = writeln!(out, "#[derive(Debug, Clone, PartialEq, {derive})]");
    if fields.text.is_empty() {
        let _ = writeln!(out, "pub struct {name} {{}}");
    } else {
        let _ = writeln!(out, "pub struct {name} {{\n{}}}", fields.text);
    }
    out
}

fn comment(text: Option<&str>, indent: &str, out: &mut String) {
    for line in text.unwrap_or_default().lines() {
        let line = hclkit_syntax::visible_line(line);
        let _ = writeln!(out, "{}", format!("{indent}/// {line}").trim_end());
    }
}

/// The words of a name: `maxSize`, `max-size` and `max_size` have two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last_lower = false;
    for character in name.chars() {
        if !character.is_alphanumeric() {
            last_lower = false;
            words.push(String::new());
            continue;
        }
        if words.is_empty() || (last_lower && character.is_uppercase()) {
            words.push(String::new());
        }
        last_lower = character.is_lowercase() || character.is_numeric();
        if let Some(word) = words.last_mut() {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn type_name(name: &str) -> String {
    let capitalized = words(name).into_iter().map(|word| {
        let mut characters = word.chars();
        characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect::<String>()
    });
    let name = capitalized.collect::<String>();
    if name.starts_with(|first: char| first.is_alphabetic()) { name } else { format!("T{name}") }
}

fn field_name(name: &str) -> String {
    let name = words(name).join("_");
    if KEYWORDS.contains(&name.as_str()) {
        return format!("{name}_");
    }
    if name.starts_with(|first: char| first.is_alphabetic()) { name } else { format!("field_{name}") }
}

/// The Rust keywords that cannot be names of fields.
const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];
