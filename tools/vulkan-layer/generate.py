#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Generate what the layer has to know about each structure and command of Vulkan.

usage: generate.py version | structs | extensions | table | slots | commands | copies | missing VK_XML

VK_XML is Vulkan's registry, of the same version as the headers.

version prints the version of Vulkan, such as 1.4.309.

structs prints struct_size(): the size of a structure by its VkStructureType. The chain that an application passes may
be in memory that cannot be written, so that the layer copies it to change a member.

extensions prints splits_with(): whether the registry has an extension, and the layer so its commands, and none of WHOLE.

table prints struct command_functions, with a pointer for each command that is recorded into a command buffer.

slots prints the first of the slots of each command that sets state (state.h), by the table of commands,
commands.table.

commands prints a function for each of these. It passes the command on to the part of the command buffer that is
recorded (split.h). One that sets state copies its arguments, so that it can be recorded again into the next part. And it
prints the names of those that say of which type a command buffer is.

copies prints the layouts of the structures that a submission may have in its chains (chains.c): their size, and what
their pointers refer to.

missing prints the names of commands that the table of commands does not have, and of structures of submissions that are
in no list here."""

import os
import re
import sys
import xml.etree.ElementTree as xml

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands.table")
# Bind points, see state.h.
POINTS = 6
# Extensions whose commands were taken over without the suffix.
SUFFIX = re.compile(r"(KHR|EXT)$")


class Param:
    """A parameter of a command, or a member of a structure."""

    def __init__(self, node):
        self.type = node.find("type").text
        self.name = node.find("name").text
        self.text = re.sub(r"\s+", " ", "".join(part for child in [node] for part in texts(child))).strip()
        self.stars = self.text.count("*")
        length = node.get("altlen") or node.get("len") or ""
        self.length = length.split(",")[0] if length and not length.startswith("latexmath") else ""
        self.values = node.get("values")
        self.array = re.search(r"\[([^\]]*)\]$", self.text)

    def is_plain(self):
        return not self.stars and not self.array


def texts(node):
    """The text of a node without its comments."""
    yield node.text or ""
    for child in node:
        if child.tag != "comment":
            yield from texts(child)
        yield child.tail or ""


def of_vulkan(node):
    return "vulkan" in node.get("api", "vulkan").split(",")


def names_of(node):
    """What a feature or an extension has."""
    return {part.get("name") for require in node.findall("require") if of_vulkan(require)
            for part in require if of_vulkan(part)}


class Registry:
    """What an application can use on this platform."""

    def __init__(self, path):
        root = xml.parse(path).getroot()
        used = set()
        for feature in root.findall("feature"):
            if of_vulkan(feature):
                used |= names_of(feature)
        for extension in root.findall("extensions/extension"):
            if "vulkan" in extension.get("supported").split(",") and not extension.get("platform") \
                    and not extension.get("provisional"):
                used |= names_of(extension)
        defines = {node.find("name").text: "".join(texts(node)) for node in root.findall("types/type[@category='define']")
                   if node.find("name") is not None and of_vulkan(node)}
        self.version = re.search(r"\(0, (\d+), (\d+),", defines["VK_HEADER_VERSION_COMPLETE"]).groups() + \
            (re.search(r"VK_HEADER_VERSION (\d+)", defines["VK_HEADER_VERSION"])[1],)
        self.extensions = [node.get("name") for node in root.findall("extensions/extension")
                           if "vulkan" in node.get("supported").split(",") and not node.get("provisional")]
        self.structs, self.commands, self.extends = {}, {}, {}
        for node in root.findall("types/type[@category='struct']"):
            if node.get("name") in used and of_vulkan(node) and not node.get("alias"):
                self.structs[node.get("name")] = [Param(member) for member in node.findall("member") if of_vulkan(member)]
                self.extends[node.get("name")] = (node.get("structextends") or "").split(",")
        aliases = {}
        for node in root.findall("commands/command"):
            if node.get("alias"):
                aliases[node.get("name")] = node.get("alias")
            elif of_vulkan(node):
                self.commands[node.find("proto/name").text] = \
                    (node.find("proto/type").text, [Param(param) for param in node.findall("param") if of_vulkan(param)])
        self.commands |= {name: self.commands[alias] for name, alias in aliases.items() if alias in self.commands}
        self.aliases = aliases
        self.commands = {name: self.commands[name] for name in sorted(self.commands) if name in used}

    def has_pointers(self, name):
        return any(member.stars or self.has_pointers(member.type) for member in self.structs.get(name, []))

    def has_chain(self, name):
        return any(member.name == "pNext" for member in self.structs.get(name, []))

    def is_flat(self, name):
        """No pointers but for that of a chain."""
        return name not in self.structs or all(
            member.name == "pNext" or (not member.stars and not self.has_pointers(member.type))
            for member in self.structs[name])


def print_structs(registry):
    print("static inline size_t struct_size(VkStructureType type)\n{\n\tswitch ((int)type) {")
    for name, members in registry.structs.items():
        if members and members[0].name == "sType" and members[0].values:
            print(f"\tcase {members[0].values}:\n\t\treturn sizeof({name});")
    print("\tdefault:\n\t\treturn 0;\n\t}\n}")


# Structures of a submission belong to a command buffer as a whole: with one of these enabled none is split.
WHOLE = ("VK_ARM_render_pass_striped",)
# The layer offers it, and the oldest headers do not have it. It has no commands.
OFFERED = ("VK_EXT_frame_boundary",)


def print_extensions(registry):
    print("static inline bool splits_with(const char *name)\n{\n\tstatic const char *const known[] = {")
    for name in dict.fromkeys([*registry.extensions, *OFFERED]):
        if name not in WHOLE:
            print(f'\t\t"{name}",')
    print("\t};\n\n\tfor (size_t i = 0; i < COUNT(known); i++) {\n\t\tif (!strcmp(known[i], name))\n\t\t\treturn true;\n"
          "\t}\n\treturn false;\n}")


class Unknown(Exception):
    """Arguments that cannot be copied."""


def copies_of(registry, params):
    """Return for each pointer of a command that sets state: (name, type, count, members), whose members likewise."""
    copies = []
    for param in params:
        if not param.stars:
            continue
        count = param.length or "1"
        if param.stars > 1 or param.type == "void" and not param.length:
            raise Unknown
        members = []
        if not registry.is_flat(param.type):
            for member in registry.structs[param.type]:
                if member.name == "pNext" or not member.stars and not registry.has_pointers(member.type):
                    continue
                parts = [member]
                begin = ""
                if not member.stars:
                    parts = [part for part in registry.structs[member.type] if part.stars]
                    begin = member.name + "."
                for part in parts:
                    if part.stars > 1 or not part.length or not registry.is_flat(part.type) or \
                            registry.has_chain(part.type):
                        raise Unknown
                    members.append((begin + part.name, part.type, f"{param.name}[i].{begin}{part.length}", []))
        copies.append((param.name, param.type, count, members))
    return copies


def count_of(kind, count):
    return f"{count}, sizeof({'char' if kind == 'void' else kind})"


def size_of(kind, count):
    return f"(size_t)({count}) * sizeof({'char' if kind == 'void' else kind})"


class Row:
    """A row of the table of commands."""

    def __init__(self, line):
        words = line.split()
        self.kind, self.name = words[0], words[1]
        state = self.kind == "state"
        self.selectors = [word.split(":", 1) for word in words[2:]] if state else []
        self.type = "" if state or len(words) < 3 else f"TYPE_BIT(TYPE_{words[2].upper()})"

    def has_points(self):
        return any(kind in ("point", "stages") for kind, _ in self.selectors)

    def sizes(self):
        """Number of slots of each selector."""
        return [int(value.split(",")[1 if kind == "bits" else 2]) if kind != "all" else 1
                for kind, value in self.selectors if kind in ("range", "words", "list", "bits", "each", "all")] or [1]

    def slots(self):
        return sum(self.sizes()) * (POINTS if self.has_points() else 1)


class Table:
    """The table of commands."""

    def __init__(self):
        with open(TABLE) as file:
            rows = [Row(line) for line in file if line.strip() and not line.startswith("#")]
        self.rows = {row.name: row for row in rows}

    def find(self, registry, name):
        for known in (name, registry.aliases.get(name, name), SUFFIX.sub("", name)):
            if known in self.rows:
                return self.rows[known]
        return None


def commands_of(registry):
    return {name: command for name, command in registry.commands.items() if name.startswith("vkCmd")}


def slot_of(row):
    return "SLOT_" + row.name[2:]


def print_slots(registry):
    slots = 0
    for row in Table().rows.values():
        if row.kind == "state":
            print(f"#define {slot_of(row)}\t{slots}")
            slots += row.slots()
    print(f"\n#define SLOT_COUNT\t{slots}")


def again_of(row):
    """The first slot of what a call sets, their number, and the condition for that, if slots follow each other."""
    selectors = [(kind, value.split(",")) for kind, value in row.selectors]
    base, conditions = slot_of(row), []
    if row.has_points():
        selectors.pop(0)
        base += f" + __builtin_ctz(points) * {sum(row.sizes())}"
        conditions.append("points && !(points & (points - 1))")
    if not selectors:
        return base, "1", conditions
    kind, value = selectors[0]
    if len(selectors) > 1 or kind not in ("range", "words") or len(value) > 3:
        return None
    first, count = (value[0], value[1]) if kind == "range" else (f"{value[0]} / 4", f"(uint32_t)({value[1]} + 3) / 4")
    conditions.append(f"{first} < {value[2]} && {count} <= {value[2]} - {first}")
    if count != "1":
        conditions.append(f"{count}")
    return f"{base} + {first}", count, conditions


def print_own(row, table):
    """Print the code that gives slots to a record."""
    base, indent = slot_of(row), "\t"
    for kind, value in row.selectors:
        if kind == "ends":
            other = table.rows[value]
            print(f"\tstate_end_range(state, {slot_of(other)}, {other.slots()});")
    selectors = [(kind, value.split(",")) for kind, value in row.selectors if kind != "ends"]
    if row.has_points():
        selectors.pop(0)
        print("\tknown &= points != 0;")
        print(f"\tfor (unsigned int point = 0; point < {POINTS}; point++) {{")
        print("\t\tif (!(points & 1 << point))\n\t\t\tcontinue;")
        base, indent = f"{base} + point * {sum(row.sizes())}", "\t\t"
    offset = 0
    for (kind, value), size in zip(selectors or [("all", [])], row.sizes()):
        slot = f"{base} + {offset}" if offset else base
        if kind == "all":
            print(f"{indent}state_own(state, record, {slot});")
        elif kind == "range" and len(value) == 3:
            print(f"{indent}known &= state_own_range(state, record, {slot}, {size}, {value[0]}, {value[1]});")
        elif kind == "range":
            print(f"{indent}for (uint32_t i = 0; known && i < {value[1]}; i++) {{")
            print(f"{indent}\tif ({value[3]})")
            print(f"{indent}\t\tknown &= state_own_range(state, record, {slot}, {size}, {value[0]} + i, 1);")
            print(f"{indent}}}")
        elif kind == "each":
            print(f"{indent}for (uint32_t i = 0; i < {value[1]}; i++)")
            print(f"{indent}\tknown &= state_own_range(state, record, {slot}, {size}, {value[0]}, 1);")
        elif kind == "words":
            print(f"{indent}known &= state_own_range(state, record, {slot}, {size}, {value[0]} / 4, "
                  f"((size_t){value[1]} + 3) / 4);")
        elif kind == "bits":
            print(f"{indent}for (unsigned int i = 0; i < {size}; i++) {{")
            print(f"{indent}\tif ({value[0]} & 1u << i)\n{indent}\t\tstate_own(state, record, {slot} + i);\n{indent}}}")
        elif kind == "list":
            print(f"{indent}for (uint32_t i = 0; i < {value[1]}; i++)")
            print(f"{indent}\tstate_own(state, record, {slot} + __builtin_ctz({value[0]}[i] | 1u << {size - 1}));")
        offset += size
    if row.has_points():
        print("\t}")


def print_fill(short, own, copies):
    """Copy the arguments."""
    print(f"static inline __attribute__((always_inline)) void fill_{short}(struct args_{short} *args, "
          f"{', '.join(param.text for param in own)})\n{{")
    print("\tchar *at = (char *)args + ALIGNED(sizeof(*args));\n")
    for param in own:
        if param.array:
            print(f"\tmemcpy((void *)args->{param.name}, {param.name}, sizeof(args->{param.name}));")
        elif not param.stars:
            print(f"\targs->{param.name} = {param.name};")
    for pointer, kind, count, members in copies:
        print(f"\targs->{pointer} = split_copy(&at, {pointer}, {count_of(kind, count)});")
        for member, member_kind, member_count, _ in members:
            print(f"\tfor (uint32_t i = 0; {pointer} && i < {count}; i++)")
            print(f"\t\t(({kind} *)args->{pointer})[i].{member} = split_copy(&at, {pointer}[i].{member}, "
                  f"{count_of(member_kind, member_count)});")
    print("\t(void)at;\n}\n")


def print_save(registry, table, row, short, own, copies):
    """Save a command that sets something else than the same one before."""
    print(f"static __attribute__((noinline)) void save_{short}(VkCommandBuffer handle, size_t bytes, "
          f"{', '.join(param.text for param in own)})\n{{")
    print("\tconst struct target target = split_target(handle);\n\tstruct state *state = target.state;")
    print("\tstruct record *record;\n\tbool known = true;")
    if row.has_points():
        print("\tunsigned int points;")
    print()
    for pointer, kind, count, _ in copies:
        if registry.has_chain(kind):
            print(f"\tif (split_has_chain({pointer}, {count}, sizeof(*{pointer}))) {{")
            print("\t\tsplit_whole(&target);\n\t\treturn;\n\t}")
    print(f"\trecord = state_record(state, replay_{short}, bytes);")
    print("\tif (!record) {\n\t\tsplit_whole(&target);\n\t\treturn;\n\t}")
    print(f"\tfill_{short}((void *)record->args, {', '.join(param.name for param in own)});")
    print_points(row)
    print_own(row, table)
    print("\tstate_recorded(state, record);\n\tif (!known)\n\t\tsplit_whole(&target);\n}\n")


def print_points(row):
    for kind, value in row.selectors:
        if kind in ("point", "stages"):
            print(f"\tpoints = state_{'point' if kind == 'point' else 'points'}({value});")


def print_state(registry, table, row, name, params):
    """The function of a command that sets state."""
    short = name[2:]
    own = params[1:]
    try:
        copies = copies_of(registry, own)
    except Unknown:
        print_plain(name, "void", params, "split_whole(&target);")
        return
    arguments = ", ".join(param.name for param in own)
    print(f"struct args_{short} {{")
    for param in own:
        print(f"\t{param.text};")
    print("};\n")
    print(f"static void replay_{short}(struct device *device, VkCommandBuffer handle, const void *data)\n{{")
    print(f"\tconst struct args_{short} *args = data;\n")
    print(f"\tdevice->commands.{short}(handle, {', '.join('args->' + param.name for param in own)});\n}}\n")
    print_fill(short, own, copies)
    print_save(registry, table, row, short, own, copies)
    # Saved first, so that the call is the last thing to do.
    print_head(short, "void", params)
    print("\tconst struct target target = split_target(commandBuffer);")
    print(f"\tsize_t bytes = ALIGNED(sizeof(struct args_{short}));\n\tstruct record *record = NULL;")
    again = again_of(row)
    if again and row.has_points():
        print("\tunsigned int points;")
    print("\n\tif (!target.state)\n\t\tgoto call;")
    for pointer, kind, count, members in copies:
        print(f"\tbytes += {pointer} ? ALIGNED({size_of(kind, count)}) : 0;")
        for member, member_kind, member_count, _ in members:
            print(f"\tfor (uint32_t i = 0; {pointer} && i < {count}; i++)")
            print(f"\t\tbytes += {pointer}[i].{member} ? ALIGNED({size_of(member_kind, member_count)}) : 0;")
    if again:
        print_points(row)
        slot, count, conditions = again
        conditions += [f"!split_has_chain({pointer}, {count}, sizeof(*{pointer}))"
                       for pointer, kind, count, _ in copies if registry.has_chain(kind)]
        begin = f"\tif ({' && '.join(conditions)})\n\t" if conditions else ""
        print(f"{begin}\trecord = state_again(target.state, replay_{short}, bytes, {slot}, {count});")
    print(f"\tif (record)\n\t\tfill_{short}((void *)record->args, {arguments});")
    print(f"\telse\n\t\tsave_{short}(commandBuffer, bytes, {arguments});")
    print("call:")
    print_call("", short, params)
    print("}\n")


def print_head(short, result, params):
    # Fixed arrays are parameters that are pointers.
    print(f"static VKAPI_ATTR {result} VKAPI_CALL split_{short}({', '.join(param.text for param in params)})\n{{")


def print_call(begin, short, params):
    # Another command buffer that is recorded.
    names = ", ".join(f"split_target({param.name}).handle" if param.type == "VkCommandBuffer" and param.is_plain()
                      else param.name for param in params[1:])
    print(f"\t{begin}target.device->commands.{short}(target.handle{', ' if names else ''}{names});")


def print_plain(name, result, params, then="", how="split_target(commandBuffer)"):
    short = name[2:]
    print_head(short, result, params)
    print(f"\tconst struct target target = {how};\n")
    print_call("return " if result != "void" else "", short, params)
    if then:
        print(f"\t{then}")
    print("}\n")


def print_command(registry, table, name, result, params):
    row = table.find(registry, name)
    if not row:
        print_plain(name, result, params, how=f'split_unknown(commandBuffer, "{name}")')
    elif row.kind == "state":
        print_state(registry, table, row, name, params)
    elif row.kind in ("work", "draw"):
        print_plain(name, result, params, how=f'split_{row.kind}(commandBuffer, "{name}", {row.type or 0})')
    elif row.kind in ("scope-begin", "scope-end"):
        print_plain(name, result, params, how=f"split_{row.kind[6:]}_scope(commandBuffer)")
    elif row.kind == "pass-begin":
        flags = next((f"{param.name}->flags" for param in params if param.type == "VkRenderingInfo"), "0")
        print_plain(name, result, params, how=f"split_begin_pass(commandBuffer, {flags})")
    elif row.kind == "pass-end":
        print_plain(name, result, params, how="split_end_pass(commandBuffer)")
    elif row.kind == "none":
        print_plain(name, result, params)
    else:
        sys.exit(f"{TABLE}: '{row.kind}' is no kind of command")


def print_commands(registry):
    table = Table()
    rows = {name: table.find(registry, name) for name in commands_of(registry)}
    names = [name for name, row in rows.items() if not row or row.kind != "hand"]
    for name in names:
        print_command(registry, table, name, *registry.commands[name])
    print("static const struct function functions[] = {")
    for name in names:
        print(f'\t{{ "{name}", (PFN_vkVoidFunction)split_{name[2:]} }},')
    print("};\n\nstatic const char *const typed[] = {")
    for name, row in rows.items():
        if row and (row.type or row.kind in ("pass-begin", "pass-end") or name == "vkCmdExecuteCommands"):
            print(f'\t"{name}",')
    print("};")


def print_missing(registry):
    """The commands without a row, and the structures of submissions that are in no list."""
    table = Table()
    for name in commands_of(registry):
        if not table.find(registry, name):
            print(name)
    for name in registry.structs:
        if set(registry.extends[name]) & set(SUBMISSIONS) and name not in CHAINED and name not in NEWER:
            print(name)


def print_table(registry):
    # The layer's own functions are also for commands that are newer than the registry.
    newer = [row.name for row in Table().rows.values() if row.kind == "hand" and row.name not in registry.commands]
    print("struct command_functions {")
    for name in commands_of(registry):
        print(f"\tPFN_{name} {name[2:]};")
    for name in newer:
        print(f"\tPFN_vkVoidFunction {name[2:]};")
    print("};\n\n#define COMMAND_FUNCTIONS(X) \\")
    for name in [*commands_of(registry), *newer]:
        print(f"\tX({name[2:]}) \\")
    print()


# Structures that a submission has.
SUBMISSIONS = ("VkSubmitInfo", "VkSubmitInfo2", "VkSemaphoreSubmitInfo", "VkCommandBufferSubmitInfo", "VkBindSparseInfo")
# Those in their chains, which submissions.c gives to all pieces of a submission, to the last one, or makes again.
CHAINED = ("VkAmigoProfilingSubmitInfoSEC", "VkDeviceGroupBindSparseInfo", "VkDeviceGroupSubmitInfo",
           "VkPerformanceQuerySubmitInfoKHR", "VkProtectedSubmitInfo", "VkTimelineSemaphoreSubmitInfo")
# Those that are newer than the oldest headers that the layer is built with: the number of the type, and each member behind
# the chain with the member that counts what it points to.
NEWER = {
    "VkFrameBoundaryEXT": (1000375001, (
        ("VkFlags flags", ""), ("uint64_t frameID", ""), ("uint32_t imageCount", ""),
        ("const uint64_t *pImages", "imageCount"), ("uint32_t bufferCount", ""),
        ("const uint64_t *pBuffers", "bufferCount"), ("uint64_t tagName", ""), ("size_t tagSize", ""),
        ("const void *pTag", "tagSize"))),
    "VkFrameBoundaryTensorsARM": (1000460023, (
        ("uint32_t tensorCount", ""), ("const uint64_t *pTensors", "tensorCount"))),
    "VkLatencySubmissionPresentIdNV": (1000505005, (("uint64_t presentID", ""),)),
    "VkRenderPassStripeSubmitInfoARM": (1000424004, (
        ("uint32_t stripeSemaphoreInfoCount", ""),
        ("const VkSemaphoreSubmitInfo *pStripeSemaphoreInfos", "stripeSemaphoreInfoCount"))),
    "VkThrottleHintSubmitInfoSEC": (1000674001, (("uint32_t throttleHint", ""),)),
}


def print_layout(registry, name, kind, number, pointers):
    """Print the layout of one structure. pointers: (member, type that it points to, member that counts)."""
    rows = []
    for member, target, count in pointers:
        counted = f"offsetof({kind}, {count}), sizeof((({kind} *)0)->{count})" if count else "0, 0"
        size = "1" if target == "void" else f"sizeof(*(({kind} *)0)->{member})"
        known = target in registry.structs and (registry.has_pointers(target) or registry.has_chain(target))
        layout = f"&layout_{target}" if known else "NULL"
        rows.append(f"\t{{ offsetof({kind}, {member}), {counted}, {size}, {layout} }},")
    if rows:
        print(f"static const struct chain_pointer pointers_{name}[] = {{\n" + "\n".join(rows) + "\n};\n")
    where, count = (f"pointers_{name}", f"COUNT(pointers_{name})") if rows else ("NULL", "0")
    print(f"static const struct chain_layout layout_{name} = {{\n\t{number}, sizeof({kind}), {where}, {count},\n}};\n")


def print_copies(registry):
    printed, chained = set(), []

    def visit(name):
        """Print the layouts that one refers to, and then itself."""
        if name in printed:
            return
        printed.add(name)
        members = registry.structs[name]
        number = members[0].values if members[0].name == "sType" else "0"
        if any(member.stars > 1 or not member.stars and registry.has_pointers(member.type) for member in members):
            return
        pointers = [(member.name, member.type, member.length) for member in members
                    if member.stars and member.name != "pNext"]
        for _, target, _ in pointers:
            if target in registry.structs and (registry.has_pointers(target) or registry.has_chain(target)):
                visit(target)
        print_layout(registry, name, name, number, pointers)
        if number != "0":
            chained.append(name)

    for name in registry.structs:
        if name == "VkBindSparseInfo" or set(registry.extends[name]) & set(SUBMISSIONS):
            visit(name)
    for name, (number, members) in NEWER.items():
        kind = f"struct newer_{name}"
        print(f"{kind} {{\n\tVkStructureType sType;\n\tconst void *pNext;")
        print("\n".join(f"\t{text};" for text, _ in members) + "\n};\n")
        if name in registry.structs:
            print(f"_Static_assert(sizeof({kind}) == sizeof({name}) && {number} == {registry.structs[name][0].values}, "
                  f'"{name}");\n')
            continue
        visit("VkSemaphoreSubmitInfo")
        pointers = [(re.search(r"\w+$", text)[0], re.search(r"\w+(?= \*)", text)[0], count)
                    for text, count in members if count]
        print_layout(registry, name, kind, number, pointers)
        chained.append(name)
    print("static const struct chain_layout *const layouts[] = {\n" +
          "\n".join(f"\t&layout_{name}," for name in chained) + "\n};")


def main():
    if sys.argv[1:2] == ["version"] and len(sys.argv) == 3:
        print(".".join(Registry(sys.argv[2]).version))
        return
    if sys.argv[1:2] == ["missing"] and len(sys.argv) == 3:
        print_missing(Registry(sys.argv[2]))
        return
    kinds = {"structs": print_structs, "extensions": print_extensions, "table": print_table, "slots": print_slots,
             "commands": print_commands, "copies": print_copies}
    if len(sys.argv) != 3 or sys.argv[1] not in kinds:
        sys.exit("usage: generate.py version | structs | extensions | table | slots | commands | copies | missing VK_XML")
    print("/* SPDX-License-Identifier: GPL-2.0 or MIT */\n/* Generated by tools/vulkan-layer/generate.py */\n")
    kinds[sys.argv[1]](Registry(sys.argv[2]))


if __name__ == "__main__":
    main()
