//! Recursive Rust types read and write deeply nested input without overflowing a stack of 2 MiB.

use hclkit::{Context, Decode, Encode};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Decode, Encode, Serialize, Deserialize)]
struct Tree {
    #[hcl(block)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tree: Option<Box<Tree>>,
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
