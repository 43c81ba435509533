use hclkit::Decode;

#[derive(Decode)]
struct Service {
    #[hcl(block, key = name)]
    listen: Vec<(String, Listen)>,
}

#[derive(Decode)]
struct Keyed {
    #[hcl(block, key = label)]
    listen: Listen,
}

#[derive(Decode)]
struct Listen {
    port: u16,
}

fn main() {}
