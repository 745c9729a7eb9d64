package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Verb is a command that stands alone, or is one of several of a program.
type Verb struct {
	Name  string // ingest
	Brief string // what it does, in some words
	Do    func(ctx context.Context, args []string) (int, error)
}

// Main runs the command as the whole program: see Main.
func (v Verb) Main() {
	Main(v.Name, func(ctx context.Context) (int, error) { return v.Do(ctx, os.Args[1:]) })
}

// Program is several commands in one, of which the first argument names one: "gleaner ingest shelf/".
type Program struct {
	Name     string
	Summary  string // what it is for; a paragraph a line
	Examples []string
	Verbs    []Verb
}

// within is the name of the program that the command is a verb of, and a blank; "" for a command that stands alone. It
// is what help puts before the command's name.
// It is set once, before the command runs.
var within string

// Main runs the command that the first argument names: see Main.
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
		within = p.Name + " "
		// Main does not return.
		Main(v.Name, func(ctx context.Context) (int, error) { return v.Do(ctx, args) })
	}
	Main(p.Name, func(context.Context) (int, error) { return p.answer(name) })
}

// verb is the command of that name, nil when there is none.
func (p Program) verb(name string) *Verb {
	i := slices.IndexFunc(p.Verbs, func(v Verb) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &p.Verbs[i]
}

// answer answers what is not a command's name.
func (p Program) answer(name string) (int, error) {
	switch name {
	case "help", "-h", "-help", "--help":
		Say(os.Stdout, "%s", p.help())
		if len(os.Args) == 1 {
			return ExitUsage, nil // a script that forgot the command's name should see that nothing was done
		}
		return ExitDone, nil
	case "version", "-version", "--version":
		Say(os.Stdout, "%s", version(Command{Name: p.Name}))
		return ExitDone, nil
	}
	names := []string{"help", "version"}
	for _, v := range p.Verbs {
		names = append(names, v.Name)
	}
	// What the user typed is compared with all names.
	return ExitUsage, Usagef("there is no command %q%s; there are %s",
		name, Suggest(name, names, p.Name+" "), strings.Join(names[2:], ", "))
}

// help is what the program prints of itself.
func (p Program) help() string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(p.Name+": "+p.Summary, "\n") {
		fmt.Fprintf(&b, "%s\n\n", wrap(paragraph, ""))
	}
	fmt.Fprintf(&b, "Usage: %s command [flags] [arguments]\n\nCommands\n", p.Name)
	for _, v := range p.Verbs {
		fmt.Fprintf(&b, "  %-12s %s\n", v.Name, v.Brief)
	}
	fmt.Fprintf(&b, "  %-12s %s\n  %-12s %s\n", "version", "what this program is made of", "help", "this")
	b.WriteString("\nExamples\n")
	for _, e := range p.Examples {
		fmt.Fprintf(&b, "  %s\n", e)
	}
	fmt.Fprintf(&b, "\n%s command -h prints the most used flags of a command, --help all of them.\n", p.Name)
	return b.String()
}
