// ops.js is loaded by the operator pages in addition to app.js. It writes times to the second in
// the time zone of the browser. It also handles the checkboxes that select all rows, and the copy
// buttons.

const lang = document.documentElement.lang;
// format returns a formatter that is created at its first use, because its creation takes long.
const format = (make) => {
  let made;
  return { format: (...values) => (made ??= make()).format(...values) };
};
const exact = format(() => new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "medium" }));
const clock = format(() => new Intl.DateTimeFormat(lang, { timeStyle: "medium" }));
const relative = format(() => new Intl.RelativeTimeFormat(lang, { numeric: "always", style: "short" }));
const units = [["second", 60], ["minute", 60], ["hour", 24], ["day", Infinity]];

// ago returns how far a time is from now, in seconds, minutes, hours or days.
function ago(at) {
  let n = (at - Date.now()) / 1000;
  for (const [unit, size] of units) {
    if (Math.abs(n) < size) return relative.format(Math.trunc(n), unit);
    n /= size;
  }
  return "";
}

// tellTimes writes the times of the page, as an age or exactly. Times in closed details are written
// after the details are opened. app.js writes the tooltip with the exact time.
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
