#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/database-test.py BIN

Arm's counter database, as files of the form that its repository has (elements, names of files, keys), is generated from the
built-in tables; BIN/panthor-perf-fake has to read the same counters and formulas of each product from it. Prints "ok NAME"
or "not ok NAME - why".
"""

import json
import os
import re
import sys
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from program import check, equal, main, write  # noqa: E402

# Id, names, key of its layout, as the database of 2026-03 has them.
PRODUCTS = (
    ("0xa004", "Mali-G310", "Mali-G710"), ("0xa003", "Mali-G510", "Mali-G710"), ("0xa007", "Mali-G610", "Mali-G710"),
    ("0xa002", "Mali-G710", "Mali-G710"), ("0xb003", "Mali-G615", "Mali-G715"),
    ("0xb002", "Mali-G715 Immortalis-G715", "Mali-G715"), ("0xc001", "Mali-G620", "Mali-G720"),
    ("0xc000", "Mali-G720 Immortalis-G720", "Mali-G720"), ("0xd001", "Mali-G625", "Mali-G725"),
    ("0xd000", "Mali-G725 Immortalis-G925", "Mali-G725"), ("0xe003", "Mali G1-Pro", "Mali G1"),
    ("0xe001", "Mali G1-Premium", "Mali G1"), ("0xe000", "Mali G1-Ultra", "Mali G1"),
)
BLOCKS = {"cshw": "GPU Front-end", "tiler": "Tiler", "memsys": "Memory System", "shader": "Shader Core"}
CONSTANTS = {"NCORE": "MALI_CONFIG_SHADER_CORE_COUNT", "NL2": "MALI_CONFIG_L2_CACHE_COUNT",
             "BUSBYTES": "MALI_CONFIG_EXT_BUS_BYTE_SIZE", "TSPAN": "MALI_CONFIG_TIME_SPAN"}


def tables(program):
    """The built-in table of each key."""
    return {key: json.loads(program.output("list", "-j", "--gpu", key.removeprefix("Mali-").removeprefix("Mali ")))
            for key in sorted({key for _id, _name, key in PRODUCTS})}


def hardware(table):
    """Those that a row of a layout can have: the primary set of the database's blocks."""
    return [c for c in table["counters"] if c["block"] in BLOCKS and c["set"] == "primary" and c.get("source")]


def is_plain(formula, table):
    """It uses counters, constants and functions: the tables' own helpers are nothing that the database has."""
    known = {c["name"] for c in hardware(table) + table["derived"]} | set(CONSTANTS) | {"min", "max"}
    return all(word in known for word in re.findall(r"[A-Za-z_]\w*", formula))


def equation(formula):
    return re.sub(r"\b(NCORE|NL2|BUSBYTES|TSPAN)\b", lambda m: CONSTANTS[m[1]], formula)


def generate(tables_of):
    os.makedirs("database/hardwarelayout")
    os.makedirs("database/counterinfo")
    write("database/Mali-ProductInfo.xml", "<ProductInfoList>\n" + "".join(
        f"  <ProductInfo><Id>{number}</Id><Name>{name}</Name><Architecture>CSF</Architecture>"
        f"<DatabaseKey>{key}</DatabaseKey><Visibility>Public</Visibility><ReleaseYear>2024</ReleaseYear></ProductInfo>\n"
        for number, name, key in PRODUCTS) + "</ProductInfoList>\n")
    counters = {}
    for key, table in tables_of.items():
        rows = []
        for block, title in BLOCKS.items():
            mine = [c for c in hardware(table) if c["block"] == block]
            rows.append(f'  <CounterBlock type="{title}" bank="0" size="128">\n' + "".join(
                f'    <Counter name="{c["source"]}" index="{c["index"]}"'
                f'{f""" shift="{c["shift"]}" """.rstrip() if c["shift"] else ""}/>\n' for c in mine) + "  </CounterBlock>\n")
        write(f"database/hardwarelayout/{key}.xml", f'<HardwareLayout gpu="{key}">\n{"".join(rows)}</HardwareLayout>\n')
        for c in hardware(table) + [c for c in table["derived"] if is_plain(c["formula"], table)]:
            counters.setdefault((c["name"], c.get("source"), c.get("formula"), c["title"], c["unit"]), []).append((key, c))
    for number, start in enumerate(range(0, len(counters), 200)):
        infos = []
        for (name, source, formula, title, unit), entries in list(counters.items())[start:start + 200]:
            gpus = "".join(f"<GPU>{key}</GPU>" for key, _c in entries)
            infos.append(
                f"  <CounterInfo>\n    <MachineName>{name}</MachineName>\n" +
                (f"    <SourceName>{source}</SourceName>\n" if source and not formula else "") +
                f"    <StableID>1</StableID>\n    <HumanName>{escape(title)}</HumanName>\n"
                f"    <GroupName>{escape(entries[0][1].get('group') or 'Counters')}</GroupName>\n    <Units>{unit}</Units>\n" +
                (f"    <Equation>{escape(equation(formula))}</Equation>\n" if formula else "") +
                f"    <ShortDescription>{escape(title)}.</ShortDescription>\n    <SupportedGPUs>{gpus}</SupportedGPUs>\n"
                "  </CounterInfo>\n")
        write(f"database/counterinfo/Mali-CounterInfo-{number:02}x-All.xml",
              f"<CounterInfoList>\n{''.join(infos)}</CounterInfoList>\n")


def shape(counters, derived):
    return ({(c["block"], c["index"], c["name"], c["unit"], c["shift"]) for c in counters},
            {(c["name"], c["unit"], re.sub(r"\s+", " ", c["formula"])) for c in derived})


def test_all(program):
    tables_of = tables(program)
    generate(tables_of)
    rows = formulas = 0
    for number, names, key in PRODUCTS:
        want = shape(hardware(tables_of[key]), [c for c in tables_of[key]["derived"] if is_plain(c["formula"], tables_of[key])])
        gpu = f"0x{int(number, 16) << 16:08x}"
        status, out, err = program.run("list", "-j", "--gpu", gpu, "--counters", "database")
        got = json.loads(out) if not status else {"counters": [], "derived": []}
        have = shape([c for c in got["counters"] if c["block"] in BLOCKS and c["set"] == "primary"], got["derived"])
        check(not status and have[0] == want[0], f"{names}: the counters of {key}",
              f"{err} {len(have[0])} of {len(want[0])}: {sorted(want[0] ^ have[0])[:4]}")
        check(want[1] <= have[1], f"{names}: its formulas", f"{len(want[1] & have[1])} of {len(want[1])}: "
              f"{sorted(want[1] - have[1])[:3]} {err}")
        rows += len(have[0])
        formulas += len(have[1])
    check(rows > 1000 and formulas > 300, f"{len(PRODUCTS)} products, {rows} counters, {formulas} formulas", "too few")
    # A product that the database does not have is read from the built-in tables, with a note.
    lines = open("database/Mali-ProductInfo.xml", encoding="utf-8").read().splitlines(True)
    write("database/Mali-ProductInfo.xml", "".join(line for line in lines if "0xa007" not in line))
    status, out, err = program.run("list", "-j", "--gpu", "0xa8670005", "--counters", "database")
    equal((status, json.loads(out)["gpu"] if not status else None), (0, "Mali-G610"), "a product that is missing: the built-in table")
    check("database" in err and "the built-in table is used" in err, "a product that is missing: a note", err)


if __name__ == "__main__":
    sys.exit(main(__doc__, sys.argv, test_all))
