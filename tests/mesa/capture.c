// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* RenderDoc captures what a program does between two calls, if its layer is loaded. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <renderdoc_app.h>

#include "capture.h"

#define LIBRARY	"librenderdoc.so"

static RENDERDOC_API_1_1_2 *api;

void capture_begin(void)
{
	const char *path = getenv("CAPTURE_PATH");
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
	pRENDERDOC_GetAPI get = library ? (pRENDERDOC_GetAPI)dlsym(library, "RENDERDOC_GetAPI") : NULL;

	if (!path || !get || !get(eRENDERDOC_API_Version_1_1_2, (void **)&api)) {
		printf("not ok RenderDoc is there\n");
		exit(1);
	}
	api->SetCaptureFilePathTemplate(path);
	api->StartFrameCapture(NULL, NULL);
}

void capture_end(void)
{
	if (!api->EndFrameCapture(NULL, NULL)) {
		printf("not ok RenderDoc has captured a frame\n");
		exit(1);
	}
}
