package cli

import (
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/gleaner-web/gleaner/schemas"
)

// Progress shows on stderr how far a run is: on a terminal one line that is rewritten, elsewhere a line every ten
// seconds. With --log_format=json it is a record of the log, wherever it goes.
// It reads the counters and never changes them.
type Progress struct {
	counters *Counters
	total    int64
	out      io.Writer
	terminal bool
	log      *slog.Logger // where progress is a record; nil for a line
	width    int
	done     chan struct{}
	ended    chan struct{}
}

// How often progress is shown.
const (
	terminalInterval = 200 * time.Millisecond
	plainInterval    = 10 * time.Second
)

// StartProgress shows the progress of c towards total bytes (0 when that is not known), until Stop.
// It is called by the goroutine that runs the pipeline.
func StartProgress(c *Counters, total int64) *Progress {
	p := &Progress{counters: c, total: total, out: os.Stderr}
	interval := plainInterval
	if fd := int(os.Stderr.Fd()); console.json.Load() {
		p.log = slog.Default()
	} else if term.IsTerminal(fd) {
		p.terminal, interval = true, terminalInterval
		// From now on a record of the log clears the line first.
		console.shown.Store(true)
		p.width, _, _ = term.GetSize(fd) // 0, when it cannot be had, is no limit
	}
	ticker := time.NewTicker(interval)
	p.start(time.Now(), ticker.C, ticker.Stop)
	return p
}

// start shows progress at each tick; clock and output are the caller's.
// Tests give it times of their own.
func (p *Progress) start(now time.Time, ticks <-chan time.Time, stop func()) {
	p.done, p.ended = make(chan struct{}), make(chan struct{})
	// The first sample is the zero of all rates.
	e := newEstimate(p.sample(now))
	go func() {
		defer close(p.ended)
		defer stop()
		for {
			select {
			case <-p.done:
				return
			case t := <-ticks:
				p.tick(e, p.sample(t))
			}
		}
	}()
}

// Stop ends the showing, waits for it and leaves the line empty for what follows. It is called once.
// The line is emptied, since the summary follows.
func (p *Progress) Stop() {
	close(p.done)
	<-p.ended
	if p.terminal {
		console.shown.Store(false)
		Say(p.out, clearLine)
	}
}

// clearLine empties the line where the cursor is.
const clearLine = "\r\x1b[K"

// tick shows a sample. Without a terminal progress is a note like others, which --log_level can turn off.
// A record takes its values from the estimate, so that the sample has to be added first; a line does it itself.
func (p *Progress) tick(e *estimate, s sample) {
	switch {
	case p.log != nil:
		e.add(s)
		p.log.Info("progress", e.attributes(p.total)...)
	case p.terminal || console.level.Level() <= slog.LevelInfo:
		p.show(e.line(s, p.total), s.longest())
	}
}

// plainWidth bounds a line of progress where there is no terminal, in columns.
const plainWidth = 140

// show shows a line, and after it what there is room for of more. On a terminal both fit its width: a line that wraps
// cannot be rewritten.
func (p *Progress) show(line, more string) {
	width := plainWidth
	if p.terminal && p.width > 0 {
		width = p.width
	}
	// The name of a file is added only where enough of it would be seen.
	if room := width - 1 - columns(line); room >= minMore && more != "" {
		line += keepEnd(more, room)
	}
	if !p.terminal {
		Say(p.out, "%s\n", line)
		return
	}
	// Bytes are compared first: they are never fewer than columns, and cheap.
	if p.width > 1 && len(line) >= p.width && columns(line) >= p.width {
		line = line[:p.width-1] // there is nothing in it but ASCII, or it would fit
	}
	// The end of the old line is cleared after the new one.
	Say(p.out, "\r%s\x1b[K", line)
}

// minMore is the least room for a file's name and time, in columns.
const minMore = 24

// columns is how wide a text may be on a terminal: East Asian characters, emoji and what is above them count twice.
// It errs on the side of too wide: a line that is too short does no harm.
func columns(s string) (n int) {
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// keepEnd makes text fit by leaving out the beginning of the file's name that it ends in: what tells files apart is
// most often the end of their names.
func keepEnd(text string, room int) string {
	if columns(text) <= room {
		return text
	}
	// What precedes the name, a time, is kept.
	head, name, _ := strings.Cut(text, nameMark)
	runes := []rune(name)
	// The two are the ellipsis, which counts twice.
	for len(runes) > 0 && columns(head)+columns(nameMark)+columns(string(runes))+2 > room {
		runes = runes[1:]
	}
	return head + nameMark + "…" + string(runes)
}

// nameMark is before the name of a file.
const nameMark = " in "

// sample reads all counters, one after the other: they need not fit exactly.
func (p *Progress) sample(now time.Time) sample {
	c := p.counters
	s := sample{now: now, bytes: c.Bytes.Load(), captures: c.Captures.Load(), rejects: c.Rejected()}
	s.file, s.since = c.longest()
	return s
}

// sample is what the counters said at a time.
// Its numbers are totals since the beginning.
type sample struct {
	now                      time.Time
	bytes, captures, rejects int64
	file                     string    // that is being read for the longest time
	since                    time.Time // since when
}

// longest says which file takes longest, fit for a terminal; "" when none is being read.
func (s sample) longest() string {
	if s.file == "" {
		return ""
	}
	return fmt.Sprintf("; longest %s%s%s", formatDuration(max(0, s.now.Sub(s.since))), nameMark, schemas.Printable(s.file))
}

// estimate smooths rates: what was done lately counts more than what was done before, with weights that fall by half
// in an eighth of the time that has passed, and not before 30 seconds. So it is close to the mean when a run is young,
// it holds still when big records make the counters jump, and it follows when archives of another kind come.
// The sums are weighted, those of seconds as well, so that a rate is the quotient of two of them.
type estimate struct {
	first    time.Time
	last     sample
	seconds  float64
	bytes    float64
	captures float64
}

const minHalfLife = 30 * time.Second

func newEstimate(s sample) *estimate { return &estimate{first: s.now, last: s} }

// add takes a sample into account. The clock may stand still or go back; such a sample changes no rate.
// Bytes may go back when a unit is done once more; the rate then falls, as it should.
func (e *estimate) add(s sample) {
	dt := s.now.Sub(e.last.now).Seconds()
	if dt <= 0 {
		return
	}
	// The half-life grows with the run.
	halfLife := max(minHalfLife, s.now.Sub(e.first)/8)
	keep := math.Exp2(-dt / halfLife.Seconds())
	e.seconds = e.seconds*keep + dt
	e.bytes = e.bytes*keep + float64(s.bytes-e.last.bytes)
	e.captures = e.captures*keep + float64(s.captures-e.last.captures)
	e.last = s
}

// left is the time for the bytes that are left; ok is false while there is no telling.
func (e *estimate) left(total int64) (d time.Duration, ok bool) {
	// More bytes than the total are a sign that the total is wrong, and then nothing is said.
	rest := total - e.last.bytes
	if total <= 0 || rest < 0 || e.bytes <= 0 {
		return 0, false
	}
	seconds := float64(rest) * e.seconds / e.bytes
	// The quotient may be more than a Duration holds.
	if seconds > maxLeft.Seconds() {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// maxLeft is beyond what anybody would wait for, and fits a Duration.
const maxLeft = 1000 * 24 * time.Hour

// line adds a sample and writes what is known as one line of ASCII.
func (e *estimate) line(s sample, total int64) string {
	e.add(s)
	var parts []string
	if total > 0 {
		// Floor: 100% is for what is done.
		percent := min(100, 100*float64(s.bytes)/float64(total))
		parts = append(parts, fmt.Sprintf("%s of %s (%.0f%%)", FormatBytes(s.bytes), FormatBytes(total), math.Floor(percent)))
	} else {
		parts = append(parts, FormatBytes(s.bytes))
	}
	if e.seconds > 0 {
		parts = append(parts, fmt.Sprintf("%.1f MiB/s", e.bytes/e.seconds/(1<<20)))
		parts = append(parts, FormatCount(int64(math.Round(e.captures/e.seconds)))+" captures/s")
	}
	parts = append(parts, FormatCount(s.rejects)+" rejects")
	if d, ok := e.left(total); ok {
		parts = append(parts, formatDuration(d)+" left")
	}
	return strings.Join(parts, ", ")
}

// attributes are what is known, for a record of the log.
// Names are those of JSON, with units.
func (e *estimate) attributes(total int64) []any {
	list := []any{"bytes", e.last.bytes, "bytes_total", total, "captures", e.last.captures, "rejects", e.last.rejects}
	if d, ok := e.left(total); ok {
		list = append(list, "seconds_left", int64(d.Seconds()))
	}
	if e.seconds > 0 {
		list = append(list, "bytes_per_second", int64(e.bytes/e.seconds))
	}
	if s := e.last; s.file != "" {
		list = append(list, "longest_file", s.file, "longest_seconds", int64(s.now.Sub(s.since).Seconds()))
	}
	return list
}
