// charts.js: draws charts from the table beside them, and draws again when app.js has fetched newer
// figures.

const lang = document.documentElement.lang;
// format makes its formatter when it is first used: it takes long to make.
const format = (make) => {
  let made;
  return { format: (value) => (made ??= make()).format(value) };
};
const exact = format(() => new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "medium" }));
const frame = document.getElementById("charts");
const colours = ["--accent", "--warn", "--bad"];
const shade = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// colour resolves one of the style sheet's colours, which depend on the theme. Each is resolved once: it
// costs the style of the whole page.
const resolved = new Map();
function colour(name) {
  if (!resolved.has(name)) {
    frame.style.color = shade(name);
    resolved.set(name, getComputedStyle(frame).color);
  }
  return resolved.get(name);
}

// read takes the table apart: times, and a line for each of its columns.
function read() {
  const table = document.getElementById(frame.dataset.from);
  const rows = [...table.querySelectorAll("tbody tr")];
  const times = rows.map((row) => new Date(row.querySelector("time").dateTime) / 1000);
  const lines = [...table.querySelectorAll("th[data-chart]")].map((th) => ({
    chart: th.dataset.chart, label: th.textContent,
    values: rows.map((row) => Number(row.cells[th.cellIndex].dataset.v)),
  }));
  return { times, charts: Map.groupBy(lines, (line) => line.chart) };
}

const data = (times, lines) => [times, ...lines.map((line) => line.values)];
const axis = { stroke: () => colour("--quiet"), grid: { stroke: () => colour("--line"), width: 1 },
  ticks: { show: false } };

// Numbers and times as the language of the page writes them.
const number = format(() => new Intl.NumberFormat(lang, { maximumFractionDigits: 1 }));
const short = format(() => new Intl.NumberFormat(lang, { notation: "compact" }));
const clock = format(() => new Intl.DateTimeFormat(lang, { timeStyle: "short" }));
const told = (format, value) => (value == null ? "–" : format.format(value));
const tall = 180;

// figure returns the place of a chart, which has its title.
const figure = (title) => [...frame.children].find((place) => place.firstElementChild.textContent === title);

function draw(title, times, lines) {
  const place = figure(title);
  const series = lines.map((line, i) => ({
    label: line.label, stroke: () => colour(colours[i]), width: 1.5, points: { show: (u) => u.data[0].length < 3 },
    value: (_, v) => told(number, v),
  }));
  const chart = new uPlot({
    width: place.clientWidth, height: tall,
    series: [{ label: frame.dataset.time, value: (_, v) => told(exact, v && v * 1000) }, ...series],
    axes: [
      { ...axis, space: 70, values: (_, ticks) => ticks.map((tick) => clock.format(tick * 1000)) },
      { ...axis, size: 56, values: (_, ticks) => ticks.map((tick) => short.format(tick)) },
    ],
    scales: { x: { range: (u) => [u.data[0].at(-1) - Number(frame.dataset.span), u.data[0].at(-1)] }, y: { range: (_, min, max) => [0, Math.max(max * 1.1, 1)] } },
    cursor: { drag: { setScale: false }, y: false },
  }, data(times, lines), place);
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: tall })).observe(place);
  return chart;
}

// Each chart is drawn in a task of its own, so that the page answers between two.
const drawn = new Map();
const first = read();
for (const [title, lines] of first.charts) {
  await new Promise((done) => setTimeout(done));
  drawn.set(title, draw(title, first.times, lines));
}
document.addEventListener("looked", () => {
  const now = read();
  for (const [title, lines] of now.charts) drawn.get(title).setData(data(now.times, lines));
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  resolved.clear();
  for (const chart of drawn.values()) chart.redraw();
});
