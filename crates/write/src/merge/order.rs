//! Which chunks of three versions are the same thing, and in which order they are in the result. Nothing here depends on
//! which side is ours.

use std::collections::{HashMap, HashSet};

use super::chunks::{Chunk, Container, Key};
use super::text::equal_ranges;

/// The chunks that are the same thing, by their index in each version.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) base: Option<usize>,
    pub(super) ours: Option<usize>,
    pub(super) theirs: Option<usize>,
}

impl Entry {
    fn is_common(&self) -> bool {
        self.ours.is_some() && self.theirs.is_some()
    }
}

/// A part of the result.
#[derive(Debug)]
pub(super) enum Step {
    One(Entry),
    /// Both sides inserted these, and it is not certain that they are different things.
    Clash(Vec<Entry>, Vec<Entry>),
}

/// Three versions of a body or an object.
pub(super) struct Three<'c, 't> {
    pub(super) base: &'c Container<'t>,
    pub(super) ours: &'c Container<'t>,
    pub(super) theirs: &'c Container<'t>,
    /// Whether it is a whole file. Blocks that occur more than once there are independent of each other.
    pub(super) is_file: bool,
}

impl<'t> Three<'_, 't> {
    /// The order of the result. `None` if both sides moved chunks in different ways.
    pub(super) fn order(&self) -> Option<Vec<Step>> {
        let (entries, [ours, theirs]) = self.entries();
        let kept = |ids: &[usize]| -> Vec<usize> {
            ids.iter().copied().filter(|id| !self.is_removed(&entries[*id])).collect()
        };
        let (ours, theirs) = (kept(&ours), kept(&theirs));
        let (first, second) =
            if self.is_ours_first(&entries, &ours, &theirs)? { (ours, theirs) } else { (theirs, ours) };
        // What only the second sequence has, by the common chunk before it.
        let mut runs: HashMap<Option<usize>, Vec<Entry>> = HashMap::new();
        let mut last = None;
        for id in second {
            if entries[id].is_common() {
                last = Some(id);
            } else {
                runs.entry(last).or_default().push(entries[id]);
            }
        }
        let repeated = self.repeated();
        let mut steps = Vec::new();
        let mut own = Vec::new();
        let mut last = None;
        for id in first {
            if entries[id].is_common() {
                let other = runs.remove(&last).unwrap_or_default();
                self.combine(std::mem::take(&mut own), other, &repeated, &mut steps);
                steps.push(Step::One(entries[id]));
                last = Some(id);
            } else {
                own.push(entries[id]);
            }
        }
        self.combine(own, runs.remove(&last).unwrap_or_default(), &repeated, &mut steps);
        Some(steps)
    }

    /// The names of blocks that are independent of each other.
    fn repeated(&self) -> HashSet<&Key<'t>> {
        let counts = if self.is_file { counts(self.base) } else { HashMap::new() };
        counts.into_iter().filter(|(_, count)| *count > 1).map(|(key, _)| key).collect()
    }

    pub(super) fn chunk(&self, entry: &Entry) -> &Chunk<'t> {
        let ours = entry.ours.map(|at| &self.ours.chunks[at]);
        let chunk = ours.or_else(|| entry.theirs.map(|at| &self.theirs.chunks[at]));
        chunk.or_else(|| entry.base.map(|at| &self.base.chunks[at])).expect("an entry has a chunk")
    }

    /// Whether a side removed what the other one left as it was.
    fn is_removed(&self, entry: &Entry) -> bool {
        let Some(base) = entry.base.map(|at| self.base.chunks[at].content) else { return false };
        match (entry.ours, entry.theirs) {
            (Some(_), Some(_)) => false,
            (Some(at), None) => self.ours.chunks[at].content == base,
            (None, Some(at)) => self.theirs.chunks[at].content == base,
            (None, None) => true,
        }
    }

    /// The same things, and the sequence of them in both sides.
    fn entries(&self) -> (Vec<Entry>, [Vec<usize>; 2]) {
        let mut entries: Vec<Entry> =
            (0..self.base.chunks.len()).map(|at| Entry { base: Some(at), ..Entry::default() }).collect();
        let [by_ours, by_theirs] = [self.ours, self.theirs].map(|side| matches(self.base, side));
        let mut ours = Vec::with_capacity(by_ours.len());
        for (at, base) in by_ours.iter().enumerate() {
            let id = base.unwrap_or(entries.len());
            if base.is_none() {
                entries.push(Entry::default());
            }
            entries[id].ours = Some(at);
            ours.push(id);
        }
        for (at, base) in by_theirs.iter().enumerate() {
            if let Some(base) = base {
                entries[*base].theirs = Some(at);
            }
        }
        let counts = [self.base, self.ours, self.theirs].map(counts);
        let is_single = |key: &Key<'t>| {
            *key != Key::Comment
                && counts.iter().all(|counts| counts.get(key).is_none_or(|count| *count == 1))
        };
        // What both sides added: by its name if that occurs once, else if it is equal and at the same place.
        let mut single: HashMap<&Key<'t>, usize> = HashMap::new();
        let mut equal: HashMap<(Option<usize>, &Key<'t>, &str), Vec<usize>> = HashMap::new();
        let mut last = None;
        for (chunk, &id) in self.ours.chunks.iter().zip(&ours) {
            if entries[id].base.is_some() {
                last = if entries[id].is_common() { Some(id) } else { last };
            } else if is_single(&chunk.key) {
                single.insert(&chunk.key, id);
            } else {
                equal.entry((last, &chunk.key, chunk.content)).or_default().push(id);
            }
        }
        for ids in equal.values_mut() {
            ids.reverse();
        }
        let mut theirs = Vec::with_capacity(by_theirs.len());
        let mut last = None;
        for (at, (chunk, base)) in self.theirs.chunks.iter().zip(&by_theirs).enumerate() {
            if let Some(id) = *base {
                last = if entries[id].is_common() { Some(id) } else { last };
                theirs.push(id);
                continue;
            }
            let same = if is_single(&chunk.key) {
                single.remove(&chunk.key)
            } else {
                equal.get_mut(&(last, &chunk.key, chunk.content)).and_then(Vec::pop)
            };
            let id = same.unwrap_or(entries.len());
            if same.is_none() {
                entries.push(Entry::default());
            }
            entries[id].theirs = Some(at);
            theirs.push(id);
        }
        (entries, [ours, theirs])
    }

    /// Which side has the order of the result: the one that moved something. If none did, both sequences give the same result.
    fn is_ours_first(&self, entries: &[Entry], ours: &[usize], theirs: &[usize]) -> Option<bool> {
        let common = |ids: &[usize]| -> Vec<usize> {
            ids.iter().copied().filter(|id| entries[*id].is_common()).collect()
        };
        let (ours, theirs) = (common(ours), common(theirs));
        if ours == theirs {
            return Some(true);
        }
        let of_base =
            |ids: &[usize]| -> Vec<usize> { ids.iter().filter_map(|id| entries[*id].base).collect() };
        let (ours_base, theirs_base) = (of_base(&ours), of_base(&theirs));
        if ours_base == theirs_base {
            // Both added the same thing at different places.
            let places = |ids: &[usize]| -> Vec<(usize, Option<&Key<'t>>)> {
                let place = |id: &usize| match entries[*id].base {
                    Some(at) => (at, None),
                    None => (usize::MAX, Some(&self.chunk(&entries[*id]).key)),
                };
                ids.iter().map(place).collect()
            };
            return Some(places(&ours) <= places(&theirs));
        }
        if ours_base.is_sorted() || theirs_base.is_sorted() {
            return Some(theirs_base.is_sorted());
        }
        // Both moved something. The order of attributes has no meaning, and that of blocks only among equal ones.
        let of_equal = |ids: &[usize]| {
            let mut by_key: HashMap<&Key<'t>, Vec<usize>> = HashMap::new();
            for at in ids {
                by_key.entry(&self.base.chunks[*at].key).or_default().push(*at);
            }
            by_key.remove(&Key::Comment);
            by_key
        };
        (of_equal(&ours_base) == of_equal(&theirs_base)).then_some(ours_base <= theirs_base)
    }

    /// Adds what both sides have between two common chunks.
    fn combine(
        &self,
        first: Vec<Entry>,
        second: Vec<Entry>,
        repeated: &HashSet<&Key<'t>>,
        steps: &mut Vec<Step>,
    ) {
        let added = |entry: &&Entry| entry.base.is_none() && matches!(self.chunk(entry).key, Key::Block(..));
        let keys = |run: &[Entry]| -> HashSet<&Key<'t>> {
            run.iter().filter(added).map(|entry| &self.chunk(entry).key).collect()
        };
        let mut clashing = &keys(&first) & &keys(&second);
        clashing.retain(|key| !repeated.contains(key));
        let is_clashing = |entry: &Entry| entry.base.is_none() && clashing.contains(&self.chunk(entry).key);
        let [(first_clash, first), (second_clash, second)] =
            [first, second].map(|run| run.into_iter().partition::<Vec<Entry>, _>(is_clashing));
        let names = |entries: &[Entry]| -> Vec<(bool, Key<'t>, &'t str)> {
            let name = |entry: &Entry| {
                let chunk = self.chunk(entry);
                (chunk.key == Key::Comment, chunk.key.clone(), chunk.content)
            };
            entries.iter().map(name).collect()
        };
        let mut runs = [first, second];
        if !runs[0].is_empty() && !runs[1].is_empty() {
            let lead = |entries: &[Entry]| {
                let mut names = names(entries);
                // A comment above a block does not say where it belongs.
                names.sort_by_key(|name| name.0);
                names
            };
            runs.sort_by_cached_key(|run| lead(run));
        }
        steps.extend(runs.into_iter().flatten().map(Step::One));
        if !first_clash.is_empty() {
            let is_ours = first_clash[0].ours.is_some();
            steps.push(if is_ours {
                Step::Clash(first_clash, second_clash)
            } else {
                Step::Clash(second_clash, first_clash)
            });
        }
    }
}

fn counts<'c, 't>(container: &'c Container<'t>) -> HashMap<&'c Key<'t>, usize> {
    let mut counts = HashMap::new();
    for chunk in &container.chunks {
        *counts.entry(&chunk.key).or_default() += 1;
    }
    counts
}

/// For each chunk of a side, the one of the base that it was.
fn matches(base: &Container<'_>, side: &Container<'_>) -> Vec<Option<usize>> {
    let mut by_key: HashMap<&Key<'_>, [Vec<usize>; 2]> = HashMap::new();
    for (container, which) in [(base, 0), (side, 1)] {
        for (at, chunk) in container.chunks.iter().enumerate() {
            by_key.entry(&chunk.key).or_default()[which].push(at);
        }
    }
    let mut found = vec![None; side.chunks.len()];
    for [old, new] in by_key.values() {
        if let ([old], [new]) = (&**old, &**new) {
            found[*new] = Some(*old);
        } else if !old.is_empty() && !new.is_empty() {
            match_equal_names(base, side, old, new, &mut found);
        }
    }
    match_renamed(base, side, &mut found);
    found
}

/// Matches chunks with the same name: equal ones in their order, and those between them if they are as many.
fn match_equal_names(
    base: &Container<'_>,
    side: &Container<'_>,
    old: &[usize],
    new: &[usize],
    found: &mut [Option<usize>],
) {
    let mut known = HashMap::new();
    let mut id = |chunk: &Chunk<'_>| {
        let next = known.len() as u32;
        *known.entry(chunk.content.to_owned()).or_insert(next)
    };
    let old_ids: Vec<u32> = old.iter().map(|at| id(&base.chunks[*at])).collect();
    let new_ids: Vec<u32> = new.iter().map(|at| id(&side.chunks[*at])).collect();
    let end = (old.len()..old.len(), new.len()..new.len());
    let (mut old_at, mut new_at) = (0, 0);
    for (old_equal, new_equal) in equal_ranges(&old_ids, &new_ids).into_iter().chain([end]) {
        let (old_between, new_between) = (old_at..old_equal.start, new_at..new_equal.start);
        if old_between.len() == new_between.len() {
            for (old_at, new_at) in old_between.zip(new_between) {
                found[new[new_at]] = Some(old[old_at]);
            }
        }
        (old_at, new_at) = (old_equal.end, new_equal.end);
        for (old_at, new_at) in old_equal.zip(new_equal) {
            found[new[new_at]] = Some(old[old_at]);
        }
    }
}

/// More blocks at one place are not compared with each other.
const MOST: usize = 8;

/// Matches blocks that were renamed: those of the same type between the same neighbors that share most lines, in their order if they are
/// as many, else those that are similar to no other one.
fn match_renamed(base: &Container<'_>, side: &Container<'_>, found: &mut [Option<usize>]) {
    let matched: HashSet<usize> = found.iter().flatten().copied().collect();
    let mut by_place = HashMap::<(Option<usize>, &str, usize), [Vec<usize>; 2]>::new();
    let mut last = None;
    for (at, chunk) in base.chunks.iter().enumerate() {
        if matched.contains(&at) {
            last = Some(at);
        } else if let Key::Block(block_type, labels) = &chunk.key {
            by_place.entry((last, block_type, labels.len())).or_default()[0].push(at);
        }
    }
    let mut last = None;
    for (at, chunk) in side.chunks.iter().enumerate() {
        if found[at].is_some() {
            last = found[at];
        } else if let Key::Block(block_type, labels) = &chunk.key {
            by_place.entry((last, block_type, labels.len())).or_default()[1].push(at);
        }
    }
    for [old, new] in by_place.values() {
        let similar = |old: usize, new: usize| are_similar(base.chunks[old].item, side.chunks[new].item);
        if old.len() == new.len() {
            let pairs = old.iter().zip(new).filter(|(old, new)| similar(**old, **new));
            pairs.for_each(|(old, new)| found[*new] = Some(*old));
        } else if old.len() <= MOST && new.len() <= MOST {
            let pairs = old.iter().flat_map(|old| new.iter().map(move |new| (*old, *new)));
            let pairs: Vec<(usize, usize)> = pairs.filter(|(old, new)| similar(*old, *new)).collect();
            let is_only = |pair: &&(usize, usize)| {
                pairs.iter().filter(|other| other.0 == pair.0 || other.1 == pair.1).count() == 1
            };
            pairs.iter().filter(is_only).for_each(|(old, new)| found[*new] = Some(*old));
        }
    }
}

/// Whether two blocks have most lines in common, without the first and the last one.
fn are_similar(one: &str, other: &str) -> bool {
    let lines = |text: &str| {
        let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
        if lines.len() < 3 { Vec::new() } else { lines[1..lines.len() - 1].to_vec() }
    };
    let (one, other) = (lines(one), lines(other));
    let mut left: HashMap<&str, usize> = HashMap::new();
    for line in &one {
        *left.entry(line).or_default() += 1;
    }
    let is_shared = |line: &&String| match left.get_mut(line.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let shared = other.iter().filter(is_shared).count();
    shared > 0 && shared * 10 >= one.len().max(other.len()) * 7
}
