//! What Bake builds: the targets of groups with what they inherit, overrides, and the targets that others use as contexts.

use std::collections::{BTreeMap, BTreeSet};

use hclkit_limits::with_room;
use hclkit_syntax::{Diagnostic, Diagnostics, Place, nearest_name};
use hclkit_value::Value;

use super::entry::{Entry, Field};
use super::overrides::Overrides;
use super::pattern;
use super::setting::{ARGUMENTS, Setting, Settings, add_texts, merge, normalize, text_of, texts_of};
use super::{Plan, Planned};
use crate::files::clean;
use crate::messages::bake as messages;

/// The groups and targets of all files, in their order.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    pub(super) groups: Vec<(String, Settings)>,
    pub(super) targets: Vec<(String, Settings)>,
    /// The places where targets and groups refer to others, by both names.
    pub(super) places: BTreeMap<(String, String), Place>,
    /// The labels of targets whose instances have errors.
    pub(super) broken: BTreeSet<String>,
}

impl Declarations {
    fn group(&self, name: &str) -> Option<&Settings> {
        self.groups.iter().find(|(own, _)| own == name).map(|(_, settings)| settings)
    }

    fn target(&self, name: &str) -> Option<&Settings> {
        self.targets.iter().find(|(own, _)| own == name).map(|(_, settings)| settings)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().chain(&self.targets).map(|(name, _)| name.as_str())
    }

    /// A diagnostic at the place where a target or a group refers to another one.
    fn at(&self, from: &str, to: &str, found: Diagnostic) -> Diagnostic {
        match self.places.get(&(from.to_owned(), to.to_owned())) {
            Some(place) => found.at(place.clone()),
            None => found,
        }
    }

    /// A diagnostic at the first place that refers to a target or a group.
    fn at_any(&self, to: &str, found: Diagnostic) -> Diagnostic {
        match self.places.iter().find(|((_, own), _)| own == to) {
            Some((_, place)) => found.at(place.clone()),
            None => found,
        }
    }

    /// The requested targets and groups, with patterns resolved.
    fn asked(&self, asked: &[String], diagnostics: &mut Diagnostics) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for name in asked {
            // The names of services in Compose files can contain dots.
            let name = name.replace('.', "_");
            let before = all.len();
            if pattern::is_pattern(&name) {
                let found: Vec<String> =
                    self.names().filter(|own| pattern::matches(&name, own)).map(str::to_owned).collect();
                if found.is_empty() {
                    diagnostics.push(messages::nothing_matches(&name));
                }
                all.extend(found);
            } else {
                all.push(name);
            }
            let new = all.split_off(before);
            for name in new {
                push_new(&mut all, name);
            }
        }
        all
    }

    /// The targets and groups that a name refers to. A group without targets, or inside itself, is treated as a target.
    fn members(&self, name: &str, visited: &mut BTreeMap<String, Members>) -> Members {
        if let Some(known) = visited.get(name) {
            return known.clone();
        }
        let Some(group) = self.group(name) else { return (vec![name.to_owned()], Vec::new()) };
        visited.insert(name.to_owned(), Members::default());
        let (mut targets, mut groups) = (Vec::new(), vec![name.to_owned()]);
        for member in texts_of(group, "targets") {
            let (mut own, more) = with_room(|| self.members(member, visited));
            if own.is_empty() {
                own.push(member.clone());
            }
            for name in own {
                push_new(&mut targets, name);
            }
            for name in more {
                push_new(&mut groups, name);
            }
        }
        visited.insert(name.to_owned(), (targets.clone(), groups.clone()));
        (targets, groups)
    }
}

/// Targets and groups.
type Members = (Vec<String>, Vec<String>);

fn push_new(all: &mut Vec<String>, name: String) {
    if !all.contains(&name) {
        all.push(name);
    }
}

/// Resolves targets.
pub(super) struct Planner<'p> {
    pub(super) declarations: &'p Declarations,
    pub(super) overrides: &'p Overrides,
    /// The value of `SOURCE_DATE_EPOCH`, which all builds get as an argument.
    pub(super) epoch: Option<String>,
    pub(super) diagnostics: &'p mut Diagnostics,
}

impl Planner<'_> {
    pub(super) fn plan(mut self, asked: &[String]) -> Plan {
        let asked = self.declarations.asked(asked, self.diagnostics);
        let mut targets: BTreeMap<String, Settings> = BTreeMap::new();
        let mut groups: BTreeMap<String, Settings> = BTreeMap::new();
        for name in &asked {
            let (members, of) = self.declarations.members(name, &mut BTreeMap::new());
            for member in members {
                if let Some(settings) = self.resolved(&member) {
                    targets.insert(member, settings);
                }
            }
            for group in of {
                let settings = self.declarations.group(&group).cloned().unwrap_or_default();
                groups.insert(group, settings);
            }
        }
        for name in &asked {
            if name == "default" && groups.contains_key("default") {
                continue;
            }
            add_texts(groups.entry("default".to_owned()).or_default(), "targets", [name.clone()]);
        }
        if let Some(Setting::Texts(names)) =
            groups.get_mut("default").and_then(|group| group.get_mut("targets"))
        {
            names.sort();
            names.dedup();
        }
        for name in targets.keys().cloned().collect::<Vec<_>>() {
            self.link(&name, &mut targets, &mut Vec::new());
        }
        let mut plan = Plan::default();
        for (name, settings) in &groups {
            let names = texts_of(settings, "targets");
            let description = text_of(settings, "description").filter(|text| !text.is_empty());
            let mut attributes: Vec<(&str, Value)> =
                description.map(|text| ("description", Value::from(text))).into_iter().collect();
            attributes.push(("targets", Value::tuple(names.iter().map(Value::from))));
            plan.groups.push(Planned { name: name.clone(), attributes });
        }
        for (name, mut settings) in targets {
            self.finish(&name, &mut settings);
            let printed = |argument: &super::setting::Argument| {
                Some((argument.name, argument.printed(settings.get(argument.name)?)?))
            };
            plan.targets.push(Planned { name, attributes: ARGUMENTS.iter().filter_map(printed).collect() });
        }
        plan
    }

    /// A target with its inherited arguments and its overrides.
    fn resolved(&mut self, name: &str) -> Option<Settings> {
        let mut settings = self.target(name, &mut BTreeMap::new())?;
        settings.remove("inherits");
        settings.entry("context").or_insert_with(|| Setting::Text(".".to_owned()));
        if text_of(&settings, "dockerfile").unwrap_or_default().is_empty() {
            settings.insert("dockerfile", Setting::Text("Dockerfile".to_owned()));
        }
        Some(settings)
    }

    /// The settings of a target. `visited` has those of the targets found so far; `None` while a target is being
    /// resolved.
    fn target(&mut self, name: &str, visited: &mut BTreeMap<String, Option<Settings>>) -> Option<Settings> {
        if let Some(known) = visited.get(name) {
            return known.clone();
        }
        visited.insert(name.to_owned(), None);
        let Some(own) = self.declarations.target(name) else {
            if self.declarations.broken.contains(name) {
                return None;
            }
            let names: Vec<&str> = self.declarations.names().collect();
            let found = if name == "default" && !names.is_empty() {
                messages::no_default(&names.join(", "))
            } else {
                messages::unknown_target(name, nearest_name(name, names))
            };
            self.diagnostics.push(self.declarations.at_any(name, found));
            return None;
        };
        let own = own.clone();
        let mut settings = Settings::new();
        for parent in texts_of(&own, "inherits") {
            if visited.get(parent) == Some(&None) && self.declarations.target(parent).is_some() {
                self.diagnostics.push(self.declarations.at(name, parent, messages::inherits_itself(name)));
            }
            if let Some(inherited) = with_room(|| self.target(parent, visited)) {
                merge(&mut settings, &inherited);
            }
        }
        merge(&mut settings, &own);
        self.overrides.apply(name, &mut settings, self.diagnostics);
        normalize(&mut settings);
        visited.insert(name.to_owned(), Some(settings.clone()));
        Some(settings)
    }

    /// Adds the targets that a target uses as contexts.
    fn link(&mut self, name: &str, targets: &mut BTreeMap<String, Settings>, visited: &mut Vec<String>) {
        visited.push(name.to_owned());
        let Some(Setting::Map(contexts)) = targets.get(name).and_then(|own| own.get("contexts")) else {
            visited.pop();
            return;
        };
        let linked: Vec<String> =
            contexts.values().filter_map(|value| value.strip_prefix("target:")).map(str::to_owned).collect();
        for other in linked {
            if other == name {
                let found = messages::link_to_itself(name);
                self.diagnostics.push(self.declarations.at(name, &other, found));
                continue;
            }
            if visited.contains(&other) {
                let found = messages::link_cycle(name, &other);
                self.diagnostics.push(self.declarations.at(name, &other, found));
                continue;
            }
            if !targets.contains_key(&other) {
                let Some(mut settings) = self.resolved(&other) else { continue };
                let nothing = Entry::from([("type".to_owned(), Field::Text("cacheonly".to_owned()))]);
                settings.insert("output", Setting::Entries(vec![nothing]));
                targets.insert(other.clone(), settings);
            }
            with_room(|| self.link(&other, targets, visited));
            let of = |name: &str, argument: &str| {
                targets.get(name).map(|own| texts_of(own, argument).to_vec()).unwrap_or_default()
            };
            let (mine, theirs) = (of(name, "platforms"), of(&other, "platforms"));
            if mine.len() > 1 && theirs.len() > 1 && !mine.iter().all(|platform| theirs.contains(platform)) {
                let found = messages::link_platforms(name, &other);
                self.diagnostics.push(self.declarations.at(name, &other, found));
            }
            let mine = of(name, "entitlements");
            let more: Vec<String> =
                of(&other, "entitlements").into_iter().filter(|own| !mine.contains(own)).collect();
            if let Some(settings) = targets.get_mut(name).filter(|_| !more.is_empty()) {
                add_texts(settings, "entitlements", more);
            }
        }
        visited.pop();
    }

    /// Completes what all printed targets have in common.
    fn finish(&mut self, name: &str, settings: &mut Settings) {
        if let Some(epoch) = &self.epoch {
            let empty = || Setting::Map(BTreeMap::new());
            if let Setting::Map(args) = settings.entry("args").or_insert_with(empty) {
                args.entry("SOURCE_DATE_EPOCH".to_owned()).or_insert_with(|| epoch.clone());
            }
        }
        for what in ["context", "dockerfile"] {
            if text_of(settings, what) == Some("-") {
                let problem = messages::from_standard_input(what);
                self.diagnostics.push(messages::invalid_print(name, &problem));
            }
        }
        if let Some(Setting::Text(context)) = settings.get_mut("context") {
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
