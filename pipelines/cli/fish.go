package cli

import (
	"fmt"
	"strings"
)

// fish returns completions for fish, with descriptions.
func fish(p Program) string {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(fishScript, "NAME", p.Name))
	escape := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	add := func(where, rest, about string) {
		fmt.Fprintf(&b, "complete -c %s -n '%s' %s -d '%s'\n", p.Name, where, rest, escape.Replace(about))
	}
	at := "__" + p.Name + "_at"
	for _, v := range p.Verbs {
		add(at, "-f -a "+v.Name, v.Brief)
	}
	add(at, "-f -a completion", "print completions for a shell")
	add(at, "-f -a man", "print a manual page")
	add(at, "-f -a version", "print the versions")
	add(at, "-f -a help", "print the commands")
	add(at+" completion", "-f -a 'bash zsh fish'", "shell")
	for _, c := range p.pages() {
		where := at + " " + c.name
		for _, word := range p.wordsOf(c) {
			add(where, "-a "+word, c.brief)
		}
		for _, l := range c.lines() {
			rest := "-l " + l.name
			switch {
			case l.list && len(l.values) > 0:
				rest += " -x -a '(__fish_append , " + strings.Join(l.values, " ") + ")'"
			case len(l.values) > 0:
				rest += " -x -a '" + strings.Join(l.values, " ") + "'"
			case l.takes:
				rest += " -r"
			}
			add(where, rest, l.about)
		}
	}
	return b.String()
}

// fishScript has a function that reports whether its arguments are those of the command line, without flags.
const fishScript = `# Completions of NAME for fish: NAME completion fish >~/.config/fish/completions/NAME.fish
function __NAME_at
    set -l words (commandline -opc)
    set -e words[1]
    if test (count $argv) -eq 0
        test -z "$words"
    else
        string match -q -- "$argv *" "$words "
    end
end
`
