package cli

import (
	"fmt"
	"strings"
)

// bash returns completions for bash, which has no descriptions. Without replies, bash completes file names.
func bash(p Program) string {
	var flags, values strings.Builder
	for _, c := range p.pages() {
		var names []string
		for _, l := range c.lines() {
			names = append(names, l.word())
			if len(l.values) > 0 {
				fmt.Fprintf(&values, "    '%s --%s') values='%s' ;;\n", c.name, l.name, strings.Join(l.values, " "))
			}
		}
		fmt.Fprintf(&flags, "    '%s') words='%s' flags='%s' ;;\n", c.name, strings.Join(p.wordsOf(c), " "),
			strings.Join(names, " "))
	}
	return strings.NewReplacer("NAME", p.Name, "COMMANDS", strings.Join(p.arguments(), " "),
		"FLAGS\n", flags.String(), "VALUES\n", values.String(), "SUBS", strings.Join(p.subs(), "|")).Replace(bashScript)
}

// bashScript has a line for each of FLAGS and VALUES. Bash splits words at "=" unless COMP_WORDBREAKS lacks it. In
// that case, prefix has the part before the value.
const bashScript = `# Completions of NAME for bash: source <(NAME completion bash)
_NAME() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} at=2 flag= prefix= words= flags= values=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W 'COMMANDS' -- "$cur"))
        return
    fi
    case "$command ${COMP_WORDS[2]}" in
    SUBS) ((COMP_CWORD > 2)) && command="$command ${COMP_WORDS[2]}" at=3 ;;
    esac
    case $cur in
    =) flag=$prev cur= ;;
    --*=*) flag=${cur%%=*} prefix=$flag= cur=${cur#*=} ;;
    *) if [[ $prev == = ]]; then flag=${COMP_WORDS[COMP_CWORD-2]}; fi ;;
    esac
    case $command in
    completion) words='bash zsh fish' ;;
    man | help) words='COMMANDS' ;;
FLAGS
    esac
    case "$command $flag" in
VALUES
    esac
    if [[ $values ]]; then
        [[ $cur == *,* ]] && prefix+=${cur%,*},
        COMPREPLY=($(compgen -P "$prefix" -W "$values" -- "${cur##*,}"))
    elif [[ ! $flag && $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$flags" -- "$cur"))
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    elif [[ ! $flag ]] && ((COMP_CWORD == at)); then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    fi
    return 0
}
complete -o default -F _NAME NAME
`
