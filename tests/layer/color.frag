// SPDX-License-Identifier: GPL-2.0 or MIT
#version 450

layout(push_constant) uniform Push { vec4 pushed; };
layout(location = 0) out vec4 color;

void main()
{
	color = pushed;
}
