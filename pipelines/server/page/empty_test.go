package page_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// emptySite serves three collections: none has no captures, bare was made without extractors, harbour has all.
func emptySite(t *testing.T) *site {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	const archive = "testdata/archives/site.warc.gz"
	for _, args := range [][]string{
		{"ingest", "--output=" + in("none"), "--where=status = 999", archive},
		{"ingest", "--output=" + in("bare"), "--extract=mime", archive},
		{"ingest", "--output=" + in("full"), "--format=jsonl,links", archive},
	} {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir = root("")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	if err := os.Mkdir(in("empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	address, err := launch(program, "--addr=127.0.0.1:0", "--state="+in("state"), "--inputs=testdata", in("none"),
		in("bare"), in("full"), in("empty"))
	s := &site{address: address, client: http.DefaultClient}
	if err == nil {
		err = s.ready()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPages_sayWhyNothing: a page with nothing to show says why, and has the command or the link that fills it.
func TestPages_sayWhyNothing(t *testing.T) {
	s := emptySite(t)
	for _, page := range []string{
		"", "/search", "/values?field=mime", "/values?field=entity", "/trends", "/trends?terms=a", "/take", "/images",
		"/hosts", "/entities", "/sql?sql=select+url+from+documents",
	} {
		s.says(t, "/none"+page, http.StatusOK, "no captures", "ingest --add", "archives")
	}
	for _, page := range []string{
		"", "/search", "/values?field=mime", "/trends", "/take", "/images", "/hosts", "/entities", "/graph",
		"/links?url=a", "/archives", "/runs", "/sql",
	} {
		s.says(t, "/empty"+page, http.StatusServiceUnavailable, "No run has finished", "ingest --output=")
	}
	for page, option := range map[string]string{
		"/search?query=zzzqqq": "text", "/values?field=entity": "entities", "/values?field=lang": "language",
		"/values?field=tag": "metadata", "/values?field=page_type": "text", "/entities": "entities",
		"/trends?terms=zzzqqq": "text", "/trends?field=lang": "language", "/take?query=sentiment.score+%3C+0": "sentiment",
		"/sql?sql=select+*+from+entities": "entities", "/graph": "", "/links?url=http%3A%2F%2Fa.example%2F": "",
	} {
		want := "--extract=" + option
		if option == "" {
			want = "ingest --format=jsonl,links"
		}
		s.says(t, "/bare"+page, http.StatusOK, want)
	}
	s.says(t, "/bare/images", http.StatusOK, "--extract=all --add")
	for _, page := range []string{
		"/search?query=zzzqqq", "/values?field=mime&find=zzz", "/trends?query=zzzqqq", "/take?query=zzzqqq",
		"/images?query=zzzqqq", "/hosts?find=zzz", "/entities?find=zzz", "/graph?query=zzzqqq",
		"/sql?sql=select+1+where+0", "/hosts/nowhere.example",
	} {
		s.leadsOn(t, "/full"+page)
	}
	s.leadsOn(t, "/search?query=zzzqqq")
	for _, page := range []string{"/sources", "/saved", "/jobs", "/datasets"} {
		s.leadsOn(t, page)
	}
	// Where nothing is missing, nothing is said.
	for _, page := range []string{
		"", "/search", "/values?field=mime", "/trends", "/take", "/hosts", "/entities", "/graph",
	} {
		_, body := s.read(t, "/full"+page)
		if strings.Contains(body, "No capture of this") || strings.Contains(body, "collection has no captures") {
			t.Errorf("/full%s says that something is missing", page)
		}
	}
}

// says reports a page whose main part lacks a text.
func (s *site) says(t *testing.T, path string, status int, texts ...string) {
	t.Helper()
	r, doc := s.get(t, path)
	main := ""
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "main" {
			main = textOf(n)
		}
	}
	for _, text := range texts {
		if r.StatusCode != status || !strings.Contains(main, text) {
			t.Errorf("%s: status %d, and not the words %q: %.600s", path, r.StatusCode, text, strings.Fields(main))
		}
	}
}

// leadsOn reports a page that does not say no or nothing in a sentence, with a link after it.
func (s *site) leadsOn(t *testing.T, path string) {
	t.Helper()
	_, doc := s.get(t, path)
	for n := range doc.Descendants() {
		text := ""
		if n.Type == html.ElementNode && (n.Data == "p" || n.Data == "div" || n.Data == "li") && within(n, "main") {
			text = fmt.Sprint(strings.Fields(textOf(n)))
		}
		if !strings.Contains(text, "No ") && !strings.Contains(text, "no ") {
			continue
		}
		for a := range n.Descendants() {
			if a.Data == "a" && attr(a, "href") != "" {
				return
			}
		}
	}
	t.Errorf("%s has no sentence with a link that leads on", path)
}
