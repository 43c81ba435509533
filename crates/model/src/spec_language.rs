//! The spec language: specs, variables and functions as text, in the native or in the JSON syntax. Requirement: "HCL
//! Config Spec Language".

mod comments;
mod kinds;

use std::collections::BTreeMap;

use hclkit_syntax::{Code, DiagnosticsMark, Source, Span};
use hclkit_value::{Function, Name, Str, Type, Value};

use comments::Comments;

use crate::messages::related::FIRST_DEFINED;
use crate::messages::{Message, spec as messages};
use crate::{Attribute, Block, Body, Content, Context, Diagnostics, Functions, Place, Spec, user_functions};

/// The contents of a spec file: how to decode a configuration to a value, and the variables and functions of its
/// expressions.
///
/// It has one spec block at the top level, besides `variables` and `function` blocks. The kinds of spec blocks are
/// those of [`Spec`]: `object` (whose spec blocks have a label, the name of the attribute), `tuple` or `array`, `attr`
/// (`name`, `type`, `required`), `block` (`block_type`, `required`), `block_list`, `block_tuple` and `block_set`
/// (`block_type`, `min_items`, `max_items`), `block_map` and `block_object` (`block_type`, `labels`), `block_label`
/// (`index`, `name`), `block_attrs` (`block_type`, `element_type`, `required`), `literal` (`value`), `default`, and
/// `transform` (`result`, an expression in which the value is `nested`). Inside an `object`, the label is the default
/// of `name` and `block_type`.
///
/// ```
/// use hclkit_model::{Body, Diagnostics, Functions, SpecFile};
/// use hclkit_syntax::Source;
/// use hclkit_value::Value;
///
/// let spec = r#"
/// object {
///   attr "name" {
///     type     = string
///     required = true
///   }
///   block_list "ports" {
///     block_type = "listen"
///     attr {
///       name = "port"
///       type = number
///     }
///   }
/// }
/// variables {
///   base = 8000
/// }
/// "#;
/// let file = SpecFile::read(Source::new("service.hcldec", spec), &Functions::new())?;
/// let (body, mut diagnostics) = Body::parse(Source::new("", "name = \"web\"\nlisten {\n  port = base + 80\n}\n"));
/// let value = diagnostics.absorb(file.decode(&body, Vec::<(&str, Value)>::new()));
/// assert_eq!(value.to_string(), r#"{ name = "web", ports = [8080] }"#);
/// # Ok::<(), Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SpecFile {
    /// The spec.
    pub spec: Spec,
    /// The description for documentation: the comment directly before the spec block.
    pub description: Option<Str>,
    /// The variables of its `variables` blocks.
    pub variables: BTreeMap<Name, Value>,
    /// The functions of its `function` blocks.
    pub functions: Functions,
}

impl SpecFile {
    /// Reads a spec file, in the JSON syntax if its name ends in `.json`. The functions are those that the expressions
    /// in it may call: values of literals and variables, results of transforms and functions.
    ///
    /// ```
    /// use hclkit_model::{Functions, SpecFile};
    /// use hclkit_syntax::Source;
    ///
    /// let source = Source::new("spec", "attr {\n  name     = \"port\"\n  requird = true\n}\n");
    /// let mistakes = SpecFile::read(source, &Functions::new()).unwrap_err();
    /// assert_eq!(mistakes[0].note(), "An argument named `requird` is not expected here. Did you mean `required`?");
    /// ```
    ///
    /// # Errors
    /// All errors in it, each with its place.
    pub fn read(source: Source, functions: &Functions) -> Result<Self, Diagnostics> {
        Self::read_with_patterns(source, functions, None)
    }

    /// Reads a spec file whose `pattern` arguments use this function. It returns the matches of a regular expression, its first
    /// argument, in a string, as `regexall`.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    #[doc(hidden)]
    pub fn read_with_patterns(
        source: Source,
        functions: &Functions,
        find: Option<Function>,
    ) -> Result<Self, Diagnostics> {
        let (body, diagnostics) = Body::parse(source);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        let context = Context::new().with_functions(functions.clone());
        let comments = Comments::of(body.source());
        let mut reader = Reader { context, diagnostics, comments, find, inherited: None, keys: 0 };
        let file = reader.file(&body);
        match file {
            Some(file) if !reader.diagnostics.has_errors() => Ok(file),
            _ => Err(reader.diagnostics),
        }
    }

    /// The context in which a configuration is decoded: the variables and functions of the file, and these variables,
    /// which take precedence over those of the file.
    #[doc(hidden)]
    pub fn context<N: Into<Name>>(&self, variables: impl IntoIterator<Item = (N, Value)>) -> Context {
        let mut context = Context::new();
        context.set_all(self.variables.iter().map(|(name, value)| (name.clone(), value.clone())));
        context.set_all(variables);
        if self.functions.iter().next().is_some() {
            context.set_functions(self.functions.clone());
        }
        context
    }

    /// The value of a configuration and the diagnostics, as [`Spec::decode`] returns them. The variables take precedence
    /// over those of the file.
    pub fn decode<N: Into<Name>>(
        &self,
        body: &Body,
        variables: impl IntoIterator<Item = (N, Value)>,
    ) -> (Value, Diagnostics) {
        self.spec.decode(body, &self.context(variables))
    }
}

/// A spec without variables and functions.
impl From<Spec> for SpecFile {
    fn from(spec: Spec) -> Self {
        Self { spec, description: None, variables: BTreeMap::new(), functions: Functions::new() }
    }
}

/// Reads one spec file.
struct Reader {
    /// The context of expressions in the file.
    context: Context,
    diagnostics: Diagnostics,
    comments: Comments,
    /// Finds the matches of a regular expression in a string.
    find: Option<Function>,
    /// The description of the outer spec block, for a nested one without its own.
    inherited: Option<Str>,
    /// The number of labels that are keys of the outer maps.
    keys: usize,
}

impl Reader {
    fn file(&mut self, body: &Body) -> Option<SpecFile> {
        let context = self.context.clone();
        let defined = user_functions(body, "function", move || context.clone());
        let (functions, rest) = self.diagnostics.absorb(defined);
        let schema = kinds::schema(&[], []).with_block("variables", &[]);
        let before = self.diagnostics.mark();
        let content = rest.content_into(&schema, &mut self.diagnostics);
        self.explain_labels(before);
        let read = !self.diagnostics.failed_since(before);
        let (mut specs, mut variables) = (Vec::new(), BTreeMap::new());
        for block in &content.blocks {
            match block.block_type.as_str() {
                "variables" => {
                    for attribute in block.body.attributes_into(&mut self.diagnostics) {
                        let value = attribute.expression.evaluate_into(&self.context, &mut self.diagnostics);
                        variables.insert(attribute.name, value);
                    }
                }
                _ => specs.push(block),
            }
        }
        if let Some(second) = specs.get(1) {
            self.fail_several(specs[0], second, messages::several_top_level_specs());
        }
        let Some(first) = specs.first() else {
            if read {
                self.fail(&content.missing_item, messages::no_top_level_spec());
            }
            return None;
        };
        let description = self.comments.before(first);
        Some(SpecFile { spec: self.spec(first, None, false), description, variables, functions })
    }

    /// Explains where spec blocks can have labels in the errors about labels at the top of the file.
    fn explain_labels(&mut self, since: DiagnosticsMark) {
        let mut found = self.diagnostics.split_off(since);
        found.update(|diagnostic| {
            let header = diagnostic.source().zip(diagnostic.context());
            let is_spec = header.is_some_and(|(source, span)| !source.slice(span).starts_with("variables"));
            if diagnostic.has_code(Code::ExtraLabel) && is_spec {
                let note = format!("{} {}", diagnostic.note(), messages::LABELS_IN_OBJECTS);
                return diagnostic.with_note(note);
            }
            diagnostic
        });
        self.diagnostics.append(found);
    }

    /// The one spec block in a body.
    fn only(&mut self, content: &Content, in_block: bool) -> Option<Spec> {
        let Some(first) = content.blocks.first() else {
            self.fail(&content.missing_item, messages::no_nested_spec());
            return None;
        };
        if let Some(second) = content.blocks.get(1) {
            self.fail_several(first, second, messages::several_nested_specs());
        }
        Some(self.spec(first, None, in_block))
    }

    /// The value of a constant argument, converted to a type; `None` if it is missing, null or invalid.
    fn constant(&mut self, content: &Content, name: &str, ty: &Type) -> Option<Value> {
        let attribute = content.attributes.get(name)?;
        let value = match attribute.expression.evaluate(&Context::new()) {
            Ok(value) => value,
            Err(found) => {
                self.diagnostics.append(found);
                return None;
            }
        };
        if value.is_null() {
            return None;
        }
        match value.convert(ty) {
            Ok(value) => Some(value),
            Err(problem) => {
                let place = attribute.expression.place_of(&problem.path());
                self.fail(&place, messages::invalid_spec_argument(name, &problem.to_string()));
                None
            }
        }
    }

    fn text(&mut self, content: &Content, name: &str) -> Option<Name> {
        self.constant(content, name, &Type::String)?.as_str().map(Name::from)
    }

    fn flag(&mut self, content: &Content, name: &str) -> bool {
        self.constant(content, name, &Type::Bool).is_some_and(|value| value.as_bool() == Some(true))
    }

    /// A whole number. A negative number is treated as missing.
    fn count(&mut self, content: &Content, name: &str) -> Option<usize> {
        let value = self.constant(content, name, &Type::Number)?;
        let count = value.as_number().and_then(hclkit_value::Number::to_i64);
        if count.is_none() {
            self.fail_argument(content, name, messages::whole_number_required(name));
        }
        usize::try_from(count?).ok()
    }

    fn fail(&mut self, place: &Place, message: Message) {
        self.diagnostics.push(message.at(place));
    }

    /// An error about a block.
    fn fail_at(&mut self, block: &Block, message: Message) {
        self.fail_span(block, block.definition_span, message);
    }

    /// Reports a second block where only one is allowed.
    fn fail_several(&mut self, first: &Block, second: &Block, message: Message) {
        let error = message.in_source(&second.source, second.definition_span);
        self.diagnostics.push(error.with_related(&first.source, first.definition_span, FIRST_DEFINED));
    }

    fn fail_span(&mut self, block: &Block, span: Span, message: Message) {
        self.diagnostics.push(message.in_source(&block.source, span));
    }

    /// An error about the value of an argument.
    fn fail_in(&mut self, attribute: &Attribute, message: Message) {
        self.diagnostics.push(message.in_source(&attribute.source, attribute.expression.span()));
    }

    fn fail_argument(&mut self, content: &Content, name: &str, message: Message) {
        if let Some(attribute) = content.attributes.get(name) {
            self.fail_in(attribute, message);
        }
    }
}
