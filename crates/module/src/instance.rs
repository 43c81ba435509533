//! A module that is evaluated: the scope with its names, and the modules that it calls. `instance/computed.rs`
//! computes the value of each kind of block.

mod build;
mod computed;
mod input;
mod known;
mod pending;
mod shared;
mod view;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use hclkit_limits::Meter;
use hclkit_model::{Context, Functions, Scope};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Name, Str, Value};

use crate::config::{Call, Config, Content, Item, Target};
use crate::inputs::RootInputs;
use crate::instances::{Instances, bind};
use crate::known_objects::KnownObjects;
use crate::messages;
use crate::schema::Schemas;
use crate::step::{Step, written};
pub(crate) use build::{addressed, build_path, used_sources};
pub(crate) use computed::{BlockValue, BlockValueKind, is_open};
use hclkit_dialect::{Dialect, Over, Repeat, Role};
pub(crate) use known::{Checked, Results};
pub(crate) use shared::Shared;

/// The state that all modules of a tree share.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "facts that are independent of each other")]
pub(crate) struct Session {
    pub(crate) language: Arc<Dialect>,
    pub(crate) functions: Functions,
    /// Those that only defaults of variables can call.
    pub(crate) default_functions: Functions,
    pub(crate) schemas: Arc<Schemas>,
    pub(crate) outside: Arc<RootInputs>,
    /// Treat input variables of the root module without a value as unknown.
    pub(crate) unknown_inputs: bool,
    pub(crate) stage: Stage,
    /// Where nothing is known, values keep the marks that they have in a plan.
    pub(crate) keeps_marks: bool,
    /// Other modules call the root module.
    pub(crate) called: bool,
    /// The types of some values are unknown, because they come from objects without a schema or modules that are not there.
    pub(crate) open_types: bool,
    /// The values that instances of the same directory share.
    pub(crate) shared: Shared,
    /// The names of directories.
    pub(crate) names: Arc<Names>,
    /// What checks of other root modules have found. `None` if this is not a check, or the only one.
    pub(crate) checked: Option<Arc<Checked>>,
    /// The version that the user says the files are for.
    pub(crate) target: Option<Arc<Target>>,
    /// The number of threads that evaluate, or `None` for the number of processors.
    pub(crate) threads: Option<usize>,
    /// What is known of objects and calls from elsewhere.
    pub(crate) known: KnownObjects,
    /// Data sources that are pure functions of their arguments have values.
    pub(crate) data_sources: bool,
}

/// What is known when modules are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// Report only errors that do not depend on the caller: variables with defaults in the root module are unknown,
    /// too. Blocks without known instances are evaluated once, in an instance of the module about which nothing is known.
    Validate,
    Plan,
    /// Objects that need no provider are created: attributes that have the value of an argument then are known.
    Apply,
}

impl Session {
    pub(crate) fn validates(&self) -> bool {
        self.stage == Stage::Validate
    }

    /// The value where nothing is known, with the marks of the value in a plan if they are kept.
    fn with_marks_of(&self, any: Value, planned: &Value) -> Value {
        if self.keeps_marks { any.with_marks(&planned.unmark_deep().1) } else { any }
    }
}

/// How many elements each declaration of an instance counts as towards the limit, because of its memory.
const DECLARATION: usize = 32;

/// The root module, or an instance of a called module.
#[derive(Debug)]
pub(crate) struct Instance {
    me: Weak<Self>,
    pub(crate) tree: Arc<Session>,
    pub(crate) config: Arc<Config>,
    /// Its address.
    pub(crate) path: Vec<Step>,
    pub(crate) up: Option<CallSite>,
    /// The names that its expressions can use. It also contains results and conditions, under names that expressions
    /// cannot use.
    pub(crate) context: Context,
    /// The modules that it calls, by the index of the block.
    children: Vec<OnceLock<Vec<Arc<Self>>>>,
    /// Nothing is known about the instance: its variables, objects and results of calls are unknown, as all are when
    /// Terraform validates a module. Only checks need such instances.
    pub(crate) is_validation: bool,
    /// A copy in which nothing is known, where blocks without known instances are checked.
    any: OnceLock<Arc<Self>>,
    /// No input depends on results of the call that it belongs to, nor do those of the callers.
    has_independent_inputs: bool,
    /// The results of the module, if the check of another root module has found nothing in it.
    known: OnceLock<Option<Arc<Results>>>,
}

/// The call that an instance of a module belongs to.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    parent: Weak<Instance>,
    pub(crate) item: usize,
    /// The key and the value of the instance, as in `each.key` and `each.value`.
    pub(crate) instance: Option<(Value, Value)>,
}

impl Instance {
    /// The root module.
    pub(crate) fn root(tree: Arc<Session>, config: Arc<Config>) -> Arc<Self> {
        Self::new(tree, config, Vec::new(), None, false)
    }

    /// The root module with nothing known.
    pub(crate) fn any_root(tree: Arc<Session>, config: Arc<Config>) -> Arc<Self> {
        Self::new(tree, config, Vec::new(), None, true)
    }

    fn new(
        tree: Arc<Session>,
        config: Arc<Config>,
        path: Vec<Step>,
        up: Option<CallSite>,
        is_validation: bool,
    ) -> Arc<Self> {
        let has_independent_inputs = up.as_ref().is_none_or(|up| {
            let parent = up.parent.upgrade().filter(|_| tree.checked.is_some());
            parent.is_some_and(|it| it.has_independent_inputs && !it.config.is_cyclic(up.item))
        });
        Arc::new_cyclic(|me| {
            // What is known from elsewhere differs between instances of a directory.
            let context = context(&tree, &config, &path, me, !is_validation && tree.known.is_empty());
            let children = config.items.iter().map(|_| OnceLock::new()).collect();
            Self {
                me: me.clone(),
                tree,
                config,
                path,
                up,
                context,
                children,
                is_validation,
                any: OnceLock::new(),
                has_independent_inputs,
                known: OnceLock::new(),
            }
        })
    }

    /// The context in which blocks without known instances are evaluated. Values that are known here would not be known to
    /// a validation, and such a block may be without instances because of them.
    pub(crate) fn any_context(&self) -> Context {
        if self.is_validation {
            return self.context.clone();
        }
        let any = self.any.get_or_init(|| {
            let (tree, config) = (self.tree.clone(), self.config.clone());
            Self::new(tree, config, self.path.clone(), self.up.clone(), true)
        });
        any.context.clone()
    }

    pub(crate) fn is_root(&self) -> bool {
        self.up.is_none()
    }

    /// Returns the instances of a called module, if they were created.
    pub(crate) fn created(&self, item: usize) -> &[Arc<Self>] {
        self.children[item].get().map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the instances of a called module. Once there are too many, the others are omitted.
    fn children(
        &self,
        at: usize,
        call: &Call,
        instances: &Instances,
        diagnostics: &mut Diagnostics,
    ) -> &[Arc<Self>] {
        if let Some(created) = self.children[at].get() {
            return created;
        }
        let item = &self.config.items[at];
        let meter = Meter::current();
        let mut one = |number: usize, instance: Option<&(Value, Value)>, is_validation: bool| {
            self.child(at, call, number, instance, is_validation, diagnostics)
        };
        let any = self.tree.validates().then(|| instances.any(item.repeat())).flatten();
        let created = match instances {
            Instances::One => one(0, None, false).into_iter().collect(),
            Instances::Many(_, all) => {
                let known = all.iter().map(|instance| (instance, false));
                let all = known.chain(any.iter().map(|instance| (instance, true))).enumerate();
                all.filter_map(|(at, (instance, is_validation))| one(at, Some(instance), is_validation))
                    .collect()
            }
            Instances::Unknown | Instances::None => {
                any.iter().filter_map(|instance| one(0, Some(instance), true)).collect()
            }
        };
        if meter.is_tentative() && (diagnostics.total() > 0 || meter.exceeded().is_some()) {
            meter.end();
            return &[];
        }
        // If another thread was faster, it created the same instances.
        self.children[at].get_or_init(|| created)
    }

    /// Makes an instance of a called module, unless there are too many.
    fn child(
        &self,
        at: usize,
        call: &Call,
        number: usize,
        instance: Option<&(Value, Value)>,
        is_validation: bool,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Self>> {
        let item = &self.config.items[at];
        let config = call.config.clone()?;
        let mut path = self.path.clone();
        path.extend(item.address.iter().cloned().map(Step::Name));
        path.extend(instance.filter(|_| item.has_keys()).map(|(key, _)| Step::instance(key, number)));
        let declarations = config.items.len() + config.values.len() + 1;
        // Each address begins with the path.
        let bytes = declarations.saturating_mul(path.iter().map(Step::text_len).sum());
        let meter = Meter::current();
        let taken = meter.take_elements(declarations.saturating_mul(DECLARATION));
        if let Err(exceeded) = taken.and_then(|()| meter.take_bytes(bytes)) {
            let error = messages::too_many_modules_in_modules(&exceeded.to_string());
            diagnostics.push(error.at(item.place()));
            return None;
        }
        let up = CallSite { parent: self.me.clone(), item: at, instance: instance.cloned() };
        Some(Self::new(self.tree.clone(), config, path, Some(up), is_validation || self.is_validation))
    }

    /// Makes an instance of a called module whose instances are unknown. It is not one of the module.
    pub(crate) fn unknown_child(&self, at: usize) -> Option<Arc<Self>> {
        let item = &self.config.items[at];
        let Content::Call(call) = &item.content else { return None };
        let any = Instances::Unknown.any(item.repeat())?;
        self.child(at, call, 0, Some(&any), false, &mut Diagnostics::new())
    }

    /// Returns the module that a block calls, if the block is not repeated.
    fn only_child(&self, at: usize, diagnostics: &mut Diagnostics) -> Option<&Arc<Self>> {
        let Content::Call(call) = &self.config.items[at].content else { return None };
        self.children(at, call, &Instances::One, diagnostics).first()
    }

    /// Creates the instances of a called module.
    pub(crate) fn create(&self, at: usize) -> (&[Arc<Self>], Diagnostics) {
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

    /// Returns true if the number of instances of a block is unknown.
    pub(crate) fn has_unknown_instances(&self, at: usize) -> bool {
        let repetition = self.config.items[at].repetition.as_ref();
        let instances = Instances::of(repetition, &self.context, &mut Diagnostics::new());
        matches!(instances, Instances::Unknown)
    }

    /// A context of the caller, in which the arguments of the call are evaluated.
    pub(crate) fn caller(&self) -> Option<(Arc<Self>, &CallSite, Context)> {
        let up = self.up.as_ref()?;
        let parent = up.parent.upgrade()?;
        let item = &parent.config.items[up.item];
        let context = if self.is_validation { parent.any_context() } else { parent.context.clone() };
        let context = bind(&context, item.repeat(), up.instance.as_ref());
        Some((parent, up, context))
    }
}

/// The names that expressions of a directory can use, without values.
pub(crate) fn names(tree: &Arc<Session>, config: &Arc<Config>) -> Context {
    context(tree, config, &[], &Weak::new(), true)
}

/// The names that expressions of a module can use. It may share their values with other instances.
fn context(
    tree: &Arc<Session>,
    config: &Arc<Config>,
    path: &[Step],
    me: &Weak<Instance>,
    shares: bool,
) -> Context {
    let mut scope = tree.names.of(tree, config).with_prefix(prefix(path)).with_owner(me.clone());
    if let Some(shared) = tree.shared.of(config).filter(|_| shares) {
        scope.share(shared);
    }
    let context =
        Context::new().with_open_types(tree.open_types).with_runtime_names(tree.language.runtime_names);
    context.with_functions(tree.functions.clone()).with_scope(scope)
}

/// The names of a module with its results, which its own expressions cannot use.
pub(crate) fn scope(tree: &Session, config: &Arc<Config>) -> Scope {
    let mut scope = tree.names.of(tree, config);
    for rule in tree.language.blocks.iter().filter(|rule| rule.role == Role::Result) {
        if let Some(root) = rule.defines.root() {
            scope.show(root);
        }
    }
    scope
}

/// Adds longer names of objects, such as `resource.aws_instance.web`, which a module does not have if its files mention none.
pub(crate) fn add_long_names(scope: &mut Scope, config: &Arc<Config>) {
    for (at, item) in config.items.iter().enumerate() {
        let is_missing = matches!(item.content, Content::Object(_)) && item.long_address.is_empty();
        if let Some(root) = item.rule.long_name.root().filter(|_| is_missing) {
            let part = BlockValue { config: config.clone(), item: at, kind: BlockValueKind::Object };
            scope.compute(std::iter::once(root).chain(&item.address).cloned(), part);
        }
    }
}

/// The names of directories, which all instances of a directory share.
#[derive(Debug, Default)]
pub(crate) struct Names(Mutex<HashMap<usize, (Arc<Config>, Scope)>>);

impl Names {
    fn of(&self, tree: &Session, config: &Arc<Config>) -> Scope {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of = || (config.clone(), template(tree, config));
        all.entry(Arc::as_ptr(config) as usize).or_insert_with(of).1.clone()
    }
}

/// The names of a module, with its results.
fn template(tree: &Session, config: &Arc<Config>) -> Scope {
    let mut scope = Scope::new();
    // A reference to an undefined name is also an error if the module declares nothing of this kind.
    for rule in &tree.language.blocks {
        if let Some(root) = rule.defines.root() {
            scope.add_group(root.clone());
            if rule.role == Role::Result {
                scope.hide(root.clone());
            }
        }
    }
    for (name, builtin) in &tree.language.builtins {
        let given = computed::BuiltinName { builtin: *builtin, directory: config.directory.clone() };
        scope.compute(name.iter().cloned(), given);
    }
    for named in &config.values {
        // Duplicate names were already reported.
        let _ = scope.define(named.address.iter().cloned(), named.attribute.expression.clone());
    }
    for (at, item) in config.items.iter().enumerate() {
        let part = |kind| BlockValue { config: config.clone(), item: at, kind };
        let own = item.address.iter().cloned();
        match &item.content {
            Content::Input(_) => scope.compute(own, part(BlockValueKind::Input)),
            Content::Object(_) => {
                scope.compute(own, part(BlockValueKind::Object));
                scope.compute(item.long_address.iter().cloned(), part(BlockValueKind::Object));
            }
            Content::Output(_) => scope.compute(own, part(BlockValueKind::Output)),
            Content::Call(Call { config: None, source: None, .. }) => scope.set(own, Value::DYNAMIC),
            Content::Call(Call { config: Some(called), .. }) if item.repetition.is_none() => {
                let results = called.items.iter().enumerate();
                let results = results.filter(|(_, other)| other.rule.role == Role::Result);
                let mut any = false;
                for (result, other) in results {
                    let name = Name::from(other.own_name());
                    scope.compute(own.clone().chain([name]), part(BlockValueKind::CallResult(result)));
                    any = true;
                }
                if any {
                    scope.look_up_late(own);
                } else {
                    scope.set(own, Value::object::<Str, Value>([]));
                }
            }
            Content::Call(_) => scope.compute(own, part(BlockValueKind::Call)),
            Content::Settings(_) if item.rule.role == Role::Build => {
                scope.compute(build_path(at).map(Name::from), part(BlockValueKind::Build));
            }
            Content::Check | Content::Settings(_) => {}
        }
        if item.has_effects() || !item.steps.is_empty() {
            scope.compute(block_without_value(at).map(Name::from), part(BlockValueKind::Effects));
        }
        for condition in 0..item.conditions.len() {
            scope.compute(
                condition_path(at, condition).map(Name::from),
                part(BlockValueKind::Condition(condition)),
            );
        }
        for name in &item.unknown {
            scope.set(name.iter().cloned(), Value::DYNAMIC);
        }
    }
    scope
}

/// The name for the expressions of a block without a value, such as the arguments of a call. Expressions cannot refer
/// to it.
pub(crate) fn block_without_value(item: usize) -> [String; 2] {
    ["(block)".to_owned(), item.to_string()]
}

/// The name of a condition.
pub(crate) fn condition_path(item: usize, condition: usize) -> [String; 3] {
    ["(condition)".to_owned(), item.to_string(), condition.to_string()]
}

impl Item {
    /// Returns true if the instances of the block have keys.
    pub(crate) fn has_keys(&self) -> bool {
        self.repeat().is_some_and(|repeat| repeat.over != Over::Condition)
    }

    /// Returns what determines the instances of the block, such as `count` or `for_each`.
    pub(crate) fn repeat(&self) -> Option<&Repeat> {
        self.repetition.as_ref().map(|(repeat, _)| repeat)
    }

    /// Returns true if the block has expressions that are not part of a value.
    pub(crate) fn has_effects(&self) -> bool {
        self.rule.role != Role::Build
            && matches!(&self.content, Content::Settings(_) | Content::Call(Call { config: None, .. }))
    }
}

fn prefix(path: &[Step]) -> String {
    if path.is_empty() { String::new() } else { format!("{}.", written(path)) }
}
