use hclkit::Decode;

#[derive(Decode)]
#[hcl(tag = kind)]
enum Storage {
    Disk { path: String },
}

#[derive(Decode)]
#[hcl(tagged)]
enum Other {
    Disk { path: String },
}

fn main() {}
