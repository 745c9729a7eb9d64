package page_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gleaner-web/gleaner/internal/servertest"
)

// browser is one tab of Chromium, and what its console has said.
type browser struct {
	*testing.T
	ctx  context.Context
	lock sync.Mutex
	said []string
}

// newBrowser starts Chromium, or skips the test where there is none.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); name != "" && err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium: install it (Debian: chromium) or set CHROMIUM to look at pages as readers do")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.Headless, chromedp.NoFirstRun, chromedp.DisableGPU, chromedp.ExecPath(path),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("force-color-profile", "srgb"),
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which Chromium refuses to make as root
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{T: t, ctx: ctx}
	b.do(chromedp.Navigate("about:blank")) // the browser lives as long as the context of its first action
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			b.heard(m)
		}
	}()
	return b
}

// heard keeps what the console says. That a page is an error by its status is not news: some are asked for to be.
func (b *browser) heard(m chromedp.ConsoleMessage) {
	if m.Source == "network" && strings.Contains(m.Text, "Failed to load resource") &&
		!strings.Contains(m.URL, "/static/") {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.said = append(b.said, m.String()+" at "+m.URL)
}

// silent demands that the console has said nothing.
func (b *browser) silent() {
	b.Helper()
	time.Sleep(100 * time.Millisecond) // messages come on their own way
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, text := range b.said {
		b.Errorf("the console said %s", text)
	}
}

// do does things in the tab, within a time.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := b.try(steps...); err != nil {
		b.Fatal(err)
	}
}

func (b *browser) try(steps ...chromedp.Action[chromedp.Void]) error {
	if chromedp.FromContext(b.ctx).Target == nil {
		return chromedp.Do(b.ctx, steps...) // a time would end the browser with the first action
	}
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// ask evaluates an expression in the page.
func ask[T any](b *browser, expression string, options ...chromedp.EvaluateOption) T {
	b.Helper()
	v, err := evaluate[T](b, expression, options...)
	if err != nil {
		b.Fatalf("%.100s: %v", expression, err)
	}
	return v
}

func evaluate[T any](b *browser, expression string, options ...chromedp.EvaluateOption) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
}

// left tells of an error whether the page was left while it was asked: the next one can be asked.
func left(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "Inspected target navigated or closed") ||
		strings.Contains(err.Error(), "Execution context was destroyed") ||
		strings.Contains(err.Error(), "Cannot find context"))
}

// await waits until an expression holds. It may be evaluated more than once.
func (b *browser) await(expression string) {
	b.Helper()
	for range 100 {
		holds, err := evaluate[bool](b, expression)
		if err != nil && !left(err) {
			b.Fatalf("%.100s: %v", expression, err)
		}
		if err == nil && holds {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatalf("it never came to be that %s; at %s", expression, ask[string](b, "location.href"))
}

// scheme sets light or dark, and the size of the window.
func (b *browser) looks(dark bool, width, height int64) {
	b.Helper()
	value := "light"
	if dark {
		value = "dark"
	}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(width, height))
}

// axe is the checker of accessibility, pinned.
const (
	axeVersion = "4.14.1"
	axeSHA256  = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c" // of axe.min.js
)

// axe returns the script of axe-core, which is fetched once by npm. Where that cannot be had the test is skipped.
func axe(t *testing.T) string {
	t.Helper()
	file := filepath.Join(servertest.Cache(t), "axe-"+axeVersion+".min.js")
	script, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		script, err = fetchAxe(t.TempDir())
		if err != nil {
			t.Skipf("axe-core %s cannot be had by npm: %v", axeVersion, err)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(script); hex.EncodeToString(sum[:]) != axeSHA256 {
		t.Fatalf("%s is not axe-core %s as published", file, axeVersion)
	}
	if err := os.WriteFile(file, script, 0o644); err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// fetchAxe takes axe.min.js out of the package that npm fetches.
func fetchAxe(dir string) (script []byte, err error) {
	cmd := exec.Command("npm", "pack", "--silent", "axe-core@"+axeVersion)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	f, err := os.Open(filepath.Join(dir, "axe-core-"+axeVersion+".tgz"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			return nil, err
		}
		if h.Name == "package/axe.min.js" {
			return io.ReadAll(r)
		}
	}
}

// TestBrowser_accessible: axe finds no violation of WCAG 2.0 to 2.2, A and AA, nor of best practice, on any page, wide
// and narrow, light and dark; no page scrolls sideways; and the console says nothing. All five windows take a minute or
// two: without GLEANER_SLOW=1 the two are tried that differ most.
func TestBrowser_accessible(t *testing.T) {
	s, script := theSite(t), axe(t)
	b := newBrowser(t)
	for _, p := range shown {
		for _, size := range windows() {
			name := fmt.Sprintf("%s at %d", p.name, size.width)
			if size.dark {
				name += ", dark"
			}
			b.looks(size.dark, size.width, 900)
			b.do(chromedp.Navigate(s.address + p.path))
			if wide := ask[int](b, "document.scrollingElement.scrollWidth - innerWidth"); wide > 0 {
				t.Errorf("%s: the page is %d px wider than the window: %s", name, wide, ask[string](b, widest))
			}
			// Folded tables are unfolded, so that they are checked, too.
			ask[bool](b, `document.querySelectorAll("details").forEach((d) => d.open = true), true`)
			if size.width == 1600 {
				for _, text := range append(ask[[]string](b, longLines), ask[[]string](b, farNumbers)...) {
					t.Errorf("%s: %s", name, text)
				}
			}
			for _, v := range b.violations(script) {
				t.Errorf("%s: %s", name, v)
			}
		}
	}
	b.silent()
}

// window is how a reader sees a page.
type window struct {
	width int64
	dark  bool
}

func windows() []window {
	if os.Getenv("GLEANER_SLOW") == "" {
		return []window{{1600, false}, {320, true}}
	}
	return []window{{1600, false}, {1600, true}, {360, false}, {360, true}, {320, false}}
}

// widest names the elements that stand out of the window.
const widest = `[...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 &&
	!e.closest(".scroll")).slice(0, 3).map((e) => e.outerHTML.slice(0, 150)).join(" ")`

// longLines names the lines of text of more than 75 characters: from their ends eyes do not find the next one. Words of
// a line stand at one height; what machines wrote, as a command or an address, is not read so.
const longLines = `(() => {
	const found = new Set(), lines = new Map(), range = document.createRange();
	const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
	for (let node; node = walker.nextNode();) {
		if (node.parentElement.closest("pre, code, .mono, .url, table, svg, .toc, button, textarea")) continue;
		let block = node.parentElement;
		while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
		for (const word of node.data.matchAll(/\s*\S+\s*/g)) {
			range.setStart(node, word.index + word[0].search(/\S/));
			range.setEnd(node, word.index + word[0].trimEnd().length);
			const box = range.getBoundingClientRect();
			if (box.width === 0 || word[0].length > 75) continue; // an address of its own length is broken by the browser
			if (!lines.has(block)) lines.set(block, new Map());
			const line = Math.round(box.bottom / 8);
			lines.get(block).set(line, (lines.get(block).get(line) || "") + word[0]); // a name that may break has no spaces
		}
	}
	for (const [block, texts] of lines) {
		for (const text of texts.values()) {
			const n = [...new Intl.Segmenter().segment(text.replace(/\s+/g, " ").trim())].length; // signs with their marks are one
			if (n > 75) found.add(block.outerHTML.slice(0, 60) + ": a line of " + n + ": " + text);
		}
	}
	return [...found].slice(0, 5);
})()`

// farNumbers names the numbers in tables that stand more than 30 rem from the label of their row.
const farNumbers = `[...document.querySelectorAll("main tr")].flatMap((row) => {
	const label = row.querySelector("th[scope=row]"), numbers = [...row.querySelectorAll("td.n")];
	if (!label || !numbers.length) return [];
	const range = document.createRange();
	range.selectNodeContents(label);
	const end = range.getBoundingClientRect().right;
	range.selectNodeContents(numbers[0]);
	const far = range.getBoundingClientRect().left - end;
	return far > 480 ? [Math.round(far) + " px from " + label.textContent.trim() + " to " + numbers[0].textContent.trim()] : [];
}).slice(0, 3)`

// violations are what axe finds on the page.
func (b *browser) violations(script string) (list []string) {
	b.Helper()
	ask[bool](b, script+";true")
	text := ask[string](b, `axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
		.then((r) => JSON.stringify(r.violations.map((v) => v.id + ": " + v.help + ": " +
			v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " (" + n.failureSummary + ")").join(" | "))))`,
		chromedp.EvalAwaitPromise)
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		b.Fatal(err)
	}
	return list
}

// TestBrowser_keyboard goes from the start to the second version of a result without a mouse: / to the search box,
// words, Enter, j to a result, Enter, and Tab to the version. The focus is always seen. Then keys are turned off.
func TestBrowser_keyboard(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	b.do(chromedp.Navigate(s.address + "/harbour"))
	b.do(chromedp.KeyEvent("/"))
	b.await(`document.activeElement.id === "q"`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.await(`document.activeElement.id !== "q"`)
	b.do(chromedp.KeyEvent("/"), chromedp.KeyEvent("fish auction shout"), chromedp.KeyEvent(kb.Enter))
	b.await(`location.pathname.endsWith("/search") && document.readyState === "complete"`)
	b.do(chromedp.KeyEvent("j"))
	b.await(`document.activeElement.matches(".hits li:first-child h3 a")`)
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	b.await(`document.activeElement.matches(".hits li:nth-child(2) h3 a")`)
	b.do(chromedp.KeyEvent("k"))
	b.await(`document.activeElement.matches(".hits li:first-child h3 a")`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.await(`location.pathname.endsWith("/resource") && document.readyState === "complete"`)
	for i := 0; ; i++ {
		if i == 60 {
			t.Fatal("Tab does not come to a version")
		}
		b.do(chromedp.KeyEvent(kb.Tab))
		if !ask[bool](b, focusSeen) {
			t.Errorf("the focus is not seen on %s", ask[string](b, "document.activeElement.outerHTML.slice(0, 200)"))
		}
		if ask[bool](b, `document.activeElement.matches("tbody th a:not([aria-current])")`) {
			break
		}
	}
	before := ask[string](b, "location.href")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.await(fmt.Sprintf(`location.href !== %q && document.readyState === "complete"`, before))
	ask[bool](b, `[...document.querySelectorAll("footer button")].forEach((e) => e.click()), true`)
	b.do(chromedp.KeyEvent("/"))
	if ask[bool](b, `document.activeElement.id === "q"`) {
		t.Error("the keys are off, and / still goes to the search box")
	}
}

// focusSeen reports whether the element with the focus has a ring around it.
const focusSeen = `(() => { const s = getComputedStyle(document.activeElement);
	return document.activeElement === document.body || s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 })()`

// TestBrowser_searchSwaps: with scripts a filter is set without loading the page again, the address is that of the
// view, and back and forward lead to what was there.
func TestBrowser_searchSwaps(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	b.do(chromedp.Navigate(s.address + "/harbour/search?query=harbour"))
	ask[bool](b, "window.kept = true")
	all := ask[string](b, `document.querySelector("[role=status]").textContent.split(" ")[0]`)
	ask[bool](b, `document.querySelector(".facets a").click(), true`)
	b.await(`location.search.includes("lang=")`)
	b.await(fmt.Sprintf(`!document.querySelector("[role=status]").textContent.startsWith(%q)`, all+" "))
	if !ask[bool](b, "window.kept === true") {
		t.Error("the page was loaded anew")
	}
	b.do(chromedp.NavigateBack())
	b.await(`!location.search.includes("lang=")`)
	b.await(fmt.Sprintf(`document.querySelector("[role=status]").textContent.startsWith(%q)`, all+" "))
	b.do(chromedp.NavigateForward())
	b.await(`location.search.includes("lang=")`)
	b.await(fmt.Sprintf(`!document.querySelector("[role=status]").textContent.startsWith(%q)`, all+" "))
	b.silent()
}

// TestBrowser_withoutScripts searches, filters, turns a page and compares versions by forms and links alone.
func TestBrowser_withoutScripts(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(s.address + "/harbour"))
	b.do(chromedp.SendKeys("#q", "the"), chromedp.Click("form.go button"), chromedp.WaitVisible(".hits"))
	b.do(chromedp.Click(".facets a"), chromedp.WaitVisible(`.chips[aria-label="Active filters"]`))
	b.do(chromedp.Click(".pager a"), chromedp.WaitVisible(".hits"))
	if at := b.where(); !strings.Contains(at, "cursor=") || !strings.Contains(at, "lang=") {
		t.Errorf("behind a filter and a turn of the page the address is %s", at)
	}
	b.do(chromedp.Navigate(s.address + shown[2].path))
	b.do(chromedp.Click("main form button"))
	// The page before it shows a comparison, too, so only the address tells when the next one is there.
	at := ""
	for range 100 {
		if at = b.where(); strings.Contains(at, "from=") && strings.Contains(at, "to=") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("behind Compare the address is %s", at)
}

// TestBrowser_job starts a job by its form, without scripts; then, with them, sees it end without loading the page
// again. What was wrong with a form is said beside the field, and nothing is started.
func TestBrowser_job(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	scripts := func(off bool) {
		if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: off}); err != nil {
			t.Fatal(err)
		}
	}
	scripts(true)
	b.do(chromedp.Navigate(s.address + "/jobs/new?verb=ingest"))
	b.do(chromedp.SendKeys("#i-archives", "../../etc"), chromedp.Click("main form button"), chromedp.WaitVisible(".err"))
	b.do(chromedp.Navigate(s.address + "/jobs/new?verb=ingest"))
	b.do(chromedp.SendKeys("#i-archives", "archives/site.warc"), chromedp.SetValue("#i-collection", "empty"),
		chromedp.Click(`main form button[name="plan"]`), chromedp.WaitVisible("#plan"))
	// The preview is above the form, which has what was filled in: Start starts that.
	b.do(chromedp.Click(`main form button:not([name])`), chromedp.WaitVisible("#log"))
	at := b.where()
	if !strings.Contains(at, "/jobs/") || strings.Contains(at, "new") {
		t.Fatalf("behind Start the address is %s", at)
	}
	scripts(false)
	b.do(chromedp.Navigate(at))
	for range 200 { // to start a process may take long on a busy machine
		if ask[bool](b, `document.querySelector(".head .st.good") !== null`) {
			b.silent()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("the job has not ended: %s", ask[string](b, `document.querySelector("main").innerText`))
}

// where is the address of the page.
func (b *browser) where() string {
	b.Helper()
	at, err := chromedp.Run(b.ctx, chromedp.Location())
	for range 100 {
		if !left(err) {
			break
		}
		time.Sleep(50 * time.Millisecond)
		at, err = chromedp.Run(b.ctx, chromedp.Location())
	}
	if err != nil {
		b.Fatal(err)
	}
	return at
}
