// These tests check the layers of the whole project.

package pipelines

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gleaner-web/gleaner/"

// listed is a package in the output of `go list`.
type listed struct {
	ImportPath string
	Name       string
	Standard   bool
	Imports    []string
	Deps       []string
}

// list runs `go list` in the module's root.
func list(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Name,Standard,Imports,Deps"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	var packages []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatalf("go list %v: %v", args, err)
		}
		packages = append(packages, p)
	}
}

// isPure reports whether a package must not import Beam. That is all packages except pipelines, io/beam and the job
// servers of tests. Package cli, for commands without pipelines, is pure as well.
func isPure(path string) bool {
	rest, ok := strings.CutPrefix(path, module)
	if rest == "pipelines/cli" {
		return true
	}
	if !ok || strings.HasPrefix(rest, "pipelines") || rest == "internal/jobserver" {
		return false
	}
	return !strings.HasPrefix(rest, "io/beam/")
}

func TestLayers_schemasImportsTheStandardLibraryOnly(t *testing.T) {
	for _, p := range list(t, "./schemas/...") {
		for _, i := range p.Imports {
			if first, _, _ := strings.Cut(i, "/"); strings.Contains(first, ".") {
				t.Errorf("%s imports %s; schemas may import the standard library only", p.ImportPath, i)
			}
		}
	}
}

func TestLayers_purePackagesDoNotReachBeam(t *testing.T) {
	seen := 0
	for _, p := range list(t, "./...") {
		if !isPure(p.ImportPath) {
			continue
		}
		seen++
		for _, d := range p.Deps {
			if strings.HasPrefix(d, "github.com/apache/beam/") {
				t.Errorf("%s reaches %s; only pipelines and io/beam may", p.ImportPath, d)
				break
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d pure packages were found; does the rule still see them?", seen)
	}
}

// TestLayers_heavyLibrariesAreOptIn: importers of these packages do not get heavy libraries.
func TestLayers_heavyLibrariesAreOptIn(t *testing.T) {
	heavy := []string{
		"github.com/pemistahl/lingua-go", "cloud.google.com/", "github.com/aws/", "github.com/prometheus/",
		"google.golang.org/api/", "google.golang.org/grpc",
	}
	for _, p := range list(t, "./pipelines/cli", "./io/storage/blob", "./io/work", "./transforms/enrich") {
		for _, d := range p.Deps {
			if slices.ContainsFunc(heavy, func(h string) bool { return strings.HasPrefix(d, h) }) {
				t.Errorf("%s reaches %s", p.ImportPath, d)
			}
		}
	}
}

// TestLayers_localLinksNoClient: the first example of the README needs neither Beam nor clients of other services.
func TestLayers_localLinksNoClient(t *testing.T) {
	heavy := []string{
		"github.com/apache/beam/", "google.golang.org/grpc", "google.golang.org/api/", "cloud.google.com/", "github.com/aws/",
		"github.com/envoyproxy/", "go.opentelemetry.io/", "github.com/twmb/franz-go", "github.com/jackc/pgx",
		"modernc.org/",
	}
	for _, p := range list(t, "-tags=local", "./pipelines/ingest") {
		for _, d := range p.Deps {
			if slices.ContainsFunc(heavy, func(h string) bool { return strings.HasPrefix(d, h) }) {
				t.Errorf("%s, built with -tags local, reaches %s", p.ImportPath, d)
			}
		}
	}
}

// TestLayers_localLinksNoCloud: the whole program, built with -tags local, has Beam's direct runner and SQLite, and
// nothing for clusters, clouds or Iceberg tables.
func TestLayers_localLinksNoCloud(t *testing.T) {
	const arrow, beam = "github.com/apache/arrow-go/v18/", "github.com/apache/beam/sdks/v2/go/pkg/beam/"
	heavy := []string{
		"google.golang.org/api/", "cloud.google.com/", "github.com/aws/", "github.com/envoyproxy/", "go.opentelemetry.io/",
		"github.com/apache/iceberg-go", "github.com/twmb/franz-go", arrow + "arrow/compute", arrow + "parquet",
		beam + "runners/dataflow", beam + "runners/prism",
	}
	for _, p := range list(t, "-tags=local", "./pipelines/gleaner") {
		for _, d := range p.Deps {
			if slices.ContainsFunc(heavy, func(h string) bool { return strings.HasPrefix(d, h) }) {
				t.Errorf("%s, built with -tags local, reaches %s", p.ImportPath, d)
			}
		}
	}
}

// TestWeight_cli: a command without Beam is small. `make weight` measures the others.
func TestWeight_cli(t *testing.T) {
	const budget = 6_000_000 // bytes, with go build
	dir := t.TempDir()
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	source := `package main

import (
	"context"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func main() {
	cli.Program{Name: "x", Verbs: []cli.Verb{{Name: "y", Do: func(context.Context, []string) (int, error) {
		return cli.ExitDone, nil
	}}}}.Main()
}
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-o", program, file)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() > budget {
		t.Errorf("a program that imports pipelines/cli has %d bytes, want at most %d", info.Size(), budget)
	}
}

func TestLayers_transformsDoNoInput(t *testing.T) {
	const fromMemory = module + "io/stream/inflate" // decodes from memory to memory, and is looked at as a transform is
	for _, p := range list(t, "./transforms/...", fromMemory) {
		for _, i := range p.Imports {
			if i == "os" || i == "net/http" || i == "os/exec" || strings.HasPrefix(i, module+"io/") && i != fromMemory ||
				strings.HasPrefix(i, module+"pipelines/") {
				t.Errorf("%s imports %s; transforms are functions of their input", p.ImportPath, i)
			}
		}
	}
}

func TestLayers_onlyRunNamesARunner(t *testing.T) {
	for _, p := range list(t, "./...") {
		if p.ImportPath == module+"pipelines/run" {
			continue
		}
		for _, i := range p.Imports {
			if strings.HasPrefix(i, "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/") {
				t.Errorf("%s imports %s; only pipelines/run may", p.ImportPath, i)
			}
		}
	}
}

func TestLayers_noGoFileDirectlyInIO(t *testing.T) {
	files, err := filepath.Glob("../io/*.go")
	if err != nil || len(files) > 0 {
		t.Errorf("%v, %v in io; a package named io would hide the standard one", files, err)
	}
}

func TestLayers_noNameOfTheStandardLibrary(t *testing.T) {
	std := map[string]bool{}
	for _, p := range list(t, "std") {
		if !strings.Contains(p.ImportPath, "internal") && !strings.Contains(p.ImportPath, "vendor") {
			std[p.Name] = true
		}
	}
	for _, p := range list(t, "./...") {
		if p.Name != "main" && std[p.Name] {
			t.Errorf("%s is named %s, as a package of the standard library is", p.ImportPath, p.Name)
		}
	}
}

// wings maps each wing of io to the wings that it may import, in order. A new wing, or a new arrow, is a decision
// about the layout: docs/design.md has the diagram.
var wings = []struct {
	name string
	over []string
}{
	{"stream", nil},
	{"storage", nil},
	{"child", nil},
	{"archive", []string{"stream"}},
	{"work", []string{"archive", "storage", "stream"}},
	{"collection", []string{"archive", "storage", "stream"}},
	{"search", []string{"collection", "storage", "stream"}},
	{"source", []string{"collection", "archive", "storage", "stream"}},
	{"derived", []string{"collection", "archive", "storage", "stream"}},
	{"dataset", []string{"collection", "archive", "storage", "stream"}},
	{"lake", []string{"collection", "storage"}},
	{"rowstore", []string{"collection"}},
	{"sink", []string{"rowstore", "archive", "storage"}},
	{"beam", []string{"search", "collection", "work", "archive", "storage"}},
}

// wingOf returns the wing of io that a package is in, or "".
func wingOf(path string) string {
	rest, ok := strings.CutPrefix(path, module+"io/")
	if !ok {
		return ""
	}
	wing, _, _ := strings.Cut(rest, "/")
	return wing
}

func TestLayers_wingsOfIOImportDownwards(t *testing.T) {
	may := map[string]map[string]bool{}
	for _, w := range wings {
		may[w.name] = map[string]bool{w.name: true}
		for _, below := range w.over {
			if may[below] == nil {
				t.Errorf("%s is to import %s, which is not below it", w.name, below)
			}
			may[w.name][below] = true
		}
	}
	arrows := map[[2]string]bool{}
	for _, p := range list(t, "./io/...") {
		from := wingOf(p.ImportPath)
		if may[from] == nil {
			t.Errorf("%s is in no wing that layers_test.go has", p.ImportPath)
			continue
		}
		for _, i := range p.Imports {
			to := wingOf(i)
			if to == "" || to == from {
				continue
			}
			arrows[[2]string{from, to}] = true
			if !may[from][to] {
				t.Errorf("%s imports %s; the wing %s may import %v", p.ImportPath, i, from, slices.Sorted(maps.Keys(may[from])))
			}
		}
	}
	for _, w := range wings {
		if doc, err := os.ReadFile("../io/" + w.name + "/doc.go"); err != nil || !strings.Contains(string(doc), "\n//\t") {
			t.Errorf("io/%s has no doc.go with a list or an example: %v", w.name, err)
		}
		for _, below := range w.over {
			if !arrows[[2]string{w.name, below}] {
				t.Errorf("%s may import %s and does not: take it off the list", w.name, below)
			}
		}
	}
}

// floors are the levels of pipelines, from the lowest. A package imports packages of lower floors and of its own
// folder. docs/design.md has the reasons.
var floors = [][]string{
	{"report", "stages"},
	{"cli"},
	{"hostgraph", "look", "run", "sinks"},
	{"batch", "export", "sheet"},
	{"job"},
	{"server"},
	{"command"},
	{
		"collection", "convert", "corpus", "extract", "fileset", "gleaner", "graph", "ingest", "mcp", "moremeta", "query",
		"serve", "sources",
	},
}

// roomOf returns the folder of pipelines that a package is in, or "" for others.
func roomOf(path string) string {
	rest, ok := strings.CutPrefix(path, module+"pipelines/")
	if !ok {
		return ""
	}
	room, _, _ := strings.Cut(rest, "/")
	return room
}

func TestLayers_pipelinesImportDownwards(t *testing.T) {
	floorOf := map[string]int{}
	for i, rooms := range floors {
		for _, room := range rooms {
			floorOf[room] = i + 1
		}
	}
	seen := map[string]bool{}
	for _, p := range list(t, "./pipelines/...") {
		from := roomOf(p.ImportPath)
		if from == "" {
			continue // this test
		}
		seen[from] = true
		if floorOf[from] == 0 {
			t.Errorf("%s is on no floor that layers_test.go has", p.ImportPath)
		}
		for _, i := range p.Imports {
			if to := roomOf(i); to != "" && to != from && floorOf[to] >= floorOf[from] {
				t.Errorf("%s imports %s, which is not on a lower floor", p.ImportPath, i)
			}
		}
	}
	for room := range floorOf {
		if !seen[room] {
			t.Errorf("layers_test.go has a floor for %s, which is not there", room)
		}
	}
}
