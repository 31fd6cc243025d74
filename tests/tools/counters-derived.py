#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/counters-derived.py BIN

Compares the derived counters of the tables that are compiled in with counters-formulas.csv, which
has each formula in full. They are evaluated here as exact fractions, by Python's own grammar, for
random inputs, and by BIN/counters-eval. Also: which counters each needs, that the lists are the same,
and that a division by 0 leaves "no value", but for 0 / 0, which is 0.
Prints "ok NAME" or "not ok NAME - why", with a result for each
formula, whatever number of tables has it.
"""

import ast
import csv
import os
import random
import subprocess
import sys
from collections import namedtuple
from fractions import Fraction

ROUNDS = 20
TABLES = ("G710", "G715", "G720", "G725", "G1", "G2")
CONSTANTS = {"NCORE": 24, "NL2": 8, "BUSBYTES": 64, "NNX": 24, "TSPAN": 3 * 10**9, "TOPCY": 10**10}
Row = namedtuple("Row", "tables name unit formula")
failed = False


def check(good, name, why=""):
    global failed
    print(f"ok {name}" if good else f"not ok {name} - {why}")
    failed |= not good


def evaluate(node, values):
    """The value of a formula as a fraction, by Python's syntax tree; None: it has none."""
    if isinstance(node, ast.Expression):
        return evaluate(node.body, values)
    if isinstance(node, ast.Constant):
        return Fraction(node.value)
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.Call):
        arguments = [evaluate(argument, values) for argument in node.args]
        if None in arguments:
            return None
        return {"max": max, "min": min}[node.func.id](arguments)
    left, right = evaluate(node.left, values), evaluate(node.right, values)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Add):
        return left + right
    if isinstance(node.op, ast.Sub):
        return left - right
    if isinstance(node.op, ast.Mult):
        return left * right
    assert isinstance(node.op, ast.Div)
    if not right:
        return None if left else Fraction(0)
    return left / right


def names(tree):
    functions = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - functions


def close(text, expected, scale):
    """Is what the library says the value, to the accuracy of doubles of the inputs' size?"""
    if text == "none" or expected is None:
        return text == "none" and expected is None
    return abs(Fraction(float(text)) - expected) <= max(abs(expected), scale) * Fraction(1, 10**12)


def questions(tool, table, lines):
    run = subprocess.run([tool, table], input="\n".join(lines) + "\n", capture_output=True, text=True,
                         check=True)
    return run.stdout.splitlines()


def draw(generator):
    """Counters of all sizes, and now and then none."""
    kind = generator.random()
    if kind < 0.1:
        return 0
    return generator.randrange(1, 10 ** generator.randrange(1, 13))


def compare(tool, table, formulas, counters, wrong):
    generator = random.Random(table)
    trees = {name: ast.parse(row.formula, mode="eval") for name, row in formulas.items()}
    lines, expected = [], []
    for name, tree in trees.items():
        lines.append(f"inputs {name}")
    for _ in range(ROUNDS):
        inputs = {name: draw(generator) for name in counters}
        constants = {name: generator.randrange(1, limit) for name, limit in CONSTANTS.items()}
        lines += [f"set {name} {value}" for name, value in {**inputs, **constants}.items()]
        values = {name: Fraction(value) for name, value in {**inputs, **constants}.items()}
        values["TSPAN"] /= 10**9
        for name, tree in trees.items():
            lines.append(f"derived {name}")
            expected.append((name, evaluate(tree, values)))
    answers = questions(tool, table, lines)

    for (name, tree), answer in zip(trees.items(), answers):
        wanted = names(tree) - set(CONSTANTS)
        if set(answer.split()) != wanted:
            wrong[formulas[name]] = f"{table}: inputs '{answer}' instead of {sorted(wanted)}"
    answers = answers[len(trees):]
    if len(answers) != len(expected):
        check(False, f"{table} answers", f"{len(answers)} of {len(expected)}")

    none = 0
    for (name, value), answer in zip(expected, answers):
        none += value is None
        # What cancels out leaves the rounding of the largest terms, which is far below 1.
        if not close(answer, value, Fraction(1)):
            wrong[formulas[name]] = (f"{table}: {answer} instead of "
                                     f"{'none' if value is None else float(value)}")
    share = none / len(expected)
    check(0.02 < share < 0.5, f"{table} some have no value", f"{share:.0%}")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    tool = os.path.join(sys.argv[1], "counters-eval")
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "counters-formulas.csv"), encoding="ascii") as file:
        rows = [Row(**row) for row in csv.DictReader(line for line in file if not line.startswith("#"))]

    wrong = {}
    for table in TABLES:
        listed = subprocess.run([tool, "list", table], capture_output=True, text=True, check=True)
        fields = [line.split("\t") for line in listed.stdout.splitlines()]
        counters = [field[3] for field in fields if field[0] == "hardware"]
        units = {field[1]: field[3] for field in fields if field[0] == "derived"}
        formulas = {row.name: row for row in rows if table in row.tables.split()}
        check(units == {name: row.unit for name, row in formulas.items()},
              f"{table} has {len(formulas)} derived counters with their units",
              set(units.items()) ^ {(name, row.unit) for name, row in formulas.items()})
        compare(tool, table, formulas, counters, wrong)
    for row in rows:
        if not row.tables or not set(row.tables.split()) <= set(TABLES):
            wrong[row] = "there are other tables"
        check(row not in wrong, f"{row.name} of {row.tables}", wrong.get(row, ""))
    sys.exit(failed)


if __name__ == "__main__":
    main()
