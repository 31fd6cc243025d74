// SPDX-License-Identifier: GPL-2.0 or MIT
#version 450

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };

void main()
{
	words[gl_LocalInvocationIndex] = gl_WorkGroupID.x;
}
