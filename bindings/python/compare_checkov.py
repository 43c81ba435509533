"""Compares the reports of checkov with its own parser and with `hclkit.compat.bc_hcl2`: `python compare_checkov.py DIR…`.

checkov and hclkit are installed in the Python that runs this. Each directory is scanned by two processes, one after the other, with
the same seed of hashes, because the order of sets decides which of two equal results checkov names. Prints a table; the exit code
is 1 if a report differs.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TypedDict, cast

SCAN = """
import json, logging, sys, time
directory, parser = sys.argv[1:]
if parser == "hclkit":
    from hclkit.compat import bc_hcl2
    bc_hcl2.install()
logging.disable(logging.CRITICAL)
from checkov.runner_filter import RunnerFilter
from checkov.terraform.runner import Runner
start = time.perf_counter()
found = Runner().run(root_folder=directory, runner_filter=RunnerFilter(download_external_modules=False))
reports = found if isinstance(found, list) else [found]
checks = [
    [check.check_id, check.check_result["result"].value, check.resource, check.file_path, check.file_line_range]
    for report in reports
    for check in report.passed_checks + report.failed_checks + report.skipped_checks
]
errors = sorted(error for report in reports for error in report.parsing_errors)
json.dump({"checks": checks, "errors": errors, "seconds": time.perf_counter() - start}, sys.stdout)
"""


class Report(TypedDict):
    """What a scan found."""

    checks: list[list[object]]
    errors: list[str]
    seconds: float


def scan(directory: str, parser: str) -> Report:
    """The report of checkov with a parser."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "LOG_LEVEL": "CRITICAL"}
    command = [sys.executable, "-c", SCAN, directory, parser]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=3600)
    if done.returncode:
        return {"checks": [], "errors": [done.stderr.strip().splitlines()[-1]], "seconds": 0.0}
    # checkov may print before the report.
    return cast(Report, json.loads(done.stdout[done.stdout.index('{"checks"') :]))


def main() -> int:
    """Prints a row for each directory."""
    print("| directory | checks | only checkov's parser | only hclkit | errors | checkov's s | hclkit's s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    different = False
    for directory in sys.argv[1:]:
        theirs, ours = scan(directory, "checkov"), scan(directory, "hclkit")
        one, other = (Counter(json.dumps(check) for check in report["checks"]) for report in (theirs, ours))
        left, right = one - other, other - one
        errors = "equal" if theirs["errors"] == ours["errors"] else f"{theirs['errors']} and {ours['errors']}"
        times = f"{theirs['seconds']:.1f} | {ours['seconds']:.1f}"
        counts = f"{one.total()} | {left.total()} | {right.total()}"
        print(f"| {Path(directory).name} | {counts} | {errors} | {times} |", flush=True)
        for check in [*sorted(left)[:5], *sorted(right)[:5]]:
            print("    ", "-" if check in left else "+", check, file=sys.stderr)
        different |= bool(left or right) or theirs["errors"] != ours["errors"]
    return int(different)


if __name__ == "__main__":
    sys.exit(main())
