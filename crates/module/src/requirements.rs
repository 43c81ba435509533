//! Constraints on the version of the program itself: `required_version`, and those of nested blocks such as `compatible_with`.

use std::path::Path;

use hclkit_dialect::Dialect;
use hclkit_model::Attribute;

use crate::config::Item;

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
pub(crate) fn counts(item: &Item, language: &Dialect) -> bool {
    let place = item.place();
    let name = Path::new(place.source.name()).file_name().map(|name| name.to_string_lossy());
    name.is_none_or(|name| language.reads_constraints_in(&name))
}
