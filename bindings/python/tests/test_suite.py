"""The recorded cases of the suite that need no context: the values and errors of the Rust library."""

import re
from pathlib import Path

import hclkit

SUITE = Path(__file__).parents[3] / "tests/suite"


def cases() -> list[tuple[str, dict[str, str]]]:
    """The cases that evaluate all attributes of a file, with their sections."""
    found = []
    for path in sorted(SUITE.rglob("*.cases")):
        for case in re.split(r"^=== ", path.read_text(), flags=re.M)[1:]:
            title, _, text = case.partition("\n")
            if not title.endswith("(eval)"):
                continue
            sections = {}
            for section in re.split(r"^--- ", text, flags=re.M)[1:]:
                name, _, content = section.partition("\n")
                sections[name] = content.rstrip("\n")
            if sections.get("native") and not sections.get("context"):
                found.append((f"{path.stem}: {title}", sections))
    return found


def test_values() -> None:
    """The same values, as `str` of a `Value` writes them, and errors where there are some."""
    compared = 0
    # The suite writes the types of collections and unknown values, which Python sees as `Value.type`.
    typed = re.compile(r"(list|set|map|unknown|dynamic|object|tuple|string|number|bool|marked|sensitive)\b|.*\b(list|set|map)\(")
    for title, sections in cases():
        document = hclkit.parse(sections["native"] + "\n")
        context = hclkit.Context()
        values, errors = {}, list(document.diagnostics)
        for name, attribute in document.body.attributes.items():
            try:
                values[name] = str(context.evaluate_value(attribute.expression))
            except hclkit.HclError as error:
                errors += error.diagnostics
        if "errors" in sections:
            assert errors, title
        elif "body" in sections:
            assert not errors, title
            wanted = dict(line.split(" = ", 1) for line in sections["body"].splitlines() if " = " in line)
            for name, value in values.items():
                # The suite does not double the introductions of sequences.
                if name in wanted and not typed.match(wanted[name]) and "{" not in wanted[name].strip("{"):
                    # The suite shows the types of nulls, too.
                    assert value == re.sub(r"null\(.*?\)", "null", wanted[name]).replace("Infinity", "+Inf"), title
                    compared += 1
    assert compared > 100
