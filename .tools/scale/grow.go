package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// perShard is the number of captures in a shard: a unit of 64 MiB, with records of 13 kB.
const perShard = 5000

// grow measures all work on collections of several sizes, each made by .tools/rows. Costs are kept in dir, so that the
// same command continues after a stop.
type grow struct {
	dir, from string
	costs     []cost
}

// cost is one row: a step on a collection of N documents.
type cost struct {
	N    int
	Step string
	CPU  float64 // seconds
	Wall float64 // seconds
	Peak float64 // MiB
	Disk float64 // MB of the collection afterwards, with its index
	Note string
}

// step is a command whose costs are measured. note makes a remark of its output.
type step struct {
	name  string
	args  []string
	note  func(stdout []byte) string
	reads bool // it changes nothing of the collection
}

// growAll measures the sizes in ascending order, and prints the table after each.
func growAll(dir, from, sizes string) error {
	g := &grow{dir: dir, from: from}
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "bin"), 0o755), g.load()); err != nil {
		return err
	}
	for _, program := range []string{"./pipelines/gleaner", "./.tools/rows", "./.tools/servebench"} {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, "bin")+"/", program)
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", build, err, out)
		}
	}
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			return err
		}
		if err := g.size(n); err != nil {
			return err
		}
		g.print()
	}
	return nil
}

func (g *grow) bin(name string) string { return filepath.Join(g.dir, "bin", name) }

func (g *grow) costsFile() string { return filepath.Join(g.dir, "costs.jsonl") }

// load reads the costs of earlier runs.
func (g *grow) load() error {
	data, err := os.ReadFile(g.costsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for line := range bytes.Lines(data) {
		var c cost
		err = errors.Join(err, json.Unmarshal(line, &c))
		g.costs = append(g.costs, c)
	}
	return err
}

// add keeps the costs of a step, all or none.
func (g *grow) add(costs ...cost) error {
	var lines []byte
	for _, c := range costs {
		line, err := json.Marshal(c)
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	g.costs = append(g.costs, costs...)
	f, err := os.OpenFile(g.costsFile(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(lines)
	return errors.Join(err, f.Close())
}

// begun names the file that is there while a step changes a collection.
func (g *grow) begun() string { return filepath.Join(g.dir, "begun") }

// restart forgets the costs of a size if a step was interrupted while it changed the collection. The rest of the step
// would cost less than the whole.
func (g *grow) restart(n int) error {
	text, err := os.ReadFile(g.begun())
	if errors.Is(err, fs.ErrNotExist) || err == nil && string(text) != size(n) {
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "a step was interrupted: %d documents are made and measured again\n", n)
	old := g.costs
	g.costs = nil
	kept := slices.DeleteFunc(old, func(c cost) bool { return c.N == n })
	return errors.Join(os.Remove(g.costsFile()), g.add(kept...), os.Remove(g.begun()))
}

func (g *grow) find(n int, step string) (cost, bool) {
	i := slices.IndexFunc(g.costs, func(c cost) bool { return c.N == n && c.Step == step })
	if i < 0 {
		return cost{}, false
	}
	return g.costs[i], true
}

// size measures all steps on a collection of n documents. It removes the collection at the end.
func (g *grow) size(n int) error {
	name := filepath.Join(g.dir, fmt.Sprintf("rows-%d", n))
	if err := g.restart(n); err != nil {
		return err
	}
	if _, done := g.find(n, "check, with the index"); done {
		return nil
	}
	if _, made := g.find(n, "make"); !made {
		if err := os.RemoveAll(name); err != nil { // a part of one
			return err
		}
		runs := 10
		make := step{"make", []string{
			g.bin("rows"), "-from=" + g.from, "-output=" + name, "-n=" + size(n), "-national", "-text=2000", "-html=false",
			"-hosts=" + size(max(1000, n/100)), "-runs=" + size(runs), "-shards=" + size(max(1, n/runs/perShard)),
		}, nil, true}
		if err := g.run(n, name, make); err != nil {
			return err
		}
	}
	address, host, err := example(name)
	if err != nil {
		return err
	}
	page := filepath.Join(g.dir, "page.warc")
	if err := oneRecord(page, 1, 0); err != nil {
		return err
	}
	for _, s := range g.steps(n, name, page, address, host) {
		if _, done := g.find(n, s.name); done {
			continue
		}
		run := g.run
		if s.name == "serve" {
			run = g.serve
		}
		if !s.reads {
			if err := os.WriteFile(g.begun(), []byte(size(n)), 0o644); err != nil {
				return err
			}
		}
		if err := run(n, name, s); err != nil {
			return err
		}
		if err := os.RemoveAll(g.begun()); err != nil {
			return err
		}
	}
	return errors.Join(os.RemoveAll(name), os.RemoveAll(name+"-corpus"), os.RemoveAll(name+"-sources"))
}

func size(n int) string { return strconv.Itoa(n) }

// steps are the commands, in an order in which none makes the next one cheap.
func (g *grow) steps(n int, name, page, address, host string) []step {
	in, program := "--collection="+name, g.bin("gleaner")
	task := func(name string, args ...string) step {
		return step{name, append([]string{program, "collection", in}, args...), nil, strings.HasPrefix(name, "check")}
	}
	pdfs := []string{program, "query", in, "--lang=fr", "--mime=application/pdf", "--from=2025-03", "--to=2025-03"}
	near := []string{program, "corpus", in, "--filters=none", "--dedup=near", "--output=" + name + "-corpus"}
	return []step{
		{"ingest a page", []string{program, "ingest", "--add", "--output=" + name, page}, nil, false},
		task("check", "check"),
		task("index", "index"),
		task("index, nothing new", "index"),
		{"query, French PDFs of a month", append(pdfs, "--limit=20"), lineCount, true},
		{"serve", []string{program, "serve", in, "--addr=127.0.0.1:" + size(18000+n/100_000)}, nil, true},
		{"sources", []string{program, "sources", in, "--output=" + name + "-sources"}, nil, true},
		task("Iceberg table", "lake"),
		task("Iceberg table, nothing new", "lake"),
		task("take down a URL", "takedown", address),
		task("take down a host", "takedown", host),
		{"corpus, near-duplicates", near, nil, true},
		task("compact", "compact"),
		task("index, compacted", "index"),
		task("expire", "expire"),
		task("check, with the index", "check"),
	}
}

func lineCount(stdout []byte) string {
	return fmt.Sprintf("%d rows", bytes.Count(stdout, []byte("\n")))
}

// example returns a URL, and the host with most captures among the first ones. It is the same in all sizes.
func example(name string) (address, host string, err error) {
	part, _, err := holdings.Whole(folder.Open(context.Background(), name, nil))
	if err != nil {
		return "", "", err
	}
	hosts := map[string]int{}
	for d, err := range part.Documents(context.Background()) {
		if err != nil {
			return "", "", err
		}
		if hosts[d.Host]++; hosts[d.Host] > hosts[host] {
			host = d.Host
		}
		if d.MIMEDetected == "text/html" && d.Host != host {
			address = d.URL
		}
		if hosts[host] == perShard/20 {
			break
		}
	}
	return address, host, nil
}

// run runs a step.
func (g *grow) run(n int, name string, s step) error {
	cmd := exec.Command(s.args[0], s.args[1:]...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, errs.Bytes())
	}
	note := ""
	if s.note != nil {
		note = s.note(out.Bytes())
	}
	return g.ended(n, name, s, cmd.ProcessState, time.Since(begin), note)
}

// ended keeps the costs of a process that has ended, and others of its step.
func (g *grow) ended(
	n int, name string, s step, p *os.ProcessState, wall time.Duration, note string, others ...cost,
) error {
	disk, err := diskOf(name)
	if err != nil {
		return err
	}
	c := cost{
		N: n, Step: s.name, CPU: (p.UserTime() + p.SystemTime()).Seconds(), Wall: wall.Seconds(),
		Peak: float64(p.SysUsage().(*syscall.Rusage).Maxrss) / 1024, Disk: disk, Note: note,
	}
	fmt.Fprintf(os.Stderr, "%+v\n", c)
	return g.add(append(others, c)...)
}

// diskOf returns the MB that the files of a folder occupy.
func diskOf(dir string) (float64, error) {
	total := int64(0)
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		return err
	})
	return float64(total) / 1e6, err
}

// serve starts the server, has servebench ask it, and stops it. The server's start is a row of its own. So is each kind
// of request.
func (g *grow) serve(n int, name string, s step) error {
	cmd := exec.Command(s.args[0], s.args[1:]...)
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	address := "http://" + strings.TrimPrefix(s.args[len(s.args)-1], "--addr=")
	asked := exec.Command(g.bin("servebench"), "-pid="+size(cmd.Process.Pid), "-n=200", "-load=0s", "-wait=1m", address)
	var errs bytes.Buffer
	asked.Stderr = &errs
	out, err := asked.Output()
	if err := errors.Join(err, cmd.Process.Signal(syscall.SIGTERM)); err != nil {
		_ = cmd.Wait() // the first error is the one that is shown
		return fmt.Errorf("%s: %w\n%s", asked, err, errs.Bytes())
	}
	if err := cmd.Wait(); err != nil {
		return err
	}
	var asks []cost
	for line := range strings.Lines(string(out)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 6 || cells[1] == "asked" {
			continue
		}
		each, _ := strconv.ParseFloat(strings.Fields(cells[5])[0], 64) // a duration that servebench wrote
		c := cost{
			N: n, Step: strings.TrimPrefix(cells[0], "| "), CPU: each / 1000,
			Note: fmt.Sprintf("median %s, p95 %s", cells[2], cells[3]),
		}
		asks = append(asks, c)
	}
	return g.ended(n, name, s, cmd.ProcessState, time.Since(begin), "", asks...)
}

// print prints all costs, with the growth between the two largest sizes over the growth of the documents.
func (g *grow) print() {
	var steps []string
	for _, c := range g.costs {
		if !slices.Contains(steps, c.Step) {
			steps = append(steps, c.Step)
		}
	}
	fmt.Println("| step | documents | CPU s | slope | peak MiB | slope | disk MB | |\n|---|---|---|---|---|---|---|---|")
	for _, s := range steps {
		var last cost
		for _, c := range g.costs {
			if c.Step != s {
				continue
			}
			work := float64(c.N) / float64(last.N)
			fmt.Printf("| %s | %d | %.3g | %s | %.0f | %s | %.0f | %s |\n", s, c.N, c.CPU,
				slope(c.CPU, last.CPU, work), c.Peak, slope(c.Peak, last.Peak, work), c.Disk, c.Note)
			last = c
		}
	}
}

// slope returns the growth of a cost for each growth of the work: 1 is linear.
func slope(cost, last, work float64) string {
	if last == 0 || cost == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", cost/last/work)
}
