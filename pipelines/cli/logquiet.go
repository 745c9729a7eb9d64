package cli

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

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

// first reports whether message is said for the first time.
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
// Who says it is recognised by the function that made the record.
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
	// Attributes are cut as well, since plans are there too.
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

// isOurs reports whether a function is of this project.
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
