package enrich

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

func TestStages_beginWithTheExtractors(t *testing.T) {
	if diff := cmp.Diff(Extractors()[:len(extractors)], Stages()[:len(extractors)]); diff != "" {
		t.Errorf("extractors and stages differ (-extractors +stages):\n%s", diff)
	}
}

// TestStopwatch_chargesWhatIsNeededToItself: time of prerequisites is not counted for the extractor that needs them.
func TestStopwatch_chargesWhatIsNeededToItself(t *testing.T) {
	var now time.Duration
	tick := func(d time.Duration) { now += d }
	e := mustNew(t, Options{Extract: []string{"text", "quality"}})
	e.ReadDocumentsBy(func(string, []byte) *doctext.Document {
		tick(100)
		return &doctext.Document{Text: "The quay is closed."}
	})
	e.run[0].run = func(w *work) {
		tick(1)
		w.mainText() // this reads the document
		tick(2)
	}
	e.run[1].run = func(w *work) {
		w.mainText() // it is done only once
		tick(10)
		panic("no matter")
	}
	s := NewStopwatch(func() time.Duration { return now })
	tick(1000)
	e.Enrich(&schemas.Capture{URL: "http://a.example/a.pdf", Body: []byte("%PDF-1.4\n")}, Extra{Watch: s})
	tick(1000)
	got := map[string]time.Duration{}
	for i, d := range s.Spent() {
		if d > 0 {
			got[Stages()[i]] = d
		}
	}
	want := map[string]time.Duration{"documents": 100, "text": 3, "quality": 10, "other": 2000}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spent (-want +got):\n%s", diff)
	}
}

// TestStopwatch_changesNothing: measuring does not change a document.
func TestStopwatch_changesNothing(t *testing.T) {
	e := mustNew(t, Options{})
	c := capture(article, "text/html")
	s := NewStopwatch(func() time.Duration { return 0 })
	d := e.Enrich(c, Extra{Watch: s}).Document
	if diff := cmp.Diff(e.Document(c), d); diff != "" {
		t.Errorf("the document differs (-plain +measured):\n%s", diff)
	}
}

// BenchmarkStopwatch measures the cost of measuring a page: reading the clock.
func BenchmarkStopwatch(b *testing.B) {
	e := mustNew(b, Options{})
	c := capture(article, "text/html")
	start := time.Now()
	readings := 0
	e.Enrich(c, Extra{Watch: NewStopwatch(func() time.Duration { readings++; return 0 })})
	b.ReportAllocs()
	for b.Loop() {
		s := NewStopwatch(func() time.Duration { return time.Since(start) })
		for range readings {
			s.turn(stageText)
		}
	}
	b.ReportMetric(float64(readings), "readings")
}
