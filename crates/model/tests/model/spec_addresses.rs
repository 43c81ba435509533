//! The addresses of diagnostics of decoding: paths in both syntaxes.

use hclkit_model::{AttributeSpec, BlocksSpec, Body, Context, Spec};
use hclkit_syntax::Source;
use hclkit_value::Type;

fn spec() -> Spec {
    let listen = Spec::object([
        ("port", Spec::from(AttributeSpec::new("port", Type::Number).with_required())),
        ("names", Spec::from(AttributeSpec::new("names", Type::list(Type::String)))),
    ]);
    Spec::object([("listeners", Spec::BlockList(BlocksSpec::new("listen", listen)))])
}

#[test]
fn errors_have_the_path_of_the_invalid_part() {
    let native = "listen {\n  port = \"x\"\n}\nlisten {\n  names = [\"a\", f(1)]\n  prot = 1\n}\nother = 1\n";
    let json = r#"{"listen": [{"port": "x"}, {"names": ["a", "${f(1)}"], "prot": 1}], "other": 1}"#;
    for (name, text) in [("a.hcl", native), ("a.hcl.json", json)] {
        let (body, errors) = Body::parse(Source::new(name, text));
        assert!(errors.is_empty());
        let (_, errors) = spec().decode(&body, &Context::new().with("x", 1));
        let mut addresses: Vec<&str> = errors.iter().filter_map(|error| error.address()).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let expected = ["listen[0].port", "listen[1]", "listen[1].names[1]", "listen[1].prot", "other"];
        assert_eq!(addresses, expected, "{name}");
    }
}
