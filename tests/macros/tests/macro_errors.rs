//! The errors of the derive macros, as the compiler shows them: each program in `programs/` must fail with the errors beside it.
//! `TRYBUILD=overwrite cargo test -p hclkit-macro-tests --test macro_errors -- --ignored` accepts changes. The messages about traits are those
//! of the compiler's version, so they are not among them.
//!
//! The test builds the programs in a workspace of its own, which takes a while; `.ci/run` does it.

#[test]
#[ignore = "builds hclkit again; run it with --ignored"]
fn errors_point_at_the_field() {
    trybuild::TestCases::new().compile_fail("tests/programs/*.rs");
}
