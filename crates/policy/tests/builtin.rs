//! The rules that the program contains: all are valid, formatted and documented, and their tests pass.

use hclkit_policy::{Outcome, rules::BUILTIN};

#[test]
fn tests_of_builtin_rules_pass() {
    let (mut count, mut wrong) = (0, Vec::new());
    for builtin in BUILTIN {
        let (rules, problems) = builtin.rules();
        for problem in &problems {
            wrong.push(format!("{}: {problem}", builtin.name));
        }
        count += rules.len();
        for test in 0..rules.tests() {
            for verdict in rules.test(test, &|_| true).verdicts {
                if verdict.outcome != Outcome::Passed {
                    wrong.push(format!("{}: {}", builtin.name, verdict.finding.unwrap()));
                }
            }
        }
        assert_eq!(rules.untested(), [""; 0], "{}", builtin.name);
    }
    assert!(wrong.is_empty(), "{}\n{} wrong", wrong.join("\n"), wrong.len());
    assert!(count >= 60, "{count} rules");
}
