"""How this computer reaches the service and the clouds."""

import getpass
import ssl
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.prompts import is_interactive
from tessera_client.errors import NeedsInput, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.automatic_proxy import automatic_address
from tessera_client.transfer.network import Network, Proxy, make_context, system_proxy
from tessera_client.vault.profile import StateFolder


def config(
    action: Annotated[
        str | None, typer.Argument(help="options.config_action", metavar="[set|unset]")
    ] = None,
    name: Annotated[
        str | None, typer.Argument(help="options.config_name", metavar="[proxy|ca-file]")
    ] = None,
    value: Annotated[
        str | None, typer.Argument(help="options.config_value", metavar="[VALUE]")
    ] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="options.proxy_password_stdin")
    ] = False,
) -> Result:
    """Shows or changes how this computer reaches the service and the clouds."""
    folder = StateFolder.from_environment()
    network = folder.load_network()
    match action, name, value:
        case None, None, None:
            return _shown(network)
        case "set", "proxy", str():
            proxy = _parse(value)
            password = _read_password(from_stdin=password_stdin) if proxy.user else None
            network = replace(network, proxy=proxy.address, password=password)
        case "set", "ca-file", str():
            network = replace(network, ca_file=_check(value))
        case "unset", "proxy", None:
            network = replace(network, proxy=None, password=None)
        case "unset", "ca-file", None:
            network = replace(network, ca_file=None)
        case _:
            raise WrongUsage(translate("errors.config_usage"), code="usage")
    folder.save_network(network)
    return _shown(network)


def _parse(url: str) -> Proxy:
    if address := automatic_address(url):
        raise WrongUsage.from_code("pac_not_read", address=address)
    try:
        proxy = Proxy.parse(url)
    except ValueError:
        raise WrongUsage.from_code("bad_proxy") from None
    if proxy.password is not None:
        raise WrongUsage.from_code("password_in_address")
    return proxy


def _read_password(*, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not is_interactive():
        raise NeedsInput.from_code("proxy_password_required")
    return getpass.getpass(f"{translate('prompts.proxy_password')}: ")


def _check(file: str) -> str:
    path = Path(file).absolute()
    try:
        make_context(str(path), None, None)
    except ssl.SSLError:
        raise WrongUsage.from_code("no_certificates", path=path) from None
    return str(path)


def _shown(network: Network) -> Result:
    proxy, source = network.proxy, "config.set_here"
    if proxy is None and (named := system_proxy()):
        proxy, source = _address(named), "config.by_system"
    lines = [translate("config.no_proxy")]
    if proxy:
        lines = [translate("config.proxy", proxy=proxy, source=translate(source))]
    lines.append(
        translate("config.ca_file", path=network.ca_file)
        if network.ca_file
        else translate("config.no_ca_file")
    )
    is_own = network.proxy is not None
    data = {"proxy": proxy, "isProxySetHere": is_own, "caFile": network.ca_file}
    return Result(data, "\n".join(lines))


def _address(url: str) -> str:
    """Without the password."""
    try:
        return Proxy.parse(url).address
    except ValueError:
        raise WrongUsage.from_code("bad_proxy") from None
