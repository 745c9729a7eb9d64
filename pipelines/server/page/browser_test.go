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

// browser is one tab of Chromium, with the messages of its console.
type browser struct {
	*testing.T
	ctx  context.Context
	lock sync.Mutex
	said []string
}

// newBrowser starts Chromium, with more options if there are any, or skips the test if it is missing.
func newBrowser(t *testing.T, more ...chromedp.ExecAllocatorOption) *browser {
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
		options = append(options, chromedp.NoSandbox) // Chromium refuses to make one as root
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), append(options, more...)...)
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

// heard stores a console message. Messages about a page's error status are ignored: some tests request such pages.
func (b *browser) heard(m chromedp.ConsoleMessage) {
	if m.Source == "network" && strings.Contains(m.Text, "Failed to load resource") &&
		!strings.Contains(m.URL, "/static/") {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.said = append(b.said, m.String()+" at "+m.URL)
}

// silent requires that the console has no messages.
func (b *browser) silent() {
	b.Helper()
	time.Sleep(100 * time.Millisecond) // messages may arrive later
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, text := range b.said {
		b.Errorf("the console said %s", text)
	}
}

// do performs steps in the tab, within a time limit.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := b.try(steps...); err != nil {
		b.Fatal(err)
	}
}

func (b *browser) try(steps ...chromedp.Action[chromedp.Void]) error {
	if chromedp.FromContext(b.ctx).Target == nil {
		return chromedp.Do(b.ctx, steps...) // a time limit would end the browser with the first action
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

// left reports whether the page was left during the evaluation: then the next page can be asked.
func left(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "Inspected target navigated or closed") ||
		strings.Contains(err.Error(), "Execution context was destroyed") ||
		strings.Contains(err.Error(), "Cannot find context"))
}

// await waits until an expression is true. It may be evaluated more than once. An undefined value, as on a page that
// is being loaded, is not true yet.
func (b *browser) await(expression string) {
	b.Helper()
	for range 600 {
		holds, err := evaluate[bool](b, "Boolean("+expression+")")
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

// looks sets light or dark, and the size of the window.
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

// axe is the accessibility checker, pinned.
const (
	axeVersion = "4.14.1"
	axeSHA256  = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c" // of axe.min.js
)

// axe returns the script of axe-core, which npm fetches once. If that fails, the test is skipped.
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

// fetchAxe extracts axe.min.js from the package that npm fetches.
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

// TestBrowser_accessible: axe finds no violation of WCAG 2.0 to 2.2, A and AA, or of best practice, on any page. Pages
// are wide and narrow, light and dark; none scrolls sideways, and the console has no messages. All five windows take a
// minute or two. Without GLEANER_SLOW=1, only the two most different ones are tested.
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
			// Folded tables are unfolded, so that they are checked too.
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

// TestBrowser_widths: at the widths of a phone, of the least window with two columns, and of larger ones, no page
// scrolls sideways, nothing is wider than its column, and long lists have two columns where there is room.
func TestBrowser_widths(t *testing.T) {
	s, b := theSite(t), newBrowser(t)
	for _, p := range shown {
		for _, width := range []int64{390, 1100, 1400, 2000} {
			b.looks(false, width, 900)
			b.do(chromedp.Navigate(s.address + p.path))
			if wide := ask[int](b, "document.scrollingElement.scrollWidth - innerWidth"); wide > 0 {
				t.Errorf("%s at %d: %d px wider than the window: %s", p.name, width, wide, ask[string](b, widest))
			}
			for _, text := range ask[[]string](b, overlapping) {
				t.Errorf("%s at %d: %s", p.name, width, text)
			}
			// 1 stands for a page without such a list.
			columns := ask[int](b, `new Set([...document.querySelectorAll(".flow tbody tr")].map((r) =>
				Math.round(r.getBoundingClientRect().left))).size || 1`)
			rows := ask[int](b, `document.querySelectorAll(".flow tbody tr").length`)
			if two := width >= 1100 && rows > 1; (columns == 2) != two {
				t.Errorf("%s at %d: %d rows in %d columns", p.name, width, rows, columns)
			}
		}
	}
}

// overlapping returns cells of lists whose text goes beyond the cell, into the next one.
const overlapping = `[...document.querySelectorAll(".flow tbody :is(th, td)")].filter((cell) => {
	const range = document.createRange();
	range.selectNodeContents(cell);
	const text = range.getBoundingClientRect(), box = cell.getBoundingClientRect();
	return box.width > 0 && (text.right > box.right + 1 || text.left < box.left - 1);
}).slice(0, 3).map((cell) => "the text goes beyond its cell: " + cell.textContent.trim().slice(0, 80))`

// window is the way a reader sees a page.
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

// widest returns the elements that are wider than the window.
const widest = `[...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 &&
	!e.closest(".scroll")).slice(0, 3).map((e) => e.outerHTML.slice(0, 150)).join(" ")`

// longLines returns the lines of text with more than 75 characters: after such a line, readers have difficulties
// finding the next one. Words of a line have the same height. Machine output, such as a command or an address, is
// excluded.
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

// farNumbers returns the numbers in tables that are more than 30 rem from the label of their row.
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

// violations returns axe's findings on the page.
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

// TestBrowser_keyboard goes from the start to the second version of a result without a mouse. It uses / to the search
// box, words, Enter, j to a result, Enter, and Tab to the version. The focus is always visible. Then keys are turned
// off.
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

// focusSeen reports whether the focused element has a ring around it.
const focusSeen = `(() => { const s = getComputedStyle(document.activeElement);
	return document.activeElement === document.body || s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 })()`

// TestBrowser_searchSwaps: with scripts, a filter is set without loading the page again. The address is that of the
// view, and back and forward lead to the previous views.
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

// TestBrowser_withoutScripts searches, filters, opens another page and compares versions, with only forms and links.
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
	b.do(chromedp.Click("form:has([type=radio][name=from]) button"))
	// The previous page also shows a comparison, so only the address shows when the next one has loaded.
	at := ""
	for range 100 {
		if at = b.where(); strings.Contains(at, "from=") && strings.Contains(at, "to=") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("behind Compare the address is %s", at)
}

// TestBrowser_job starts a job by its form, without scripts. Then, with scripts, the job ends without loading the page
// again. Mistakes in a form are shown beside the field, and nothing is started.
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
	// The preview is above the form, which still has its values: Start starts that command.
	b.do(chromedp.Click(`main form button:not([name])`), chromedp.WaitVisible("#log"))
	at := b.where()
	if !strings.Contains(at, "/jobs/") || strings.Contains(at, "new") {
		t.Fatalf("behind Start the address is %s", at)
	}
	scripts(false)
	b.do(chromedp.Navigate(at))
	b.jobEnds()
}

// jobEnds waits until the job whose page is open has ended well.
func (b *browser) jobEnds() {
	b.Helper()
	for range 200 { // starting a process may take long on a busy machine
		if ask[bool](b, `document.querySelector(".head .st.good") !== null`) {
			b.silent()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	b.Errorf("the job has not ended: %s", ask[string](b, `document.querySelector("main").innerText`))
}

// TestBrowser_recheck reads an archive again by its button, and awaits the good end of the job.
func TestBrowser_recheck(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	b.do(chromedp.Navigate(s.address + "/harbour/archives?find=site.warc"))
	b.do(chromedp.Click(`form[action="/jobs/new?verb=query"] button`), chromedp.WaitVisible("#log"))
	if at := b.where(); !strings.Contains(at, "/jobs/") || strings.Contains(at, "new") {
		t.Fatalf("after Re-check the address is %s", at)
	}
	b.jobEnds()
	said := ask[string](b, `document.querySelector("main").innerText`)
	if !strings.Contains(said, "--format=recheck") || !strings.Contains(said, "site.warc") {
		t.Errorf("the job is: %s", said)
	}
}

// where returns the address of the page.
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
