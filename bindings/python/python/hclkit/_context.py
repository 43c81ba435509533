"""Evaluation: contexts, and Python callables as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from . import _hclkit
from ._errors import HclError
from ._hclkit import Expression, Function, Limits, Type, Value, parse_expression, parse_template

# Modules that take long to import are imported where they are needed.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, Literal, Self, TypeAlias

    Library: TypeAlias = Literal["terraform", "opentofu", "packer", "bake", "nomad", "cty", "spec"]
    Functions: TypeAlias = Library | Mapping[str, Callable[..., Any] | Function] | Iterable[Callable[..., Any] | Function | Library]


def _type_of_plain(annotation: Any) -> Type | None:
    """The type of an annotation without parameters."""
    import inspect
    import typing
    from decimal import Decimal

    if annotation in (int, float, Decimal):
        return Type.NUMBER
    if annotation in (typing.Any, object, Value, inspect.Parameter.empty):
        return Type.ANY
    return Type.STRING if annotation is str else Type.BOOL if annotation is bool else None


def type_of_annotation(annotation: Any) -> tuple[Type, bool]:
    """Return the HCL type of a Python annotation, and whether it accepts ``None``.

    >>> type_of_annotation(list[str])
    (Type(list(string)), False)
    >>> type_of_annotation(dict[str, int] | None)
    (Type(map(number)), True)
    """
    import types
    import typing

    if isinstance(annotation, Type):
        return annotation, False
    plain = _type_of_plain(annotation)
    if plain is not None:
        return plain, plain == Type.ANY
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        found = [it for it in arguments[1:] if isinstance(it, Type)]
        return (found[0], False) if found else type_of_annotation(arguments[0])
    if origin in (typing.Union, types.UnionType):
        others = [it for it in arguments if it is not type(None)]
        inner = type_of_annotation(others[0])[0] if len(others) == 1 else Type.ANY
        return inner, len(others) < len(arguments)
    base = origin or annotation
    if isinstance(base, type):
        if base is tuple and arguments and arguments[-1] is not Ellipsis:
            return Type.tuple([type_of_annotation(it)[0] for it in arguments]), False
        if issubclass(base, Mapping):
            return (Type.map(type_of_annotation(arguments[1])[0]) if arguments else Type.ANY), False
        if issubclass(base, (set, frozenset)):
            return (Type.set(type_of_annotation(arguments[0])[0]) if arguments else Type.ANY), False
        if issubclass(base, Iterable):
            return (Type.list(type_of_annotation(arguments[0])[0]) if arguments else Type.ANY), False
    raise HclError(f"{annotation!r} is not the type of an HCL value")


def function(
    callable: Callable[..., Any],
    /,
    *,
    name: str | None = None,
    parameters: Iterable[Type] | None = None,
    result: Type | None = None,
    impure: bool = False,
) -> Function:
    """Make a function for expressions from a Python callable.

    Its annotations are the types of its parameters and its result; what is not annotated has any type. Arguments are converted
    as in HCL before the call. An exception of the callable is an error at the place of the call, and the cause of the
    :class:`HclError`.

    >>> import hclkit
    >>> def area(width: int, height: int) -> int:
    ...     return width * height
    >>> hclkit.evaluate('area("6", 7)', functions=[area])
    42
    """
    import inspect
    import typing

    try:
        signature = inspect.signature(callable)
    except ValueError:
        # Some built-in callables have none.
        signature = inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)])
    try:
        hints = typing.get_type_hints(callable, include_extras=True)
    except (AttributeError, NameError, TypeError):
        hints = {}
    given = list(parameters) if parameters is not None else None
    positional: list[tuple[str, Type, bool]] = []
    variadic: tuple[str, Type, bool] | None = None
    for index, parameter in enumerate(signature.parameters.values()):
        found = hints.get(parameter.name, parameter.annotation)
        if isinstance(found, str):
            found = inspect.Parameter.empty
        if given is not None and index < len(given):
            found = given[index]
        kind, nullable = type_of_annotation(found)
        if parameter.kind is parameter.VAR_POSITIONAL:
            variadic = (parameter.name, kind, nullable)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            if parameter.default is parameter.empty:
                raise HclError(f"the parameter {parameter.name} must not be keyword-only: HCL has positional arguments")
        elif parameter.kind is not parameter.VAR_KEYWORD and parameter.default is parameter.empty:
            positional.append((parameter.name, kind, nullable))
        elif parameter.kind is not parameter.VAR_KEYWORD:
            # HCL has no defaults: what follows is optional, with any type.
            variadic = ("rest", Type.ANY, True)
            break
    if result is None:
        annotation = hints.get("return", inspect.Parameter.empty)
        result = Type.ANY if annotation is type(None) else type_of_annotation(annotation)[0]
    title = name or str(getattr(callable, "__name__", ""))
    description = inspect.getdoc(callable) or "" if inspect.isroutine(callable) else ""
    return Function(title, callable, positional, variadic, result, description, impure)


def _split(functions: Functions | None) -> tuple[str | None, list[Function]]:
    """The library and the functions of the caller."""
    if functions is None or isinstance(functions, str):
        return functions, []
    library: str | None = None
    own: list[Function] = []
    named = functions.items() if isinstance(functions, Mapping) else [(None, it) for it in functions]
    for name, it in named:
        if isinstance(it, str):
            if library is not None:
                raise HclError("only one library of functions can be used")
            library = it
        elif isinstance(it, Function) and (name is None or name == it.name):
            own.append(it)
        elif isinstance(it, Function):
            raise HclError(f"the function {it.name} has another name than its key {name}")
        else:
            own.append(function(it, name=None if name is None else str(name)))
    return library, own


class Context(_hclkit.Context):
    """Variables and functions for evaluation.

    ``functions`` is the name of a library (``"terraform"``, ``"opentofu"``, ``"packer"``, ``"bake"``, ``"cty"``, ``"spec"``), a mapping or a list
    of Python callables, or a list of both. Functions that read files, the environment, the clock or randomness do so only if
    ``directory``, ``environment``, ``clock`` or ``random`` allows it.

    >>> context = Context({"name": "web"}, functions=["terraform", len])
    >>> context.evaluate('upper("${name}-${len([1, 2])}")')
    'WEB-2'
    """

    def __new__(
        cls,
        variables: Mapping[str, Any] | None = None,
        functions: Functions | None = None,
        *,
        directory: str | os.PathLike[str] | None = None,
        environment: bool = False,
        clock: bool = False,
        random: bool = False,
        limits: Limits | None = None,
    ) -> Self:
        library, own = _split(functions)
        return super().__new__(cls, variables, library, own, directory, environment, clock, random, limits)

    def evaluate(self, expression: str | Expression) -> Any:
        """Evaluate an expression to a Python object."""
        return self._parsed(expression)._evaluate(self)

    def evaluate_value(self, expression: str | Expression) -> Value:
        """Evaluate an expression to a :class:`Value`, which keeps its HCL type."""
        return self._parsed(expression)._evaluate_value(self)

    def render(self, template: str | Expression) -> Any:
        """Evaluate a template.

        >>> Context({"name": "web"}).render("Hello, ${name}!")
        'Hello, web!'
        """
        parsed = parse_template(template) if isinstance(template, str) else template
        return parsed._evaluate(self)

    def explain(self, expression: str | Expression, *, width: int = 100) -> str:
        """Return how the value of an expression is computed, as ``hcl eval --explain`` prints it."""
        return self._parsed(expression)._explain(self, width)

    @staticmethod
    def _parsed(expression: str | Expression) -> Expression:
        return parse_expression(expression) if isinstance(expression, str) else expression


def evaluate(
    expression: str | Expression,
    variables: Mapping[str, Any] | Context | None = None,
    *,
    functions: Functions | None = None,
    limits: Limits | None = None,
) -> Any:
    """Evaluate an expression to a Python object.

    Whole numbers of up to 10,000 digits are ``int``, other numbers :class:`~decimal.Decimal`, both exact. Lists, sets and tuples are ``list``, maps and
    objects ``dict``, ``null`` is ``None``. Unknown values are :class:`Unknown`, marked ones :class:`Sensitive`.

    >>> import hclkit
    >>> hclkit.evaluate("[for n in names : upper(n)]", {"names": ["a", "b"]}, functions="terraform")
    ['A', 'B']
    >>> hclkit.evaluate("1 / 8")
    Decimal('0.125')
    """
    return as_context(variables, functions, limits).evaluate(expression)


def render(
    template: str | Expression,
    variables: Mapping[str, Any] | Context | None = None,
    *,
    functions: Functions | None = None,
    limits: Limits | None = None,
) -> Any:
    """Evaluate a template.

    >>> import hclkit
    >>> hclkit.render("%{ for n in names ~}${n} %{ endfor ~}", {"names": ["a", "b"]})
    'a b '
    """
    return as_context(variables, functions, limits).render(template)


def as_context(
    variables: Mapping[str, Any] | Context | None, functions: Functions | None, limits: Limits | None
) -> Context:
    """The context for variables and functions, unless it is already one."""
    if isinstance(variables, Context):
        if functions is not None or limits is not None:
            raise HclError("a context has its own functions and limits")
        return variables
    return Context(variables, functions, limits=limits)
