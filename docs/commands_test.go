package docs_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAttack20_commandsFindTheirTests: README, docs and the Makefile name commands of go test. Each package in them has
// a matching test, or with -bench a benchmark.
func TestAttack20_commandsFindTheirTests(t *testing.T) {
	functions := testFunctions(t)
	all := 0
	for name, text := range sources(t) {
		for _, c := range commands(text) {
			all++
			c.check(t, name, functions)
		}
	}
	if all < 40 {
		t.Errorf("%d commands were found; does the test still see them?", all)
	}
}

// sources are the texts that name commands.
func sources(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, p := range pages(t) {
		texts[p.name] = p.text
	}
	for _, name := range []string{"testdata/README.md", "Makefile"} {
		b, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = strings.ReplaceAll(string(b), "$$", "$")
	}
	return texts
}

// command is a call of go test.
type command struct {
	text     string
	packages []string
	run      string
	bench    string
	other    bool // fuzzing, a list or a binary: -run selects nothing
}

var (
	call = regexp.MustCompile("go test( [^`#\n]*)")
	word = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]+`)
)

// commands are the calls in a text that name packages.
func commands(text string) (all []command) {
	for _, m := range call.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
		c := command{text: "go test" + m[1]}
		words := word.FindAllString(m[1], -1)
		if end := slices.IndexFunc(words, func(w string) bool { return w == "|" || w == "&&" }); end >= 0 {
			words = words[:end]
		}
		for i, w := range words {
			next := ""
			if i+1 < len(words) {
				next = strings.Trim(strings.TrimRight(words[i+1], ");:,"), `'"`)
			}
			switch {
			case w == "-run":
				c.run = next
			case w == "-bench":
				c.bench = next
			case w == "-fuzz" || w == "-c" || w == "-list":
				c.other = true
			case strings.HasPrefix(w, "./"):
				c.packages = append(c.packages, strings.TrimRight(w, ");:,"))
			}
		}
		if len(c.packages) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// check fails the test when a package has nothing of what the command selects.
func (c command) check(t *testing.T, source string, functions map[string][]string) {
	t.Helper()
	pattern, kind := c.run, "^(Test|Example|Fuzz)"
	if c.bench != "" {
		pattern, kind = c.bench, "^Benchmark"
	}
	top, _, _ := strings.Cut(pattern, "/") // what follows selects subtests
	selects, err := regexp.Compile(top)
	if err != nil {
		t.Errorf("%s: %s: %v", source, c.text, err)
		return
	}
	for _, pkg := range c.packages {
		names, ok := functions[path.Clean(pkg)]
		if !ok {
			t.Errorf("%s: %s: there is no package %s", source, c.text, pkg)
			continue
		}
		of := regexp.MustCompile(kind)
		selected := func(n string) bool { return of.MatchString(n) && selects.MatchString(n) }
		if !c.other && !slices.ContainsFunc(names, selected) {
			t.Errorf("%s: %s\nselects nothing of %s", source, c.text, pkg)
		}
	}
}

// testFunctions are the names of the functions in the tests of the checkout's packages, by folder relative to the
// checkout. They are read from the source, in the files that are compiled here.
func testFunctions(t *testing.T) map[string][]string {
	t.Helper()
	packages := []string{"list", "-json=Dir,TestGoFiles,XTestGoFiles", "./..."}
	for _, hidden := range []string{"testdata/*/*.go", ".tools/*/*.go", ".tools/*/*/*.go"} { // which ./... leaves out
		files, err := filepath.Glob(filepath.Join(root, hidden))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			packages = append(packages, "./"+strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), root+"/"))
		}
	}
	cmd := exec.Command("go", packages...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct {
			Dir                       string
			TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		dir, err := filepath.Rel(checkout, p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		names[dir] = []string{}
		for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
					names[dir] = append(names[dir], fn.Name.Name)
				}
			}
		}
	}
	return names
}
