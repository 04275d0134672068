//go:build all

package browser

import "fmt"

func init() {
	stories["a character set is chosen"] = testCharacterSet
	stories["correct first"] = testCorrectFirst
	stories["away"] = testServiceAway
}

// testCharacterSet sends a text whose character set is unclear. After the choice, the columns are shown, and the
// next step is offered. No other story has rows of these keys.
func testCharacterSet(w *window, _ string) {
	short := "\xcb\xe0\xec" // Лам in windows-1251
	path := w.file("set.csv", "SKU,Name,Price,Brand\nSET-1,"+short+",1,Acme\n")
	w.choose(path)
	w.says("Choose the one that shows the text correctly")
	w.eval(`{ const set = document.getElementById("encoding");
		set.value = "windows-1251";
		set.dispatchEvent(new Event("change", { bubbles: true })); }`)
	w.says("Лам")
	w.until(`document.querySelector("#encoding").value === "windows-1251" && document.querySelector("#header_row").value === "1"`)
	w.press(`button[value="next"]`)
	w.says("1 row in the file")
}

// testCorrectFirst imports no row until the faulty one is corrected. The buttons and messages say so.
// No other story has rows of these keys.
func testCorrectFirst(w *window, _ string) {
	w.choose(w.file("first.csv", "SKU,Name,Price,Brand\nFIRST-0,Lamp,1,Acme\nFIRST-1,Lamp,twelve,Acme\n"))
	w.until(`document.querySelector("button[value=start]")?.innerText === "Import 1 row"`)
	w.press(`input[name="first"][value="yes"]`)
	w.until(`document.querySelector("button[value=start]").innerText === "Correct first, then import all"`)
	w.press(`button[value="start"]`)
	w.says("Nothing is imported yet.")
	w.fixes("12")
	w.says("1 row is ready to import.")
	w.press(`form[action$="/resume"] button.primary`)
	w.until(`document.querySelector("#task [data-count=finish]")?.textContent === "2"`)
	w.until(`!document.getElementById("told").innerText.includes("ready to import")`)
	w.says("row sent to run")
	w.until(`getComputedStyle(document.querySelector(".past li > a")).textDecorationLine === "underline"`)
}

// testServiceAway sends a correction while the service is away. The page keeps the typed text. Until the
// service is back, the page says that nothing was sent. No other story has rows of these keys.
func testServiceAway(w *window, _ string) {
	w.upload(w.file("away.csv", "SKU,Name,Price,Brand\nAWAY-0,Lamp,1,Acme\nAWAY-1,Lamp,twelve,Acme\n"))
	w.says("1 row needs a correction")
	w.refused = true
	w.offline(true)
	w.fixes("12")
	w.says("Nothing was sent: try again in a moment.")
	w.until(`getComputedStyle(document.querySelector(".cause > .away")).marginLeft !== "0px" && !!document.querySelector(".away > svg + span")`)
	w.until(`document.querySelector(".cause [data-rows]").value === "12"`)
	w.offline(false)
	w.until(`!document.querySelector(".away")`)
	w.press(".cause [data-run]")
	w.says("becomes")
	w.until(`document.querySelector("#task [data-count=finish]")?.textContent === "2"`)
}

// fixes types a text for the first value of the first cause, and presses "Fix and run".
func (w *window) fixes(text string) {
	w.t.Helper()
	w.eval(fmt.Sprintf(`{ const field = document.querySelector(".cause [data-rows]");
		field.value = %q;
		field.dispatchEvent(new Event("input", { bubbles: true }));
		document.querySelector(".cause [data-run]").click(); }`, text))
}
