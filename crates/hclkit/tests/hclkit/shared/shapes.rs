//! Values that share parts: they take little memory, but are endless when written in full.

use hclkit::value::Mark;
use hclkit::{Type, Value};
use hclkit_test_cases::is_tried;

/// Creates a level from the two before it and its number.
type Level = fn(&Value, &Value, usize) -> Value;

/// How each level contains the one before.
const STRUCTURES: [(&str, Level); 8] = [
    ("tuple", |last, _, _| Value::tuple([last.clone(), last.clone()])),
    ("object", |last, _, _| Value::object([("a", last.clone()), ("b", last.clone())])),
    ("list", |last, _, _| Value::list([last.clone(), last.clone()]).unwrap()),
    ("map", |last, _, _| Value::map([("a", last.clone()), ("b", last.clone())]).unwrap()),
    ("set", |last, _, _| Value::set([1, 2].map(|at| Value::tuple([Value::from(at), last.clone()]))).unwrap()),
    // The types of the elements are similar, but differ at each level.
    ("steps", |last, before, _| Value::tuple([last.clone(), before.clone()])),
    ("mixed", |last, before, level| match level % 3 {
        0 => Value::tuple([last.clone(), before.clone()]),
        1 => Value::object([("a", last.clone()), ("b", last.clone())]),
        _ => Value::list([last.clone(), last.clone()]).unwrap(),
    }),
    // The parts of each level are equal, but different allocations.
    ("copies", |last, _, _| {
        Value::tuple([last.clone(), Value::tuple(last.as_slice().unwrap_or_default().to_vec())])
    }),
];

fn bottoms() -> [(&'static str, Value); 5] {
    [
        ("null", Value::NULL),
        ("unknown", Value::unknown(Type::String)),
        ("marked", Value::from("x").mark(Mark::new("m"))),
        ("string", Value::from("x")),
        ("number", Value::from(1)),
    ]
}

/// The names of the shapes: one of four combinations, with each structure and each bottom.
pub(crate) fn names() -> Vec<String> {
    let all = STRUCTURES.iter().enumerate().flat_map(|(row, (structure, _))| {
        let bottoms = bottoms().into_iter().enumerate().filter(move |(at, _)| is_tried(row + at, 4));
        bottoms.map(move |(_, (bottom, _))| format!("{structure}-{bottom}"))
    });
    all.collect()
}

/// Builds the shape. Two calls return equal values that share nothing.
pub(crate) fn build(name: &str, levels: usize) -> Value {
    let (structure, bottom) = name.split_once('-').unwrap();
    let (_, next) = STRUCTURES.iter().find(|(name, _)| *name == structure).unwrap();
    let (_, bottom) = bottoms().into_iter().find(|(name, _)| *name == bottom).unwrap();
    let (mut last, mut before) = (bottom.clone(), bottom);
    for level in 0..levels {
        let new = next(&last, &before, level);
        before = std::mem::replace(&mut last, new);
    }
    last
}
