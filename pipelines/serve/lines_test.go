package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostile maps possible raw URLs in archives to their form in lines.
var hostile = map[string]string{
	"http://forged.example/a\tb":          "http://forged.example/a%09b",
	"http://forged.example/c\x0bd":        "http://forged.example/c%0Bd",
	"http://forged.example/e\u2028f":      "http://forged.example/e%E2%80%A8f",
	"http://forged.example/g\u0085h":      "http://forged.example/g%C2%85h",
	"http://forged.example/\x1b[2Jclear":  "http://forged.example/%1B[2Jclear",
	"http://forged.example/\u202etxt.exe": "http://forged.example/%E2%80%AEtxt.exe",
	// A line end can come from JSON, where it is escaped.
	"http://forged.example/i\ncom,other)/ 20200101000000 x": "http://forged.example/i%0Acom,other)/%2020200101000000%20x",
	"http://forged.example/k\r\nl":                          "http://forged.example/k%0D%0Al",
}

// hostileArchive returns a file of CDR lines with a page for each of them.
func hostileArchive(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for u := range hostile {
		fmt.Fprintf(&b, `{"url":%s,"timestamp":1600000000000,"team":"t","crawler":"c","_id":"%x","content_type":"text/html",`+
			`"raw_content":"<html><title>t</title><p>A page.","version":"2.0"}`+"\n", quoted(u), u)
	}
	path := filepath.Join(t.TempDir(), "hostile.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAttack_forgedLines: a URL with line ends, tabs or escape sequences is one word of one line, in each line-based
// output.
func TestAttack_forgedLines(t *testing.T) {
	out := filepath.Join(t.TempDir(), "shelf")
	ingest(t, out, hostileArchive(t))
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	want := map[string]bool{}
	for _, line := range hostile {
		want[line] = true
	}
	search := "/cdx/search/cdx?matchType=domain&url=forged.example"
	for _, path := range []string{
		search + "&fl=original", search + "&fl=original,mimetype", search, search + "&fl=urlkey,original",
		"/cdx?matchType=domain&url=forged.example&fl=url", "/api/v1/export?format=urls",
	} {
		lines := strings.Split(strings.TrimSuffix(s.get(path, http.StatusOK), "\n"), "\n")
		if len(lines) != len(want) {
			t.Errorf("GET %s: %d lines, want %d: %q", path, len(lines), len(want), lines)
		}
		for _, l := range lines {
			found := 0
			for _, word := range strings.Fields(l) {
				if want[word] {
					found++
				}
			}
			if found != 1 || strings.ContainsAny(l, "\x1b\x0b\r\t\u202e\u2028\u0085") {
				t.Errorf("GET %s: the line %q", path, l)
			}
		}
	}
	table := s.get("/api/v1/export?format=csv", http.StatusOK)
	if strings.ContainsAny(table, "\x1b\x0b\u202e\u0085") || !strings.Contains(table, "␛[2Jclear") {
		t.Errorf("CSV: %q", table)
	}
	for u := range hostile {
		list := s.get("/timemap/link/"+url.PathEscape(u), http.StatusOK)
		if strings.Count(list, "\n") != 4 || strings.ContainsAny(list, "\x1b\x0b\r\t\u202e\u2028\u0085") {
			t.Errorf("TimeMap of %q: %q", u, list)
		}
	}
}

// quoted returns a text as JSON.
func quoted(s string) string {
	escapes := strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\x0b", `\u000b`, "\x1b", `\u001b`)
	return `"` + escapes.Replace(s) + `"`
}
