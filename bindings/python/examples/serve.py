"""A program whose settings are a file of HCL, the environment and options, each of which overrides the one before. Run it with
`python serve.py --config app.hcl --set listen.port=8080`; needs typer."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import typer

import hclkit


@dataclass
class Listen:
    """Where it listens."""

    port: int = 80
    host: str = "localhost"


@dataclass
class Config:
    """The settings."""

    name: str
    level: Literal["debug", "info"] = "info"
    listen: Listen = field(default_factory=Listen)


def main(
    config: Annotated[list[Path], typer.Option(help="A file of settings; several are merged.")],
    set: Annotated[list[str], typer.Option(help="The path of an attribute and its value, such as listen.port=8080.")] = [],  # noqa: B006
) -> None:
    """Show the settings."""
    overrides = dict(it.split("=", 1) for it in set)
    try:
        settings = hclkit.decode(config, Config, overrides=overrides, environment="SERVE_")
    except hclkit.HclError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    typer.echo(hclkit.dumps(settings), nl=False)


if __name__ == "__main__":
    typer.run(main)
