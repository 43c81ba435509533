//! Completion of variables, functions and attributes, and of commands after a colon.

use hclkit::{Context, Expression, Functions, Value};

use super::entry::traversal_before;
use super::session::COMMANDS;

/// The start of the text to complete, and its candidates.
pub(super) fn complete(context: &Context, line: &str, cursor: usize) -> (usize, Vec<String>) {
    let before = line.get(..cursor).unwrap_or(line);
    let start = before.trim_end_matches(is_part_of_name).len();
    let (lead, typed) = before.split_at(start);
    if let Some(command) = before.trim_start().strip_prefix(':') {
        let at = before.len() - command.len();
        match command.split_once(char::is_whitespace) {
            None => return (at, matching(COMMANDS.iter().map(|(name, ..)| (*name).to_owned()), command)),
            Some(("doc", name)) => {
                let name = name.trim_start();
                return (cursor - name.len(), matching(functions(context).map(str::to_owned), name));
            }
            Some(_) => {}
        }
    }
    if let Some(traversal) = lead.strip_suffix('.') {
        return (start, matching(attributes(context, traversal_before(traversal)), typed));
    }
    if let Some(namespace) = lead.strip_suffix("::") {
        let namespace_start = namespace.trim_end_matches(|c| is_part_of_name(c) || c == ':').len();
        let names = functions(context).map(|name| format!("{name}("));
        return (namespace_start, matching(names, &before[namespace_start..]));
    }
    // At the start of an entry, anything is possible. Elsewhere, a list of everything would be too long.
    if typed.is_empty() && !lead.trim().is_empty() && !lead.ends_with(['(', ' ', '[', '{']) {
        return (start, Vec::new());
    }
    let variables = context.variables().map(|(name, _)| name.to_string());
    let names = variables.chain(functions(context).map(|name| format!("{name}(")));
    (start, matching(names, typed))
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn matching(names: impl Iterator<Item = String>, typed: &str) -> Vec<String> {
    names.filter(|name| name.starts_with(typed)).collect()
}

fn functions(context: &Context) -> impl Iterator<Item = &str> {
    context.functions().into_iter().flat_map(Functions::names)
}

/// The names of the attributes of a traversal's value. Names in marked values may be sensitive and are not completed.
fn attributes(context: &Context, traversal: &str) -> impl Iterator<Item = String> {
    let read = Expression::parse(traversal).ok().filter(|it| it.static_traversal().is_ok());
    let value = read.and_then(|it| it.evaluate(context).ok()).filter(|value| !value.is_marked());
    let names: Vec<String> =
        value.iter().filter_map(Value::entries).flatten().map(|(name, _)| name.to_string()).collect();
    names.into_iter().filter(|name| hclkit::syntax::is_identifier(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hclkit::functions::{Grants, Library};

    #[test]
    fn names_are_completed() {
        let server = Value::object([("port", Value::from(80)), ("path", "/".into()), ("a b", 1.into())]);
        let context = Context::new()
            .with("servers", Value::tuple([server.clone()]))
            .with("p", server.mark(hclkit::value::Mark::sensitive()))
            .with("server", server)
            .with_functions(Library::Spec.functions(&Grants::new()));
        let all = |line: &str| {
            let (start, names) = complete(&context, line, line.len());
            format!("{start} {}", names.join(" "))
        };
        assert_eq!(all("1 + ser"), "4 server servers");
        assert_eq!(all("upper(server.p"), "13 path port");
        assert_eq!(all("servers[0].po"), "11 port");
        assert_eq!(all("\"${server."), "10 path port");
        assert_eq!(all("has"), "0 hasindex(");
        assert_eq!(all(":t"), "1 type");
        assert_eq!(all(":doc json"), "5 jsondecode jsonencode");
        assert_eq!(all("server.port.x"), "12 ");
        assert_eq!(all("€core::upp"), "3 ");
        assert_eq!(all("1"), "0 ");
        assert_eq!(all("p."), "2 ");
        assert_eq!(all("p.p"), "2 ");
    }
}
