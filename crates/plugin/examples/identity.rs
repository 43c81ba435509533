//! A provider whose functions do as little as possible: what a call of it costs is the cost of the protocol. Tests talk to it.

use std::process::ExitCode;

use hclkit_plugin::Provider;
use hclkit_value::{Error, Function, Parameter, Step, Type};

fn main() -> ExitCode {
    let value = || Parameter::new("value", Type::Dynamic).with_nulls().with_unknowns().with_dynamic();
    let identity = Function::new("identity", Type::Dynamic, |args, _| Ok(args[0].clone()))
        .with_description("Returns its argument.")
        .with_parameter(value());
    let fail = Function::new("fail", Type::Dynamic, |_, _| Err(Error::new("no luck").within(Step::from(1))))
        .with_description("Fails because of its second argument.")
        .with_parameter(value())
        .with_parameter(value());
    let panic =
        Function::new("panic", Type::Dynamic, |_, _| panic!("on purpose")).with_description("Panics.");
    let join = Function::typed("join", |separator: String, parts: Vec<String>| parts.join(&separator))
        .with_parameters(["separator", "parts"])
        .with_description("Joins strings. With a separator.");
    let mut provider = Provider::new("identity");
    if std::env::var_os("IDENTITY_TCP").is_some() {
        provider = provider.with_tcp();
    }
    provider.with_function(identity).with_function(fail).with_function(panic).with_function(join).main()
}
