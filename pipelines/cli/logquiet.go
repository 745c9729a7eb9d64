package cli

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// quietHandler is the log of the process. Our own records pass. Warnings and errors of libraries are shortened and
// logged once. Beam logs a failure on prism five times with the whole plan, and also returns it.
type quietHandler struct {
	slog.Handler
	memory *memory
}

// memory is shared by a log and those derived from it.
type memory struct {
	mu     sync.Mutex
	said   map[string]bool
	silent atomic.Bool // drop further records of libraries

	shorten func(string) string
	skip    func(slog.Record, string) bool
}

// maxSaid limits the memory for messages, which an archive with many errors could fill. Later messages are not
// deduplicated.
const maxSaid = 1000

// first reports whether message is new.
func (m *memory) first(message string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.said[message]
	if len(m.said) < maxSaid {
		m.said[message] = true
	}
	return !known
}

// Handle passes on or drops a record, depending on the function that made it.
func (h *quietHandler) Handle(ctx context.Context, r slog.Record) error {
	from := function(r)
	if isOurs(from) {
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "error" {
				h.memory.first(a.Value.String()) // the command may also return it
			}
			return true
		})
		return h.Handler.Handle(ctx, r)
	}
	message := h.memory.shorten(r.Message)
	// first is called last, because it remembers the message as shown.
	if r.Level < slog.LevelWarn || h.memory.silent.Load() || h.memory.skip(r, from) || !h.memory.first(message) {
		return nil
	}
	// Attributes may contain plans too.
	short := slog.NewRecord(r.Time, r.Level, message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		short.AddAttrs(slog.String(a.Key, h.memory.shorten(a.Value.String())))
		return true
	})
	return h.Handler.Handle(ctx, short)
}

// function returns the name of the function that made a record, or "".
func function(r slog.Record) string {
	frame, _ := runtime.CallersFrames([]uintptr{r.PC}).Next()
	return frame.Function
}

// isOurs reports whether a function is of this project. main is the package of commands.
func isOurs(function string) bool {
	return strings.HasPrefix(function, "main.") || strings.HasPrefix(function, "github.com/gleaner-web/gleaner/")
}

// WithAttrs returns a handler with the same memory.
func (h *quietHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithAttrs(attrs), memory: h.memory}
}

// WithGroup returns a handler with the same memory.
func (h *quietHandler) WithGroup(name string) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithGroup(name), memory: h.memory}
}
