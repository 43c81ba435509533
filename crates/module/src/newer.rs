//! What is newer than the version of the application that a directory is for: blocks, arguments and functions. The tables of
//! languages say since when these exist. The version is that of `required_version`, or of nested blocks such as `compatible_with`.

use std::convert::Infallible;
use std::path::Path;

use hclkit_dialect::{Constraints, Dialect, Role, Version};
use hclkit_model::{Attribute, Block, Context, Descend, Expression, Schema, Visitor};
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::Type;

use crate::config::{Config, Item, Target};
use crate::messages::meta as messages;

/// The arguments of calls that say which module is called.
const SOURCES: [&str; 2] = ["source", "version"];

impl Target {
    /// The newest version that the files of a directory allow, if the newest one of all is not among them.
    fn required(language: &Dialect, config: &Config) -> Option<Self> {
        let newest = language.newest.as_ref()?;
        let first = Version::parse(&language.versions.as_ref()?.0)?;
        let mut found: Option<Version> = None;
        let mut name = "required_version".to_owned();
        for item in &config.items {
            for attribute in of_program(item, language) {
                let value = attribute.expression.evaluate(&Context::new()).ok();
                let text = value.and_then(|value| value.convert(&Type::String).ok());
                let constraints = text.as_ref().and_then(|text| Constraints::parse(text.as_str()?));
                let Some(own) = constraints.and_then(|own| own.newest(&first, newest)) else { continue };
                if found.as_ref().is_none_or(|found| own.compare(found).is_lt()) {
                    found = Some(own);
                    name = attribute.name.to_string();
                }
            }
        }
        let version = found.filter(|found| found.compare(newest).is_lt())?;
        let because = format!("`{name}` allows no version after {version}");
        Some(Self { version, because })
    }

    /// The version that a directory is for, if it is not the newest one. `given` is that of a user.
    pub(crate) fn of(language: &Dialect, config: &Config, given: Option<&Self>) -> Option<Self> {
        let required = || Self::required(language, config);
        given.cloned().or_else(required).or_else(|| config.beside.clone())
    }
}

/// Whether the version that a directory is for has what a version brought.
pub(crate) fn is_in(language: &Dialect, config: &Config, given: Option<&Target>, since: &Version) -> bool {
    let target = Target::of(language, config, given);
    target.is_none_or(|target| since.compare(&target.version).is_le())
}

/// Reports what a directory has and the version that it is for has not. `given` is that of a user.
pub(crate) fn check(
    language: &Dialect,
    config: &Config,
    given: Option<&Target>,
    diagnostics: &mut Diagnostics,
) {
    let Some(target) = Target::of(language, config, given) else { return };
    let is_newer =
        |since: &Option<Version>| since.as_ref().is_some_and(|since| since.compare(&target.version).is_gt());
    if !language.since.has_newer(&target.version)
        && !language.functions_since.has_newer(&target.version)
        && !is_newer(&language.sources_since)
    {
        return;
    }
    for (_, body) in &config.files {
        let mut newer = Newer { language, target: &target, open: Vec::new(), diagnostics };
        let Ok(()) = body.visit(&mut newer);
    }
}

/// The constraints in a block on the version of the program. Blocks with labels are about something else.
pub(crate) fn of_program(item: &Item, language: &Dialect) -> Vec<Attribute> {
    if !item.labels.is_empty() {
        return Vec::new();
    }
    let body = &item.block.body;
    let names = item.rule.constraints.iter().filter(|_| counts(item, language));
    let own = names.filter_map(|name| body.attribute(name));
    let inner = item.rule.blocks.iter().filter_map(|name| language.nested(name));
    let inner = inner.filter(|rule| !rule.constraints.is_empty()).flat_map(|rule| {
        let schema = language.nested_schema(std::slice::from_ref(&rule.block_type));
        let blocks = body.partial_content(&schema).0.0.blocks;
        let names = rule.constraints.iter();
        names
            .flat_map(|name| blocks.iter().filter_map(|block| block.body.attribute(name)))
            .collect::<Vec<Attribute>>()
    });
    own.chain(inner).collect()
}

/// Whether the constraints of a block count, or are those of another program that reads the file, too.
fn counts(item: &Item, language: &Dialect) -> bool {
    let place = item.place();
    let name = Path::new(place.source.name()).file_name().map(|name| name.to_string_lossy());
    name.is_none_or(|name| language.reads_constraints_in(&name))
}

/// Finds what is newer.
struct Newer<'n> {
    language: &'n Dialect,
    target: &'n Target,
    /// The names of the blocks that are open: their types, and with their first labels.
    open: Vec<[Option<String>; 2]>,
    diagnostics: &'n mut Diagnostics,
}

impl Newer<'_> {
    fn report(&mut self, what: &str, since: &Version, place: Place) {
        let error = messages::newer(what, self.language.title(), since, &self.target.because);
        self.diagnostics.push(error.at(place));
    }

    /// The version that brought a name, if it is newer.
    fn newer(&self, name: &str) -> Option<Version> {
        let since = self.language.since.get(name)?;
        since.compare(&self.target.version).is_gt().then(|| since.clone())
    }

    /// The same for a name in the current block. The rule for it names the block, or also the one around that.
    fn newer_inside(&self, name: &str) -> Option<Version> {
        let (last, outer) = self.open.split_last()?;
        let mut around = last.iter().flatten();
        around.find_map(|around| self.newer(&format!("{around}.{name}"))).or_else(|| {
            let ([outer, _], [own, _]) = (outer.last()?, last);
            self.newer(&format!("{}.{}.{name}", outer.as_ref()?, own.as_ref()?))
        })
    }

    /// The version since which the attribute of a call can be an expression, if it is newer.
    fn newer_source(&self, attribute: &Attribute) -> Option<Version> {
        let [[Some(block_type), _]] = &self.open[..] else { return None };
        let rule = self.language.block(block_type).filter(|rule| rule.role == Role::Call)?;
        let since = self.language.sources_since.as_ref()?;
        let is_computed = rule.is_static(&attribute.name)
            && rule.references.contains(&attribute.name)
            && SOURCES.contains(&&*attribute.name)
            && attribute.expression.references().next().is_some();
        (is_computed && since.compare(&self.target.version).is_gt()).then(|| since.clone())
    }
}

impl Visitor for Newer<'_> {
    type Error = Infallible;

    fn schema(&mut self, block: Option<&Block>) -> Schema {
        let Some(block) = block else {
            // Also types of blocks that are in other kinds of files.
            return self.language.since.iter().fold(self.language.schema(), |schema, (name, _)| {
                let Some(shape) = self.language.shape(None, name) else { return schema };
                let labels: Vec<&str> = shape.labels.iter().map(String::as_str).collect();
                schema.with_block(name.clone(), &labels)
            });
        };
        let schema = |schema: Schema| {
            let object = block.labels.first().and_then(|own| self.language.object(&block.block_type, own));
            let blocks = object.into_iter().flat_map(|object| &object.blocks);
            blocks.fold(schema, |schema, own| schema.with_block(own.block_type.clone(), &[]))
        };
        let rule = (self.open.len() == 1).then(|| self.language.block(&block.block_type)).flatten();
        match (rule, self.language.nested(&block.block_type)) {
            (Some(rule), _) => schema(self.language.nested_schema(&rule.blocks)),
            (None, Some(nested)) => self.language.nested_schema(&nested.blocks),
            (None, None) => Schema::new(),
        }
    }

    fn attribute(&mut self, attribute: &Attribute) -> Result<Descend, Infallible> {
        if let Some(since) = self.newer_source(attribute) {
            let what = format!("A reference in `{}`", attribute.name);
            self.report(&what, &since, attribute.expression.place());
        }
        if let Some(since) = self.newer_inside(&attribute.name) {
            let place = Place::new(&attribute.source, attribute.name_span);
            self.report(&format!("`{}`", attribute.name), &since, place);
        }
        Ok(Descend::Inside)
    }

    fn block(&mut self, block: &Block) -> Result<Descend, Infallible> {
        let label = block.labels.first();
        let of_label = label.map(|label| format!("{}.{label}", block.block_type));
        let found = if self.open.is_empty() {
            self.newer(&block.block_type).or_else(|| self.newer(of_label.as_ref()?))
        } else {
            self.newer_inside(&block.block_type).or_else(|| self.newer(of_label.as_ref()?))
        };
        if let Some(since) = found {
            let is_type = of_label.as_ref().is_some_and(|name| self.newer(name).is_some())
                && self.newer(&block.block_type).is_none();
            let name = label.filter(|_| is_type).unwrap_or(&block.block_type);
            self.report(&format!("`{name}`"), &since, block.definition_place());
        }
        self.open.push([Some(block.block_type.to_string()), of_label]);
        Ok(Descend::Inside)
    }

    fn leave_block(&mut self, _: &Block) -> Result<(), Infallible> {
        self.open.pop();
        Ok(())
    }

    fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
        if let Ok(call) = expression.static_call()
            && let Some(since) = self.language.function_since(&call.name)
            && since.compare(&self.target.version).is_gt()
        {
            self.report(&format!("The function `{}`", call.name), &since.clone(), expression.place());
        }
        Ok(Descend::Inside)
    }
}
