//! Validation with `garde`. Failures are reported at their places in the source.

use garde::Validate;
use hclkit_model::{Block, BodyItem};
use hclkit_syntax::{Code, Diagnostic, Diagnostics, Place};
use hclkit_value::{Path, Step, Value};

use crate::Body;

/// Validates a decoded configuration with `garde::Validate`. `body` is the body that it was decoded from.
///
/// The path of a failure is followed by the names of fields: to an attribute, to the blocks of a type by their index
/// or first label, and into the value of an attribute. A `_` in a field name also matches `-`. If a part of the path
/// is not found, for example because a field was renamed, the innermost place that was found is used.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use garde::Validate;
/// use hclkit::integrations::garde::validate;
/// use hclkit::{Body, Context, Decode, Source};
///
/// #[derive(Decode, Validate)]
/// struct Server {
///     #[garde(length(min = 1))]
///     names: Vec<String>,
///     #[garde(dive)]
///     #[hcl(block)]
///     listen: Vec<Listen>,
/// }
///
/// #[derive(Decode, Validate)]
/// struct Listen {
///     #[garde(range(min = 1024))]
///     port: u16,
/// }
///
/// let text = "names = [\"a\"]\nlisten {\n  port = 80\n}\n";
/// let (body, _) = Body::parse(Source::new("server.hcl", text));
/// let server = Server::decode(&body, &Context::new())?;
/// let errors = validate(&server, &body).unwrap_err();
/// assert_eq!(errors.to_string(), "server.hcl:3:10: error: Invalid value: Invalid value for `listen[0].port`: lower than 1024.");
/// # }
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// # Errors
/// All failures, in source order.
pub fn validate<T: Validate<Context: Default>>(value: &T, body: &Body) -> Result<(), Diagnostics> {
    validate_with(value, body, &T::Context::default())
}

/// Like [`validate`], with garde's own context.
///
/// # Errors
/// Same as [`validate`].
pub fn validate_with<T: Validate>(value: &T, body: &Body, context: &T::Context) -> Result<(), Diagnostics> {
    let Err(report) = value.validate_with(context) else { return Ok(()) };
    let mut found = Diagnostics::new();
    for (path, error) in report.iter() {
        let path = path.to_string();
        let what = if path.is_empty() { String::new() } else { format!(" for `{path}`") };
        let note = format!("Invalid value{what}: {error}.");
        found.push(Diagnostic::error(Code::InvalidValue).at(place(body, &steps(&path))).with_note(note));
    }
    Err(body.in_source_order(found))
}

/// The steps of a path such as `listen[0].port`.
fn steps(path: &str) -> Vec<&str> {
    path.split(['.', '[', ']']).filter(|step| !step.is_empty()).collect()
}

/// The place of a part of a body.
fn place(body: &Body, steps: &[&str]) -> Place {
    let Some((name, rest)) = steps.split_first() else { return body.missing_item() };
    for name in [(*name).to_owned(), name.replace('_', "-")] {
        // In the JSON syntax, objects are read as blocks without labels here, which gives the same places.
        let blocks: Vec<Block> = body
            .items()
            .into_iter()
            .filter_map(|item| match item {
                BodyItem::Block(block) if block.block_type.as_str() == name => Some(block),
                _ => None,
            })
            .collect();
        if blocks.is_empty() {
            if let Some(attribute) = body.attribute(&name) {
                return attribute.expression.place_of(&value_path(rest));
            }
            continue;
        }
        let chosen = match rest.first() {
            Some(step) => {
                let by_label =
                    blocks.iter().find(|block| block.labels.first().is_some_and(|label| label == *step));
                let by_number = step.parse::<usize>().ok().and_then(|number| blocks.get(number));
                by_label.or(by_number).map(|block| (block, &rest[1..]))
            }
            None => None,
        };
        let (block, rest) = chosen.unwrap_or((&blocks[0], rest));
        return if rest.is_empty() { block.definition_place() } else { place(&block.body, rest) };
    }
    body.missing_item()
}

fn value_path(steps: &[&str]) -> Path {
    let step = |step: &&str| match step.parse::<usize>() {
        Ok(index) => Step::Index(Value::from(index as u64)),
        Err(_) => Step::Attribute((*step).into()),
    };
    steps.iter().map(step).collect::<Vec<_>>().into()
}
