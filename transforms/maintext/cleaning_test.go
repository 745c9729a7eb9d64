package maintext

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
)

// TestExtract_cleaning scores the built-in model on the given halves of CleanEval, GN1 and dragnet. The score is the
// mean over pages of the F1 of words. From these sets, only the types of GN1's and dragnet's pages were learnt, and
// constants of choice.
func TestExtract_cleaning(t *testing.T) {
	for set, least := range map[string]float64{"cleaneval": .92, "gn1": .94, "dragnet": .904} {
		t.Run(set, func(t *testing.T) {
			zipped, err := os.ReadFile(corpora + "cleaning/" + set + "-half.jsonl.gz")
			if err != nil {
				t.Skip("no ../shared/corpora/maintext/cleaning beside the checkout: pages of others, which may not be copied " +
					"into it")
			}
			z, err := gzip.NewReader(bytes.NewReader(zipped))
			if err != nil {
				t.Fatal(err)
			}
			var r reader
			sum, n := 0.0, 0
			for d := json.NewDecoder(z); ; n++ {
				var page struct {
					HTML []byte `json:"html_base64"`
					Text string
				}
				if err := d.Decode(&page); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				sum += f1(r.read(t, page.HTML).Text, page.Text)
			}
			t.Logf("word F1 %.4f on %d pages", sum/float64(n), n)
			if sum < least*float64(n) || n == 0 {
				t.Errorf("word F1 %.4f on %d pages, want %.3f or more", sum/float64(max(1, n)), n, least)
			}
		})
	}
}
