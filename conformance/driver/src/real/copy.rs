//! The copy of a repository that Terraform and hclkit read: without backends and required versions, all modules in local
//! directories, data sources that are read during apply, constants for what data sources say about the account, and blocks
//! that record variables, local values and results of modules in the plan.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::Result;
use hclkit_syntax::ast::{AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode};
use hclkit_syntax::{Document, Span};

use super::repositories::{Clones, checkout};
use super::tree::{Directory, directories, label, literal, relative};

/// The file with the blocks that record values, in each directory.
pub(super) const RECORD: &str = "hclkit_record.tf";

/// What data sources say about the account, as constants. Most examples have an unknown `count` without.
const CONSTANTS: &[(&str, &str, &str)] = &[
    ("aws_availability_zones", "names", "[\"eu-west-1a\", \"eu-west-1b\", \"eu-west-1c\"]"),
    ("aws_availability_zones", "zone_ids", "[\"euw1-az1\", \"euw1-az2\", \"euw1-az3\"]"),
    ("aws_region", "name", "\"eu-west-1\""),
    ("aws_region", "id", "\"eu-west-1\""),
    ("aws_region", "region", "\"eu-west-1\""),
    ("aws_partition", "partition", "\"aws\""),
    ("aws_partition", "id", "\"aws\""),
    ("aws_partition", "dns_suffix", "\"amazonaws.com\""),
    ("aws_caller_identity", "account_id", "\"123456789012\""),
    ("aws_caller_identity", "id", "\"123456789012\""),
    ("aws_caller_identity", "arn", "\"arn:aws:iam::123456789012:user/x\""),
    ("google_client_config", "project", "\"project\""),
    ("google_client_config", "region", "\"europe-west1\""),
    ("google_compute_zones", "names", "[\"europe-west1-b\", \"europe-west1-c\", \"europe-west1-d\"]"),
    ("azurerm_client_config", "tenant_id", "\"00000000-0000-0000-0000-000000000001\""),
    ("azurerm_client_config", "subscription_id", "\"00000000-0000-0000-0000-000000000002\""),
    ("azurerm_client_config", "object_id", "\"00000000-0000-0000-0000-000000000003\""),
    ("azurerm_client_config", "client_id", "\"00000000-0000-0000-0000-000000000004\""),
    ("azurerm_subscription", "subscription_id", "\"00000000-0000-0000-0000-000000000002\""),
    ("azurerm_subscription", "tenant_id", "\"00000000-0000-0000-0000-000000000001\""),
    ("azurerm_subscription", "id", "\"/subscriptions/00000000-0000-0000-0000-000000000002\""),
];

/// What a copy is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Plans that record values.
    Plans,
    /// Tests, which run with what the modules say.
    Tests,
}

/// The arguments and the outputs of a module that is not there.
type Stub = (BTreeSet<String>, BTreeSet<String>);

/// Makes copies below a directory.
pub(super) struct Copies {
    pub(super) clones: Clones,
    directory: PathBuf,
    purpose: Purpose,
    stubs: Mutex<BTreeMap<PathBuf, Stub>>,
    done: Mutex<HashSet<PathBuf>>,
}

/// The original of a repository, and its copy.
pub(super) struct Copy {
    pub(super) original: PathBuf,
    pub(super) copy: PathBuf,
}

impl Copies {
    pub(super) fn new(clones: Clones, directory: PathBuf, purpose: Purpose) -> Self {
        Self { clones, directory, purpose, stubs: Mutex::default(), done: Mutex::default() }
    }

    /// The directory below which the copies are.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Checks out a repository and copies it.
    pub(super) fn make(&self, clone: &Path, name: &str, commit: &str) -> Result<Copy> {
        let base = format!("{}@{}", name.replace('/', "+"), &commit[..commit.len().min(12)]);
        let original = self.directory.join("original").join(&base);
        if !original.exists() {
            fs::create_dir_all(self.directory.join("original"))?;
            checkout(clone, commit, &original)?;
        }
        let copy = self.directory.join("copy").join(base);
        if self.done.lock().is_ok_and(|mut done| done.insert(copy.clone())) {
            if copy.exists() {
                fs::remove_dir_all(&copy)?;
            }
            fs::create_dir_all(self.directory.join("copy"))?;
            crate::programs::run(std::process::Command::new("cp").arg("-r").arg(&original).arg(&copy))?;
            for directory in directories(&copy)? {
                self.rewrite(&directory)?;
            }
        }
        Ok(Copy { original, copy })
    }

    fn rewrite(&self, path: &Path) -> Result<()> {
        let directory = Directory::read(path)?;
        for (name, document) in &directory.files {
            if document.has_errors() {
                continue;
            }
            let is_plan = self.purpose == Purpose::Plans;
            let mut edits = if is_plan { constants(document) } else { Vec::new() };
            for block in document.body().blocks() {
                match block.block_type() {
                    "terraform" => edits.extend(settings(block)),
                    "import" => edits.push((block.span(), String::new())),
                    "data" if is_plan => edits.extend(defer(block)),
                    "check" if is_plan => {
                        let inner = block.body().blocks().filter(|inner| inner.block_type() == "data");
                        edits.extend(inner.flat_map(defer));
                    }
                    "module" => edits.extend(self.localize(path, block)?),
                    _ => {}
                }
            }
            fs::write(path.join(name), apply(document.source().text(), edits))?;
        }
        let lock = path.join(".terraform.lock.hcl");
        if lock.exists() {
            fs::remove_file(lock)?;
        }
        if self.purpose == Purpose::Plans {
            fs::write(path.join(RECORD), record(&directory, true))?;
        }
        Ok(())
    }

    /// Gives a call a local source.
    fn localize(&self, path: &Path, block: BlockNode<'_>) -> Result<Vec<(Span, String)>> {
        let body = block.body();
        let Some(attribute) = body.attribute("source") else { return Ok(Vec::new()) };
        let Some(source) = literal(attribute.value()) else { return Ok(Vec::new()) };
        if source.starts_with("./") || source.starts_with("../") || source == "." || source == ".." {
            return Ok(Vec::new());
        }
        let version = body.attribute("version");
        let constraint = version.and_then(|version| literal(version.value()));
        let target = match self.clones.resolve(&source, constraint.as_deref()) {
            Some(remote) => self.make(&remote.clone, &remote.name, &remote.commit)?.copy.join(remote.inside),
            None => self.stub(&source, constraint.as_deref(), body),
        };
        let target = if target.is_dir() { target } else { self.stub(&source, constraint.as_deref(), body) };
        self.write_stub(&target)?;
        let local = format!("{:?}", relative(path, &target));
        let mut edits = vec![(attribute.value().span(), local)];
        edits.extend(version.map(|version| (version.span(), String::new())));
        Ok(edits)
    }

    /// The directory of a stub, which accepts the arguments of a call.
    fn stub(&self, source: &str, version: Option<&str>, body: BodyNode<'_>) -> PathBuf {
        let plain = |text: &str| -> String {
            text.chars()
                .map(|c| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '_' })
                .collect()
        };
        let path = self
            .directory
            .join("copy/stubs")
            .join(plain(&format!("{source}@{}", version.unwrap_or_default())));
        let meta = ["source", "version", "count", "for_each", "providers", "depends_on"];
        let names = body.attributes().map(|attribute| attribute.name().to_owned());
        if let Ok(mut stubs) = self.stubs.lock() {
            stubs
                .entry(path.clone())
                .or_default()
                .0
                .extend(names.filter(|name| !meta.contains(&name.as_str())));
        }
        path
    }

    /// Adds an output to a stub. Returns whether the directory is one that did not have it.
    pub(super) fn add_output(&self, path: &Path, name: &str) -> Result<bool> {
        let mut added = false;
        if let Ok(mut stubs) = self.stubs.lock() {
            added = stubs.get_mut(path).is_some_and(|stub| stub.1.insert(name.to_owned()));
        }
        if added {
            self.write_stub(path)?;
        }
        Ok(added)
    }

    fn write_stub(&self, path: &Path) -> Result<()> {
        let Ok(stubs) = self.stubs.lock() else { return Ok(()) };
        let Some((arguments, outputs)) = stubs.get(path) else { return Ok(()) };
        let mut text = String::from("resource \"hclkitstub_module\" \"this\" {\n}\n");
        for name in arguments {
            let _ = write!(text, "\nvariable \"{name}\" {{\n  default = null\n}}\n");
        }
        for name in outputs {
            let _ = write!(text, "\noutput \"{name}\" {{\n  value = hclkitstub_module.this.{name}\n}}\n");
        }
        fs::create_dir_all(path)?;
        let partial = path.join("main.partial");
        fs::write(&partial, text)?;
        fs::rename(partial, path.join("main.tf"))?;
        Ok(())
    }
}

/// The blocks that record the values of a directory, and the one that data sources depend on.
pub(super) fn record(directory: &Directory, values: bool) -> String {
    let mut text = String::from("resource \"terraform_data\" \"hclkit_defer\" {\n}\n");
    if !values {
        return text;
    }
    let ephemeral = |block: &BlockNode<'_>| block.body().attribute("ephemeral").is_some();
    let variables =
        directory.blocks("variable").filter(|block| !ephemeral(block)).filter_map(|block| label(block, 0));
    let locals = directory.locals().map(|local| local.name().to_owned());
    let calls = directory.calls().map(|(name, ..)| name);
    let kinds: [(&str, &str, BTreeSet<String>); 3] = [
        ("v", "var", variables.collect()),
        ("l", "local", locals.collect()),
        ("m", "module", calls.collect()),
    ];
    text.push_str("\nresource \"terraform_data\" \"hclkit_record\" {\n  input = {\n");
    for (kind, root, names) in kinds {
        let _ = writeln!(text, "    {kind} = {{");
        for name in names {
            let _ = writeln!(text, "      {name} = {root}.{name}");
        }
        text.push_str("    }\n");
    }
    text.push_str("  }\n}\n");
    text
}

/// The edits that remove what a copy must not have.
fn settings(block: BlockNode<'_>) -> Vec<(Span, String)> {
    let blocks = block
        .body()
        .blocks()
        .filter(|inner| ["backend", "cloud", "provider_meta"].contains(&inner.block_type()));
    let attributes =
        block.body().attributes().filter(|inner| ["required_version", "experiments"].contains(&inner.name()));
    let spans = blocks.map(BlockNode::span).chain(attributes.map(AttributeNode::span));
    spans.map(|span| (span, String::new())).collect()
}

/// The edits that make a data source depend on a resource that is not created yet.
fn defer(block: BlockNode<'_>) -> Vec<(Span, String)> {
    const NAME: &str = "terraform_data.hclkit_defer";
    let at = |offset| Span::new(offset, offset);
    if let Some(depends) = block.body().attribute("depends_on") {
        return vec![(at(depends.value().span().start + 1), format!("{NAME}, "))];
    }
    let open = block.open_span().end;
    let close = block.close_span().start;
    vec![(at(open), format!("\n  depends_on = [{NAME}]\n")), (at(close), "\n".to_owned())]
}

/// The edits that replace what data sources say by constants.
fn constants(document: &Document) -> Vec<(Span, String)> {
    let mut edits = Vec::new();
    let mut open: Vec<BodyNode<'_>> = vec![document.body()];
    while let Some(body) = open.pop() {
        open.extend(body.blocks().map(BlockNode::body));
        for attribute in body.attributes() {
            for visit in document.tree().walk(attribute.value().id()) {
                let hclkit_syntax::Visit::Enter(visit) = visit else { continue };
                let expression = document.expression_at(visit);
                if let Some(constant) = constant(expression) {
                    edits.push((expression.span(), constant.to_owned()));
                }
            }
        }
    }
    edits
}

/// The parts of `object.name`.
fn attr(expression: ExpressionNode<'_>) -> Option<(ExpressionNode<'_>, String)> {
    match expression.kind() {
        ExpressionKind::GetAttr { object, name } => Some((object, name?.text.to_owned())),
        _ => None,
    }
}

fn constant(expression: ExpressionNode<'_>) -> Option<&'static str> {
    let (mut object, attribute) = attr(expression)?;
    if let ExpressionKind::Index { collection, .. } | ExpressionKind::LegacyIndex { collection, .. } =
        object.kind()
    {
        object = collection;
    }
    let (object, _) = attr(object)?;
    let (root, ty) = attr(object)?;
    let is_data = matches!(root.kind(), ExpressionKind::Variable(name) if name.text == "data");
    let known = |constant: &&(&str, &str, &str)| is_data && constant.0 == ty && constant.1 == attribute;
    CONSTANTS.iter().find(known).map(|constant| constant.2)
}

/// A text with edits, which do not overlap; of those that do, the first counts.
fn apply(text: &str, mut edits: Vec<(Span, String)>) -> String {
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut result, mut at) = (String::new(), 0);
    for (span, new) in edits {
        let (start, end) = (span.start as usize, span.end as usize);
        if start < at {
            continue;
        }
        result.push_str(&text[at..start]);
        result.push_str(&new);
        at = end;
    }
    result + &text[at..]
}
