//! The arguments of a data source, as its provider declares them.

use hclkit_value::{Name, Str, Type, Value};

use super::Refusal;

/// An argument or a nested block that a data source has.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) kind: ArgumentKind,
    pub(super) is_required: bool,
}

#[derive(Clone, Copy)]
pub(super) enum ArgumentKind {
    Text,
    Bool,
    /// A list or a set of strings, in the order in which they are written.
    Texts,
    TextMap,
    Blocks(&'static [Argument]),
}

/// Declares an argument that may be left out.
pub(super) const fn optional(name: &'static str, kind: ArgumentKind) -> Argument {
    Argument { name, kind, is_required: false }
}

/// Declares an argument that must be set.
pub(super) const fn required(name: &'static str, kind: ArgumentKind) -> Argument {
    Argument { name, kind, is_required: true }
}

/// The values of arguments: known, without marks, and of their types. What is null is left out.
#[derive(Debug, Default)]
pub(super) struct Arguments(Vec<(&'static str, Given)>);

#[derive(Debug)]
enum Given {
    Text(Str),
    Bool(bool),
    Texts(Vec<Str>),
    TextMap(Vec<(Str, Str)>),
    Blocks(Vec<Arguments>),
}

impl Arguments {
    /// Reads the arguments of an object. The values have no marks.
    ///
    /// # Errors
    /// A value is unknown, of another type, or of an argument that is not declared: another version of the provider may have it.
    pub(super) fn read<'v>(
        values: impl IntoIterator<Item = (&'v str, &'v Value)>,
        declared: &'static [Argument],
    ) -> Result<Self, Refusal> {
        let mut own = Self::default();
        for (name, value) in values {
            let is_absent = value.is_null() || value.as_slice().is_some_and(<[Value]>::is_empty);
            let known = declared.iter().find(|argument| argument.name == name);
            match known {
                // A list without elements is one that is set, but no blocks are none.
                Some(argument) if !value.is_null() => {
                    own.0.push((argument.name, given(value, argument.kind)?));
                }
                None if !is_absent => return Err(Refusal::Unknown),
                _ => {}
            }
        }
        let is_given = |argument: &Argument| own.0.iter().any(|(name, _)| *name == argument.name);
        let mut required = declared.iter().filter(|argument| argument.is_required);
        if required.all(is_given) { Ok(own) } else { Err(Refusal::Unknown) }
    }

    fn get(&self, name: &str) -> Option<&Given> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, given)| given)
    }

    /// A string that is set.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Given::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn bool(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Given::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn texts(&self, name: &str) -> &[Str] {
        match self.get(name) {
            Some(Given::Texts(all)) => all,
            _ => &[],
        }
    }

    pub(super) fn text_map(&self, name: &str) -> Option<&[(Str, Str)]> {
        match self.get(name)? {
            Given::TextMap(all) => Some(all),
            _ => None,
        }
    }

    pub(super) fn blocks(&self, name: &str) -> &[Self] {
        match self.get(name) {
            Some(Given::Blocks(all)) => all,
            _ => &[],
        }
    }
}

fn given(value: &Value, kind: ArgumentKind) -> Result<Given, Refusal> {
    let text = |value: &Value| match value.convert(&Type::String).as_ref().map(Value::as_str) {
        Ok(Some(text)) => Ok(Str::from(text)),
        _ => Err(Refusal::Unknown),
    };
    Ok(match kind {
        ArgumentKind::Text => Given::Text(text(value)?),
        ArgumentKind::Bool => {
            let value = value.convert(&Type::Bool).ok().and_then(|value| value.as_bool());
            Given::Bool(value.ok_or(Refusal::Unknown)?)
        }
        ArgumentKind::Texts => {
            let all = value.as_slice().ok_or(Refusal::Unknown)?;
            Given::Texts(all.iter().map(text).collect::<Result<_, _>>()?)
        }
        ArgumentKind::TextMap => {
            let all = value.entries().ok_or(Refusal::Unknown)?;
            let one = |(name, value): (&Str, &Value)| text(value).map(|text| (name.clone(), text));
            Given::TextMap(all.map(one).collect::<Result<_, _>>()?)
        }
        ArgumentKind::Blocks(declared) => {
            // In the JSON syntax, one block can be an object.
            let all = value.as_slice().unwrap_or(std::slice::from_ref(value));
            Given::Blocks(all.iter().map(|block| nested(block, declared)).collect::<Result<_, _>>()?)
        }
    })
}

fn nested(block: &Value, declared: &'static [Argument]) -> Result<Arguments, Refusal> {
    let entries = block.entries().filter(|_| !block.is_null()).ok_or(Refusal::Unknown)?;
    hclkit_limits::with_room(|| {
        Arguments::read(entries.map(|(name, value)| (name.as_str(), value)), declared)
    })
}

/// The values of an object without marks, and whether they are all known.
pub(super) fn bare(values: &[(Name, Value)]) -> Option<Vec<(Name, Value)>> {
    let all_known = values.iter().all(|(_, value)| value.is_wholly_known());
    all_known.then(|| values.iter().map(|(name, value)| (name.clone(), value.unmark_deep().0)).collect())
}
