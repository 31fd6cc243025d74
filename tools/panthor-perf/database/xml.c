// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/**
 * DOC: Arm's counter database
 *
 * The database is a folder of XML files. The program searches them for:
 *
 * - rows of a hardware layout: an element with an index and the source name of a counter, and
 *   perhaps a shift, within one that names the block, in a file or element that names the product;
 * - descriptions: an element with a machine name, and perhaps source names, a title, a unit, the
 *   products that it is for, and an equation if the counter is derived;
 * - products: an element with a name and the number of its architecture and product.
 *
 * Whether such a thing is an attribute or an element of its own does not matter, nor does the case
 * of its name, nor do '-' and '_' in it. Nothing is loaded from the network, no entity is expanded.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "xml.h"
#include "xml_database.h"

#ifdef HAVE_LIBXML2

#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>

#include <libxml/parser.h>
#include <libxml/tree.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define MAX_FILES	4096
#define MAX_RECORDS	65536

/* Names that a thing may have, without what is not a letter or digit and in lower case. */
static const char *const index_keys[] = { "index", "counterindex", "wordindex", NULL };

static const char *const source_keys[] = {
	"sourcename", "source", "hardwarename", "hwname", "countername", "counter", "name", NULL,
};

static const char *const info_source_keys[] = {
	"sourcename", "sourcenames", "source", "sources", "hardwarename", NULL,
};

static const char *const alias_keys[] = {
	"sourcealias", "sourcealiases", "sourcenamealias", "sourcenamealiases", "alias", "aliases",
	"aliasname", "aliasnames", NULL,
};

static const char *const shift_keys[] = { "shift", "bitshift", "leftshift", "shiftleft", NULL };

static const char *const machine_keys[] = { "machinename", NULL };

static const char *const title_keys[] = {
	"shorttitle", "title", "humanname", "displayname", "shortname", "name", NULL,
};

static const char *const unit_keys[] = { "units", "unit", NULL };

static const char *const equation_keys[] = { "equation", "expression", "formula", NULL };

static const char *const group_keys[] = { "groupname", "group", NULL };

static const char *const block_keys[] = {
	"block", "blocktype", "type", "blockname", "category", "name", NULL,
};

static const char *const product_keys[] = {
	"gpu", "gpus", "product", "products", "gpuname", "productname", "supportedgpu",
	"supportedgpus", "supportedproducts", "target", "device", "name", NULL,
};

static const char *const id_keys[] = { "productid", "gpuid", "id", NULL };

static const char *const key_keys[] = { "databasekey", NULL };

static const char *const arch_keys[] = { "archmajor", "architecturemajor", NULL };

static const char *const major_keys[] = { "productmajor", NULL };

/* Letters and digits of a text, in lower case. To be freed. */
static char *plain(const char *text)
{
	char *out = malloc(strlen(text) + 1), *to = out;

	if (!out)
		return NULL;
	for (; *text; text++) {
		char c = *text;

		if (c >= 'A' && c <= 'Z')
			c += 'a' - 'A';
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			*to++ = c;
	}
	*to = 0;
	return out;
}

static bool is_key(const xmlChar *name, const char *const *keys)
{
	char *text = plain((const char *)name);
	bool found = false;

	for (; text && *keys && !found; keys++)
		found = !strcmp(text, *keys);
	free(text);
	return found;
}

static bool is_element(const xmlNode *node)
{
	return node->type == XML_ELEMENT_NODE;
}

static bool has_elements(const xmlNode *node)
{
	const xmlNode *child;

	for (child = node->children; child; child = child->next)
		if (is_element(child))
			return true;
	return false;
}

/* The text of an element or attribute, blanks as one, none at the ends. To be freed. */
static char *text_of(const xmlNode *node)
{
	xmlChar *content = xmlNodeGetContent(node);
	char *out = content ? strdup((const char *)content) : NULL, *to = out;
	bool blank = false;
	const char *from;

	xmlFree(content);
	if (!out)
		return NULL;
	for (from = out; *from; from++) {
		if ((unsigned char)*from <= ' ') {
			blank = to != out;
			continue;
		}
		if (blank)
			*to++ = ' ';
		blank = false;
		*to++ = *from;
	}
	*to = 0;
	return out;
}

/* The first attribute or leaf of an element that has one of these names. To be freed. */
static char *field(const xmlNode *node, const char *const *keys)
{
	const char *one[2] = { NULL };
	const xmlNode *child;
	const xmlAttr *attr;

	for (; *keys; keys++) {
		one[0] = *keys;
		for (attr = node->properties; attr; attr = attr->next)
			if (is_key(attr->name, one))
				return text_of((const xmlNode *)attr);
		for (child = node->children; child; child = child->next)
			if (is_element(child) && !has_elements(child) && is_key(child->name, one))
				return text_of(child);
	}
	return NULL;
}

static bool number_of(const char *text, unsigned long max, unsigned long *number)
{
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoul(text, &end, 0);
	return !errno && !*end && *number <= max;
}

/* Appends to a list of words with newlines in between. */
static void append_words(char **list, const char *word)
{
	char *longer;

	if (!word || !*word)
		return;
	if (asprintf(&longer, "%s%s%s", *list ?: "", *list ? "\n" : "", word) < 0)
		return;
	free(*list);
	*list = longer;
}

/* All texts and attributes below an element, and its own. */
static void collect_texts(const xmlNode *node, char **list)
{
	const xmlNode *child;
	const xmlAttr *attr;
	char *text;

	for (attr = node->properties; attr; attr = attr->next) {
		text = text_of((const xmlNode *)attr);
		append_words(list, text);
		free(text);
	}
	if (!has_elements(node)) {
		text = text_of(node);
		append_words(list, text);
		free(text);
	}
	for (child = node->children; child; child = child->next)
		if (is_element(child))
			collect_texts(child, list);
}

/* What all attributes and elements of these names have, elements in them included. */
static char *fields(const xmlNode *node, const char *const *keys)
{
	const xmlNode *child;
	const xmlAttr *attr;
	char *list = NULL, *text;

	for (attr = node->properties; attr; attr = attr->next)
		if (is_key(attr->name, keys)) {
			text = text_of((const xmlNode *)attr);
			append_words(&list, text);
			free(text);
		}
	for (child = node->children; child; child = child->next)
		if (is_element(child) && is_key(child->name, keys))
			collect_texts(child, &list);
	return list;
}

/* The block type that a text means; 0: none. */
static unsigned int block_of(const char *text)
{
	static const struct {
		const char *part;
		unsigned int type;
	} parts[] = {
		{ "neural", DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL },
		{ "shader", DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER },
		{ "tiler", DRM_PANTHOR_PERF_BLOCK_TYPE_TILER },
		{ "geometry", DRM_PANTHOR_PERF_BLOCK_TYPE_TILER },
		{ "memory", DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS },
		{ "memsys", DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS },
		{ "l2", DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS },
		{ "mmu", DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS },
		{ "frontend", DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW },
		{ "cshw", DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW },
		{ "csf", DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW },
	};
	unsigned int type = 0;
	char *words;
	size_t i;

	words = plain(text);
	for (i = 0; words && i < ARRAY_SIZE(parts) && !type; i++)
		if (strstr(words, parts[i].part))
			type = parts[i].type;
	free(words);
	return type;
}

/* The block that a row is in: the innermost element that names one, by a field or its own name. */
static unsigned int block_around(const xmlNode *row)
{
	const xmlNode *node;

	for (node = row; node && is_element(node); node = node->parent) {
		unsigned int i, type;

		for (i = 0; block_keys[i]; i++) {
			const char *key[2] = { block_keys[i], NULL };
			char *text;

			/* The name of a row is that of a counter. */
			if (node == row && !strcmp(block_keys[i], "name"))
				continue;
			text = field(node, key);
			type = text ? block_of(text) : 0;
			free(text);
			if (type)
				return type;
		}
		type = node == row ? 0 : block_of((const char *)node->name);
		if (type)
			return type;
	}
	return 0;
}

/* The product that a row is of: the innermost element that names one, or the file. */
static char *product_around(const xmlNode *row, const char *file)
{
	const xmlNode *node;

	for (node = row->parent; node && is_element(node); node = node->parent) {
		unsigned int i;

		for (i = 0; product_keys[i]; i++) {
			const char *key[2] = { product_keys[i], NULL };
			char *text = fields(node, key);

			if (text && xml_is_product(text))
				return text;
			free(text);
		}
	}
	return strdup(file);
}

/* Makes room for one more element, zeroed; sizes are powers of two. */
static void *grow(struct xml_database *database, void *list, size_t count, size_t size)
{
	void *larger = list;

	if (!(count & (count - 1)))
		larger = reallocarray(list, count ? 2 * count : 1, size);
	if (larger)
		memset((char *)larger + count * size, 0, size);
	else
		database->out_of_memory = true;
	return larger;
}

static void add_row(struct xml_database *database, const xmlNode *node, const char *file)
{
	char *index = field(node, index_keys), *shift = field(node, shift_keys);
	char *source = field(node, source_keys);
	struct xml_row *rows;
	unsigned long number;

	if (!source && !has_elements(node))
		source = text_of(node);
	rows = grow(database, database->rows, database->row_count, sizeof(*rows));
	if (rows)
		database->rows = rows;
	if (rows && source && *source && number_of(index, USHRT_MAX, &number)) {
		struct xml_row *row = &rows[database->row_count];

		row->index = number;
		row->source = source;
		row->type = block_around(node);
		row->products = product_around(node, file);
		if (shift && number_of(shift, 31, &number))
			row->shift = number;
		else if (shift)
			row->type = 0;
		database->row_count++;
		source = NULL;
	}
	free(index);
	free(shift);
	free(source);
}

static void add_info(struct xml_database *database, const xmlNode *node, char *machine)
{
	struct xml_info *info, *infos;

	infos = grow(database, database->infos, database->info_count, sizeof(*infos));
	if (!infos) {
		free(machine);
		return;
	}
	database->infos = infos;
	info = &infos[database->info_count++];
	info->machine = machine;
	info->sources = fields(node, info_source_keys);
	info->title = field(node, title_keys);
	info->unit = field(node, unit_keys);
	info->equation = field(node, equation_keys);
	info->group = field(node, group_keys);
	info->products = fields(node, product_keys);
	if (info->products && !xml_is_product(info->products)) {
		free(info->products);
		info->products = NULL;
	}
	machine = fields(node, alias_keys);
	append_words(&info->sources, machine);
	free(machine);
}

static void keep_product(struct xml_database *database, const char *name, const char *key,
			 unsigned long arch_major, unsigned long product_major)
{
	struct xml_product *products, *product;

	products = grow(database, database->products, database->product_count, sizeof(*products));
	if (!products)
		return;
	database->products = products;
	product = &products[database->product_count];
	product->name = strdup(name);
	product->key = key ? strdup(key) : NULL;
	product->arch_major = arch_major;
	product->product_major = product_major;
	database->product_count++;
	if (!product->name || (key && !product->key))
		database->out_of_memory = true;
}

/* An id is a whole GPU_ID, its upper half, or that without the revision. There may be several. */
static void add_product(struct xml_database *database, const xmlNode *node, const char *name)
{
	char *ids = field(node, id_keys), *arch = field(node, arch_keys);
	char *major = field(node, major_keys), *key = field(node, key_keys), *rest, *id;
	unsigned long number, second;

	if (key && !*key) {
		free(key);
		key = NULL;
	}
	if (number_of(arch, 255, &number) && number_of(major, 255, &second)) {
		keep_product(database, name, key, number, second);
	} else {
		for (id = ids ? strtok_r(ids, " ,;", &rest) : NULL; id;
		     id = strtok_r(NULL, " ,;", &rest)) {
			if (!number_of(id, UINT_MAX, &number) || !number)
				continue;
			if (number > 0xffff)
				number >>= 16;
			keep_product(database, name, key, number >> 12, number & 0xf);
		}
	}
	free(ids);
	free(arch);
	free(major);
	free(key);
}

/* Depth is that of libxml2's own limit. */
static void walk(struct xml_database *database, const xmlNode *node, const char *file)
{
	for (; node; node = node->next) {
		char *machine, *name, *index;

		if (!is_element(node))
			continue;
		if (database->row_count >= MAX_RECORDS || database->info_count >= MAX_RECORDS ||
		    database->product_count >= MAX_RECORDS)
			return;
		machine = field(node, machine_keys);
		index = field(node, index_keys);
		if (machine && *machine) {
			add_info(database, node, machine);
			machine = NULL;
		} else if (index) {
			add_row(database, node, file);
		} else {
			name = field(node, product_keys);
			if (name && xml_is_product(name))
				add_product(database, node, name);
			free(name);
		}
		free(machine);
		free(index);
		walk(database, node->children, file);
	}
}

static int fail_with(struct panthor_perf_error *error, const char *file, int err,
		     const char *message)
{
	*error = (struct panthor_perf_error)PANTHOR_PERF_ERROR_INIT;
	snprintf(error->file, sizeof(error->file), "%s", file);
	snprintf(error->text, sizeof(error->text), "%s", message);
	return err;
}

static int read_xml(struct xml_database *database, const char *path, const char *name,
		    struct panthor_perf_error *error)
{
	const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
			    XML_PARSE_NOCDATA | XML_PARSE_COMPACT;
	xmlParserCtxt *context = xmlNewParserCtxt();
	const xmlError *reason;
	xmlDoc *document;

	if (!context)
		return fail_with(error, path, -ENOMEM, "out of memory");
	document = xmlCtxtReadFile(context, path, NULL, options);
	if (!document) {
		reason = xmlCtxtGetLastError(context);
		fail_with(error, path, -EINVAL, reason && reason->message ? reason->message :
			  "this cannot be read");
		error->text[strcspn(error->text, "\n")] = 0;
		if (reason && reason->line > 0) {
			error->line = reason->line;
			error->column = reason->int2 > 0 ? reason->int2 : 0;
		}
		xmlFreeParserCtxt(context);
		return -EINVAL;
	}
	walk(database, xmlDocGetRootElement(document), name);
	xmlFreeDoc(document);
	xmlFreeParserCtxt(context);
	return 0;
}

static int compare_entries(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int read_database(struct xml_database *database, const char *path,
			 struct panthor_perf_error *error)
{
	char *const paths[] = { (char *)path, NULL };
	unsigned int files = 0, entries = 0;
	FTSENT *entry;
	int ret = 0;
	FTS *tree;

	tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, compare_entries);
	if (!tree) {
		ret = -errno;
		return fail_with(error, path, ret, strerror(-ret));
	}
	while (!ret && files < MAX_FILES && (entry = xml_next_file(tree, &entries))) {
		const char *dot = strrchr(entry->fts_name, '.');

		if (entry->fts_level && (!dot || strcasecmp(dot, ".xml")))
			continue;
		files++;
		ret = read_xml(database, entry->fts_path, entry->fts_name, error);
	}
	if (!ret && entries > XML_MAX_ENTRIES)
		ret = fail_with(error, path, -E2BIG, "this folder has very many files below it: "
				"give the one of the database");
	fts_close(tree);
	return ret;
}

static void free_database(struct xml_database *database)
{
	size_t i;

	for (i = 0; i < database->row_count; i++) {
		free(database->rows[i].source);
		free(database->rows[i].products);
	}
	for (i = 0; i < database->info_count; i++) {
		free(database->infos[i].machine);
		free(database->infos[i].sources);
		free(database->infos[i].title);
		free(database->infos[i].unit);
		free(database->infos[i].equation);
		free(database->infos[i].group);
		free(database->infos[i].products);
	}
	for (i = 0; i < database->product_count; i++) {
		free(database->products[i].name);
		free(database->products[i].key);
	}
	free(database->rows);
	free(database->infos);
	free(database->products);
}

int xml_load(const char *path, uint64_t gpu_id, struct panthor_perf_table **table, char **note,
	     struct panthor_perf_error *error)
{
	struct xml_database database = { 0 };
	int ret;

	*table = NULL;
	*note = NULL;
	ret = read_database(&database, path, error);
	if (!ret && database.out_of_memory)
		ret = fail_with(error, path, -ENOMEM, "out of memory");
	if (!ret)
		ret = xml_make_table(&database, path, gpu_id, table, note, error);
	free_database(&database);
	return ret;
}

#else /* HAVE_LIBXML2 */

int xml_load(const char *path, uint64_t gpu_id, struct panthor_perf_table **table, char **note,
	     struct panthor_perf_error *error)
{
	(void)gpu_id;
	*table = NULL;
	*note = NULL;
	*error = (struct panthor_perf_error)PANTHOR_PERF_ERROR_INIT;
	snprintf(error->file, sizeof(error->file), "%s", path);
	snprintf(error->text, sizeof(error->text),
		 "this is XML, which this program was built without");
	return -EOPNOTSUPP;
}

#endif /* HAVE_LIBXML2 */
