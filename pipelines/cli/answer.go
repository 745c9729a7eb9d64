package cli

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// Names of answers: the message of the record, and the field with its value.
const (
	AnswerPlan    = "plan"    // what a run would do
	AnswerSummary = "summary" // what a run did
)

// Answer writes a result of the command to w, as text for people. With --log_format=json it writes value as a log
// record in a field called name.
func Answer(w io.Writer, name string, value any, text string) error {
	if !console.json.Load() {
		_, err := io.WriteString(secret.Writer(w), text)
		return err
	}
	out := &failing{to: secret.Writer(w)}
	log := slog.New(slog.NewJSONHandler(out, nil)).With("command", console.command)
	log.Info(name, name, value)
	return out.err
}

// Note writes a line to w for people, or with --log_format=json a log record.
func Note(w io.Writer, format string, args ...any) {
	if console.json.Load() {
		slog.Info(fmt.Sprintf(format, args...))
		return
	}
	Say(w, format+"\n", args...)
}

// failing keeps the first error of a writer, because a log does not return errors.
type failing struct {
	to  io.Writer
	err error
}

// Write writes unless an earlier write failed.
func (f *failing) Write(p []byte) (n int, err error) {
	if f.err == nil {
		n, f.err = f.to.Write(p)
	}
	return n, f.err
}
