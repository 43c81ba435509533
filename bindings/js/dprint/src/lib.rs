//! The plugin for dprint: formats HCL as `hcl fmt` does. The name of a file says its language.
#![cfg(all(target_arch = "wasm32", target_os = "unknown"))]
#![allow(unsafe_code, reason = "dprint's macro exports names; no code here is unsafe")]

use dprint_core::configuration::{
    ConfigKeyMap, GlobalConfiguration, get_nullable_value, get_unknown_property_diagnostics, get_value,
};
use dprint_core::plugins::{
    CheckConfigUpdatesMessage, ConfigChange, FileMatchingInfo, FormatError, FormatResult, PluginInfo,
    PluginResolveConfigurationResult, SyncFormatRequest, SyncHostFormatRequest, SyncPluginHandler,
};
use hclkit::dialect::Dialect;
use hclkit::write::{Formatter, Style};
use hclkit::{Document, Limits, Source, StartSymbol};
use serde::Serialize;

/// How deeply constructs can be nested. The stack of a plugin cannot grow.
const NESTING: u32 = 300;

/// The styles that the programs of the languages do not have: those of `hcl fmt`.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_excessive_bools, reason = "each is an option")]
struct Configuration {
    align: bool,
    blank_lines: bool,
    trailing_commas: bool,
    meta_arguments: bool,
    sort_attributes: bool,
    join: bool,
    width: Option<u32>,
}

impl Configuration {
    fn style(&self) -> Style {
        let style = Style::new()
            .with_alignment(self.align)
            .with_blank_lines(self.blank_lines)
            .with_trailing_commas(self.trailing_commas)
            .with_meta_arguments(self.meta_arguments)
            .with_sorted_attributes(self.sort_attributes)
            .with_joined_lists(self.join);
        self.width.map_or(style, |width| style.with_width(width))
    }
}

struct Plugin;

impl SyncPluginHandler<Configuration> for Plugin {
    fn resolve_config(
        &mut self,
        mut config: ConfigKeyMap,
        _: &GlobalConfiguration,
    ) -> PluginResolveConfigurationResult<Configuration> {
        let mut diagnostics = Vec::new();
        let mut flag = |name, default| get_value(&mut config, name, default, &mut diagnostics);
        let resolved = Configuration {
            align: flag("align", true),
            blank_lines: flag("blankLines", false),
            trailing_commas: flag("trailingCommas", false),
            meta_arguments: flag("metaArguments", false),
            sort_attributes: flag("sortAttributes", false),
            join: flag("join", false),
            width: get_nullable_value(&mut config, "width", &mut diagnostics),
        };
        diagnostics.extend(get_unknown_property_diagnostics(config));
        PluginResolveConfigurationResult { file_matching: files(), diagnostics, config: resolved }
    }

    fn plugin_info(&mut self) -> PluginInfo {
        PluginInfo {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            config_key: "hcl".to_owned(),
            help_url: concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/formatting.md").to_owned(),
            config_schema_url: String::new(),
            update_url: None,
            supports_range_formatting: Some(false),
        }
    }

    fn license_text(&mut self) -> String {
        include_str!("../../../../LICENSE-MIT").to_owned()
    }

    fn check_config_updates(&self, _: CheckConfigUpdatesMessage) -> Result<Vec<ConfigChange>, FormatError> {
        Ok(Vec::new())
    }

    fn format(
        &mut self,
        request: SyncFormatRequest<Configuration>,
        _: impl FnMut(SyncHostFormatRequest) -> FormatResult,
    ) -> FormatResult {
        Limits::new().with_nesting(NESTING).run(|| formatted(&request))
    }
}

/// The endings and names of files in the native syntax. dprint gives a plugin only what comes after the last dot of a name.
fn files() -> FileMatchingInfo {
    let (mut endings, mut names) = (vec!["hcl".to_owned()], Vec::new());
    for dialect in Dialect::all() {
        for pattern in dialect.file_patterns() {
            match pattern.rsplit_once('.') {
                Some((before, ending)) if before.starts_with('*') => endings.push(ending.to_owned()),
                _ => names.push(pattern.to_owned()),
            }
        }
    }
    endings.retain(|ending| ending != "json" && ending != "tftpl" && ending != "tpl");
    endings.sort_unstable();
    endings.dedup();
    FileMatchingInfo { file_extensions: endings, file_names: names, additive: false }
}

fn formatted(request: &SyncFormatRequest<Configuration>) -> FormatResult {
    let name = request.file_path.to_string_lossy();
    let source = Source::new(name.as_ref(), request.file_bytes.as_slice());
    let document = Document::parse(source, StartSymbol::Config);
    if let Some(error) = document.diagnostics().iter().find(|it| it.is_error()) {
        let at = error.place().map(|place| place.range().start);
        let at = at.map_or_else(String::new, |start| format!("{}:{}: ", start.line, start.column));
        return Err(FormatError::new(format!("{at}{}: {}", error.summary(), error.note())));
    }
    let formatter = Formatter::of_path(request.file_path).with_markers().with_style(request.config.style());
    let formatted = formatter.format(&document);
    Ok((!formatted.is_unchanged()).then(|| formatted.bytes().into_owned()))
}

dprint_core::generate_plugin_code!(Plugin, Plugin);
