package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// AsJob is an environment variable that a server sets for its jobs. Their command lines are complete, so they ignore
// the environment and the configuration file.
const AsJob = "GLEANER_JOB"

// Limits is an environment variable that a server sets for statements of SQL. If it is not empty, standard input has
// what their reader may see, as contentdb.ParseLimits reads it. A variable could not have the rules of a long file.
const Limits = "GLEANER_LIMITS"

// AboutAnswer begins the messages that are notes about an answer. A server reads them from statements of SQL.
const AboutAnswer = "about this answer: "

// MaxLimits is the most bytes of limits.
const MaxLimits = 64 << 20

// configFlag is the flag of every command that names the configuration file.
const configFlag = "config"

// variable returns the name of the environment variable for a flag.
func variable(name string) string { return "GLEANER_" + strings.ToUpper(name) }

// given holds the values of a flag from the environment or a file.
type given struct {
	values []string
	where  string // for messages: GLEANER_LIMIT, or gleaner.yml:3: limit
}

// configure sets the flags that are not on the command line, from the environment or else from the configuration
// file.
func (f *Flags) configure() error {
	// Runners start workers by hidden flags. The environment of a worker is that of its submitter.
	if os.Getenv(AsJob) != "" || slices.ContainsFunc(f.command.Hidden, f.Set) {
		return nil
	}
	path := f.config
	if path == "" {
		path = os.Getenv(variable(configFlag))
	}
	said, err := f.readConfig(path)
	if err != nil {
		return Usagef("--%s: %v", configFlag, err)
	}
	for _, name := range f.names() {
		// An empty variable counts as absent: container tools often set them so.
		if v := os.Getenv(variable(name)); v != "" {
			said[name] = given{[]string{v}, variable(name)}
		}
	}
	for _, name := range f.names() {
		g, ok := said[name]
		if !ok || f.Set(name) {
			continue
		}
		if err := f.take(name, g); err != nil {
			return Usagef("%s: %v", g.where, err)
		}
	}
	return nil
}

// names returns the names of all flags, including those of the runners.
func (f *Flags) names() (list []string) {
	for _, s := range f.settings {
		list = append(list, s.Name)
	}
	return append(list, f.theirs()...)
}

// take gives a flag its values.
func (f *Flags) take(name string, g given) error {
	f.given[name] = g
	for _, v := range g.values {
		secret.NoteArguments([]string{"--" + name + "=" + v})
		// FlagSet.Set marks a flag as set. Beam needs the mark of its flags; of ours, only those on the command line
		// have it.
		set := f.set.Lookup(name).Value.Set
		if !f.has(name) {
			set = func(v string) error { return f.set.Set(name, v) }
		}
		if err := set(v); err != nil {
			return err
		}
	}
	return nil
}

// readConfig returns the values of this command's flags in a file. They are at the top level and in the section with
// the command's name, which overrides them. It ignores the sections of other commands.
func (f *Flags) readConfig(path string) (map[string]given, error) {
	said := map[string]given{}
	if path == "" {
		return said, nil
	}
	entries, err := setting.ReadFile(path, "output: /data/out")
	if err != nil && !errors.Is(err, io.EOF) { // io.EOF: an empty file
		return nil, err
	}
	var own []setting.Entry
	for _, e := range entries {
		if len(e.Section) == 0 {
			err = f.note(said, path, e)
		} else if e.Name == f.command.Name {
			own, err = e.Section, nil
		} else {
			err = checkSection(path, e)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, e := range own {
		if err := f.note(said, path, e); err != nil {
			return nil, err
		}
	}
	return said, nil
}

// note adds a key of the file to said.
func (f *Flags) note(said map[string]given, path string, e setting.Entry) error {
	where := fmt.Sprintf("%s:%d: %s", path, e.Line, e.Name)
	if len(e.Values) == 0 && (e.Name == f.command.Name || slices.Contains(verbs, e.Name)) {
		return nil // a section without keys
	}
	if !slices.Contains(f.names(), e.Name) {
		return fmt.Errorf("%s: %s has no such flag%s", where, f.command.Name, Suggest(e.Name, f.names(), ""))
	}
	if len(e.Values) > 0 {
		said[e.Name] = given{e.Values, where}
	}
	return nil
}

// checkSection returns an error if the program has no command with the name of a section. A program of one command
// accepts all names.
func checkSection(path string, e setting.Entry) error {
	name, _, _ := strings.Cut(e.Name, " ") // "corpus stats" belongs to corpus
	if len(verbs) == 0 || slices.Contains(verbs, name) {
		return nil
	}
	return fmt.Errorf("%s:%d: %s: no such command%s", path, e.Line, e.Name, Suggest(name, verbs, ""))
}
