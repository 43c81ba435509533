//! Paths in files of Terragrunt: where the source of a unit, an included file or one that is read is. They are computed by a few
//! functions, which look for files above a directory.

use std::path::{Path, PathBuf, absolute};

use hclkit_model::{Context, Expression, Functions};
use hclkit_syntax::ast::{ExpressionKind, ExpressionNode};
use hclkit_value::{Error, Function, Parameter, Type, Value};

/// The name of the file that is looked for by default.
const DEFAULT: &str = "terragrunt.hcl";
/// The function whose result has the local values of another file.
const READ: &str = "read_terragrunt_config";

/// The path that an expression of a file in a directory gives, if it is known. Two slashes separate it from the part of it that is used.
pub(crate) fn path(expression: ExpressionNode<'_>, directory: &Path) -> Option<PathBuf> {
    let context = Context::new().with_functions(functions(directory));
    let value = Expression::from_ast(expression).evaluate(&context).ok()?;
    Some(directory.join(value.as_str()?.replace("//", "/")))
}

/// The path of the file that an expression reads, if it is a call of `read_terragrunt_config`.
pub(crate) fn read(expression: ExpressionNode<'_>, directory: &Path) -> Option<PathBuf> {
    let ExpressionKind::Call(call) = expression.kind() else { return None };
    (call.name() == READ).then(|| path(call.arguments().next()?, directory))?
}

fn functions(directory: &Path) -> Functions {
    let above = absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let root = above.ancestors().find(|path| path.join(".git").exists()).map(Path::to_owned);
    let text = |path: &Path| Value::from(&*path.to_string_lossy());
    let own = text(&above);
    let constant = |value: Value| Function::unnamed(Type::String, move |_, _| Ok(value.clone()));
    let find = move |args: &[Value]| {
        let name = args.first().and_then(Value::as_str).unwrap_or(DEFAULT);
        let mut outer = above.ancestors().skip(1).map(|path| path.join(name));
        outer.find(|path| path.is_file()).map(|path| text(&path)).ok_or_else(|| Error::new("no such file"))
    };
    let any = || Parameter::new("names", Type::String);
    let mut functions = Functions::new();
    functions.insert("get_terragrunt_dir", constant(own.clone()));
    functions.insert("get_original_terragrunt_dir", constant(own.clone()));
    if let Some(root) = root {
        functions.insert("get_repo_root", constant(text(&root)));
    }
    let find = Function::unnamed(Type::String, move |args, _| find(args)).with_variadic(any());
    functions.insert("find_in_parent_folders", find);
    let dirname = Function::unnamed(Type::String, move |args, _| {
        let path = args[0].as_str().map(Path::new).and_then(Path::parent);
        Ok(path.map_or(Value::from("."), text))
    });
    functions.insert("dirname", dirname.with_parameter(any()));
    functions
}
