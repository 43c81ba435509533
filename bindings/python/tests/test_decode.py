"""What `decode` takes: functions, contexts, several files, overrides and the environment; and other libraries of settings."""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import hclkit
from hclkit.spec import Spec


@dataclass
class Listen:
    port: int = 80
    hosts: list[str] = field(default_factory=list)


@dataclass
class Config:
    name: str
    size: int = 1
    tags: dict[str, str] = field(default_factory=dict)
    listen: dict[str, Listen] = field(default_factory=dict)
    admin: Listen | None = None


SPEC = 'object {\n  attr "name" { type = string }\n  attr "size" { type = number }\n}\n'


def double(number: int) -> int:
    """A function of the caller."""
    return number * 2


def test_functions_and_contexts() -> None:
    """As in `evaluate`."""
    text = 'name = upper(n)\nsize = double(4)\n'
    for options in (
        {"variables": {"n": "x"}, "functions": ["terraform", double]},
        {"variables": hclkit.Context({"n": "x"}, functions=["terraform", double])},
    ):
        assert hclkit.decode(text, Config, **options) == Config("X", 8)
        assert Spec(SPEC).decode(text, **options) == {"name": "X", "size": 8}

    def fails() -> int:
        raise ValueError("no")

    with pytest.raises(hclkit.HclError) as caught:
        hclkit.decode('name = "x"\nsize = fails()\n', Config, functions=[fails])
    assert isinstance(caught.value.__cause__, ValueError)
    assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [2]
    with pytest.raises(hclkit.HclError):
        hclkit.decode("name = x\n", Config, variables=hclkit.Context({"x": 1}), functions=[double])


def test_several_files(tmp_path: Path) -> None:
    """They are merged, and errors are in the file that has them."""
    (tmp_path / "a.hcl").write_text('name = "x"\nlisten "a" {}\n')
    (tmp_path / "b.json").write_text('{"size": 3, "listen": {"b": {"port": 81}}}')
    files = [tmp_path / "a.hcl", tmp_path / "b.json"]
    expected = Config("x", 3, {}, {"a": Listen(), "b": Listen(81)})
    assert hclkit.decode(files, Config) == expected
    assert hclkit.decode([hclkit.parse(it) for it in files], Config) == expected
    with pytest.raises(hclkit.HclError) as caught:
        hclkit.decode([tmp_path / "a.hcl", "name = 1\n"], Config)
    assert caught.value.diagnostics[0].code == "duplicate-argument" or "name" in str(caught.value)
    (tmp_path / "c.hcl").write_text("\n\nsize = 1.5\n")
    with pytest.raises(hclkit.HclError) as caught:
        hclkit.decode([tmp_path / "a.hcl", tmp_path / "c.hcl"], Config)
    [place] = [it.range for it in caught.value.diagnostics if it.range]
    assert (Path(place.name).name, place.start.line) == ("c.hcl", 3)


def test_overrides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of attributes, also in blocks; they are values unless they are `Raw`."""
    text = 'name = "x"\nsize = 1\nlisten "a" {\n  port = 1\n  hosts = ["h"]\n}\n'
    over = {"name": "${y}", "size": hclkit.edit.Raw("1 + 1"), "listen.a.port": 9, "listen.b.port": 10, "admin.hosts": ["a"]}
    found = hclkit.decode(text, Config, overrides=over)
    assert found == Config("${y}", 2, {}, {"a": Listen(9, ["h"]), "b": Listen(10)}, Listen(80, ["a"]))
    assert Spec(SPEC).decode('name = "x"\n', overrides={"size": 4}) == {"name": "x", "size": 4}
    # What is required may be there only.
    assert hclkit.decode("", Config, overrides={"name": "n"}) == Config("n")
    with pytest.raises(hclkit.HclError) as caught:
        hclkit.decode(text, Config, overrides={"listen.a.port": 1.5})
    assert [it.range.name for it in caught.value.diagnostics if it.range] == ["<overrides>"]
    for wrong in ({"nope": 1}, {"listen.a.nope": 1}, {"": 1}, {"a..b": 1}):
        with pytest.raises(hclkit.HclError):
            hclkit.decode(text, Config, overrides=wrong)

    for name, value in {"NAME": "[1]", "SIZE": "5", "TAGS": '{ a = "b" }', "LISTEN__A__PORT": "7", "ADMIN__HOSTS": '["z"]'}.items():
        monkeypatch.setenv(f"APP_{name}", value)
    found = hclkit.decode(text, Config, environment="APP_", overrides={"size": 6})
    assert found == Config("[1]", 6, {"a": "b"}, {"a": Listen(7, ["h"])}, Listen(80, ["z"]))
    monkeypatch.setenv("APP_NOPE", "1")
    with pytest.raises(hclkit.HclError, match="APP_NOPE"):
        hclkit.decode(text, Config, environment="APP_")


def test_errors_of_overrides_are_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    """They name the source."""
    monkeypatch.setenv("APP_SIZE", "many")
    with pytest.raises(hclkit.HclError) as caught:
        hclkit.decode('name = "x"\n', Config, environment="APP_")
    assert [it.range.name for it in caught.value.diagnostics if it.range] == ["<environment>"]


def test_pydantic_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source beside those of its own."""
    pytest.importorskip("pydantic_settings")
    import pydantic
    from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

    from hclkit.settings import HclConfigSettingsSource

    class Database(pydantic.BaseModel):  # type: ignore[misc]
        url: str
        password: pydantic.SecretStr | None = None

    class Settings(BaseSettings):  # type: ignore[misc]
        model_config = SettingsConfigDict(hcl_file=tmp_path / "app.hcl", env_prefix="APP_", env_nested_delimiter="__")
        name: str
        timeout: int = 10
        database: Database

        @classmethod
        def settings_customise_sources(cls, settings_cls: Any, **sources: PydanticBaseSettingsSource) -> Any:
            return sources["init_settings"], sources["env_settings"], HclConfigSettingsSource(settings_cls)

    # No file is no setting.
    monkeypatch.setenv("APP_DATABASE__URL", "env")
    assert Settings(name="x").database.url == "env"
    (tmp_path / "app.hcl").write_text('name = "web"\ntimeout = 60 * 2\ndatabase {\n  url = "file"\n  password = "p"\n}\n')
    found = Settings()
    assert (found.name, found.timeout, found.database.url) == ("web", 120, "env")
    assert found.database.password and found.database.password.get_secret_value() == "p"
    assert Settings(name="init").name == "init"
    (tmp_path / "app.hcl").write_text('name = "web"\nnope = 1\n')
    with pytest.raises(hclkit.HclError) as caught:
        Settings()
    assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [2]
    # It can be read from several files, with functions.
    (tmp_path / "app.hcl").write_text('name = upper("web")\n')
    (tmp_path / "b.hcl").write_text("timeout = 7\n")
    source = HclConfigSettingsSource(Settings, [tmp_path / "app.hcl", tmp_path / "b.hcl", tmp_path / "none.hcl"], functions="terraform")
    assert source() == {"name": "WEB", "timeout": 7}


def test_the_example(tmp_path: Path) -> None:
    """Files, the environment and options; errors are shown, and the exit code says so."""
    pytest.importorskip("typer")
    program = Path(__file__).parent.parent / "examples" / "serve.py"
    (tmp_path / "app.hcl").write_text('name = "web"\nlisten {\n  host = "::"\n}\n')

    def run(*options: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, str(program), "--config", str(tmp_path / "app.hcl"), *options]
        environment = os.environ | {"SERVE_LEVEL": "debug", "SERVE_LISTEN__PORT": "81"}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    found = run("--set", "listen.port=8080")
    assert found.returncode == 0, found.stderr
    assert found.stdout == 'name  = "web"\nlevel = "debug"\n\nlisten {\n  port = 8080\n  host = "::"\n}\n'
    found = run("--set", "listen.port=many")
    assert found.returncode == 1 and "<overrides>" in found.stderr
