use hclkit::Decode;

#[derive(Decode)]
struct Service {
    name: String,
    #[hcl(lable)]
    kind: String,
}

#[derive(Decode)]
#[hcl(deny_unknown_fields)]
struct Strict {
    name: String,
}

#[derive(Decode)]
struct Habits {
    #[hcl(name = "type")]
    kind: String,
}

#[derive(Decode)]
struct Borrowed {
    name: &'static str,
}

#[derive(Decode)]
struct Map {
    #[hcl(from_str)]
    addresses: std::collections::BTreeMap<String, std::net::IpAddr>,
}

fn main() {
    // The error about the attribute is the only one.
    let _ = hclkit::load_str::<Habits>("", &hclkit::Context::new());
}
