package filter

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// peer judges texts with datatrove's filters. For each text it prints a line with the reasons of four filters and the
// text that C4 keeps. At the end it prints the processor time.
const peer = `
import json, sys, time
from datatrove.data import Document
from datatrove.pipeline.filters import C4QualityFilter, GopherQualityFilter, GopherRepetitionFilter, FineWebQualityFilter
filters = [GopherRepetitionFilter(), GopherQualityFilter(), FineWebQualityFilter(), C4QualityFilter()]
texts = [json.loads(line) for line in sys.stdin]
filters[1].filter(Document(text="warm " * 60, id=""))
start = time.process_time()
for text in texts:
    reasons = []
    for f in filters:
        d = Document(text=text, id="")
        try:
            found = f.filter(d)
        except ZeroDivisionError:
            found = False, "no words"
        reasons.append("" if found is True else found[1])
    print(json.dumps(reasons + ["" if reasons[3] else d.text]))
print(time.process_time() - start)
`

// TestChain_sameAsDatatrove compares decisions on texts of real pages, whole and in parts. GLEANER_TEXTS=10000
// compares that many; this takes datatrove 20 minutes of CPU.
func TestChain_sameAsDatatrove(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("set GLEANER_SLOW=1: datatrove has 700 MB to install, and takes .1 s a text")
	}
	n, err := strconv.Atoi(cmp.Or(os.Getenv("GLEANER_TEXTS"), "1000"))
	if err != nil {
		t.Fatal(err)
	}
	texts := realTexts(t, n)
	python := pythontest.Interpreter(t, "import datatrove, spacy, regex, tokenizers, xxhash", "datatrove==0.10.1",
		"spacy==3.8.18", "regex",
		"tokenizers", "xxhash==3.5.0")
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for _, text := range texts {
		if err := e.Encode(text); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(python, "-c", peer)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	compareWithPeer(t, texts, strings.Split(strings.TrimSpace(string(out)), "\n"))
}

func compareWithPeer(t *testing.T, texts, lines []string) {
	names := []string{"gopher_repetition", "gopher_quality", "fineweb", "c4"}
	var chains []*Chain
	for _, name := range names {
		c, err := Recipe{{Name: name}}.Chain(Tools{})
		if err != nil {
			t.Fatal(err)
		}
		chains = append(chains, c)
	}
	var took time.Duration
	classes, others, changed := map[string]int{}, make([]int, len(names)), 0
	var p Page
	for i, text := range texts {
		var theirs []string
		if err := json.Unmarshal([]byte(lines[i]), &theirs); err != nil {
			t.Fatal(err)
		}
		for j, c := range chains {
			p.Reset(english(text))
			start := cputime.Self()
			ours := c.Judge(&p)
			took += cputime.Self() - start
			if (ours == "") != (theirs[j] == "") {
				others[j]++
				classes[names[j]+": "+cmp.Or(theirs[j], "kept")+" is here "+cmp.Or(ours, "kept")]++
			} else if names[j] == "c4" && ours == "" && p.Text != theirs[len(names)] {
				changed++
			}
		}
	}
	theirs, err := strconv.ParseFloat(lines[len(lines)-1], 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d texts: %.2f s of CPU, datatrove %.2f s, ratio 1/%.0f; %d texts differ behind c4", len(texts),
		took.Seconds(), theirs,
		theirs/took.Seconds(), changed)
	for class, n := range classes {
		t.Logf("%5d %s", n, class)
	}
	for j, name := range names {
		if share := 1 - float64(others[j])/float64(len(texts)); share < .995 {
			t.Errorf("%s agrees on %.4f of the texts, want .995", name, share)
		}
	}
	if theirs < 20*took.Seconds() {
		t.Errorf("%.2f s of CPU, want at most a twentieth of %.2f", took.Seconds(), theirs)
	}
}

// realTexts returns the texts of the pages of the WCXB corpus. If these are not enough, it adds groups of their lines.
func realTexts(t *testing.T, n int) (texts []string) {
	files, err := filepath.Glob("../../../../shared/corpora/maintext/wcxb-dev/ground-truth/*.json")
	if err != nil || len(files) == 0 {
		t.Skipf("no corpora beside the project: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Truth struct {
				Text string `json:"main_content"`
			} `json:"ground_truth"`
		}
		if err := json.Unmarshal(data, &page); err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(page.Truth.Text) != "" {
			texts = append(texts, page.Truth.Text)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := 0; len(texts) < n; i++ {
		lines := strings.Split(texts[i], "\n")
		from := r.IntN(len(lines))
		part := strings.Join(lines[from:from+1+r.IntN(len(lines)-from)], "\n")
		if strings.TrimSpace(part) != "" {
			texts = append(texts, part)
		}
	}
	return texts[:n]
}
