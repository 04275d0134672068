//go:build all

package browser

import (
	"time"

	"github.com/chromedp/chromedp"
)

// fillOps creates rows that run, wait for a retry and are dead, so that no page of operators is
// empty.
func (w *window) fillOps(url string) []shot {
	w.t.Helper()
	text := "SKU,Name,Price,Brand,Note\nD,d,1,Acme,!error\nE,e,2,Acme,!error\nF,f,2,Acme,!error\nF,f,3,Acme,\n"
	for range 20 {
		text += "S,s,3,Acme,!slow\n"
	}
	file := w.file("stubborn.csv", text)
	w.do(chromedp.Navigate(url))
	w.upload(file)
	w.until(`location.pathname.includes("/tasks/")`)
	const at = "/ops/queues/products.import"
	w.do(chromedp.Navigate(url + "/ops"))
	w.until(`Number(` + productsQueue + `.querySelector("td:nth-of-type(3)").textContent) >= 3`)
	// A key whose retry runs at this moment does not wait. Look again.
	const both = `['D', 'E'].every((key) => document.querySelector('[name="key"][value="' + key + '"]'))`
	for end := time.Now().Add(patience); time.Now().Before(end); {
		w.do(chromedp.Navigate(url + at + "/waiting?by=retry_count&dir=desc"))
		if ok, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](both)); err == nil && ok {
			break
		}
	}
	for _, key := range []string{"D", "E"} {
		w.eval(`document.querySelector('[name="key"][value="` + key + `"]').checked = true`)
	}
	w.do(click(`button[value="kill-failed"]`), click("button.danger"))
	w.says("2 keys killed.")
	w.do(chromedp.Navigate(url))
	w.upload(file) // its rows wait behind slow rows
	w.until(`location.pathname.includes("/tasks/")`)
	unfolded := func(w *window) {
		w.eval(`document.querySelectorAll(".ops details").forEach((fold) => (fold.open = true))`)
	}
	row := ""
	found := func(w *window) {
		link, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](`document.querySelector('a[href^="/ops/rows/"]').href`))
		if row = link; err != nil {
			w.t.Fatal(err)
		}
		unfolded(w)
	}
	return []shot{
		{"ops", "/ops", nil},
		{"ops-queue", at, nil},
		{"ops-waiting", at + "/waiting", unfolded},
		{"ops-busy", at + "/busy", nil},
		{"ops-morgue", at + "/morgue", found},
		{"ops-hot", at + "/keys", nil},
		{"ops-ask", at, func(w *window) {
			w.do(click(`form[action$="/pause"] button`))
			w.says("No job of this queue starts")
		}},
		{"ops-nodes", "/ops/nodes", nil},
		{"ops-tasks", "/ops/tasks", nil},
		{"ops-tenants", "/ops/tenants", nil},
		{"ops-tenant", "/ops/tenants/default", nil},
		{"ops-rows", "/ops/rows", nil},
		{"ops-row", "/ops/rows", func(w *window) {
			w.do(chromedp.Navigate(row))
			w.says("Attempt")
		}},
		{"ops-errors", "/ops/errors", nil},
		{"ops-find", "/ops/rows?q=F", nil},
		{"ops-schedules", "/ops/schedules", func(w *window) {
			w.eval(`for (const [name, text] of Object.entries({ name: "Prices of the night", cron: "30 2 * * *",
				request: '{"kind": "promos.export", "type": "export", "format": "xlsx"}' })) document.getElementById(name).value = text`)
			w.do(click("section.card button"))
			w.says("The schedule is created.")
		}},
		{"ops-webhooks", "/ops/webhooks", nil},
		{"ops-limits", "/ops/limits", nil},
		{"ops-access", "/ops/access", nil},
		{"ops-audit", "/ops/audit", nil},
	}
}
