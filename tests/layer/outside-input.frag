// SPDX-License-Identifier: GPL-2.0 or MIT
#version 450

layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput first;
layout(location = 0) out vec4 color;

void main()
{
	color = vec4(subpassLoad(first).gbr, 1.0);
}
