//! Expressions that replace others keep their meaning, wherever they are put.

use hclkit_model::Descend;
use hclkit_syntax::ast::{AttributeNode, BlockNode, ExpressionKind, ExpressionNode, ObjectItemNode};
use hclkit_syntax::{Document, NodeId, NodeKind, Root, Visit, parse, parse_expression};
use hclkit_write::{EditError, Edits, Rewriter, raw};

/// Expressions around others, with every kind of part.
const OUTER: [&str; 34] = [
    "x",
    "(x)",
    "-x",
    "!x",
    "x + y",
    "x - y - z",
    "x * y",
    "x / y % z",
    "x < y",
    "x == y",
    "x && y",
    "x || y",
    "x || y && z",
    "x == y + z * w",
    "x ? y : z",
    "x.a",
    "x[y]",
    "x.0",
    "x[0].b",
    "x.*.a",
    "x[*].a[y]",
    "f(x, y)",
    "f(x...)",
    "[x, y]",
    "{ a = x, b = y }",
    "{ (x) = y }",
    "{ \"${x}\" = y, \"k\" : z }",
    "\"a${x}b${y}\"",
    "\"%{ if x }y%{ else }${y}%{ endif }\"",
    "\"%{ for x in y }${x + z}%{ endfor }\"",
    "[for k, v in x : v + y if z]",
    "{ for k, v in x : k => v... if z }",
    "-x.a[y] + 2",
    "(x + y) * z",
];

const INNER: [&str; 22] = [
    "n",
    "1",
    "1.5",
    "-1",
    "!n",
    "true",
    "null",
    "\"text\"",
    "\"a${n}\"",
    "n + m",
    "n * m",
    "n == m",
    "n <= m",
    "n && m",
    "n || m",
    "n ? m : o",
    "n.m",
    "n[*].m",
    "g(n)",
    "[n]",
    "{ n = m }",
    "[for i in n : i]",
];

/// The structure of an expression. Parentheses are left out, except around a key that would be a name without them.
/// `replaced` is shown as something else.
fn shape(document: &Document, node: NodeId, replaced: Option<(NodeId, &str)>) -> String {
    if let Some((own, text)) = replaced
        && own == node
    {
        return text.to_owned();
    }
    let tree = document.tree();
    let children: Vec<String> = tree.children(node).map(|child| shape(document, child, replaced)).collect();
    match (tree.kind(node), &children[..]) {
        (NodeKind::Parens, [inner]) => inner.clone(),
        (_, []) => format!("{:?} {}", tree.kind(node), document.source().slice(document.span(node))),
        (kind, _) => format!("({kind:?} {:?} {})", tree.operator(node), children.join(" ")),
    }
}

/// Whether it is what a splat selects of each element: it has no text that stands alone.
fn is_of_element(document: &Document, node: NodeId) -> bool {
    let tree = document.tree();
    let mut first = Some(node);
    while let Some(node) = first.filter(|&node| tree.kind(node) != NodeKind::SplatItem) {
        let is_access = matches!(
            document.expression_at(node).kind(),
            ExpressionKind::GetAttr { .. }
                | ExpressionKind::Index { .. }
                | ExpressionKind::LegacyIndex { .. }
                | ExpressionKind::Splat { .. }
        );
        first = if is_access { tree.children(node).next() } else { None };
    }
    first.is_some()
}

fn root(document: &Document) -> NodeId {
    match document.root() {
        Root::Expression(root) => root.id(),
        _ => document.body().attribute("root").expect("the expression").value().id(),
    }
}

#[test]
fn a_new_expression_means_the_same_in_every_place() {
    let mut replaced = 0;
    for (outer, inner) in OUTER.iter().flat_map(|outer| INNER.map(|inner| (outer, inner))) {
        let text = format!("root = {outer}\n");
        let document = parse(text.clone());
        assert!(!document.has_errors(), "{text}");
        let new = parse_expression(inner);
        let new = shape(&new, root(&new), None);
        let tree = document.tree();
        let expressions = tree.walk(root(&document)).filter_map(|visit| match visit {
            Visit::Enter(node) if tree.kind(node).is_expression() => Some(node),
            _ => None,
        });
        for node in expressions.filter(|&node| !is_of_element(&document, node)) {
            let mut edits = Edits::new(&document);
            edits.set(node, raw(inner)).unwrap();
            let edited = edits.apply().unwrap_or_else(|error| panic!("{outer} with {inner}: {error}"));
            let expected = shape(&document, root(&document), Some((node, &new)));
            let found = shape(&edited, root(&edited), None);
            assert_eq!(found, expected, "{outer} with {inner}: {}", edited.source().text());
            replaced += 1;
        }
    }
    assert!(replaced > 2000, "{replaced}");
}

#[test]
fn only_the_parentheses_that_are_needed_are_written() {
    for (outer, inner, expected) in [
        ("x * y", "n + m", "(n + m) * y"),
        ("x + y", "n * m", "n * m + y"),
        ("x - y", "n - m", "n - m - y"),
        ("y - x", "n - m", "y - (n - m)"),
        ("x.a", "-n", "(-n).a"),
        ("x.a", "n.b", "n.b.a"),
        ("x[0]", "1", "(1)[0]"),
        ("x ? y : z", "n ? m : o", "(n ? m : o) ? y : z"),
        ("y ? x : z", "n ? m : o", "y ? n ? m : o : z"),
        ("f(x)", "n ? m : o", "f(n ? m : o)"),
        ("{ (x) = y }", "n", "{ (n) = y }"),
        ("{ \"${x}\" = y }", "n + m", "{ \"${n + m}\" = y }"),
        ("\"${x}\"", "n + m", "\"${n + m}\""),
    ] {
        let document = parse(format!("root = {outer}\n"));
        let mut edits = Edits::new(&document);
        edits
            .rewrite(|expression| match expression.kind() {
                ExpressionKind::Variable(name) if name.text == "x" => Some(raw(inner)),
                _ => None,
            })
            .unwrap();
        assert_eq!(edits.apply().unwrap().source().text(), format!("root = {expected}\n"));
    }
}

#[test]
fn rewriting_visits_all_expressions_of_both_syntaxes_but_no_names() {
    let native =
        "x \"x\" {\n  x = { x = x, (x) = [x], \"${x}\" = f(x) }\n  y {\n    a = <<E\n${x}\nE\n  }\n}\n";
    let document = parse(native);
    let mut edits = Edits::new(&document);
    let rename = |text: &str| (text == "x").then(|| raw("z"));
    edits.rewrite(|expression| rename(expression.text())).unwrap();
    let expected =
        "x \"x\" {\n  x = { x = z, (z) = [z], \"${z}\" = f(z) }\n  y {\n    a = <<E\n${z}\nE\n  }\n}\n";
    assert_eq!(edits.apply().unwrap().source().text(), expected);

    let source = hclkit_syntax::Source::new("a.json", r#"{"x": {"x": "x", "y": ["x", 1]}}"#);
    let document = Document::parse_json(source);
    let mut edits = Edits::new(&document);
    edits.rewrite(|expression| (expression.text() == "\"x\"").then_some("z")).unwrap();
    assert_eq!(edits.apply().unwrap().source().text(), r#"{"x": {"x": "z", "y": ["z", 1]}}"#);
}

#[test]
fn what_is_in_a_replaced_expression_is_not_visited_and_errors_are_returned() {
    let document = parse("a = f(g(x))\n");
    let (mut seen, mut edits) = (Vec::new(), Edits::new(&document));
    edits
        .rewrite(|expression| {
            seen.push(expression.text());
            expression.text().starts_with('g').then_some(1)
        })
        .unwrap();
    assert_eq!(seen, ["f(g(x))", "g(x)"]);
    assert_eq!(edits.apply().unwrap().source().text(), "a = f(1)\n");

    let invalid = Edits::new(&document).rewrite(|_| Some(raw("1 +")));
    assert!(matches!(invalid, Err(EditError::InvalidSource { .. })), "{invalid:?}");
}

/// Renames everything that has a name, and records what it sees.
#[derive(Default)]
struct Renaming {
    seen: Vec<String>,
    skipped: Option<&'static str>,
    back: bool,
}

impl Renaming {
    fn new_name(&self, name: &str) -> String {
        if self.back { name.trim_end_matches("_x").to_owned() } else { format!("{name}_x") }
    }

    fn visit(&mut self, what: String) -> Descend {
        let is_skipped = self.skipped.is_some_and(|skipped| skipped == what);
        self.seen.push(what);
        if is_skipped { Descend::Skip } else { Descend::Inside }
    }
}

impl<'d> Rewriter<'d> for Renaming {
    fn attribute(
        &mut self,
        attribute: AttributeNode<'d>,
        edits: &mut Edits<'d>,
    ) -> Result<Descend, EditError> {
        edits.rename(attribute, &self.new_name(attribute.name()))?;
        Ok(self.visit(format!("attribute {}", attribute.name())))
    }

    fn block(&mut self, block: BlockNode<'d>, edits: &mut Edits<'d>) -> Result<Descend, EditError> {
        edits.rename(block, &self.new_name(block.block_type()))?;
        for label in block.labels() {
            edits.set(label, self.new_name(&label.value()))?;
        }
        Ok(self.visit(format!("block {}", block.block_type())))
    }

    fn item(&mut self, item: ObjectItemNode<'d>, edits: &mut Edits<'d>) -> Result<Descend, EditError> {
        let key = item.document().source().slice(item.key_span());
        edits.rename(item, &self.new_name(key.trim_matches('"')))?;
        Ok(self.visit(format!("item {key}")))
    }

    fn expression(
        &mut self,
        expression: ExpressionNode<'d>,
        _: &mut Edits<'d>,
    ) -> Result<Descend, EditError> {
        Ok(self.visit(format!("expression {}", expression.text())))
    }
}

#[test]
fn a_rewriter_visits_items_and_expressions_in_order() {
    let native = "a = [1, { b = f(x) }] # a\nc \"d\" e {\n  f = 2\n  g {}\n}\n";
    let renamed = "a_x = [1, { b_x = f(x) }] # a\nc_x \"d_x\" e_x {\n  f_x = 2\n  g_x {}\n}\n";
    let document = parse(native);
    let run = |rewriter: &mut Renaming, document: &Document| {
        let mut edits = Edits::new(document);
        edits.rewrite_with(rewriter).unwrap();
        edits.apply().unwrap()
    };
    let mut rewriter = Renaming::default();
    let after = run(&mut rewriter, &document);
    assert_eq!(after.source().text(), renamed);
    let seen = [
        "attribute a",
        "expression [1, { b = f(x) }]",
        "expression 1",
        "expression { b = f(x) }",
        "item b",
        "expression f(x)",
        "expression x",
        "block c",
        "attribute f",
        "expression 2",
        "block g",
    ];
    assert_eq!(rewriter.seen, seen);
    let mut back = Renaming { back: true, ..Renaming::default() };
    assert_eq!(run(&mut back, &after).source().text(), native);
    for (skipped, count) in [("attribute a", 5), ("item b", 9), ("block c", 8), ("expression f(x)", 10)] {
        let mut rewriter = Renaming { skipped: Some(skipped), ..Renaming::default() };
        run(&mut rewriter, &document);
        assert_eq!(rewriter.seen.len(), count, "{skipped}: {:?}", rewriter.seen);
    }

    let json = hclkit_syntax::Source::new("a.json", r#"{"a": [1, {"b": "x"}], "c": {"d": null}}"#);
    let document = Document::parse_json(json);
    let mut rewriter = Renaming::default();
    let after = run(&mut rewriter, &document);
    assert_eq!(after.source().text(), r#"{"a_x": [1, {"b_x": "x"}], "c_x": {"d_x": null}}"#);
    let items = rewriter.seen.iter().filter(|seen| seen.starts_with("item"));
    assert_eq!(items.collect::<Vec<_>>(), ["item \"a\"", "item \"b\"", "item \"c\"", "item \"d\""]);
}

#[test]
fn an_error_of_a_rewriter_ends_the_visit() {
    struct Failing(usize);
    impl<'d> Rewriter<'d> for Failing {
        fn attribute(
            &mut self,
            found: AttributeNode<'d>,
            edits: &mut Edits<'d>,
        ) -> Result<Descend, EditError> {
            self.0 += 1;
            edits.rename(found, "not a name")?;
            Ok(Descend::Inside)
        }
    }
    let document = parse("a = 1\nb = 2\n");
    let mut rewriter = Failing(0);
    let error = Edits::new(&document).rewrite_with(&mut rewriter).unwrap_err();
    assert!(matches!(error, EditError::InvalidName { .. }) && rewriter.0 == 1, "{error}");
}
