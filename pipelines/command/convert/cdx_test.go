package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// indexed returns the lines of a cluster.
func indexed(t *testing.T, dir string) (all []string) {
	t.Helper()
	x, err := zipnum.Open(dir, zipnum.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	for line, err := range x.Lines("", "") {
		if err != nil {
			t.Fatal(err)
		}
		if string(line) != "!" {
			all = append(all, string(line))
		}
	}
	return all
}

// linesOf returns the lines of a text file.
func linesOf(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// TestCDX_grows: archives one after another make the index of all at once. Known ones are not read again; they leave,
// and are replaced.
func TestCDX_grows(t *testing.T) {
	dir := t.TempDir()
	whole, grown := filepath.Join(dir, "whole"), filepath.Join(dir, "grown")
	archives := "--archives=testdata/archives"
	files, err := filepath.Glob("../../../testdata/archives/*")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	mustRun(t, "cdx", "--output="+whole, "--plain", archives, "testdata/archives")
	want := indexed(t, whole)
	if len(want) < 100 || !slices.Equal(want, linesOf(t, filepath.Join(whole, plainFile))) {
		t.Fatalf("%d lines, or the plain file differs", len(want))
	}
	for _, f := range files {
		mustRun(t, "cdx", "--output="+grown, archives, "testdata/archives/"+filepath.Base(f))
	}
	if got := indexed(t, grown); !slices.Equal(got, want) {
		t.Errorf("grown: %d lines, want %d", len(got), len(want))
	}
	out := mustRun(t, "cdx", "--output="+grown, archives, "testdata/archives")
	if !strings.Contains(out, "0 read, ") || !strings.Contains(out, "0 added, ") {
		t.Errorf("again:\n%s", out)
	}
	mustRun(t, "cdx", "--output="+grown, archives, "--remove=testdata/archives/site.warc.gz")
	left := slices.DeleteFunc(slices.Clone(want), func(l string) bool { return strings.Contains(l, `"site.warc.gz"`) })
	if got := indexed(t, grown); !slices.Equal(got, left) || len(left) == len(want) {
		t.Errorf("without one: %d lines, want %d of %d", len(got), len(left), len(want))
	}
	// Text that an earlier run wrote follows, also without the flag.
	mustRun(t, "cdx", "--output="+whole, archives, "--remove=testdata/archives/site.warc.gz")
	if got := linesOf(t, filepath.Join(whole, plainFile)); !slices.Equal(got, left) {
		t.Errorf("the text has %d lines, want %d", len(got), len(left))
	}
	mustRun(t, "cdx", "--output="+whole, archives, "testdata/archives")
	// The other index has all of them, in another form.
	mustRun(t, "cdx", "--output="+grown, archives, whole)
	if got := indexed(t, grown); !slices.Equal(got, want) {
		t.Errorf("merged: %d lines, want %d", len(got), len(want))
	}
	if code, out := runCommand(t, "cdx", "--output="+grown, "testdata/archives"); code != cli.ExitUsage ||
		!strings.Contains(out, "--archives=testdata/archives/") {
		t.Errorf("other names: %d\n%s", code, out)
	}
	none := filepath.Join(dir, "none")
	if code, out := runCommand(t, "cdx", "--output="+none, "testdata/missing"); code != cli.ExitUsage {
		t.Errorf("a missing input: %d\n%s", code, out)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a missing input makes a folder")
	}
}

// collect makes a collection of the pages of an archive, with documents and index lines, and returns its folder.
func collect(t *testing.T, archive string, pages ...int) string {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	f := folder.Open(t.Context(), t.TempDir(), nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	must(err)
	u := schemas.Unit{Inputs: []schemas.Range{{File: archive, End: 1, Format: "warc+gzip"}}}
	key := ledger.Key(u, nil, nil)
	_, _, err = c.Resume([]schemas.Unit{u}, []string{key}, nil)
	must(err)
	w, err := shard.NewWriter(f, u, key, shard.Options{Formats: []string{holdings.FormatParquet}})
	must(err)
	for _, n := range pages {
		at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		l := cdx.Line{
			SURT: fmt.Sprintf("org,example)/%d", n), URL: fmt.Sprintf("http://example.org/%d", n), Timestamp: at,
			Status: 200, Offset: int64(n), Length: 9, Filename: archive,
		}
		must(w.Document(&schemas.Document{URL: l.URL, SURT: l.SURT, Timestamp: at.Format(time.RFC3339), Filename: archive}))
		must(w.CDX(l))
	}
	n := int64(len(pages))
	r, err := w.Commit(schemas.Counts{Documents: n, Captures: n}, ledger.Note{})
	must(err)
	_, err = c.Finish([]schemas.UnitResult{r}, collection.Run{Units: 1})
	must(errors.Join(err, c.Close()))
	return f.Path("")
}

// takeDown takes a page of a collection down.
func takeDown(t *testing.T, dir, url string) {
	t.Helper()
	c, err := collection.Open(folder.Open(t.Context(), dir, nil), collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := takedown.Parse(url)
	if err == nil {
		_, err = care.TakeDown(t.Context(), c, []takedown.Entry{e}, func([]string) error { return nil })
	}
	if err = errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestCDX_collections: collections and files of lines are inputs too, and a page that is taken down leaves the index.
func TestCDX_collections(t *testing.T) {
	dir := t.TempDir()
	first, second := collect(t, "a.warc.gz", 1, 2), collect(t, "b.warc.gz", 3)
	file := filepath.Join(dir, "old.cdx")
	text := " CDX N b a m s k r M S V g\norg,example)/9 20100101000000 http://example.org/9 text/html 200 " +
		strings.Repeat("A", 32) + " - - 55 77 old.arc.gz\nbroken\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(dir, "index")
	code, out := runCommand(t, "cdx", "--output="+index, first, second, file)
	if code != cli.ExitLosses || !strings.Contains(out, "line 3 at byte") {
		t.Errorf("%d\n%s", code, out)
	}
	urls := func() (list []string) {
		for _, l := range indexed(t, index) {
			key, _, _ := strings.Cut(l, " ")
			list = append(list, strings.TrimPrefix(key, "org,example)/"))
		}
		return list
	}
	if got := urls(); !slices.Equal(got, []string{"1", "2", "3", "9"}) {
		t.Fatalf("%q\n%s", got, out)
	}
	takeDown(t, first, "http://example.org/2")
	out = mustRun(t, "cdx", "--output="+index, first, second)
	if got := urls(); !slices.Equal(got, []string{"1", "3", "9"}) {
		t.Errorf("%q\n%s", got, out)
	}
	// No byte of it stays.
	files, err := filepath.Glob(filepath.Join(index, "*"))
	if err != nil || len(files) != 5 {
		t.Errorf("%q, %v", files, err)
	}
}

// exchange is a request and its answer, each a record that names the other's identifier.
func exchange(id int, url, method, contentType, body string) string {
	request := fmt.Sprintf("%s / HTTP/1.1\r\nHost: example.com\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		method, contentType, len(body), body)
	answer := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok"
	record := func(kind, id, other, block string) string {
		if other != "" {
			other = "WARC-Concurrent-To: <urn:uuid:" + other + ">\r\n"
		}
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%s>\r\n%sWARC-Target-URI: %s\r\n"+
			"WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=%s\r\n"+
			"Content-Length: %d\r\n\r\n%s\r\n\r\n",
			kind, id, other, url, kind, len(block), block)
	}
	a, b := fmt.Sprintf("a%d", id), fmt.Sprintf("b%d", id)
	if id%2 == 0 { // in either order
		return record("request", a, "", request) + record("response", b, a, answer)
	}
	return record("response", b, "", answer) + record("request", a, b, request)
}

// TestCDX_post: the key of an answer has method and body of its request, and only if that is wanted.
func TestCDX_post(t *testing.T) {
	var text bytes.Buffer
	for i, tt := range []struct{ method, contentType, body string }{
		{"POST", "application/x-www-form-urlencoded", "q=a+b"},
		{"POST", "application/json", `{"a": {"b": true}}`},
		{"GET", "", ""},
		{"PUT", "text/plain", "words"},
	} {
		text.WriteString(exchange(i, "http://example.com/api", tt.method, tt.contentType, tt.body))
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a.warc")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	keys := func(flags ...string) (list []string) {
		out := filepath.Join(dir, fmt.Sprint("index", len(flags)))
		mustRun(t, append([]string{"cdx", "--output=" + out, file}, flags...)...)
		for _, l := range indexed(t, out) {
			key, _, _ := strings.Cut(l, " ")
			list = append(list, strings.TrimPrefix(key, "com,example)/api"))
		}
		return list
	}
	// cdxj-indexer 1.5.0 -p writes the same; SURTs are in lower case.
	want := []string{
		"", "?__wb_method=post&b=true", "?__wb_method=post&q=a%20b", "?__wb_method=put&__wb_post_data=d29yzhm=",
	}
	slices.Sort(want)
	if got := keys("--post"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := keys(); !slices.Equal(got, []string{"", "", "", ""}) {
		t.Errorf("without --post: %q", got)
	}
}

// TestCDX_killed: a run that is killed at any time leaves the index as it was or as it is to be.
func TestCDX_killed(t *testing.T) {
	dir := t.TempDir()
	index, file := filepath.Join(dir, "index"), filepath.Join(dir, "more.cdxj")
	mustRun(t, "cdx", "--output="+index, "testdata/archives")
	before := indexed(t, index)
	var text bytes.Buffer
	for i := range 200_000 {
		fmt.Fprintf(&text, "org,example)/%d 20200101000000 {\"url\": \"http://example.org/%d\"}\n", i*7919%200_000, i)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	kills := 0
	for wait := 50 * time.Millisecond; ; wait += 150 * time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		err := start(ctx, "cdx", "--output="+index, file).Run()
		cancel()
		got := len(indexed(t, index))
		if got != len(before) && got != len(before)+200_000 {
			t.Fatalf("killed after %v: %d lines", wait, got)
		}
		if err == nil {
			break
		}
		kills++
	}
	if got := len(indexed(t, index)); got != len(before)+200_000 || kills < 2 {
		t.Errorf("%d lines after %d kills", got, kills)
	}
}

func TestCDX_refused(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "foreign")
	if err := os.MkdirAll(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(foreign, "thesis.txt"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	index := "--output=" + filepath.Join(dir, "index")
	for _, tt := range []struct {
		args []string
		text string
	}{
		{[]string{index}, "name archives"},
		{[]string{"--output=gs://bucket/index", "testdata/archives"}, "not a folder of this machine"},
		{[]string{index, "--memory=1KiB", "testdata/archives"}, "1MiB"},
		{[]string{index, "testdata/none-such"}, "none-such"},
		{[]string{index, "--remove=other"}, "has nothing of it"},
		{[]string{index, "--fresh", "--remove=other"}, "--remove means nothing"},
		{[]string{"--output=" + foreign, "testdata/archives"}, "files of something else"},
	} {
		if code, out := runCommand(t, append([]string{"cdx"}, tt.args...)...); code != cli.ExitUsage ||
			!strings.Contains(out, tt.text) {
			t.Errorf("%q: exit code %d\n%s", tt.args, code, out)
		}
	}
}
