//! Configurations of providers by their names, as blocks declare them and others refer to them.

use hclkit_model::{Context, Expression, Target, Traversal};
use hclkit_syntax::Place;
use hclkit_syntax::ast::ExpressionKind;
use hclkit_value::Name;

use crate::config::{Content, Item};

pub(crate) const PROVIDER: &str = "provider";
pub(crate) const ALIAS: &str = "alias";

/// A configuration of a provider, as written in a module: `aws`, or `aws.west`.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
    /// It is an instance of a configuration with `for_each`: `aws.west["a"]`.
    pub(crate) has_key: bool,
    pub(crate) place: Place,
}

impl Named {
    /// The configuration that a `provider` block declares.
    pub(crate) fn of_block(item: &Item) -> Option<Self> {
        let Content::Settings(_) = &item.content else { return None };
        if item.rule.block_type != *PROVIDER {
            return None;
        }
        let alias = item.block.body.attribute(ALIAS);
        let alias = alias.map(|alias| alias.expression.evaluate_lenient(&Context::new()).0);
        let alias = alias.and_then(|alias| alias.as_str().map(str::to_owned));
        Some(Self { name: item.own_name().to_owned(), alias, has_key: false, place: item.place() })
    }

    /// The configuration that an object uses.
    pub(crate) fn used_by(item: &Item) -> Option<Self> {
        let Content::Object(_) = &item.content else { return None };
        let own = item.block.body.attribute(PROVIDER).filter(|_| item.is_static(PROVIDER))?;
        Self::of_value(&own.expression)
    }

    /// The configuration that an object uses, also if only its type says so.
    pub(crate) fn of_object(item: &Item) -> Option<Self> {
        let implied = || {
            let name = implied(item)?.to_owned();
            Some(Self { name, alias: None, has_key: false, place: item.place() })
        };
        Self::used_by(item).or_else(implied)
    }

    /// The address of its block: `provider.aws.west`.
    pub(crate) fn path(&self) -> Vec<Name> {
        [PROVIDER, &self.name].into_iter().chain(self.alias.as_deref()).map(Name::from).collect()
    }

    /// A reference to a configuration, also in quotes.
    pub(crate) fn of(expression: &Expression) -> Option<Self> {
        let traversal = traversal_of(expression)?;
        let alias = match &traversal.steps[..] {
            [] => None,
            [only] => match &only.target {
                Target::Attribute(name) => Some(name.to_string()),
                Target::Element(_) => return None,
            },
            _ => return None,
        };
        let has_key = false;
        Some(Self { name: traversal.root.to_string(), alias, has_key, place: expression.place() })
    }

    /// The same, also of an instance: `aws.west[each.key]`.
    pub(crate) fn of_value(expression: &Expression) -> Option<Self> {
        let parsed = in_quotes(expression);
        let own = parsed.as_ref().unwrap_or(expression);
        if !own.ast().is_some_and(|own| matches!(own.kind(), ExpressionKind::Index { .. })) {
            return Self::of(expression);
        }
        let named = Self::of(own.parts().first()?).filter(|named| named.alias.is_some())?;
        Some(Self { has_key: true, place: expression.place(), ..named })
    }

    /// A key of a map. A plain name is not a reference.
    pub(crate) fn of_key(key: &Expression) -> Option<Self> {
        match key.static_keyword() {
            Some(name) => {
                Some(Self { name: name.to_string(), alias: None, has_key: false, place: key.place() })
            }
            None => Self::of(key),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn alias(&self) -> Option<&str> {
        self.alias.as_deref()
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    pub(crate) fn text(&self) -> String {
        match &self.alias {
            Some(alias) => format!("{}.{alias}", self.name),
            None => self.name.clone(),
        }
    }
}

impl Item {
    /// Whether an argument is not evaluated, because the language reads it itself.
    pub(crate) fn is_static(&self, name: &str) -> bool {
        self.rule.is_static(name)
    }
}

/// A reference, also in quotes. The name of a provider may be a literal of the language, such as `null`.
fn traversal_of(expression: &Expression) -> Option<Traversal> {
    expression.static_traversal().ok().or_else(|| in_quotes(expression)?.static_traversal().ok())
}

/// The expression in a constant string.
fn in_quotes(expression: &Expression) -> Option<Expression> {
    Expression::parse(expression.evaluate(&Context::new()).ok()?.as_str()?).ok()
}

/// The name of the provider that the type of an object implies.
pub(crate) fn implied(item: &Item) -> Option<&str> {
    item.labels.first()?.split('_').next()
}
