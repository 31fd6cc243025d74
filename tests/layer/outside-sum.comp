// SPDX-License-Identifier: GPL-2.0 or MIT
#version 450

layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(set = 0, binding = 1) uniform A { uint a; };
layout(set = 0, binding = 2) uniform B { uint b; };
layout(push_constant) uniform Push { uint first; uint value; };

void main()
{
	words[first + gl_GlobalInvocationID.x] = a * 10000 + b * 100 + value;
}
