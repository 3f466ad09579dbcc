"""What `tests/each.py` makes of a test: it runs every case, and names those that fail."""

from __future__ import annotations

import pytest

from tests.each import each

SEEN = []


@pytest.fixture
def two():
    return 2


@each("x, y", [(k, k) for k in range(5)], by=lambda x, y: "odd" if x % 2 else "even", few=2)
def test_all_cases_run(two, x, y):
    assert x == y < 3 * two


def groups(test):
    return {one.id: one for mark in test.pytestmark for one in mark.args[1]}


def test_groups_have_names_and_all_but_a_few_cases_are_slow():
    found = groups(test_all_cases_run)
    assert {name: [case[0] for case in one.values[0]] for name, one in found.items()} == {
        "even": [0, 2],
        "even, others": [4],
        "odd": [1, 3],
    }
    assert [name for name, one in found.items() if one.marks] == ["even, others"]
    assert [*groups(each("case", range(5), size=2)(failing))] == ["from 0", "from 2", "from 4"]


def test_several_groups_may_be_one_test():
    test = each("case", range(5), by=lambda case: case % 3, few=1, together=2)(failing)
    found = {name: [case[0] for case in one.values[0]] for name, one in groups(test).items()}
    assert found == {"0 1": [0, 1], "0 1, others": [3, 4], "2": [2]}


def failing(case):
    if case == "fails":
        assert case == "right"
    if case == "does not raise":
        with pytest.raises(ValueError, match="x"):
            pass
    if case == "skips":
        pytest.skip("because")
    if case == "raises":
        raise OSError("no file")
    SEEN.append(case)


def test_every_failure_is_reported_and_no_case_after_it_is_lost():
    SEEN.clear()
    cases = ["fails", "one", "does not raise", "skips", "raises", "two"]
    test = each("case", cases)(failing)
    with pytest.raises(pytest.fail.Exception) as caught:
        test([(case,) for case in cases])
    said = str(caught.value)
    assert SEEN == ["one", "two"]
    assert said.startswith("4 of 6 cases failed:\n\nfails\n")
    for part in (
        "assert 'fails' == 'right'",
        "does not raise\n",
        "DID NOT RAISE",
        "skips\nit skips itself",
        "raises\n",
        "OSError: no file",
    ):
        assert part in said
    test([("one",)])


def test_a_wrong_name_of_an_argument_is_an_error():
    with pytest.raises(AssertionError, match="failing takes case"):
        each("cas", [1])(failing)
