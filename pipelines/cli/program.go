package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Verb is a command, alone or one of several in a program.
type Verb struct {
	Name  string // ingest
	Brief string // a short description
	Do    func(ctx context.Context, args []string) (int, error)
	// Flags makes the command's flags on a set of their own, for completions and manual pages.
	Flags func(set *flag.FlagSet) *Flags
	Subs  []Verb // a first argument that names one runs it; an input of this name has to be written ./merge
}

// Main runs the command as the whole program: see the function Main.
func (v Verb) Main() {
	Main(v.Name, func(ctx context.Context) (int, error) { return v.run(ctx, os.Args[1:]) })
}

// run runs the command, or the one of its Subs that the first argument names.
func (v Verb) run(ctx context.Context, args []string) (int, error) {
	for _, sub := range v.Subs {
		if len(args) > 0 && args[0] == sub.Name {
			return sub.Do(ctx, args[1:])
		}
	}
	return v.Do(ctx, args)
}

// Program has several commands; its first argument names one: "gleaner ingest shelf/".
type Program struct {
	Name     string
	Summary  string // its purpose; each line is a paragraph
	Examples []string
	Verbs    []Verb
}

// verbs are the names of the program's commands; nil for a program of one command.
var verbs []string

// within is the name of the program and a blank if the command is part of one, or "". Help puts it before the
// command's name. It is set once, before the command runs.
var within string

// Main runs the command that the first argument names: see the function Main.
func (p Program) Main() {
	name, args := "help", []string(nil)
	if len(os.Args) > 1 {
		name, args = os.Args[1], os.Args[2:]
	}
	// "help ingest" is "ingest --help".
	if name == "help" && len(args) == 1 && p.verb(args[0]) != nil {
		name, args = args[0], []string{"--help"}
	}
	if v := p.verb(name); v != nil {
		within, verbs = p.Name+" ", p.names()
		// Main does not return.
		Main(v.Name, func(ctx context.Context) (int, error) { return v.run(ctx, args) })
	}
	Main(p.Name, func(context.Context) (int, error) { return p.answer(name, args) })
}

// verb returns the command of that name, or nil.
func (p Program) verb(name string) *Verb {
	i := slices.IndexFunc(p.Verbs, func(v Verb) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &p.Verbs[i]
}

// answer handles a first argument that is not a command.
func (p Program) answer(name string, args []string) (int, error) {
	switch name {
	case "help", "-h", "-help", "--help":
		Say(os.Stdout, "%s", p.help())
		if len(os.Args) == 1 {
			return ExitUsage, nil // so that a script without the command's name notices
		}
		return ExitDone, nil
	case "version", "-version", "--version":
		Say(os.Stdout, "%s", version(Command{Name: p.Name}))
		return ExitDone, nil
	case "completion":
		if len(args) != 1 || shells[args[0]] == nil {
			return ExitUsage, Usagef("name a shell: %s completion bash, zsh or fish", p.Name)
		}
		Say(os.Stdout, "%s", shells[args[0]](p))
		return ExitDone, nil
	case "man":
		return p.man(args)
	}
	names := p.names()
	return ExitUsage, Usagef("there is no command %q%s; there are %s",
		name, Suggest(name, p.arguments(), p.Name+" "), strings.Join(names, ", "))
}

func (p Program) names() (names []string) {
	for _, v := range p.Verbs {
		names = append(names, v.Name)
	}
	return names
}

func (p Program) help() string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(p.Name+": "+p.Summary, "\n") {
		fmt.Fprintf(&b, "%s\n\n", wrap(paragraph, ""))
	}
	fmt.Fprintf(&b, "Usage: %s command [flags] [arguments]\n\nCommands\n", p.Name)
	for _, v := range p.Verbs {
		fmt.Fprintf(&b, "  %-12s %s\n", v.Name, v.Brief)
	}
	for _, own := range [][2]string{
		{"completion", "completions for bash, zsh or fish"},
		{"man", "the manual page of a command"},
		{"version", "what this program is made of"},
		{"help", "this"},
	} {
		fmt.Fprintf(&b, "  %-12s %s\n", own[0], own[1])
	}
	b.WriteString("\nExamples\n")
	for _, e := range p.Examples {
		fmt.Fprintf(&b, "  %s\n", e)
	}
	fmt.Fprintf(&b, "\n%s command -h prints the most used flags of a command, --help all of them.\n", p.Name)
	return b.String()
}
