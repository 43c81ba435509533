//! What Bake builds: the targets of groups with what they inherit, overrides, and the targets that others use as contexts.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use hclkit_limits::{Meter, with_room};
use hclkit_syntax::{Diagnostic, Diagnostics, KnownNames, Place};
use hclkit_value::Value;

use crate::argument::{
    ARGUMENTS, Argument, ArgumentValue, Arguments, add_texts, count, merge, normalize, text_of, texts_of,
};
use crate::entry::{Field, KeyValueEntry};
use crate::messages;
use crate::overrides::Overrides;
use crate::pattern;
use crate::{Plan, Planned};
use hclkit_module::shared::clean;

/// How many steps it counts as to visit a target or a group.
const STEPS: u64 = 64;

/// The groups and targets of all files, in their order.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    pub(crate) groups: Named,
    pub(crate) targets: Named,
    /// The places where targets and groups refer to others, by both names.
    pub(crate) places: BTreeMap<(String, String), Place>,
    /// The labels of targets whose instances have errors.
    pub(crate) broken: BTreeSet<String>,
}

/// Arguments by name, in the order in which the names were added.
#[derive(Debug, Default)]
pub(crate) struct Named {
    all: Vec<(String, Arguments)>,
    index: HashMap<String, usize>,
}

impl Named {
    pub(crate) fn get(&self, name: &str) -> Option<&Arguments> {
        self.index.get(name).map(|&at| &self.all[at].1)
    }

    /// The arguments of a name, which is added without arguments if it is new.
    pub(crate) fn entry(&mut self, name: &str) -> &mut Arguments {
        let at = self.index.get(name).copied().unwrap_or_else(|| {
            self.index.insert(name.to_owned(), self.all.len());
            self.all.push((name.to_owned(), Arguments::new()));
            self.all.len() - 1
        });
        &mut self.all[at].1
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|(name, _)| name.as_str())
    }
}

impl Declarations {
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.groups.names().chain(self.targets.names())
    }

    /// A diagnostic at the place where a target or a group refers to another one.
    fn at(&self, from: &str, to: &str, found: Diagnostic) -> Diagnostic {
        match self.places.get(&(from.to_owned(), to.to_owned())) {
            Some(place) => found.at(place.clone()),
            None => found,
        }
    }

    /// The requested targets and groups, with patterns resolved.
    fn asked(&self, asked: &[String], diagnostics: &mut Diagnostics) -> Vec<String> {
        let mut all = Vec::new();
        for name in asked {
            // The names of services in Compose files can contain dots.
            let name = name.replace('.', "_");
            if pattern::is_pattern(&name) {
                let before = all.len();
                all.extend(self.names().filter(|own| pattern::matches(&name, own)).map(str::to_owned));
                if all.len() == before {
                    diagnostics.push(messages::nothing_matches(&name));
                }
            } else {
                all.push(name);
            }
        }
        let mut seen = BTreeSet::new();
        all.retain(|name| seen.insert(name.clone()));
        all
    }

    /// Adds the targets and groups that a name refers to. A group without targets, or inside itself, is treated as a target.
    fn add_members<'d>(&'d self, name: &'d str, found: &mut Members<'d>) {
        let Some(group) = self.groups.get(name) else { return found.add_target(name) };
        if found.all.contains(name) || found.groups.contains_key(name) {
            return;
        }
        found.groups.insert(name, true);
        for member in texts_of(group, "targets") {
            if Meter::current().take_steps(STEPS).is_err() {
                return;
            }
            let is_open = found.groups.get(member.as_str()) == Some(&true);
            found.has_cycle |= is_open;
            let is_empty =
                || self.groups.get(member).is_some_and(|group| texts_of(group, "targets").is_empty());
            if is_open || is_empty() {
                found.add_target(member);
            }
            if !is_open {
                with_room(|| self.add_members(member, found));
            }
        }
        found.groups.insert(name, false);
    }
}

/// The targets and groups that a name refers to.
#[derive(Debug, Default)]
struct Members<'d> {
    targets: Vec<&'d str>,
    seen: BTreeSet<&'d str>,
    /// The groups, and whether the walk is inside of them.
    groups: BTreeMap<&'d str, bool>,
    /// The groups of earlier walks. Their members are known.
    all: BTreeSet<&'d str>,
    /// Whether a group is inside itself. Its members depend on where a walk begins.
    has_cycle: bool,
}

impl<'d> Members<'d> {
    fn add_target(&mut self, name: &'d str) {
        if self.seen.insert(name) {
            self.targets.push(name);
        }
    }

    /// The groups that are known in the next walk.
    fn into_known(mut self) -> BTreeSet<&'d str> {
        if !self.has_cycle {
            self.all.extend(self.groups.into_keys());
        }
        self.all
    }
}

/// Resolves targets.
pub(crate) struct Planner<'p> {
    declarations: &'p Declarations,
    overrides: &'p Overrides,
    /// The value of `SOURCE_DATE_EPOCH`, which all builds get as an argument.
    epoch: Option<String>,
    diagnostics: &'p mut Diagnostics,
    /// The arguments of the targets found so far.
    known: HashMap<String, Rc<Arguments>>,
    /// The same for the target that is being resolved and those that it inherits; `None` while one is being resolved.
    found: HashMap<String, Option<Rc<Arguments>>>,
    /// Whether one of these inherits itself. Its arguments depend on where the search begins.
    has_cycle: bool,
    names: OnceCell<Names<'p>>,
}

/// For errors about names.
struct Names<'p> {
    known: KnownNames<'p>,
    /// The first place that refers to a target or a group.
    places: HashMap<&'p str, &'p Place>,
}

impl<'p> Planner<'p> {
    pub(crate) fn new(
        declarations: &'p Declarations,
        overrides: &'p Overrides,
        epoch: Option<String>,
        diagnostics: &'p mut Diagnostics,
    ) -> Self {
        let (known, found, names) = (HashMap::new(), HashMap::new(), OnceCell::new());
        Planner { declarations, overrides, epoch, diagnostics, known, found, has_cycle: false, names }
    }

    pub(crate) fn plan(mut self, asked: &[String]) -> Plan {
        let declarations = self.declarations;
        let asked = declarations.asked(asked, self.diagnostics);
        let mut targets: BTreeMap<String, Arguments> = BTreeMap::new();
        let mut groups: BTreeMap<String, Arguments> = BTreeMap::new();
        let mut known = BTreeSet::new();
        for name in &asked {
            let mut members = Members { all: known, ..Members::default() };
            declarations.add_members(name, &mut members);
            for member in &members.targets {
                if !targets.contains_key(*member)
                    && let Some(arguments) = self.resolved(member)
                {
                    targets.insert((*member).to_owned(), arguments);
                }
            }
            for group in members.groups.keys() {
                let arguments = declarations.groups.get(group).cloned().unwrap_or_default();
                groups.insert((*group).to_owned(), arguments);
            }
            known = members.into_known();
        }
        for name in &asked {
            if name == "default" && groups.contains_key("default") {
                continue;
            }
            add_texts(groups.entry("default".to_owned()).or_default(), "targets", [name.clone()]);
        }
        if let Some(ArgumentValue::Texts(names)) =
            groups.get_mut("default").and_then(|group| group.get_mut("targets"))
        {
            names.sort();
            names.dedup();
        }
        let mut linked = HashMap::new();
        for name in targets.keys().cloned().collect::<Vec<_>>() {
            self.link(&name, &mut targets, &mut linked);
        }
        let mut plan = Plan::default();
        for (name, arguments) in &groups {
            let names = texts_of(arguments, "targets");
            let description = text_of(arguments, "description").filter(|text| !text.is_empty());
            let mut attributes: Vec<(&str, Value)> =
                description.map(|text| ("description", Value::from(text))).into_iter().collect();
            attributes.push(("targets", Value::tuple(names.iter().map(Value::from))));
            plan.groups.push(Planned { name: name.clone(), attributes });
        }
        for (name, mut arguments) in targets {
            self.finish(&name, &mut arguments);
            let printed =
                |argument: &Argument| Some((argument.name, argument.printed(arguments.get(argument.name)?)?));
            plan.targets.push(Planned { name, attributes: ARGUMENTS.iter().filter_map(printed).collect() });
        }
        plan
    }

    /// A target with its inherited arguments and its overrides.
    fn resolved(&mut self, name: &str) -> Option<Arguments> {
        self.has_cycle = false;
        let resolved = self.target(name);
        let found = std::mem::take(&mut self.found);
        if !self.has_cycle {
            self.known.extend(found.into_iter().filter_map(|(name, arguments)| Some((name, arguments?))));
        }
        let resolved = resolved?;
        count(&resolved).ok()?;
        let mut arguments = (*resolved).clone();
        arguments.entry("context").or_insert_with(|| ArgumentValue::Text(".".to_owned()));
        if text_of(&arguments, "dockerfile").unwrap_or_default().is_empty() {
            arguments.insert("dockerfile", ArgumentValue::Text("Dockerfile".to_owned()));
        }
        Some(arguments)
    }

    /// The arguments of a target; `None` if there is none, or if a limit is exceeded.
    fn target(&mut self, name: &str) -> Option<Rc<Arguments>> {
        if let Some(known) = self.known.get(name) {
            return Some(known.clone());
        }
        if let Some(found) = self.found.get(name) {
            return found.clone();
        }
        Meter::current().take_steps(STEPS).ok()?;
        self.found.insert(name.to_owned(), None);
        let Some(own) = self.declarations.targets.get(name) else {
            self.report_unknown(name);
            return None;
        };
        let mut arguments = Arguments::new();
        for parent in texts_of(own, "inherits") {
            let is_open = matches!(self.found.get(parent), Some(None));
            if is_open && self.declarations.targets.get(parent).is_some() {
                self.has_cycle = true;
                let found = messages::inherits_itself(name);
                self.diagnostics.push(self.declarations.at(name, parent, found));
            }
            if let Some(inherited) = with_room(|| self.target(parent)) {
                merge(&mut arguments, &inherited).ok()?;
            }
        }
        merge(&mut arguments, own).ok()?;
        self.overrides.apply(name, &mut arguments, self.diagnostics);
        normalize(&mut arguments);
        arguments.remove("inherits");
        let arguments = Rc::new(arguments);
        self.found.insert(name.to_owned(), Some(arguments.clone()));
        Some(arguments)
    }

    /// Reports an unknown target, unless an error may have left out the instance with this name.
    fn report_unknown(&mut self, name: &str) {
        let declarations = self.declarations;
        if declarations.broken.contains(name) {
            return;
        }
        let names = self.names.get_or_init(|| {
            let places = declarations.places.iter().rev();
            let places = places.map(|((_, to), place)| (to.as_str(), place)).collect();
            Names { known: KnownNames::new(declarations.names()), places }
        });
        let mut all = declarations.names().peekable();
        let found = if declarations.groups.get(name).is_some() {
            messages::group_is_no_target(name)
        } else if name == "default" && all.peek().is_some() {
            messages::no_default(&all.collect::<Vec<_>>().join(", "))
        } else {
            // As in a file: `target.web`, of which the name on the command line is `target_web`.
            let bare = name.strip_prefix("target_").or_else(|| name.strip_prefix("group_"));
            let bare = bare.filter(|bare| declarations.names().any(|own| own == *bare));
            messages::unknown_target(name, bare.or_else(|| names.known.nearest(name).first().copied()))
        };
        self.diagnostics.push(match names.places.get(name) {
            Some(place) => found.at((*place).clone()),
            None => found,
        });
    }

    /// Adds the targets that a target uses as contexts. `linked` has the targets for which that was done, and true while it
    /// is being done.
    fn link(
        &mut self,
        name: &str,
        targets: &mut BTreeMap<String, Arguments>,
        linked: &mut HashMap<String, bool>,
    ) {
        if linked.contains_key(name) {
            return;
        }
        let contexts = match targets.get(name).and_then(|own| own.get("contexts")) {
            Some(ArgumentValue::Map(contexts)) => contexts.values(),
            _ => return,
        };
        linked.insert(name.to_owned(), true);
        let others: Vec<String> =
            contexts.filter_map(|value| value.strip_prefix("target:")).map(str::to_owned).collect();
        for other in others {
            if other == name {
                let found = messages::link_to_itself(name);
                self.diagnostics.push(self.declarations.at(name, &other, found));
                continue;
            }
            if linked.get(&other) == Some(&true) {
                let found = messages::link_cycle(name, &other);
                self.diagnostics.push(self.declarations.at(name, &other, found));
                continue;
            }
            if !targets.contains_key(&other) {
                let Some(mut arguments) = self.resolved(&other) else { continue };
                let nothing = KeyValueEntry::from([("type".to_owned(), Field::Text("cacheonly".to_owned()))]);
                arguments.insert("output", ArgumentValue::Entries(vec![nothing]));
                targets.insert(other.clone(), arguments);
            }
            with_room(|| self.link(&other, targets, linked));
            let of = |name: &str, argument: &str| {
                targets.get(name).map(|own| texts_of(own, argument).to_vec()).unwrap_or_default()
            };
            let (mine, theirs) = (of(name, "platforms"), of(&other, "platforms"));
            let lacks = || {
                let theirs: BTreeSet<&String> = theirs.iter().collect();
                mine.iter().any(|platform| !theirs.contains(platform))
            };
            if mine.len() > 1 && theirs.len() > 1 && lacks() {
                let found = messages::link_platforms(name, &other);
                self.diagnostics.push(self.declarations.at(name, &other, found));
            }
            let mine: BTreeSet<String> = of(name, "entitlements").into_iter().collect();
            let more: Vec<String> =
                of(&other, "entitlements").into_iter().filter(|own| !mine.contains(own)).collect();
            if let Some(arguments) = targets.get_mut(name).filter(|_| !more.is_empty()) {
                add_texts(arguments, "entitlements", more);
            }
        }
        linked.insert(name.to_owned(), false);
    }

    /// Completes what all printed targets have in common.
    fn finish(&mut self, name: &str, arguments: &mut Arguments) {
        if let Some(epoch) = &self.epoch {
            let empty = || ArgumentValue::Map(BTreeMap::new());
            if let ArgumentValue::Map(args) = arguments.entry("args").or_insert_with(empty) {
                args.entry("SOURCE_DATE_EPOCH".to_owned()).or_insert_with(|| epoch.clone());
            }
        }
        for what in ["context", "dockerfile"] {
            if text_of(arguments, what) == Some("-") {
                let problem = messages::from_standard_input(what);
                self.diagnostics.push(messages::invalid_print(name, &problem));
            }
        }
        if let Some(ArgumentValue::Text(context)) = arguments.get_mut("context") {
            if let Some(path) = context.strip_prefix("cwd://") {
                *context = context_path(path);
            } else if !is_remote(context) {
                *context = context_path(context);
            }
        }
    }
}

/// The shortest form of the path of a context.
fn context_path(path: &str) -> String {
    let path = clean(path);
    if path.is_empty() { ".".to_owned() } else { path }
}

/// Whether a context is a URL or a Git repository.
fn is_remote(context: &str) -> bool {
    let starts = ["http://", "https://", "git://", "ssh://", "git@", "github.com/"];
    starts.iter().any(|start| context.starts_with(start))
}
