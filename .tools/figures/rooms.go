package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// plan is a folder as a house: its rooms are files or folders. An arrow means that one uses a name that the other
// declares.
type plan map[string]map[string]bool

// readPlan makes the plan of a package without tests. It type-checks only this package, since other packages do not
// affect which of its files declares a name.
func readPlan(dir string) (plan, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	set, p := token.NewFileSet(), plan{}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
		p[filepath.Base(name)] = map[string]bool{}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	check := types.Config{Importer: nothing{}, Error: func(error) {}, FakeImportC: true}
	pkg, _ := check.Check(dir, set, files, &info) // always an error, since nothing is imported
	room := func(at token.Pos) string { return filepath.Base(set.Position(at).Filename) }
	for id, object := range info.Uses {
		local := object.Pkg() == pkg && object.Pos().IsValid() && isOutside(object, pkg)
		if from, to := room(id.Pos()), room(object.Pos()); local && from != to {
			p[from][to] = true
		}
	}
	return p, nil
}

// isOutside reports whether other files can use an object: a top-level declaration, a method or a field.
func isOutside(object types.Object, pkg *types.Package) bool {
	switch o := object.(type) {
	case *types.Var:
		return o.IsField() || o.Parent() == pkg.Scope()
	case *types.Func:
		return true
	}
	return object.Parent() == pkg.Scope()
}

// nothing is an importer without packages.
type nothing struct{}

// Import always fails.
func (nothing) Import(path string) (*types.Package, error) { return nil, errors.New(path) }

// order sorts rooms from the top down with few arrows up. Of the remaining rooms, one that no other names goes to the
// top, and one that names no other to the bottom. In a circle, the room with the most outgoing minus incoming arrows
// is next. See Eades, Lin and Smyth, "A fast and effective heuristic for the feedback arc set problem", 1993.
func (p plan) order() []string {
	left := map[string]bool{}
	for room := range p {
		left[room] = true
	}
	var top, bottom []string
	for len(left) > 0 {
		in, out := p.degrees(left)
		rooms := slices.Sorted(maps.Keys(left))
		pick := slices.MaxFunc(rooms, func(a, b string) int { return cmp.Compare(rank(in[a], out[a]), rank(in[b], out[b])) })
		if out[pick] == 0 {
			bottom = append(bottom, pick)
		} else {
			top = append(top, pick)
		}
		delete(left, pick)
	}
	slices.Reverse(bottom)
	return append(top, bottom...)
}

// rank orders rooms: bottom rooms first, then top rooms, then by arrows.
func rank(in, out int) int {
	switch {
	case out == 0:
		return 2 << 30
	case in == 0:
		return 1 << 30
	}
	return out - in
}

// degrees counts the arrows among the remaining rooms.
func (p plan) degrees(left map[string]bool) (in, out map[string]int) {
	in, out = map[string]int{}, map[string]int{}
	for from := range left {
		for to := range p[from] {
			if left[to] {
				in[to]++
				out[from]++
			}
		}
	}
	return in, out
}

// measure returns the numbers of floors, of arrows, and of arrows up.
func (p plan) measure() (floors, arrows, up int) {
	order := p.order()
	floor, place := map[string]int{}, map[string]int{}
	for i, room := range order {
		place[room] = i
	}
	for _, room := range slices.Backward(order) {
		floor[room] = 1
		for to := range p[room] {
			arrows++
			if place[to] < place[room] {
				up++
			} else {
				floor[room] = max(floor[room], floor[to]+1)
			}
		}
		floors = max(floors, floor[room])
	}
	return floors, arrows, up
}

// readFolders makes the plan of the folders directly in a part of the module in dir.
func readFolders(dir, part string) (plan, error) {
	p, start := plan{}, module+part+"/"
	room := func(path string) string {
		rest, ok := strings.CutPrefix(path, start)
		name, _, _ := strings.Cut(rest, "/")
		return map[bool]string{true: name}[ok]
	}
	return p, eachPackage(dir, part, func(path string, imports []string) {
		from := room(path)
		if from == "" {
			return
		}
		if p[from] == nil {
			p[from] = map[string]bool{}
		}
		for _, i := range imports {
			if to := room(i); to != "" && to != from {
				p[from][to] = true
			}
		}
	})
}

// crowded are packages with many files and their ceilings, which only fall: lower them with the figures.
var crowded = []struct {
	dir        string
	floors, up int
}{
	{"pipelines/job", 4, zero},
	{"pipelines/job/plan", 5, zero},
	{"pipelines/job/recipe", 5, zero},
	{"pipelines/job/standing", 5, zero},
	{"pipelines/job/unit", 5, zero},
	{"io/collection", 6, zero},
	{"io/collection/care", 6, zero},
	{"io/collection/ledger", 5, zero},
	{"io/collection/shard", 3, zero},
	{"io/collection/holdings", 4, zero},
}

// roomFigures returns the figures of pipelines and of the crowded packages.
func roomFigures(dir string) (list []figure, err error) {
	p, err := readFolders(dir, "pipelines")
	if err != nil {
		return nil, err
	}
	list = append(list, p.figures("pipelines", 8, zero, "folders")...)
	for _, c := range crowded {
		p, err := readPlan(filepath.Join(dir, filepath.FromSlash(c.dir)))
		if err != nil {
			return nil, err
		}
		list = append(list, p.figures(c.dir, c.floors, c.up, "files")...)
	}
	return list, nil
}

// figures returns the figures of a plan with its ceilings.
func (p plan) figures(name string, maxFloors, maxUp int, rooms string) []figure {
	floors, arrows, up := p.measure()
	return []figure{
		{name: "floors of " + name, value: floors, budget: maxFloors, note: fmt.Sprintf("%d %s", len(p), rooms)},
		{name: "arrows up in " + name, value: up, budget: maxUp, note: fmt.Sprintf("of %d", arrows)},
	}
}
