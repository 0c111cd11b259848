"""The command line of the benchmarks."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from graph_memory.settings import Settings
from tests.benchmarks.command_dynamics import run_dynamics
from tests.benchmarks.command_fit import run_fit
from tests.benchmarks.command_hub import run_hub
from tests.benchmarks.command_latency import run_latency
from tests.benchmarks.command_madial import run_madial
from tests.benchmarks.command_profile import run_profile
from tests.benchmarks.command_quality import MADE, SETS, run_quality
from tests.benchmarks.command_silence import run_silence
from tests.benchmarks.command_sleep import run_sleep
from tests.benchmarks.command_throughput import run_throughput
from tests.benchmarks.command_writes import run_writes
from tests.benchmarks.command_year import run_year
from tests.benchmarks.variants import SWITCHES

_Run = Callable[[Settings, argparse.Namespace], Awaitable[None]]


def main() -> None:
    """Runs the benchmark that the arguments name."""
    arguments = _parser().parse_args()
    asyncio.run(arguments.run(Settings.from_environment(), arguments))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    commands = parser.add_subparsers(required=True)
    quality = _command(commands, "quality", run_quality)
    quality.add_argument("--reuse", action="store_true", help="take what an earlier run with --keep stored")
    quality.add_argument("--only", nargs="+", choices=(*SETS, *MADE), help="these data sets alone")
    quality.add_argument("--no-ablations", action="store_true", help="the product alone, no switch turned off")
    quality.add_argument("--switches", nargs="+", choices=SWITCHES, default=SWITCHES, help="turned off one by one")
    dynamics = _command(commands, "dynamics", run_dynamics)
    dynamics.add_argument("--only", nargs="+", choices=SETS, help="these data sets alone")
    quality.add_argument("--discover", action="store_true", help="find links first, until no memory waits for it")
    latency = _command(commands, "latency", run_latency)
    latency.add_argument("--reuse", action="store_true", help="take what an earlier run with --keep stored")
    latency.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="memories a user")
    latency.add_argument("--questions", type=int, default=200, help="how many are timed")
    latency.add_argument("--crowd", type=int, default=0, help="users of 1,000 memories each beside these; 0: none")
    profile = _command(commands, "profile", run_profile)
    profile.add_argument("--reuse", action="store_true", help="take what an earlier run with --keep stored")
    profile.add_argument("--size", type=int, default=100_000, help="memories of the user")
    fitted = _command(commands, "fit", run_fit)
    fitted.add_argument("--reuse", action="store_true", help="take what an earlier run with --keep stored")
    fitted.add_argument(
        "--penalties", type=float, nargs="+", default=[0.002, 0.0005, 0.01], help="the first one counts"
    )
    fitted.add_argument("--drop", nargs="+", default=[], metavar="FEATURE", help="features left out of every row")
    writes = _command(commands, "writes", run_writes)
    writes.add_argument("--rounds", type=int, default=3, help="how often each is measured, in turns")
    throughput = _command(commands, "throughput", run_throughput)
    throughput.add_argument("--reuse", action="store_true", help="take what an earlier run with --keep stored")
    throughput.add_argument("--questions", type=int, default=480, help="how many are asked in a round")
    throughput.add_argument("--rounds", type=int, default=3, help="how often each is measured, in turns")
    throughput.add_argument("--seconds", type=float, default=60, help="how long with reinforcement")
    hub = _command(commands, "hub", run_hub)
    hub.add_argument("--reuse", action="store_true", help="take what an earlier run with --keep stored")
    hub.add_argument("--links", type=int, default=50_000, help="links of the hub")
    hub.add_argument("--questions", type=int, default=200, help="how many are timed in a round")
    hub.add_argument("--rounds", type=int, default=3, help="how often without and with the hub, in turns")
    _command(commands, "sleep", run_sleep)
    silence = _command(commands, "silence", run_silence)
    silence.add_argument("--reuse", action="store_true", help="take what an earlier run with --keep stored")
    situations = _command(commands, "madial", run_madial)
    situations.add_argument("--reuse", action="store_true", help="take what an earlier run with --keep stored")
    year = _command(commands, "year", run_year)
    year.add_argument("--plots", type=Path, metavar="DIR", help="draw the figures there")
    year.add_argument("--quarter", action="store_true", help="three months of it, as the regression test plays them")
    year.add_argument("--cycle-hours", type=int, default=6, help="between two cycles of sleep")
    return parser


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, run: _Run
) -> argparse.ArgumentParser:
    command = commands.add_parser(name)
    command.set_defaults(run=run)
    command.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    command.add_argument("--keep", action="store_true", help="leave the stored memories in place")
    return command


if __name__ == "__main__":
    main()
