package run

import (
	"context"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// quietHandler is the log of Beam for people: warnings and errors, each cut to its useful part and said once. A
// failure on prism is logged five times with the whole plan, and it is returned to the caller as well.
type quietHandler struct {
	slog.Handler
	memory *memory
}

// memory is what a log and those derived from it share.
type memory struct {
	mu     sync.Mutex
	said   map[string]bool
	silent atomic.Bool // nothing more is to be said: the user interrupted, and runners complain about that
}

// maxSaid bounds the memory of what was said.
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

func newQuietHandler(w io.Writer) *quietHandler {
	h := slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn})
	return &quietHandler{Handler: h, memory: &memory{said: map[string]bool{}}}
}

// Handle writes the record unless it is not worth it.
func (h *quietHandler) Handle(ctx context.Context, r slog.Record) error {
	message := strings.TrimPrefix(useful(r.Message), "[SDK] ")
	if h.memory.silent.Load() || fromPrism(r) || !h.memory.first(message) {
		return nil
	}
	short := slog.NewRecord(r.Time, r.Level, message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		short.AddAttrs(slog.String(a.Key, useful(a.Value.String())))
		return true
	})
	return h.Handler.Handle(ctx, short)
}

// fromPrism tells whether the in-process runner itself logs a failure: it is the failure that Pipeline returns.
func fromPrism(r slog.Record) bool {
	if r.Level < slog.LevelError {
		return false
	}
	frame, _ := runtime.CallersFrames([]uintptr{r.PC}).Next()
	return strings.Contains(frame.Function, "/runners/prism/")
}

// WithAttrs keeps the memory of what was said.
func (h *quietHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithAttrs(attrs), memory: h.memory}
}

// WithGroup keeps the memory of what was said.
func (h *quietHandler) WithGroup(name string) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithGroup(name), memory: h.memory}
}
