package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// A document with one of these texts does this to the process that reads it: see mischief.
const (
	testLoop    = "gleaner test: loop"
	testExhaust = "gleaner test: exhaust"
	testExit    = "gleaner test: exit"
)

// mischief is docsandbox.Handle with faults for tests.
func mischief(mime string, body []byte) []byte {
	switch {
	case bytes.Contains(body, []byte(testLoop)):
		for i := 0; ; i++ {
			benchmarked = i
		}
	case bytes.Contains(body, []byte(testExhaust)):
		for kept := [][]byte(nil); ; {
			kept = append(kept, bytes.Repeat([]byte{1}, 8<<20))
			benchmarked = len(kept)
		}
	case bytes.Contains(body, []byte(testExit)):
		os.Exit(0)
	}
	return docsandbox.Handle(mime, body)
}

var benchmarked int

// file is a document in an archive.
type file struct {
	name string
	body []byte
}

func pdfSaying(text string, compress bool) file {
	b := pdftest.New()
	b.Compress = compress
	b.Page("BT /F1 12 Tf 72 700 Td (" + text + ") Tj ET")
	b.Add("(" + text + ")") // not deflated, where mischief finds it
	return file{"a.pdf", b.Bytes()}
}

func docxSaying(t *testing.T, text string) file {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range []struct{ name, content string }{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/document.xml", `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:body></w:document>`},
	} {
		w, err := z.Create(part.name)
		if err == nil {
			_, err = w.Write([]byte(part.content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file{"a.docx", b.Bytes()}
}

// soundFiles returns documents to mutate: generated ones, and those of the corpus of media types if it exists.
func soundFiles(t *testing.T) []file {
	t.Helper()
	const text = "The harbour was closed for two days"
	files := []file{
		pdfSaying(text, false), pdfSaying(text, true), docxSaying(t, text),
		{"a.rtf", []byte(`{\rtf1\ansi ` + text + `\par}`)},
	}
	names, err := filepath.Glob("../../../shared/corpora/mime/docs/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !slices.Contains(documentTypes, path.Ext(name)) {
			continue
		}
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{filepath.Base(name), body})
	}
	return files
}

var documentTypes = []string{".pdf", ".xlsx", ".pptx", ".pptm", ".odt", ".sxw", ".epub", ".doc"}

// mutants returns n damaged copies, always the same. In a copy with many changes, all are within the first 1 MiB.
func mutants(sound []file, n int) []file {
	r := rand.New(rand.NewPCG(2026, 1122))
	var all []file
	for i := range n {
		f := sound[i%len(sound)]
		b := slices.Clone(f.body[:min(len(f.body), 1<<20)])
		switch at := r.IntN(len(b)); i / len(sound) % 5 {
		case 0: // cut
			b = b[:at]
		case 1: // bytes
			for range 1 + len(b)/500 {
				b[r.IntN(len(b))] = byte(r.Uint32())
			}
		case 2: // bits
			for range 1 + len(b)/300 {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
		case 3: // numbers: lengths, offsets, references
			for range 20 {
				from := r.IntN(len(b))
				if j := bytes.IndexAny(b[from:], "0123456789"); j >= 0 {
					b[from+j] = byte('0' + r.IntN(10))
				}
			}
		case 4: // a piece of another one
			other := sound[r.IntN(len(sound))].body
			from := r.IntN(len(other))
			b = slices.Insert(b, at, other[from:min(len(other), from+1+r.IntN(2000))]...)
		}
		all = append(all, file{f.name, b})
	}
	return all
}

// writeArchive writes a WARC file in which pages alternate with documents, and returns its name.
func writeArchive(t *testing.T, name string, documents []file) string {
	t.Helper()
	var b bytes.Buffer
	for i, d := range documents {
		page := fmt.Sprintf("<html><head><title>Page %d</title></head><body><article><h1>Page %[1]d</h1><p>This is the "+
			"text of page %[1]d, "+
			"which tells at some length what has happened in the harbour today, and who was there to see it.</p></article>"+
			"</body></html>", i)
		writeRecord(&b, fmt.Sprintf("https://harbour.example/%d.html", i), []byte(page))
		writeRecord(&b, fmt.Sprintf("https://harbour.example/%d/%s", i, d.name), d.body)
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func writeRecord(b *bytes.Buffer, url string, body []byte) {
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(body))
	fmt.Fprintf(b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-03-02T10:00:00Z\r\n"+
		"WARC-Record-ID: <urn:example:%[1]s>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n"+
		"\r\n%s%s\r\n\r\n",
		url, len(head)+len(body), head, body)
}

// split parses a run's documents: those of pages, without their positions, and the others.
func split(t *testing.T, dir string) (pages, others []schemas.Document) {
	t.Helper()
	for _, line := range documents(t, dir) {
		var d schemas.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(d.URL, ".html") {
			d.Filename, d.Offset = "", 0
			pages = append(pages, d)
		} else {
			others = append(others, d)
		}
	}
	return pages, others
}

// TestIngest_hostileDocuments reads damaged documents, 80 or with GLEANER_SLOW=1 200. Some loop, exhaust memory or
// end the process. They lose only their own text, and no process is left.
func TestIngest_hostileDocuments(t *testing.T) {
	damagedOnes, at := 80, 40 // the others are inserted at index at
	if os.Getenv("GLEANER_SLOW") != "" {
		damagedOnes, at = 200, 100
	}
	sound := soundFiles(t)
	var quiet []file
	for i := range damagedOnes + 3 {
		quiet = append(quiet, sound[i%len(sound)])
	}
	hostile := mutants(sound, damagedOnes)
	hostile = slices.Insert(hostile, at, pdfSaying(testLoop, false), pdfSaying(testExhaust, false),
		pdfSaying(testExit, false))

	quietRun, first := t.TempDir(), t.TempDir()
	mustRun(t, "--output="+quietRun, "--workers=2", writeArchive(t, "a.warc", quiet))
	archive := writeArchive(t, "a.warc", hostile)
	again := t.TempDir()
	t.Run("runs", func(t *testing.T) { // beside each other: each waits for the processor time of the one that loops
		for name, args := range map[string][]string{
			"first": {"--output=" + first, "--workers=2"}, "again": {"--output=" + again, "--runner=prism", "--workers=4"},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				begin := time.Now()
				mustRun(t, append(args, archive)...)
				if d := time.Since(begin); d > 3*time.Minute {
					t.Errorf("it took %v", d)
				}
			})
		}
	})
	want, _ := split(t, quietRun)
	pages, others := split(t, first)
	if diff := cmp.Diff(want, pages); diff != "" || len(pages) != len(hostile) {
		t.Errorf("%d pages, want %d; those beside hostile documents differ (-want +got):\n%.4000s", len(pages), len(hostile),
			diff)
	}
	kinds := map[schemas.Kind]int{}
	for i, d := range others {
		for _, e := range d.Errors {
			kinds[e.Kind]++
			died := e.Kind == schemas.KindTimeout || e.Kind == schemas.KindCrashed || e.Kind == schemas.KindPanic
			if mischievous := i >= at && i < at+3; died && !mischievous {
				t.Errorf("%s: %v", d.URL, e)
			}
		}
	}
	t.Logf("errors of %d damaged documents by kind: %v", len(others), kinds)
	if len(others) != len(hostile) || kinds[schemas.KindTimeout] != 1 || kinds[schemas.KindCrashed] != 2 {
		t.Errorf("%d documents, %d timeouts, %d crashes; want %d, 1 and 2", len(others), kinds[schemas.KindTimeout],
			kinds[schemas.KindCrashed], len(hostile))
	}
	sameFiles(t, contents(t, again), contents(t, first))
	if left := processes(t, func(p process) bool { return p.sandbox }); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

// TestIngest_killedWhileReadingDocuments: the children of a killed run die with it.
func TestIngest_killedWhileReadingDocuments(t *testing.T) {
	cmd := command(context.Background(), "--output="+t.TempDir(),
		writeArchive(t, "a.warc", []file{pdfSaying(testLoop, false)}))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ours := func(p process) bool { return p.sandbox && p.parent == cmd.Process.Pid }
	children := awaitProcesses(t, func() bool { return len(processes(t, ours)) > 0 }, ours)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	awaitProcesses(t, func() bool {
		return len(processes(t, func(p process) bool { return slices.Contains(children, p.pid) })) == 0
	}, ours)
}

// TestIngest_interruptedWhileReadingDocuments: an interrupted run does not wait for a hostile document.
func TestIngest_interruptedWhileReadingDocuments(t *testing.T) {
	cmd := command(t.Context(), "--output="+t.TempDir(), writeArchive(t, "a.warc", []file{pdfSaying(testLoop, false)}))
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ours := func(p process) bool { return p.sandbox && p.parent == cmd.Process.Pid }
	awaitProcesses(t, func() bool { return len(processes(t, ours)) > 0 }, ours)
	begin := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(errs.String(), "run the same command again") ||
		time.Since(begin) > 8*time.Second {
		t.Errorf("after %v: %v, printed %q; want code 1 and how to go on, at once", time.Since(begin), err, errs.String())
	}
}

// process holds data from /proc.
type process struct {
	pid, parent int
	sandbox     bool // a child of this test program that reads documents
}

// processes returns the ids of wanted processes that have not ended.
func processes(t *testing.T, wanted func(process) bool) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Skip("there is no /proc to see processes in")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, name := range stats {
		dir := filepath.Dir(name)
		stat, err1 := os.ReadFile(name)
		command, err2 := os.ReadFile(dir + "/cmdline")
		exe, err3 := os.Readlink(dir + "/exe")
		_, rest, ok := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest)
		if err1 != nil || err2 != nil || err3 != nil || !ok || len(fields) < 2 || fields[0] == "Z" {
			continue // it has ended
		}
		p := process{sandbox: exe == self && string(command) == "sandbox\x00"}
		p.pid, _ = strconv.Atoi(filepath.Base(dir)) // only digits
		p.parent, _ = strconv.Atoi(fields[1])       // likewise
		if wanted(p) {
			found = append(found, p.pid)
		}
	}
	return found
}

// awaitProcesses waits until done, and returns the wanted processes then.
func awaitProcesses(t *testing.T, done func() bool, wanted func(process) bool) []int {
	t.Helper()
	for range 600 {
		if done() {
			return processes(t, wanted)
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("waited for half a minute in vain")
	return nil
}
