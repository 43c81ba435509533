//! Where `moved` blocks say that objects are now.

use std::collections::HashSet;
use std::sync::Arc;

use hclkit_dialect::Statement;
use hclkit_syntax::Diagnostics;
use hclkit_value::{Type, Value};

use super::Subject;
use crate::instance::Instance;
use crate::module::Module;
use crate::pattern::Pattern;
use crate::step::{Step, written};

/// The statements of a module, and of those that it calls, about objects and modules with another address than before.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    all: Vec<Move>,
}

/// A statement in a module.
#[derive(Clone, Debug)]
struct Move {
    /// The names that lead to the module, without keys: the statement is about each of its instances.
    module: Vec<Step>,
    from: Vec<Step>,
    to: Vec<Step>,
}

impl Module {
    /// Returns the moves that the module and the modules that it calls state. Only modules with known instances count, and only
    /// after an evaluation.
    #[doc(hidden)]
    pub fn moves(&self) -> Moves {
        let (mut moves, mut seen, mut open) = (Moves::default(), HashSet::new(), vec![self.root.clone()]);
        while let Some(instance) = open.pop() {
            open.extend(instance.calls().cloned());
            let module = without_keys(&instance.path);
            if seen.insert(written(&module)) {
                moves.all.extend(stated(&instance, &module));
            }
        }
        moves
    }
}

fn stated(instance: &Arc<Instance>, module: &[Step]) -> Vec<Move> {
    let is_move = |own: &&crate::config::Item| own.rule.statement == Some(Statement::Move);
    let of = |item: &crate::config::Item| {
        let subject = |name| Subject::of(item, name, instance, &mut Diagnostics::new());
        let (from, to) = (subject("from")?.address.steps, subject("to")?.address.steps);
        Some(Move { module: module.to_vec(), from, to })
    };
    instance.config.items.iter().filter(is_move).filter_map(of).collect()
}

/// The steps of an address, in which `[*]` is a key that is unknown.
fn steps(address: &str) -> Option<Vec<Step>> {
    if let Some(found) = address.parse::<Pattern>().ok().and_then(|pattern| pattern.address()) {
        return Some(found);
    }
    let mut found = Vec::new();
    for (at, part) in address.split("[*]").enumerate() {
        if at > 0 {
            found.push(Step::Key(Value::unknown(Type::Dynamic)));
        }
        let part = part.strip_prefix('.').unwrap_or(part);
        if !part.is_empty() {
            found.extend(part.parse::<Pattern>().ok()?.address()?);
        }
    }
    Some(found)
}

fn is_key(step: &Step) -> bool {
    matches!(step, Step::Key(_))
}

fn without_keys(steps: &[Step]) -> Vec<Step> {
    steps.iter().filter(|step| !is_key(step)).cloned().collect()
}

impl Moves {
    /// Returns true if nothing has moved.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The address that the instance of an object has now, if it is another one. Moves that follow each other count as one.
    pub fn moved(&self, address: &str) -> Option<String> {
        self.follow(address, false)
    }

    /// The same for a block whose instances have keys. A move to an instance is not one of the block.
    pub fn moved_block(&self, address: &str) -> Option<String> {
        self.follow(address, true)
    }

    /// The address that a block now has, one of whose instances is the only one that moves.
    pub fn moved_declaration(&self, address: &str) -> Option<String> {
        let mut steps = steps(&self.follow(address, false)?)?;
        steps.pop_if(|step| is_key(step));
        Some(written(&steps))
    }

    fn follow(&self, address: &str, has_keys: bool) -> Option<String> {
        if self.all.is_empty() {
            return None;
        }
        let mut steps = steps(address)?;
        let mut seen = HashSet::from([address.to_owned()]);
        let mut found = None;
        while let Some(next) = self.all.iter().find_map(|own| own.apply(&steps, has_keys)) {
            let text = written(&next);
            if !seen.insert(text.clone()) {
                break;
            }
            (steps, found) = (next, Some(text));
        }
        found
    }
}

impl Move {
    /// The address after this move, if the move is about it. With `has_keys`, it is that of a block whose instances have keys.
    fn apply(&self, address: &[Step], has_keys: bool) -> Option<Vec<Step>> {
        let start = self.inside(address)?;
        let rest = address[start..].strip_prefix(&self.from[..])?;
        // Without a key, all instances move, unless the new address has a key.
        let has_key = |steps: &[Step]| steps.last().is_some_and(is_key);
        let is_of_many = has_keys && rest.is_empty() || has_key(rest.get(..1).unwrap_or_default());
        if is_of_many && !has_key(&self.from) && has_key(&self.to) {
            return None;
        }
        Some([&address[..start], &self.to, rest].concat())
    }

    /// The number of steps that lead to an instance of the module, if the address is in one.
    fn inside(&self, address: &[Step]) -> Option<usize> {
        let mut at = 0;
        for step in &self.module {
            if address.get(at).is_some_and(is_key) {
                at += 1;
            }
            if address.get(at)? != step {
                return None;
            }
            at += 1;
        }
        let is_instance = !self.module.is_empty() && address.get(at).is_some_and(is_key);
        Some(at + usize::from(is_instance))
    }
}
