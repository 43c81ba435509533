//! `hcl eval DIR`: the values of a module by their addresses. `eval/module/explain.rs` writes where they come from,
//! and `eval/module/partial.rs` the files with the values put in.

mod explain;
mod partial;

pub(super) use partial::literal;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use hclkit::ast::ExpressionKind;
use hclkit::convert::Json;
use hclkit::decode::TypeJson;
use hclkit::dialect::Dialect;
use hclkit::limits::Meter;
use hclkit::module::{AddressedValue, Evaluation, Module, Pattern, Reason, report_exceeded};
use hclkit::syntax::{is_identifier, visible_line};
use hclkit::value::{Mark, Name};
use hclkit::{Diagnostics, Expression, StartSymbol, Value};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::args::{Eval, Output};
use crate::input::argument;
use crate::module::{self, ModulePath};
use crate::outcome::{CommandError, Failure, Outcome, outcome_of};
use crate::report::write_report;
use crate::scope::{grant_hint, run_limited};
use crate::sources::note_unavailable;
use crate::values::{
    DisplayedJson, Printer, SENSITIVE, cell, in_words, is_table, plain_json, raw, refusal, shown,
};

/// Evaluates what the arguments select, which are addresses or expressions.
pub(super) fn run(command: &Eval, place: &ModulePath, wanted: &[&str]) -> Result<Outcome, Failure> {
    let mut warnings = Diagnostics::new();
    let ended = evaluate(command, place, wanted).map(|found| warnings = found);
    let (diagnostics, outcome) = outcome_of(ended, warnings)?;
    let hint = |found: &Diagnostics| grant_hint(&command.scope, found).map(str::to_owned);
    write_report(command.reporting.report, command.spacing, 1, &diagnostics, hint)?;
    Ok(outcome)
}

/// Writes the values. The result is the warnings.
fn evaluate(command: &Eval, place: &ModulePath, wanted: &[&str]) -> Result<Diagnostics, CommandError> {
    if command.template || command.attr.is_some() {
        let why = "--template and --attr are for expressions and single files (-f), not for modules";
        return Err(Failure::new(why).into());
    }
    command.given.reject(&["functions"], module::FUNCTIONS_OF_LANGUAGE)?;
    command.given.reject(&["impure"], "not supported for modules, in which such functions are unknown")?;
    if command.explain && wanted.is_empty() {
        let why = "--explain requires an address, such as `output.*` or `local.zones`";
        return Err(Failure::new(why).into());
    }
    let wanted = wanted.iter().map(|text| Wanted::read(text)).collect::<Result<Vec<_>, CommandError>>()?;
    let only_values = command.explain || command.partial || command.unknown;
    let patterns: Vec<Pattern> = wanted.iter().filter_map(Wanted::pattern).cloned().collect();
    if only_values && patterns.len() < wanted.len() {
        let why = "--explain, --partial and --unknown are for addresses, not for expressions";
        return Err(Failure::new(why).into());
    }
    let mut missing: Vec<String> = Vec::new();
    let found = run_limited(|| {
        let module =
            module::load(place, &command.module, &command.given, &command.scope, command.scope.unknown_vars)?;
        let mut note_missing = || missing.extend(module.unavailable().into_iter().map(str::to_owned));
        if command.explain || command.partial || command.unknown {
            note_missing();
        }
        if command.explain {
            return explain::explain(command, &module, &patterns);
        }
        if command.partial {
            return partial::write(command, place, &module, wanted.is_empty());
        }
        if command.unknown {
            let mut found = module.evaluate(&patterns);
            write_unknown(command, &module, &mut found)?;
            check_matches(command, &patterns, &found.unmatched, &found.diagnostics)?;
            return Ok::<_, CommandError>(found.diagnostics);
        }
        let found = named(&module, &wanted);
        // Values that are known do not depend on them.
        if found.diagnostics.has_errors() || found.all.iter().any(|own| !own.value.is_wholly_known()) {
            note_missing();
        }
        write(command, &found)?;
        check_matches(command, &patterns, &found.unmatched, &found.diagnostics)?;
        Ok::<_, CommandError>(found.diagnostics)
    })?;
    note_unavailable(missing.iter().map(String::as_str));
    if found.has_errors() { Err(found.into()) } else { Ok(found) }
}

/// Fails if addresses match nothing, for another reason than an error. Those with a predicate are not shown: it can contain a secret.
fn check_matches(
    command: &Eval,
    patterns: &[Pattern],
    unmatched: &[usize],
    found: &Diagnostics,
) -> Result<(), CommandError> {
    if unmatched.is_empty() || found.has_errors() || command.matching.allow_empty {
        return Ok(());
    }
    // The shell removes quotes.
    let in_brackets = |text: &str| -> Option<String> {
        let (before, rest) = text.split_once('[')?;
        let (key, after) = rest.split_once(']')?;
        is_identifier(key).then(|| format!("; did you mean `{before}[\"{key}\"]{after}`, in single quotes?"))
    };
    let texts: Vec<String> = unmatched.iter().map(|at| patterns[*at].to_string()).collect();
    let hint = texts.iter().find_map(|text| in_brackets(text)).unwrap_or_default();
    let these = match unmatched.len() {
        1 if patterns.len() == 1 => "this address matches".to_owned(),
        all if all == patterns.len() => "these addresses match".to_owned(),
        count => {
            let name = |(at, text): (&usize, &String)| {
                if text.contains('[') { format!("address {}", at + 1) } else { format!("`{text}`") }
            };
            let names: Vec<String> = unmatched.iter().zip(&texts).map(name).collect();
            format!("{} {}", names.join(", "), if count == 1 { "matches" } else { "match" })
        }
    };
    Err(refusal(&format!("{these} nothing{hint}")))
}

/// Something that is evaluated.
enum Wanted {
    Address(Pattern),
    Expression(Expression),
}

impl Wanted {
    /// An argument that is a path is one, unless it looks like an expression.
    fn read(text: &str) -> Result<Self, CommandError> {
        let pattern = text.parse::<Pattern>();
        let expression = Expression::read(argument("<expression>".to_owned(), text), StartSymbol::Expression);
        match (pattern, expression) {
            (Ok(pattern), Ok(expression)) if !is_computed(&expression) && !is_builtin(text) => {
                Ok(Self::Address(pattern))
            }
            (_, Ok(expression)) => Ok(Self::Expression(expression)),
            (Ok(pattern), Err(_)) => Ok(Self::Address(pattern)),
            (Err(error), Err(problems)) => {
                // A name before parentheses is a function.
                if text.split_once('(').is_some_and(|(name, _)| is_identifier(name)) {
                    return Err(problems.into());
                }
                Err(Failure::new(format!("invalid address `{text}`: {error}")).into())
            }
        }
    }

    fn pattern(&self) -> Option<&Pattern> {
        match self {
            Self::Address(pattern) => Some(pattern),
            Self::Expression(_) => None,
        }
    }
}

/// Whether a text is a name that a language gives to its modules, such as `terraform.workspace`.
fn is_builtin(text: &str) -> bool {
    let is_name = |path: &[Name]| text.split('.').eq(path.iter().map(Name::as_str));
    Dialect::of_modules().any(|language| language.builtins.iter().any(|(path, _)| is_name(path)))
}

/// Whether an expression computes something, other than paths in which `*` may be a wildcard.
fn is_computed(expression: &Expression) -> bool {
    let Some(node) = expression.ast() else { return false };
    match node.kind() {
        ExpressionKind::Variable(_)
        | ExpressionKind::GetAttr { .. }
        | ExpressionKind::Index { .. }
        | ExpressionKind::LegacyIndex { .. }
        | ExpressionKind::Splat { .. } => false,
        ExpressionKind::Binary { .. } => node.text().contains([' ', '\n', '+', '/', '%', '<', '>', '=', '!']),
        _ => true,
    }
}

/// The values of a module.
pub(super) struct Values {
    pub(super) all: Vec<Named>,
    pub(super) diagnostics: Diagnostics,
    pub(super) unmatched: Vec<usize>,
}

/// A value with its address or expression. What a block declares as sensitive is marked.
pub(super) struct Named {
    pub(super) address: String,
    pub(super) value: Value,
}

/// What is wanted of a module: all addresses first, and then the expressions.
fn named(module: &Module, wanted: &[Wanted]) -> Values {
    let patterns: Vec<Pattern> = wanted.iter().filter_map(Wanted::pattern).cloned().collect();
    let mut values = Values { all: Vec::new(), diagnostics: module.diagnostics(), unmatched: Vec::new() };
    if wanted.is_empty() || !patterns.is_empty() {
        let found = module.evaluate(&patterns);
        (values.diagnostics, values.unmatched) = (found.diagnostics, found.unmatched);
        let own = |AddressedValue { address, value, sensitive, .. }| {
            let value = if sensitive { value.mark(Mark::sensitive()) } else { value };
            Named { address: address.to_string(), value }
        };
        values.all.extend(found.values.into_iter().map(own));
    }
    // What an evaluation has read is not reported again.
    let known: HashSet<String> = values.diagnostics.iter().map(ToString::to_string).collect();
    let mut given = module.check_variables();
    given.retain(|found| !known.contains(&found.to_string()));
    values.diagnostics.append(given);
    for wanted in wanted {
        let Wanted::Expression(expression) = wanted else { continue };
        match expression.evaluate(module.context()) {
            Ok(value) => {
                let address = expression.text().to_owned();
                values.all.push(Named { address, value });
            }
            Err(problems) => values.diagnostics.append(problems),
        }
    }
    values
}

/// Writes the values.
pub(super) fn write(command: &Eval, found: &Values) -> Result<(), CommandError> {
    let printer = Printer::new(&command.destination, command.spacing).after(&found.diagnostics);
    let (show, has_errors) = (command.show_sensitive, found.diagnostics.has_errors());
    // A value can be far larger as text than in memory, where its parts are shared.
    let size = found.all.iter().fold(0_u64, |size, own| size.saturating_add(own.value.text_size()));
    let meter = Meter::current();
    if meter.exceeded().is_some() && has_errors {
        // The errors say where the limit was exceeded.
        return Ok(());
    }
    let room = meter.room_for_bytes(usize::try_from(size).unwrap_or(usize::MAX));
    room.map_err(|exceeded| Failure::new(exceeded.to_string()))?;
    match command.output().unwrap_or(Output::Hcl) {
        Output::Hcl => {
            let layout = printer.layout();
            let line = |own: &Named| {
                let address = visible_line(&own.address);
                let before = address.chars().count() + " = ".len();
                format!("{address} = {}\n", layout.value_at(&shown(&own.value, show), 0, before))
            };
            printer.styled(&found.all.iter().map(line).collect::<String>())?;
        }
        Output::Ndjson | Output::Typed => {
            printer.json_lines(found.all.iter().map(|own| Line(own, show)))?;
        }
        Output::Yaml => {
            let json = |own: &Named| plain_json(&in_words(&shown(&own.value, show)));
            let all = found.all.iter().map(|own| Ok((own.address.clone(), json(own)?)));
            printer.yaml(&Json::Object(all.collect::<Result<_, Failure>>()?))?;
        }
        output if is_table(output) => {
            printer.table(&rows(found, show, output, printer.longest_cell()), output)?;
        }
        Output::Raw => match found.all.as_slice() {
            // The errors are the reason, and are printed.
            [] if has_errors => {}
            [own] if own.value.contains_marked() && !show => {
                return Err(refusal("the value is sensitive; use --show-sensitive to write it"));
            }
            [own] if !own.value.is_wholly_known() && has_errors => {}
            [own] if !own.value.is_wholly_known() => {
                return Err(refusal("the value is unknown; use --unknown to see why"));
            }
            [own] => printer.bytes((raw(&shown(&own.value, show))? + "\n").as_bytes())?,
            _ => {
                return Err(Failure::new("--output raw requires a single value; specify its address").into());
            }
        },
        _ => printer.json(&ByName(found, show))?,
    }
    Ok(())
}

/// All values by their addresses. They are written without a tree of JSON, which takes several times as much memory.
struct ByName<'a>(&'a Values, bool);

impl Serialize for ByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.all.iter().map(|own| (&own.address, Shown(&own.value, self.1))))
    }
}

/// A value with its address, its type, and whether it is sensitive or unknown.
struct Line<'a>(&'a Named, bool);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(own, show) = *self;
        let is_marked = own.value.contains_marked();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("address", own.address.as_str())?;
        map.serialize_entry("value", &Shown(&own.value, show))?;
        if show || !is_marked {
            map.serialize_entry("type", &TypeJson::of(&own.value))?;
        }
        if is_marked {
            map.serialize_entry("sensitive", &true)?;
        }
        if !own.value.is_wholly_known() {
            map.serialize_entry("unknown", &true)?;
        }
        map.end()
    }
}

/// A value as JSON, with or without its sensitive parts.
struct Shown<'a>(&'a Value, bool);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DisplayedJson(&shown(self.0, self.1)).serialize(serializer)
    }
}

/// Addresses, types and values, after a line of names.
fn rows(found: &Values, show: bool, output: Output, longest: usize) -> Vec<Vec<String>> {
    let row = |own: &Named| {
        let value = shown(&own.value, show);
        let (kind, text) = if value.is_marked() {
            (String::new(), SENSITIVE.to_owned())
        } else if output == Output::Table {
            (value.ty().friendly_name(), value.show().with_limit(longest).to_string())
        } else {
            (value.ty().friendly_name(), cell(&value))
        };
        vec![own.address.clone(), kind, text]
    };
    let names = ["address", "type", "value"];
    let head = names.map(|name| if output == Output::Table { name.to_uppercase() } else { name.to_owned() });
    std::iter::once(head.to_vec()).chain(found.all.iter().map(row)).collect()
}

/// Writes the unknown values, each with the declarations that make it unknown.
fn write_unknown(command: &Eval, module: &Module, found: &mut Evaluation) -> Result<(), CommandError> {
    let values = found.values.iter().filter(|own| !own.value.is_wholly_known());
    let reasons = module.reasons();
    let all: Vec<(&str, Vec<Reason>)> =
        values.map(|own| (own.address.as_str(), reasons.of(&own.address))).collect();
    report_exceeded(&mut found.diagnostics);
    write_reasons(command, &all, &found.diagnostics)
}

/// Writes why values are unknown.
pub(super) fn write_reasons(
    command: &Eval,
    all: &[(&str, Vec<Reason>)],
    diagnostics: &Diagnostics,
) -> Result<(), CommandError> {
    let printer = Printer::new(&command.destination, command.spacing).after(diagnostics);
    match command.output() {
        None => Ok(printer.styled(&by_reason(all))?),
        Some(Output::Json) => {
            let texts = |reasons: &[Reason]| match reasons {
                [] => vec![SET_BY_PROVIDER.to_owned()],
                reasons => reasons.iter().map(ToString::to_string).collect(),
            };
            let all: Vec<_> = all.iter().map(|(address, reasons)| (*address, texts(reasons))).collect();
            Ok(printer.json(&ByAddress(&all))?)
        }
        Some(_) => Err(Failure::new("--unknown writes text, or JSON with --output json").into()),
    }
}

/// Why a value without other reasons is unknown.
const SET_BY_PROVIDER: &str = "a provider sets it";

/// The last one of many reasons.
const MORE: &str = "and more";

/// Lists the values that are unknown for each reason: those that have it, with those that depend on them.
fn by_reason(values: &[(&str, Vec<Reason>)]) -> String {
    let mut order: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    for (address, reasons) in values {
        let itself = [(None, SET_BY_PROVIDER)];
        let reasons = reasons.iter().map(|reason| (reason.address.as_deref(), reason.why));
        let own = itself.into_iter().filter(|_| reasons.len() == 0);
        for (source, why) in reasons.clone().chain(own) {
            let source = source.unwrap_or(address);
            let at = *places.entry((why, source)).or_insert_with(|| {
                order.push((source, Vec::new()));
                let at = order.len() - 1;
                match groups.iter_mut().find(|(other, _)| *other == why) {
                    Some((_, members)) => members.push(at),
                    None => groups.push((why, vec![at])),
                }
                at
            });
            if source != *address {
                order[at].1.push(address);
            }
        }
    }
    let mut text = String::new();
    for (why, members) in groups {
        let why = if why == MORE { "these have more reasons than are listed" } else { why };
        let (first, rest) = why.split_at(why.chars().next().map_or(0, char::len_utf8));
        let _ = writeln!(text, "{}{rest}:", first.to_uppercase());
        for (source, dependent) in members.iter().map(|at| &order[*at]) {
            let _ = write!(text, "  {}", visible_line(source));
            if !dependent.is_empty() {
                let _ = write!(text, ": {}", visible_line(&dependent.join(", ")));
            }
            text.push('\n');
        }
    }
    text
}

/// Lists by addresses, as an object.
struct ByAddress<'a>(&'a [(&'a str, Vec<String>)]);

impl Serialize for ByAddress<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(address, reasons)| (address, reasons)))
    }
}
