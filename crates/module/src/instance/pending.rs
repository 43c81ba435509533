//! Which data sources can be read before anything changes. In a first plan, all managed objects are still to be created. Terraform
//! reads later what refers to one of them itself, in an argument or a condition, and what depends on one with `depends_on`, also
//! through other names. The same is true for all data sources of a module whose call has such a `depends_on`.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_model::{Context, Expression, Traversal};

use super::{Instance, Session, Stage};
use crate::config::{Config, Content, Declaration, Item, Referent};
use crate::data_sources::DataSource;
use crate::instances::Instances;
use crate::schema::requirement;
use crate::unevaluated::{Reference, dependencies_of};
use hclkit_syntax::Diagnostics;

impl Item {
    /// Whether the block may be a data source that is computed.
    pub(crate) fn is_computed(&self) -> bool {
        self.labels.first().is_some_and(|own| DataSource::of(&self.rule.block_type, own).is_some())
    }
}

impl Session {
    /// The data source that an object is, if the version of its provider gives what is computed here.
    pub(crate) fn computed(&self, item: &Item, config: &Config) -> Option<&'static DataSource> {
        let own =
            DataSource::of(&item.rule.block_type, item.labels.first()?).filter(|_| self.data_sources)?;
        let (provider, versions) = requirement(item, config);
        own.is_of(&provider, versions.as_deref()).then_some(own)
    }
}

impl Instance {
    /// The same, if it can be read. Where nothing is known, none is.
    pub(crate) fn data_source(&self, item: &Item) -> Option<&'static DataSource> {
        if self.is_validation {
            return None;
        }
        self.tree.computed(item, &self.config).filter(|_| !self.is_deferred(item))
    }

    /// Whether a data source is read only after something has changed.
    pub(super) fn is_deferred(&self, item: &Item) -> bool {
        let mut walk = Walk { instance: self, seen: HashSet::new() };
        let here = Rc::new(Module::of(self));
        let mut is_direct = false;
        item.each_expression(&mut |expression, bound| {
            let free = expression.references().filter(|reference| !bound.contains(&reference.root));
            is_direct |= free.into_iter().any(|reference| walk.is_pending_object(&here, reference));
        });
        is_direct || walk.depends(&here, item) || self.waits()
    }

    /// Whether a call that the module belongs to depends on an object that is still to be created.
    pub(super) fn waits(&self) -> bool {
        let mut walk = Walk { instance: self, seen: HashSet::new() };
        Module::of(self).calls().any(|(module, call)| walk.depends(&module, &module.config.items[call]))
    }
}

/// A module, and the call that it belongs to.
struct Module {
    config: Arc<Config>,
    up: Option<(Rc<Self>, usize)>,
    /// What is known in it, if it is the one with the data source, or one around it.
    context: Option<Context>,
}

impl Module {
    fn of(instance: &Instance) -> Self {
        let up = instance.caller().map(|(parent, up, _)| (Rc::new(Self::of(&parent)), up.item));
        Self { config: instance.config.clone(), up, context: Some(instance.context.clone()) }
    }

    /// The calls that a module belongs to, each with the module around it.
    fn calls(&self) -> impl Iterator<Item = (Rc<Self>, usize)> {
        std::iter::successors(self.up.clone(), |(module, _)| module.up.clone())
    }
}

/// A directory, and the directory and the number of the call of it.
type Place = (usize, Option<(usize, usize)>);

/// Follows references until they lead to an object that is still to be created.
struct Walk<'i> {
    instance: &'i Instance,
    /// The declarations that were followed.
    seen: HashSet<(Place, Declaration)>,
}

impl Walk<'_> {
    /// Whether a block has a `depends_on` that leads to a pending object.
    fn depends(&mut self, module: &Rc<Module>, item: &Item) -> bool {
        let Some(all) = dependencies_of(item) else { return false };
        let Ok(all) = all.expression.static_list() else { return true };
        all.iter().filter_map(Reference::of).any(|reference| {
            // To read another data source is not a change.
            let is_data = matches!(module.config.referent(&reference.traversal),
                Some(Referent::Own(Declaration::Item(at)))
                    if DataSource::is_block(&module.config.items[at].rule.block_type));
            !is_data && hclkit_limits::with_room(|| self.leads(module, &reference.traversal))
        })
    }

    /// Whether a reference is to a pending object.
    fn is_pending_object(&self, module: &Rc<Module>, reference: &Traversal) -> bool {
        match module.config.referent(reference) {
            Some(Referent::Own(Declaration::Item(at))) => self.is_pending(module, &module.config.items[at]),
            _ => false,
        }
    }

    /// Whether an object is still to be created.
    fn is_pending(&self, module: &Module, item: &Item) -> bool {
        let Content::Object(_) = &item.content else { return false };
        if DataSource::is_block(&item.rule.block_type) {
            return false;
        }
        let tree = &self.instance.tree;
        let known = item.labels.first().and_then(|own| tree.language.object(&item.rule.block_type, own));
        let is_created = tree.stage == Stage::Apply && known.is_some();
        let is_absent = || {
            let Some(context) = &module.context else { return false };
            let found = Instances::of(item.repetition.as_ref(), context, &mut Diagnostics::new());
            match found {
                Instances::None => true,
                Instances::Many(_, all) => all.is_empty(),
                Instances::One | Instances::Unknown => false,
            }
        };
        !is_created && !is_absent()
    }

    /// Whether a reference leads to a pending object.
    fn leads(&mut self, module: &Rc<Module>, reference: &Traversal) -> bool {
        let config = &module.config;
        match config.referent(reference) {
            None => false,
            Some(Referent::Own(declaration)) => self.follow(module, declaration),
            Some(Referent::Results { call }) => self.follow(module, Declaration::Item(call)),
            Some(Referent::Result { call, result }) => match &config.items[call].content {
                Content::Call(own) => own.config.as_ref().is_none_or(|called| {
                    let up = Some((module.clone(), call));
                    let called = Rc::new(Module { config: called.clone(), up, context: None });
                    self.follow(&called, Declaration::Item(result))
                }),
                _ => false,
            },
        }
    }

    /// Whether a called module has pending objects.
    fn has_pending(&self, call: &Item) -> bool {
        let Content::Call(own) = &call.content else { return false };
        own.config.as_ref().is_none_or(|called| {
            let module = Module { config: called.clone(), up: None, context: None };
            if Meter::current().take_steps(called.items.len() as u64).is_err() {
                return true;
            }
            hclkit_limits::with_room(|| {
                called.items.iter().any(|item| self.is_pending(&module, item) || self.has_pending(item))
            })
        })
    }

    /// Whether a declaration is a pending object, or refers to one.
    fn follow(&mut self, module: &Rc<Module>, declaration: Declaration) -> bool {
        let config = module.config.clone();
        // After a limit, nothing is read.
        if Meter::current().take_steps(1).is_err() {
            return true;
        }
        let number = |config: &Arc<Config>| Arc::as_ptr(config) as usize;
        let up = module.up.as_ref().map(|(parent, call)| (number(&parent.config), *call));
        if !self.seen.insert(((number(&config), up), declaration)) {
            return false;
        }
        let mut expressions: Vec<Expression> = Vec::new();
        let mut of = module.clone();
        match declaration {
            Declaration::Value(at) => expressions.push(config.values[at].attribute.expression.clone()),
            Declaration::Item(at) => {
                let item = &config.items[at];
                match (&item.content, &module.up) {
                    (Content::Object(_), _) if self.is_pending(module, item) => return true,
                    (Content::Call(_), _) => return self.has_pending(item) || self.depends(module, item),
                    (Content::Input(_), None) => return false,
                    (Content::Input(_), Some((parent, call))) => {
                        if let Content::Call(own) = &parent.config.items[*call].content {
                            expressions
                                .extend(own.argument(item.own_name()).map(|own| own.expression.clone()));
                        }
                        of = parent.clone();
                    }
                    _ => item.each_expression(&mut |expression, _| expressions.push(expression.clone())),
                }
            }
        }
        expressions
            .iter()
            .flat_map(Expression::references)
            .any(|reference| hclkit_limits::with_room(|| self.leads(&of, reference)))
    }
}
