// SPDX-License-Identifier: GPL-2.0 or MIT
#version 450

layout(xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16, location = 0) out vec4 captured;

void main()
{
	int corner = gl_VertexIndex % 3;

	gl_Position = vec4(corner == 1 ? 3.0 : -1.0, corner == 2 ? 3.0 : -1.0, 0.0, 1.0);
	captured = vec4(gl_VertexIndex, 1.0, 2.0, 3.0);
}
