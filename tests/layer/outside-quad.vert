// SPDX-License-Identifier: GPL-2.0 or MIT
#version 450

layout(location = 0) in vec2 position;
layout(location = 1) in vec4 paint;
layout(location = 0) out vec4 painted;

void main()
{
	gl_Position = vec4(position, 0.0, 1.0);
	painted = paint;
}
