//! Operators as functions: arithmetic, logic, equality and comparison.

use hclkit_value::{Error, Function, Parameter, Type, Value};

use crate::arguments::not_null;

type Operation = fn(&Value, &Value) -> Result<Value, Error>;

/// A function of two numbers.
fn arithmetic(operation: Operation) -> Function {
    Function::unnamed(Type::Number, move |args, _| operation(&args[0], &args[1]))
        .with_parameter(Parameter::new("a", Type::Number).with_description("The first operand."))
        .with_parameter(Parameter::new("b", Type::Number).with_description("The second operand."))
        .with_refined_result(not_null)
}

pub(crate) fn add() -> Function {
    arithmetic(Value::add).with_description("Returns the sum of two numbers.").with_example("add(1, 2)", "3")
}

pub(crate) fn subtract() -> Function {
    arithmetic(Value::subtract)
        .with_description("Returns the difference of two numbers.")
        .with_example("subtract(3, 1)", "2")
}

pub(crate) fn multiply() -> Function {
    arithmetic(Value::multiply)
        .with_description("Returns the product of two numbers.")
        .with_example("multiply(2, 3)", "6")
}

pub(crate) fn divide() -> Function {
    arithmetic(Value::divide)
        .with_description("Returns the quotient of two numbers.")
        .with_example("divide(1, 4)", "0.25")
}

pub(crate) fn modulo() -> Function {
    arithmetic(Value::modulo)
        .with_description("Returns the remainder of a division, with the sign of the dividend.")
        .with_example("modulo(-7, 3)", "-1")
}

pub(crate) fn negate() -> Function {
    Function::unnamed(Type::Number, |args, _| args[0].negate())
        .with_description("Returns the negation of a number.")
        .with_parameter(Parameter::new("number", Type::Number).with_description("The number.").with_marked())
        .with_refined_result(not_null)
        .with_example("negate(1)", "-1")
}

/// A function of two bools. Its result has their marks, unless it is unknown.
fn logic(operation: Operation) -> Function {
    let parameter = |name: &'static str, description: &'static str| {
        Parameter::new(name, Type::Bool).with_description(description)
    };
    Function::unnamed(Type::Bool, move |args, _| operation(&args[0], &args[1]))
        .with_parameter(parameter("a", "The first operand.").with_marked())
        .with_parameter(parameter("b", "The second operand.").with_marked())
        .with_refined_result(not_null)
}

pub(crate) fn and() -> Function {
    logic(Value::and)
        .with_description("Returns whether both arguments are true.")
        .with_example("and(true, false)", "false")
}

pub(crate) fn or() -> Function {
    logic(Value::or)
        .with_description("Returns whether at least one argument is true.")
        .with_example("or(true, false)", "true")
}

pub(crate) fn not() -> Function {
    Function::unnamed(Type::Bool, |args, _| args[0].not())
        .with_description("Returns the logical negation of a bool.")
        .with_parameter(Parameter::new("value", Type::Bool).with_description("A bool.").with_marked())
        .with_refined_result(not_null)
        .with_example("not(true)", "false")
}

/// A comparison, which the refinements of unknown operands may decide.
fn comparison(operand: &Type, allow_null: bool, operation: Operation) -> Function {
    let parameter = |name: &'static str, description: &'static str| {
        let parameter = Parameter::new(name, operand.clone())
            .with_description(description)
            .with_unknowns()
            .with_dynamic();
        if allow_null { parameter.with_nulls() } else { parameter }
    };
    Function::unnamed(Type::Bool, move |args, _| operation(&args[0], &args[1]))
        .with_parameter(parameter("a", "The first operand."))
        .with_parameter(parameter("b", "The second operand."))
        .with_refined_result(not_null)
}

pub(crate) fn equal() -> Function {
    comparison(&Type::Dynamic, true, |a, b| Ok(a.equals(b)))
        .with_description("Returns whether two values are equal. Values of different types are never equal.")
        .with_example("equal([1], [1])", "true")
}

pub(crate) fn notequal() -> Function {
    comparison(&Type::Dynamic, true, |a, b| Ok(a.not_equals(b)))
        .with_description("Returns whether two values are not equal.")
        .with_example(r#"notequal("a", 1)"#, "true")
}

pub(crate) fn greaterthan() -> Function {
    comparison(&Type::Number, false, Value::greater_than)
        .with_description("Returns whether the first number is greater than the second.")
        .with_example("greaterthan(2, 1)", "true")
}

#[cfg(feature = "packer")]
pub(crate) fn greaterthanorequalto() -> Function {
    comparison(&Type::Number, false, Value::greater_or_equal)
        .with_description("Returns whether the first number is greater than or equal to the second.")
        .with_example("greaterthanorequalto(2, 2)", "true")
}

#[cfg(feature = "packer")]
pub(crate) fn lessthanorequalto() -> Function {
    comparison(&Type::Number, false, Value::less_or_equal)
        .with_description("Returns whether the first number is less than or equal to the second.")
        .with_example("lessthanorequalto(2, 1)", "false")
}

pub(crate) fn lessthan() -> Function {
    comparison(&Type::Number, false, Value::less_than)
        .with_description("Returns whether the first number is less than the second.")
        .with_example("lessthan(2, 1)", "false")
}
