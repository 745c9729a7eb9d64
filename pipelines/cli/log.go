package cli

import (
	"io"
	"log/slog"
	"os"
	"strings"
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
	// lenient makes ExitDone of ExitLosses: see DamageFlag.
	lenient atomic.Bool
	command string
	quiet   *quietHandler // the log of the process
}

// UseLog makes the log of the command the process's. It is for callers that start a library that has set its own.
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
	s.command = command
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
