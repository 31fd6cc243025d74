// SPDX-License-Identifier: GPL-2.0 or MIT
#version 450

layout(location = 0) in vec4 painted;
layout(location = 0) out vec4 color;

void main()
{
	color = painted;
}
