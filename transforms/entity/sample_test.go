package entity

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/langid"
)

// realPages calls use for each page of WCXB's development split, with its main text as marked by people.
func realPages(tb testing.TB, use func(name string, in Input)) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpora", "maintext", "wcxb-dev",
		"ground-truth", "*.json"))
	if err != nil || len(files) == 0 {
		tb.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	detector := langid.New(langid.Options{})
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		var page struct {
			URL   string `json:"url"`
			Truth struct {
				Text string `json:"main_content"`
			} `json:"ground_truth"`
		}
		if err := json.Unmarshal(data, &page); err != nil {
			tb.Fatal(err)
		}
		in := Input{Text: page.Truth.Text, URL: page.URL}
		if languages := detector.Detect(in.Text); len(languages) > 0 {
			in.Language = languages[0].Code
		}
		use(filepath.Base(file), in)
	}
}

// This prints a random sample of results on real pages, to be judged by eye: docs/entities.md has the outcome.
//
//	SAMPLE=25 go test ./transforms/entity -run sample -v
func TestMentions_sample(t *testing.T) {
	n := 0
	if _, err := fmt.Sscan(os.Getenv("SAMPLE"), &n); err != nil {
		t.Skip("set SAMPLE to the number of mentions of each type to see")
	}
	found := map[string][]string{}
	realPages(t, func(name string, in Input) {
		l := newLocale(in.Language, in.URL)
		for _, m := range mentions(newCollector(1000, 1000), in, l, newPhones(l.region, 200)) {
			line := fmt.Sprintf("%s %.2f %s: %s ⟦%s⟧ %s", m.kind, m.confidence, name, in.Text[max(0, m.start-40):m.start],
				in.Text[m.start:m.end], in.Text[m.end:min(len(in.Text), m.end+40)])
			found[m.kind] = append(found[m.kind], strings.ReplaceAll(line, "\n", "⏎")+" → "+m.id)
		}
	})
	random := rand.New(rand.NewPCG(7, 9)) // the same sample each time
	for _, kind := range slices.Sorted(maps.Keys(found)) {
		lines := found[kind]
		t.Logf("%s: %d mentions", kind, len(lines))
		random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		for _, line := range lines[:min(n, len(lines))] {
			t.Log(strings.ToValidUTF8(line, ""))
		}
	}
}

// This measures real pages, and the cost of a token, which ends at white space.
func BenchmarkExtract_realPages(b *testing.B) {
	var pages []Input
	tokens, size := 0, 0
	realPages(b, func(_ string, in Input) {
		pages = append(pages, in)
		tokens += len(strings.Fields(in.Text))
		size += len(in.Text)
	})
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, in := range pages {
			Extract(in, Options{})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(pages)), "µs/page")
	b.ReportMetric(float64(b.N*tokens)/b.Elapsed().Seconds(), "tokens/s")
}
