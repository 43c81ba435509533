//! Builds values, converts them and prints them: `cargo run -p hclkit-value --example values`.

use hclkit_value::{Error, Function, Mark, Parameter, Type, Value, unify};

fn main() -> Result<(), Error> {
    // Structures contain values of any type.
    let server = Value::object([
        ("name", Value::from("web")),
        ("ports", Value::tuple([Value::from(80), Value::from("443")])),
        ("password", Value::from("hunter2").mark(Mark::sensitive())),
    ]);
    println!("value      {server}");
    println!("type       {}", server.ty());

    // Conversion builds collections, fills in optional attributes, and reports errors with a path.
    let wanted = Type::object_with_optional(
        [
            ("name", Type::String),
            ("ports", Type::list(Type::Number)),
            ("password", Type::String),
            ("tls", Type::Bool),
        ],
        ["tls"],
    );
    let converted = server.convert(&wanted)?;
    println!("converted  {converted}");
    let wrong = Value::object([("ports", Value::tuple([Value::from("http")]))]);
    let error = wrong.convert(&Type::object([("ports", Type::list(Type::Number))]));
    println!("error      {}", error.map_or_else(|error| error.to_string(), |value| value.to_string()));

    // Numbers have 512 bits of precision.
    let third = Value::from(1).convert(&Type::String)?.convert(&Type::Number)?.divide(&Value::from(3))?;
    println!("1/3        {}", third.show().with_limit(30));

    // An unknown value can have a refinement.
    let id = Value::unknown(Type::String).refine().with_not_null().with_full_prefix("i-").finish()?;
    println!("unknown    {id}, equal to \"vol-1\": {}", id.equals(&Value::from("vol-1")));

    // Unification finds the type to which several types can be converted.
    let types = [Type::Number, Type::String, Type::Bool];
    println!("unified    {}", unify(&types).map_or("nothing".to_owned(), |ty| ty.to_string()));

    // Functions check their arguments.
    let double = Function::new("double", Type::Number, |args, _| args[0].add(&args[0]))
        .with_parameter(Parameter::new("number", Type::Number));
    println!("called     {}", double.call(&[Value::from(21)])?);

    // Marks must be removed before encoding, and can be added again after decoding.
    let (bare, marks) = converted.unmark_deep_with_paths();
    let json = bare.to_json(&bare.ty())?;
    println!("json       {json}");
    let read = Value::from_json(json.as_bytes(), &bare.ty())?.mark_paths(&marks);
    println!("the same   {}", read == converted);
    for difference in server.diff(&converted) {
        println!("differs    {difference}");
    }
    Ok(())
}
