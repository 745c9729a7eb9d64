package cli

import (
	"io"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// console writes to standard error.
var console = newSpeaker(secret.Writer(os.Stderr))

// speaker writes the log of the process in the user's format. Goroutines may share it.
type speaker struct {
	out    io.Writer
	level  slog.LevelVar
	json   atomic.Bool
	shown  atomic.Bool // progress is on the line of the cursor
	memory memory
	// lenient turns ExitLosses into ExitDone: see DamageFlag.
	lenient atomic.Bool
	command string
	quiet   *quietHandler // the log of the process
}

// UseLog makes the command's log the default again, after starting a library that has replaced it.
func UseLog() { slog.SetDefault(slog.New(console.quiet)) }

// Silence drops further records of libraries, as after an interrupt.
func Silence() { console.memory.silent.Store(true) }

// Libraries sets how to treat records of libraries: shorten reduces a text to its useful part, and skip selects
// records to drop. Call it before the command begins.
func Libraries(shorten func(string) string, skip func(r slog.Record, function string) bool) {
	console.memory.shorten, console.memory.skip = shorten, skip
}

// The defaults only trim blanks.
func newSpeaker(w io.Writer) *speaker {
	s := &speaker{out: w, memory: memory{
		said: map[string]bool{}, shorten: strings.TrimSpace, skip: func(slog.Record, string) bool { return false },
	}}
	s.name("gleaner")
	return s
}

// name sets the command of the log. It makes a new handler, because a handler's format and command are fixed.
func (s *speaker) name(command string) {
	o := &slog.HandlerOptions{Level: &s.level}
	s.command = command
	var h slog.Handler = newPlainHandler(s.out, command, &s.shown, o)
	if s.json.Load() {
		h = slog.NewJSONHandler(s.out, o).WithAttrs([]slog.Attr{slog.String("command", command)})
	}
	s.quiet = &quietHandler{h, &s.memory}
}

// set applies --log_format and --log_level and makes this the log of the process.
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
