"""The screens in every language: nothing is cut off at 80 columns."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CUTS = """
from client_cli import language
language.choose("{spoken}")  # before the modules are imported that word something at once
from client_cli.screen import canvas
from tests.client_cli.screen import test_snapshots as screens

whole, cut = canvas.shortened, []

def noted(text, width):
    cut.extend([(text, width)] if whole(text, width) != text else [])
    return whole(text, width)

canvas.shortened = noted
faces = [make() for make in screens.SCREENS.values()]
faces += [screens.begun(game, 10).press(key).face for game in ("sir-tommy", "strategy+redeal", "maria") for key in "hsxq?"]
for face in faces:
    screens.text_of(face, 80, 24, 2.0)
print(cut)
"""


@pytest.mark.parametrize("spoken", ["en", "de", "es"])
def test_nothing_is_cut_off_at_80_columns(spoken: str) -> None:
    code = CUTS.format(spoken=spoken)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    assert done.stdout == "[]\n"
