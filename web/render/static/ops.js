// ops.js: what the operators' pages have beside app.js: times to the second in the reader's zone,
// and boxes that select all rows of a page.

const lang = document.documentElement.lang;
// format makes its formatter when it is first used: it takes long to make.
const format = (make) => {
  let made;
  return { format: (...values) => (made ??= make()).format(...values) };
};
const exact = format(() => new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "medium" }));
const clock = format(() => new Intl.DateTimeFormat(lang, { timeStyle: "medium" }));
const relative = format(() => new Intl.RelativeTimeFormat(lang, { numeric: "always", style: "short" }));
const units = [["second", 60], ["minute", 60], ["hour", 24], ["day", Infinity]];

// ago says how far a time is from now, in the largest unit that fits.
function ago(at) {
  let n = (at - Date.now()) / 1000;
  for (const [unit, size] of units) {
    if (Math.abs(n) < size) return relative.format(Math.trunc(n), unit);
    n /= size;
  }
  return "";
}

// tellTimes writes the times of the page: how long ago, or exactly. Those in a closed fold follow when it is open.
// The exact time on hover is that of app.js.
function tellTimes() {
  for (const time of document.querySelectorAll(".ops time[datetime]")) {
    if (time.closest("details:not([open])")) continue;
    const at = new Date(time.dateTime);
    const today = at.toDateString() === new Date().toDateString();
    const text = "ago" in time.dataset ? ago(at) : "clock" in time.dataset && today ? clock.format(at) : exact.format(at);
    if (time.textContent !== text) time.textContent = text;
  }
}

setTimeout(tellTimes);
setInterval(() => document.hidden || tellTimes(), 1000);
document.addEventListener("looked", tellTimes);

for (const box of document.querySelectorAll("[data-all]")) {
  box.hidden = false;
  box.addEventListener("change", () => {
    for (const one of box.form.querySelectorAll(`[name="${box.dataset.all}"]`)) one.checked = box.checked;
  });
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", () => navigator.clipboard?.writeText(button.dataset.copy));
}
