//! Addresses: the location of something in a document, as a path of names and numbers, such as
//! `resource.aws_instance.web.tags.Name` or `listen[1].port`. `docs/paths.md` describes paths.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::ast::{BlockNode, ExpressionKind, ObjectKey};
use crate::json::{JsonDocument, JsonProperty, JsonValue};
use crate::{Document, NodeId, NodeKind, Root, Span, is_identifier};

/// Looks up addresses in a document. Later lookups are fast, because they reuse the results of earlier ones.
///
/// ```
/// use hclkit_syntax::Addresses;
/// let document = hclkit_syntax::parse("a \"b\" {\n  c = [{ d = 1 }]\n}\na \"b\" {\n  e = 1\n}\n");
/// let mut addresses = Addresses::of(&document);
/// assert_eq!(addresses.at(17), "a.b[0].c[0].d");
/// assert_eq!(addresses.at(38), "a.b[1].e");
/// assert_eq!(addresses.at(4), "a.b[0]");
/// ```
#[derive(Debug)]
pub struct Addresses<'d> {
    document: &'d Document,
    children: HashMap<NodeId, Vec<(Span, NodeId)>>,
    /// The numbers of blocks that are not the only ones with their type and labels, by body.
    numbers: HashMap<NodeId, HashMap<NodeId, usize>>,
}

impl<'d> Addresses<'d> {
    /// The addresses of a document.
    pub fn of(document: &'d Document) -> Self {
        Self { document, children: HashMap::new(), numbers: HashMap::new() }
    }

    /// The address of the innermost block, attribute, object item, element or argument around a byte offset. `.` is the
    /// whole file. An address of more than 1,024 bytes is cut off and ends with `…`.
    pub fn at(&mut self, offset: u32) -> String {
        let (document, mut address) = (self.document, String::new());
        let mut node = match document.root() {
            Root::Body(body) => body.id(),
            Root::Expression(expression) => expression.id(),
            Root::Template(_) | Root::Traversal(_) => return or_root(address),
        };
        while let Some((number, child)) = self.child(node, offset) {
            let tree = document.tree();
            let next = match tree.kind(node) {
                NodeKind::Body | NodeKind::Root => match document.block_at(child) {
                    Some(block) => {
                        self.push_block(node, block, &mut address);
                        Some(block.body().id())
                    }
                    None if tree.kind(child) == NodeKind::Attribute => {
                        let name = document.tokens().span(tree.token_range(child).0);
                        push_name(&mut address, document.source().slice(name));
                        tree.children(child).next()
                    }
                    None => None,
                },
                NodeKind::Object => {
                    let Some(name) = self.key(child) else { break };
                    push_name(&mut address, &name);
                    tree.children(child).nth(1)
                }
                NodeKind::Call => {
                    push_number(&mut address, ['(', ')'], number);
                    Some(child)
                }
                _ => {
                    push_number(&mut address, ['[', ']'], number);
                    Some(child)
                }
            };
            let Some(next) = next else { break };
            if is_full(&mut address) {
                break;
            }
            let is_body = matches!(tree.kind(next), NodeKind::Body | NodeKind::Root);
            node = if is_body { next } else { document.expression_at(next).without_parens().id() };
        }
        or_root(address)
    }

    /// The child of a body, an object, a tuple or a call that is around an offset, and its number.
    fn child(&mut self, node: NodeId, offset: u32) -> Option<(usize, NodeId)> {
        let (document, tree) = (self.document, self.document.tree());
        let holds_others = matches!(
            tree.kind(node),
            NodeKind::Body | NodeKind::Root | NodeKind::Object | NodeKind::Tuple | NodeKind::Call
        );
        if !holds_others {
            return None;
        }
        let children = self
            .children
            .entry(node)
            .or_insert_with(|| tree.children(node).map(|child| (document.span(child), child)).collect());
        let at = children.partition_point(|(span, _)| span.start <= offset).checked_sub(1)?;
        let (span, child) = children[at];
        holds(span, offset).then_some((at, child))
    }

    fn push_block(&mut self, body: NodeId, block: BlockNode<'d>, address: &mut String) {
        push_name(address, block.block_type());
        block.labels().for_each(|label| push_name(address, &label.value()));
        let document = self.document;
        let numbers = self.numbers.entry(body).or_insert_with(|| {
            let mut groups: HashMap<_, Vec<NodeId>> = HashMap::new();
            for block in document.body_at(body).blocks() {
                groups.entry((block.block_type(), block.label_texts())).or_default().push(block.id());
            }
            let shared = groups.into_values().filter(|group| group.len() > 1);
            shared.flat_map(|group| group.into_iter().enumerate().map(|(number, id)| (id, number))).collect()
        });
        if let Some(&number) = numbers.get(&block.id()) {
            push_number(address, ['[', ']'], number);
        }
    }

    /// The name of an object item, unless it is computed.
    fn key(&self, item: NodeId) -> Option<String> {
        let object = self.document.tree().children(item).next()?;
        match object_key(self.document, object) {
            ObjectKey::Name(name) => Some(name.text.to_owned()),
            ObjectKey::Expression(key) => match key.without_parens().kind() {
                ExpressionKind::Number(number) => Some(number.to_owned()),
                ExpressionKind::Template(template) => template.as_literal().map(Into::into),
                _ => None,
            },
        }
    }
}

fn object_key(document: &Document, key: NodeId) -> ObjectKey<'_> {
    let expression = document.expression_at(key);
    match (document.tree().kind(key), expression.kind()) {
        (NodeKind::Name, ExpressionKind::Variable(name)) => ObjectKey::Name(name),
        _ => ObjectKey::Expression(expression),
    }
}

/// Looks up addresses in a document of the JSON syntax.
///
/// ```
/// use hclkit_syntax::JsonAddresses;
/// let document = hclkit_syntax::json::parse(r#"{"a": {"b": [1, {"c d": 2}]}}"#);
/// let mut addresses = JsonAddresses::of(&document);
/// assert_eq!(addresses.at(13), "a.b[0]");
/// assert_eq!(addresses.at(24), "a.b[1][\"c d\"]");
/// ```
#[derive(Debug)]
pub struct JsonAddresses<'d> {
    document: &'d JsonDocument,
    properties: HashMap<NodeId, Vec<JsonProperty<'d>>>,
    elements: HashMap<NodeId, Vec<JsonValue<'d>>>,
}

impl<'d> JsonAddresses<'d> {
    /// The addresses of a document.
    pub fn of(document: &'d JsonDocument) -> Self {
        Self { document, properties: HashMap::new(), elements: HashMap::new() }
    }

    /// The address of the innermost property or element around a byte offset. `.` is the whole file. An address of more
    /// than 1,024 bytes is cut off and ends with `…`.
    pub fn at(&mut self, offset: u32) -> String {
        let (mut address, mut value) = (String::new(), self.document.root());
        while !is_full(&mut address) {
            let properties =
                self.properties.entry(value.id()).or_insert_with(|| value.properties().collect());
            let before = properties.partition_point(|property| property.span().start <= offset);
            if let Some(property) = before.checked_sub(1).map(|at| properties[at])
                && holds(property.span(), offset)
            {
                push_name(&mut address, &property.name().value());
                value = property.value();
                continue;
            }
            let elements = self.elements.entry(value.id()).or_insert_with(|| value.elements().collect());
            let before = elements.partition_point(|element| element.span().start <= offset);
            match before.checked_sub(1).map(|at| (at, elements[at])) {
                Some((number, element)) if holds(element.span(), offset) => {
                    push_number(&mut address, ['[', ']'], number);
                    value = element;
                }
                _ => break,
            }
        }
        or_root(address)
    }
}

/// Returns true if an address has the maximum length, and cuts off the rest. Without a maximum, the addresses in deeply
/// nested blocks with long names could be far longer than the source.
fn is_full(address: &mut String) -> bool {
    const MAX_BYTES: usize = 1_024;
    if address.len() <= MAX_BYTES {
        return false;
    }
    let end = (0..=MAX_BYTES).rev().find(|&end| address.is_char_boundary(end));
    address.truncate(end.unwrap_or_default());
    address.push('…');
    address.shrink_to_fit();
    true
}

fn or_root(mut address: String) -> String {
    is_full(&mut address);
    if address.is_empty() { ".".to_owned() } else { address }
}

fn holds(span: Span, offset: u32) -> bool {
    span.start <= offset && offset < span.end.max(span.start + 1)
}

fn push_number(address: &mut String, [open, close]: [char; 2], number: usize) {
    // Writing to a string cannot fail.
    let _ = write!(address, "{open}{number}{close}");
}

/// Adds the step to a name to an address: `.name`, or `["name"]` for names with characters that have a meaning in paths.
///
/// ```
/// let mut address = String::from("tags");
/// hclkit_syntax::push_name(&mut address, "Env");
/// hclkit_syntax::push_name(&mut address, "a.b");
/// assert_eq!(address, "tags.Env[\"a.b\"]");
/// ```
pub fn push_name(address: &mut String, name: &str) {
    let is_plain = is_identifier(name)
        || !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_/:@".contains(c));
    if is_plain {
        if !address.is_empty() {
            address.push('.');
        }
        address.push_str(name);
        return;
    }
    address.push_str("[\"");
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\\' => address.extend(['\\', character]),
            '\n' => address.push_str("\\n"),
            '\r' => address.push_str("\\r"),
            '\t' => address.push_str("\\t"),
            '$' | '%' if characters.peek() == Some(&'{') => address.extend([character, character]),
            _ => address.push(character),
        }
    }
    address.push_str("\"]");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_addresses_are_cut_off() {
        let name = "é".repeat(300);
        let blocks = format!("{}a = 1\n{}", format!("{name} {{\n").repeat(9), "}\n".repeat(9));
        let native = crate::parse(&*blocks);
        let objects = format!("{}1{}", format!("{{\"{name}\":").repeat(9), "}".repeat(9));
        let json = crate::json::parse(&*objects);
        let attribute = crate::parse(format!("{} = 1\n", "a".repeat(9_000)));
        for address in [
            Addresses::of(&native).at(u32::try_from(blocks.find("a =").unwrap()).unwrap()),
            JsonAddresses::of(&json).at(u32::try_from(objects.find(":1").unwrap() + 1).unwrap()),
            Addresses::of(&attribute).at(0),
        ] {
            assert!(address.ends_with('…') && (1_000..1_100).contains(&address.len()), "{}", address.len());
        }
    }
}
