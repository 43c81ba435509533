//! Maps of blocks by label: keys that are equal although their labels differ, and the order in which they are written.

use std::collections::{BTreeMap, HashMap};

use hclkit::{Context, Decode, Encode};

#[derive(Decode, Encode, Debug, PartialEq)]
struct Port {
    name: String,
}

#[test]
fn labels_that_are_the_same_key_are_an_error_at_the_second() {
    #[derive(Decode, Debug)]
    #[allow(dead_code, reason = "decoding fails")]
    struct Ports {
        #[hcl(block, key = label)]
        port: BTreeMap<u16, Port>,
    }
    let text = "port \"80\" { name = \"a\" }\nport \"080\" { name = \"b\" }\nport \"+80\" { name = \"c\" }\n";
    let errors = Ports::decode(&super::body(text), &Context::new()).unwrap_err();
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let errors = errors.join("\n");
    assert!(errors.contains("2:6"), "{errors}");
    assert!(errors.contains("3:6"), "{errors}");
    assert!(!errors.contains("1:6"), "{errors}");
}

#[test]
fn blocks_of_a_hash_map_are_written_in_the_order_of_their_labels() {
    #[derive(Encode)]
    struct Ports {
        #[hcl(block, key = label)]
        port: HashMap<String, Port>,
    }
    let labels: Vec<String> = (10..40).map(|label| label.to_string()).collect();
    let port = labels.iter().map(|label| (label.clone(), Port { name: "a".to_owned() })).collect();
    let text = Ports { port }.to_hcl().unwrap();
    let written: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("port \"")?.get(..2)).collect();
    assert_eq!(written, labels);
}
