package outlink_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gleaner-web/gleaner/internal/browsertest"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const wcxb = "../../../shared/corpora/maintext/wcxb-dev"

// TestOf_asChromium compares the links of real pages with Chromium's document.links without scripts. On 99 of 100
// pages they must be the same, equally often and in the same order. One page in twelve is read, or all of them with
// GLEANER_SLOW=1.
func TestOf_asChromium(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(wcxb, "html", "*.html.gz"))
	if len(files) == 0 {
		t.Skip("the pages of WCXB are not there: ../shared/corpora/maintext/wcxb-dev")
	}
	step := 12
	if os.Getenv("GLEANER_SLOW") != "" {
		step = 1
	}
	var samples []sample
	for i := 0; i < len(files); i += step {
		samples = append(samples, readSample(t, files[i]))
	}
	// The pages come from a server on loopback, since megabytes of HTML do not fit into an expression.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/page/%d", &n); err == nil && n < len(samples) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = w.Write(samples[n].html) // the browser reports missing parts
		}
	}))
	defer server.Close()
	tab := browsertest.Tab(t)
	ctx, cancel := context.WithTimeout(tab, 10*time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/")); err != nil {
		t.Fatal(err)
	}
	differ, links := 0, 0
	for n, s := range samples {
		text, err := chromedp.Run(ctx, chromedp.Evaluate[string](
			fmt.Sprintf(documentLinks, n, quote(s.url)), chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		var want []string
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		var got []string
		found, _ := page.Parse(s.html, page.Options{URL: s.url}).Hyperlinks()
		for _, l := range found {
			got = append(got, l.Href)
		}
		links += len(want)
		if !slices.Equal(got, want) {
			differ++
			t.Log(s.name, difference(got, want))
		}
	}
	t.Logf("%d pages, %d links; %d pages differ", len(samples), links, differ)
	if differ*100 > len(samples) {
		t.Errorf("%d of %d pages have other links than Chromium, want 1 in 100 at most", differ, len(samples))
	}
}

// documentLinks returns the links of a page in Chromium. A document made by DOMParser has no scripts: the parser reads
// the content of <noscript> as markup. Its address is that of the tab, so it is given a base.
const documentLinks = `(async () => {
	const html = await (await fetch("/page/%d")).text(), url = %s;
	const d = new DOMParser().parseFromString(html, "text/html");
	let base = d.querySelector("base[href]");
	if (base) {
		let to = url;
		try { to = new URL(base.getAttribute("href"), url).href } catch {}
		base.setAttribute("href", /^https?:/.test(to) ? to : url);
	} else {
		base = d.createElement("base");
		base.setAttribute("href", url);
		d.head.prepend(base);
	}
	return JSON.stringify([...d.links].map((l) => l.href));
})()`

func quote(s string) string {
	text, _ := json.Marshal(s) // it is a string
	return string(text)
}

// difference returns the first link that differs.
func difference(got, want []string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	at := func(list []string) string {
		if i < len(list) {
			return fmt.Sprintf("%.150q", list[i])
		}
		return "none"
	}
	return fmt.Sprintf("has %d links, want %d; the first that differs is %d: %s, want %s", len(got), len(want), i, at(got),
		at(want))
}

// sample is a page in UTF-8.
type sample struct {
	name, url string
	html      []byte
}

func readSample(t *testing.T, file string) sample {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it is only read
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".html.gz")
	label, err := os.ReadFile(filepath.Join(wcxb, "ground-truth", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct{ URL string }
	if err := json.Unmarshal(label, &truth); err != nil {
		t.Fatal(err)
	}
	if truth.URL == "" {
		truth.URL = "https://unknown.example/" + name // three pages have no address
	}
	html, _, err := charset.Decode(body, charset.Detect(body, "text/html", charset.Options{}).Name)
	if err != nil {
		t.Fatal(err)
	}
	return sample{name, truth.URL, html}
}
