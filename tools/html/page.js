/* SPDX-License-Identifier: GPL-2.0 or MIT */

/*
 * The page of "panthor-perf export --html". The data block has the recording (see html.h of the program); this draws it
 * with uPlot: a chart for each unit, all over the same time. A value is drawn over the time of its sample. Texts of the
 * recording become text of the page by textContent alone.
 */
(function () {
"use strict";

const COLORS = {
	light: ["#0072b2", "#d55e00", "#009e73", "#b0448a", "#b07d00", "#2f9fd8", "#7a4fc9", "#6b6b1f", "#c2223a", "#3d4654"],
	dark: ["#56b4e9", "#ff8a3d", "#2fd3a2", "#e793c4", "#f0c040", "#8fb4ff", "#b79cff", "#c8c86a", "#ff7a86", "#c3ccd8"],
};
const DASHES = [[], [6, 3], [2, 3]];
const BORDERS = ["solid", "dashed", "dotted"];
const PREFIXES = ["", "k", "M", "G", "T", "P"];
const FIRST_LINES = 12;		/* lines that are shown at first, at most */
const TIP_ROWS = 14;		/* values in the tooltip, at most */
const MIN_HEIGHT = 220;		/* of a chart, in pixels */
const MAX_HEIGHT = 400;
const MARK_HEIGHT = 18;
const MARK_LENGTH = 28;		/* characters of the name of a mark, at most */
const ZOOM = 1.5;		/* factor of a step */
const SHORTEST_S = 1e-6;	/* the shortest time that can be shown */
const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

const data = JSON.parse(document.getElementById("data").textContent);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const byId = (id) => document.getElementById(id);

/* An array of the data: by number of the sample. Browsers' machines are little-endian, as it is. */
function decode(array) {
	if (array.type === undefined)
		return new Float64Array(data.samples.count).fill(array.value === null ? NaN : array.value);
	const text = atob(array.data);
	const bytes = new Uint8Array(text.length);

	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return new TYPES[array.type](bytes.buffer);
}

function make(tag, properties, ...children) {
	const element = Object.assign(document.createElement(tag), properties);

	element.append(...children);
	return element;
}

/* ---- Samples ---- */

const samples = {
	count: data.samples.count,
	length: decode(data.samples.length),
	flags: decode(data.samples.flags),
	events: decode(data.samples.events),
	merged: decode(data.samples.merged),
	start: new Float64Array(data.samples.count),
	end: new Float64Array(data.samples.count),
};
/*
 * Points of all lines: the start of each sample, and the end of each run. There, counters do not run: a line has a gap.
 * The last end has the value of the last sample, which the line is drawn to.
 */
const points = { x: [], sample: [] };

(function () {
	const gap = decode(data.samples.gap);
	let ns = data.begin_ns;

	for (let i = 0; i < samples.count; i++) {
		ns += gap[i];
		if (i && gap[i]) {
			points.x.push(samples.end[i - 1]);
			points.sample.push(-1);
		}
		points.x.push(ns / 1e9);
		points.sample.push(i);
		samples.start[i] = ns / 1e9;
		ns += samples.length[i];
		samples.end[i] = ns / 1e9;
	}
	points.x.push(samples.end[samples.count - 1]);
	points.sample.push(samples.count - 1);
})();

const whole = { min: points.x[0], max: points.x[points.x.length - 1] };
const view = { min: whole.min, max: whole.max };

if (!(whole.max > whole.min))
	view.max = whole.max = whole.min + SHORTEST_S;

/* Number of the sample at a time, -1 for none. */
function sampleAt(time) {
	let low = 0, high = samples.count;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (samples.start[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low && time < samples.end[low - 1] ? low - 1 : time === whole.max ? samples.count - 1 : -1;
}

function names(bits, list) {
	const found = [];

	for (let bit = 0; bit < 32; bit++)
		if (bits >>> bit & 1)
			found.push(list[bit] || "bit-" + bit);
	return found;
}

const bit = (name) => 1 << data.flags.indexOf(name);
const MISSING = bit("ERROR") | bit("OVERFLOW");
const MERGED = bit("STRETCHED");
const shaded = [];

for (let i = 0; i < samples.count; i++)
	if (samples.flags[i] & (MISSING | MERGED))
		shaded.push(i);

const marksOf = new Map();
for (const mark of data.marks) {
	mark.label = mark.name || "mark " + mark.id;
	marksOf.set(mark.sample, (marksOf.get(mark.sample) || []).concat(mark.label));
}

/* ---- Counters ---- */

function unitOf(about) {
	const short = { percent: "%", hertz: "Hz", bytes: "B", "bytes/s": "B/s" }[about.unit] || about.unit;

	return about.amount ? (short || "events") + "/s" : short;
}

/* A line that can be shown: a counter, or one of its instances. */
function Line(counter, instance) {
	this.counter = counter;
	this.name = counter.about.name + (instance < 0 ? "" : "[" + instance + "]");
	this.unit = unitOf(counter.about);
	this.array = instance < 0 ? counter.values : counter.instances[instance];
	this.color = -1;
	this.box = null;
}

Line.prototype.values = function () {
	if (!this.decoded) {
		this.decoded = decode(this.array);
		if (this.counter.about.amount)
			this.decoded = Float64Array.from(this.decoded, (v, i) => v * 1e9 / samples.length[i]);
	}
	return this.decoded;
};

/* By point; null where there is no value. */
Line.prototype.points = function () {
	const values = this.values();

	return points.sample.map((i) => i < 0 || !Number.isFinite(values[i]) ? null : values[i]);
};

const lines = [];
const shown = new Set();

for (const counter of data.counters) {
	counter.lines = [new Line(counter, -1)];
	counter.instances.forEach((array, i) => counter.lines.push(new Line(counter, i)));
	lines.push(...counter.lines);
}

/* ---- Numbers ---- */

/* Digits without zeroes at the end. */
const digits = (number, count) => String(Number(number.toPrecision(count)));

function prefixed(value, unit) {
	const plain = unit === "%" || unit === "";
	let i = 0;

	while (!plain && Math.abs(value) >= 1000 && i < PREFIXES.length - 1) {
		value /= 1000;
		i++;
	}
	return [value, PREFIXES[i]];
}

function valueText(value, unit) {
	if (!Number.isFinite(value))
		return "\u2013";
	const [number, prefix] = prefixed(value, unit);

	return digits(number, 5) + (unit ? "\u00a0" + prefix + unit : prefix);
}

function timeText(time, span) {
	const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(span)) + 3));

	return time.toFixed(decimals);
}

function lengthText(ns) {
	return ns < 1e3 ? ns + " ns" : ns < 1e6 ? digits(ns / 1e3, 6) + " \u00b5s" :
		ns < 1e9 ? digits(ns / 1e6, 6) + " ms" : digits(ns / 1e9, 6) + " s";
}

/* ---- Range ---- */

const charts = new Map();	/* by unit */

function setRange(min, max) {
	const span = Math.min(Math.max(max - min, SHORTEST_S), whole.max - whole.min);

	if (!(span > 0))
		return;
	min = Math.min(Math.max((min + max - span) / 2, whole.min), whole.max - span);
	view.min = min;
	view.max = Math.min(min + span, whole.max);
	for (const chart of charts.values())
		if (chart.plot)
			chart.plot.setScale("x", { min: view.min, max: view.max });
	showRange();
}

function zoom(factor, center) {
	if (center === undefined)
		center = (view.min + view.max) / 2;
	setRange(center - (center - view.min) / factor, center + (view.max - center) / factor);
}

function move(part) {
	const by = (view.max - view.min) * part;
	const to = Math.min(Math.max(view.min + by, whole.min), whole.max - (view.max - view.min));

	setRange(to, to + view.max - view.min);
}

function showAll() {
	setRange(whole.min, whole.max);
}

function showRange() {
	const span = view.max - view.min;
	const all = span >= (whole.max - whole.min) * (1 - 1e-12);

	byId("span").textContent = timeText(view.min, span) + " s to " + timeText(view.max, span) + " s";
	/* The program has judged all samples; a part may have another verdict. */
	byId("verdict").textContent = (!all && data.verdict ? "Whole recording: " : "") + data.verdict;
	byId("charts").dataset.from = view.min;
	byId("charts").dataset.to = view.max;
	byId("out").disabled = byId("all").disabled = all;
	byId("earlier").disabled = view.min <= whole.min;
	byId("later").disabled = view.max >= whole.max;
}

/* ---- Charts ---- */

let style = {};

function readStyle() {
	const css = getComputedStyle(document.documentElement);

	for (const name of ["text", "dim", "grid", "line", "merged", "error", "mark", "back"])
		style[name] = css.getPropertyValue("--" + name).trim();
	style.colors = COLORS[dark.matches ? "dark" : "light"];
	style.font = "12px " + getComputedStyle(document.body).fontFamily;
}

const colorOf = (line) => style.colors[line.color % style.colors.length];
const patternOf = (line) => Math.floor(line.color / style.colors.length) % DASHES.length;

function swatch(line) {
	const element = make("span", { className: "swatch" });

	element.style.borderTop = "3px " + BORDERS[patternOf(line)] + " " + colorOf(line);
	return element;
}

/*
 * A line of uPlot: steps, each over the time of its sample. Of the samples that share a column of pixels, the smallest and
 * the largest value are drawn. At null the line ends.
 */
function paths(plot, series, from, to) {
	const stroke = new Path2D();
	const [xs, ys] = [plot.data[0], plot.data[series]];
	const { left, top, width, height } = plot.bbox;
	const { x: time, y: scale } = plot.scales;
	const column = (t) => Math.round(left + (t - time.min) / (time.max - time.min) * width);
	const row = (value) => top + (scale.max - value) / (scale.max - scale.min) * height;
	let on = false, x = 0, y = 0, low = 0, high = 0;
	const finish = () => {
		if (low === high)
			return;
		stroke.lineTo(x, low);
		stroke.lineTo(x, high);
		stroke.lineTo(x, y);
	};

	for (let i = from; i <= to; i++) {
		const here = column(xs[i]);
		const next = ys[i] === null ? y : row(ys[i]);
		const same = on && here === x;

		if (on && here !== x) {
			finish();
			stroke.lineTo(here, y);
			low = high = y;
			x = here;
		} else if (!on && ys[i] !== null) {
			stroke.moveTo(here, next);
			low = high = y = next;
			x = here;
		}
		low = Math.min(low, next);
		high = Math.max(high, next);
		if (on && ys[i] === null) {
			finish();
			/* What is shorter than a pixel is seen as well. */
			if (same)
				stroke.lineTo(here + 1, y);
		}
		y = next;
		on = ys[i] !== null;
	}
	if (on)
		finish();
	return { stroke, fill: null, clip: null, band: null, gaps: null, flags: 0 };
}

function drawShades(plot) {
	const { ctx, bbox } = plot;

	ctx.save();
	for (const i of shaded) {
		if (samples.end[i] < view.min || samples.start[i] > view.max)
			continue;
		const left = Math.max(plot.valToPos(samples.start[i], "x", true), bbox.left);
		const right = Math.min(plot.valToPos(samples.end[i], "x", true), bbox.left + bbox.width);

		ctx.fillStyle = samples.flags[i] & MISSING ? style.error : style.merged;
		ctx.fillRect(left, bbox.top, Math.max(right - left, uPlot.pxRatio), bbox.height);
	}
	ctx.restore();
}

/* The name of a mark, or as much of a long one as has room; "" if that is too little. */
function fitted(ctx, text, room) {
	let length = Math.min(text.length, MARK_LENGTH);

	if (length === text.length && ctx.measureText(text).width <= room)
		return text;
	while (length && ctx.measureText(text.slice(0, length) + "\u2026").width > room)
		length--;
	return length >= Math.min(text.length, MARK_LENGTH) / 2 && length > 8 ? text.slice(0, length) + "\u2026" : "";
}

/* A mark is at the end of its sample. Its name is left of it, where there is room; the others are fainter. */
function drawMarks(plot, withNames) {
	const { ctx, bbox } = plot;
	const ratio = uPlot.pxRatio;
	const places = [];
	let room = bbox.left, line = -Infinity;

	for (const mark of data.marks) {
		const time = samples.end[mark.sample];

		if (time >= view.min && time <= view.max)
			places.push([Math.round(plot.valToPos(time, "x", true)), mark.label]);
	}
	const faint = Math.min(Math.max(bbox.width / ratio / places.length / 40, 0.25), 0.8);

	ctx.save();
	ctx.strokeStyle = ctx.fillStyle = style.mark;
	ctx.lineWidth = ratio;
	ctx.setLineDash([4 * ratio, 4 * ratio]);
	ctx.font = 12 * ratio + style.font.slice(2);
	ctx.textBaseline = "bottom";
	ctx.textAlign = "right";
	for (const [x, label] of places) {
		const text = withNames && x > room ? fitted(ctx, label, x - room) : "";

		if (text) {
			ctx.globalAlpha = 1;
			ctx.fillText(text, x, bbox.top - 4 * ratio);
			room = x + 8 * ratio;
		}
		if (!text && x - line < 3 * ratio)
			continue;
		ctx.globalAlpha = text ? 1 : faint;
		ctx.beginPath();
		ctx.moveTo(x, bbox.top - (text ? 4 * ratio : 0));
		ctx.lineTo(x, bbox.top + bbox.height);
		ctx.stroke();
		line = x;
	}
	ctx.restore();
}

function yRange(plot, min, max) {
	if (!Number.isFinite(min) || !Number.isFinite(max))
		return [0, 1];
	min = Math.min(min, 0);
	max = Math.max(max, 0);
	return max === min ? [0, 1] : [min && min * 1.06, max * 1.06];
}

/* Steps are 1, 2, 2.5 or 5 times a power of ten: 0.025 needs three decimals. */
function decimals(step) {
	let count = 0;

	while (count < 9 && Math.abs(step * 10 ** count - Math.round(step * 10 ** count)) > 1e-6)
		count++;
	return count;
}

/* Such a unit stands behind each number, as where the pointer is; a longer one beside the axis. */
const isShort = (unit) => unit.length > 0 && unit.length <= 3;

function axisValues(unit) {
	return (plot, ticks) => {
		const [, prefix] = prefixed(Math.max(...ticks.map(Math.abs)), unit);
		const scale = Math.pow(1000, PREFIXES.indexOf(prefix));

		return ticks.map((v) => digits(v / scale, 6) + (isShort(unit) ? "\u00a0" + prefix + unit : v ? prefix : ""));
	};
}

/* What of a chart's events is for the other charts: where the pointer is, not what it drags. */
const filters = { pub: (type) => type !== "mousedown" && type !== "mouseup" && type !== "dblclick" };

/* The charts fill the window, if they are few. */
function chartHeight() {
	const room = window.innerHeight - byId("charts").getBoundingClientRect().top - byId("charts").parentNode.scrollTop - 60;

	return Math.round(Math.min(Math.max(room / Math.max(charts.size, 1) - 10, MIN_HEIGHT), MAX_HEIGHT));
}

function chartOptions(chart) {
	const axis = {
		stroke: style.dim, font: style.font, grid: { stroke: style.grid, width: 1 },
		ticks: { stroke: style.line, width: 1, size: 5 },
	};
	const top = chart.first && data.marks.length ? MARK_HEIGHT + 8 : 10;

	return {
		width: chart.plotElement.clientWidth,
		height: chartHeight(),
		padding: [top, 14, 0, 0],
		legend: { show: false },
		cursor: {
			drag: { x: true, y: false, setScale: false, dist: 4 },
			points: { show: false },
			sync: { key: "time", setSeries: false, filters },
			bind: { dblclick: () => () => { showAll(); return null; } },
		},
		scales: { x: { time: false, range: () => [view.min, view.max] }, y: { range: yRange } },
		axes: [
			{ ...axis, size: 34, gap: 4, values: (plot, ticks, column, space, step) => ticks.map((v) =>
				v === null ? "" : v.toFixed(decimals(step)) + " s") },
			{ ...axis, size: isShort(chart.unit) ? 70 : 52, gap: 4, values: axisValues(chart.unit),
				label: isShort(chart.unit) ? "" : chart.unit || "ratio",
				labelSize: isShort(chart.unit) ? 0 : 18, labelGap: 2, labelFont: style.font },
		],
		series: [{}, ...chart.lines.map((line) => ({
			label: line.name, stroke: colorOf(line), width: 1.5, dash: DASHES[patternOf(line)], paths,
			points: { show: false }, spanGaps: false,
		}))],
		hooks: {
			drawClear: [drawShades],
			draw: [(plot) => drawMarks(plot, chart.first)],
			setSelect: [(plot) => {
				const { left, width } = plot.select;

				if (!width)
					return;
				plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
				setRange(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
			}],
			setCursor: [(plot) => pointAt(chart, plot)],
		},
	};
}

function Chart(unit) {
	this.unit = unit;
	this.lines = [];
	this.plotElement = make("div", { className: "plot" });
	this.legend = make("div", { className: "legend" });
	this.element = make("section", { className: "chart" }, this.plotElement, this.legend);
	this.element.chart = this;
}

Chart.prototype.destroy = function () {
	if (this.plot)
		this.plot.destroy();
	this.plot = null;
};

Chart.prototype.draw = function (first) {
	this.destroy();
	this.first = first;
	this.outputs = this.lines.map(() => make("output"));
	this.legend.replaceChildren(make("h2", { textContent: this.unit || "ratio" }), ...this.lines.map((line, i) =>
		make("div", { title: line.counter.about.title }, swatch(line), make("span", { textContent: line.name }),
		     this.outputs[i])));
	this.plot = new uPlot(chartOptions(this), [points.x, ...this.lines.map((line) => line.points())], this.plotElement);
	this.plot.over.addEventListener("wheel", (event) => {
		const box = this.plot.over.getBoundingClientRect();
		const turn = event.deltaY || event.deltaX;

		/* Where there is nothing to zoom out of, the wheel scrolls the page. */
		if (byId("all").disabled && (turn > 0 || event.shiftKey))
			return;
		event.preventDefault();
		if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			move(Math.sign(turn) / 8);
		else if (turn)
			zoom(turn < 0 ? ZOOM : 1 / ZOOM, this.plot.posToVal(event.clientX - box.left, "x"));
	}, { passive: false });
};

/* Lines keep their colours while they are shown. */
function setColors(list) {
	const used = new Set(list.map((line) => line.color));

	for (const line of list) {
		for (let i = 0; line.color < 0; i++)
			if (!used.has(i))
				line.color = i;
		used.add(line.color);
	}
}

function resize() {
	const height = chartHeight();

	for (const chart of charts.values()) {
		const width = chart.plotElement.clientWidth;

		if (chart.plot && (width !== chart.plot.width || height !== chart.plot.height))
			chart.plot.setSize({ width, height });
	}
}

/* Makes the charts show the selected lines; those that do not change stay. */
function update(all) {
	const element = byId("charts");
	const wanted = new Map();

	for (const line of lines) {
		if (!shown.has(line))
			continue;
		if (!wanted.has(line.unit))
			wanted.set(line.unit, []);
		wanted.get(line.unit).push(line);
	}
	for (const [unit, chart] of charts) {
		if (wanted.has(unit))
			continue;
		chart.destroy();
		chart.element.remove();
		charts.delete(unit);
	}
	element.querySelectorAll(".empty").forEach((e) => e.remove());
	if (!wanted.size)
		element.append(make("p", { className: "empty", textContent: "Select counters in the list." }));
	for (const unit of wanted.keys()) {
		if (!charts.has(unit))
			charts.set(unit, new Chart(unit));
		element.append(charts.get(unit).element);
	}
	let first = true;
	for (const [unit, list] of wanted) {
		const chart = charts.get(unit);
		const same = chart.lines.length === list.length && list.every((line, i) => line === chart.lines[i]);

		if (!same || all || chart.first !== first) {
			chart.lines = list;
			setColors(list);
			chart.draw(first);
		}
		first = false;
	}
	hideTip();
	resize();
	showRange();
}

/* ---- Values under the pointer ---- */

function hideTip() {
	byId("tip").hidden = true;
	for (const chart of charts.values())
		chart.outputs.forEach((output) => { output.textContent = ""; });
}

let pointer = null;

window.addEventListener("mousemove", (event) => { pointer = event; }, { capture: true, passive: true });

function pointAt(chart, plot) {
	const left = plot.cursor.left;

	if (left === undefined || left < 0) {
		hideTip();
		return;
	}
	const i = sampleAt(plot.posToVal(left, "x"));

	chart.lines.forEach((line, k) => {
		chart.outputs[k].textContent = i < 0 ? "" : valueText(line.values()[i], line.unit);
	});
	if (pointer && pointer.target === plot.over)
		showTip(chart, i, plot.posToVal(left, "x"));
}

function tipLines(i) {
	const found = [make("p", { className: "when", textContent: timeText(samples.start[i], view.max - view.min) +
			" s to " + timeText(samples.end[i], view.max - view.min) + " s" }),
		make("p", { className: "more", textContent: "sample " + (data.recording.first_sample + i) + ", " +
			lengthText(samples.length[i]) + (samples.merged[i] ? ", " + samples.merged[i] + " more period" +
			(samples.merged[i] > 1 ? "s" : "") + " merged into it" : "") })];
	const flags = names(samples.flags[i], data.flags).concat(names(samples.events[i], data.events));

	if (flags.length)
		found.push(make("p", { className: "flags", textContent: flags.join(", ") }));
	for (const label of marksOf.get(i) || [])
		found.push(make("p", { className: "flags", textContent: "mark: " + label }));
	return found;
}

function showTip(chart, i, time) {
	const tip = byId("tip");

	if (i < 0) {
		tip.replaceChildren(make("p", { className: "when", textContent: timeText(time, view.max - view.min) + " s" }),
				    make("p", { className: "more", textContent: "no sample: counters did not run" }));
	} else {
		const rows = chart.lines.slice(0, TIP_ROWS).map((line) => {
			const output = make("output", { textContent: valueText(line.values()[i], line.unit) });

			return make("div", { className: "row" }, swatch(line), make("span", { textContent: line.name }), output);
		});

		tip.replaceChildren(...tipLines(i), ...rows);
		if (chart.lines.length > TIP_ROWS)
			tip.append(make("p", { className: "more", textContent: chart.lines.length - TIP_ROWS + " more beside it" }));
	}
	tip.hidden = false;
	const width = tip.offsetWidth, height = tip.offsetHeight;
	const right = pointer.clientX + 18 + width < window.innerWidth;

	tip.style.left = (right ? pointer.clientX + 18 : Math.max(4, pointer.clientX - 18 - width)) + "px";
	tip.style.top = Math.max(4, Math.min(pointer.clientY + 14, window.innerHeight - height - 4)) + "px";
}

/* ---- List of counters ---- */

const groups = new Map();

function select(line, on) {
	if (on)
		shown.add(line);
	else
		shown.delete(line);
	line.color = -1;
	if (line.box)
		line.box.checked = on;
}

function countGroups() {
	for (const group of groups.values()) {
		let count = 0;

		for (const counter of group.counters)
			count += counter.lines.filter((line) => shown.has(line)).length;
		group.small.textContent = count ? count + " shown" : "";
	}
}

function boxOf(line) {
	line.box = make("input", { type: "checkbox", checked: shown.has(line), name: line.name });
	line.box.addEventListener("change", () => {
		select(line, line.box.checked);
		update();
		countGroups();
	});
	return line.box;
}

/* Check boxes of the instances are made when they are opened. */
function blocksOf(counter) {
	const count = counter.instances.length;
	const list = make("div", { hidden: true });
	const button = make("button", { type: "button", textContent: count + " " + (counter.about.block || "") + " blocks" });

	button.setAttribute("aria-expanded", "false");
	button.addEventListener("click", () => {
		list.hidden = !list.hidden;
		button.setAttribute("aria-expanded", String(!list.hidden));
		if (list.childElementCount)
			return;
		const all = make("button", { type: "button", textContent: "all" });

		all.addEventListener("click", () => {
			const on = !counter.lines.slice(1).every((line) => shown.has(line));

			counter.lines.slice(1).forEach((line) => select(line, on));
			update();
			countGroups();
		});
		list.append(all, ...counter.lines.slice(1).map((line, i) => make("label", {}, boxOf(line), String(i))));
	});
	return make("div", { className: "blocks" }, button, list);
}

function makeList() {
	for (const counter of data.counters) {
		const name = counter.about.derived ? counter.about.group : "Counters: " + counter.about.group;

		if (!groups.has(name)) {
			const small = make("small");
			const list = make("ul");
			const element = make("details", {}, make("summary", { textContent: name }), list);

			element.firstChild.append(small);
			groups.set(name, { counters: [], small, list, element });
			byId("groups").append(element);
		}
		const group = groups.get(name);
		const about = make("span", { className: "about-counter", textContent: counter.about.title });
		const unit = counter.lines[0].unit;

		if (unit)
			about.append((counter.about.title ? ", " : "") + unit);
		counter.item = make("li", {}, make("label", {}, boxOf(counter.lines[0]),
			make("span", { className: "name", textContent: counter.about.name }), about));
		counter.text = (counter.about.name + " " + counter.about.title + " " + (counter.about.index === undefined ? "" :
			counter.about.block + ":" + counter.about.index)).toLowerCase();
		if (counter.instances.length)
			counter.item.append(blocksOf(counter));
		group.counters.push(counter);
		group.list.append(counter.item);
		group.element.open = group.element.open || shown.has(counter.lines[0]);
	}
	countGroups();
}

function search() {
	const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
	let any = false;

	for (const group of groups.values()) {
		let found = 0;

		for (const counter of group.counters) {
			const matches = words.every((word) => counter.text.includes(word));

			counter.item.hidden = !matches;
			found += matches;
		}
		group.element.hidden = !found;
		if (words.length && group.closed === undefined)
			group.closed = !group.element.open;
		if (words.length)
			group.element.open = true;
		else if (group.closed !== undefined) {
			group.element.open = !group.closed || group.counters.some((c) => c.lines.some((l) => shown.has(l)));
			group.closed = undefined;
		}
		any = any || found > 0;
	}
	byId("nothing").hidden = any;
}

/* ---- The page ---- */

function describe() {
	const about = data.recording, quality = data.quality;
	const facts = [
		about.set + " counters",
		about.period_ns ? "period " + lengthText(about.period_ns) : "no period",
		samples.count + (samples.count === 1 ? " sample" : " samples") + " over " + lengthText(about.time_ns),
		about.date, about.command,
	];
	const key = byId("key");
	const entry = (kind, text) => key.append(make("span", {}, make("i", { className: kind }), text));
	const bad = quality.errors + quality.overflows;

	byId("title").textContent = about.gpu + ": " + about.file;
	document.title = about.file + " \u2013 " + about.gpu + " \u2013 panthor-perf";
	if (!about.finished)
		facts.push("the recording was not finished");
	if (quality.lost)
		facts.push(quality.lost + " samples LOST");
	byId("facts").textContent = facts.filter(Boolean).join(" \u00b7 ");
	byId("limits").append(...data.limits.map((text) => make("li", { textContent: text })));
	byId("facts").title = [about.tool, about.kernel].filter(Boolean).join(", ");
	if (bad)
		entry("error", "counts missing (" + quality.errors + " with ERROR, " + quality.overflows + " with OVERFLOW)");
	if (quality.stretched)
		entry("merged", quality.stretched + (quality.stretched === 1 ? " sample with " : " samples with ") + quality.merged +
			(quality.merged === 1 ? " merged period" : " merged periods"));
	if (data.marks.length)
		entry("mark", data.marks.length + (data.marks.length === 1 ? " mark" : " marks"));
}

function selectFirst() {
	let first = lines.filter((line) => line === line.counter.lines[0] && line.counter.about.shown);

	if (!first.length)
		first = data.counters.slice(0, 6).map((counter) => counter.lines[0]);
	first.slice(0, FIRST_LINES).forEach((line) => shown.add(line));
}

function bind() {
	byId("in").addEventListener("click", () => zoom(ZOOM));
	byId("out").addEventListener("click", () => zoom(1 / ZOOM));
	byId("earlier").addEventListener("click", () => move(-0.25));
	byId("later").addEventListener("click", () => move(0.25));
	byId("all").addEventListener("click", showAll);
	byId("search").addEventListener("input", search);
	byId("none").addEventListener("click", () => {
		[...shown].forEach((line) => select(line, false));
		update();
		countGroups();
	});
	document.addEventListener("keydown", (event) => {
		const actions = {
			"+": () => zoom(ZOOM), "=": () => zoom(ZOOM), "-": () => zoom(1 / ZOOM), "0": showAll, Home: showAll,
			ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25), "/": () => byId("search").focus(),
		};

		if (event.target.type === "search" || event.ctrlKey || event.metaKey || event.altKey || !actions[event.key])
			return;
		event.preventDefault();
		actions[event.key]();
	});
	dark.addEventListener("change", () => { readStyle(); update(true); });
	new ResizeObserver(resize).observe(document.querySelector("main"));
	window.addEventListener("resize", resize);
}

readStyle();
describe();
selectFirst();
makeList();
update();
bind();
})();
