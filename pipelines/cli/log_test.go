package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// theirs logs as a library does: none of our functions made the record.
func theirs(t *testing.T, log *slog.Logger, level slog.Level, message string, args ...any) {
	t.Helper()
	r := slog.NewRecord(time.Now(), level, message, 0)
	r.Add(args...)
	if err := log.Handler().Handle(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

func TestSpeaker_saysAFailureOfALibraryOnce(t *testing.T) {
	var b bytes.Buffer
	s := newSpeaker(&b)
	s.memory.shorten = func(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }
	log := slog.New(s.quiet)
	dump := "plan\n\tcaused by:\nDoFn[UID:4] failed:\nunit 3: full"
	theirs(t, log, slog.LevelInfo, "not worth it")
	theirs(t, log, slog.LevelError, "[SDK] "+dump)
	theirs(t, log.With("a", 1), slog.LevelError, dump)
	theirs(t, log.WithGroup("g"), slog.LevelWarn, "slow", "why", dump)
	want := "gleaner: unit 3: full\ngleaner: warning: slow g.why=\"unit 3: full\"\n"
	if b.String() != want {
		t.Errorf("log = %q, want %q", &b, want)
	}
	s.memory.silent.Store(true)
	b.Reset()
	theirs(t, log, slog.LevelError, "complaint about the interrupt")
	if b.Len() > 0 {
		t.Errorf("log after an interrupt = %q, want nothing", &b)
	}
	log.Info("ours is said")
	if b.String() != "gleaner: ours is said\n" {
		t.Errorf("log after an interrupt = %q, want what we say ourselves", &b)
	}
}

func TestSpeaker_forms(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	var b bytes.Buffer
	s := newSpeaker(&b)
	if err := s.set("ingest", "text", "debug"); err != nil {
		t.Fatal(err)
	}
	speak := func() {
		slog.Debug("unit done", "unit", 3)
		slog.Info("2 of 3 units are done already")
		slog.With("file", "a b.warc").WithGroup("g").Error("unit failed", "offset", 12)
		slog.Error("disk is full\nTry: ingest --help")
		slog.Error("ingest: open out: ingest: busy") // an error of a package with the name of the command
	}
	speak()
	want := "ingest: debug: unit done unit=3\ningest: 2 of 3 units are done already\n" +
		"ingest: unit failed file=\"a b.warc\" g.offset=12\ningest: disk is full\nTry: ingest --help\n" +
		"ingest: open out: ingest: busy\n"
	if b.String() != want {
		t.Errorf("text = %q, want %q", &b, want)
	}
	b.Reset()
	if err := s.set("ingest", "json", "error"); err != nil {
		t.Fatal(err)
	}
	speak()
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	var r map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &r); err != nil || len(lines) != 3 {
		t.Fatalf("json = %q, %v; want 3 records", &b, err)
	}
	if r["msg"] != "unit failed" || r["level"] != "ERROR" || r["command"] != "ingest" || r["file"] != "a b.warc" {
		t.Errorf("record = %v", r)
	}
}

// TestConclude_saysAnErrorOnce: the error of a failed unit is not logged again at the end.
func TestConclude_saysAnErrorOnce(t *testing.T) {
	var b bytes.Buffer
	was := slog.Default()
	defer func(c *speaker) { console = c; slog.SetDefault(was) }(console)
	console = newSpeaker(&b)
	if err := console.set("ingest", "text", "info"); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk is full")
	slog.Error("unit failed", "unit", 3, "error", full)
	for _, err := range []error{full, errors.New("no such bucket")} {
		if code := conclude("ingest", outcome{err: err}); code != ExitFailed {
			t.Errorf("conclude(%v) = %d, want %d", err, code, ExitFailed)
		}
		if n := strings.Count(b.String(), err.Error()); n != 1 {
			t.Errorf("%v is said %d times, want once: %q", err, n, &b)
		}
	}
}

// TestSpeaker_clearsProgress: a record does not follow progress on the same line.
func TestSpeaker_clearsProgress(t *testing.T) {
	var b bytes.Buffer
	s := newSpeaker(&b)
	s.shown.Store(true)
	slog.New(s.quiet).Error("unit failed")
	s.shown.Store(false)
	slog.New(s.quiet).Error("the end")
	if want := clearLine + "gleaner: unit failed\ngleaner: the end\n"; b.String() != want {
		t.Errorf("log = %q, want %q", &b, want)
	}
}

func TestSpeaker_setRefuses(t *testing.T) {
	for _, tt := range []struct{ format, level, want string }{
		{"xml", "info", "--log_format=xml"},
		{"json", "loud", "--log_level=loud"},
	} {
		var usage *UsageError
		if err := newSpeaker(new(bytes.Buffer)).set("ingest", tt.format, tt.level); !errors.As(err, &usage) ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("set(%q, %q) = %v, want a UsageError about %s", tt.format, tt.level, err, tt.want)
		}
	}
}

func TestProgress_asRecords(t *testing.T) {
	var b bytes.Buffer
	var c Counters
	p := &Progress{counters: &c, total: 4096, log: slog.New(slog.NewJSONHandler(&b, nil))}
	e := newEstimate(p.sample(start))
	c.Bytes.Add(1024)
	c.Captures.Add(3)
	c.Reject("garbage")
	p.tick(e, p.sample(start.Add(time.Second)))
	want := `"msg":"progress","bytes":1024,"bytes_total":4096,"captures":3,"rejects":1,"seconds_left":3,"bytes_per_second":1024}`
	if !strings.HasSuffix(strings.TrimSpace(b.String()), want) {
		t.Errorf("record = %s, want %s at its end", &b, want)
	}
}
