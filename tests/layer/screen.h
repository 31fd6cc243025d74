/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* A swapchain without a window, for programs that present. */
#ifndef TESTS_LAYER_SCREEN_H
#define TESTS_LAYER_SCREEN_H

#include "app.h"

#define MAX_IMAGES	8

/* Extensions of the instance that a screen needs; of the device, VK_KHR_SWAPCHAIN_EXTENSION_NAME. */
#define SCREEN_INSTANCE_NAMES	VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME

/**
 * struct screen - a swapchain
 */
struct screen {
	/** @app: The program, with an instance and a device. */
	struct app app;

	/** @surface: Surface without a window. */
	VkSurfaceKHR surface;

	/** @swapchain: Swapchain. */
	VkSwapchainKHR swapchain;

	/** @images: Its images. */
	VkImage images[MAX_IMAGES];

	/** @drawn: Signalled when an image may be presented. */
	VkSemaphore drawn;
};

/** screen_create() - Create the surface, the swapchain and the semaphore */
static inline void screen_create(struct screen *screen)
{
	const VkHeadlessSurfaceCreateInfoEXT surface = {
		.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT,
	};
	PFN_vkCreateHeadlessSurfaceEXT create_surface = (PFN_vkCreateHeadlessSurfaceEXT)
		vkGetInstanceProcAddr(screen->app.instance, "vkCreateHeadlessSurfaceEXT");
	VkSwapchainCreateInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
		.imageExtent = { SIZE, SIZE },
		.imageArrayLayers = 1,
		.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
		.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
		.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
		.presentMode = VK_PRESENT_MODE_FIFO_KHR,
		.clipped = VK_TRUE,
	};
	uint32_t count = MAX_IMAGES, one = 1;
	VkSurfaceCapabilitiesKHR limits;
	VkSurfaceFormatKHR format;
	VkBool32 supported;

	need(create_surface(screen->app.instance, &surface, NULL, &screen->surface),
	     "vkCreateHeadlessSurfaceEXT");
	need(vkGetPhysicalDeviceSurfaceSupportKHR(screen->app.gpu, 0, screen->surface, &supported),
	     "vkGetPhysicalDeviceSurfaceSupportKHR");
	need(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(screen->app.gpu, screen->surface, &limits),
	     "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
	if (vkGetPhysicalDeviceSurfaceFormatsKHR(screen->app.gpu, screen->surface, &one,
						 &format) < 0)
		need(VK_ERROR_FORMAT_NOT_SUPPORTED, "vkGetPhysicalDeviceSurfaceFormatsKHR");
	info.surface = screen->surface;
	info.minImageCount = limits.minImageCount;
	info.imageFormat = format.format;
	info.imageColorSpace = format.colorSpace;
	need(vkCreateSwapchainKHR(screen->app.device, &info, NULL, &screen->swapchain),
	     "vkCreateSwapchainKHR");
	need(vkGetSwapchainImagesKHR(screen->app.device, screen->swapchain, &count, screen->images),
	     "vkGetSwapchainImagesKHR");
	screen->drawn = app_semaphore(&screen->app, VK_SEMAPHORE_TYPE_BINARY, 0, false);
}

/** screen_destroy() - Destroy what screen_create() has created */
static inline void screen_destroy(struct screen *screen)
{
	vkDestroySwapchainKHR(screen->app.device, screen->swapchain, NULL);
	vkDestroySurfaceKHR(screen->app.instance, screen->surface, NULL);
	vkDestroySemaphore(screen->app.device, screen->drawn, NULL);
}

#endif
