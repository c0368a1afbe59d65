"""`tommy` commands as real processes against a stand-in for the server."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.client_cli.stand_in import StandIn


class Commands:
    """Starts `tommy` commands against a stand-in, in a folder of their own."""

    def __init__(self, server: StandIn, folder: Path) -> None:
        self.folder = folder
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TOMMY_")}
        self.environment = clean | {
            "TOMMY_SERVER": server.url,
            "TOMMY_NAME": "Ada",
            "TOMMY_KEY_FILE": str(folder / "key"),
            "TOMMY_RECEIPTS": str(folder / "receipts"),
            "PYTHONWARNINGS": "error",
            "PYTHONIOENCODING": "utf-8",
        }

    async def start(self, *arguments: str, **streams: Any) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "client_cli",
            *arguments,
            cwd=self.folder,
            env=self.environment,
            **{"stdin": pipe, "stdout": pipe, "stderr": pipe} | streams,
        )

    async def run(self, *arguments: str, typed: str = "") -> tuple[int | None, list[str], str]:
        """Run a command to its end: its exit code, its lines, and what it complained of."""
        process = await self.start(*arguments)
        out, complaints = await process.communicate(typed.encode())
        assert b"Traceback" not in complaints
        return process.returncode, out.decode().splitlines(), complaints.decode()

    async def events(self, *arguments: str, typed: str = "") -> tuple[int | None, list[dict[str, Any]]]:
        exit_code, lines, complaints = await self.run(*arguments, "--json", typed=typed)
        assert not complaints
        return exit_code, [json.loads(line) for line in lines]
