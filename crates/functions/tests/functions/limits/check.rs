//! An invariant of all calls: under small limits a call ends without a panic, and its result is no larger than allowed.
//! Used by the fuzzer and by `cargo test`.

use std::cell::RefCell;
use std::collections::HashMap;

use hclkit_functions::{Grants, Table, bake, cty, packer, spec, terraform};
use hclkit_limits::Limits;
use hclkit_value::{Mark, Type, Value};

use super::arguments::candidates;

pub(crate) fn grants() -> Grants {
    Grants::new().with_clock().with_random().with_environment().with_templates(|template| {
        // As large as a template can make a text. The evaluator counts the bytes that templates create.
        let text = template.text.repeat(1_000);
        hclkit_limits::Meter::current().take_bytes(text.len())?;
        Ok(Value::from(text))
    })
}

/// All libraries with all grants.
pub(crate) fn libraries() -> [(&'static str, Table); 5] {
    let grants = grants();
    [
        ("spec", spec()),
        ("cty", cty()),
        ("terraform", terraform(&grants)),
        ("packer", packer(&grants)),
        ("bake", bake(&grants)),
    ]
}

/// Limits that ordinary calls do not reach.
pub(crate) fn small() -> Limits {
    Limits::new().with_steps(1_000_000).with_elements(10_000).with_bytes(1 << 20)
}

/// The size of a value: the bytes of its text or the number of its elements.
fn size(value: &Value) -> usize {
    value.unmark().0.as_str().map_or_else(|| value.unmark().0.parts().len(), str::len)
}

/// Returns true if a result is within the limits, or no larger than an argument, which it may be a part of.
pub(crate) fn is_bounded(result: &Value, args: &[Value]) -> bool {
    let given = args.iter().map(size).max().unwrap_or(0);
    size(result) <= given.max(1 << 20)
}

thread_local! {
    static LIBRARIES: [(&'static str, Table); 5] = libraries();
    static CANDIDATES: RefCell<HashMap<String, Vec<Value>>> = RefCell::default();
}

/// Picks a function and its arguments by the input bytes, and calls it. The bytes after the first zero byte are the
/// text for arguments.
pub(crate) fn check(input: &[u8]) {
    let end = input.iter().position(|&byte| byte == 0).unwrap_or(input.len());
    let text = String::from_utf8_lossy(input.get(end + 1..).unwrap_or_default());
    let mut decisions = input[..end].iter().copied().map(usize::from);
    let mut below =
        |end: usize| (decisions.next().unwrap_or(0) * 256 + decisions.next().unwrap_or(0)) % end.max(1);
    LIBRARIES.with(|libraries| {
        let (library, table) = &libraries[below(libraries.len())];
        let Some((name, function)) = table.iter().nth(below(table.len())) else { return };
        let count = function.parameters().len() + function.variadic_parameter().map_or(0, |_| below(4));
        let args: Vec<Value> = (0..count)
            .map(|at| {
                let ty = function.parameter_at(at).map_or(Type::Dynamic, |parameter| parameter.ty().clone());
                let value = match below(8) {
                    0 => Value::from(&*text),
                    1 => Value::from_plain_json(text.as_bytes()).unwrap_or(Value::NULL),
                    2 => Value::unknown(ty),
                    _ => CANDIDATES.with_borrow_mut(|known| {
                        let pool = known.entry(ty.to_string()).or_insert_with(|| candidates(&ty));
                        pool[below(pool.len())].clone()
                    }),
                };
                if below(16) == 0 { value.mark(Mark::new("secret")) } else { value }
            })
            .collect();
        if let Ok(value) = small().run(|| function.call(&args)) {
            assert!(is_bounded(&value, &args), "{library}: {name} exceeds the limits");
        }
    });
}
