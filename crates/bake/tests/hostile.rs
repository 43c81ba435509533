//! Bake files that would take all memory or time.

use hclkit_bake::Bake;
use hclkit_limits::Limits;
use hclkit_syntax::Diagnostics;

fn assert_error(found: &Diagnostics, text: &str) {
    assert!(found.iter().any(|found| found.note().contains(text)), "{text}: {found}");
}

fn bake(text: String) -> Bake {
    Bake::new().with_file("docker-bake.hcl", text)
}

/// Targets or groups, each of which refers to the next one twice.
fn doubled(levels: usize, one: impl Fn(usize, &str) -> String) -> Bake {
    let text: String = (0..levels).map(|at| one(at, &format!("t{}", at + 1))).collect();
    bake(format!("{text}target \"t{levels}\" {{\n  args = {{ a = 1 }}\n}}\n"))
}

#[test]
fn bake_targets_that_double_take_linear_time() {
    let parents = doubled(100, |at, next| {
        format!("target \"t{at}\" {{\n  inherits = [\"{next}\", \"{next}\"]\n  annotations = [\"x\"]\n}}\n")
    });
    let contexts = doubled(100, |at, next| {
        format!("target \"t{at}\" {{\n  contexts = {{ a = \"target:{next}\", b = \"target:{next}\" }}\n}}\n")
    });
    let groups =
        doubled(100, |at, next| format!("group \"t{at}\" {{\n  targets = [\"{next}\", \"{next}\"]\n}}\n"));
    for (bake, count) in [(parents, 1), (contexts, 101), (groups, 1)] {
        let (plan, found) = bake.plan(&["t0"]);
        assert!(found.is_empty(), "{found}");
        assert_eq!(plan.targets.len(), count);
        assert!(plan.targets.iter().flat_map(|target| &target.attributes).any(|(name, _)| *name == "args"));
        assert!(bake.check().is_empty());
    }
}

#[test]
fn bake_plans_are_bounded() {
    let chain = |each: fn(usize) -> String| {
        let one = |at: usize| {
            format!("target \"t{at}\" {{\n  inherits = [\"t{}\"]\n{}}}\n", (at + 1) % 400, each(at))
        };
        bake((0..400).map(one).collect())
    };
    let names: Vec<String> = (0..400).map(|at| format!("t{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let limits = Limits::new().with_elements(150_000).with_bytes(1 << 20).with_steps(1_000_000);
    let plan = |bake: &Bake, asked: &[&str]| limits.run(|| bake.plan(asked).1);
    // Each target has the arguments of all others.
    let arguments = chain(|at| format!("  args = {{ a{at} = 1 }}\n"));
    assert_error(&plan(&arguments, &["t0"]), "exceeds the limit of 150,000 elements");
    let targets = (0..2_000).map(|at| format!("target \"t{at}\" {{\n}}\n"));
    assert_error(&plan(&bake(targets.collect()), &["t0"]), "exceeds the limit of 150,000 elements");
    let text = chain(|at| {
        if at == 399 { format!("  dockerfile-inline = \"{}\"\n", "x".repeat(10_000)) } else { String::new() }
    });
    assert_error(&plan(&text, &["t0"]), "exceeds the limit of 1,048,576 bytes");
    // Where a cycle begins decides what its targets inherit, so each target visits all others.
    let cycle = chain(|_| String::new());
    assert_error(&plan(&cycle, &names), "exceeds the limit of 1,000,000 steps");
    assert!(!plan(&cycle, &["t0"]).has_errors());
    let blocks = (0..500).map(|at| format!("target \"default\" {{\n  cache-from = [\"x{at}\"]\n}}\n"));
    assert_error(&plan(&bake(blocks.collect()), &[]), "exceeds the limit of 1,000,000 steps");
    let axis = |name: &str| {
        let values: Vec<String> = (0..100).map(|at| at.to_string()).collect();
        format!("{name} = [{}]", values.join(", "))
    };
    let matrix = format!(
        "target \"default\" {{\n  name = \"t${{a}}-${{b}}\"\n  matrix = {{ {}, {} }}\n}}\n",
        axis("a"),
        axis("b")
    );
    let matrix = bake(matrix);
    for found in [plan(&matrix, &[]), limits.run(|| matrix.check())] {
        assert_error(&found, "The matrix has too many instances");
        // The limit is reported separately, so that it is not mistaken for an error in the file.
        assert_error(&found, "exceeds the limit of 150,000 elements");
        assert_eq!(found.errors(), 2, "{found}");
    }
    assert_error(&limits.run(|| matrix.graph().1), "exceeds the limit of 150,000 elements");
}

/// A few targets in a cycle do not keep others from being found once.
#[test]
fn other_targets_of_a_bake_file_with_a_cycle_are_found() {
    let own = (0..2_000).map(|at| format!("target \"x{at}\" {{\n  inherits = [\"a\"]\n}}\n"));
    let cycle = "target \"a\" {\n  inherits = [\"b\"]\n}\ntarget \"b\" {\n  inherits = [\"a\"]\n  args = { b = 1 }\n}\n";
    let (plan, found) = bake(own.chain([cycle.to_owned()]).collect()).plan(&["*"]);
    assert!(!found.has_errors(), "{found}");
    assert_eq!(plan.targets.len(), 2_002);
    assert!(plan.targets.iter().all(|target| target.attributes.iter().any(|(name, _)| *name == "args")));
}
