"""HCL 2, the configuration language of Terraform, OpenTofu, Packer, Nomad and others.

>>> import hclkit
>>> document = hclkit.parse('service "web" {\\n  port = 8000 + offset # public\\n}\\n')
>>> [service] = document.body.blocks("service", "*")
>>> service.labels, service.body["port"].comments
(['web'], ['public'])
>>> service.body["port"].expression.evaluate({"offset": 80})
8080
"""

from . import edit, spec
from ._context import Context, evaluate, function, render
from ._data import dump, dumps, load, loads, to_json
from ._errors import HclError, LimitError
from ._hclkit import (
    Attribute,
    Block,
    Body,
    Diagnostic,
    Document,
    Expression,
    Function,
    Graph,
    Limits,
    Position,
    Range,
    Sensitive,
    Type,
    Unknown,
    Value,
    __version__,
    format,
    parse,
    parse_expression,
    parse_template,
    parse_type,
    rename,
)
from ._module import Bake, Evaluation, Module, Plan
from ._pickle import register as _register
from ._recover import Recovered
from ._tables import ArrowTable, Tables, tables
from .spec import decode

_register()

__all__ = [
    "ArrowTable",
    "Attribute",
    "Bake",
    "Block",
    "Body",
    "Context",
    "Diagnostic",
    "Document",
    "Evaluation",
    "Expression",
    "Function",
    "Graph",
    "HclError",
    "LimitError",
    "Limits",
    "Module",
    "Plan",
    "Position",
    "Range",
    "Recovered",
    "Sensitive",
    "Tables",
    "Type",
    "Unknown",
    "Value",
    "__version__",
    "decode",
    "dump",
    "dumps",
    "edit",
    "evaluate",
    "format",
    "function",
    "load",
    "loads",
    "parse",
    "parse_expression",
    "parse_template",
    "parse_type",
    "rename",
    "render",
    "spec",
    "tables",
    "to_json",
]
