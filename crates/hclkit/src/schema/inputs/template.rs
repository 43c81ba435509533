//! Writes a file that sets the input variables of a module, for people to fill in: each variable after comments about it.

use hclkit_model::Defaults;
use hclkit_module::{DefaultSummary, InputSummary, Summary};
use hclkit_syntax::visible_line;
use hclkit_value::{Type, Value};
use hclkit_write::Layout;

/// Creates a file that sets the input variables of a module, in the native syntax.
///
/// Variables that must be set come first, with an empty value of their type, such as `""`. The others are comments with their
/// defaults, so that the defaults of the module count until someone sets the variable. Comments before each one have its
/// description, its type, and whether it is sensitive. Defaults of sensitive variables are left out.
///
/// A variable whose name is not an identifier cannot be set in such a file, and is only mentioned.
///
/// ```
/// use hclkit::module::{Dialect, Memory, ModuleLoader};
/// use hclkit::schema::inputs_template;
///
/// let text = "variable \"size\" {\n  type    = number\n  default = 2\n}\nvariable \"zone\" {\n  type        = string\n  \
///             description = \"Where.\"\n}\n";
/// let summary = ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter([("main.tf", text)])).summary(false);
/// assert_eq!(
///     inputs_template(&summary),
///     "# Where.\n# Type: string\n# Required\nzone = \"\"\n\n# Type: number\n# size = 2\n",
/// );
/// ```
pub fn inputs_template(summary: &Summary) -> String {
    // In Bake, a variable without a default has a value, too.
    let is_required = |input: &&InputSummary| input.default.is_none() && summary.language.name() != "bake";
    let (required, others): (Vec<_>, Vec<_>) = summary.inputs.iter().partition(is_required);
    let required = required.into_iter().map(|input| of_input(input, true));
    let texts: Vec<String> = required.chain(others.into_iter().map(|input| of_input(input, false))).collect();
    texts.join("\n")
}

fn of_input(input: &InputSummary, is_required: bool) -> String {
    let mut text = String::new();
    if let Some(description) = &input.description {
        comment(description.trim(), &mut text);
    }
    if let Some(instead) = &input.deprecated {
        comment(&format!("Deprecated: {}", instead.trim()), &mut text);
    }
    if let Some(ty) = &input.type_text {
        comment(&format!("Type: {}", at_start(ty)), &mut text);
    }
    match (input.sensitive, input.ephemeral) {
        (true, _) => comment("Sensitive", &mut text),
        (false, true) => comment("Ephemeral", &mut text),
        (false, false) => {}
    }
    let name = &input.name;
    if !hclkit_syntax::is_identifier(name) {
        comment(&format!("The variable {} cannot be set in a file", Value::from(name.as_str())), &mut text);
        return text;
    }
    let line = |value: &Value| {
        let before = name.chars().count() + " = ".len();
        format!("{name} = {}", Layout::new().value_at(value, 0, before))
    };
    match &input.default {
        None if is_required => {
            comment("Required", &mut text);
            text.push_str(&line(&placeholder(input)));
            text.push('\n');
        }
        None => comment(&line(&placeholder(input)), &mut text),
        Some(DefaultSummary::Value(value)) => comment(&line(value), &mut text),
        Some(DefaultSummary::Source(source)) => {
            comment(&format!("Default: {source}"), &mut text);
            comment(&line(&placeholder(input)), &mut text);
        }
        // What is withheld, as any other, is not shown.
        Some(_) => {
            comment("Default: not shown", &mut text);
            comment(&line(&placeholder(input)), &mut text);
        }
    }
    text
}

/// A text that begins in the middle of a line, without the indentation that its other lines share.
fn at_start(text: &str) -> String {
    let blank = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let lines = || text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let shared = lines().map(blank).min().unwrap_or_default();
    let rest = text.lines().skip(1).map(|line| line.get(shared..).unwrap_or_default());
    text.lines().take(1).chain(rest).collect::<Vec<_>>().join("\n")
}

/// Adds a text as a comment. Only its own line breaks are line breaks.
fn comment(text: &str, out: &mut String) {
    for line in text.lines() {
        let line = visible_line(line.trim_end());
        out.push_str(if line.is_empty() { "#" } else { "# " });
        out.push_str(&line);
        out.push('\n');
    }
}

/// An empty value that has the type of a variable.
fn placeholder(input: &InputSummary) -> Value {
    // In some languages, the type is that of the default, whose names are part of it.
    let is_hidden = input.sensitive || input.ephemeral;
    let constraint = input.constraint.as_ref().filter(|_| !is_hidden || input.type_text.is_some());
    let Some(constraint) = constraint else { return Value::from("") };
    match &constraint.ty {
        // Any value does.
        Type::Dynamic => Value::from(""),
        ty => empty(ty, constraint.defaults.as_ref()),
    }
}

/// An empty value of a type: collections without elements, and objects with the attributes that are required.
fn empty(ty: &Type, defaults: Option<&Defaults>) -> Value {
    match ty {
        Type::Number => Value::from(0),
        Type::Bool => Value::from(false),
        Type::List(_) | Type::Set(_) => Value::tuple::<Value>([]),
        Type::Map(_) => Value::object::<&str, Value>([]),
        Type::Tuple(tuple) => {
            Value::tuple(tuple.elements().iter().map(|ty| hclkit_limits::with_room(|| empty(ty, None))))
        }
        Type::Object(object) => {
            let required = object.attributes().filter(|(name, _)| !object.is_optional(name));
            Value::object(required.map(|(name, ty)| {
                let own = defaults.and_then(|defaults| defaults.attribute(name));
                (name.clone(), hclkit_limits::with_room(|| empty(ty, own)))
            }))
        }
        Type::String | Type::Dynamic | Type::Capsule(_) => Value::from(""),
    }
}
