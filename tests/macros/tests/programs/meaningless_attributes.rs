use hclkit::Decode;

#[derive(Decode)]
struct Label {
    #[hcl(label, default = "web")]
    name: String,
}

#[derive(Decode)]
struct Count {
    replicas: u32,
    #[hcl(min = 1)]
    ports: Vec<u16>,
}

#[derive(Decode)]
struct Keyed {
    #[hcl(key = label)]
    services: std::collections::BTreeMap<String, Label>,
}

#[derive(Decode)]
struct Range {
    #[hcl(block, range = 1..=3)]
    label: Label,
}

#[derive(Decode)]
struct Pattern {
    #[hcl(label, pattern = "^a")]
    label: String,
}

fn main() {}
