package cli

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// demo is a program with a command, which has a list, a choice, a switch, a sub-command and words.
func demo() Program {
	settings := func() []setting.Setting {
		return setting.Under("Output", []setting.Setting{
			{Name: "out", Value: new(string), Default: "out", Help: "folder: it's new; or old", Example: "/data"},
			{Name: "formats", Value: new([]string), Values: []string{"jsonl", "parquet"}, Help: "what [is] written"},
			{Name: "kind", Value: new(string), Values: []string{"", "page", "feed"}, Help: ".a kind of capture"},
			{Name: "fresh", Value: new(bool), Help: "start over"},
		})
	}
	flags := func(c Command) func(set *flag.FlagSet) *Flags {
		return func(set *flag.FlagSet) *Flags {
			f := NewFlags(set, c)
			f.Add(settings())
			return f
		}
	}
	return Program{Name: "demo", Summary: "Gather.\nMore.", Examples: []string{"demo gather a"}, Verbs: []Verb{
		{
			Name: "gather", Brief: "gather what's there", Flags: flags(Command{
				Name: "gather", Args: "[archive ...]", Summary: "Gather.\n.It begins with a dot, and has a \\ in it.",
				Examples: []string{"go run ./pipelines/gather --out='x y'"}, Table: "Table\n  -a  b\n",
			}),
			Subs: []Verb{{
				Name: "stats", Brief: "count", Flags: flags(Command{Name: "gather stats", Words: []string{"all", "new"}}),
			}},
		},
		{Name: "glean", Brief: "glean", Flags: flags(Command{Name: "glean"})},
	}}
}

// asked are command lines with the completions of their last words; "" means file names.
var asked = []struct {
	line string
	want []string
}{
	{"demo gat", []string{"gather"}},
	{"demo gather --fr", []string{"--fresh"}},
	{"demo gather --form", []string{"--formats="}},
	{"demo gather --kind=f", []string{"feed"}},
	{"demo gather --formats=jsonl,par", []string{"jsonl,parquet"}},
	{"demo gather st", []string{"stats"}},
	{"demo gather stats --fr", []string{"--fresh"}},
	{"demo gather stats ne", []string{"new"}},
	{"demo completion fi", []string{"fish"}},
	{"demo gather --out=completion_te", nil},
	{"demo gather x --fr", []string{"--fresh"}},
}

// script writes the completions of the demo for a shell. It skips the test if the shell is not installed.
func script(t *testing.T, shell string) string {
	t.Helper()
	if _, err := exec.LookPath(shell); err != nil {
		t.Skipf("%s is not installed", shell)
	}
	name := filepath.Join(t.TempDir(), "completions")
	if err := os.WriteFile(name, []byte(shells[shell](demo())), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TERM=dumb")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// TestCompletion_bash also tests bash when it does not split words at "=".
func TestCompletion_bash(t *testing.T) {
	name := script(t, "bash")
	for _, cut := range []bool{true, false} {
		for _, tt := range asked {
			line, want := strings.Fields(tt.line), slices.Clone(tt.want)
			if last := line[len(line)-1]; cut && strings.Contains(last, "=") {
				flag, value, _ := strings.Cut(last, "=")
				line = append(line[:len(line)-1], flag, "=", value)
			} else if flag, _, found := strings.Cut(last, "="); found {
				for i := range want {
					want[i] = flag + "=" + want[i]
				}
			}
			const call = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _demo; echo "${COMPREPLY[@]}"`
			got := output(t, "bash", append([]string{"--norc", "-c", call, name}, line...)...)
			if !slices.Equal(strings.Fields(got), want) {
				t.Errorf("%q is completed by %q, want %q", line, got, want)
			}
		}
	}
}

func TestCompletion_fish(t *testing.T) {
	name := script(t, "fish")
	for _, tt := range asked {
		if tt.want == nil {
			continue
		}
		got := output(t, "fish", "--no-config", "-c", "source "+name+"; complete -C '"+tt.line+"'")
		word, _, _ := strings.Cut(strings.TrimSpace(got), "\t")
		before := tt.line[strings.LastIndexByte(tt.line, ' ')+1:]
		before = before[:strings.LastIndexByte(before, '=')+1]
		if want := before + strings.TrimSuffix(tt.want[0], "="); word != want || strings.Contains(strings.TrimSpace(got), "\n") {
			t.Errorf("%q is completed by %q, want %q", tt.line, got, want)
		}
	}
}

// TestCompletion_zsh types each line and a tab into a terminal, and reads the resulting line.
func TestCompletion_zsh(t *testing.T) {
	name := script(t, "zsh")
	const terminal = `
zmodload zsh/zpty || exit 9
zpty z zsh -f -i
zpty -w z "PS1=; autoload -Uz compinit && compinit -u -d $1/dump; source $2; " \
	"show() { print -r -- \"<<\$BUFFER>>\" }; zle -N show; bindkey '^X' show; print re''ady"
zpty -r z out "*ready*"
for line in "${@:3}"; do
	zpty -wn z "$line"$'\t\x18'
	zpty -r z out "*<<*>>*"
	print -r -- "${${out##*<<}%%>>*}"
	zpty -wn z $'\x15'
done
zpty -d z`
	args := []string{"-f", "-c", terminal, "zsh", t.TempDir(), name}
	var want []string
	for _, tt := range asked {
		if tt.want == nil {
			continue
		}
		args = append(args, tt.line)
		at := max(strings.LastIndexByte(tt.line, ' '), strings.LastIndexByte(tt.line, '=')) + 1
		want = append(want, tt.line[:at]+tt.want[0])
	}
	got := strings.Split(strings.TrimSpace(output(t, "zsh", args...)), "\n")
	if len(got) != len(want) {
		t.Fatalf("zsh printed %q", got)
	}
	for i := range want {
		// A space or a comma follows a complete value.
		if line := strings.TrimRight(got[i], " ,\r"); line != want[i] {
			t.Errorf("zsh completes to %q, want %q", line, want[i])
		}
	}
}

func TestCompletion_wrongShell(t *testing.T) {
	for _, args := range [][]string{nil, {"csh"}, {"bash", "zsh"}} {
		if code, err := demo().answer("completion", args); code != ExitUsage || err == nil {
			t.Errorf("completion %q = %d, %v", args, code, err)
		}
	}
}

// TestMan: groff has no warnings, and its output has all texts of the help.
func TestMan(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not installed")
	}
	p := demo()
	pages := map[string]string{"demo": p.roff()}
	for _, c := range p.pages() {
		pages[c.name] = p.roffOf(c)
	}
	for page, wants := range map[string][]string{
		"demo": {"demo - Gather", "gather stats", "demo gather a", "demo-gather-stats(1)", "More."},
		"gather": {
			"demo-gather - gather what's there", "--out=TEXT", "folder: it's new; or old", "(default: out; example: --out=/data)",
			".It begins with a dot, and has a \\ in it.", "--formats=LIST", ".a kind of capture", "--fresh", "  -a  b",
			"demo gather --out='x y'", "GLEANER_NAME", "--config=FILE", "demo gather [flags] [archive ...]",
		},
		"gather stats": {"demo-gather-stats", "demo gather stats"},
	} {
		cmd := exec.CommandContext(t.Context(), "groff", "-man", "-ww", "-Tascii", "-P-cbou")
		cmd.Stdin = strings.NewReader(pages[page])
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil || said.Len() > 0 {
			t.Errorf("%s: groff: %v, %s", page, err, &said)
		}
		text := strings.Join(strings.Fields(string(out)), " ")
		for _, want := range wants {
			if want = strings.Join(strings.Fields(want), " "); !strings.Contains(text, want) {
				t.Errorf("the page of %s has no %q:\n%s", page, want, out)
			}
		}
	}
	if code, err := p.man([]string{"gathr"}); code != ExitUsage || err == nil {
		t.Errorf("man gathr = %d, %v", code, err)
	}
}
