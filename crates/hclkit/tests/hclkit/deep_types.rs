//! Recursive Rust types read and write deeply nested input without overflowing a stack of 2 MiB.

use std::collections::BTreeMap;

use hclkit::serde::{AsBlock, Labeled};
use hclkit::{Context, Decode, Encode};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Decode, Encode, Serialize, Deserialize)]
struct Tree {
    #[hcl(block)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tree: Option<Box<Self>>,
}

/// The deepest nesting that the parser accepts.
const DEPTH: usize = 999;

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

fn blocks(depth: usize) -> String {
    format!("{}{}", "tree {\n".repeat(depth), "}\n".repeat(depth))
}

#[test]
fn derived_types() {
    on_small_stack(|| {
        let tree: Tree = hclkit::load_str(&blocks(DEPTH), &Context::new()).unwrap();
        let written = tree.to_hcl().unwrap();
        assert_eq!(hclkit::load_str::<Tree>(&written, &Context::new()).unwrap(), tree);
        let found = hclkit::load_str::<Tree>(&blocks(2_000), &Context::new()).unwrap_err();
        assert!(found.to_string().contains("nested more than 1000 levels deep"), "{found}");
    });
}

#[test]
fn types_with_serde() {
    on_small_stack(|| {
        let tree: Tree = hclkit::serde::from_str(&blocks(DEPTH)).unwrap();
        assert!(hclkit::serde::from_str::<Tree>(&blocks(2_000)).is_err());
        let value = hclkit::serde::to_value(&tree).unwrap();
        assert_eq!(hclkit::serde::from_value::<Tree>(&value).unwrap(), tree);
        let written = hclkit::serde::to_string(&tree).unwrap();
        assert_eq!(hclkit::serde::from_str::<Tree>(&written).unwrap(), tree);
    });
}

/// Blocks in other shapes: in a list, with a label, as the variant of an enum, in a map.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Listed {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tree: Vec<AsBlock<Self>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Named {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tree: Vec<Labeled<String, Self>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Any {
    Map(BTreeMap<String, Self>),
    List(Vec<Self>),
    Leaf(u8),
}

#[test]
fn deep_blocks_of_any_shape_are_written_with_serde() {
    fn written(tree: &impl Serialize) {
        assert!(hclkit::serde::to_string(tree).unwrap().len() > DEPTH);
        assert!(hclkit::serde::to_value(tree).unwrap().depth() > 10);
    }
    on_small_stack(|| {
        let tree = Listed { tree: Vec::new() };
        written(&(0..DEPTH).fold(tree, |inner, _| Listed { tree: vec![AsBlock(inner)] }));
    });
    on_small_stack(|| {
        let tree = Named { tree: Vec::new() };
        let wrap = |inner, _| Named { tree: vec![Labeled::new("a".to_owned(), inner)] };
        written(&(0..DEPTH).fold(tree, wrap));
    });
    on_small_stack(|| {
        let map = |inner| Any::Map(BTreeMap::from([("a".to_owned(), inner)]));
        written(&(0..DEPTH).fold(Any::Leaf(1), |inner, _| map(inner)));
        written(&(0..DEPTH / 2).fold(Any::Leaf(1), |inner, _| map(Any::List(vec![inner]))));
    });
}

#[test]
fn layout_of_deep_values() {
    on_small_stack(|| {
        let mut value = hclkit::Value::from(1);
        for at in 0..1_000 {
            value = if at % 2 == 0 {
                hclkit::Value::tuple([value])
            } else {
                hclkit::Value::object([("a", value)])
            };
        }
        let text = hclkit::Layout::new().value(&value);
        assert!(text.len() > 1_000);
        assert!(hclkit::write::NewValue::from(value).source().is_ok());
    });
}
