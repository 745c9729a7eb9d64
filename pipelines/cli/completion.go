package cli

import (
	"flag"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// shells maps each shell to the function for its completions.
var shells = map[string]func(Program) string{"bash": bash, "zsh": zsh, "fish": fish}

// page is a command, or a sub-command such as "corpus stats", with its flags.
type page struct {
	name, brief string
	flags       *Flags
}

// pages returns the commands in the order of the help, each followed by its sub-commands.
func (p Program) pages() (list []page) {
	for _, v := range p.Verbs {
		for _, sub := range append([]Verb{v}, v.Subs...) {
			if sub.Flags != nil {
				f := sub.Flags(flag.NewFlagSet(sub.Name, flag.ContinueOnError))
				list = append(list, page{f.command.Name, sub.Brief, f})
			}
		}
	}
	return list
}

// line is a flag in a completion.
type line struct {
	name, about, kind string
	takes             bool // a value
	values            []string
	list              bool
}

// word returns the flag as it is typed, up to its value.
func (l line) word() string {
	if l.takes {
		return "--" + l.name + "="
	}
	return "--" + l.name
}

// lines returns the flags of a page, and the common flags.
func (p page) lines() (list []line) {
	for _, s := range p.flags.settings {
		values := slices.DeleteFunc(slices.Clone(s.Values), func(v string) bool { return v == "" })
		list = append(list, line{
			s.Name, brief(s), string(s.Kind()), s.Kind() != setting.Switch, values, s.Kind() == setting.List,
		})
	}
	return append(list, line{name: "help", about: "print all flags"}, line{name: "version", about: "print the versions"},
		line{name: configFlag, about: "file with values of flags", kind: "FILE", takes: true})
}

// brief returns a short description of a flag.
func brief(s setting.Setting) string {
	if s.Brief != "" {
		return s.Brief
	}
	text := s.Help
	for _, end := range []string{"; ", ". ", ": ", ", "} {
		if len(text) > 60 {
			text, _, _ = strings.Cut(text, end)
		}
	}
	return text
}

// wordsOf returns the arguments that may come before a page's flags: its sub-commands and its words.
func (p Program) wordsOf(of page) []string {
	words := slices.Clone(of.flags.command.Words)
	for _, v := range p.Verbs {
		if v.Name != of.name {
			continue
		}
		for _, sub := range v.Subs {
			words = append(words, sub.Name)
		}
	}
	return words
}

// arguments returns the possible first arguments of the program.
func (p Program) arguments() []string {
	return append(p.names(), "completion", "man", "version", "help")
}

// subs returns the names of sub-commands, as shell patterns.
func (p Program) subs() (list []string) {
	for _, c := range p.pages() {
		if strings.Contains(c.name, " ") {
			list = append(list, "'"+c.name+"'")
		}
	}
	return append(list, "''")
}
