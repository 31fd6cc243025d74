#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Generate what the layer has to know about each structure and command of Vulkan.

usage: generate.py version | structs | extensions | table | commands VK_XML

VK_XML is Vulkan's registry, of the same version as the headers.

version prints the version of Vulkan, such as 1.4.309.

structs prints struct_size(): the size of a structure by its VkStructureType. The chain that an application passes may
be in memory that cannot be written, so that the layer copies it to change a member.

extensions prints is_known_extension(): whether the registry has an extension, and the layer so its commands.

table prints struct command_functions, with a pointer for each command that is recorded into a command buffer.

commands prints a function for each of these. It passes the command on to the part of the command buffer that is
recorded (split.h). One that sets state copies its arguments, so that it can be recorded again into the next part."""

import re
import sys
import xml.etree.ElementTree as xml

# Commands that are executed outside of a render pass, and cost the GPU something of their own.
WORK = re.compile(r"vkCmd(Dispatch|TraceRays|Copy|Blit|Resolve|Fill|Update|Build|Decompress|Convert|CuLaunchKernel|"
                  r"OpticalFlow|ClearColorImage|ClearDepthStencilImage|ExecuteGeneratedCommands|"
                  r"PreprocessGeneratedCommands|WriteAccelerationStructures|WriteMicromaps)")
# Those of render passes.
DRAW = re.compile(r"vkCmd(Draw|ClearAttachments|SubpassShading)")
STATE = re.compile(r"vkCmd(Bind|Set|Push)")
# They set no state that outlives a render pass, or none at all.
NO_STATE = re.compile(r"vkCmd(SetEvent|SetCheckpoint|SetPerformance|SetRenderingAttachmentLocations|"
                      r"SetRenderingInputAttachmentIndices|BindInvocationMask)")
# Nothing is split between the beginning and the end.
SCOPE = re.compile(r"vkCmd(Begin|End)(Query|ConditionalRendering|TransformFeedback|VideoCoding)")
PASS = re.compile(r"vkCmd(Begin|End)(RenderPass|Rendering)(2|KHR|2KHR|)$")
# The layer has functions of its own for them.
BY_HAND = re.compile(r"vkCmd(ExecuteCommands$|PushDescriptorSet(KHR|)$|DebugMarker|(Begin|End|Insert)DebugUtilsLabel)")
# Arguments that say which state it is. The others are its value.
KEYS = {"pipelineBindPoint", "firstSet", "descriptorSetCount", "firstBinding", "bindingCount", "firstViewport",
        "viewportCount", "firstScissor", "scissorCount", "firstAttachment", "attachmentCount", "faceMask", "stageFlags",
        "offset", "size", "layout", "set", "setCount", "firstDiscardRectangle", "discardRectangleCount",
        "firstExclusiveScissor", "exclusiveScissorCount", "stageCount", "groupIndex"}


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
        self.structs, self.commands = {}, {}
        for node in root.findall("types/type[@category='struct']"):
            if node.get("name") in used and of_vulkan(node) and not node.get("alias"):
                self.structs[node.get("name")] = [Param(member) for member in node.findall("member") if of_vulkan(member)]
        aliases = {}
        for node in root.findall("commands/command"):
            if node.get("alias"):
                aliases[node.get("name")] = node.get("alias")
            elif of_vulkan(node):
                self.commands[node.find("proto/name").text] = \
                    (node.find("proto/type").text, [Param(param) for param in node.findall("param") if of_vulkan(param)])
        self.commands |= {name: self.commands[alias] for name, alias in aliases.items() if alias in self.commands}
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


def print_extensions(registry):
    print("static inline bool is_known_extension(const char *name)\n{\n\tstatic const char *const known[] = {")
    for name in registry.extensions:
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
        if registry.is_flat(param.type):
            pass
        elif count == "1":
            for member in registry.structs[param.type]:
                if member.name == "pNext" or not member.stars and not registry.has_pointers(member.type):
                    continue
                if member.stars > 1 or not member.length or not registry.is_flat(member.type) or \
                        registry.has_chain(member.type):
                    raise Unknown
                members.append((member.name, member.type, f"{param.name}->{member.length}", []))
        else:
            raise Unknown
        copies.append((param.name, param.type, count, members))
    return copies


def size_of(kind, count):
    return f"(size_t)({count}) * sizeof({'char' if kind == 'void' else kind})"


def print_state(registry, name, params):
    """The function of a command that sets state."""
    short = name[2:]
    own = params[1:]
    try:
        copies = copies_of(registry, own)
    except Unknown:
        print_plain(name, params, "split_whole(&target);")
        return
    print(f"struct args_{short} {{")
    for param in own:
        print(f"\t{param.text};")
    print("};\n")
    print(f"static void replay_{short}(struct device *device, VkCommandBuffer handle, const void *data)\n{{")
    print(f"\tconst struct args_{short} *args = data;\n")
    print(f"\tdevice->commands.{short}(handle, {', '.join('args->' + param.name for param in own)});\n}}\n")
    print_head(short, params)
    print("\tstruct target target = split_target(commandBuffer);")
    if any(param.name in KEYS and param.is_plain() for param in own):
        keys = ", ".join(f"(uint64_t){param.name}" for param in own if param.name in KEYS and param.is_plain())
        print(f"\tconst uint64_t key[MAX_KEYS] = {{ {keys} }};")
    else:
        print("\tconst uint64_t key[MAX_KEYS] = { 0 };")
    print(f"\tstruct args_{short} *args;\n\tsize_t bytes = ALIGNED(sizeof(*args));\n\tchar *at;\n")
    print_call("", short, params)
    print("\tif (!target.records)\n\t\treturn;")
    for pointer, kind, count, members in copies:
        if registry.has_chain(kind):
            print(f"\tif (split_has_chain({pointer}, {count}, sizeof(*{pointer}))) {{")
            print("\t\tsplit_whole(&target);\n\t\treturn;\n\t}")
        print(f"\tbytes += {pointer} ? ALIGNED({size_of(kind, count)}) : 0;")
        for member, member_kind, member_count, _ in members:
            print(f"\tbytes += {pointer} && {pointer}->{member} ? ALIGNED({size_of(member_kind, member_count)}) : 0;")
    print(f"\targs = split_record(&target, replay_{short}, key, bytes);\n\tif (!args)\n\t\treturn;")
    print("\tat = (char *)args + ALIGNED(sizeof(*args));")
    for param in own:
        if param.array:
            print(f"\tmemcpy((void *)args->{param.name}, {param.name}, sizeof(args->{param.name}));")
        elif not param.stars:
            print(f"\targs->{param.name} = {param.name};")
    for pointer, kind, count, members in copies:
        print(f"\targs->{pointer} = split_copy(&at, {pointer}, {size_of(kind, count)});")
        for member, member_kind, member_count, _ in members:
            print(f"\tif ({pointer})\n\t\t(({kind} *)args->{pointer})->{member} = split_copy(&at, {pointer}->{member}, "
                  f"{size_of(member_kind, member_count)});")
    print("\t(void)at;\n}\n")


def print_head(short, params):
    # Fixed arrays are parameters that are pointers.
    print(f"static VKAPI_ATTR void VKAPI_CALL split_{short}({', '.join(param.text for param in params)})\n{{")


def print_call(indent, short, params):
    names = ", ".join(param.name for param in params[1:])
    print(f"\t{indent}target.device->commands.{short}(target.handle{', ' if names else ''}{names});")


def print_plain(name, params, then="", how="split_target(commandBuffer)"):
    short = name[2:]
    print_head(short, params)
    print(f"\tstruct target target = {how};\n")
    print_call("", short, params)
    if then:
        print(f"\t{then}")
    print("}\n")


def print_commands(registry):
    commands = {name: params for name, (result, params) in registry.commands.items()
                if name.startswith("vkCmd") and result == "void"}
    for name, params in commands.items():
        if BY_HAND.match(name):
            continue
        if STATE.match(name) and not NO_STATE.match(name):
            print_state(registry, name, params)
        elif WORK.match(name):
            print_plain(name, params, how=f'split_work(commandBuffer, "{name}")')
        elif DRAW.match(name):
            print_plain(name, params, how=f'split_draw(commandBuffer, "{name}")')
        elif SCOPE.match(name):
            what = "begin" if name.startswith("vkCmdBegin") else "end"
            print_plain(name, params, how=f"split_{what}_scope(commandBuffer)")
        elif match := PASS.match(name):
            if match[1] == "Begin":
                flags = f"{params[1].name}->flags" if match[2] == "Rendering" else "0"
                print_plain(name, params, how=f"split_begin_pass(commandBuffer, {flags})")
            else:
                print_plain(name, params, how="split_end_pass(commandBuffer)")
        else:
            print_plain(name, params)
    print("static const struct function functions[] = {")
    for name in commands:
        if not BY_HAND.match(name):
            print(f'\t{{ "{name}", (PFN_vkVoidFunction)split_{name[2:]} }},')
    print("};")


def print_table(registry):
    print("struct command_functions {")
    for name, (result, _) in registry.commands.items():
        if name.startswith("vkCmd") and result == "void":
            print(f"\tPFN_{name} {name[2:]};")
    print("};\n\n#define COMMAND_FUNCTIONS(X) \\")
    for name, (result, _) in registry.commands.items():
        if name.startswith("vkCmd") and result == "void":
            print(f"\tX({name[2:]}) \\")
    print()


def main():
    if sys.argv[1:2] == ["version"] and len(sys.argv) == 3:
        print(".".join(Registry(sys.argv[2]).version))
        return
    kinds = {"structs": print_structs, "extensions": print_extensions, "table": print_table, "commands": print_commands}
    if len(sys.argv) != 3 or sys.argv[1] not in kinds:
        sys.exit("usage: generate.py version | structs | extensions | table | commands VK_XML")
    print("/* SPDX-License-Identifier: GPL-2.0 or MIT */\n/* Generated by tools/vulkan-layer/generate.py */\n")
    kinds[sys.argv[1]](Registry(sys.argv[2]))


if __name__ == "__main__":
    main()
