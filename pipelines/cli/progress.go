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

// Progress shows the progress of a run on stderr: on a terminal as one line that is rewritten, elsewhere as a line
// every ten seconds. With --log_format=json it logs records. It never changes the counters.
type Progress struct {
	counters *Counters
	total    int64
	out      io.Writer
	terminal bool
	log      *slog.Logger // for records; nil for lines
	width    int
	done     chan struct{}
	ended    chan struct{}
}

const (
	terminalInterval = 200 * time.Millisecond
	plainInterval    = 10 * time.Second
)

// StartProgress shows the progress of c towards total bytes, or 0 if unknown, until Stop.
func StartProgress(c *Counters, total int64) *Progress {
	p := &Progress{counters: c, total: total, out: os.Stderr}
	interval := plainInterval
	if fd := int(os.Stderr.Fd()); console.json.Load() {
		p.log = slog.Default()
	} else if term.IsTerminal(fd) {
		p.terminal, interval = true, terminalInterval
		// Log records then clear the line first.
		console.shown.Store(true)
		p.width, _, _ = term.GetSize(fd) // 0 on an error means unlimited
	}
	ticker := time.NewTicker(interval)
	p.start(time.Now(), ticker.C, ticker.Stop)
	return p
}

// start shows progress at each tick. Tests pass their own times.
func (p *Progress) start(now time.Time, ticks <-chan time.Time, stop func()) {
	p.done, p.ended = make(chan struct{}), make(chan struct{})
	// The first sample is the baseline of all rates.
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

// Stop ends the display, waits for it and clears the line for the summary. Call it once.
func (p *Progress) Stop() {
	close(p.done)
	<-p.ended
	if p.terminal {
		console.shown.Store(false)
		Say(p.out, clearLine)
	}
}

// clearLine clears the line of the cursor.
const clearLine = "\r\x1b[K"

// tick shows a sample. Without a terminal it depends on --log_level. A record takes its values from the estimate, so
// the sample is added first; line adds it itself.
func (p *Progress) tick(e *estimate, s sample) {
	switch {
	case p.log != nil:
		e.add(s)
		p.log.Info("progress", e.attributes(p.total)...)
	case p.terminal || console.level.Level() <= slog.LevelInfo:
		p.show(e.line(s, p.total), s.longest())
	}
}

// plainWidth limits a line of progress without a terminal, in columns.
const plainWidth = 140

// show shows a line, and as much of more as fits. On a terminal it must fit the width, because a wrapped line cannot
// be rewritten.
func (p *Progress) show(line, more string) {
	width := plainWidth
	if p.terminal && p.width > 0 {
		width = p.width
	}
	// A file name is added only if enough of it is visible.
	if room := width - 1 - columns(line); room >= minMore && more != "" {
		line += keepEnd(more, room)
	}
	if !p.terminal {
		Say(p.out, "%s\n", line)
		return
	}
	// Counting bytes is cheap, and there are never fewer than columns.
	if p.width > 1 && len(line) >= p.width && columns(line) >= p.width {
		line = line[:p.width-1] // only ASCII, or it would fit
	}
	// Clear the rest of the old line.
	Say(p.out, "\r%s\x1b[K", line)
}

// minMore is the least room for a file's name and time, in columns.
const minMore = 24

// columns estimates the width of a text on a terminal: characters from U+1100 on count twice. Too wide does no harm.
func columns(s string) (n int) {
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// keepEnd shortens the file name at the end of text. It drops its start, since names mostly differ at the end.
func keepEnd(text string, room int) string {
	if columns(text) <= room {
		return text
	}
	// The time before the name stays.
	head, name, _ := strings.Cut(text, nameMark)
	runes := []rune(name)
	// The ellipsis counts as two columns.
	for len(runes) > 0 && columns(head)+columns(nameMark)+columns(string(runes))+2 > room {
		runes = runes[1:]
	}
	return head + nameMark + "…" + string(runes)
}

// nameMark precedes a file name.
const nameMark = " in "

// sample reads all counters. They may be slightly inconsistent.
func (p *Progress) sample(now time.Time) sample {
	c := p.counters
	s := sample{now: now, bytes: c.Bytes.Load(), captures: c.Captures.Load(), rejects: c.Rejected()}
	s.file, s.since = c.longest()
	return s
}

// sample has the totals of the counters at a time.
type sample struct {
	now                      time.Time
	bytes, captures, rejects int64
	file                     string    // being read for the longest time
	since                    time.Time // start of reading file
}

// longest describes the file that takes longest, safe for a terminal, or returns "".
func (s sample) longest() string {
	if s.file == "" {
		return ""
	}
	return fmt.Sprintf("; longest %s%s%s", formatDuration(max(0, s.now.Sub(s.since))), nameMark, schemas.Printable(s.file))
}

// estimate smooths rates by weighting recent work more. Weights halve after an eighth of the elapsed time, but at
// least 30 seconds. So it is near the mean at first, stays calm with big records, and follows a change of archives. A
// rate is the quotient of two weighted sums.
type estimate struct {
	first    time.Time
	last     sample
	seconds  float64
	bytes    float64
	captures float64
}

const minHalfLife = 30 * time.Second

func newEstimate(s sample) *estimate { return &estimate{first: s.now, last: s} }

// add adds a sample, unless the clock has not advanced. Bytes may decrease when a unit is repeated.
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

// left estimates the remaining time; ok is false if it is unknown.
func (e *estimate) left(total int64) (d time.Duration, ok bool) {
	// More bytes than the total mean that the total is wrong.
	rest := total - e.last.bytes
	if total <= 0 || rest < 0 || e.bytes <= 0 {
		return 0, false
	}
	seconds := float64(rest) * e.seconds / e.bytes
	// The quotient may overflow a Duration.
	if seconds > maxLeft.Seconds() {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// maxLeft is longer than anyone would wait, and fits a Duration.
const maxLeft = 1000 * 24 * time.Hour

// line adds a sample and formats the estimate as a line of ASCII.
func (e *estimate) line(s sample, total int64) string {
	e.add(s)
	var parts []string
	if total > 0 {
		// Only finished work is 100%.
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

// attributes returns the estimate for a log record.
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
