package cli

import (
	"fmt"
	"strings"
)

// quoted returns a text in single quotes, for zsh and bash.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// zsh returns completions for zsh, with descriptions.
func zsh(p Program) string {
	var commands, cases strings.Builder
	for _, v := range p.Verbs {
		fmt.Fprintf(&commands, "            %s\n", quoted(v.Name+":"+v.Brief))
	}
	for _, c := range p.pages() {
		fmt.Fprintf(&cases, "    '%s')\n        _arguments", c.name)
		for _, l := range c.lines() {
			spec := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(l.about)
			spec = l.word() + "[" + spec + "]"
			switch {
			case l.list && len(l.values) > 0:
				spec += ":" + l.kind + ":_values -s , " + l.kind + " " + strings.Join(l.values, " ")
			case len(l.values) > 0:
				spec += ":" + l.kind + ":(" + strings.Join(l.values, " ") + ")"
			case l.takes:
				spec += ":" + l.kind + ":_files"
			}
			fmt.Fprintf(&cases, " \\\n            %s", quoted(spec))
		}
		if words := p.wordsOf(c); len(words) > 0 {
			fmt.Fprintf(&cases, " \\\n            %s", quoted("1: :("+strings.Join(words, " ")+")"))
		}
		cases.WriteString(" \\\n            '*:file:_files'\n        ;;\n")
	}
	return strings.NewReplacer("NAME", p.Name, "COMMANDS\n", commands.String(), "CASES\n", cases.String(),
		"ARGUMENTS", strings.Join(p.arguments(), " "), "SUBS", strings.Join(p.subs(), "|")).Replace(zshScript)
}

const zshScript = `#compdef NAME
# Completions of NAME for zsh: source <(NAME completion zsh), or as the file _NAME in a folder of $fpath
_NAME() {
    local command
    if ((CURRENT == 2)); then
        local -a commands
        commands=(
COMMANDS
            'completion:print completions for a shell' 'man:print a manual page'
            'version:print the versions' 'help:print the commands'
        )
        _describe command commands
        return
    fi
    command=$words[2]
    case "$words[2] $words[3]" in
    SUBS) if ((CURRENT > 3)); then
            command="$words[2] $words[3]"
            shift words
            ((CURRENT--))
        fi ;;
    esac
    shift words
    ((CURRENT--))
    case $command in
    completion) _arguments '1: :(bash zsh fish)' ;;
    man | help) _arguments '1: :(ARGUMENTS)' ;;
CASES
    esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _NAME "$@"
else
    compdef _NAME NAME
fi
`
