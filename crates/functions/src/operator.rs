//! Operators as functions: arithmetic, logic, equality and comparison.

use hclkit_value::{Error, Function, Parameter, Type, Value};

use crate::arguments::not_null;

type Operation = fn(&Value, &Value) -> Result<Value, Error>;

/// A function of two numbers.
fn arithmetic(operation: Operation) -> Function {
    Function::new(Type::Number, move |args, _| operation(&args[0], &args[1]))
        .parameter(Parameter::new("a", Type::Number).describe("The first operand."))
        .parameter(Parameter::new("b", Type::Number).describe("The second operand."))
        .refine_result(not_null)
}

pub(crate) fn add() -> Function {
    arithmetic(Value::add).describe("Returns the sum of two numbers.").example("add(1, 2)", "3")
}

pub(crate) fn subtract() -> Function {
    arithmetic(Value::subtract)
        .describe("Returns the difference of two numbers.")
        .example("subtract(3, 1)", "2")
}

pub(crate) fn multiply() -> Function {
    arithmetic(Value::multiply).describe("Returns the product of two numbers.").example("multiply(2, 3)", "6")
}

pub(crate) fn divide() -> Function {
    arithmetic(Value::divide).describe("Returns the quotient of two numbers.").example("divide(1, 4)", "0.25")
}

pub(crate) fn modulo() -> Function {
    arithmetic(Value::modulo)
        .describe("Returns the remainder of a division, with the sign of the dividend.")
        .example("modulo(-7, 3)", "-1")
}

pub(crate) fn negate() -> Function {
    Function::new(Type::Number, |args, _| args[0].negate())
        .describe("Returns the negation of a number.")
        .parameter(Parameter::new("number", Type::Number).describe("The number.").allow_marked())
        .refine_result(not_null)
        .example("negate(1)", "-1")
}

/// A function of two bools. Its result has their marks, unless it is unknown.
fn logic(operation: Operation) -> Function {
    let parameter = |name: &'static str, description: &'static str| {
        Parameter::new(name, Type::Bool).describe(description)
    };
    Function::new(Type::Bool, move |args, _| operation(&args[0], &args[1]))
        .parameter(parameter("a", "The first operand.").allow_marked())
        .parameter(parameter("b", "The second operand.").allow_marked())
        .refine_result(not_null)
}

pub(crate) fn and() -> Function {
    logic(Value::and)
        .describe("Returns whether both arguments are true.")
        .example("and(true, false)", "false")
}

pub(crate) fn or() -> Function {
    logic(Value::or)
        .describe("Returns whether at least one argument is true.")
        .example("or(true, false)", "true")
}

pub(crate) fn not() -> Function {
    Function::new(Type::Bool, |args, _| args[0].negation())
        .describe("Returns the logical negation of a bool.")
        .parameter(Parameter::new("value", Type::Bool).describe("A bool.").allow_marked())
        .refine_result(not_null)
        .example("not(true)", "false")
}

/// A comparison, which the refinements of unknown operands may decide.
fn comparison(operand: &Type, allow_null: bool, operation: Operation) -> Function {
    let parameter = |name: &'static str, description: &'static str| {
        let parameter =
            Parameter::new(name, operand.clone()).describe(description).allow_unknown().allow_dynamic();
        if allow_null { parameter.allow_null() } else { parameter }
    };
    Function::new(Type::Bool, move |args, _| operation(&args[0], &args[1]))
        .parameter(parameter("a", "The first operand."))
        .parameter(parameter("b", "The second operand."))
        .refine_result(not_null)
}

pub(crate) fn equal() -> Function {
    comparison(&Type::Dynamic, true, |a, b| Ok(a.equals(b)))
        .describe("Returns whether two values are equal. Values of different types are never equal.")
        .example("equal([1], [1])", "true")
}

pub(crate) fn notequal() -> Function {
    comparison(&Type::Dynamic, true, |a, b| Ok(a.not_equals(b)))
        .describe("Returns whether two values are not equal.")
        .example(r#"notequal("a", 1)"#, "true")
}

pub(crate) fn greaterthan() -> Function {
    comparison(&Type::Number, false, Value::greater_than)
        .describe("Returns whether the first number is greater than the second.")
        .example("greaterthan(2, 1)", "true")
}

pub(crate) fn lessthan() -> Function {
    comparison(&Type::Number, false, Value::less_than)
        .describe("Returns whether the first number is less than the second.")
        .example("lessthan(2, 1)", "false")
}
