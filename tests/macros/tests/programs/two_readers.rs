use hclkit::Decode;

#[derive(Decode)]
struct Service {
    #[hcl(from_str, with = read)]
    address: std::net::IpAddr,
}

fn read(_: &hclkit::Value) -> Result<std::net::IpAddr, String> {
    unimplemented!()
}

fn main() {}
