package corpora

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
)

// TestSteps_againstAlone: documents of earlier corpora are left out whatever --dedup is, and the copies of a new
// document stay unless it says so.
func TestSteps_againstAlone(t *testing.T) {
	docs := documents(24)
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	earlier := filepath.Join(dir, "earlier")
	makeCorpus(t, newSteps(t, earlier, allDedups), []holdings.Part{unitOf(t, in, docs[:10])})
	body, text, near := *docs[0], *docs[1], *docs[2] // of earlier documents
	body.Offset, body.Text = 1001, docs[20].Text
	text.Offset, text.Digest, text.URL = 1002, "sha1:t", "http://mirror.example.org/1"
	near.Offset, near.Digest, near.Text = 1003, "sha1:n", near.Text+" more"
	first, second, third := *docs[21], *docs[21], *docs[21] // new copies
	second.Offset, second.SURT, second.Digest = 1004, "org,example,mirror)/4", "sha1:s"
	third.Offset, third.SURT, third.Digest, third.Text = 1005, "org,example,mirror)/5", "sha1:d", third.Text+" more"
	unit := unitOf(t, in, append(docs[10:20:20], &body, &text, &near, &first, &second, &third))
	for i, tt := range []struct {
		dedup []string
		kept  int64
	}{
		{nil, 13},
		{[]string{ByURL}, 13},
		{[]string{BySimhash}, 12},
		{[]string{ByURL, BySimhash}, 12},
		{[]string{ByPayload}, 13},
		{[]string{ByText}, 12},
		{[]string{ByNear}, 11},
		{Dedups(), 11},
	} {
		o := allDedups
		o.Dedup, o.Against = tt.dedup, []string{earlier}
		s := newSteps(t, filepath.Join(dir, fmt.Sprint("out", i)), o)
		m := makeCorpus(t, s, []holdings.Part{unit})
		for _, reason := range []string{"earlier/payload", "earlier/text", "earlier/near"} {
			if got := m.Counts.Reasons[reason]; got == nil || got.Documents != 1 {
				t.Errorf("%q: %s has %+v, want 1 document", tt.dedup, reason, got)
			}
		}
		if m.Counts.Kept != tt.kept {
			t.Errorf("%q: %d documents are kept, want %d: %v", tt.dedup, m.Counts.Kept, tt.kept, m.Counts.Reasons)
		}
		if last := m.Funnel[len(m.Funnel)-1]; last.Out.Documents != tt.kept {
			t.Errorf("%q: the funnel ends with %d documents, want %d", tt.dedup, last.Out.Documents, tt.kept)
		}
	}
}
