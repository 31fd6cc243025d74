// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: gl-steps [FILE]
 *
 * As vk-steps, with OpenGL ES 3.1 on a target without a surface: each step costs the GPU what is known from
 * the step, and FILE gets a sample behind each.
 */

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>

#include "steps.h"

static const char compute_source[] =
	"#version 310 es\n"
	"layout(local_size_x = 64) in;\n"
	"layout(binding = 0, std430) buffer Words { uint words[]; };\n"
	"void main() { words[gl_LocalInvocationIndex] = gl_WorkGroupID.x; }\n";

static const char vertex_source[] =
	"#version 310 es\n"
	"void main() {\n"
	"	gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n"
	"}\n";

static const char fragment_source[] =
	"#version 310 es\n"
	"precision mediump float;\n"
	"out vec4 color;\n"
	"void main() { color = vec4(1.0, 0.5, 0.0, 1.0); }\n";

static GLuint compute, draw;

static void gl_check(bool right, const char *what)
{
	if (right)
		return;
	printf("not ok %s - EGL %#x, GL %#x\n", what, eglGetError(), glGetError());
	exit(1);
}

static void create_context(void)
{
	static const EGLint attributes[] = {
		EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE,
	};
	EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
	EGLContext context;

	gl_check(eglInitialize(display, NULL, NULL), "eglInitialize");
	gl_check(eglBindAPI(EGL_OPENGL_ES_API), "eglBindAPI");
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
	gl_check(context != EGL_NO_CONTEXT, "eglCreateContext");
	gl_check(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context), "eglMakeCurrent");
	printf("# %s, %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
	gl_check(strstr((const char *)glGetString(GL_RENDERER), "Mali") != NULL, "a Mali GPU");
}

static void attach(GLuint program, GLenum type, const char *source)
{
	GLuint shader = glCreateShader(type);

	glShaderSource(shader, 1, &source, NULL);
	glCompileShader(shader);
	glAttachShader(program, shader);
}

static GLuint link_program(GLuint program)
{
	GLint linked;

	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &linked);
	gl_check(linked, "linking a program");
	return program;
}

static void create_objects(void)
{
	GLuint texture, framebuffer, buffer;

	compute = glCreateProgram();
	attach(compute, GL_COMPUTE_SHADER, compute_source);
	link_program(compute);
	draw = glCreateProgram();
	attach(draw, GL_VERTEX_SHADER, vertex_source);
	attach(draw, GL_FRAGMENT_SHADER, fragment_source);
	link_program(draw);

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, TARGET_SIZE, TARGET_SIZE);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	gl_check(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "the target");
	glViewport(0, 0, TARGET_SIZE, TARGET_SIZE);

	glGenBuffers(1, &buffer);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
	glBufferData(GL_SHADER_STORAGE_BUFFER, 4096, NULL, GL_DYNAMIC_DRAW);
	glFinish();
}

static void run_nothing(void)
{
}

static void run_clear(void)
{
	glClearColor(0, 0.5f, 1, 1);
	glClear(GL_COLOR_BUFFER_BIT);
}

static void run_draw(void)
{
	run_clear();
	glUseProgram(draw);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void run_dispatch(void)
{
	glUseProgram(compute);
	glDispatchCompute(GROUPS, 1, 1);
}

static void run_many(void)
{
	glUseProgram(compute);
	for (int i = 0; i < MANY; i++) {
		glDispatchCompute(1, 1, 1);
		glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
	}
}

static const struct {
	struct step step;
	void (*run)(void);
} steps[] = {
	{ { "nothing" }, run_nothing },
	{ { "a clear", { .fragment = 1, .tiles = TILES } }, run_clear },
	{ { "a draw", { .tiler = 1, .triangles = 1, .fragment = 1, .tiles = TILES } }, run_draw },
	{ { "a dispatch", { 1, WARPS(GROUPS) } }, run_dispatch },
	{ { "50 dispatches", { MANY, WARPS(MANY) } }, run_many },
};

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : NULL;

	if (argc > 2) {
		fprintf(stderr, "usage: gl-steps [FILE]\n");
		return 2;
	}
	setlinebuf(stdout);
	create_context();
	create_objects();
	if (path)
		perf_start(path);
	for (size_t i = 0; i < COUNT(steps); i++) {
		steps[i].run();
		glFinish();
		gl_check(glGetError() == GL_NO_ERROR, steps[i].step.name);
		if (path)
			perf_step(&steps[i].step);
	}
	if (path)
		perf_stop();
	return 0;
}
