//! Arguments such as `sensitive`, which decide whether something may be shown. Only what is plainly `false` is no.

use hclkit_syntax::ast::Item;
use hclkit_syntax::json::JsonKind;
use hclkit_syntax::nearest_name;

use super::{Body, Form};
use crate::{Context, Expression};

/// The fewest characters that are the beginning of a name, as while it is typed.
const FEWEST: usize = 3;

/// What a body says with an argument that is `true` or `false`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Flag {
    /// It is `false` or not set.
    False,
    /// It is `true`.
    True,
    /// It is set to something else: to nothing, `null`, a misspelled or an unknown value, twice, or as a block. Or its name
    /// is unfinished or misspelled.
    Unclear,
}

impl Flag {
    /// Whether the argument may be meant as `true`.
    pub fn may_be_true(self) -> bool {
        self != Self::False
    }
}

impl Body {
    /// Reads an argument that is `true` or `false`, as literals or constant expressions, also in a string. In the JSON syntax,
    /// as in Terraform, a string is not a template.
    ///
    /// ```
    /// use hclkit_model::{Body, Flag};
    /// use hclkit_syntax::Source;
    ///
    /// let flag = |text: &str| Body::parse(Source::new("", text)).0.flag("sensitive");
    /// assert_eq!(flag("sensitive = false\n"), Flag::False);
    /// assert_eq!(flag("sensitive = \"true\"\n"), Flag::True);
    /// assert_eq!(flag("sensitive = tru\n"), Flag::Unclear);
    /// assert_eq!(flag("sensitve = true\n"), Flag::Unclear);
    /// ```
    #[doc(hidden)]
    pub fn flag(&self, name: &str) -> Flag {
        let mut found: Option<Flag> = None;
        self.each_mention(name, &mut |value| {
            let own = value.map_or(Flag::Unclear, |value| flag_of(&value));
            found = Some(match found {
                // The first of two arguments counts, and the second one is an error.
                Some(Flag::True) => Flag::True,
                Some(first) if first != own => Flag::Unclear,
                _ => own,
            });
        });
        found.unwrap_or(Flag::False)
    }

    /// Calls a function with the value of each argument that has this name. Other items with this name have no value, and
    /// arguments with a similar one.
    fn each_mention(&self, name: &str, call: &mut dyn FnMut(Option<Expression>)) {
        match &self.0 {
            Form::Native(body) => {
                for item in body.shown_items() {
                    match item {
                        Item::Attribute(own) if own.name() == name => {
                            call(Some(Expression::from_ast(own.value())));
                        }
                        Item::Attribute(own) if is_meant(own.name(), name) => call(None),
                        Item::Block(own) if is_meant(own.block_type(), name) => call(None),
                        _ => {}
                    }
                }
                body.unfinished().filter(|own| is_meant(own.text(), name)).for_each(|_| call(None));
            }
            Form::Json(body) => {
                for property in body.shown_properties() {
                    let own = property.name().value();
                    if *own == *name {
                        let is_block =
                            matches!(property.value().kind(), JsonKind::Object(_) | JsonKind::Array(_));
                        call((!is_block).then(|| Expression::from_json(property.value())));
                    } else if is_meant(&own, name) {
                        call(None);
                    }
                }
            }
            Form::Merged(bodies) => bodies.iter().for_each(|body| body.each_mention(name, call)),
            Form::Expanded(body) => body.original().each_mention(name, call),
            Form::Overridden(body) => body.bodies().iter().for_each(|body| body.each_mention(name, call)),
        }
    }
}

/// Whether a written name is a flag, or was probably meant to be one.
fn is_meant(written: &str, flag: &str) -> bool {
    let is_beginning = written.len() >= FEWEST && flag.starts_with(written);
    is_beginning || nearest_name(written, [flag]).is_some()
}

fn flag_of(value: &Expression) -> Flag {
    let (value, found) = value.evaluate_lenient(&Context::new());
    if found.has_errors() {
        return Flag::Unclear;
    }
    match value.convert(&hclkit_value::Type::Bool).ok().and_then(|value| value.as_bool()) {
        Some(true) => Flag::True,
        Some(false) => Flag::False,
        None => Flag::Unclear,
    }
}
