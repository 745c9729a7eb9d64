package pdf_test

import (
	"bytes"
	"flag"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

const corpora = "../../../../shared/corpora/"

var (
	pdfs   = flag.String("pdfs", "", "folder of PDF files to score besides those of the corpora")
	listed = flag.Float64("listed", 0.9, "F1 below which files are listed")
)

// fewWords is how many words a file must have according to pdftotext, to be scored.
const fewWords = 20

// TestRead_corpus compares the words from Read with those of poppler's pdftotext.
func TestRead_corpus(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("no pdftotext: in Debian, the package poppler-utils has it")
	}
	files := corpusFiles(t)
	var ours, theirs time.Duration
	var sum, pairs float64
	scored, good := 0, 0
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		start := cputime.Children()
		want, err := exec.Command("pdftotext", "-q", name, "-").Output()
		theirs += cputime.Children() - start
		start = cputime.Self()
		doc, _ := pdf.Read(body, doctext.Options{})
		ours += cputime.Self() - start
		words := bag(string(want), 1)
		if err != nil || count(words) < fewWords {
			continue
		}
		if doc == nil {
			doc = &doctext.Document{}
		}
		f1, inOrder := score(words, bag(doc.Text, 1)), score(bag(string(want), 2), bag(doc.Text, 2))
		if f1 < *listed {
			t.Logf("%.3f of %6d words, %.3f of pairs in %s %v", f1, count(words), inOrder, name, doc.Problems)
		}
		scored++
		sum += f1
		pairs += inOrder
		if f1 >= 0.9 {
			good++
		}
	}
	if scored == 0 {
		t.Skip("no ../shared/corpora/mime beside the checkout: documents of others, which may not be copied into it")
	}
	mean, share := sum/float64(scored), float64(good)/float64(scored)
	t.Logf("%d of %d files scored: mean F1 of words %.4f, of pairs %.4f, at least .9 on %.3f; CPU %.2f s, pdftotext "+
		"%.2f (%.2f)",
		scored, len(files), mean, pairs/float64(scored), share, ours.Seconds(), theirs.Seconds(),
		ours.Seconds()/theirs.Seconds())
	if *pdfs == "" && (mean < 0.96 || share < 0.93) {
		t.Errorf("mean F1 %.3f, at least .9 on %.3f of the files, want .96 and .93", mean, share)
	}
}

// corpusFiles returns the PDF files in the folder of -pdfs, or else those of the corpora and of their archives.
func corpusFiles(t *testing.T) []string {
	if *pdfs != "" {
		return find(t, *pdfs, ".pdf")
	}
	files := find(t, corpora+"mime/docs", ".pdf")
	for _, name := range find(t, corpora+"warc/raw", ".warc.gz") {
		if strings.Contains(name, "pdf") {
			files = append(files, unpack(t, name)...)
		}
	}
	return files
}

// find returns the files below dir whose names end in suffix.
func find(t *testing.T, dir, suffix string) []string {
	var files []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(strings.ToLower(name), suffix) {
			files = append(files, name)
		}
		return nil // a missing folder has no files
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// unpack writes the PDF files of an archive to a temporary folder.
func unpack(t *testing.T, name string) []string {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	format, err := archive.Detect(f.Name(), f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	r, err := archive.NewReader(f, archive.Input{Name: name, Size: info.Size(), End: info.Size()}, format,
		archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var files []string
	for c, err := range r.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(c.Body, []byte("%PDF-")) {
			continue
		}
		file := filepath.Join(t.TempDir(), "a.pdf")
		if err := os.WriteFile(file, c.Body, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// bag counts the sequences of n words of a text. Words consist of letters, digits and marks. The signs of raised and
// lowered text, which poppler joins to the word before, are left out.
func bag(text string, n int) map[string]int {
	text = strings.NewReplacer("^", "", "_", "").Replace(text)
	runs := map[string]int{}
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
	words := strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)), func(r rune) bool { return !inWord(r) })
	for i := n; i <= len(words); i++ {
		runs[strings.Join(words[i-n:i], " ")]++
	}
	return runs
}

func count(words map[string]int) int {
	n := 0
	for _, c := range words {
		n += c
	}
	return n
}

// score returns the F1 of the words in got.
func score(want, got map[string]int) float64 {
	hits := 0
	for w, c := range want {
		hits += min(c, got[w])
	}
	return 2 * float64(hits) / float64(count(want)+count(got))
}

// 200 damaged files are read in time, and the length of their text is limited.
func TestRead_mutants(t *testing.T) {
	var bodies [][]byte
	for _, name := range corpusFiles(t) {
		if body, err := os.ReadFile(name); err == nil {
			bodies = append(bodies, body)
		}
	}
	b := pdftest.New()
	b.Page(columns())
	bodies = append(bodies, b.Bytes())
	b.Compress = true
	bodies = append(bodies, b.Bytes())
	rng := rand.New(rand.NewSource(7))
	for i := range 200 {
		body := mutate(rng, bodies[i%len(bodies)], i/len(bodies))
		start := time.Now()
		doc, err := pdf.Read(body, doctext.Options{})
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("mutant %d: took %v", i, took)
		}
		if err == nil && len(doc.Text) > 16<<20 {
			t.Errorf("mutant %d: text of %d bytes", i, len(doc.Text))
		}
	}
}

// mutate returns body with damage of one of five kinds.
func mutate(rng *rand.Rand, body []byte, kind int) []byte {
	out := bytes.Clone(body)
	switch kind % 5 {
	case 0: // truncated
		return out[:rng.Intn(len(out))]
	case 1: // changed bytes
		for range 1 + len(out)/2000 {
			out[rng.Intn(len(out))] = byte(rng.Intn(256))
		}
	case 2: // changed bits
		for range 1 + len(out)/300 {
			out[rng.Intn(len(out))] ^= 1 << rng.Intn(8)
		}
	case 3: // changed digits
		for range 1 + len(out)/100 {
			if i := rng.Intn(len(out)); out[i] >= '0' && out[i] <= '9' {
				out[i] = byte('0' + rng.Intn(10))
			}
		}
	default: // moved parts
		i, j := rng.Intn(len(out)), rng.Intn(len(out))
		copy(out[i:], body[j:min(len(body), j+2000)])
	}
	return out
}
