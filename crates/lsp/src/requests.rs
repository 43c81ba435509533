//! The requests about documents.

use std::collections::BTreeMap;
use std::sync::Arc;

use gen_lsp_types as lsp;
use hclkit::refactor::OccurrenceKind;
use hclkit_ide::{Action, ActionKind, Encoding, File, ModuleNode, SignatureHelp, Snapshot};
use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::convert::{self, Converter};
use crate::markup::Form;
use crate::server::{Answer, Refused, Server, network_path};
use crate::uri;

/// The most items of a completion. Clients ask again when more is typed.
const MOST_ITEMS: usize = 500;

/// How a request is answered.
type Handler = fn(&mut Server, Value) -> Answer;

/// The requests about documents, and how they are answered.
pub(crate) const REQUESTS: [(&str, Handler); 27] = [
    ("textDocument/diagnostic", |server, parameters| diagnostic(server, &parameters)),
    ("textDocument/hover", hover),
    ("textDocument/completion", completion),
    ("textDocument/signatureHelp", signature),
    ("textDocument/definition", definition),
    ("textDocument/references", references),
    ("textDocument/documentHighlight", |server, parameters| {
        at(server, parameters, |path, offset, file, converter| {
            Some(highlights(path, offset, file, converter))
        })
    }),
    ("textDocument/documentSymbol", |server, parameters| symbols(server, &parameters)),
    ("workspace/symbol", |server, parameters| workspace_symbols(server, &parameters)),
    ("textDocument/codeAction", actions),
    ("textDocument/codeLens", |server, parameters| in_file(server, &parameters, lenses)),
    ("textDocument/documentLink", |server, parameters| in_file(server, &parameters, links)),
    ("textDocument/formatting", |server, parameters| {
        in_file(server, &parameters, |path, _, converter| {
            converter.edits(path, &converter.snapshot.format(path))
        })
    }),
    ("textDocument/rangeFormatting", format_range),
    ("textDocument/onTypeFormatting", format_typed),
    ("textDocument/prepareRename", |server, parameters| at(server, parameters, prepare_rename)),
    ("textDocument/rename", rename),
    ("textDocument/foldingRange", |server, parameters| {
        in_file(server, &parameters, |path, _, converter| {
            converter.snapshot.folds(path).into_iter().map(convert::fold).collect::<Vec<_>>()
        })
    }),
    ("textDocument/selectionRange", selections),
    ("textDocument/inlayHint", hints),
    ("textDocument/semanticTokens/full", |server, parameters| tokens(server, &parameters)),
    ("textDocument/semanticTokens/full/delta", |server, parameters| tokens_delta(server, &parameters)),
    ("textDocument/semanticTokens/range", tokens_range),
    ("textDocument/prepareCallHierarchy", |server, parameters| {
        at(server, parameters, |path, offset, _, converter| {
            let node = converter.snapshot.module_at(path, offset)?;
            Some(vec![hierarchy_item(&node, converter)])
        })
    }),
    ("callHierarchy/incomingCalls", |server, parameters| calls(server, &parameters, true)),
    ("callHierarchy/outgoingCalls", |server, parameters| calls(server, &parameters, false)),
    ("workspace/willRenameFiles", will_rename),
];

/// Answers a request.
pub(crate) fn answer(server: &mut Server, method: &str, parameters: Value) -> Answer {
    match REQUESTS.iter().find(|(own, _)| *own == method) {
        Some((_, answer)) => answer(server, parameters),
        None => Err(Refused(ErrorCode::MethodNotFound, format!("`{method}` is not supported"))),
    }
}

fn read<P: DeserializeOwned>(parameters: Value) -> Result<P, Refused> {
    serde_json::from_value(parameters).map_err(|error| Refused(ErrorCode::InvalidParams, error.to_string()))
}

fn write(result: impl Serialize) -> Answer {
    serde_json::to_value(result).map_err(|error| Refused(ErrorCode::InternalError, error.to_string()))
}

/// The path of the document that a request is about.
fn path_of(uri: Option<&str>) -> Result<String, Refused> {
    let invalid = || {
        let why = match uri {
            Some(uri) if uri::is_network(uri) => network_path(uri),
            _ => "`textDocument.uri` is not an address".to_owned(),
        };
        Refused(ErrorCode::InvalidParams, why)
    };
    uri.and_then(uri::to_path).ok_or_else(invalid)
}

/// Answers a request about a place. Without such a document, the answer is `null`.
fn at<R: Serialize>(
    server: &mut Server,
    parameters: Value,
    work: impl FnOnce(&str, u32, &Arc<File>, &Converter<'_>) -> Option<R>,
) -> Answer {
    let own: lsp::TextDocumentPositionParams = read(parameters)?;
    let path = path_of(Some(&own.text_document.uri.0))?;
    let snapshot = server.workspace.snapshot();
    let Some(file) = snapshot.file(&path) else { return Ok(Value::Null) };
    let converter = server.converter(&snapshot);
    let offset = converter.offset(&file, own.position);
    write(work(&path, offset, &file, &converter))
}

/// Answers a request about a document.
fn in_file<R: Serialize>(
    server: &mut Server,
    parameters: &Value,
    work: impl FnOnce(&str, &Arc<File>, &Converter<'_>) -> R,
) -> Answer {
    let path = path_of(parameters["textDocument"]["uri"].as_str())?;
    let snapshot = server.workspace.snapshot();
    let Some(file) = snapshot.file(&path) else { return Ok(Value::Null) };
    write(work(&path, &file, &server.converter(&snapshot)))
}

/// The document and a range of it.
fn part_of(
    server: &Server,
    uri: &lsp::Uri,
    range: lsp::Range,
) -> Result<Option<(Snapshot, Arc<File>, hclkit::Span)>, Refused> {
    let path = path_of(Some(&uri.0))?;
    let snapshot = server.workspace.snapshot();
    let Some(file) = snapshot.file(&path) else { return Ok(None) };
    let span = server.converter(&snapshot).span(&file, range);
    Ok(Some((snapshot, file, span)))
}

fn diagnostic(server: &mut Server, parameters: &Value) -> Answer {
    in_file(server, parameters, |path, file, converter| {
        let found = converter.snapshot.diagnostics(path);
        let items: Vec<_> = found.iter().map(|own| converter.diagnostic(file, own)).collect();
        json!({ "kind": "full", "items": items })
    })
    .map(|answer| if answer.is_null() { json!({ "kind": "full", "items": [] }) } else { answer })
}

fn hover(server: &mut Server, parameters: Value) -> Answer {
    let form = server.client.hover_form;
    at(server, parameters, |path, offset, file, converter| {
        let hover = converter.snapshot.hover(path, offset)?;
        let range = Some(converter.range(file, hover.span));
        Some(lsp::Hover { contents: lsp::Contents::MarkupContent(form.content(hover.text)), range })
    })
}

fn completion(server: &mut Server, parameters: Value) -> Answer {
    let (snippets, form) = (server.client.snippets, server.client.item_form);
    at(server, parameters, |path, offset, file, converter| {
        let mut found = converter.snapshot.completions(path, offset);
        // What begins with the typed text comes first, so that it is never left out.
        if let Some(first) = found.first() {
            let typed =
                file.text().get(first.span.start as usize..offset as usize).unwrap_or_default().to_owned();
            found.sort_by_key(|item| !item.label.starts_with(&typed));
        }
        let is_incomplete = found.len() > MOST_ITEMS;
        found.truncate(MOST_ITEMS);
        let item = |(at, item)| converter.completion(file, item, at, snippets, form);
        let items = found.iter().enumerate().map(item).collect();
        Some(lsp::CompletionList { is_incomplete, items, ..Default::default() })
    })
}

fn signature(server: &mut Server, parameters: Value) -> Answer {
    let (offsets, form) = (server.client.label_offsets, server.client.signature_form);
    at(server, parameters, |path, offset, _, converter| {
        let help = converter.snapshot.signature(path, offset)?;
        Some(signature_help(&help, offsets, form))
    })
}

fn signature_help(help: &SignatureHelp, offsets: bool, form: Form) -> lsp::SignatureHelp {
    // Offsets of labels are in UTF-16, whatever the encoding of positions.
    let units = |at: u32| Encoding::Utf16.len(&help.label[..at as usize]);
    let label = |span: hclkit::Span| {
        if offsets {
            lsp::ParameterInformationLabel::Tuple((units(span.start), units(span.end)))
        } else {
            lsp::ParameterInformationLabel::String(help.label[span.to_range()].to_owned())
        }
    };
    let parameter = |(span, text): &(hclkit::Span, String)| lsp::ParameterInformation {
        label: label(*span),
        documentation: Some(lsp::Documentation::String(text.clone())).filter(|_| !text.is_empty()),
    };
    let parameters = help.parameters.iter().map(parameter).collect();
    let active = help.active.map(|at| lsp::ActiveParameter::from(at as u32));
    let documentation = (!help.documentation.is_empty())
        .then(|| lsp::Documentation::MarkupContent(form.content(help.documentation.clone())));
    let information = lsp::SignatureInformation {
        label: help.label.clone(),
        documentation,
        parameters: Some(parameters),
        active_parameter: active,
    };
    lsp::SignatureHelp { signatures: vec![information], active_signature: Some(0), active_parameter: active }
}

fn definition(server: &mut Server, parameters: Value) -> Answer {
    let links = server.client.definition_links;
    at(server, parameters, |path, offset, file, converter| {
        let found = converter.snapshot.definition(path, offset);
        let link = |own: &hclkit_ide::Declaration| {
            let target = converter.location(&own.location.path, own.location.span)?;
            let name = converter.location(&own.location.path, own.name)?;
            Some(lsp::LocationLink {
                origin_selection_range: Some(converter.range(file, own.origin)),
                target_uri: target.uri,
                target_range: target.range,
                target_selection_range: name.range,
            })
        };
        let location = |own: &hclkit_ide::Declaration| converter.location(&own.location.path, own.name);
        Some(if links {
            json!(found.iter().filter_map(link).collect::<Vec<_>>())
        } else {
            json!(found.iter().filter_map(location).collect::<Vec<_>>())
        })
    })
}

fn references(server: &mut Server, parameters: Value) -> Answer {
    let with_declaration = parameters["context"]["includeDeclaration"].as_bool().unwrap_or(true);
    at(server, parameters, |path, offset, _, converter| {
        let mut found = converter.snapshot.references(path, offset);
        found.retain(|own| with_declaration || own.kind != OccurrenceKind::Declaration);
        Some(
            found
                .iter()
                .filter_map(|own| converter.location(&own.location.path, own.location.span))
                .collect::<Vec<_>>(),
        )
    })
}

fn highlights(
    path: &str,
    offset: u32,
    file: &Arc<File>,
    converter: &Converter<'_>,
) -> Vec<lsp::DocumentHighlight> {
    let found = converter.snapshot.highlights(path, offset);
    let one = |own: &hclkit_ide::Reference| {
        let is_written = own.kind == OccurrenceKind::Declaration;
        let kind =
            if is_written { lsp::DocumentHighlightKind::Write } else { lsp::DocumentHighlightKind::Read };
        lsp::DocumentHighlight { range: converter.range(file, own.name), kind: Some(kind) }
    };
    found.iter().map(one).collect()
}

fn symbols(server: &mut Server, parameters: &Value) -> Answer {
    let nested = server.client.nested_symbols;
    in_file(server, parameters, |path, file, converter| {
        let found = converter.snapshot.symbols(path);
        if nested {
            return json!(found.iter().map(|own| converter.symbol(file, own)).collect::<Vec<_>>());
        }
        let mut flat = Vec::new();
        let mut open: Vec<(&hclkit_ide::Symbol, Option<&str>)> =
            found.iter().rev().map(|own| (own, None)).collect();
        while let Some((own, around)) = open.pop() {
            flat.push(json!({
                "name": own.name,
                "kind": convert::symbol_kind(own.kind),
                "containerName": around,
                "location": { "uri": converter.addresses.of(path), "range": converter.range(file, own.span) },
            }));
            open.extend(own.children.iter().rev().map(|child| (child, Some(own.name.as_str()))));
        }
        json!(flat)
    })
}

fn workspace_symbols(server: &mut Server, parameters: &Value) -> Answer {
    let text = parameters["query"].as_str().unwrap_or_default();
    let snapshot = server.workspace.snapshot();
    let found = snapshot.workspace_symbols(text, server.client.encoding);
    let one = |own: hclkit_ide::WorkspaceSymbol| {
        json!({
            "name": own.name,
            "kind": convert::symbol_kind(own.kind),
            "location": {
                "uri": server.addresses.of(&own.path),
                "range": { "start": convert::position(own.start), "end": convert::position(own.end) },
            },
        })
    };
    write(found.into_iter().map(one).collect::<Vec<_>>())
}

fn actions(server: &mut Server, parameters: Value) -> Answer {
    let own: lsp::CodeActionParams = read(parameters)?;
    if !server.client.action_literals {
        return Ok(json!([]));
    }
    let Some((snapshot, file, span)) = part_of(server, &own.text_document.uri, own.range)? else {
        return Ok(Value::Null);
    };
    let converter = server.converter(&snapshot);
    let only: Option<Vec<String>> = own.context.only.map(|kinds| {
        let text = |kind| serde_json::to_value(kind).ok().and_then(|kind| Some(kind.as_str()?.to_owned()));
        kinds.into_iter().filter_map(text).collect()
    });
    // `source` asks for `source.fixAll.hcl`, too.
    let is_wanted = |kind: &str| match &only {
        Some(only) => {
            only.iter().any(|own| own.is_empty() || own == kind || kind.starts_with(&format!("{own}.")))
        }
        None => true,
    };
    let mut found: Vec<Action> = Vec::new();
    if is_wanted("quickfix") {
        found.extend(snapshot.actions(file.path(), span));
    }
    if ["refactor.extract", "refactor.inline", "refactor.rewrite", "quickfix"].into_iter().any(is_wanted) {
        found.extend(snapshot.refactorings(file.path(), span));
        found.retain(|action| is_wanted(kind_of(action)));
    }
    // Files are parsed again for them, which is too much for each move of the cursor.
    let is_automatic = own.context.trigger_kind == Some(lsp::CodeActionTriggerKind::Automatic);
    if is_wanted("refactor.move") && !is_automatic {
        let moves = snapshot.moves(file.path(), span);
        found.extend(moves.into_iter().filter(|action| converter.can_apply(&action.edits)));
    }
    if only.is_some() && is_wanted("source.fixAll.hcl") {
        found.extend(snapshot.fix_all(file.path()));
    }
    let found = Action::unique(found);
    let one = |action: &Action| {
        let kind = kind_of(action);
        let fixed: Vec<_> = action.diagnostic.iter().map(|own| converter.diagnostic(&file, own)).collect();
        let mut value =
            json!({ "title": action.title, "kind": kind, "edit": converter.workspace_edit(&action.edits) });
        if !fixed.is_empty() {
            value["diagnostics"] = json!(fixed);
        }
        if action.is_preferred {
            value["isPreferred"] = json!(true);
        }
        value
    };
    write(found.iter().map(one).collect::<Vec<_>>())
}

fn kind_of(action: &Action) -> &'static str {
    match action.kind {
        ActionKind::QuickFix => "quickfix",
        ActionKind::FixAll => "source.fixAll.hcl",
        ActionKind::Extract => "refactor.extract",
        ActionKind::Inline => "refactor.inline",
        ActionKind::Rewrite => "refactor.rewrite",
        ActionKind::Move => "refactor.move",
    }
}

fn lenses(path: &str, file: &Arc<File>, converter: &Converter<'_>) -> Vec<Value> {
    let found = converter.snapshot.lenses(path);
    let one = |lens: &hclkit_ide::Lens| {
        let title =
            if lens.count == 1 { "1 reference".to_owned() } else { format!("{} references", lens.count) };
        json!({ "range": converter.range(file, lens.span), "command": { "title": title, "command": "" } })
    };
    found.iter().map(one).collect()
}

fn links(path: &str, file: &Arc<File>, converter: &Converter<'_>) -> Vec<Value> {
    let found = converter.snapshot.links(path);
    let one = |link: &hclkit_ide::Link| {
        let target =
            link.url.clone().or_else(|| link.path.as_ref().map(|path| converter.addresses.of(path).0));
        json!({ "range": converter.range(file, link.span), "target": target })
    };
    found.iter().map(one).collect()
}

fn format_range(server: &mut Server, parameters: Value) -> Answer {
    let own: lsp::DocumentRangeFormattingParams = read(parameters)?;
    let Some((snapshot, file, span)) = part_of(server, &own.text_document.uri, own.range)? else {
        return Ok(Value::Null);
    };
    write(server.converter(&snapshot).edits(file.path(), &snapshot.format_range(file.path(), span)))
}

fn format_typed(server: &mut Server, parameters: Value) -> Answer {
    let typed = parameters["ch"].as_str().unwrap_or_default().to_owned();
    at(server, parameters, |path, offset, _, converter| {
        Some(converter.edits(path, &converter.snapshot.format_typed(path, offset, &typed)))
    })
}

fn prepare_rename(
    path: &str,
    offset: u32,
    file: &Arc<File>,
    converter: &Converter<'_>,
) -> Option<lsp::PrepareRenamePlaceholder> {
    let found = converter.snapshot.prepare_rename(path, offset)?;
    Some(lsp::PrepareRenamePlaceholder { range: converter.range(file, found.span), placeholder: found.name })
}

fn rename(server: &mut Server, parameters: Value) -> Answer {
    let own: lsp::RenameParams = read(parameters)?;
    let path = path_of(Some(&own.text_document_position_params.text_document.uri.0))?;
    let snapshot = server.workspace.snapshot();
    let Some(file) = snapshot.file(&path) else { return Ok(Value::Null) };
    let converter = server.converter(&snapshot);
    let offset = converter.offset(&file, own.text_document_position_params.position);
    let edits = snapshot.rename(&path, offset, &own.new_name).map_err(Refused::failed)?;
    write(converter.workspace_edit(&edits))
}

fn selections(server: &mut Server, parameters: Value) -> Answer {
    let own: lsp::SelectionRangeParams = read(parameters)?;
    let path = path_of(Some(&own.text_document.uri.0))?;
    let snapshot = server.workspace.snapshot();
    let Some(file) = snapshot.file(&path) else { return Ok(Value::Null) };
    let converter = server.converter(&snapshot);
    let one = |at: &lsp::Position| {
        let mut spans = snapshot.selections(&path, converter.offset(&file, *at));
        spans.truncate(200);
        spans.iter().rev().fold(None, |parent, span| {
            let range = converter.range(&file, *span);
            Some(Box::new(lsp::SelectionRange { range, parent }))
        })
    };
    write(own.positions.iter().filter_map(one).collect::<Vec<_>>())
}

fn hints(server: &mut Server, parameters: Value) -> Answer {
    let own: lsp::InlayHintParams = read(parameters)?;
    let Some((snapshot, file, span)) = part_of(server, &own.text_document.uri, own.range)? else {
        return Ok(Value::Null);
    };
    let converter = server.converter(&snapshot);
    let one = |hint: &hclkit_ide::InlayHint| {
        let position = converter.position(&file, hint.offset);
        json!({ "position": position, "label": hint.label, "paddingLeft": true })
    };
    write(snapshot.inlay_hints(file.path(), span).iter().map(one).collect::<Vec<_>>())
}

/// The tokens of a document, and the number under which they are remembered.
fn all_tokens(
    server: &mut Server,
    parameters: &Value,
) -> Result<Option<(String, String, Vec<u32>)>, Refused> {
    let path = path_of(parameters["textDocument"]["uri"].as_str())?;
    let snapshot = server.workspace.snapshot();
    let Some(file) = snapshot.file(&path) else { return Ok(None) };
    let found = snapshot.tokens(&path, None);
    let numbers = server.converter(&snapshot).tokens(&file, &found);
    server.next_tokens += 1;
    Ok(Some((path, server.next_tokens.to_string(), numbers)))
}

fn tokens(server: &mut Server, parameters: &Value) -> Answer {
    let Some((path, id, numbers)) = all_tokens(server, parameters)? else { return Ok(Value::Null) };
    let answer = json!({ "resultId": id, "data": numbers });
    remember(server, path, id, numbers);
    Ok(answer)
}

fn tokens_delta(server: &mut Server, parameters: &Value) -> Answer {
    let Some((path, id, numbers)) = all_tokens(server, parameters)? else { return Ok(Value::Null) };
    let previous = parameters["previousResultId"].as_str();
    let known = server.tokens.get(&path).filter(|(id, _)| previous == Some(id.as_str()));
    let answer = match known {
        Some((_, before)) => {
            let start = before.iter().zip(&numbers).take_while(|(one, other)| one == other).count();
            let most = before.len().min(numbers.len()) - start;
            let ends = before.iter().rev().zip(numbers.iter().rev());
            let end = ends.take(most).take_while(|(one, other)| one == other).count();
            let (old, new) = (before.len() - end, numbers.len() - end);
            let edit = json!({ "start": start, "deleteCount": old - start, "data": numbers[start..new] });
            let edits = if old == start && new == start { json!([]) } else { json!([edit]) };
            json!({ "resultId": id, "edits": edits })
        }
        None => json!({ "resultId": id, "data": numbers }),
    };
    remember(server, path, id, numbers);
    Ok(answer)
}

/// Remembers what was sent about an open document.
fn remember(server: &mut Server, path: String, id: String, numbers: Vec<u32>) {
    if server.workspace.snapshot().open_file(&path).is_some() {
        server.tokens.insert(path, (id, numbers));
    }
}

fn tokens_range(server: &mut Server, parameters: Value) -> Answer {
    let own: lsp::SemanticTokensRangeParams = read(parameters)?;
    let Some((snapshot, file, span)) = part_of(server, &own.text_document.uri, own.range)? else {
        return Ok(Value::Null);
    };
    let found = snapshot.tokens(file.path(), Some(span));
    Ok(json!({ "data": server.converter(&snapshot).tokens(&file, &found) }))
}

fn hierarchy_item(node: &ModuleNode, converter: &Converter<'_>) -> Value {
    let start = json!({ "line": 0, "character": 0 });
    let range = json!({ "start": start, "end": start });
    json!({
        "name": node.name,
        "kind": lsp::SymbolKind::Module,
        "detail": node.directory,
        "uri": converter.addresses.of(&node.path),
        "range": range,
        "selectionRange": range,
        "data": node.directory,
    })
}

fn calls(server: &mut Server, parameters: &Value, incoming: bool) -> Answer {
    let snapshot = server.workspace.snapshot();
    let converter = server.converter(&snapshot);
    let Some(directory) = parameters["item"]["data"].as_str() else {
        return Err(Refused(ErrorCode::InvalidParams, "`item.data` is missing".to_owned()));
    };
    let found =
        if incoming { snapshot.incoming_calls(directory) } else { snapshot.outgoing_calls(directory) };
    let key = if incoming { "from" } else { "to" };
    let mut answers = Vec::new();
    for own in &found {
        // An answer has the ranges of one document.
        let mut by_file: BTreeMap<&str, Vec<lsp::Range>> = BTreeMap::new();
        for block in &own.blocks {
            if let Some(location) = converter.location(&block.path, block.span) {
                by_file.entry(&block.path).or_default().push(location.range);
            }
        }
        for (path, ranges) in by_file {
            let node = ModuleNode {
                path: if incoming { path.to_owned() } else { own.module.path.clone() },
                ..own.module.clone()
            };
            answers.push(json!({ key: hierarchy_item(&node, &converter), "fromRanges": ranges }));
        }
    }
    write(answers)
}

fn will_rename(server: &mut Server, parameters: Value) -> Answer {
    let own: lsp::RenameFilesParams = read(parameters)?;
    let pair =
        |file: &lsp::FileRename| Some((uri::to_path(&file.old_uri.0)?, uri::to_path(&file.new_uri.0)?));
    let moves: Vec<(String, String)> = own.files.iter().filter_map(pair).collect();
    let snapshot = server.workspace.snapshot();
    let edits = snapshot.moved(&moves);
    write(server.converter(&snapshot).workspace_edit(&edits))
}
