package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
)

const templated = "testdata/templated" // from the project's root

// repeated has the starts of the texts that the pages of both hosts share.
var repeated = []string{"We keep two small cookies", "Ada Quill has written", "Every Friday we send"}

// TestIngest_siteTemplates: the text of the host with eight pages loses exactly the shared parts. Nothing else
// changes: neither the page with five captures nor the host with three pages.
func TestIngest_siteTemplates(t *testing.T) {
	t.Parallel()
	without, with := t.TempDir(), t.TempDir()
	mustRun(t, "--output="+without, "--unit_size=64KiB", templated)
	mustRun(t, "--output="+with, "--unit_size=64KiB", "--site_templates", templated)
	want, got := documents(t, without), documents(t, with)
	if len(got) != 16 || len(want) != 16 {
		t.Fatalf("%d documents, and %d without the flag; want 16", len(got), len(want))
	}
	marked := int64(0)
	for i, line := range want {
		w, g := document(t, line), document(t, got[i])
		marked += int64(g.TemplateBlocks)
		if !strings.HasPrefix(w.SURT, "example,wrenmouth,tideline)") {
			if got[i] != line {
				t.Errorf("%s is another document:\n%s", w.URL, cmp.Diff(line, got[i]))
			}
			continue
		}
		if n := g.TemplateBlocks; n != 4 { // includes the line in the footer
			t.Errorf("%s: template_blocks %d, want 4", w.URL, n)
		}
		if diff := cmp.Diff(stripped(t, w.Text), g.Text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", w.URL, diff)
		}
		for _, s := range repeated {
			if strings.Contains(g.MainHTML, s) {
				t.Errorf("%s: main_html holds %q", w.URL, s)
			}
		}
	}
	m, err := holdings.ReadManifest(local(with))
	if err != nil {
		t.Fatal(err)
	}
	if m.SiteTemplates == nil || m.SiteTemplates.Hosts != 1 || m.Totals.TemplateBlocks != marked ||
		m.Versions["sitetemplate"] == "" {
		t.Errorf("manifest: %+v, %d blocks, versions %v; want one host and %d blocks", m.SiteTemplates,
			m.Totals.TemplateBlocks, m.Versions, marked)
	}
}

// stripped returns a page's text without the repeated parts, all of which must be there.
func stripped(t *testing.T, text string) string {
	t.Helper()
	var kept []string
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if slices.ContainsFunc(repeated, func(s string) bool { return strings.HasPrefix(line, s) }) {
			n++
			continue
		}
		kept = append(kept, line)
	}
	if n != len(repeated) {
		t.Errorf("%d of the %d repeated paragraphs are in the text without the flag; the test proves nothing:\n%s", n,
			len(repeated), text)
	}
	return strings.Join(kept, "\n")
}

// TestIngest_siteTemplatesSameEverywhere: runner and workers do not affect the bytes, and the unit size no document.
func TestIngest_siteTemplatesSameEverywhere(t *testing.T) {
	t.Parallel()
	base := []string{"--site_templates", "--extract=mime,text", templated}
	do := func(flags ...string) string {
		out := t.TempDir()
		mustRun(t, slices.Concat(flags, []string{"--output=" + out}, base)...)
		return out
	}
	first := do("--unit_size=64KiB")
	want := contents(t, first)
	for _, flags := range [][]string{{"--workers=1"}, {"--workers=4"}, {"--runner=prism"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			sameFiles(t, contents(t, do(append(flags, "--unit_size=64KiB")...)), want)
		})
	}
	if diff := cmp.Diff(documents(t, first), documents(t, do())); diff != "" {
		t.Errorf("with units of the default size (-64KiB +this):\n%s", diff)
	}
}

// TestIngest_siteTemplatesKilled: a run that is killed in or between the passes and repeated gives the collection of
// one clean run. Surveyed units are not surveyed again.
func TestIngest_siteTemplatesKilled(t *testing.T) {
	t.Parallel() // it mostly waits
	clean, out := t.TempDir(), t.TempDir()
	args := []string{"--site_templates", "--extract=mime,text", "--unit_size=64KiB", "--workers=1", templated}
	begin := time.Now()
	mustRun(t, append([]string{"--output=" + clean}, args...)...)
	took := time.Since(begin)
	want := contents(t, clean)

	args = append([]string{"--output=" + out}, args...)
	killOften(t, 4, took, args)
	for _, pattern := range []string{"sketches-*", "templates-*"} {
		killWhen(t, filepath.Join(out, ".gleaner", pattern), slices.Concat([]string{"--fresh"}, args))
	}
	mustRun(t, args...)
	sameFiles(t, contents(t, out), want)

	table := interimFiles(t, out, "templates-*")
	sketches := interimFiles(t, out, "sketches-*")
	if len(table) != 1 || len(sketches) < 2 {
		t.Fatalf("tables %v, sketches %v; want one and some", table, sketches)
	}
	for _, name := range []string{table[0], sketches[0]} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	before := writeTimes(t, out)
	if r := mustRun(t, args...); !strings.Contains(r.stderr, fmt.Sprintf("in 1 of %d units", len(sketches))) {
		t.Errorf("stderr %q; want that one unit was surveyed again", r.stderr)
	}
	if diff := cmp.Diff(before, writeTimes(t, out)); diff != "" {
		t.Errorf("the table is the same, and documents were written (-before +after):\n%s", diff)
	}
	sameFiles(t, contents(t, out), want)
	if r := mustRun(t, args...); strings.Contains(r.stderr, "looking") {
		t.Errorf("nothing was to be done, and stderr is %q", r.stderr)
	}
}

func interimFiles(t *testing.T, out, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(out, ".gleaner", pattern))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestIngest_siteTemplatesStale: after archives are added, or with --fresh and without the flag, the collection is
// that of a clean run.
func TestIngest_siteTemplatesStale(t *testing.T) {
	t.Parallel()
	in, out := t.TempDir(), t.TempDir()
	copyOf := func(name string) {
		b, err := os.ReadFile(filepath.Join("../..", templated, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(in, name), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"--extract=mime,text", "--unit_size=64KiB", in}
	same := func(what string, hosts int, flags ...string) {
		t.Helper()
		other := t.TempDir()
		flags = append(flags, args...)
		mustRun(t, append([]string{"--output=" + out}, flags...)...)
		mustRun(t, append([]string{"--output=" + other}, flags...)...)
		got := contents(t, out)
		sameFiles(t, got, contents(t, other))
		var m schemas.Manifest
		if err := json.Unmarshal([]byte(got[holdings.ManifestFile]), &m); err != nil {
			t.Fatal(err)
		}
		if m.SiteTemplates != nil && m.SiteTemplates.Hosts != hosts || (m.SiteTemplates == nil) != (hosts < 0) {
			t.Errorf("%s: %+v, want %d hosts", what, m.SiteTemplates, hosts)
		}
	}
	copyOf("part-a.warc.gz")
	same("four pages", 0, "--site_templates")
	copyOf("part-b.warc")
	same("eight pages", 1, "--site_templates")
	same("without the flag", -1, "--fresh")
	if left := interimFiles(t, out, "*-*"); len(left) > 0 {
		for _, name := range left {
			if !strings.HasSuffix(name, ".json") {
				t.Errorf("%s is left", name)
			}
		}
	}
}
