//! References, and what they should name: undefined and incomplete names, and references with a key too many or too few, are errors.

use std::collections::HashSet;

use hclkit_dialect::{Dialect, Over, Role, Version};
use hclkit_model::{Context, Expression, Target, Traversal, TraversalStep};
use hclkit_syntax::{Diagnostic, Diagnostics, Span, nearest_name};
use hclkit_value::{Name, Value};

use crate::config::{self, Config, Content, Declaration, Item};
use crate::schema::{AttributeSchema, Schemas};
use crate::{messages, step};

/// The names of a directory, as far as references are concerned.
pub(crate) struct References<'c> {
    pub(crate) language: &'c Dialect,
    pub(crate) config: &'c Config,
    /// The first names of the addresses of objects.
    objects: HashSet<&'c Name>,
    /// Some objects are only for the check that they are in.
    has_scopes: bool,
    /// The version that a user has named.
    given: Option<&'c config::Target>,
    /// What providers say of their objects.
    pub(crate) schemas: Option<&'c Schemas>,
}

impl<'c> References<'c> {
    pub(crate) fn new(language: &'c Dialect, config: &'c Config, given: Option<&'c config::Target>) -> Self {
        let objects = config.items.iter().filter(|item| item.rule.role == Role::Object);
        let objects = objects.filter_map(|item| item.address.first()).collect();
        let has_scopes = config.items.iter().any(|item| item.scope.is_some());
        References { language, config, objects, has_scopes, given, schemas: None }
    }

    /// Also checks what the schemas of providers say of objects.
    pub(crate) fn with_schemas(self, schemas: &'c Schemas) -> Self {
        Self { schemas: Some(schemas), ..self }
    }

    /// Whether some objects are only for the check that they are in.
    pub(crate) fn has_scopes(&self) -> bool {
        self.has_scopes
    }

    /// Reports references to objects in other checks. `around` is the block of the expression.
    pub(crate) fn scopes(
        &self,
        expression: &Expression,
        around: Option<&Item>,
        diagnostics: &mut Diagnostics,
    ) {
        if !self.has_scopes {
            return;
        }
        for reference in expression.references() {
            let names = config::names_of(reference);
            let Some((Declaration::Item(at), _)) = self.config.definitions().longest(&names) else {
                continue;
            };
            let item = &self.config.items[at];
            let Some(scope) = &item.scope else { continue };
            let is_inside = around.is_some_and(|own| {
                own.rule.role == Role::Check && own.address == *scope || own.scope.as_ref() == Some(scope)
            });
            if !is_inside {
                let (own, check) = (step::address(&item.address), step::address(scope));
                let error = messages::meta::in_other_check(&own, &check).at(reference.span());
                diagnostics.push(error.with_source(expression.source()));
            }
        }
    }

    /// Returns true if the directory is for a version or an older one.
    pub(crate) fn is_at_most(&self, version: &Version) -> bool {
        let target = config::Target::of(self.language, self.config, self.given);
        target.is_some_and(|target| target.version.compare(version).is_le())
    }

    /// Reports references to names that are not defined or incomplete, and to objects with a key too many or too few.
    pub(crate) fn check(
        &self,
        expression: &Expression,
        context: &Context,
        bound: &[Name],
        diagnostics: &mut Diagnostics,
    ) {
        self.check_names(expression, context, bound, diagnostics);
        if self.language.complete_references {
            for reference in expression.references().filter(|found| !bound.contains(&found.root)) {
                let error = self.instance_key(reference).or_else(|| self.part(expression, reference));
                diagnostics.extend(error.map(|error| error.with_source(expression.source())));
            }
        }
    }

    /// Reports references to names that are not defined or incomplete.
    pub(crate) fn check_names(
        &self,
        expression: &Expression,
        context: &Context,
        bound: &[Name],
        diagnostics: &mut Diagnostics,
    ) {
        let undefined = context.undefined_names(expression);
        if !undefined.is_empty() || !self.language.complete_references {
            return diagnostics.append(undefined);
        }
        for reference in expression.references().filter(|found| !bound.contains(&found.root)) {
            if let Some(full) = self.incomplete(reference) {
                let error = messages::meta::incomplete_reference(&reference.root, &full).at(reference.span());
                diagnostics.push(error.with_source(expression.source()));
            }
        }
    }

    /// The error of a reference to an attribute of an object that has instances, or to an instance of an object without keys.
    /// It is the same for all values of `count` and `for_each`. Only the source is missing.
    pub(crate) fn instance_key(&self, reference: &Traversal) -> Option<Diagnostic> {
        let attribute = |step: &TraversalStep| match &step.target {
            Target::Attribute(name) => Some(name.clone()),
            Target::Element(_) => None,
        };
        let names = reference.steps.iter().map_while(attribute);
        let names: Vec<Name> = std::iter::once(reference.root.clone()).chain(names).collect();
        let (Declaration::Item(at), length) = self.config.definitions().longest(&names)? else { return None };
        let item = &self.config.items[at];
        let next = reference.steps.get(length - 1).filter(|_| item.rule.role == Role::Object)?;
        let text =
            |steps: &[TraversalStep]| Traversal { steps: steps.to_vec(), ..reference.clone() }.to_string();
        let own = || text(&reference.steps[..length - 1]);
        let error = match (&next.target, item.repeat().filter(|_| item.has_keys())) {
            (Target::Attribute(_), Some(repeat)) => {
                let own = own();
                messages::meta::missing_key(&own, reference.to_string().strip_prefix(&own)?, repeat)
            }
            (Target::Element(_), None) => {
                let other = text(&[&reference.steps[..length - 1], &reference.steps[length..]].concat());
                messages::meta::unexpected_key(&own(), &other, &self.key_attributes(item))
            }
            _ => return None,
        };
        Some(error.at(next.span))
    }

    /// The error of a reference to a part that an object does not have, whatever its value is: also `try` does not catch it. Only
    /// the source is missing.
    fn part(&self, expression: &Expression, reference: &Traversal) -> Option<Diagnostic> {
        let names = config::names_of(reference);
        let (Declaration::Item(at), length) = self.config.definitions().longest(&names)? else { return None };
        let item = &self.config.items[at];
        let Content::Object(_) = &item.content else { return None };
        let mut steps = reference.steps.get(length - 1..)?.iter().peekable();
        steps.next_if(|step| matches!(step.target, Target::Element(_)) && item.has_keys());
        let first = steps.next()?;
        let Target::Attribute(name) = &first.target else { return None };
        let rule = item.labels.first().and_then(|own| self.language.object(&item.rule.block_type, own));
        let schema = self.schemas.filter(|_| rule.is_none()).and_then(|all| all.object(item, self.config));
        let ty = match (rule, schema) {
            (Some(rule), _) => rule.part(name),
            (None, Some(schema)) => schema.part(name),
            (None, None) => return None,
        };
        let Some(ty) = ty else {
            let own = step::address(&item.address);
            let known: Vec<&str> = match (rule, schema) {
                (Some(rule), _) => rule.parts().map(Name::as_str).collect(),
                (None, Some(schema)) => schema.attributes().map(AttributeSchema::name).collect(),
                (None, None) => Vec::new(),
            };
            let near = nearest_name(name, known.iter().copied());
            let error = messages::meta::unknown_attribute(&own, name, near).at(first.span);
            // The span of a step has the dot before it.
            let written = expression.source().slice(first.span);
            let is_plain = written.trim_start_matches('.') == name.as_str();
            return Some(match near.filter(|_| is_plain) {
                Some(near) => {
                    let start = first.span.end - name.len() as u32;
                    let span = Span::new(start, first.span.end);
                    error.with_edit(format!("Write `{near}`"), span, near.to_owned())
                }
                None => error,
            });
        };
        let mut value = Value::unknown(ty);
        for step in steps {
            let (found, is_key) = match &step.target {
                Target::Attribute(name) => (value.attribute(name), false),
                Target::Element(key) => (value.index(key), true),
            };
            match found {
                Ok(found) => value = found,
                Err(error) => {
                    return Some(messages::meta::unknown_part(&error.to_string(), is_key).at(step.span));
                }
            }
        }
        None
    }

    /// The attributes that give instances keys.
    fn key_attributes(&self, item: &Item) -> Vec<Name> {
        let repeats = item.rule.repeat.iter().filter_map(|name| self.language.repeat(name));
        repeats
            .filter(|repeat| repeat.over != Over::Condition)
            .map(|repeat| repeat.attribute.clone())
            .collect()
    }

    /// Returns true if an expression is a reference to a result of a module that is called. In `depends_on`, it means the whole
    /// module, whether it has such a result or not.
    pub(crate) fn is_part_of_call(&self, expression: &Expression) -> bool {
        let [reference] = &expression.variables()[..] else { return false };
        self.names_part_of_call(reference)
    }

    /// The same for the reference itself.
    pub(crate) fn names_part_of_call(&self, reference: &Traversal) -> bool {
        let path = config::names_of(reference);
        let found = self.config.definitions().longest(&path[..path.len() - 1]);
        matches!(found, Some((Declaration::Item(at), _)) if matches!(self.config.items[at].content, Content::Call(_)))
    }

    /// What to write instead of a reference that does not name what it refers to.
    pub(crate) fn incomplete(&self, reference: &Traversal) -> Option<String> {
        let full = self.full(&reference.root)?;
        let is_name = |step: &&TraversalStep| matches!(step.target, Target::Attribute(_));
        let names = 1 + reference.steps.iter().take_while(is_name).count();
        (names < full.len()).then(|| step::address(&full))
    }

    /// The form of references with a root, such as `var.name`.
    fn full(&self, root: &Name) -> Option<Vec<Name>> {
        let is_other = |role| !matches!(role, Role::Object | Role::Result | Role::Check);
        let declared = self.full_object(root).or_else(|| self.declared(root, is_other));
        declared.or_else(|| {
            self.language.given_names().find(|path| path.first() == Some(root)).map(<[_]>::to_vec)
        })
    }

    /// The form of references to objects with a root, such as `data.type.name`.
    pub(crate) fn full_object(&self, root: &Name) -> Option<Vec<Name>> {
        let declared = self.declared(root, |role| role == Role::Object);
        declared.or_else(|| self.objects.contains(root).then(|| vec![root.clone(), Name::from("name")]))
    }

    /// The form of what blocks with a role define.
    fn declared(&self, root: &Name, is_meant: impl Fn(Role) -> bool) -> Option<Vec<Name>> {
        let rules = self.language.blocks.iter().filter(|rule| is_meant(rule.role));
        let mut forms = rules.flat_map(|rule| [(rule, &rule.defines), (rule, &rule.long_name)]);
        let (rule, form) = forms.find(|(_, form)| form.root() == Some(root))?;
        form.address(&rule.labels, Some("name"))
    }
}
