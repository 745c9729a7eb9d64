package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// Command is what a command's help says first.
type Command struct {
	Name     string   // ingest
	Args     string   // what follows the flags, "" for nothing: "[archive ...]"
	Summary  string   // what it does; a paragraph a line
	Examples []string // whole command lines
	Table    string   // what follows the examples as it is; "" for nothing
	// Versions are those of what decides on the output, by package, for --version.
	Versions map[string]string
	// Others is the heading of flags that other packages have registered on the same set, "" when they are not shown;
	// Hidden are those of them that nobody types.
	Others string
	Hidden []string
}

// Flag describes a flag for its help.
// The kind of its values is said by the method that adds it, and not here.
type Flag struct {
	Name    string // with underscores, as Beam's are
	Default string // as it would be written on the command line
	Help    string // what it does, in the imperative or as a noun; one or two sentences
	Example string // a value: what follows the equals sign
	Group   string // the heading that it stands under
	Brief   string // some words for -h, which lists the flags that have them
	// Values are all that it takes, of a list all that each item may be; nil for anything. Parse refuses others.
	Values []string
}

// Kind is what a flag's values look like.
// Help shows it behind the equals sign; a switch needs no value.
type Kind string

// The kinds of flags, as help shows them.
const (
	Text   Kind = "TEXT"
	Number Kind = "NUMBER"
	Size   Kind = "SIZE"
	List   Kind = "LIST"
	Switch Kind = ""
)

// Rows returns what finds a flag's description in a table by its name. That it is there is for the command's tests to
// see: a name that is in no row panics, whatever the command line.
// A table keeps descriptions out of the function that reads the flags, and in the order of the help.
func Rows(table []Flag) func(name string) Flag {
	return func(name string) Flag {
		i := slices.IndexFunc(table, func(f Flag) bool { return f.Name == name })
		if i < 0 {
			panic("cli: no flag in the table is named " + name)
		}
		return table[i]
	}
}

// Flags are a command's flags. Unlike package flag, they may stand after arguments, an unknown one is answered with
// its nearest neighbour, and the help is grouped and has an example for each. Other packages, as Beam's, may have
// registered theirs on the same set; the help can list these in the end.
type Flags struct {
	set     *flag.FlagSet
	command Command
	flags   []Flag
	args    []string
	format  *string // of the log, nil when the command has no such flag
	level   *string
	damage  *string // nil when the command has no such flag
	invalid error   // the first Default that is no value of its flag

	brief, whole, showVersion boolValue // -h, --help, --version
}

// NewFlags makes a command's flags on set, which is flag.CommandLine for a command.
// Errors are returned and not printed by package flag, which would show all its flags with each.
func NewFlags(set *flag.FlagSet, c Command) *Flags {
	set.Init(c.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard) // Parse returns what would be printed
	set.Usage = func() {}
	f := &Flags{set: set, command: c}
	for name, v := range f.asking() {
		set.Var(v, name, "")
	}
	return f
}

// LogFlags adds the flags by which the log is chosen.
func (f *Flags) LogFlags() {
	f.format = f.String(Flag{
		Name: "log_format", Default: "text", Group: "Running", Example: "json",
		Help: "of the log, the summary and the plan: text for people, or json, a record on each line",
	})
	f.level = f.String(Flag{
		Name: "log_level", Default: "info", Group: "Running", Example: "warn",
		Help: "lowest level that is logged: debug, info, warn or error",
	})
}

// The values of --damage.
const (
	damageFail = "fail"
	damageWarn = "warn"
)

// DamageFlag adds the flag that says which exit code stands for losses. It is for commands that end with ExitLosses,
// under schedulers that take every code but 0 for a failure.
func (f *Flags) DamageFlag() {
	f.damage = f.String(Flag{
		Name: "damage", Default: damageFail, Group: "Running", Example: damageWarn,
		Values: []string{damageFail, damageWarn},
		Help: "how a run ends that did all, while some input was damaged or a server refused something: fail, with exit " +
			"code 3; warn, with a warning and exit code 0",
	})
}

// asking are the flags that print something and end the command. They are in no list of flags.
// Each is a switch, of which the first that is set is answered.
func (f *Flags) asking() map[string]*boolValue {
	return map[string]*boolValue{"h": &f.brief, "help": &f.whole, "version": &f.showVersion}
}

// Command is what the help says first.
func (f *Flags) Command() Command { return f.command }

// All are the flags that were added, in that order.
// A copy, so that callers may sort it.
func (f *Flags) All() []Flag { return slices.Clone(f.flags) }

// KindOf is the kind of a flag that was added.
// It follows from the type of the value, so that the two cannot contradict each other.
func (f *Flags) KindOf(d Flag) Kind {
	switch f.set.Lookup(d.Name).Value.(type) {
	case *boolValue:
		return Switch
	case *intValue:
		return Number
	case *bytesValue:
		return Size
	case *listValue:
		return List
	}
	return Text
}

// Args are the arguments that are not flags, after Parse.
func (f *Flags) Args() []string { return f.args }

// Set reports whether the flag is on the command line, after Parse.
// A default does not count: some flags mean something else when they are given.
func (f *Flags) Set(name string) bool {
	found := false
	f.set.Visit(func(g *flag.Flag) { found = found || g.Name == name })
	return found
}

// Var adds a flag with a value of its own kind. A flag of the same name that another package has registered
// becomes ours, and keeps its default for them: --dry_run is one.
func (f *Flags) Var(v flag.Value, d Flag) {
	// Beam's flag is replaced in place: the set panics for a name that is there twice.
	if beams := f.set.Lookup(d.Name); beams != nil &&
		!slices.ContainsFunc(f.flags, func(g Flag) bool { return g.Name == d.Name }) {
		beams.Value, beams.DefValue, beams.Usage = v, v.String(), d.Help
	} else {
		f.set.Var(v, d.Name, d.Help)
	}
	f.flags = append(f.flags, d)
	if d.Default == "" {
		return
	}
	// Setting shows that a default is valid. An error is kept for Parse, since adding has none.
	if err := v.Set(d.Default); err != nil {
		f.invalid = errors.Join(f.invalid, fmt.Errorf("cli: default of --%s: %w", d.Name, err))
	}
	// Set may write the value in another form, and the help shows what the author wrote.
	f.set.Lookup(d.Name).DefValue = d.Default
}

// String adds a flag that is a text.
func (f *Flags) String(d Flag) *string {
	v := new(stringValue)
	f.Var(v, d)
	return (*string)(v)
}

// Int adds a flag that is a whole number; without a Default it is 0.
func (f *Flags) Int(d Flag) *int {
	v := new(intValue)
	f.Var(v, d)
	return (*int)(v)
}

// Bool adds a flag that is true or false, and true when it has no value; without a Default it is false.
func (f *Flags) Bool(d Flag) *bool {
	v := new(boolValue)
	f.Var(v, d)
	return (*bool)(v)
}

// Bytes adds a flag that is a size: a number of bytes, or one with a unit as in 64MiB, 64M or 1.5GB.
func (f *Flags) Bytes(d Flag) *int64 {
	v := new(bytesValue)
	f.Var(v, d)
	return (*int64)(v)
}

// Strings adds a flag that is a list: separated by commas, and the flag may be repeated.
// With a default the first value replaces it, and further ones are added.
func (f *Flags) Strings(d Flag) *[]string {
	v := &listValue{}
	f.Var(v, d)
	v.isDefault = true
	return &v.list
}

// Parse reads the command line (without the program's name). A mistake is a UsageError; after -h, --help and --version,
// which are printed to stdout, the error is flag.ErrHelp. With flag.CommandLine it sets up the log, if the command has
// LogFlags.
func (f *Flags) Parse(args []string) error {
	if f.invalid != nil {
		return f.invalid
	}
	f.args = nil
	// Package flag stops at the first argument: that is kept, and the rest is parsed again.
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
	// It comes before the values are checked, so that a wrong one does not be in the way of the help.
	if f.answer(os.Stdout) {
		return flag.ErrHelp
	}
	if err := f.checkValues(); err != nil {
		return err
	}
	// A set of its own, as in tests, must not change the log of the process.
	if f.set != flag.CommandLine || f.format == nil {
		return nil
	}
	console.lenient.Store(f.damage != nil && *f.damage == damageWarn)
	return console.set(f.command.Name, *f.format, *f.level)
}

// answer prints what was asked for in place of a run, and reports whether anything was.
// The whole help comes first: who asks for both wants more.
func (f *Flags) answer(w io.Writer) bool {
	switch {
	case bool(f.whole):
		Say(w, "%s", f.Help())
	case bool(f.brief):
		Say(w, "%s", f.BriefHelp())
	case bool(f.showVersion):
		Say(w, "%s", version(f.command))
	default:
		return false
	}
	return true
}

// checkValues refuses values that a flag does not have.
// Lists are checked item by item, and an empty value is none.
func (f *Flags) checkValues() error {
	for _, d := range f.flags {
		if d.Values == nil {
			continue
		}
		var given []string
		switch v := f.set.Lookup(d.Name).Value.(type) {
		case *listValue:
			given = v.list
		default:
			given = []string{v.String()}
		}
		for _, value := range given {
			if value != "" && !slices.Contains(d.Values, value) {
				// The nearest value is shown, and all of them.
				return Usagef("--%s=%s: no such value%s; there are %s", d.Name, value, Suggest(value, d.Values, ""),
					strings.Join(d.Values, ", "))
			}
		}
	}
	return nil
}

// explain turns an error of package flag into what a user can do about it.
// Package flag has no types for its errors, so that their texts are looked at.
func (f *Flags) explain(err error) error {
	const unknown = "flag provided but not defined: -"
	name, found := strings.CutPrefix(err.Error(), unknown)
	if !found {
		return Usagef("%s", withoutValue(err.Error()))
	}
	name = strings.TrimLeft(name, "-")
	// Our own flags first; Beam's are more and have names that resemble many words.
	hint := Suggest(name, f.ours(), "--")
	if hint == "" {
		hint = Suggest(name, f.theirs(), "--")
	}
	if LeftOut != "" {
		hint += "; " + LeftOut
	}
	return Usagef("--%s: no such flag%s", name, hint)
}

// withoutValue cuts out of what package flag says of a property its value, which may be secret.
func withoutValue(message string) string {
	const of = " for flag -kafka_property: "
	if i := strings.LastIndex(message, of); i >= 0 && strings.HasPrefix(message, "invalid value ") {
		return "--kafka_property: " + message[i+len(of):]
	}
	return message
}

// ours are the names of the command's own flags, which are likelier to be meant than others.
// The dashes are added by the caller.
func (f *Flags) ours() []string {
	names := []string{"help", "version"}
	for _, d := range f.flags {
		names = append(names, d.Name)
	}
	return names
}

// Suggest is "; did you mean …?" when one of the words is near, and "" otherwise: the one with the fewest typing
// errors, or else the shortest that begins with word, or that word begins with.
// Words are sorted by length, so that the shortest of equally near ones wins and the answer is always the same.
func Suggest(word string, words []string, prefix string) string {
	typed := strings.ReplaceAll(strings.ToLower(word), "-", "_")
	best, least := "", len(word)/3+2 // the same number of typing errors for each length, or so
	words = slices.SortedFunc(slices.Values(words), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	// The second condition leaves out words that have nothing in common with what was typed.
	for _, w := range words {
		if d := distance(typed, w); d < least && d < max(len(typed), len(w)) {
			best, least = w, d
		}
	}
	// A beginning counts only if nothing was near.
	for _, w := range words {
		if best == "" && len(typed) > 1 && (strings.HasPrefix(w, typed) || len(w) > 2 && strings.HasPrefix(typed, w)) {
			best = w
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s%s?", prefix, best)
}

// maxWord bounds the work of distance, in bytes; no flag is as long, and what is longer is far from everything.
const maxWord = 64

// distance is the number of bytes to insert, delete, replace or swap with the next to come from a to b (optimal
// string alignment).
func distance(a, b string) int {
	if len(a) > maxWord || len(b) > maxWord {
		return math.MaxInt
	}
	// 33 KB, for one word at a time.
	var d [maxWord + 1][maxWord + 1]int
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			d[i][j] = step(&d, a, b, i, j)
		}
	}
	return d[len(a)][len(b)]
}

// step is one cell of the table: the least of the ways that lead there.
func step(d *[maxWord + 1][maxWord + 1]int, a, b string, i, j int) int {
	// From or to an empty word it takes a step for each byte.
	if i == 0 || j == 0 {
		return i + j
	}
	replace := d[i-1][j-1]
	if a[i-1] != b[j-1] {
		replace++
	}
	n := min(d[i-1][j]+1, d[i][j-1]+1, replace)
	// Two neighbours that were typed in the wrong order count as one error.
	if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
		n = min(n, d[i-2][j-2]+1)
	}
	return n
}

// The values of flags. They implement flag.Value, whose String is also asked of zero values.
type stringValue string

func (v *stringValue) String() string     { return secret.Hide(string(*v)) } // Beam tells job servers all flags
func (v *stringValue) Set(s string) error { *v = stringValue(s); return nil }

type intValue int

func (v *intValue) String() string { return strconv.Itoa(int(*v)) }
func (v *intValue) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil {
		return errors.New("not a whole number")
	}
	*v = intValue(n)
	return nil
}

type boolValue bool

func (v *boolValue) IsBoolFlag() bool { return true }
func (v *boolValue) String() string   { return strconv.FormatBool(bool(*v)) }
func (v *boolValue) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("neither true nor false")
	}
	*v = boolValue(b)
	return nil
}

// The value is shown in bytes, whichever unit it was given in.
type bytesValue int64

func (v *bytesValue) String() string { return strconv.FormatInt(int64(*v), 10) }
func (v *bytesValue) Set(s string) error {
	n, err := ParseBytes(s)
	*v = bytesValue(n)
	return err
}

// listValue forgets its default at the first value from the command line.
type listValue struct {
	list      []string
	isDefault bool
}

func (v *listValue) String() string {
	shown := make([]string, len(v.list))
	for i, item := range v.list {
		shown[i] = secret.Hide(item)
	}
	return strings.Join(shown, ",")
}

// Items are trimmed, so that "a, b" is the list that it looks like.
func (v *listValue) Set(s string) error {
	if v.isDefault {
		v.list, v.isDefault = nil, false
	}
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item != "" {
			v.list = append(v.list, item)
		}
	}
	return nil
}
