// SPDX-License-Identifier: GPL-2.0 or MIT
#version 450

layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uint first; uint value; };

void main()
{
	words[first + gl_GlobalInvocationID.x] = words[first + gl_GlobalInvocationID.x] * 3 + value;
}
