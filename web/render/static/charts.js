// charts.js draws charts from a table of the page. After app.js has fetched newer figures, it draws
// the charts again.

const lang = document.documentElement.lang;
// format returns a formatter that is created at its first use, because its creation takes long.
const format = (make) => {
  let made;
  return { format: (value) => (made ??= make()).format(value) };
};
const exact = format(() => new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "medium" }));
const frame = document.getElementById("charts");
const colours = ["--accent", "--warn", "--bad"];
const shade = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// colour returns the value of a colour of the style sheet, which depends on the theme. Each colour
// is resolved once in a theme, because resolving recalculates the styles of the whole page.
const resolved = new Map();
function colour(name) {
  if (!resolved.has(name)) {
    frame.style.color = shade(name);
    resolved.set(name, getComputedStyle(frame).color);
  }
  return resolved.get(name);
}

// read returns the times of the table, and the values of each column that has data-chart. The
// columns are grouped by chart.
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

// These format numbers and times in the language of the page.
const number = format(() => new Intl.NumberFormat(lang, { maximumFractionDigits: 1 }));
const short = format(() => new Intl.NumberFormat(lang, { notation: "compact" }));
const clock = format(() => new Intl.DateTimeFormat(lang, { timeStyle: "short" }));
const formatted = (format, value) => (value == null ? "–" : format.format(value));
const tall = 180;

// figure returns the element of the chart with this title.
const figure = (title) => [...frame.children].find((place) => place.firstElementChild.textContent === title);

function draw(title, times, lines) {
  const place = figure(title);
  const series = lines.map((line, i) => ({
    label: line.label, stroke: () => colour(colours[i]), width: 1.5, points: { show: (u) => u.data[0].length < 3 },
    value: (_, v) => formatted(number, v),
  }));
  const chart = new uPlot({
    width: place.clientWidth, height: tall,
    series: [{ label: frame.dataset.time, value: (_, v) => formatted(exact, v && v * 1000) }, ...series],
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

// Each chart is drawn in a separate task, so that the page responds to input between two charts.
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
