// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/**
 * DOC: The clocks of a virtual GPU
 *
 * A kernel's own fixed-clock ignores a new rate. Of the virtual GPU with clock-provider=on, each
 * clock's rate is a register in Hz, at four times the clock's index, which the GPU runs with from
 * the write on: what changes the rate, be it devfreq for the first one, is seen in cycles.
 *
 * devfreq sets the first clock only. Each clock has a file of its name below the device in sysfs,
 * that shows its rate and, written, sets it through the clock framework with all its notifiers.
 */

#include <linux/clk-provider.h>
#include <linux/clk.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>

#define VMALI_MAX_CLOCKS	4

/**
 * struct vmali_clk - a clock
 */
struct vmali_clk {
	/** @hw: What the clock framework has of it. */
	struct clk_hw hw;

	/** @rate: Its register. */
	void __iomem *rate;

	/** @dev: The device of all clocks. */
	struct device *dev;

	/** @clk: The clock, for who writes to the file. */
	struct clk *clk;

	/** @file: The file below the device. */
	struct device_attribute file;
};

static unsigned long vmali_clk_recalc_rate(struct clk_hw *hw, unsigned long parent_rate)
{
	return readl(container_of(hw, struct vmali_clk, hw)->rate);
}

static int vmali_clk_determine_rate(struct clk_hw *hw, struct clk_rate_request *request)
{
	/* Every rate that the register can hold, but 0, is as good. */
	request->rate = clamp_t(unsigned long, request->rate, 1, U32_MAX);
	return 0;
}

static int vmali_clk_set_rate(struct clk_hw *hw, unsigned long rate, unsigned long parent_rate)
{
	writel(rate, container_of(hw, struct vmali_clk, hw)->rate);
	return 0;
}

static const struct clk_ops vmali_clk_ops = {
	.recalc_rate = vmali_clk_recalc_rate,
	.determine_rate = vmali_clk_determine_rate,
	.set_rate = vmali_clk_set_rate,
};

static ssize_t show_rate(struct device *dev, struct device_attribute *file, char *text)
{
	struct vmali_clk *vclk = container_of(file, struct vmali_clk, file);

	return sysfs_emit(text, "%lu\n", clk_get_rate(vclk->clk));
}

static ssize_t store_rate(struct device *dev, struct device_attribute *file, const char *text,
			  size_t count)
{
	struct vmali_clk *vclk = container_of(file, struct vmali_clk, file);
	unsigned long rate;
	int ret;

	ret = kstrtoul(text, 0, &rate);
	if (!ret)
		ret = clk_set_rate(vclk->clk, rate);
	return ret ?: count;
}

static void remove_file(void *data)
{
	struct vmali_clk *vclk = data;

	device_remove_file(vclk->dev, &vclk->file);
}

static int vmali_clk_register(struct device *dev, struct vmali_clk *vclk, const char *name)
{
	struct clk_init_data init = { .name = name, .ops = &vmali_clk_ops };
	int ret;

	vclk->dev = dev;
	vclk->hw.init = &init;
	ret = devm_clk_hw_register(dev, &vclk->hw);
	if (ret)
		return ret;
	vclk->clk = devm_clk_hw_get_clk(dev, &vclk->hw, "file");
	if (IS_ERR(vclk->clk))
		return PTR_ERR(vclk->clk);

	sysfs_attr_init(&vclk->file.attr);
	vclk->file.attr.name = name;
	vclk->file.attr.mode = 0644;
	vclk->file.show = show_rate;
	vclk->file.store = store_rate;
	ret = device_create_file(dev, &vclk->file);
	return ret ?: devm_add_action_or_reset(dev, remove_file, vclk);
}

static int vmali_clk_probe(struct platform_device *pdev)
{
	struct clk_hw_onecell_data *clocks;
	struct device *dev = &pdev->dev;
	struct resource *registers;
	struct vmali_clk *vclks;
	void __iomem *rates;
	int count;

	count = of_property_count_strings(dev->of_node, "clock-output-names");
	if (count <= 0 || count > VMALI_MAX_CLOCKS)
		return dev_err_probe(dev, -EINVAL, "%d names of clocks\n", count);
	registers = platform_get_resource(pdev, IORESOURCE_MEM, 0);
	if (!registers || resource_size(registers) < 4 * count)
		return dev_err_probe(dev, -EINVAL, "no registers\n");
	/* They lie in the window of the GPU, whose driver has claimed all of it. */
	rates = devm_ioremap(dev, registers->start, resource_size(registers));
	vclks = devm_kcalloc(dev, count, sizeof(*vclks), GFP_KERNEL);
	clocks = devm_kzalloc(dev, struct_size(clocks, hws, count), GFP_KERNEL);
	if (!rates || !vclks || !clocks)
		return -ENOMEM;

	clocks->num = count;
	for (int i = 0; i < count; i++) {
		const char *name;
		int ret;

		ret = of_property_read_string_index(dev->of_node, "clock-output-names", i, &name);
		if (ret)
			return ret;
		vclks[i].rate = rates + 4 * i;
		clocks->hws[i] = &vclks[i].hw;
		ret = vmali_clk_register(dev, &vclks[i], name);
		if (ret)
			return dev_err_probe(dev, ret, "clock %s\n", name);
	}
	return devm_of_clk_add_hw_provider(dev, of_clk_hw_onecell_get, clocks);
}

static const struct of_device_id vmali_clk_of_match[] = {
	{ .compatible = "panthor-perf,vmali-clocks" },
	{ }
};
MODULE_DEVICE_TABLE(of, vmali_clk_of_match);

static struct platform_driver vmali_clk_driver = {
	.probe = vmali_clk_probe,
	.driver = {
		.name = "vmali-clk",
		.of_match_table = vmali_clk_of_match,
	},
};
module_platform_driver(vmali_clk_driver);

MODULE_DESCRIPTION("Clocks of a virtual Mali GPU, for tests");
MODULE_LICENSE("Dual MIT/GPL");
