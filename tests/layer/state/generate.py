#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Generate what the test of the layer's state has to know of the registry.

usage: generate.py VK_XML COMMANDS >registry.c
       generate.py VK_XML >extensions

VK_XML is Vulkan's registry, of the same version as the headers. COMMANDS is commands.txt.

Without COMMANDS, it prints the versions and extensions that an application can use, one a line. Otherwise the output has descriptions of structures (reflect.h), by which arguments are filled, copied and printed; and for each
command that is recorded into a command buffer its row of COMMANDS, a function that calls it, and the function of the
driver that saves its arguments. A command of the registry that has no row gets the class of "none" and is reported."""

import re
import sys
import xml.etree.ElementTree as xml

# Enumerants that arguments may have: the first ones of a type.
ENUMERANTS = 4
# What a row may say, beside its name, class, and the function that rules it.
OPTIONS = {"family", "first", "count", "core", "dynamic", "group"}
CLASSES = {"state", "work", "draw", "begin-pass", "end-pass", "in-pass", "begin-scope", "end-scope", "begin-coding",
           "end-coding", "execute", "none"}


def of_vulkan(node):
    return "vulkan" in node.get("api", "vulkan").split(",")


def texts(node):
    """The text of a node without its comments."""
    yield node.text or ""
    for child in node:
        if child.tag != "comment":
            yield from texts(child)
        yield child.tail or ""


def version_of(feature):
    return f"Vulkan-{feature.get('number')}"


class Member:
    """A parameter of a command, or a member of a structure."""

    def __init__(self, node, parameter):
        self.type = node.find("type").text
        self.name = node.find("name").text
        self.text = re.sub(r"\s+", " ", "".join(texts(node))).strip()
        self.stars = self.text.count("*")
        self.optional = "true" in node.get("optional", "")
        self.values = node.get("values")
        self.length = (node.get("altlen") or node.get("len") or "").split(",")[0]
        if "latexmath" in self.length:
            self.length = ""
        self.arrays = re.findall(r"\[([^\]]*)\]", self.text)
        self.bits = bool(re.search(r":\s*\d+$", self.text))
        self.declaration = self.text
        # A parameter that is a fixed array is a pointer.
        if parameter and self.arrays:
            assert len(self.arrays) == 1 and not self.stars
            self.length, self.arrays, self.stars = self.arrays[0], [], 1
            self.declaration = f"{self.text[:self.text.index(self.name)]}*{self.name}"


class Registry:
    """What an application can use on each platform."""

    def __init__(self, path):
        root = xml.parse(path).getroot()
        self.types, self.commands, self.providers = set(), [], {}
        for part in root.findall("feature") + root.findall("extensions/extension"):
            extension = part.tag == "extension"
            if extension and ("vulkan" not in part.get("supported").split(",") or part.get("platform") or
                              part.get("provisional")):
                continue
            if not extension and not of_vulkan(part):
                continue
            for require in part.findall("require"):
                if of_vulkan(require):
                    self.types |= {node.get("name") for node in require.findall("type")}
                    names = [node.get("name") for node in require.findall("command") if of_vulkan(node)]
                    self.commands += names
                    for name in names:
                        self.providers.setdefault(name, []).append(part.get("name") if extension else version_of(part))
        self.commands = sorted({name for name in self.commands if name.startswith("vkCmd")})
        self.extensions = [node.get("name") for node in root.findall("extensions/extension")
                           if "vulkan" in node.get("supported").split(",") and not node.get("platform") and
                           not node.get("provisional")]
        self.versions = sorted({version_of(node) for node in root.findall("feature") if of_vulkan(node)})
        nodes = [node for node in root.findall("types/type") if of_vulkan(node)]
        self.category = {node.get("name") or node.findtext("name"): node.get("category") for node in nodes}
        self.alias = {node.get("name"): node.get("alias") for node in nodes if node.get("alias")}
        self.dispatchable = {node.findtext("name") for node in nodes
                             if node.get("category") == "handle" and node.findtext("type") == "VK_DEFINE_HANDLE"}
        self.structs, self.extends = {}, {}
        for node in nodes:
            if node.get("category") != "struct" or node.get("alias") or node.get("name") not in self.types:
                continue
            self.structs[node.get("name")] = [Member(member, False) for member in node.findall("member")
                                              if of_vulkan(member)]
            for base in (node.get("structextends") or "").split(","):
                self.extends.setdefault(base, []).append(node.get("name"))
        self.prototypes = {}
        for node in root.findall("commands/command"):
            if not node.get("alias") and of_vulkan(node):
                self.prototypes[node.findtext("proto/name")] = node
        self.aliases = {node.get("name"): node.get("alias") for node in root.findall("commands/command")
                        if node.get("alias")}
        self.commands = [name for name in self.commands if self.original(name) in self.prototypes]
        self.enumerants = {}
        for node in root.findall("enums"):
            names = [enum.get("name") for enum in node.findall("enum")
                     if not enum.get("alias") and not enum.get("deprecated") and of_vulkan(enum)]
            self.enumerants[node.get("name")] = names[:ENUMERANTS]
        self.dynamic_states = [enum.get("name") for enum in root.findall("enums[@name='VkDynamicState']/enum")]
        self.requires = {node.findtext("name"): node.get("requires") or node.get("bitvalues") for node in nodes
                         if node.get("category") == "bitmask"}

    def original(self, name):
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def params(self, name):
        node = self.prototypes[self.original(name)]
        return [Member(param, True) for param in node.findall("param") if of_vulkan(param)][1:]

    def struct(self, name):
        while name in self.alias:
            name = self.alias[name]
        return name if name in self.structs else None

    def is_raw(self, name):
        """It is compared as bytes: it has members of which no address can be taken."""
        return any(member.bits for member in self.structs[name])


# Of types that the registry describes elsewhere.
BASE = {"float": "FLOAT", "double": "FLOAT", "VkBool32": "BOOL", "char": "INT", "void": "INT", "size_t": "INT"}


def kind_of(registry, member):
    """The kind of an element, as reflect.h has it, and the structure that it is."""
    name = member.type
    while name in registry.alias:
        name = registry.alias[name]
    struct = registry.struct(name)
    if struct:
        return ("RAW", None) if registry.is_raw(struct) else ("STRUCT", struct)
    category = registry.category.get(name)
    if name in BASE:
        return BASE[name], None
    if category == "handle":
        return ("DISPATCHABLE" if name in registry.dispatchable else "HANDLE"), None
    if category == "enum":
        return "ENUM", None
    if category == "bitmask":
        return "ENUM", None
    if category in ("union", "funcpointer") or not (name.startswith(("uint", "int", "Vk"))):
        return "RAW", None
    return "INT", None


def expression(text, members, object_name):
    """An expression of the registry in C."""
    names = {member.name for member in members}
    return re.sub(r"(?<![>.\w])[A-Za-z_]\w*", lambda match: f"{object_name}->{match[0]}" if match[0] in names else match[0], text)


class Output:
    """The descriptions of structures: those that others refer to come first."""

    def __init__(self, registry):
        self.registry = registry
        self.done = set()
        self.enums = {}
        self.chains = []

    def enumerants(self, name):
        registry = self.registry
        while name in registry.alias:
            name = registry.alias[name]
        values = registry.enumerants.get(name) or registry.enumerants.get(registry.requires.get(name) or "") or []
        if not values:
            return "NULL"
        if name not in self.enums:
            self.enums[name] = f"enumerants_{name}"
            print(f"static const int64_t enumerants_{name}[] = {{ {', '.join(values)}, ENUMERANTS_END }};")
        return self.enums[name]

    def describe(self, type_name, c_name, members):
        """Print the description of a structure."""
        registry = self.registry
        # Fewer than the members of any command refer to each other.
        rows = []
        counts = {word for member in members for word in re.findall(r"\w+", member.length)}
        for member in members:
            kind, struct = kind_of(registry, member)
            if struct:
                self.struct(struct)
            length = "NULL"
            if member.stars and member.length and member.length != "null-terminated" and member.length != "1":
                length = f"length_{type_name}_{member.name}"
                code = expression(member.length, members, "from")
                print(f"static uint64_t {length}(const void *data)\n{{\n\tconst {c_name} *from = data;\n\n"
                      f"\t(void)from;\n\treturn {code};\n}}")
            if member.stars and member.type == "void" and not member.length or member.stars > 1 and \
                    (kind == "RAW" or member.type == "void"):
                kind = "OPAQUE"
            if member.length == "null-terminated" and member.stars == 1:
                kind = "STRING"
            size = "1" if member.type == "void" else "sizeof(void *)" if kind == "OPAQUE" else f"sizeof({member.type})"
            count = " * ".join(f"({array})" for array in member.arrays) or "1"
            flags = []
            if member.name == "pNext":
                flags.append("MEMBER_CHAIN")
            if member.name in counts:
                flags.append("MEMBER_COUNT")
            if member.optional:
                flags.append("MEMBER_OPTIONAL")
            if member.values and member.name == "sType":
                flags.append("MEMBER_TYPE")
            if member.stars and length == "NULL" and kind not in ("STRING", "OPAQUE"):
                flags.append("MEMBER_ONE")
            enums = self.enumerants(member.type) if kind == "ENUM" else "NULL"
            rows.append(f'\t{{ "{member.name}", offsetof({c_name}, {member.name}), {size}, {count}, KIND_{kind}, '
                        f'{member.stars}, {" | ".join(flags) or "0"}, {length}, '
                        f'{"&type_" + struct if struct else "NULL"}, {enums} }},')
        stype = next((member.values for member in members if member.name == "sType" and member.values), "0")
        print(f"static const struct member members_{type_name}[] = {{")
        print("\n".join(rows) or "\t{ NULL },")
        print("};")
        print(f'static const struct type type_{type_name} = {{\n\t"{type_name}", sizeof({c_name}), (VkStructureType)({stype}), '
              f"members_{type_name}, {len(rows)},\n}};\n")

    def struct(self, name):
        if name in self.done:
            return
        self.done.add(name)
        self.describe(name, name, self.registry.structs[name])

    def chain(self, name):
        """Structures that may be in a chain."""
        for extension in self.registry.extends.get(name, []):
            if not self.registry.is_raw(extension):
                self.struct(extension)
                self.chains.append((name, extension))


def read_rows(path):
    rows = {}
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        options = dict(word.partition("=")[::2] for word in words[3:])
        if len(words) < 2 or words[1] not in CLASSES or options.keys() - OPTIONS or \
                (words[1] == "state") != (len(words) > 2) or words[0] in rows:
            sys.exit(f"{path}:{number}: not a row")
        rows[words[0]] = (words[1], words[2] if len(words) > 2 else "", options)
    return rows


def quoted(text):
    return f'"{text}"' if text is not None else "NULL"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: generate.py VK_XML [COMMANDS]")
    registry = Registry(sys.argv[1])
    if len(sys.argv) == 2:
        print("\n".join(registry.versions + registry.extensions))
        return
    rows = read_rows(sys.argv[2])
    output = Output(registry)
    print("/* SPDX-License-Identifier: GPL-2.0 or MIT */\n/* Generated by tests/layer/state/generate.py */\n")
    print('#include <stddef.h>\n#include <vulkan/vulkan.h>\n\n#include "commands.h"\n#include "mock.h"\n#include "reflect.h"\n')
    for name in registry.commands:
        params = registry.params(name)
        short = name[5:]
        print(f"struct args_{short} {{")
        for param in params:
            print(f"\t{param.declaration};")
        print("};" if params else "\tchar none;\n};")
        output.describe(short, f"struct args_{short}", params)
    for struct in list(output.done):
        output.chain(struct)
    for struct in ("VkWriteDescriptorSet", "VkGraphicsPipelineCreateInfo"):
        output.struct(struct)
    for number, name in enumerate(registry.commands):
        params = registry.params(name)
        short = name[5:]
        result = registry.prototypes[registry.original(name)].findtext("proto/type")
        print(f"static VKAPI_ATTR {result} VKAPI_CALL mock_{short}(VkCommandBuffer handle"
              f"{''.join(', ' + param.text for param in params)})\n{{")
        print(f"\tconst struct args_{short} args = {{ {', '.join(param.name for param in params) or '0'} }};\n")
        print(f"\tmock_command(handle, &commands[{number}], &args);")
        print("}\n" if result == "void" else "\treturn VK_SUCCESS;\n}\n")
        print(f"static void call_{short}(PFN_vkVoidFunction function, VkCommandBuffer handle, const void *data)\n{{")
        print(f"\tconst struct args_{short} *args = data;\n")
        print(f"\t(void)args;\n\t((PFN_{name})function)(handle{''.join(', args->' + param.name for param in params)});\n}}\n")
    print("const struct command commands[] = {")
    for name in registry.commands:
        short = name[5:]
        kind, rule, options = rows.get(name) or rows.get(registry.original(name)) or ("none", "", {})
        has_row = name in rows or registry.original(name) in rows
        node = registry.prototypes[registry.original(name)]
        core = [f"VK_DYNAMIC_STATE_{state}" for state in options.get("core", "").split(",") if state]
        core += ["NO_DYNAMIC_STATE"] * (2 - len(core))
        print(f'\t{{ "{name}", "{registry.original(name)}", {int(has_row)}, CLASS_{kind.upper().replace("-", "_")}, '
              f'{quoted(rule)}, {quoted(options.get("family"))}, {quoted(options.get("first"))}, '
              f'{quoted(options.get("count"))}, {quoted(options.get("group"))}, {{ {", ".join(core)} }}, '
              f'{int("dynamic" in options or "core" in options)}, PLACE_{node.get("renderpass", "both").upper()}, '
              f'PLACE_{(node.get("videocoding") or "outside").upper()}, '
              f'&type_{short}, call_{short}, (PFN_vkVoidFunction)mock_{short}, '
              f'{quoted(" ".join(registry.providers[name]))} }},')
    print("};\n\nconst unsigned int command_count = sizeof(commands) / sizeof(commands[0]);\n")
    print("const struct chain_type chain_types[] = {")
    for base, extension in sorted(set(output.chains)):
        print(f'\t{{ "{base}", &type_{extension} }},')
    print("};\n\nconst unsigned int chain_type_count = sizeof(chain_types) / sizeof(chain_types[0]);\n")
    print("const struct type *const all_types[] = {")
    for name in sorted(output.done):
        print(f"\t&type_{name},")
    print("};\n\nconst unsigned int all_type_count = sizeof(all_types) / sizeof(all_types[0]);\n")
    print("const char *const extension_names[] = {")
    for name in registry.extensions:
        print(f'\t"{name}",')
    print("};\n\nconst unsigned int extension_count = sizeof(extension_names) / sizeof(extension_names[0]);")
    unused = [name for name in rows if name not in registry.commands]
    print(f"\n/* Rows of other versions of the registry: {len(unused)} */")
    print(f"const unsigned int row_count = {len(rows)};")


if __name__ == "__main__":
    main()
