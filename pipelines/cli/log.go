package cli

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// console is where the process says what there is to say: standard error.
var console = newSpeaker(secret.Writer(os.Stderr))

// speaker writes a log in the form that the user chose.
// It is one for the process, and its fields may be read by several goroutines.
type speaker struct {
	out    io.Writer
	level  slog.LevelVar
	json   atomic.Bool
	shown  atomic.Bool // progress, on the line where the cursor is
	memory memory
	quiet  *quietHandler // the log of the process
}

// UseLog makes the log of the command the process's. It is for who starts a library that has set its own.
// A library that replaces the log would be heard in full.
func UseLog() { slog.SetDefault(slog.New(console.quiet)) }

// Silence ends what libraries say: the user interrupted, and they would complain about that.
func Silence() { console.memory.silent.Store(true) }

// Libraries says how the records of libraries are treated: shorten cuts a text to its useful part, and a record for
// which skip is true is not shown. It is called before the command begins.
func Libraries(shorten func(string) string, skip func(r slog.Record, function string) bool) {
	console.memory.shorten, console.memory.skip = shorten, skip
}

// Until libraries are named nothing is cut but blanks.
func newSpeaker(w io.Writer) *speaker {
	s := &speaker{out: w, memory: memory{
		said: map[string]bool{}, shorten: strings.TrimSpace, skip: func(slog.Record, string) bool { return false },
	}}
	s.name("gleaner")
	return s
}

// name makes the log one of a command.
// It makes a new handler, because form and command are fixed in one.
func (s *speaker) name(command string) {
	o := &slog.HandlerOptions{Level: &s.level}
	var h slog.Handler = newPlainHandler(s.out, command, &s.shown, o)
	// Records of JSON have the command as a field.
	if s.json.Load() {
		h = slog.NewJSONHandler(s.out, o).WithAttrs([]slog.Attr{slog.String("command", command)})
	}
	s.quiet = &quietHandler{h, &s.memory}
}

// set takes the values of --log_format and --log_level, and makes this the log of the process.
// The level is shared by all handlers and changes at once.
func (s *speaker) set(command, format, level string) error {
	if format != "text" && format != "json" {
		return Usagef("--log_format=%s: there are text and json", format)
	}
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return Usagef("--log_level=%s: there are debug, info, warn and error", level)
	}
	s.level.Set(l)
	s.json.Store(format == "json")
	s.name(command)
	slog.SetDefault(slog.New(s.quiet))
	return nil
}

// plainHandler writes records for people: "ingest: message key=value".
// Attributes are written by the standard handler, which knows how to quote.
type plainHandler struct {
	out     io.Writer
	command string
	attrs   slog.Handler // writes a record's attributes alone, to text
	text    *bytes.Buffer
	mu      *sync.Mutex  // of text and out
	shown   *atomic.Bool // progress: a record takes its line, and it comes again
}

func newPlainHandler(w io.Writer, command string, shown *atomic.Bool, o *slog.HandlerOptions) *plainHandler {
	h := &plainHandler{out: w, command: command, shown: shown, text: new(bytes.Buffer), mu: new(sync.Mutex)}
	// Time, level and message are left out there, since they stand in front.
	h.attrs = slog.NewTextHandler(h.text,
		&slog.HandlerOptions{Level: o.Level, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
				return slog.Attr{}
			}
			return a
		}})
	return h
}

// Enabled asks the level.
func (h *plainHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return h.attrs.Enabled(ctx, l)
}

// Handle writes a line. Notes and errors say themselves what they are.
// The lock covers the buffer too, which all handlers share.
func (h *plainHandler) Handle(ctx context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Reset()
	if err := h.attrs.Handle(ctx, r); err != nil {
		return err
	}
	line := h.command + ": "
	// Progress has left the cursor behind its line.
	if h.shown.Load() {
		line = clearLine + line
	}
	switch r.Level {
	case slog.LevelDebug:
		line += "debug: "
	case slog.LevelWarn:
		line += "warning: "
	}
	// Messages have names of files and answers of servers in them.
	line += safe(r.Message)
	if attrs := strings.TrimSpace(h.text.String()); attrs != "" {
		line += " " + safe(attrs)
	}
	_, err := io.WriteString(h.out, line+"\n")
	return err
}

// WithAttrs returns a handler whose records have these attributes, too.
// The copy shares lock and buffer with the original.
func (h *plainHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *h
	with.attrs = h.attrs.WithAttrs(attrs)
	return &with
}

// WithGroup returns a handler whose attributes are in a group.
func (h *plainHandler) WithGroup(name string) slog.Handler {
	with := *h
	with.attrs = h.attrs.WithGroup(name)
	return &with
}

// quietHandler is the log of the process. What we say ourselves passes. Of libraries it lets warnings and errors
// through, each cut to its useful part and said once: Beam logs a failure on prism five times with the whole plan, and
// it is returned to the caller as well.
type quietHandler struct {
	slog.Handler
	memory *memory
}

// memory is what a log and those derived from it share.
type memory struct {
	mu     sync.Mutex
	said   map[string]bool
	silent atomic.Bool // libraries are not heard any more

	shorten func(string) string
	skip    func(slog.Record, string) bool
}

// maxSaid bounds the memory of what was said.
// What comes later is said each time; an archive cannot fill the memory by errors.
const maxSaid = 1000

// first tells whether message is said for the first time.
func (m *memory) first(message string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.said[message]
	if len(m.said) < maxSaid {
		m.said[message] = true
	}
	return !known
}

// Handle writes the record unless it is not worth it.
// Who says it is told by the function that made the record.
func (h *quietHandler) Handle(ctx context.Context, r slog.Record) error {
	from := function(r)
	if isOurs(from) {
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "error" {
				h.memory.first(a.Value.String()) // the command may return it as well
			}
			return true
		})
		return h.Handler.Handle(ctx, r)
	}
	message := h.memory.shorten(r.Message)
	// first is asked last: it remembers the message, which only those that are shown should be.
	if r.Level < slog.LevelWarn || h.memory.silent.Load() || h.memory.skip(r, from) || !h.memory.first(message) {
		return nil
	}
	// Attributes are cut as well, since plans stand there too.
	short := slog.NewRecord(r.Time, r.Level, message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		short.AddAttrs(slog.String(a.Key, h.memory.shorten(a.Value.String())))
		return true
	})
	return h.Handler.Handle(ctx, short)
}

// function is the name of the function that made a record, "" when it is not known.
func function(r slog.Record) string {
	frame, _ := runtime.CallersFrames([]uintptr{r.PC}).Next()
	return frame.Function
}

// isOurs tells whether a function is of this project.
// Packages of commands are called main.
func isOurs(function string) bool {
	return strings.HasPrefix(function, "main.") || strings.HasPrefix(function, "github.com/gleaner-web/gleaner/")
}

// WithAttrs keeps the memory of what was said.
func (h *quietHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithAttrs(attrs), memory: h.memory}
}

// WithGroup keeps the memory of what was said.
func (h *quietHandler) WithGroup(name string) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithGroup(name), memory: h.memory}
}
