//! The modules that a directory calls: in local directories, or downloaded.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use hclkit_dialect::{Constraints, ModuleSource};
use hclkit_model::{Attribute, Block, Body, BodyItem, Content as Parts};
use hclkit_syntax::{Diagnostic, Diagnostics, KnownNames, Place};
use hclkit_value::{Name, Type, Value};

use super::Loading;
use crate::block_rules::constant::{literal, version_without_registry};
use crate::config::installed::Installed;
use crate::config::{Call, Config, Size};
use crate::files::{join, relative};
use crate::messages;

/// The arguments of a call that are known before the module is.
const SOURCE: &str = "source";
const VERSION: &str = "version";

/// The maximum size of the modules that a module calls.
const MOST_BELOW: Size = Size { declarations: 100_000, address_bytes: 64 << 20 };

/// The maximum depth at which a module with a computed source can call itself.
const MOST_OPEN: usize = 100;

impl Loading<'_> {
    pub(super) fn call(
        &mut self,
        block: &Block,
        parts: &Parts,
        rest: &Body,
        diagnostics: &mut Diagnostics,
    ) -> Call {
        let (arguments, found) = rest.attributes();
        // Blocks with a meaning are reported, too.
        let is_block = |item: &BodyItem| matches!(item, BodyItem::Block(_));
        let is_escaping = |item: &BodyItem| {
            is_block(item) && self.language.escaping_block.as_ref().is_some_and(|own| **own == *item.name())
        };
        let has_escaping = block.body.items().iter().any(is_escaping);
        if parts.blocks.is_empty() && !has_escaping || rest.items().iter().any(is_block) {
            diagnostics.append(found);
        }
        let source = parts.attributes.get(SOURCE);
        self.calls.push(block.labels.last().map(Name::to_string).unwrap_or_default());
        let text = source.and_then(|source| self.source_text(source, diagnostics));
        if let Some(version) = parts.attributes.get(VERSION) {
            self.check_version(version, text.as_deref(), diagnostics);
        }
        let config = source.zip(text).and_then(|(source, text)| {
            self.called(&text, source.expression.place(), &arguments, diagnostics)
        });
        self.calls.pop();
        if let Some(config) = &config {
            check_arguments(&arguments, config, diagnostics);
            self.check_constants(&arguments, config, diagnostics);
        }
        let is_unknown = |source: &&Attribute| config.is_none() && !source.expression.variables().is_empty();
        let unknown = source.filter(is_unknown).map(|source| source.expression.clone());
        Call { source: unknown.filter(|_| self.language.computes_sources()), ..Call::new(config, arguments) }
    }

    /// The text of a source. `None` if it is unknown or has errors, which are reported.
    fn source_text(&mut self, source: &Attribute, diagnostics: &mut Diagnostics) -> Option<String> {
        let value = match literal(&source.expression) {
            Some(value) => value,
            None if self.language.computes_sources() => {
                self.early_value(SOURCE, &source.expression, diagnostics)?
            }
            None => Value::NULL,
        };
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            let error = if self.language.computes_sources() {
                messages::source_must_be_text(value.is_null())
            } else {
                messages::source_must_be_literal()
            };
            diagnostics.push(error.at(source.expression.place()));
        }
        text
    }

    /// Checks a version that is an expression. Others are checked with the rest of the arguments.
    fn check_version(&mut self, version: &Attribute, source: Option<&str>, diagnostics: &mut Diagnostics) {
        let expression = &version.expression;
        if !self.language.computes_sources() || literal(expression).is_some() {
            return;
        }
        let value = self.early_value(VERSION, expression, diagnostics);
        let Some(value) = value.filter(|value| !value.is_null()) else { return };
        let text = value.convert(&Type::String).ok();
        let error = if text.as_ref().and_then(|text| Constraints::parse(text.as_str()?)).is_none() {
            Some(messages::meta::invalid_constraint(VERSION))
        } else {
            source.and_then(version_without_registry)
        };
        diagnostics.extend(error.map(|error| error.at(expression.place())));
    }

    /// Reads the module in a local directory, or one that was downloaded.
    fn called(
        &mut self,
        text: &str,
        at: Place,
        arguments: &[Attribute],
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Config>> {
        let path = match ModuleSource::parse(text) {
            Ok(ModuleSource::Local(path)) => path,
            Ok(_) => return self.downloaded(text, arguments, &at, diagnostics),
            Err(error) => {
                let found = messages::source_leads_nowhere(text, &error);
                let is_literal = at.source.slice(at.span) == format!("\"{text}\"");
                let fixed = error.suggestion.filter(|_| is_literal);
                let found = match &fixed {
                    Some(other) => {
                        found.with_edit(format!("Write `{other}`"), at.span, format!("\"{other}\""))
                    }
                    None => found,
                };
                diagnostics.push(found.at(at));
                return None;
            }
        };
        let directory = join(self.open.last().map_or("", |caller| &caller.directory), &path);
        let name = self.files.name(&directory);
        if self.installed_calls > 0 && self.mapped_calls == 0 && !self.is_inside(&directory) {
            diagnostics.push(messages::module_outside(&name).at(at));
            return None;
        }
        // Variables can decide how often a module calls itself.
        let may_end = self.open.last().is_some_and(|caller| caller.computed) && self.open.len() < MOST_OPEN;
        if !may_end && self.open.iter().any(|open| open.directory == directory) {
            self.depends_on_root();
            diagnostics.push(messages::module_cycle(&name).at(at));
            return None;
        }
        if !self.store.loaded.contains_key(&directory) {
            // The results of modules whose files were not all given are unknown.
            let is_unknown = |error: &io::Error| error.kind() == io::ErrorKind::Unsupported;
            if self.files.may_read(&directory)
                && self.files.list(&directory).is_err_and(|why| is_unknown(&why))
            {
                self.open.last_mut()?.unavailable.push(text.to_owned());
                return None;
            }
            if let Some(error) = self.unusable(&directory) {
                diagnostics.push(error.at(at));
                return None;
            }
        }
        let inner = usize::from(self.installed_calls > 0);
        self.installed_calls += inner;
        let called = self.below(&directory, arguments, &at, diagnostics);
        self.installed_calls -= inner;
        called
    }

    /// Reads a called module.
    fn below(
        &mut self,
        directory: &str,
        arguments: &[Attribute],
        at: &Place,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Config>> {
        if self.again > MOST_BELOW.declarations {
            diagnostics.push(messages::too_many_modules(MOST_BELOW.declarations).at(at));
            return None;
        }
        let called = self.directory(directory, None, arguments);
        let below = self.open.last().map(|caller| caller.below).unwrap_or_default();
        let below = below.with_called(called.size, self.calls.last().map_or("", String::as_str));
        if below.declarations > MOST_BELOW.declarations {
            diagnostics.push(messages::too_many_modules(MOST_BELOW.declarations).at(at));
            return None;
        }
        if below.address_bytes > MOST_BELOW.address_bytes {
            diagnostics.push(messages::too_long_addresses(MOST_BELOW.address_bytes).at(at));
            return None;
        }
        if let Some(caller) = self.open.last_mut() {
            caller.below = below;
        }
        Some(called)
    }

    /// Reads a module from a registry or another place, if it was downloaded or the user has mapped it to a directory.
    fn downloaded(
        &mut self,
        source: &str,
        arguments: &[Attribute],
        at: &Place,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Config>> {
        let (language, files) = (self.language, self.files);
        let root = self.open.first().map_or("", |root| root.directory.as_str());
        let installed = self.installed.get_or_insert_with(|| Installed::read(language, files, root));
        let is_empty = installed.is_empty();
        let found = installed.directory(&self.calls, source).map(str::to_owned);
        if !is_empty {
            self.depends_on_root();
        }
        let is_missing = |own: &str| self.files.may_read(own) && self.files.list(own).is_err();
        let found = found.filter(|found| !is_missing(found));
        let is_mapped = found.is_none();
        let Some(directory) = found.or_else(|| self.sources.directory(source, is_missing)) else {
            self.open.last_mut()?.unavailable.push(source.to_owned());
            return None;
        };
        let name = self.files.name(&directory);
        if self.open.iter().any(|open| open.directory == directory) {
            self.depends_on_root();
            diagnostics.push(messages::module_cycle(&name).at(at));
            return None;
        }
        if is_mapped {
            if let Some(error) = self.unusable(&directory) {
                diagnostics.push(error.at(at));
                return None;
            }
        } else if !self.is_inside(&directory) {
            diagnostics.push(messages::module_outside(&name).at(at));
            return None;
        }
        self.installed_calls += 1;
        self.mapped_calls += usize::from(is_mapped);
        let called = self.below(&directory, arguments, at, diagnostics);
        self.installed_calls -= 1;
        self.mapped_calls -= usize::from(is_mapped);
        called
    }

    /// Why a directory cannot be read as a module.
    fn unusable(&self, directory: &str) -> Option<Diagnostic> {
        let name = self.files.name(directory);
        if !self.files.may_read(directory) {
            return Some(messages::module_not_readable(&name));
        }
        match self.files.list(directory) {
            Ok(names) if names.iter().any(|name| self.language.is_module_file(name)) => None,
            Ok(_) => Some(messages::not_a_module(&name, self.language.name())),
            Err(_) => Some(messages::missing_module(&name)),
        }
    }

    /// Marks the directory that is being read as different for another root module.
    fn depends_on_root(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.is_of_root = true;
        }
    }

    /// Returns true if a directory and its files are inside the directory of the root module.
    fn is_inside(&self, directory: &str) -> bool {
        let names = self.files.list(directory).unwrap_or_default();
        let mut mine = names.iter().filter(|name| self.language.is_module_file(name));
        let root = self.open.first().map_or("", |root| root.directory.as_str());
        relative(root, directory).split('/').next() != Some("..")
            && self.files.is_inside(directory)
            && mine.all(|name| self.files.is_inside(&join(directory, name)))
    }
}

/// Reports arguments that are not input variables of the module.
fn check_arguments(arguments: &[Attribute], config: &Config, diagnostics: &mut Diagnostics) {
    let names: HashSet<&str> = config.inputs().map(|(_, item, _)| item.own_name()).collect();
    let known = KnownNames::new(config.inputs().map(|(_, item, _)| item.own_name()));
    for argument in arguments.iter().filter(|argument| !names.contains(&*argument.name)) {
        let near = known.nearest(&argument.name);
        let error = messages::unsupported_input(&argument.name, near.first().copied());
        let place = Place::new(&argument.source, argument.name_span);
        let error = error.at(&place);
        // An input must not be set twice.
        let is_set = |name: &str| arguments.iter().any(|own| own.name.as_str() == name);
        diagnostics.push(match near[..] {
            [near] if !is_set(near) => messages::with_name(error, &place, near),
            _ => error,
        });
    }
}
