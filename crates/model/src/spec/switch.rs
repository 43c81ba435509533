//! Specs that depend on a label of the block: the bodies of `listener "http"` and `listener "tcp"` can differ.

use hclkit_limits::with_room;
use hclkit_value::{Name, Str, Type};

use super::{DefaultSpec, Nested, ObjectSpec, Spec, TupleSpec};

/// See [`Spec::Switch`].
///
/// ```
/// use hclkit_model::{AttributeSpec, BlocksSpec, Body, Context, Spec, SwitchSpec};
/// use hclkit_syntax::Source;
/// use hclkit_value::Type;
///
/// let inside = SwitchSpec::new(0)
///     .with_case("http", AttributeSpec::new("path", Type::String))
///     .with_case("tcp", AttributeSpec::new("port", Type::Number).with_required());
/// let spec = Spec::BlockTuple(BlocksSpec::new("listener", inside));
/// let source = Source::new("", "listener \"http\" {\n  path = \"/\"\n}\nlistener \"tcp\" {\n  path = \"/\"\n}\n");
/// let (body, mut diagnostics) = Body::parse(source);
/// diagnostics.absorb(spec.decode(&body, &Context::new()));
/// let errors: Vec<_> = diagnostics.iter().map(|error| error.summary().to_string()).collect();
/// assert_eq!(errors, ["Missing required argument", "Unsupported argument"]);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SwitchSpec {
    /// The index of the label, from 0.
    pub index: usize,
    /// The values of the label, and the spec for each.
    pub cases: Vec<(Str, Spec)>,
    /// The spec for all other values. Without it, they are errors.
    pub other: Option<Box<Spec>>,
}

impl SwitchSpec {
    /// A choice by the label with this index, from 0, without any cases.
    pub fn new(index: usize) -> Self {
        Self { index, cases: Vec::new(), other: None }
    }

    /// Adds the spec for a value of the label.
    #[must_use]
    pub fn with_case(mut self, label: impl Into<Str>, spec: impl Into<Spec>) -> Self {
        self.cases.push((label.into(), spec.into()));
        self
    }

    /// Sets the spec for all other values of the label.
    #[must_use]
    pub fn with_other(mut self, spec: impl Into<Spec>) -> Self {
        self.other = Some(Box::new(spec.into()));
        self
    }

    /// The specs of all cases.
    pub(super) fn specs(&self) -> impl Iterator<Item = &Spec> {
        self.cases.iter().map(|(_, spec)| spec).chain(self.other.as_deref())
    }

    /// The type of all cases, if it is the same.
    pub(super) fn implied_type(&self) -> Type {
        let mut types = self.specs().map(Spec::implied_type);
        let Some(first) = types.next() else { return Type::Dynamic };
        if types.all(|ty| ty == first) { first } else { Type::Dynamic }
    }
}

/// The specs of the body of a block by the value of a label.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Cases {
    /// The index of the label, from 0, without those that are keys of a map.
    pub index: usize,
    /// The values of the label, and the spec of the body for each.
    pub by_label: Vec<(Str, Nested)>,
    /// The spec of the body for all other values.
    pub other: Option<Nested>,
}

impl Cases {
    /// The spec for a value of the label.
    pub fn get(&self, label: &str) -> Option<&Nested> {
        let found = self.by_label.iter().find(|(own, _)| **own == *label);
        found.map(|(_, nested)| nested).or(self.other.as_ref())
    }
}

/// What the choices of the switches in a spec make.
struct Choices {
    /// How many there are.
    count: usize,
    /// The number of specs in all of them.
    size: usize,
    /// The number of switches.
    switches: usize,
}

impl Nested {
    /// The specs by the value of a label, if the spec of the body has a [switch](Spec::Switch). If it has several, the specs can have
    /// cases, too.
    pub fn cases(&self) -> Option<&Cases> {
        self.cases_by(|| {
            let switch = self.first_switch()?;
            let resolved = |spec: &Spec| Self::new(self.with_switch_as(&mut Some(spec)));
            Some(Cases {
                index: switch.index,
                by_label: switch.cases.iter().map(|(label, spec)| (label.clone(), resolved(spec))).collect(),
                other: switch.other.as_deref().map(resolved),
            })
        })
    }

    /// The spec of the body of a block with these labels, not counting those that are keys of a map. A switch that has no case for
    /// them remains.
    pub fn of_labels(&self, labels: &[Name]) -> &Self {
        let mut found = self;
        while let Some(cases) = found.cases() {
            let Some(next) = labels.get(cases.index).and_then(|label| cases.get(label)) else { break };
            found = next;
        }
        found
    }
}

impl Spec {
    /// How many specs there are if each choice of its switches is made, with those of the choices in between.
    pub(crate) fn size_of_choices(&self) -> usize {
        let Choices { count: _, size, switches } = self.choices();
        size.saturating_mul(switches.saturating_add(1))
    }

    fn choices(&self) -> Choices {
        let parts = self.parts().into_iter().map(|part| with_room(|| part.choices()));
        if let Self::Switch(_) = self {
            return parts.fold(Choices { count: 0, size: 0, switches: 1 }, |all, case| Choices {
                count: all.count.saturating_add(case.count),
                size: all.size.saturating_add(case.size),
                switches: all.switches.saturating_add(case.switches),
            });
        }
        parts.fold(Choices { count: 1, size: 1, switches: 0 }, |all, part| Choices {
            count: all.count.saturating_mul(part.count),
            size: all.size.saturating_mul(part.count).saturating_add(part.size.saturating_mul(all.count)),
            switches: all.switches.saturating_add(part.switches),
        })
    }

    fn first_switch(&self) -> Option<&SwitchSpec> {
        match self {
            Self::Switch(switch) => Some(switch),
            _ => self.parts().into_iter().find_map(|part| with_room(|| part.first_switch())),
        }
    }

    /// The spec with the first switch replaced.
    fn with_switch_as(&self, by: &mut Option<&Self>) -> Self {
        if by.is_none() || self.first_switch().is_none() {
            return self.clone();
        }
        let mut inner = |spec: &Self| with_room(|| spec.with_switch_as(by));
        match self {
            Self::Switch(_) => by.take().cloned().unwrap_or_else(|| self.clone()),
            Self::Object(object) => Self::Object(ObjectSpec::new(
                object.attributes().iter().map(|(name, spec)| (name.clone(), inner(spec))),
            )),
            Self::Tuple(tuple) => {
                Self::Tuple(TupleSpec { elements: tuple.elements.iter().map(inner).collect() })
            }
            Self::Default(default) => {
                Self::Default(DefaultSpec { specs: default.specs.iter().map(inner).collect() })
            }
            Self::Transform(transform) => {
                let mut transform = transform.clone();
                *transform.wrapped = inner(&transform.wrapped);
                Self::Transform(transform)
            }
            Self::Call(call) => {
                let mut call = call.clone();
                *call.wrapped = inner(&call.wrapped);
                Self::Call(call)
            }
            Self::Refine(refine) => {
                let mut refine = refine.clone();
                *refine.wrapped = inner(&refine.wrapped);
                Self::Refine(refine)
            }
            Self::Validate(validate) => {
                let mut validate = validate.clone();
                *validate.wrapped = inner(&validate.wrapped);
                Self::Validate(validate)
            }
            _ => self.clone(),
        }
    }
}
