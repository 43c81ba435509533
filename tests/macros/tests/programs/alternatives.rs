use hclkit::Decode;

#[derive(Decode)]
struct OnlyAttribute {
    #[hcl(attribute)]
    port: u16,
}

#[derive(Decode)]
struct Keyed {
    #[hcl(block, attribute, key = label)]
    services: std::collections::BTreeMap<String, Service>,
}

#[derive(Decode)]
struct Blocks {
    #[hcl(block, one_or_many)]
    services: Vec<Service>,
}

#[derive(Decode)]
struct Readers {
    #[hcl(one_or_many, from_str)]
    addresses: Vec<std::net::IpAddr>,
}

#[derive(Decode)]
struct Labels {
    #[hcl(label)]
    kind: Option<String>,
    #[hcl(label)]
    name: String,
}

#[derive(Decode)]
struct Service {
    image: String,
}

fn main() {}
