package sanitize

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience is how long the browser may show nothing new; a document takes half a second.
const patience = time.Minute

// TestHTML_browser shows each vector to Chromium twice. Unsanitised, it proves that the check sees scripts run.
// Sanitised, nothing may run, have a handler, or be loaded except images. Documents are served with a policy that
// reports, but does not stop, everything but images and our own resources.
func TestHTML_browser(t *testing.T) {
	program := chromium(t)
	all := vectors(t)
	d := documents{raw: all}
	for _, v := range all {
		d.out = append(d.out, clean(v.html)+cleanMain(wrapped(v.html)))
	}
	heard := d.show(t, program)

	ran, due := 0, 0
	for i, v := range all {
		marked := slices.Contains(heard["raw"+strconv.Itoa(i)], "mark")
		if v.runs {
			due++
		}
		if v.runs && marked {
			ran++
		}
		if v.runs != marked {
			t.Logf("%s: marked runs: %t, runs here: %t", v.name, v.runs, marked)
		}
	}
	t.Logf("%d of the %d vectors that run in Chromium ran here", ran, due)
	if ran*20 < due*19 { // browsers change, and a loaded machine is late
		t.Errorf("only %d of %d vectors ran as they are: the check sees too little", ran, due)
	}
	for i := range d.out {
		if what := heard["out"+strconv.Itoa(i)]; !slices.Equal(what, []string{"shown"}) {
			t.Errorf("%s: %q in %q", all[i].name, what, d.out[i])
		}
	}
}

// chromium returns the path of Chromium from the environment, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	name := os.Getenv("CHROMIUM")
	if name == "" {
		t.Skip("takes minutes and a Chromium: set CHROMIUM to its path, or run `make xss`")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// documents are the documents for the browser.
type documents struct {
	raw []vector // unsanitised
	out []string // sanitised
}

// finding is an observation about one document, whose kind and index it has.
type finding struct {
	key  string
	what []string
}

// show opens every document in program, and returns the observations of each.
func (d documents) show(t *testing.T, program string) map[string][]string {
	t.Helper()
	findings := make(chan finding)
	server := httptest.NewServer(d.handler(t, findings))
	defer server.Close()
	kinds := fmt.Sprintf(`[["raw",%d],["out",%d]]`, len(d.raw), len(d.out))
	defer start(t, program, server, "/harness.html?kinds="+url.QueryEscape(kinds))()
	all := map[string][]string{}
	for len(all) < len(d.raw)+len(d.out) {
		select {
		case f := <-findings:
			all[f.key] = f.what
		case <-time.After(patience):
			t.Fatalf("the browser is silent after %d documents", len(all))
		}
	}
	return all
}

// handler serves the documents and the requests of the check, and passes on the observations.
func (d documents) handler(t *testing.T, findings chan<- finding) http.Handler {
	mux := http.NewServeMux()
	files := http.FileServer(http.Dir(filepath.Join("testdata", "xss")))
	mux.Handle("/probe.js", files)
	mux.Handle("/harness.html", files)
	mux.HandleFunc("/frame", d.serveFrame)
	mux.HandleFunc("/markup", func(w http.ResponseWriter, r *http.Request) {
		if kind, i, ok := d.find(r); ok {
			fmt.Fprint(w, d.markup(kind, i))
		}
	})
	script := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "mark()")
	}
	mux.HandleFunc("/mark.js", script)
	mux.HandleFunc("/mark.jpg", script)
	mux.HandleFunc("POST /heard", func(_ http.ResponseWriter, r *http.Request) {
		f := finding{key: r.URL.Query().Get("i")}
		if err := json.NewDecoder(r.Body).Decode(&f.what); err != nil {
			t.Error(err)
		}
		select {
		case findings <- f:
		case <-r.Context().Done():
		}
	})
	return mux
}

// find returns the kind and index of a request's document.
func (d documents) find(r *http.Request) (kind string, i int, ok bool) {
	key := r.URL.Query().Get("i")
	if len(key) < 4 {
		return "", 0, false
	}
	kind = key[:3]
	i, err := strconv.Atoi(key[3:])
	return kind, i, err == nil && i >= 0 && (kind == "raw" && i < len(d.raw) || kind == "out" && i < len(d.out))
}

// policy allows images and the needs of the check itself. It only reports.
const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src *; connect-src 'self'; script-src " +
	"'nonce-probe'"

func (d documents) serveFrame(w http.ResponseWriter, r *http.Request) {
	kind, i, ok := d.find(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy-Report-Only", policy)
	fmt.Fprint(w, "<!doctype html><script nonce=probe src=/probe.js></script><body>")
	if kind == "raw" {
		fmt.Fprint(w, d.markup(kind, i))
		return
	}
	fmt.Fprintf(w, "<div id=box>%s</div><p id=after>after</p>", d.markup(kind, i))
}

func (d documents) markup(kind string, i int) string {
	if kind == "raw" {
		return d.raw[i].html
	}
	return d.out[i]
}

// start runs a browser that shows path of server. All host names lead to server. It returns a function that ends the
// browser.
func start(t *testing.T, program string, server *httptest.Server, path string) (stop func()) {
	t.Helper()
	profile, err := os.MkdirTemp("", "gleaner-xss-")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--user-data-dir="+profile, "--host-resolver-rules=MAP * "+server.Listener.Addr().String(),
		server.URL+path)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		cancel()
		if err := cmd.Wait(); err != nil && t.Failed() {
			t.Logf("%s: %v\n%s", program, err, log.String())
		}
		if err := os.RemoveAll(profile); err != nil {
			t.Log(err) // the browser's last processes may still write
		}
	}
}
