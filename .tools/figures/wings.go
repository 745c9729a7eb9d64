package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
)

// module is the prefix of the module's packages.
const module = "github.com/gleaner-web/gleaner/"

// prefix is the prefix of packages of io.
const prefix = module + "io/"

// wings maps the top folders of io to the others that their packages import.
type wings map[string]map[string]bool

// readWings asks the go command for the imports of the module in dir.
func readWings(dir string) (wings, error) {
	w := wings{}
	return w, eachPackage(dir, "io", w.add)
}

// eachPackage calls add with each package in a part of the module in dir, and its imports.
func eachPackage(dir, part string, add func(path string, imports []string)) error {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./"+part+"/...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		add(p.ImportPath, p.Imports)
	}
}

func (w wings) add(path string, imports []string) {
	from := wingOf(path)
	if w[from] == nil {
		w[from] = map[string]bool{}
	}
	for _, i := range imports {
		if to := wingOf(i); to != "" && to != from {
			w[from][to] = true
		}
	}
}

// wingOf returns the wing of a package, or "" outside io.
func wingOf(path string) string {
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok {
		return ""
	}
	wing, _, _ := strings.Cut(rest, "/")
	return wing
}

// floor is one more than the highest floor of the imported wings, and 1 without imports.
// TestLayers_wingsOfIOImportDownwards rules out circles.
func (w wings) floor(name string) int {
	highest := 0
	for below := range w[name] {
		highest = max(highest, w.floor(below))
	}
	return highest + 1
}

func (w wings) figures() []figure {
	arrows, floors := 0, 0
	for name, below := range w {
		arrows += len(below)
		floors = max(floors, w.floor(name))
	}
	return []figure{
		{name: "wings of io", value: len(w), budget: 14},
		{name: "floors of io's wings", value: floors, budget: 5},
		{name: "arrows between io's wings", value: arrows, budget: 33},
	}
}
