//! Variables: their defaults, and the text that replaces them.

use std::collections::BTreeMap;

use hclkit_model::{Attribute, Block, Computation, Context, Expression, Schema, constraint_of};
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::{Name, Number, Type, Value};

use crate::entry::{fields, flag};
use crate::messages;

/// A variable of a file.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) place: Place,
    /// The type, if the block has one.
    ty: Option<Type>,
    pub(crate) default: Option<Expression>,
    pub(crate) validations: Vec<(Expression, Option<Expression>)>,
    /// What sets it from outside: where the text comes from, and the text.
    given: Option<(String, RawValue)>,
    /// Whether the value is treated as unknown, because the variable may be set from outside.
    is_unknown: bool,
}

#[derive(Clone, Debug)]
enum RawValue {
    Text(String),
    Json(String),
}

/// The texts that set variables, by name. The command line takes precedence over the environment.
pub(crate) type Texts = BTreeMap<String, (String, String)>;

impl Variable {
    /// Reads a block.
    pub(crate) fn read(block: &Block, is_unknown: bool, diagnostics: &mut Diagnostics) -> Self {
        let schema = ["type", "default", "description"];
        let schema = schema.iter().fold(Schema::new(), |schema, name| schema.with_optional(*name));
        let schema = schema.with_block("validation", &[]);
        let ((content, _), found) = block.body.partial_content(&schema);
        diagnostics.append(found);
        let ty = content.attributes.get("type");
        let ty = ty.filter(|ty| {
            let value = ty.expression.evaluate(&Context::new());
            !value.is_ok_and(|value| value.is_null())
        });
        let ty =
            ty.and_then(|ty| constraint_of(&ty.expression).map_err(|found| diagnostics.append(found)).ok());
        let default = content.attributes.get("default").map(|default| default.expression.clone());
        let schema = Schema::new().with_required("condition").with_required("error_message");
        let mut validations = Vec::new();
        for block in content.blocks_of("validation") {
            let inner = diagnostics.absorb(block.body.content(&schema));
            let part = |name| inner.attributes.get(name).map(|it: &Attribute| it.expression.clone());
            if let Some(condition) = part("condition") {
                validations.push((condition, part("error_message")));
            }
        }
        let (name, place) = (block.labels[0].clone(), block.definition_place());
        Self { name, place, ty, default, validations, given: None, is_unknown }
    }

    /// An attribute at the top level of the file replaces the type and the default.
    pub(crate) fn set_default(&mut self, attribute: &Attribute) {
        (self.ty, self.default) = (None, Some(attribute.expression.clone()));
    }

    /// Finds the text that sets the variable. JSON counts if the type is set, or if there is no other text.
    pub(crate) fn find_text(&mut self, texts: &Texts, is_name: impl Fn(&str) -> bool) {
        let json_name = format!("{}_JSON", self.name);
        let plain = texts.get(self.name.as_str());
        if (plain.is_none() || self.ty.is_some())
            && let Some((origin, json)) = texts.get(&json_name).filter(|_| !is_name(&json_name))
        {
            let given =
                if self.ty.is_some() { RawValue::Json(json.clone()) } else { RawValue::Text(json.clone()) };
            self.given = Some((origin.clone(), given));
            return;
        }
        self.given = plain.map(|(origin, text)| (origin.clone(), RawValue::Text(text.clone())));
    }

    /// The value of a text.
    fn value_of_text(&self, given: &RawValue, default: Option<&Value>) -> Result<Value, String> {
        let text = match (given, &self.ty) {
            (RawValue::Json(text), Some(ty)) => {
                return Value::from_json(text.as_bytes(), ty).map_err(|error| error.to_string());
            }
            (RawValue::Json(text) | RawValue::Text(text), _) => text,
        };
        match (&self.ty, default) {
            (Some(ty @ (Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_))), _) => list(text, ty),
            (Some(ty), _) => primitive(text, ty),
            (None, None) => Ok(Value::from(text)),
            (None, Some(default)) if default.ty() == Type::Dynamic => Ok(Value::from(text)),
            (None, Some(default)) => primitive(text, &default.ty()),
        }
    }
}

impl Computation for Variable {
    fn expressions(&self) -> Vec<Expression> {
        self.default.iter().cloned().collect()
    }

    fn compute(&self, context: &Context) -> (Value, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let default = self.default.as_ref().map(|expression| {
            let (value, found) = expression.evaluate_lenient(context);
            let failed = found.has_errors();
            diagnostics.append(found);
            let Some(ty) = self.ty.as_ref().filter(|_| !failed) else { return value };
            value.convert(ty).unwrap_or_else(|error| {
                let problem = messages::invalid_default(&self.name, &error.to_string());
                diagnostics.push(problem.at(expression.place_of(&error.path())));
                Value::unknown(ty.without_optional())
            })
        });
        if self.is_unknown {
            let ty = match (&self.ty, &default) {
                (Some(ty), _) => ty.without_optional(),
                (None, None) => Type::String,
                // Text is converted to the type of the default.
                (None, Some(default)) if default.ty().is_primitive() => default.ty(),
                (None, Some(_)) => Type::Dynamic,
            };
            return (Value::unknown(ty), diagnostics);
        }
        let value = match (&self.given, default) {
            (Some((origin, given)), default) => {
                self.value_of_text(given, default.as_ref()).unwrap_or_else(|problem| {
                    let found = messages::invalid_text(origin, &self.name, &problem);
                    diagnostics.push(found.at(self.place.clone()));
                    Value::DYNAMIC
                })
            }
            (None, Some(default)) => default,
            (None, None) => match &self.ty {
                Some(ty) => Value::null(ty.without_optional()),
                None => Value::from(""),
            },
        };
        (value, diagnostics)
    }

    fn place(&self) -> Place {
        self.place.clone()
    }
}

/// The value of a text as Go reads it.
fn primitive(text: &str, ty: &Type) -> Result<Value, String> {
    match ty {
        Type::String => Ok(Value::from(text)),
        Type::Bool => flag(text).map(Value::from),
        Type::Number => {
            let number = float(text).filter(|number| number.is_finite());
            let number = number.and_then(|number| Number::try_from(number).ok());
            number.map(Value::from).ok_or_else(|| messages::number_required(text))
        }
        _ => Err(messages::not_from_text(&ty.friendly_name())),
    }
}

/// A number as Go reads it: underscores separate digits, and `0x1.8p3` is hexadecimal with a power of two.
#[expect(clippy::cast_precision_loss, reason = "the number is rounded to 64 bits, as in Go")]
fn float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let hexadecimal = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"));
    let digits = hexadecimal.unwrap_or(unsigned);
    let is_digit = |sign: char| sign.is_digit(if hexadecimal.is_some() { 16 } else { 10 });
    let is_separator = |(at, _): (usize, &str)| {
        let before = digits[..at].chars().next_back();
        let after = digits[at + 1..].chars().next();
        before.map_or(hexadecimal.is_some(), is_digit) && after.is_some_and(is_digit)
    };
    if !digits.match_indices('_').all(is_separator) {
        return None;
    }
    let digits = digits.replace('_', "");
    let number = if hexadecimal.is_some() {
        let (mantissa, exponent) = digits.split_once(['p', 'P'])?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let significant = format!("{whole}{fraction}");
        if !significant.chars().all(is_digit) {
            return None;
        }
        let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
        u64::from_str_radix(&significant, 16).ok()? as f64 * 2_f64.powi(exponent)
    } else {
        digits.parse().ok()?
    };
    Some(if text.starts_with('-') { -number } else { number })
}

/// A collection from values that are separated by commas; those of a map are `name:value`.
fn list(text: &str, ty: &Type) -> Result<Value, String> {
    let all = fields(text, ',')?;
    let elements =
        |element: &Type| all.iter().map(|field| primitive(field, element)).collect::<Result<Vec<_>, _>>();
    let failed = |error: hclkit_value::BuildError| error.to_string();
    match ty {
        Type::List(element) => Value::list_of((**element).clone(), elements(element)?).map_err(failed),
        Type::Set(element) => Value::set_of((**element).clone(), elements(element)?).map_err(failed),
        Type::Map(element) => {
            let pair = |field: &String| match fields(field, ':')?.as_slice() {
                [name, value] => Ok((name.clone(), primitive(value, element)?)),
                _ => Err(messages::pair_required(field)),
            };
            let pairs = all.iter().map(pair).collect::<Result<Vec<_>, String>>()?;
            Value::map_of((**element).clone(), pairs).map_err(failed)
        }
        _ => {
            let types = ty.tuple_elements().unwrap_or_default();
            if types.len() != all.len() {
                return Err(messages::element_count(types.len(), all.len()));
            }
            let values = all.iter().zip(types).map(|(field, ty)| primitive(field, ty));
            Ok(Value::tuple(values.collect::<Result<Vec<_>, _>>()?))
        }
    }
}
