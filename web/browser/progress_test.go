//go:build all

package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/rollcall-dev/rollcall/client"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// embedded is a task with a page of another site that shows it.
type embedded struct {
	*window
	*front
	rollcall *client.Client
}

// TestTaskProgress runs the tests of the element on pages of other sites.
func TestTaskProgress(t *testing.T) {
	t.Parallel()
	url, browser := serve(t), startBrowser(t)
	for name, story := range map[string]func(embedded){
		"it comes to its end":                   testEnds,
		"what a file says is text":              testTextStaysText,
		"two of one task share a connection":    testShared,
		"it polls with what it knows":           testPolls,
		"a busy service is asked less often":    testBusy,
		"nobody looks, nobody asks":             testHidden,
		"it outlives a lost network":            testOffline,
		"a task that is gone is not asked for":  testGone,
		"a proxy that knows no task ends none":  testMisrouted,
		"a credential travels in a header only": testCredential,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t, url)
			story(embedded{openWindow(t, browser), f, dial(t, url)})
		})
	}
}

func dial(t *testing.T, url string) *client.Client {
	t.Helper()
	c, err := client.New(url, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// send uploads a file of the sample kind and returns the id of its task.
func (e embedded) send(name, content string) string {
	e.t.Helper()
	task, err := e.rollcall.Upload(e.t.Context(), client.Upload{
		Kind: "products.import", FileName: name, File: strings.NewReader(content),
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return task.ID
}

// still adds a task that waits for rows.
func (e embedded) still() string {
	e.t.Helper()
	task, err := e.rollcall.Create(e.t.Context(), client.Batch{Kind: "products.import", Open: true})
	if err != nil {
		e.t.Fatal(err)
	}
	return task.ID
}

// close ends a task that waits for rows.
func (e embedded) close(id string) {
	e.t.Helper()
	if _, err := e.rollcall.Close(e.t.Context(), id); err != nil {
		e.t.Fatal(err)
	}
}

// embed opens the page that shows a task; without a task if id is "".
func (e embedded) embed(id string) {
	e.do(chromedp.Navigate(e.url + "/embed?task=" + id))
	e.until(`customElements.get("task-progress")`)
	e.eval(`window.told = [];
		window.root = (i) => document.querySelectorAll("task-progress")[i].shadowRoot;
		window.bar = (i) => root(i).querySelector("[role=progressbar]");
		window.hear = (e) => ["progress", "done", "error"].forEach((name) => e.addEventListener(name, (it) =>
			told.push({ name, detail: it.detail })));
		window.add = (attributes) => {
			const e = document.createElement("task-progress");
			for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
			hear(e);
			document.body.append(e);
		};
		hear(document.querySelector("task-progress"));`)
}

// add adds another element to the page.
func (e embedded) add(attributes string) { e.eval("add({" + attributes + "})") }

const slowRows = "SKU,Name,Price,Brand,Note\nA,a,1,Acme,\nB,b,2,Acme,!slow\nC,c,no,Acme,\nD,d,-3,Acme,\n"

func testEnds(e embedded) {
	e.embed(e.send("slow.csv", slowRows))
	e.until(`bar(0).getAttribute("aria-valuenow") > 0 && bar(0).getAttribute("aria-valuenow") < 100`)
	e.until(`bar(0).getAttribute("aria-valuenow") === "100"`)
	e.until(`bar(0).getAttribute("aria-valuetext") === "100%, Finished, some rows need correction"`)
	e.until(`root(0).querySelector(".bar").style.width === "100%"`)
	e.until(`root(0).querySelector(".numbers").textContent === "Done 2 / 4To correct 2"`)
	e.until(`root(0).querySelectorAll(".errors li").length === 2`)
	e.until(`/^Row 4 INVALID_NUMBER .*number/.test(root(0).querySelector(".errors li").textContent)`)
	e.until(`root(0).querySelector(".hint").textContent.length > 3`)
	e.until(`new URL(root(0).querySelector("a").href).pathname.startsWith("/tasks/")`)
	e.until(`told.at(-1).name === "done" && told.at(-1).detail.counts.failed === 2`)
	e.until(`told.filter((t) => t.name === "done").length === 1`)
	e.until(`told.every((t, i) => i === 0 || t.detail.version >= told[i - 1].detail.version)`)
	if polls, streams := e.of("en"); len(polls) != 0 || len(streams) != 1 {
		e.t.Errorf("%d polls and %d streams, want one stream", len(polls), len(streams))
	}
	e.eval(`document.querySelector("task-progress").refresh()`)
	e.wait("the end is known", func() bool { _, s := e.of("en"); return len(s) == 2 && e.streaming("en") == 0 })
	for lang, words := range map[string]string{
		"ru": "Готово, некоторые строки нужно исправить", "zh": "已完成，部分行需要更正",
		"vi": "Hoàn tất, một số dòng cần sửa",
	} {
		e.eval(`document.querySelector("task-progress").lang = "` + lang + `"`)
		e.until(`root(0).querySelector(".status").textContent === "` + words + `"`)
		e.until(`root(0).querySelectorAll(".errors li").length === 2`)
	}
}

func testTextStaysText(e embedded) {
	id := e.send(`<img src=x onerror=alert(1)>.csv`, "SKU,Name,Price,Brand\n"+
		`X,x,"<img src=x onerror=""window.hurt=1"">",Acme`+"\n"+
		"Y,y,1,<script>window.hurt=1</script>\n")
	e.embed(id)
	e.until(`root(0).textContent.includes("<img src=x onerror")`)
	e.until(`root(0).textContent.includes("<script>window.hurt")`)
	e.until(`!root(0).querySelector("img, script") && !("hurt" in window)`)
	e.until(`bar(0).getAttribute("aria-label").startsWith("<img")`)
}

func testShared(e embedded) {
	id := e.still()
	e.embed(id)
	e.add(`"task-id": "` + id + `"`)
	e.add(`src: "/api/v1/tasks/` + id + `"`)
	e.add(`"task-id": "` + id + `", lang: "vi"`)
	for i, words := range []string{"Waiting for rows", "Waiting for rows", "Waiting for rows", "Đang chờ dữ liệu"} {
		e.until(fmt.Sprintf(`root(%d).querySelector(".status").textContent === "%s"`, i, words))
	}
	if _, streams := e.of("en"); len(streams) != 1 || e.streaming("en") != 1 {
		e.t.Errorf("three elements opened %d streams, want one", len(streams))
	}
	// An element that is removed takes nothing from the others. Without elements, the stream ends.
	e.eval(`document.querySelector("task-progress").remove()`)
	e.close(id)
	e.until(`told.filter((t) => t.name === "done").length === 3`)
	e.wait("the streams end", func() bool { return e.streaming("en")+e.streaming("vi") == 0 })
}

func testPolls(e embedded) {
	id := e.still()
	e.embed("")
	e.add(`"task-id": "` + id + `", mode: "poll", lang: "ru"`)
	e.wait("a poll is answered 304", func() bool {
		polls, _ := e.of("ru")
		return len(polls) >= 3 && polls[len(polls)-1].status == http.StatusNotModified
	})
	e.close(id)
	e.until(`told.at(-1)?.name === "done"`)
	polls, streams := e.of("ru")
	if len(streams) != 0 || polls[0].status != http.StatusOK || polls[1].status != http.StatusNotModified {
		e.t.Errorf("%d streams, polls %v", len(streams), polls)
	}
	for i := 1; i < len(polls); i++ {
		if gap := polls[i].at.Sub(polls[i-1].at); gap < 900*time.Millisecond {
			e.t.Errorf("poll %d came %v after the one before, which asked for a second", i, gap)
		}
	}
}

func testBusy(e embedded) {
	e.refused = true
	id := e.still()
	e.embed("")
	e.refuse = []int{http.StatusServiceUnavailable, http.StatusTooManyRequests}
	e.add(`"task-id": "` + id + `", mode: "poll"`)
	e.until(`root(1).querySelector(".note").textContent === "The service is busy. Trying again…"`)
	e.until(`told.at(-1)?.name === "progress"`)
	e.until(`root(1).querySelector(".note").hidden`)
	polls, _ := e.of("en")
	for i, least := range []time.Duration{900 * time.Millisecond, 1900 * time.Millisecond} {
		if gap := polls[i+1].at.Sub(polls[i].at); gap < least {
			e.t.Errorf("try %d came after %v, want at least %v", i+2, gap, least)
		}
	}
}

// hide makes a page hidden, and show makes it visible.
func (e embedded) hide() {
	e.eval(`Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
		document.dispatchEvent(new Event("visibilitychange"))`)
}

func (e embedded) show() {
	e.eval(`delete document.visibilityState; document.dispatchEvent(new Event("visibilitychange"))`)
}

func testHidden(e embedded) {
	id, watched := e.still(), e.still()
	e.embed("")
	e.add(`"task-id": "` + id + `", lang: "vi"`)
	e.add(`"task-id": "` + id + `", mode: "poll", lang: "ru"`)
	e.wait("the stream begins", func() bool { return e.streaming("vi") == 1 })
	e.until(`told.filter((t) => t.name === "progress").length === 2`)
	e.hide()
	e.wait("the stream ends", func() bool { return e.streaming("vi") == 0 })
	before, _ := e.of("ru")

	// Another page, which is visible, measures the time.
	other := e
	other.window = openWindow(e.t, e.browser)
	other.embed("")
	other.add(`"task-id": "` + watched + `", mode: "poll", lang: "zh"`)
	e.wait("the other page polls", func() bool { p, _ := e.of("zh"); return len(p) >= 4 })
	after, _ := e.of("ru")
	if len(after) > len(before)+1 { // one may have been on its way
		e.t.Errorf("%d polls while nobody looked", len(after)-len(before))
	}
	if _, streams := e.of("vi"); len(streams) != 1 {
		e.t.Errorf("%d streams while nobody looked, want the one before", len(streams))
	}
	e.close(id)
	e.show()
	e.until(`told.filter((t) => t.name === "done").length === 2`)
	if _, streams := e.of("vi"); len(streams) != 2 || streams[1].header.Get("Last-Event-ID") == "" {
		e.t.Errorf("streams %v, want another that says what is known", streams)
	}
}

func testOffline(e embedded) {
	e.refused = true
	id := e.still()
	e.embed("")
	e.add(`"task-id": "` + id + `", mode: "poll", lang: "vi"`)
	e.until(`told.at(-1)?.name === "progress"`)
	e.offline(true)
	e.until(`root(1).querySelector(".note").textContent === "Mất kết nối. Đang thử lại…"`)
	e.close(id)
	e.offline(false)
	e.until(`told.at(-1).name === "done" && root(1).querySelector(".note").hidden`)
}

func testGone(e embedded) {
	e.refused = true
	e.embed("0193c1f0-0000-7000-8000-000000000000")
	e.until(`root(0).querySelector(".note").textContent === "This task no longer exists."`)
	e.until(`root(0).querySelector(".bar").offsetWidth === 0`)
	e.until(`bar(0).getAttribute("aria-valuetext") === "This task no longer exists."`)
	e.add(`"task-id": "0193c1f0-0000-7000-8000-000000000000", mode: "poll"`)
	e.wait("the second element asks", func() bool { p, _ := e.of("en"); return len(p) == 1 })
	e.until(`told.at(-1)?.name === "error" && told.at(-1).detail.status === 404`)
	e.until(`told.at(-1).detail.code === "NOT_FOUND"`)
	if polls, streams := e.of("en"); len(polls) != 1 || len(streams) != 1 {
		e.t.Errorf("%d polls and %d streams of what is not there, want one each", len(polls), len(streams))
	}
}

// testMisrouted has a proxy answer 404 and 410 for a while, as during a change of its
// configuration.
func testMisrouted(e embedded) {
	e.refused = true
	id := e.still()
	e.embed("")
	e.front.mu.Lock()
	e.front.refuse = []int{http.StatusNotFound, http.StatusGone}
	e.front.mu.Unlock()
	e.add(`"task-id": "` + id + `", mode: "poll"`)
	e.until(`root(1).querySelector(".note").textContent === "The progress is not available."`)
	e.until(`root(1).querySelector(".status").textContent === "Waiting for rows"`)
	e.until(`root(1).querySelector(".note").hidden && told.every((t) => t.name === "progress")`)
	e.close(id)
	e.until(`told.at(-1).name === "done"`)
}

func testCredential(e embedded) {
	id := e.still()
	e.embed("")
	e.eval(`window.asked = 0; const e = document.createElement("task-progress");
		e.credential = async () => "secret" + ++asked; e.setAttribute("task-id", "` + id + `");
		hear(e); document.body.append(e)`)
	e.until(`told.at(-1)?.name === "progress"`)
	e.close(id)
	e.until(`told.at(-1).name === "done"`)
	_, streams := e.of("en")
	if len(streams) != 1 || streams[0].header.Get("Authorization") != "Bearer secret1" ||
		strings.Contains(streams[0].url, "secret") {
		e.t.Errorf("streams %v, want one with the credential in its header", streams)
	}
}

// TestTaskProgressOutlivesTheService kills the service in the middle of a task,
// and starts it again.
func TestTaskProgressOutlivesTheService(t *testing.T) {
	t.Parallel()
	env := []string{"LISTEN=127.0.0.1:0", "DATA_DIR=" + t.TempDir()}
	first := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"), env)
	f := newFront(t, first.URL())
	e := embedded{openWindow(t, startBrowser(t)), f, dial(t, first.URL())}
	e.refused = true
	id := e.still()
	e.embed(id)
	e.until(`root(0).querySelector(".status").textContent === "Waiting for rows"`)
	first.Kill()
	e.until(`root(0).querySelector(".note").textContent.includes("Trying again")`)
	second := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"), env)
	f.to(second.URL())
	e.rollcall = dial(t, second.URL())
	e.close(id)
	e.until(`told.at(-1)?.name === "done" && bar(0).getAttribute("aria-valuenow") === "100"`)
	e.until(`root(0).querySelector(".note").hidden`)
}
