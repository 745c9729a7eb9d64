package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Command describes a command for its help.
type Command struct {
	Name     string   // ingest
	Args     string   // what follows the flags, "" for nothing: "[archive ...]"
	Summary  string   // what it does; a paragraph a line
	Words    []string // what the first argument may be; nil for anything
	Examples []string // whole command lines
	Table    string   // what follows the examples as it is; "" for nothing
	// Versions are of packages that decide the output, for --version.
	Versions map[string]string
	// Others is the heading of flags that other packages have registered on the same set, or "" if there are none.
	// Hidden are flags that nobody types.
	Others string
	Hidden []string
}

// Flags are a command's flags. Unlike those of package flag, they may follow arguments. The message for an unknown flag
// suggests a similar one, and the help has groups and examples. Other packages, such as Beam's, may register flags on
// the same set; the help can list these at its end.
type Flags struct {
	set      *flag.FlagSet
	command  Command
	settings []setting.Setting
	args     []string
	logs     bool // the command has the flags of the log
	format   string
	level    string
	damage   string // "" if the command has no such flag
	invalid  error  // for defaults that their flags refuse
	config   string // --config
	given    map[string]given

	brief, whole, showVersion bool // -h, --help, --version
}

// NewFlags makes a command's flags on set, which is flag.CommandLine for a command.
func NewFlags(set *flag.FlagSet, c Command) *Flags {
	set.Init(c.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard) // Parse returns what would be printed
	set.Usage = func() {}
	f := &Flags{set: set, command: c, given: map[string]given{}}
	for name, asked := range f.asking() {
		v, _ := setting.Setting{Value: asked}.Flag() // without a default there is no error
		set.Var(v, name, "")
	}
	set.StringVar(&f.config, configFlag, "", "")
	return f
}

// LogFlags adds the flags of the log.
func (f *Flags) LogFlags() {
	f.logs = true
	f.Add(setting.Under("Running", []setting.Setting{{
		Name: "log_format", Value: &f.format, Default: "text", Example: "json",
		Help: "of the log, the summary and the plan: text for people, or json, a record on each line",
	}, {
		Name: "log_level", Value: &f.level, Default: "info", Example: "warn",
		Help: "lowest level that is logged: debug, info, warn or error",
	}}))
}

// The values of --damage.
const (
	damageFail = "fail"
	damageWarn = "warn"
)

// DamageFlag adds the flag for the exit code of losses. It is for commands that end with ExitLosses: schedulers take
// every code except 0 for a failure.
func (f *Flags) DamageFlag() {
	f.Add(setting.Under("Running", []setting.Setting{{
		Name: "damage", Value: &f.damage, Default: damageFail, Example: damageWarn,
		Values: []string{damageFail, damageWarn},
		Help: "how a run ends that did all, while some input was damaged or a server refused something: fail, with exit " +
			"code 3; warn, with a warning and exit code 0",
	}}))
}

// asking returns the switches that print something instead of running the command. They are in no list of flags.
func (f *Flags) asking() map[string]*bool {
	return map[string]*bool{"h": &f.brief, "help": &f.whole, "version": &f.showVersion}
}

// Command returns the description of the command.
func (f *Flags) Command() Command { return f.command }

// All returns a copy of the flags, in the order of their addition.
func (f *Flags) All() []setting.Setting { return slices.Clone(f.settings) }

// Args returns the arguments that are not flags, after Parse.
func (f *Flags) Args() []string { return f.args }

// Given reports whether the flag has a value from the command line, the environment or a file, after Parse.
func (f *Flags) Given(name string) bool { return f.given[name].where != "" || f.Set(name) }

// Set reports whether the flag is on the command line, after Parse. Values of the environment or of a file do not
// count: they replace defaults.
func (f *Flags) Set(name string) bool {
	found := false
	f.set.Visit(func(g *flag.Flag) { found = found || g.Name == name })
	return found
}

// Collections returns the collections that arguments and --collection name, after Parse. Its default counts only if
// nothing is named.
func (f *Flags) Collections(named []string) []string {
	if f.Set("collection") || len(f.args) == 0 {
		return slices.Concat(named, f.args)
	}
	return f.args
}

// Add adds the flags of settings, in the order of the help; see [setting.Setting]. The settings have their defaults
// after Add, and what the command line says after Parse. A flag of the same name that another package has registered
// becomes ours, and keeps its default for that package: --dry_run is an example. A rare setting gets its default and no
// flag.
func (f *Flags) Add(lists ...[]setting.Setting) {
	for _, s := range slices.Concat(lists...) {
		f.add(s)
	}
}

func (f *Flags) add(s setting.Setting) {
	v, err := s.Flag()
	if err != nil {
		// Adding returns no error, so Parse does.
		f.invalid = errors.Join(f.invalid, fmt.Errorf("cli: %w", err))
	}
	if s.Rare {
		return
	}
	// The set panics for a second flag of the same name, so Beam's flag is changed instead.
	if beams := f.set.Lookup(s.Name); beams != nil && !f.has(s.Name) {
		beams.Value, beams.Usage = v, s.Help
	} else {
		f.set.Var(v, s.Name, s.Help)
	}
	f.settings = append(f.settings, s)
	// A value may print in another form than its author wrote.
	f.set.Lookup(s.Name).DefValue = cmp.Or(s.Default, v.String())
}

// has reports whether the command itself has added the flag.
func (f *Flags) has(name string) bool {
	return slices.ContainsFunc(f.settings, func(s setting.Setting) bool { return s.Name == name })
}

// Parse parses the command line (without the program's name), the environment and the configuration file. Mistakes are
// UsageErrors. For -h, --help and --version it prints the answer to stdout and returns flag.ErrHelp. With
// flag.CommandLine it sets up the log, if the command has LogFlags.
func (f *Flags) Parse(args []string) error {
	if f.invalid != nil {
		return f.invalid
	}
	f.args = nil
	// Package flag stops at the first argument, so the rest is parsed again.
	for {
		if err := f.set.Parse(args); err != nil {
			return f.explain(err)
		}
		rest := f.set.Args()
		// What follows a double dash is arguments only.
		ended := len(rest) < len(args) && args[len(args)-len(rest)-1] == "--"
		if len(rest) == 0 || ended {
			f.args = append(f.args, rest...)
			break
		}
		f.args = append(f.args, rest[0])
		args = rest[1:]
	}
	// Before the values are checked, so that a wrong value does not prevent the help.
	if f.answer(os.Stdout) {
		return flag.ErrHelp
	}
	if err := cmp.Or(f.checkForeign(), f.configure(), f.checkValues()); err != nil {
		return err
	}
	// Other sets, as in tests, must not change the log of the process.
	if f.set != flag.CommandLine || !f.logs {
		return nil
	}
	console.lenient.Store(f.damage == damageWarn)
	return console.set(f.command.Name, f.format, f.level)
}

// answer prints the help or the version, and reports whether it printed any.
func (f *Flags) answer(w io.Writer) bool {
	switch {
	case f.whole:
		Say(w, "%s", f.Help())
	case f.brief:
		Say(w, "%s", f.BriefHelp())
	case f.showVersion:
		Say(w, "%s", version(f.command))
	default:
		return false
	}
	return true
}

// checkValues returns an error for a value that is not among those of its flag. Empty values are allowed.
func (f *Flags) checkValues() error {
	for _, s := range f.settings {
		if s.Values == nil {
			continue
		}
		for _, value := range s.Given() {
			if !slices.Contains(s.Values, value) {
				// The nearest value is shown, and all of them.
				where := cmp.Or(f.given[s.Name].where, "--"+s.Name)
				return Usagef("%s=%s: no such value%s; there are %s", where, value, Suggest(value, s.Values, ""),
					strings.Join(s.Values, ", "))
			}
		}
	}
	return nil
}

// explain turns an error of package flag into a message with advice. Package flag has no types for its errors, so the
// texts are compared.
func (f *Flags) explain(err error) error {
	const unknown = "flag provided but not defined: -"
	name, found := strings.CutPrefix(err.Error(), unknown)
	if !found {
		return Usagef("%s", inWords(err.Error()))
	}
	return f.unknown(strings.TrimLeft(name, "-"))
}

// checkForeign refuses flags of other packages that the command would ignore. The runners' --dry_run is one: a command
// without a runner would do its work.
func (f *Flags) checkForeign() error {
	var foreign string
	f.set.Visit(func(g *flag.Flag) {
		if foreign == "" && f.command.Others == "" && f.isTheirs(g.Name) {
			foreign = g.Name
		}
	})
	if foreign == "" {
		return nil
	}
	return f.unknown(foreign)
}

// unknown returns the error of a flag that the command does not have.
func (f *Flags) unknown(name string) error {
	// Our own flags first: Beam's are many, and their names resemble many words.
	hint := Suggest(name, f.ours(), "--")
	if hint == "" {
		hint = Suggest(name, f.theirs(), "--")
	}
	if LeftOut != "" {
		hint += "; " + LeftOut
	}
	return Usagef("--%s: no such flag%s", name, hint)
}

// ofFlag matches the messages of package flag about a value.
var ofFlag = pattern.Lazy(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-([a-z0-9_]+): (.*)$`)

// inWords returns a message of package flag as --NAME: VALUE: WHY. The value of a property is left out, since it may
// be secret.
func inWords(message string) string {
	if name, ok := strings.CutPrefix(message, "flag needs an argument: -"); ok {
		return "--" + name + ": a value is missing: --" + name + "=VALUE"
	}
	switch m := ofFlag().FindStringSubmatch(message); {
	case m == nil:
		return message
	case m[2] == "kafka_property":
		return "--" + m[2] + ": " + m[3]
	default:
		return "--" + m[2] + ": " + m[1] + ": " + m[3]
	}
}

// ours returns the names of the command's own flags.
func (f *Flags) ours() []string {
	names := []string{"help", "version", configFlag}
	for _, s := range f.settings {
		names = append(names, s.Name)
	}
	return names
}
