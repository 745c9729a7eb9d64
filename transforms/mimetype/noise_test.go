package mimetype_test

import (
	"bufio"
	"compress/gzip"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// TestDetect_randomBytes tests that signatures rarely match by chance.
func TestDetect_randomBytes(t *testing.T) {
	const bodies, most = 20_000, 20 // it is 8 with this seed
	source := rand.NewChaCha8([32]byte{1})
	body := make([]byte, 3000)
	found := map[string]int{}
	total := 0
	for range bodies {
		if _, err := source.Read(body); err != nil {
			t.Fatal(err)
		}
		if r := mimetype.Detect(body, "", "", mimetype.Options{}); r.Type != "application/octet-stream" {
			found[r.Type]++
			total++
		}
	}
	t.Logf("%d of %d random bodies have a type: %v", total, bodies, found)
	if total > most {
		t.Errorf("%d of %d random bodies have a type, want at most %d: %v", total, bodies, most, found)
	}
}

// TestDetect_prose tests that texts in 70 languages are only text.
func TestDetect_prose(t *testing.T) {
	files, err := filepath.Glob("../../../shared/corpora/lang/ntrex_*.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no ../shared/corpora/lang beside the checkout: texts of others, which may not be copied into it")
	}
	texts, wrong := 0, 0
	for _, name := range files {
		if err := eachText(name, func(text string) {
			texts++
			if r := mimetype.Detect([]byte(text), "", "", mimetype.Options{}); r.Type != "text/plain" {
				wrong++
				t.Errorf("%s: Detect(%.80q) = %+v, want text/plain", filepath.Base(name), text, r)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d texts have another type", wrong, texts)
}

// eachText calls yield with the last field of each line.
func eachText(name string, yield func(string)) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		yield(strings.ReplaceAll(fields[len(fields)-1], `\n`, "\n"))
	}
	return lines.Err()
}
