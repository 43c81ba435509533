use hclkit::Decode;

#[derive(Decode)]
struct Service {
    #[hcl(label, block)]
    name: String,
}

fn main() {}
