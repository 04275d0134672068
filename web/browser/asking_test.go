//go:build all

package browser

func init() {
	stories["slow service"] = testSlowService
	stories["list changes"] = testListChangesDuringHealthCheck
	stories["row page follows"] = testRowPageFollows
}

// testSlowService presses a button, and changes the page before the service has answered the health check. The
// form is sent all the same. No other story has rows of these keys.
func testSlowService(w *window, _ string) {
	w.choose(w.file("slow.csv", "SKU,Titel,Price,Brand\nSLOW-0,Lamp,1,Acme\n"))
	w.until(`document.querySelector("html.scripted #matches select")`)
	w.eval(`{ const select = [...document.querySelectorAll("#matches select")].find((one) => one.name === "map:Titel");
		select.value = "Name";
		select.dispatchEvent(new Event("change", { bubbles: true })); }`)
	w.until(`document.querySelector("#onward .quiet")?.textContent.includes("4 of 4")`)
	w.eval(`{ const real = window.fetch;
		window.fetch = async (address, ...rest) => {
			if (String(address).endsWith("/healthz")) await new Promise((done) => setTimeout(done, 1500));
			return real(address, ...rest);
		};
		document.querySelector("button[value=next]").click();
		document.getElementById("header_row").dispatchEvent(new Event("change", { bubbles: true })); }`)
	w.until(`location.pathname.endsWith("/check")`)
	w.says("1 row in the file")
}

// testRowPageFollows opens the page of a row that waits in a paused import. The page shows how the row has ended
// after the import is resumed, even after several polls. The page of a row that waits for a retry counts down to
// it, and names no time once the retry is due. No other story has rows of these keys.
func testRowPageFollows(w *window, _ string) {
	w.choose(w.file("follow.csv", "SKU,Name,Price,Brand,Note\nFOLLOW-0,Lamp,1,Acme,\nFOLLOW-1,Lamp,twelve,Acme,\nFOLLOW-2,Lamp,1,Acme,!later\n"))
	w.until(`document.querySelector("button[value=start]")`)
	w.press(`input[name="first"][value="yes"]`)
	w.press(`button[value="start"]`)
	w.until(`document.querySelector('form[action$="/resume"]')`)
	w.eval(`location.assign(location.pathname + "/rows/1")`)
	w.until(`document.querySelector("html.scripted #row-form[data-live]")`)
	w.eval(`window.looks = 0; document.addEventListener("looked", () => window.looks++)`)
	w.until(`window.looks > 1`)
	w.eval(`fetch(location.pathname.replace("/rows/1", "/resume"), { method: "POST", body: new URLSearchParams() })`)
	w.until(`document.querySelector("#row-form .status")?.textContent === "Done"`)
	w.eval(`location.assign(location.pathname.replace("/rows/1", "/rows/3"))`)
	w.until(`document.querySelector("html.scripted [data-due] time")`)
	w.eval(`{ const real = Date.now, at = new Date(document.querySelector("[data-due] time").dateTime).getTime();
		window.begun = real();
		Date.now = () => at - 50_000 + 10 * (real() - window.begun); }`)
	w.until(`/automatically: in \d+ sec/.test(document.body.innerText)`)
	w.says("The retry is due: it starts within seconds.")
	w.until(`!document.querySelector("[data-due] time") && !document.body.innerText.includes("automatically: now")`)
}

// testListChangesDuringHealthCheck runs corrected rows from the list of imports. The row of the import changes before
// the service has answered the health check. The form is sent all the same. If it is not sent, the list shows the
// change afterwards. No other story has rows of these keys.
func testListChangesDuringHealthCheck(w *window, _ string) {
	w.upload(w.file("listed.csv", "SKU,Name,Price,Brand\nLISTED-0,Lamp,1,Acme\nLISTED-1,Lamp,twelve,Acme\n"))
	w.says("1 row needs a correction")
	task := value[string](w, "location.pathname")
	w.eval(`fetch(location.pathname.replace("/tasks/", "/api/v1/tasks/") + "/repair", { method: "POST", headers: { "Content-Type": "application/json" },
		body: JSON.stringify({ ids: [location.pathname.split("/").pop() + ".2"], patch: { set: { Price: "12" } } }) })
		.then((answer) => answer.ok && location.assign(document.querySelector("a.brand").href))`)
	w.until(`document.querySelector('html.scripted #list form[action="` + task + `/repair"]')`)
	w.eval(`{ const real = window.fetch;
		let polls = 0;
		window.fetch = async (address, ...rest) => {
			const answer = await real(address, ...rest);
			if (String(address) !== location.href) return answer;
			if (++polls === 3) delete document.querySelector("[data-asking]")?.dataset.asking;
			return new Response((await answer.text()).replaceAll("<tr id=", "<tr data-late id="), { headers: answer.headers });
		};
		document.querySelector('#list form[action="` + task + `/repair"]').dataset.asking = ""; }`)
	w.until(`document.querySelector('#list tr[data-late] form[action="` + task + `/repair"]')`)
	w.eval(`{ const real = window.fetch;
		let changes = 0;
		window.fetch = async (address, ...rest) => {
			if (String(address).endsWith("/healthz")) while (changes < 2) await new Promise((done) => setTimeout(done, 50));
			const answer = await real(address, ...rest);
			if (String(address) !== location.href) return answer;
			return new Response((await answer.text()).replaceAll(/<tr (?=.*id=)/g, "<tr data-change=" + ++changes + " "), { headers: answer.headers });
		};
		document.querySelector('#list form[action="` + task + `/repair"] button').click(); }`)
	w.until(`location.pathname === "` + task + `"`)
	w.until(`document.querySelector("#task [data-count=finish]")?.textContent === "2"`)
}
