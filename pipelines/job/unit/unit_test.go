package unit

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestAttack18_panicIsAnError: a panic in the processing of a capture fails the unit, but not the process.
func TestAttack18_panicIsAnError(t *testing.T) {
	q := &queue{
		slots: make(chan struct{}, 1), live: &cli.Counters{}, work: func(*item) error { panic("odd") },
		write: func(*item) error { return nil },
	}
	if err := q.capture(&schemas.Capture{Origin: schemas.Origin{File: "a.warc", Offset: 7}}); err != nil {
		t.Fatal(err)
	}
	if err := q.drain(); err == nil || !strings.Contains(err.Error(), "a.warc: capture at byte 7: internal error") ||
		!strings.Contains(err.Error(), "odd") {
		t.Errorf("drain: %v", err)
	}
}

// TestIndexLine_placeOfItsOwn: an index has the offsets where readers can start. Of several records in a member, only
// the first has one.
func TestIndexLine_placeOfItsOwn(t *testing.T) {
	c := &schemas.Capture{URL: "http://a/", Origin: schemas.Origin{File: "a.warc.gz", Offset: 7}}
	for sequence, want := range []int64{7, -1, -1} {
		c.Origin.Sequence = sequence
		if got := indexLine(c, "a)/").Offset; got != want {
			t.Errorf("record %d of a member: offset %d, want %d", sequence, got, want)
		}
	}
	c.RecordType, c.MIMEDeclared = schemas.TypeRevisit, "text/html"
	if got := indexLine(c, "a)/").MIME; got != cdx.MIMERevisit {
		t.Errorf("a revisit has the media type %q", got)
	}
}

func TestUnitRun_log(t *testing.T) {
	var b strings.Builder
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug}))
	u := unitRun{session: &session{log: log}, at: schemas.Origin{File: "a.warc.gz", Offset: 512}}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	u.logEnd(ended, schemas.Unit{ID: 1}, context.Canceled)
	if b.Len() > 0 {
		t.Errorf("an interrupt is said to be a failure: %s", &b)
	}
	u.logEnd(t.Context(), schemas.Unit{ID: 7}, io.ErrUnexpectedEOF)
	if want := `level=ERROR msg="unit failed" unit=7 file=a.warc.gz offset=512 error="unexpected EOF"` +
		"\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("log = %s, want %s", &b, want)
	}
}

func TestHostOf(t *testing.T) {
	for url, want := range map[string]string{
		"https://www.Example.com/a?b": "com,example",
		"http://example.com:8080/":    "com,example:8080",
		"urn:uuid:1":                  "",
		"dns:example.com":             "",
		"":                            "",
		"http://" + strings.Repeat("a.", 140) + "example/": "",
	} {
		if got := hostOf(url); got != want {
			t.Errorf("hostOf(%q) = %q, want %q", url, got, want)
		}
	}
}
