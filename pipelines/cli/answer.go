package cli

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// Names of answers: the message of the record, and the field that has what it says.
const (
	AnswerPlan    = "plan"    // what a run would do
	AnswerSummary = "summary" // what a run did
)

// Answer writes to w what the command found or did. For people that is text. With --log_format=json it is one line, a
// record as the log has them, with value in the field that is called as the answer.
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

// Note writes a line to w, where progress is told, or with --log_format=json a record to the log.
func Note(w io.Writer, format string, args ...any) {
	if console.json.Load() {
		slog.Info(fmt.Sprintf(format, args...))
		return
	}
	Say(w, format+"\n", args...)
}

// failing keeps the first error of a writer, which a log does not return.
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
