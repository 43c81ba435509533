//! `Debug` of public types is short: its size is at most linear in what the value owns. A view, an expression or a body
//! does not print the document that it shares.
#![cfg(all(feature = "module", feature = "write", feature = "convert", feature = "serde"))]

use std::collections::BTreeSet;
use std::fmt::{Debug, Write as _};
use std::path::Path;

use hclkit::convert::{ToJson, ToNative};
use hclkit::decode::{Decoder, PlaceJson, PlainJson, TypeJson};
use hclkit::functions::{Grants, Library};
use hclkit::model::{AttributeSpec, BlocksSpec, BodyItem, Dynamic, Scope, SharedValues, Spec, SpecFile};
use hclkit::module::{Bake, Dialect, Memory, ModuleLoader};
use hclkit::refactor::{ModuleCall, Names, SplitFile};
use hclkit::render::Renderer;
use hclkit::schema::{BodyReference, Inside};
use hclkit::serde::Deserializer;
use hclkit::syntax::ast::{ExpressionKind, ExpressionNode, Item, Part};
use hclkit::syntax::json::JsonDocument;
use hclkit::syntax::{Addresses, JsonAddresses, KnownNames, Root};
use hclkit::write::{Edits, Formatter, NewValue, Selector};
use hclkit::{Body, Context, Document, Expression, Loader, Source, Span, StartSymbol, Type, Value};

/// The number of items in the smaller and in the larger document.
const FEW: usize = 20;
const MANY: usize = 400;

/// The maximum for a value that owns a constant number of things.
const SHORT: usize = 1_000;
/// The maximum for each thing that a value owns.
const EACH: usize = 400;

#[derive(Default)]
struct Sizes(Vec<(&'static str, usize)>);

impl Sizes {
    /// Notes the size of something that owns the same, whatever the size of the document.
    fn short<T: Debug>(&mut self, thing: T) {
        self.owned(1, &thing);
    }

    /// Notes the size of something that owns a number of things.
    fn owned<T: Debug>(&mut self, owned: usize, thing: &T) {
        let (name, size) = (std::any::type_name::<T>(), format!("{thing:?}").len());
        assert!(
            size <= SHORT + EACH * (owned - 1),
            "{name} owns {owned} things and takes {size} bytes: {thing:.0?}"
        );
        // Layout adds line breaks and indentation, which must not add up.
        let wide = format!("{thing:#?}").len();
        assert!(wide <= 3 * (SHORT + EACH * owned), "{name} takes {wide} bytes over several lines");
        self.0.push((name, size));
    }
}

fn native(items: usize) -> String {
    let mut text = String::new();
    for at in 0..items {
        let _ = writeln!(
            text,
            "a{at} = [1 + {at}, \"x${{b}}-%{{ if c }}y%{{ endif }}%{{ for v in w }}z%{{ endfor }}\", f(a.b[0]), {{ k = [for v in w : v] }}]"
        );
        let _ = writeln!(text, "service \"s{at}\" {{\n  port = {at}\n}}");
    }
    text
}

fn json(items: usize) -> String {
    let items: Vec<String> = (0..items)
        .map(|at| format!("\"a{at}\": [{at}, \"x${{b}}\"], \"s{at}\": {{ \"port\": {at} }}"))
        .collect();
    format!("{{ {} }}", items.join(", "))
}

fn module(items: usize) -> String {
    let local = |at| format!("locals {{\n  v{at} = {{ a = [1, 2, var.x] }}\n}}\n");
    (0..items).map(local).collect::<Vec<_>>().concat()
        + "variable \"x\" {\n  default = 1\n}\noutput \"o\" {\n  value = local.v0\n}\n"
}

fn syntax(sizes: &mut Sizes, document: &Document) {
    sizes.short(document);
    sizes.short(document.source());
    sizes.short(PlaceJson::new(document.source(), Span::new(0, 1)));
    sizes.short(document.tokens());
    sizes.short(document.tree());
    sizes.short(document.root());
    sizes.short(document.tree().walk(document.body().id()));
    sizes.short(document.tree().children(document.body().id()));
    sizes.short(document.body());
    sizes.short(Addresses::of(document));
    let attribute = document.body().attributes().next().unwrap();
    let block = document.body().blocks().next().unwrap();
    sizes.short(document.body().items().next().unwrap());
    let Some(Item::Attribute(_)) = document.body().items().next() else { unreachable!() };
    sizes.short(attribute);
    sizes.short(attribute.name());
    sizes.short(attribute.value());
    sizes.short(block);
    sizes.short(block.labels().next().unwrap());
    sizes.short(attribute.value().elements());
    attribute.value().elements().for_each(|element| expression(sizes, element));
    sizes.short(document.source().positions());
    let traversal = hclkit::parse_traversal("a.b[0]");
    let Root::Traversal(traversal) = traversal.root() else { unreachable!() };
    sizes.short(traversal);
    let step = traversal.steps().next().unwrap();
    sizes.short(step.clone());
    sizes.short(step.kind);
}

fn expression(sizes: &mut Sizes, node: ExpressionNode<'_>) {
    sizes.short(node);
    sizes.short(node.kind());
    match node.kind() {
        ExpressionKind::Template(template) => {
            sizes.short(template);
            sizes.short(template.parts());
            for part in template.parts() {
                sizes.short(part);
                match part {
                    Part::Text(text) => sizes.short(text),
                    Part::Interpolation(inner) => expression(sizes, inner),
                    Part::If(directive) => sizes.short(directive),
                    Part::For(directive) => sizes.short(directive),
                }
            }
        }
        ExpressionKind::Call(call) => {
            sizes.short(call);
            sizes.short(call.arguments());
        }
        ExpressionKind::Variable(name) => sizes.short(name),
        ExpressionKind::For(node) => sizes.short(node),
        _ => {}
    }
    for item in node.items() {
        sizes.short(item);
        sizes.short(item.key());
        expression(sizes, item.value());
    }
}

fn json_syntax(sizes: &mut Sizes, document: &JsonDocument) {
    sizes.short(document);
    sizes.short(document.root());
    sizes.short(document.root().kind());
    let object = document.root().as_object().unwrap();
    sizes.short(object);
    sizes.short(object.properties());
    let property = object.properties().next().unwrap();
    sizes.short(property);
    sizes.short(property.name());
    sizes.short(JsonAddresses::of(document));
    let array = property.value().as_array().unwrap();
    sizes.short(array);
    sizes.short(array.elements());
}

fn bodies(sizes: &mut Sizes, body: &Body, items: usize) {
    sizes.short(body);
    let context = Context::new().with("b", 1);
    sizes.short(Dynamic::new(&context).expand(body));
    sizes.short(Body::merge([body.clone(), body.clone()]));
    let all = body.items();
    sizes.owned(items, &all);
    for item in all.iter().take(4) {
        sizes.short(item);
        if let BodyItem::Attribute(attribute) = item {
            sizes.short(attribute);
            sizes.short(&attribute.expression);
            sizes.short(attribute.expression.clone());
            sizes.short(attribute.expression.place());
            let _ = attribute.expression.evaluate(&context);
            sizes.short(&attribute.expression);
            sizes.short(attribute.expression.variables());
            sizes.owned(20, &attribute.expression.explain(&context));
            sizes.short(attribute.expression.partial(&context));
        }
    }
}

fn contexts(sizes: &mut Sizes, items: usize) {
    let value = Value::tuple((0..items).map(Value::from).collect::<Vec<_>>());
    sizes.owned(items, &value);
    let context = Context::new()
        .with("list", value.clone())
        .with_functions(Library::Terraform.functions(&Grants::new()));
    sizes.short(&context);
    let deep = (0..items).fold(context.clone(), |outer, _| outer.child());
    sizes.short(&deep);
    let mut scope = Scope::new();
    for at in 0..items {
        scope.define(["local".into(), format!("v{at}")], Expression::parse("list").unwrap()).unwrap();
    }
    sizes.short(&scope);
    sizes.short(context.with_scope(scope));
    sizes.short(SharedValues::new());
    sizes.short(Library::Terraform.functions(&Grants::new()));
    sizes.short(Grants::new());
    sizes.short(Type::tuple((0..items.min(100)).map(|_| Type::String).collect::<Vec<_>>()));
    sizes.owned(items, &value.show());
    sizes.owned(items, &value.kind());
    sizes.owned(items, &value.plain());
    sizes.owned(items, &PlainJson::new(&value));
    sizes.owned(items, &TypeJson::of(&value));
    sizes.owned(items, &Deserializer::from_value(&value));
    sizes.short(Value::object([("a", Value::from(1))]).entries());
    let names: Vec<String> = (0..items).map(|at| format!("name{at}")).collect();
    let known = KnownNames::new(names.iter().map(String::as_str));
    sizes.owned(items, &known);
    for name in &names {
        known.nearest(&format!("{name}x"));
    }
    sizes.owned(items, &known);
}

fn specs(sizes: &mut Sizes, items: usize) {
    let inner = Spec::object([("port", Spec::from(AttributeSpec::new("port", Type::Number)))]);
    let listed = (0..items)
        .map(|at| (format!("s{at}"), Spec::BlockList(BlocksSpec::new(format!("s{at}"), inner.clone()))));
    let spec = Spec::object(listed);
    // Computed types and schemas are left out.
    let before = format!("{spec:?}").len();
    let _ = (spec.implied_schema(), spec.implied_type());
    assert_eq!(format!("{spec:?}").len(), before);
    sizes.owned(2 * items, &spec);
    // Indentation counts twice as much as in the spec itself.
    sizes.owned(3 * items, &Decoder::of(spec.clone()));
    sizes.owned(items, &spec.implied_schema());
    sizes.short(SpecFile::from(Spec::literal(1)));
    let reference = BodyReference::of(&spec);
    sizes.owned(2 * items, &reference);
    sizes.owned(1, &reference.blocks[0]);
    let Inside::Body(nested) = reference.blocks[0].content else { panic!("the block has a body") };
    sizes.owned(1, &BodyReference::of(nested).arguments[0]);
    sizes.short(reference.blocks[0].content);
}

fn modules(sizes: &mut Sizes, items: usize) {
    let files = Memory::from_iter([("main.tf", module(items))]);
    let loader = ModuleLoader::new(Dialect::terraform()).with_files(files);
    sizes.owned(items, &loader);
    let module = loader.load();
    sizes.short(&module);
    let found = module.evaluate(&[]);
    sizes.owned(items + 2, &found);
    sizes.short(&found.values[0]);
    sizes.short(&module);
    sizes.short(module.reasons());
    sizes.short(module.graph());
    sizes.short(module.graph().nodes().next().unwrap());
    sizes.owned(9, &module.explain(&["output.o".parse().unwrap()]));
    let bake: Vec<String> = (0..items).map(|at| format!("target \"t{at}\" {{\n}}\n")).collect();
    sizes.short(Bake::new().with_file("docker-bake.hcl", bake.concat()).names().0);
}

fn writers(sizes: &mut Sizes, document: &Document, items: usize) {
    let selector: Selector = "service.s0.port".parse().unwrap();
    sizes.short(&selector);
    let matches = selector.select(document).unwrap();
    sizes.short(&matches);
    let mut edits = Edits::new(document);
    edits.set(&matches[0], 1).unwrap();
    sizes.short(&edits);
    sizes.short(edits.apply().unwrap());
    sizes.short(Formatter::default().format(document));
    sizes.short(Names::of(document));
    sizes.short(SplitFile { path: Path::new("main.tf"), document });
    let call = "module \"net\" {\n  source = \"./net\"\n}\n".repeat(items);
    sizes.short(&ModuleCall::all(&Document::parse(Source::new("main.tf", call), StartSymbol::Config))[0]);
    sizes.owned(items, &NewValue::from(Value::tuple((0..items).map(Value::from).collect::<Vec<_>>())));
}

fn programs(sizes: &mut Sizes) {
    sizes.owned(2, &Renderer::plain());
    sizes.short(Loader::new());
    sizes.short(ToJson::new());
    sizes.short(ToNative::new());
}

fn all(items: usize) -> Sizes {
    let mut sizes = Sizes::default();
    let document = Document::parse(Source::new("main.hcl", native(items)), StartSymbol::Config);
    assert!(!document.has_errors(), "{}", document.diagnostics());
    syntax(&mut sizes, &document);
    bodies(&mut sizes, &Body::from_ast(document.body()), 2 * items);
    let json = JsonDocument::parse(Source::new("main.hcl.json", json(items)));
    assert!(!json.diagnostics().has_errors(), "{}", json.diagnostics());
    json_syntax(&mut sizes, &json);
    bodies(&mut sizes, &Body::from_json(json.root()), 2 * items);
    contexts(&mut sizes, items);
    specs(&mut sizes, items);
    modules(&mut sizes, items);
    writers(&mut sizes, &document, items);
    programs(&mut sizes);
    sizes
}

#[test]
fn debug_is_linear_in_what_a_value_owns() {
    let (few, many) = (all(FEW), all(MANY));
    assert_eq!(few.0.len(), many.0.len());
    assert!(many.0.len() > 80);
    // Types that borrow are views of something larger. Each is in the list above, or owns all that it prints.
    let seen: BTreeSet<&str> =
        many.0.iter().flat_map(|(name, _)| name.split(|c: char| !c.is_alphanumeric())).collect();
    // What the derive macros use, and the guard of a limit.
    let internal = ["Descent", "Fields", "Given", "GivenBlock"];
    let mut missing = borrowing_types();
    missing.retain(|name| !seen.contains(name.as_str()) && !internal.contains(&name.as_str()));
    assert_eq!(missing, BTreeSet::new());
}

/// The public types with a lifetime.
fn borrowing_types() -> BTreeSet<String> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api");
    let mut found = BTreeSet::new();
    for file in std::fs::read_dir(directory).unwrap() {
        let file = file.unwrap().path();
        // Those of crates that use this one have tests of their own, such as `crates/policy/tests/debug.rs`.
        if file.ends_with("hclkit-policy.txt") {
            continue;
        }
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let Some((before, name)) = line.rsplit_once(' ').filter(|(_, name)| name.contains("<'")) else {
                continue;
            };
            if !before.ends_with("pub struct") && !before.ends_with("pub enum") {
                continue;
            }
            let name = name.split('<').next().unwrap_or_default();
            found.insert(name.rsplit("::").next().unwrap_or_default().to_owned());
        }
    }
    assert!(found.len() > 20);
    found
}
