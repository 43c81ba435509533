"""Runs the tests of other packages with the replacements for them, and counts. Checkouts of their repositories are arguments:

    python peer_suites.py v8=PATH v7=PATH pygohcl=PATH

`v8` and `v7` are https://github.com/amplify-education/python-hcl2 at the versions that are compared, `pygohcl` is
https://github.com/Scalr/pygohcl. Needs pytest, and lark for what the tests import from it. Only the tests are copied: the packages
themselves need not be installed. Tests of texts that are not HCL fail, and are shown with the reason.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SUITES = {
    "v8": ("hcl2", "test", {"API and builder": ["unit/test_api.py", "unit/test_builder.py"], "integration": ["integration/test_round_trip.py", "integration/test_specialized.py"]}),
    "v7": ("hcl2_v7", "test", {"all": ["."]}),
    "pygohcl": ("pygohcl", "tests", {"all": ["."]}),
}
"""For each package the module that replaces it, the directory of its tests, and groups of these."""

REPORT = """
import json, pytest, sys
from hclkit.compat import {module}
{module}.install()
found = {{}}

class Report:
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome == "failed":
            # A test fails if one of its parts does.
            before = found.get(report.nodeid, ("passed", ""))
            now = (report.outcome, str(report.longrepr or ""))
            found[report.nodeid] = before if before[0] == "failed" else now

pytest.main([*sys.argv[1:], "-q", "-p", "no:cacheprovider"], plugins=[Report()])
print("\\n" + json.dumps(found))
"""


def run(module: str, directory: Path, tests: list[str]) -> dict[str, tuple[str, str]]:
    """The outcome of each test, and why it failed."""
    command = [sys.executable, "-c", REPORT.format(module=module), *tests]
    environment = {**os.environ, "PYTHONPATH": str(directory.parent)}
    done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    try:
        found: dict[str, tuple[str, str]] = json.loads(done.stdout.rstrip().rpartition("\n")[2])
    except json.JSONDecodeError:
        raise SystemExit(done.stdout + done.stderr) from None
    return found


def reason(text: str) -> str:
    """The line of a traceback that says what is wrong."""
    lines = [it.lstrip("E ") for it in text.splitlines() if re.match(r"E\s+\S*(Error|Failed)", it)]
    return lines[-1][:150] if lines else text[-150:]


def main() -> None:
    given = dict(it.split("=", 1) for it in sys.argv[1:])
    if not given or set(given) - set(SUITES):
        raise SystemExit(__doc__)
    for name, checkout in given.items():
        module, tests, groups = SUITES[name]
        with tempfile.TemporaryDirectory() as temporary:
            directory = Path(temporary, tests)
            shutil.copytree(Path(checkout, tests), directory)
            for group, files in groups.items():
                found = run(module, directory, files)
                failed = {test: text for test, (outcome, text) in found.items() if outcome == "failed"}
                print(f"{name}, {group}: {len(found) - len(failed)} of {len(found)}")
                for test, text in failed.items():
                    print(f"  {test.rpartition('/')[2]}: {reason(text)}")


if __name__ == "__main__":
    main()
