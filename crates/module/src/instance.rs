//! A module that is evaluated: the scope with its names, and the modules that it calls. `instance/computed.rs` has how the
//! value of each kind of block is computed.

mod build;
mod computed;
mod view;

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock, Weak};

use hclkit_limits::Meter;
use hclkit_model::{Context, Functions, Scope};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Name, Str, Type, Value};

use crate::config::{Call, Config, Content, Item, address};
use crate::inputs::Inputs;
use crate::language::{Given, Language, Repeat, Role};
use crate::messages;
use crate::repeat::{Instances, bind};
use crate::schema::Schemas;
pub(crate) use build::{addressed, build_path};
pub(crate) use computed::{Kind, Part};

/// What all modules of a tree have in common.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) language: Arc<Language>,
    pub(crate) functions: Functions,
    pub(crate) schemas: Arc<Schemas>,
    /// The values of the input variables of the root module.
    pub(crate) inputs: Inputs,
    /// Input variables of the root module that have no value are unknown.
    pub(crate) unknown_inputs: bool,
    /// Only what is certain is known: defaults of the root module are unknown, too. Blocks without known instances are
    /// evaluated once, to find errors.
    pub(crate) checking: bool,
    pub(crate) workspace: Option<String>,
    pub(crate) current_directory: Option<String>,
}

/// How many elements of the limit a declaration of an instance of a module takes, for the memory that it needs.
const DECLARATION: usize = 32;

/// A module, or an instance of a module that is called.
#[derive(Debug)]
pub(crate) struct Instance {
    me: Weak<Instance>,
    pub(crate) tree: Arc<Tree>,
    pub(crate) config: Arc<Config>,
    /// Its address.
    pub(crate) path: Vec<Step>,
    pub(crate) up: Option<Up>,
    /// What its expressions see. Its results and conditions are there, too, but hidden from them.
    pub(crate) context: Context,
    /// The modules that it calls, by the index of the block.
    children: Vec<OnceLock<Vec<Arc<Instance>>>>,
}

/// The call that an instance of a module belongs to.
#[derive(Debug)]
pub(crate) struct Up {
    parent: Weak<Instance>,
    pub(crate) item: usize,
    /// The key and the value of the instance.
    pub(crate) instance: Option<(Value, Value)>,
}

/// A step of an address.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Name(Name),
    /// The key of an instance.
    Key(Value),
}

/// An address as it is written in an expression.
pub(crate) fn written(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Name(name) => {
                let name = address(std::slice::from_ref(name));
                if !text.is_empty() && !name.starts_with('[') {
                    text.push('.');
                }
                text.push_str(&name);
            }
            Step::Key(key) if !key.is_known() => text.push_str("[*]"),
            Step::Key(key) => {
                let _ = write!(text, "[{key}]");
            }
        }
    }
    text
}

impl Instance {
    /// The root module.
    pub(crate) fn root(tree: Arc<Tree>, config: Arc<Config>) -> Arc<Instance> {
        Instance::new(tree, config, Vec::new(), None)
    }

    fn new(tree: Arc<Tree>, config: Arc<Config>, path: Vec<Step>, up: Option<Up>) -> Arc<Instance> {
        Arc::new_cyclic(|me| {
            let context = context(&tree, &config, &path, me);
            let children = config.items.iter().map(|_| OnceLock::new()).collect();
            Instance { me: me.clone(), tree, config, path, up, context, children }
        })
    }

    pub(crate) fn is_root(&self) -> bool {
        self.up.is_none()
    }

    /// The instances of a module that this one calls, if they were created.
    pub(crate) fn created(&self, item: usize) -> &[Arc<Instance>] {
        self.children[item].get().map(Vec::as_slice).unwrap_or_default()
    }

    /// The instances of a module that this one calls. Once there are too many, the others are left out.
    fn children(
        &self,
        at: usize,
        call: &Call,
        instances: &Instances,
        diagnostics: &mut Diagnostics,
    ) -> &[Arc<Instance>] {
        self.children[at].get_or_init(|| {
            let item = &self.config.items[at];
            let meter = Meter::current();
            let mut one = |instance: Option<&(Value, Value)>| {
                let config = call.config.clone()?;
                let declarations = config.items.len() + config.values.len() + 1;
                if let Err(exceeded) = meter.take_elements(declarations.saturating_mul(DECLARATION)) {
                    let error = messages::too_many_modules_in_modules(&exceeded.to_string());
                    diagnostics.push(error.at(item.place()));
                    return None;
                }
                let mut path = self.path.clone();
                path.extend(item.address.iter().cloned().map(Step::Name));
                path.extend(instance.map(|(key, _)| Step::Key(key.clone())));
                let up = Up { parent: self.me.clone(), item: at, instance: instance.cloned() };
                Some(Instance::new(self.tree.clone(), config, path, Some(up)))
            };
            let any = self.tree.checking.then(|| instances.any(item.repeat())).flatten();
            match instances {
                Instances::One => one(None).into_iter().collect(),
                Instances::Many(_, all) => {
                    all.iter().chain(&any).filter_map(|instance| one(Some(instance))).collect()
                }
                Instances::Unknown => any.iter().filter_map(|instance| one(Some(instance))).collect(),
            }
        })
    }

    /// The module that a block calls, if the block is not repeated.
    fn only_child(&self, at: usize, diagnostics: &mut Diagnostics) -> Option<&Arc<Instance>> {
        let Content::Call(call) = &self.config.items[at].content else { return None };
        self.children(at, call, &Instances::One, diagnostics).first()
    }

    /// Creates the instances of a module that this one calls.
    pub(crate) fn create(&self, at: usize) -> (&[Arc<Instance>], Diagnostics) {
        let item = &self.config.items[at];
        let mut diagnostics = Diagnostics::new();
        if let Content::Call(call) = &item.content
            && self.children[at].get().is_none()
        {
            let instances = Instances::of(item.repetition.as_ref(), &self.context, &mut diagnostics);
            self.children(at, call, &instances, &mut diagnostics);
        }
        (self.created(at), diagnostics)
    }

    /// Whether it is unknown how many instances a block has.
    pub(crate) fn has_unknown_instances(&self, at: usize) -> bool {
        let repetition = self.config.items[at].repetition.as_ref();
        let instances = Instances::of(repetition, &self.context, &mut Diagnostics::new());
        matches!(instances, Instances::Unknown)
    }

    /// A context of the caller, in which the arguments of the call are evaluated.
    pub(crate) fn caller(&self) -> Option<(Arc<Instance>, &Up, Context)> {
        let up = self.up.as_ref()?;
        let parent = up.parent.upgrade()?;
        let item = &parent.config.items[up.item];
        let context = bind(&parent.context, item.repeat(), up.instance.as_ref());
        Some((parent, up, context))
    }
}

/// The names that expressions of a directory see, without values.
pub(crate) fn names(tree: &Arc<Tree>, config: &Arc<Config>) -> Context {
    context(tree, config, &[], &Weak::new())
}

/// The names that expressions of a module see.
fn context(tree: &Arc<Tree>, config: &Arc<Config>, path: &[Step], me: &Weak<Instance>) -> Context {
    let mut scope = Scope::new().with_prefix(prefix(path));
    // A reference to something that does not exist is an error also if there is nothing of the kind.
    for rule in &tree.language.blocks {
        if let Some(crate::language::Part::Name(root)) = rule.defines.first() {
            scope.add_group(root.clone());
            if rule.role == Role::Result {
                scope.hide(root.clone());
            }
        }
    }
    for (name, given) in &tree.language.given {
        scope.set(name.iter().cloned(), given_value(*given, tree, config));
    }
    for named in &config.values {
        // Names that are defined twice were reported.
        let _ = scope.define(named.address.iter().cloned(), named.attribute.expression.clone());
    }
    for (at, item) in config.items.iter().enumerate() {
        let part = |kind| Part { instance: me.clone(), config: config.clone(), item: at, kind };
        let own = item.address.iter().cloned();
        match &item.content {
            Content::Input(_) => scope.compute(own, part(Kind::Input)),
            Content::Object(_) => {
                scope.compute(own, part(Kind::Object));
                scope.compute(item.also.iter().cloned(), part(Kind::Object));
            }
            Content::Output(_) => scope.compute(own, part(Kind::Output)),
            Content::Call(Call { config: None, .. }) => scope.set(own, Value::DYNAMIC),
            Content::Call(Call { config: Some(called), .. }) if item.repetition.is_none() => {
                let results = called.items.iter().enumerate();
                let results = results.filter(|(_, other)| other.rule.role == Role::Result);
                let mut any = false;
                for (result, other) in results {
                    let name = Name::from(other.own_name());
                    scope.compute(own.clone().chain([name]), part(Kind::CallResult(result)));
                    any = true;
                }
                if !any {
                    scope.set(own, Value::object::<Str>([]));
                }
            }
            Content::Call(_) => scope.compute(own, part(Kind::Call)),
            Content::Settings(_) if item.rule.role == Role::Build => {
                scope.compute(build_path(at).map(Name::from), part(Kind::Build));
            }
            Content::Check | Content::Settings(_) => {}
        }
        if item.has_effects() {
            scope.compute(effects(at).map(Name::from), part(Kind::Effects));
        }
        for condition in 0..item.conditions.len() {
            scope.compute(condition_path(at, condition).map(Name::from), part(Kind::Condition(condition)));
        }
        for name in &item.unknown {
            scope.set(name.iter().cloned(), Value::DYNAMIC);
        }
    }
    Context::new().with_functions(tree.functions.clone()).with_scope(scope)
}

/// The name of what is evaluated in a block that has no value, such as the arguments of a call. Expressions cannot have it.
pub(crate) fn effects(item: usize) -> [String; 2] {
    ["(block)".to_owned(), item.to_string()]
}

/// The name of a condition.
pub(crate) fn condition_path(item: usize, condition: usize) -> [String; 3] {
    ["(condition)".to_owned(), item.to_string(), condition.to_string()]
}

impl Item {
    /// What repeats the block.
    pub(crate) fn repeat(&self) -> Option<&Repeat> {
        self.repetition.as_ref().map(|(repeat, _)| repeat)
    }

    /// Whether it has expressions that are not part of a value.
    pub(crate) fn has_effects(&self) -> bool {
        self.rule.role != Role::Build
            && matches!(&self.content, Content::Settings(_) | Content::Call(Call { config: None, .. }))
    }
}

fn prefix(path: &[Step]) -> String {
    if path.is_empty() { String::new() } else { format!("{}.", written(path)) }
}

fn given_value(given: Given, tree: &Tree, config: &Config) -> Value {
    let text = |text: &Option<String>| text.as_deref().map_or(Value::unknown(Type::String), Value::from);
    match given {
        Given::ModuleDirectory if config.directory.is_empty() => Value::from("."),
        Given::ModuleDirectory => Value::from(config.directory.as_str()),
        Given::RootDirectory => Value::from("."),
        Given::CurrentDirectory => text(&tree.current_directory),
        Given::Workspace => text(&tree.workspace),
        Given::Unknown => Value::DYNAMIC,
    }
}
