//! Links to the directories of modules and to other files that a configuration names.

use hclkit::Span;
use hclkit::ast::{AttributeNode, BodyNode, ExpressionKind, Item};
use hclkit::dialect::{Role, is_local_source};
use hclkit::module::join_path;
use hclkit::syntax::Root;

use crate::Snapshot;
use crate::file::File;
use crate::files::parent;

/// A link in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The text of the link, without quotes.
    pub span: Span,
    /// The text.
    pub text: String,
    /// The directory or file, if it is a local one.
    pub path: Option<String>,
    /// The page of a module in a registry.
    pub url: Option<String>,
}

impl Snapshot {
    /// The links in a file: sources of modules, and paths of other configurations. That of a directory leads to the first file
    /// in it.
    pub fn links(&self, path: &str) -> Vec<Link> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let mut links = of_file(&file);
        for link in &mut links {
            let Some(directory) = &link.path else { continue };
            let names = self.list(directory).unwrap_or_default();
            let is_main = |name: &&String| name.starts_with("main.") || name.as_str() == "terragrunt.hcl";
            let all = || names.iter().filter(|name| self.is_configuration(name));
            let first = all().find(is_main).or_else(|| all().next());
            if let Some(first) = first {
                link.path = Some(format!("{directory}/{first}"));
            } else if self.file(directory).is_none() {
                link.path = None;
            }
        }
        links.retain(|link| link.path.is_some() || link.url.is_some());
        links
    }
}

/// The links in a file, without a look at what they lead to.
pub(crate) fn of_file(file: &File) -> Vec<Link> {
    let mut found = Vec::new();
    if let Root::Body(body) = file.document().root() {
        of_body(file, body, None, &mut found);
    }
    found
}

fn of_body(file: &File, body: BodyNode<'_>, around: Option<&str>, found: &mut Vec<Link>) {
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => {
                if let Some(around) = around {
                    found.extend(of_attribute(file, around, attribute));
                }
            }
            Item::Block(block) => {
                if around.is_none() || around == Some("run") {
                    of_body(file, block.body(), Some(block.block_type()), found);
                }
            }
        }
    }
}

fn of_attribute(file: &File, block_type: &str, attribute: AttributeNode<'_>) -> Option<Link> {
    let role = file.content_dialect().and_then(|part| part.block(block_type)).map(|rule| rule.role);
    let is_source = attribute.name() == "source"
        && (role == Some(Role::Call) || matches!(block_type, "module" | "terraform" | "unit" | "stack"));
    let is_path =
        matches!((block_type, attribute.name()), ("include", "path") | ("dependency", "config_path"));
    if !is_source && !is_path {
        return None;
    }
    let ExpressionKind::Template(template) = attribute.value().kind() else { return None };
    let text = template.as_literal()?.into_owned();
    let span = attribute.value().span();
    let span = Span::new(span.start + 1, span.end.checked_sub(1)?.max(span.start + 1));
    if file.document().source().slice(span) != text {
        return None;
    }
    let is_local = is_local_source(&text) || is_path && matches!(text.as_str(), "." | "..");
    if is_local {
        // Terragrunt's sources may have the directory inside of a repository after two slashes.
        let path = join_path(parent(file.path()), &text.replace("//", "/"));
        return Some(Link { span, text, path: Some(path), url: None });
    }
    let parts: Vec<&str> = text.split('/').collect();
    let is_name = |part: &&str| {
        !part.is_empty() && part.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_".contains(sign))
    };
    let url = match parts[..] {
        [space, name, system] if is_source && parts.iter().all(is_name) => {
            format!("https://registry.terraform.io/modules/{space}/{name}/{system}")
        }
        _ => return None,
    };
    Some(Link { span, text, path: None, url: Some(url) })
}
