package cli

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
)

// plainHandler writes records for people: "ingest: message key=value". A standard handler quotes the attributes.
type plainHandler struct {
	out     io.Writer
	command string
	attrs   slog.Handler // writes a record's attributes to text
	text    *bytes.Buffer
	mu      *sync.Mutex  // of text and out
	shown   *atomic.Bool // progress is shown: a record replaces its line
}

func newPlainHandler(w io.Writer, command string, shown *atomic.Bool, o *slog.HandlerOptions) *plainHandler {
	h := &plainHandler{out: w, command: command, shown: shown, text: new(bytes.Buffer), mu: new(sync.Mutex)}
	// The line already begins with these.
	h.attrs = slog.NewTextHandler(h.text,
		&slog.HandlerOptions{Level: o.Level, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
				return slog.Attr{}
			}
			return a
		}})
	return h
}

func (h *plainHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return h.attrs.Enabled(ctx, l)
}

// Handle writes a line. The lock also covers the buffer, which handlers share.
func (h *plainHandler) Handle(ctx context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Reset()
	if err := h.attrs.Handle(ctx, r); err != nil {
		return err
	}
	line := h.command + ": "
	// Progress leaves the cursor after its line.
	if h.shown.Load() {
		line = clearLine + line
	}
	switch r.Level {
	case slog.LevelDebug:
		line += "debug: "
	case slog.LevelWarn:
		line += "warning: "
	}
	// Messages may contain file names and answers of servers. Errors of a package with the command's name begin with it.
	line += safe(strings.TrimPrefix(r.Message, h.command+": "))
	if attrs := strings.TrimSpace(h.text.String()); attrs != "" {
		line += " " + safe(attrs)
	}
	_, err := io.WriteString(h.out, line+"\n")
	return err
}

// WithAttrs returns a handler that shares lock and buffer.
func (h *plainHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *h
	with.attrs = h.attrs.WithAttrs(attrs)
	return &with
}

// WithGroup returns a handler that shares lock and buffer.
func (h *plainHandler) WithGroup(name string) slog.Handler {
	with := *h
	with.attrs = h.attrs.WithGroup(name)
	return &with
}
