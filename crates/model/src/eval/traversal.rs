//! Variables, attributes and elements. Specification: "Variables and Variable Expressions", "Index Operator",
//! "Attribute Access Operator".

use hclkit_limits::Meter;
use hclkit_syntax::{Code, Span};
use hclkit_value::{Kind, Number, Str, Type, Value};

use super::Evaluator;
use crate::context::Lookup;
use crate::messages::{self, Message, Text};
use crate::node::{Access, Base, Kind as NodeKind, Node, Step, StepKind};
use crate::suggest::near_name;

/// The number of bytes of a key that count as one step.
const KEY_STEP: usize = 64;

/// Why a value has no such attribute or element.
pub(crate) struct Fault {
    /// A reference, because faults are returned by value.
    code: &'static Code,
    detail: Text,
    /// The message if the value or the key must not be shown.
    redacted: Text,
    /// The value with other names, one of which may have been meant. They are searched only if the error is kept.
    wanted: Option<Wanted>,
}

/// A missing name.
struct Wanted {
    name: Str,
    of: Value,
    /// True if the message may suggest another name.
    offers: bool,
}

impl Wanted {
    /// The suggested name.
    fn meant(&self) -> Option<String> {
        let ty;
        let nearest = match self.of.kind() {
            Kind::Object(object) => {
                near_name(&self.name, object.iter().len(), object.iter().map(|(name, _)| name.as_str()))
            }
            Kind::Map(map) => {
                near_name(&self.name, map.iter().len(), map.iter().map(|(name, _)| name.as_str()))
            }
            _ => {
                ty = self.of.ty();
                let names = ty.as_object()?.names();
                near_name(&self.name, names.len(), names.iter().map(Str::as_str))
            }
        };
        nearest.map(str::to_owned)
    }

    /// The suggestion as a question at the end of the message.
    fn hint(&self, meant: &str) -> String {
        match self.of.kind() {
            Kind::Map(_) => messages::did_you_mean_key(meant),
            _ => messages::did_you_mean(Some(meant)),
        }
    }
}

impl Fault {
    /// One whose detail contains nothing of the value or the key.
    fn new(message: Message) -> Self {
        let Message { code, note } = message;
        Self { code, redacted: note.clone(), detail: note, wanted: None }
    }

    /// A fault whose message contains a value, and the message that replaces it if the value must not be shown.
    fn of_value(message: Message, redacted: Message) -> Self {
        Self { code: message.code, detail: message.note, redacted: redacted.note, wanted: None }
    }
}

impl Evaluator<'_> {
    pub(super) fn access(&mut self, access: &Access) -> Value {
        if self.trace.is_some() {
            self.touch(access);
        }
        let context = self.context;
        let start = |value: &Value| {
            let (value, taken) = walk(value, &access.steps);
            (value.clone(), taken)
        };
        let (mut value, taken) = match &access.base {
            Base::Variable(name) => match context.look_up_variable(name) {
                Lookup::Found(value) => start(value),
                _ if self.knowledge.is_some() => (Value::DYNAMIC, access.traversal_len()),
                _ if context.has_runtime_names() => (self.runtime_text(access), access.traversal_len()),
                Lookup::Unknown => {
                    self.unknown_variable(name, access.base_span);
                    (Value::DYNAMIC, access.traversal_len())
                }
                Lookup::NotAllowed => {
                    self.report(messages::variables_not_allowed().at(access.base_span));
                    (Value::DYNAMIC, access.traversal_len())
                }
            },
            Base::Local { slot, .. } | Base::Element { slot } => match self.locals.get(*slot) {
                Some(value) => start(value),
                None => (Value::DYNAMIC, 0),
            },
            Base::Node(node) => (self.eval(node), 0),
        };
        for step in &access.steps[taken..] {
            value = self.step(access, &value, step);
        }
        value
    }

    /// The value of a node if it exists without evaluation: a constant, or a variable with steps that lead to parts of
    /// it. If values are recorded, variables are evaluated like everything else.
    #[inline]
    pub(super) fn peek<'s>(&'s self, node: &'s Node) -> Option<&'s Value> {
        match &node.kind {
            NodeKind::Constant(value) | NodeKind::Folded(value, _) => Some(value),
            NodeKind::Access(access) if !self.observed => {
                let base = match &access.base {
                    Base::Local { slot, .. } | Base::Element { slot } => self.locals.get(*slot)?,
                    Base::Variable(name) => self.context.variable(name)?,
                    Base::Node(_) => return None,
                };
                if access.steps.is_empty() {
                    return Some(base);
                }
                let (value, taken) = walk(base, &access.steps);
                (taken == access.steps.len()).then_some(value)
            }
            _ => None,
        }
    }

    /// The value of a node, evaluated if necessary.
    #[inline]
    pub(super) fn value_of(&mut self, node: &Node) -> Value {
        match self.peek(node) {
            Some(value) => value.clone(),
            None => self.eval(node),
        }
    }

    fn step(&mut self, access: &Access, value: &Value, step: &Step) -> Value {
        let result = match &step.kind {
            StepKind::Attribute(_, name) => attribute(value, name),
            StepKind::Key(key) => index(value, key),
            StepKind::Index(node) => {
                let key = self.eval(node);
                index(value, &key)
            }
        };
        result.unwrap_or_else(|fault| {
            self.fault(access, step, fault);
            Value::DYNAMIC
        })
    }

    #[cold]
    fn fault(&mut self, access: &Access, step: &Step, fault: Fault) {
        if !self.diagnostics.has_room() {
            return self.diagnostics.count_error();
        }
        let before = access.steps.iter().take_while(|other| other.span != step.span).count();
        let Fault { code, detail, redacted, wanted } = fault;
        let hidden = self.hides_step(access, before);
        let wanted = wanted.filter(|_| !hidden);
        let meant = wanted.as_ref().and_then(Wanted::meant);
        let detail = match wanted.as_ref().zip(meant.as_ref()) {
            _ if hidden => redacted,
            Some((wanted, meant)) => format!("{detail}{}", wanted.hint(meant)).into(),
            None => detail,
        };
        let mut diagnostic =
            Message { code, note: detail }.at(step.span).with_context(access.base_span.cover(step.span));
        let meant = meant.filter(|_| wanted.is_some_and(|wanted| wanted.offers));
        if let (Some(meant), StepKind::Attribute(name, _)) = (meant, &step.kind) {
            let written = Span::new(step.span.end.saturating_sub(name.len() as u32), step.span.end);
            diagnostic = diagnostic.with_edit(messages::fix::write(&meant), written, meant);
        }
        let evidence = crate::evidence::of_access(self.context, &self.locals, self.source, access, step);
        self.report(diagnostic.with_evidence(evidence));
    }

    /// The text of a reference to a name that the program defines later, as the sequence of a template. If it is one, the
    /// spaces in it are kept.
    #[cold]
    fn runtime_text(&mut self, access: &Access) -> Value {
        let span = access.span_of(access.traversal_len());
        let Some(source) = self.source else { return Value::DYNAMIC };
        let text = source.slice(span);
        let outer = (source.text().get(..span.start as usize), source.text().get(span.end as usize..));
        let (before, after) = (outer.0.unwrap_or_default(), outer.1.unwrap_or_default());
        let (inside, rest) = (before.trim_end_matches(' '), after.trim_start_matches(' '));
        let (left, right) = (&before[inside.len()..], &after[..after.len() - rest.len()]);
        if !self.take_bytes(left.len() + text.len() + right.len(), span) {
            return Value::DYNAMIC;
        }
        if inside.ends_with("${") && rest.starts_with('}') {
            Value::from(format!("${{{left}{text}{right}}}"))
        } else {
            Value::from(format!("${{{text}}}"))
        }
    }

    #[cold]
    fn unknown_variable(&mut self, name: &str, span: Span) {
        if !self.diagnostics.has_room() {
            return self.diagnostics.count_error();
        }
        let meant = self.context.near_variable(name);
        let diagnostic = messages::unknown_variable(name, meant.as_deref()).at(span);
        self.report(match meant {
            Some(meant) => diagnostic.with_edit(messages::fix::write(&meant), span, meant),
            None => diagnostic,
        });
    }
}

/// Follows steps as long as they lead to existing parts, without copies. Returns the number of steps.
pub(super) fn walk<'v>(value: &'v Value, steps: &[Step]) -> (&'v Value, usize) {
    let (mut at, mut taken) = (value, 0);
    for step in steps {
        match part(at, step).or_else(|| known_part(at, step)) {
            Some(part) => at = part,
            None => break,
        }
        taken += 1;
    }
    (at, taken)
}

/// The part that a step leads to, if it exists.
fn part<'v>(of: &'v Value, step: &Step) -> Option<&'v Value> {
    match &step.kind {
        StepKind::Attribute(_, name) => match (of.as_object(), of.as_map()) {
            (Some(object), _) => step.last.find(|last| object.get_near(name, last)),
            (_, Some(map)) => map.get(name),
            _ => None,
        },
        StepKind::Key(key) => match of.kind() {
            Kind::Object(object) => key.as_str().and_then(|key| object.get(key)),
            Kind::Map(map) => key.as_str().and_then(|key| map.get(key)),
            Kind::List(list) => position(key).and_then(|key| list.get(key)),
            Kind::Tuple(tuple) => position(key).and_then(|key| tuple.get(key)),
            _ => None,
        },
        StepKind::Index(_) => None,
    }
}

/// The same among the known parts of an open value. It is apart so that the frequent case stays short.
#[cold]
fn known_part<'v>(of: &'v Value, step: &Step) -> Option<&'v Value> {
    part(of.known_parts()?, step)
}

fn position(key: &Value) -> Option<usize> {
    key.as_number()?.to_u64().and_then(|key| usize::try_from(key).ok())
}

/// The attribute of a value, by the rules of the operator `.`.
pub(crate) fn attribute(value: &Value, name: &Str) -> Result<Value, Fault> {
    if value.is_null() {
        return Err(Fault::new(messages::null_has_no_attribute(name)));
    }
    let (bare, marks) = value.unmark();
    let found = match bare.kind() {
        Kind::Object(object) => match object.get(name) {
            Some(value) => value.clone(),
            None => return Err(no_attribute(name, bare)),
        },
        Kind::Map(map) => match map.get(name) {
            Some(value) => value.clone(),
            None => return Err(no_element(name, bare)),
        },
        Kind::Unknown(ty, _) => match &ty {
            Type::Dynamic => bare.attribute(name).unwrap_or(Value::DYNAMIC),
            Type::Map(element) => Value::unknown(Type::clone(element)),
            Type::Object(object) => match object.get(name) {
                Some(ty) => Value::unknown(ty.clone()),
                None => return Err(no_attribute(name, bare)),
            },
            ty => return Err(without_attributes(ty, name)),
        },
        _ => return Err(without_attributes(&bare.ty(), name)),
    };
    Ok(found.with_marks(&marks))
}

#[cold]
fn no_attribute(name: &Str, of: Value) -> Fault {
    let fault = Fault::new(messages::no_attribute(name));
    Fault { wanted: Some(Wanted { name: name.clone(), of, offers: true }), ..fault }
}

#[cold]
fn no_element(key: &Str, of: Value) -> Fault {
    let fault = Fault::new(messages::no_map_element(key));
    Fault { wanted: Some(Wanted { name: key.clone(), of, offers: false }), ..fault }
}

#[cold]
fn without_attributes(ty: &Type, name: &str) -> Fault {
    Fault::new(messages::no_attributes(ty, name))
}

/// The element of a value with a key, by the rules of the operator `[…]`.
pub(crate) fn index(collection: &Value, key: &Value) -> Result<Value, Fault> {
    if collection.is_null() {
        return Err(Fault::new(messages::null_has_no_elements()));
    }
    if key.is_null() {
        return Err(Fault::new(messages::null_index()));
    }
    let (bare, marks) = collection.unmark();
    // Only the kind of a known value matters, and computing its whole type takes time.
    let ty = match bare.kind() {
        Kind::Object(_) => return attribute_by_key(collection, bare, key),
        Kind::Tuple(_) | Kind::List(_) => Type::list(Type::Dynamic),
        Kind::Map(_) => Type::map(Type::Dynamic),
        _ => bare.ty(),
    };
    if bare.known_parts().is_some() {
        // As for objects, marks of a name do not matter.
        let name = key.unmark().0;
        let key = if name.as_str().is_some() { &name } else { key };
        return Ok(bare.index(key).unwrap_or(Value::DYNAMIC).with_marks(&marks));
    }
    if key.has_type(&Type::Dynamic) || ty == Type::Dynamic {
        return Ok(Value::DYNAMIC.with_marks(&marks));
    }
    match &ty {
        Type::Object(_) => attribute_by_key(collection, bare, key),
        Type::List(_) | Type::Tuple(_) => element(collection, &converted(key, &Type::Number)?),
        Type::Map(_) => element(collection, &converted(key, &Type::String)?),
        Type::Set(_) => Err(Fault::new(messages::set_index())),
        ty => Err(Fault::new(messages::no_elements(ty))),
    }
}

/// The attribute of an object, whose value without marks is `bare`, under a key.
fn attribute_by_key(object: &Value, bare: Value, key: &Value) -> Result<Value, Fault> {
    let unknown = || Ok(Value::DYNAMIC.with_marks(&object.marks()));
    if key.has_type(&Type::Dynamic) {
        return unknown();
    }
    let (key, _) = converted(key, &Type::String)?.unmark();
    let Some(name) = key.as_str() else { return unknown() };
    // If this exceeds the limit, the next step ends the evaluation.
    let _ = Meter::current().take_steps((name.len() / KEY_STEP) as u64);
    let name = Str::from(name);
    let has = match bare.kind() {
        Kind::Object(object) => object.get(&name).is_some(),
        _ => bare.ty().attribute(&name).is_some(),
    };
    if has {
        return attribute(object, &name);
    }
    let mut fault = no_attribute(&name, bare);
    fault.code = &Code::InvalidIndex;
    fault.redacted = messages::NO_SUCH_ATTRIBUTE.into();
    fault.wanted = fault.wanted.map(|wanted| Wanted { offers: false, ..wanted });
    Err(fault)
}

fn converted(key: &Value, ty: &Type) -> Result<Value, Fault> {
    if key.has_type(ty) {
        return Ok(key.clone());
    }
    key.convert(ty).map_err(|error| {
        let message = |error: String| messages::invalid_index(&error);
        Fault::of_value(message(error.to_string()), message(error.redacted().to_string()))
    })
}

fn element(collection: &Value, key: &Value) -> Result<Value, Fault> {
    let refuse = |error: hclkit_value::Error| {
        let message = messages::index_failed;
        Fault::of_value(message(error.to_string()), message(error.redacted().to_string()))
    };
    let has = collection.has_index(key).map_err(refuse)?;
    match has.unmark().0.as_bool() {
        Some(false) => Err(no_such_element(collection, key)),
        Some(true) => collection.index(key).map_err(refuse),
        None => {
            let element = collection.ty().element().cloned().unwrap_or(Type::Dynamic);
            Ok(Value::unknown(element).with_marks(&collection.marks()))
        }
    }
}

#[cold]
fn no_such_element(collection: &Value, key: &Value) -> Fault {
    let ((bare, _), (key, _)) = (collection.unmark(), key.unmark());
    if bare.as_map().is_some() {
        let fault = no_element(&Str::from(key.as_str().unwrap_or_default()), bare);
        let redacted = messages::no_such_element("map").note;
        return Fault { code: &Code::InvalidIndex, redacted, ..fault };
    }
    let what = match bare.kind() {
        Kind::Tuple(_) => "tuple",
        Kind::Unknown(ty, _) if ty.tuple_elements().is_some() => "tuple",
        _ => "list",
    };
    let count = bare.length().ok().and_then(|length| length.as_number().and_then(Number::to_u64));
    let whole = key.as_number().is_none_or(|number| number.to_i128().is_some());
    let negative = key.as_number().and_then(Number::to_i128).is_some_and(|key| key < 0);
    let message = match count {
        _ if !whole => messages::fractional_index(),
        _ if negative => messages::negative_index(),
        Some(count) => messages::index_out_of_range(what, count),
        None => messages::no_such_element(what),
    };
    Fault::of_value(message, messages::no_such_element(what))
}
