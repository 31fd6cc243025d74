// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/**
 * DOC: Interrupts of the device tree under ACPI
 *
 * A device tree that an x86 kernel takes beside ACPI cannot point at the IO-APIC. This is an
 * interrupt controller for it: each of its lines is an interrupt that ACPI numbers, of those in the
 * property panthor-perf,gsis, level and active high as the lines of the virtual GPU are.
 *
 * The parent's interrupt is requested here and calls the consumer's handlers; masking a line
 * disables its parent.
 */

#include <linux/acpi.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/property.h>

#define VMALI_MAX_LINES	3

/**
 * struct vmali_irq_line - a line
 */
struct vmali_irq_line {
	/** @chip: What it belongs to. */
	struct vmali_irq *chip;

	/** @gsi: Its number for ACPI. */
	u32 gsi;

	/** @parent: Its number for Linux. */
	int parent;
};

/**
 * struct vmali_irq - the interrupt controller
 */
struct vmali_irq {
	/** @dev: The device. */
	struct device *dev;

	/** @domain: The consumers' interrupts. */
	struct irq_domain *domain;

	/** @line: The lines. */
	struct vmali_irq_line line[VMALI_MAX_LINES];

	/** @count: Number of lines. */
	int count;
};

/* The consumer's interrupt is handled while the parent's is: the locks of both nest. */
static struct lock_class_key vmali_irq_lock_class;
static struct lock_class_key vmali_irq_request_class;

static struct vmali_irq_line *line_of(struct irq_data *data)
{
	struct vmali_irq *chip = irq_data_get_irq_chip_data(data);

	return &chip->line[irqd_to_hwirq(data)];
}

static void vmali_irq_mask(struct irq_data *data)
{
	disable_irq_nosync(line_of(data)->parent);
}

static void vmali_irq_unmask(struct irq_data *data)
{
	enable_irq(line_of(data)->parent);
}

static struct irq_chip vmali_irq_chip = {
	.name = "vmali-irq",
	.irq_mask = vmali_irq_mask,
	.irq_unmask = vmali_irq_unmask,
};

static int vmali_irq_map(struct irq_domain *domain, unsigned int irq, irq_hw_number_t hwirq)
{
	struct vmali_irq *chip = domain->host_data;

	if (hwirq >= chip->count)
		return -EINVAL;
	irq_set_lockdep_class(irq, &vmali_irq_lock_class, &vmali_irq_request_class);
	irq_set_chip_and_handler(irq, &vmali_irq_chip, handle_level_irq);
	irq_set_chip_data(irq, chip);
	irq_set_noprobe(irq);
	return 0;
}

static const struct irq_domain_ops vmali_irq_domain_ops = {
	.map = vmali_irq_map,
	.xlate = irq_domain_xlate_onecell,
};

static irqreturn_t vmali_irq_handler(int irq, void *data)
{
	struct vmali_irq_line *line = data;

	generic_handle_domain_irq(line->chip->domain, line - line->chip->line);
	return IRQ_HANDLED;
}

static void remove_domain(void *data)
{
	struct vmali_irq *chip = data;

	for (int i = 0; i < chip->count; i++)
		irq_dispose_mapping(irq_find_mapping(chip->domain, i));
	irq_domain_remove(chip->domain);
}

static void unregister_gsi(void *data)
{
	struct vmali_irq_line *line = data;

	acpi_unregister_gsi(line->gsi);
}

static int add_line(struct vmali_irq *chip, struct vmali_irq_line *line)
{
	int ret;

	line->chip = chip;
	line->parent = acpi_register_gsi(chip->dev, line->gsi, ACPI_LEVEL_SENSITIVE,
					 ACPI_ACTIVE_HIGH);
	if (line->parent < 0)
		return dev_err_probe(chip->dev, line->parent, "GSI %u\n", line->gsi);
	ret = devm_add_action_or_reset(chip->dev, unregister_gsi, line);
	if (ret)
		return ret;
	return devm_request_irq(chip->dev, line->parent, vmali_irq_handler,
				IRQF_NO_AUTOEN | IRQF_NO_THREAD, dev_name(chip->dev), line);
}

static int vmali_irq_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	u32 gsi[VMALI_MAX_LINES];
	struct vmali_irq *chip;
	int ret;

	chip = devm_kzalloc(dev, sizeof(*chip), GFP_KERNEL);
	if (!chip)
		return -ENOMEM;
	chip->dev = dev;
	chip->count = of_property_read_variable_u32_array(dev->of_node, "panthor-perf,gsis", gsi, 1,
							  VMALI_MAX_LINES);
	if (chip->count < 0)
		return dev_err_probe(dev, chip->count, "no interrupts\n");
	chip->domain = irq_domain_create_linear(dev_fwnode(dev), chip->count,
						&vmali_irq_domain_ops, chip);
	if (!chip->domain)
		return -ENOMEM;
	ret = devm_add_action_or_reset(dev, remove_domain, chip);
	for (int i = 0; !ret && i < chip->count; i++) {
		chip->line[i].gsi = gsi[i];
		ret = add_line(chip, &chip->line[i]);
	}
	return ret;
}

static const struct of_device_id vmali_irq_of_match[] = {
	{ .compatible = "panthor-perf,vmali-irq" },
	{ }
};
MODULE_DEVICE_TABLE(of, vmali_irq_of_match);

static struct platform_driver vmali_irq_driver = {
	.probe = vmali_irq_probe,
	.driver = {
		.name = "vmali-irq",
		.of_match_table = vmali_irq_of_match,
		.suppress_bind_attrs = true,
	},
};
module_platform_driver(vmali_irq_driver);

MODULE_DESCRIPTION("Interrupts of a device tree beside ACPI, for tests");
MODULE_LICENSE("Dual MIT/GPL");
