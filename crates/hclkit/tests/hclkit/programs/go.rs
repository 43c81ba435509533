//! The examples in the documentation of Go's `hclsimple` and `gohcl`: what they print is what hclkit gives.

use hclkit::value::Function;
use hclkit::{Body, Context, Decode, Encode, Expression, Functions, Value};

use super::{decode, decode_with};

#[test]
fn hclsimple_decodes_both_syntaxes() {
    #[derive(Decode, Debug, PartialEq)]
    struct Config {
        foo: String,
        baz: String,
    }
    let expected = Config { foo: "bar".into(), baz: "boop".into() };
    assert_eq!(decode::<Config>("\tfoo = \"bar\"\n\tbaz = \"boop\"\n"), expected);
    assert_eq!(decode::<Config>("\t{\n\t\t\"foo\": \"bar\",\n\t\t\"baz\": \"boop\"\n\t}\n"), expected);
}

#[test]
fn gohcl_decodes_labels_and_blocks() {
    #[derive(Decode, Debug)]
    struct Config {
        io_mode: String,
        #[hcl(block)]
        service: Vec<Service>,
    }
    #[derive(Decode, Debug)]
    struct Service {
        #[hcl(label)]
        r#type: String,
        #[hcl(label)]
        name: String,
        listen_addr: String,
        /// Decoded later, perhaps with other variables.
        #[hcl(remain)]
        rest: Body,
    }
    #[derive(Decode)]
    struct Processes {
        #[hcl(block)]
        process: Vec<Process>,
    }
    #[derive(Decode)]
    struct Process {
        #[hcl(label)]
        name: String,
        command: Vec<String>,
    }
    let text = r#"
io_mode = "async"

service "http" "web_proxy" {
  listen_addr = "127.0.0.1:8080"

  process "main" {
    command = ["/usr/local/bin/awesome-app", "server", "${pid}"]
  }
}
"#;
    let config: Config = decode(text);
    assert_eq!((config.io_mode.as_str(), config.service[0].name.as_str()), ("async", "web_proxy"));
    let context = Context::new().with("pid", 12);
    let rest = Processes::decode(&config.service[0].rest, &context).unwrap();
    assert_eq!(rest.process[0].name, "main");
    assert_eq!(rest.process[0].command, ["/usr/local/bin/awesome-app", "server", "12"]);
}

#[test]
fn gohcl_has_a_context_and_expressions() {
    #[derive(Decode)]
    struct Config {
        name: String,
        message: Expression,
    }
    let functions = Functions::from([Function::typed("upper", |text: String| text.to_uppercase())]);
    let context = Context::new().with("pid", 7).with_functions(functions);
    let text = "name    = \"example-program (${pid})\"\nmessage = \"HELLO, ${upper(user)}\"\n";
    let config: Config = decode_with(text, &context);
    assert_eq!(config.name, "example-program (7)");
    let context = context.with("user", "ann");
    assert_eq!(config.message.evaluate(&context).unwrap(), Value::from("HELLO, ANN"));
}

#[test]
fn gohcl_encodes_into_a_body() {
    #[derive(Encode, Decode, Debug, PartialEq)]
    struct App {
        name: String,
        #[hcl(rename = "description")]
        desc: String,
        #[hcl(block)]
        constraints: Option<Constraints>,
        #[hcl(block)]
        service: Vec<Service>,
    }
    #[derive(Encode, Decode, Debug, PartialEq)]
    struct Constraints {
        os: String,
        arch: String,
    }
    #[derive(Encode, Decode, Debug, PartialEq)]
    struct Service {
        #[hcl(label)]
        name: String,
        executable: Vec<String>,
    }
    let service = |name: &str, executable: &[&str]| Service {
        name: name.into(),
        executable: executable.iter().map(ToString::to_string).collect(),
    };
    let app = App {
        name: "awesome-app".into(),
        desc: "Such an awesome application".into(),
        constraints: Some(Constraints { os: "linux".into(), arch: "amd64".into() }),
        service: vec![service("web", &["./web", "--listen=:8080"]), service("worker", &["./worker"])],
    };
    let text = app.to_hcl().unwrap();
    snapbox::assert_data_eq!(
        text.as_str(),
        snapbox::str![[r#"
name        = "awesome-app"
description = "Such an awesome application"

constraints {
  os   = "linux"
  arch = "amd64"
}

service "web" {
  executable = ["./web", "--listen=:8080"]
}

service "worker" {
  executable = ["./worker"]
}

"#]]
    );
    assert_eq!(decode::<App>(&text), app);
}
