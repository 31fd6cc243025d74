/*
 * mkfw - write a firmware image for the virtual Mali CSF GPU
 *
 * The image has the container format of the real ones, so that a driver's
 * loader runs for real: a header, one entry for the shared section, one
 * optional entry with a build text.  There is no code in it, the virtual GPU
 * brings its own.
 *
 *   0x00  header
 *   0x14  entry: section, zeroed, shared between host and firmware
 *   0x38  entry: build text (optional)
 *   0x44  build text
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC                   0xc3f13a6eu
#define MAJOR                   0
#define MINOR                   3
#define HEADER_SIZE             0x14u

#define ENTRY_SECTION           0u
#define ENTRY_BUILD_INFO        6u
#define ENTRY_OPTIONAL          (1u << 31)
#define ENTRY_SECTION_SIZE      36u
#define ENTRY_BUILD_SIZE        12u

#define SECTION_READ            (1u << 0)
#define SECTION_WRITE           (1u << 1)
#define SECTION_SHARED          (1u << 30)
#define SECTION_ZERO            (1u << 31)

/* The model's layout of the section ends below this. */
#define SHARED_VA               0x04000000u
#define SHARED_SIZE             0x00090000u

/* Loaders look for a hash of 40 digits. */
static const char build_text[] =
    "git_sha: 0000000000000000000000000000000000000000 vmali";
static const char section_name[8] = "shared";

static uint8_t image[256];
static size_t used;

static void put32(uint32_t value)
{
    unsigned i;

    for (i = 0; i < 4; i++) {
        image[used++] = value >> (8 * i);
    }
}

static void put_header(uint32_t entries_end)
{
    put32(MAGIC);
    put32(MINOR | MAJOR << 8);
    put32(0);                   /* version hash */
    put32(0);
    put32(entries_end);
}

static void put_shared_section(void)
{
    put32(ENTRY_SECTION | ENTRY_SECTION_SIZE << 8);
    put32(SECTION_READ | SECTION_WRITE | SECTION_SHARED | SECTION_ZERO);
    put32(SHARED_VA);
    put32(SHARED_VA + SHARED_SIZE);
    put32(0);                   /* no data in the file */
    put32(0);
    put32(0);                   /* nothing to execute */
    memcpy(image + used, section_name, sizeof(section_name));
    used += sizeof(section_name);
}

static void put_build_info(uint32_t text_offset)
{
    put32(ENTRY_BUILD_INFO | ENTRY_BUILD_SIZE << 8 | ENTRY_OPTIONAL);
    put32(text_offset);
    put32(sizeof(build_text));
}

int main(int argc, char **argv)
{
    const uint32_t end = HEADER_SIZE + ENTRY_SECTION_SIZE +
                         ENTRY_BUILD_SIZE;
    FILE *f;

    if (argc != 2 || argv[1][0] == '-') {
        fprintf(stderr, "Usage: mkfw OUTPUT\n"
                "Writes the firmware image of the virtual Mali CSF GPU.\n");
        return argc == 2 && !strcmp(argv[1], "--help") ? 0 : 2;
    }

    put_header(end);
    put_shared_section();
    put_build_info(end);
    memcpy(image + used, build_text, sizeof(build_text));
    used += sizeof(build_text);

    f = fopen(argv[1], "wb");
    if (!f || fwrite(image, 1, used, f) != used || fclose(f)) {
        fprintf(stderr, "mkfw: error: %s: %s\n", argv[1],
                strerror(errno));
        return 1;
    }
    return 0;
}
