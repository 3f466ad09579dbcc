"""The workflow that builds wheels is valid YAML, and every step does one thing."""

from __future__ import annotations

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = yaml.load((ROOT / ".github/workflows/wheels.yml").read_text(), yaml.BaseLoader)


def test_wheels_are_built_on_the_three_systems():
    systems = WORKFLOW["jobs"]["wheels"]["strategy"]["matrix"]["os"]
    assert {one.partition("-")[0] for one in systems} == {"ubuntu", "macos", "windows"}
    steps = WORKFLOW["jobs"]["wheels"]["steps"]
    assert any("-m cibuildwheel" in step.get("run", "") for step in steps)


def test_every_step_runs_a_command_or_uses_an_action_of_a_version():
    assert set(WORKFLOW) == {"name", "on", "permissions", "jobs"}
    for job in WORKFLOW["jobs"].values():
        assert job["runs-on"]
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            assert "uses" not in step or step["uses"].partition("@")[2]
            assert "run" not in step or "with" not in step
