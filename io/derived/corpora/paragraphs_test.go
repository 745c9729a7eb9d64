package corpora

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// TestSteps_paragraphs: what three hosts have stays in one document; what a host has on all its pages stays. Units in
// any order and number make no difference.
func TestSteps_paragraphs(t *testing.T) {
	docs := documents(42) // of seven hosts
	const notice = "We use Cookies: accept all %d of them!"
	letters := strings.NewReplacer("0", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8",
		"i", "9", "j")
	for i, d := range docs {
		d.Text = fmt.Sprintf("Page %s\n%s\nMenu of %c", strings.Repeat("x", i+1), letters.Replace(d.Text), 'a'+i%7)
		if i%7 < 3 {
			d.Text = fmt.Sprintf(notice, i) + "\n" + d.Text
		}
	}
	docs[40].Text = "we use cookies accept all 12 of them" // and nothing else
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	var first []schemas.Shard
	for i, size := range []int{42, 10, 10, 1} {
		var units []holdings.Part
		for part := range slices.Chunk(docs, size) {
			units = append(units, unitOf(t, in, part))
		}
		if i == 2 {
			slices.Reverse(units)
		}
		s := newSteps(t, filepath.Join(dir, fmt.Sprint("out", i)), Options{Paragraphs: 3})
		m := makeCorpus(t, s, units)
		notices, menus := 0, 0
		for _, r := range rows(t, s, m) {
			notices += strings.Count(strings.ToLower(r.Text), "we use cookies")
			menus += strings.Count(r.Text, "Menu of ")
		}
		// A document of nothing but the notice keeps it, if it is the document that keeps the notice for all.
		empty := int64(0)
		if r := m.Counts.Reasons["paragraphs/all"]; r != nil {
			empty = r.Documents
		}
		if notices != 1 || menus != 41 || m.Counts.Kept+empty != 42 || m.Counts.Paragraphs != 18 {
			t.Errorf("units of %d: %d notices, %d menus, %d documents, %d paragraphs taken out; want 1, 41, 42 and 18", size,
				notices,
				menus, m.Counts.Kept, m.Counts.Paragraphs)
		}
		files := slices.DeleteFunc(m.Files, func(f schemas.Shard) bool { return strings.HasPrefix(f.Name, "refused") })
		if first == nil {
			first = files
		}
		if !slices.Equal(files, first) {
			t.Errorf("units of %d: files are %v, want %v", size, files, first)
		}
	}
}

// TestSteps_simhash: texts with one fingerprint are found before bands are compared.
func TestSteps_simhash(t *testing.T) {
	docs := documents(30)
	same := *docs[3]
	same.URL, same.SURT, same.Digest = "http://m.example.org/", "org,example,m)/", "sha1:m"
	same.Text = strings.ToUpper(strings.ReplaceAll(same.Text, " ", ", ")) // what neither a digest nor the text's hash sees
	dir := t.TempDir()
	s := newSteps(t, filepath.Join(dir, "out"), Options{Dedup: Dedups(), Keep: "longest", KeepURL: "newest"})
	m := makeCorpus(t, s, []holdings.Part{unitOf(t, newFolder(t, filepath.Join(dir, "in")), append(docs, &same))})
	if r := m.Counts.Reasons["duplicate/simhash"]; m.Counts.Kept != 30 || r == nil || r.Documents != 1 {
		t.Errorf("%d documents stay, refused are %v; want 30, and one by its fingerprint", m.Counts.Kept, m.Counts.Reasons)
	}
}

// TestSteps_markdown: the text is the Markdown of the filtered text, without the parts that filters removed. WET files
// hold the same texts as rows do.
func TestSteps_markdown(t *testing.T) {
	d := documents(1)[0]
	d.Text = "A title\nWrite to jane@example.com about it.\nRead more\none\ntwo"
	d.MainHTML = `<h2>A title</h2><p>Write to <b>jane@example.com</b> about <a href="/it">it</a>.</p><p>Read more</p>` +
		`<ul><li>one</li><li>two</li></ul>`
	plain := *d // of a PDF, say
	plain.URL, plain.MainHTML = "http://example.com/a.pdf", ""
	dir := t.TempDir()
	o := Options{Text: TextMarkdown, Formats: Formats(), Recipe: filter.Recipe{{Name: "lines"}, {Name: "personal"}}}
	s := newSteps(t, filepath.Join(dir, "out"), o)
	m := makeCorpus(t, s, []holdings.Part{unitOf(t, newFolder(t, filepath.Join(dir, "in")),
		[]*schemas.Document{d, &plain})})
	want := map[string]string{
		d.URL:     "## A title\n\nWrite to **<email>** about [it](" + strings.TrimSuffix(d.URL, "0") + "it).\n\n- one\n- two",
		plain.URL: "A title\nWrite to <email> about it.\none\ntwo",
	}
	packed, err := os.ReadFile(filepath.Join(dir, "out", "data", "train-00000-of-00001.warc.wet.gz"))
	if err != nil {
		t.Fatal(err)
	}
	wet := readGzip(t, packed)
	for _, r := range rows(t, newSteps(t, filepath.Join(dir, "out"), o), Manifest{Files: linesOf(m.Files)}) {
		if r.Text != want[r.URL] {
			t.Errorf("%s: %q, want %q", r.URL, r.Text, want[r.URL])
		}
		if head := "WARC-Target-URI: " + r.URL + "\r\n"; !strings.Contains(wet, head) ||
			!strings.Contains(wet, "\r\n\r\n"+r.Text+"\r\n\r\n") {
			t.Errorf("the WET file has not got %s with its text: %s", r.URL, wet)
		}
	}
}

// TestSteps_markdownOfFilters: the Markdown lacks the lines that the filters and shared paragraphs take from the text,
// also if they have marks and links there.
func TestSteps_markdownOfFilters(t *testing.T) {
	const shared = "The agency reports that the river has a new bridge."
	var docs []*schemas.Document
	for i, host := range []string{"a", "b", "c"} {
		d := *documents(1)[0]
		d.URL, d.SURT, d.Host = "https://"+host+".example/", "example,"+host+")/", host+".example"
		d.Offset, d.Digest = int64(i), "sha1:"+host
		d.Text = shared + strings.ReplaceAll("\nOne two three @.\nFour five @.\nSeven @ nine ten.\nEleven and @.\n"+
			"@ and more.\nWe @ use cookies, as all do.\nA head @", "@", host)
		d.MainHTML = "<p>The <a href='https://" + host + ".example/agency'>agency</a> reports that the river has a new " +
			"bridge.</p>" + strings.ReplaceAll("<p>One two three @.</p><p><em>Four five @.</em></p><p>Seven @ nine ten.</p>"+
			"<p>Eleven and @.</p><p>@ and more.</p><p>We @ <b>use cookies</b>, as all do.</p><h2>A head @</h2>", "@", host)
		docs = append(docs, &d)
	}
	dir := t.TempDir()
	o := Options{Text: TextMarkdown, Paragraphs: 3, Recipe: filter.Recipe{{Name: "c4"}}}
	s := newSteps(t, filepath.Join(dir, "out"), o)
	m := makeCorpus(t, s, []holdings.Part{unitOf(t, newFolder(t, filepath.Join(dir, "in")), docs)})
	agencies := 0
	for _, r := range rows(t, s, m) {
		agencies += strings.Count(r.Text, "[agency](https://")
		if strings.Contains(r.Text, "cookies") || strings.Contains(r.Text, "A head") ||
			!strings.Contains(r.Text, "\n\n*Four five "+r.Host[:1]+".*\n\nSeven") {
			t.Errorf("%s: %q", r.URL, r.Text)
		}
	}
	if m.Counts.Kept != 3 || agencies != 1 {
		t.Errorf("%d documents, %d with the shared paragraph; want 3 and 1", m.Counts.Kept, agencies)
	}
}

func linesOf(files []schemas.Shard) []schemas.Shard {
	return slices.DeleteFunc(slices.Clone(files),
		func(f schemas.Shard) bool { return !strings.HasSuffix(f.Name, ".jsonl.zst") })
}

func readGzip(t testing.TB, packed []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
