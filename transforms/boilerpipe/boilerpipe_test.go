package boilerpipe_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/boilerpipe"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// The eight real pages, and what ACHE's own classes made of them.
const real = "../../../shared/corpora/seeds/ache/generated/ELASTIC-realpages.jsonl"

func TestText_realPages(t *testing.T) {
	f, err := os.Open(real)
	if err != nil {
		t.Skipf("the pages are not here: %v", err)
	}
	defer f.Close()
	n := 0
	for d := json.NewDecoder(bufio.NewReader(f)); d.More(); n++ {
		var doc struct{ URL, HTML, Text string }
		if err := d.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		got := boilerpipe.Text(page.Parse([]byte(doc.HTML), page.Options{URL: doc.URL, NoScripting: true}))
		if diff := cmp.Diff(doc.Text, got); diff != "" {
			t.Errorf("%s (-ACHE +ours):\n%s", doc.URL, diff)
		}
	}
	if n != 8 {
		t.Errorf("%d pages, want 8", n)
	}
}
