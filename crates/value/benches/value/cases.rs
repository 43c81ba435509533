//! The benchmarks, with the same names as in the oracle's operation `value-bench`, which times the reference.

use divan::{Bencher, black_box};
use hclkit_value::{Number, ObjectShape, Type, Value};

const COUNTS: [usize; 3] = [10_000, 50_000, 100_000];

pub(crate) fn objects(count: usize) -> Vec<Value> {
    let shape = ObjectShape::new(["id", "name", "up"]);
    (0..count)
        .map(|i| {
            let values = [Value::from(i), Value::from(format!("server-{i}")), Value::from(i % 2 == 0)];
            shape.object(values).expect("a value for each name")
        })
        .collect()
}

pub(crate) fn list(count: usize) -> Value {
    Value::list(objects(count)).expect("all have the same type")
}

pub(crate) fn wanted() -> Type {
    Type::list(Type::object([("id", Type::String), ("name", Type::String), ("up", Type::Bool)]))
}

#[divan::bench(args = COUNTS)]
fn clone(bencher: Bencher, count: usize) {
    let list = list(count);
    bencher.bench(|| drop(black_box(black_box(&list).clone())));
}

#[divan::bench(args = COUNTS)]
fn build(bencher: Bencher, count: usize) {
    bencher.bench(|| list(black_box(count)));
}

#[divan::bench(args = COUNTS)]
fn iterate(bencher: Bencher, count: usize) {
    let list = list(count);
    bencher.bench(|| {
        for item in list.as_slice().unwrap_or_default() {
            let _ = black_box(item.attribute("id"));
        }
    });
}

#[divan::bench(args = COUNTS)]
fn convert(bencher: Bencher, count: usize) {
    let (tuple, wanted) = (Value::tuple(objects(count)), wanted());
    bencher.bench(|| black_box(&tuple).convert(&wanted));
}

#[divan::bench(args = COUNTS)]
fn json_out(bencher: Bencher, count: usize) {
    let list = list(count);
    bencher.bench(|| list.to_json(&list.ty()));
}

#[divan::bench(args = COUNTS)]
fn json_in(bencher: Bencher, count: usize) {
    let list = list(count);
    let text = list.to_json(&list.ty()).expect("the value is plain data");
    bencher.bench(|| Value::from_json(text.as_bytes(), &list.ty()));
}

#[divan::bench(args = COUNTS)]
fn msgpack_out(bencher: Bencher, count: usize) {
    let list = list(count);
    bencher.bench(|| list.to_msgpack(&list.ty()));
}

#[divan::bench(args = COUNTS)]
fn msgpack_in(bencher: Bencher, count: usize) {
    let list = list(count);
    let bytes = list.to_msgpack(&list.ty()).expect("the value is plain data");
    bencher.bench(|| Value::from_msgpack(&bytes, &list.ty()));
}

fn number(text: &str) -> Value {
    Value::from(text.parse::<Number>().expect("the text is a number"))
}

fn small() -> (Value, Value) {
    (number("7"), number("3"))
}

fn big() -> (Value, Value) {
    let third = number("1").divide(&number("3")).expect("the text is a number");
    (number("0.1"), third)
}

/// Runs many operations per sample, because the clock resolves only tens of nanoseconds. Dropping the result is included.
macro_rules! arithmetic {
    ($($name:ident: $operands:ident.$operation:ident),*) => {$(
        #[divan::bench(sample_size = 1000)]
        fn $name(bencher: Bencher) {
            let (a, b) = $operands();
            bencher.bench(|| drop(black_box(black_box(&a).$operation(black_box(&b)))));
        }
    )*};
}

arithmetic!(
    small_add: small.add,
    small_multiply: small.multiply,
    small_divide: small.divide,
    small_equals: small.equals,
    big_add: big.add,
    big_multiply: big.multiply,
    big_divide: big.divide,
    big_modulo: big.modulo,
    big_equals: big.equals
);

#[divan::bench(sample_size = 1000)]
fn big_parse() {
    drop(black_box(black_box("1234567.89012345678901234567890123").parse::<Number>()));
}

#[divan::bench(sample_size = 20)]
fn big_print(bencher: Bencher) {
    let (_, third) = big();
    bencher.bench(|| black_box(&third).convert(&Type::String));
}
