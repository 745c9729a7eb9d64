// Command scanbench answers twelve queries on a collection's Parquet shards with parquetscan and with DuckDB. It
// compares the rows and the CPU time of one thread. docs/benchmarks.md has the results.
//
//	go run ./.tools/rows -from out -n 1000000 -output rows-1m
//	go run ./.tools/scanbench -python venv/bin/python rows-1m
//
// After the first of several rounds, both have footers in memory and files in the system's cache. Documents have an
// answer's columns: URL, time, title, file and offset.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// question is a query in both languages.
type question struct {
	Name  string `json:"name"`
	SQL   string `json:"sql"`
	where query.Expr
}

var columns = []string{"filename", "offset", "url", "timestamp", "title"}

const selected = `SELECT filename, "offset", url, timestamp, title FROM documents WHERE `

func main() {
	python := flag.String("python", "python3", "a Python with duckdb; empty: DuckDB is not asked")
	rounds := flag.Int("rounds", 7, "how often each query is asked; the median counts")
	only := flag.String("only", "", "ask the queries alone whose names have this")
	profile := flag.String("profile", "", "write a profile of our part to this file")
	once := flag.Bool("cold", false, "ask for French PDFs in March once, in this new process; the second run has outlines")
	flag.Parse()
	ask := cold
	if !*once {
		ask = func(dir string) error { return run(dir, *python, *only, *profile, *rounds) }
	}
	if err := ask(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "scanbench:", err)
		os.Exit(1)
	}
}

func run(dir, python, only, profile string, rounds int) error {
	runtime.GOMAXPROCS(1)
	before := cputime.Self().Seconds()
	s, err := openAll(filepath.Join(dir, "documents-*.parquet"))
	if err != nil {
		return err
	}
	fmt.Printf("%d files, %d rows; footers %.1f ms\n", len(s.files), s.rows(), (cputime.Self().Seconds()-before)*1e3)
	list, err := questions(s)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(q question) bool { return !strings.Contains(q.Name, only) })
	if profile != "" {
		out, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
		if err := pprof.StartCPUProfile(out); err != nil {
			return err
		}
	}
	ours := make([]result, len(list))
	for i, q := range list {
		if ours[i], err = s.ask(q, rounds); err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
		fmt.Printf("%-22s %7d rows %9.2f ms\n", q.Name, len(ours[i].Rows), ours[i].Seconds*1e3)
	}
	if python == "" {
		return nil
	}
	return compare(list, ours, filepath.Join(dir, "documents-*.parquet"), python, rounds)
}

// result is the answer to a question.
type result struct {
	Name    string   `json:"name"`
	Seconds float64  `json:"seconds"` // of the processor, the median of the rounds
	Rows    []string `json:"rows"`    // sorted
}

// compare asks DuckDB and prints both results.
func compare(list []question, ours []result, files, python string, rounds int) error {
	input, err := json.Marshal(list)
	if err != nil {
		return err
	}
	cmd := exec.Command(python, ".tools/scanbench/duck.py", files, fmt.Sprint(rounds))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	fmt.Println("| query | rows | ours, ms | DuckDB, ms | ours/DuckDB |\n|---|---|---|---|---|")
	d := json.NewDecoder(bytes.NewReader(out))
	different := 0
	for i := range list {
		var theirs result
		if err := d.Decode(&theirs); err != nil {
			return err
		}
		note := ""
		if !slices.Equal(ours[i].Rows, theirs.Rows) {
			different++
			note = fmt.Sprintf(" **other rows: %d**", len(theirs.Rows))
		}
		fmt.Printf("| %s | %d%s | %.1f | %.1f | %.2f |\n", list[i].Name, len(ours[i].Rows), note,
			ours[i].Seconds*1e3, theirs.Seconds*1e3, ours[i].Seconds/theirs.Seconds)
	}
	if different > 0 {
		return fmt.Errorf("%d queries with other rows", different)
	}
	return nil
}

// shards are the open files of a collection.
type shards struct{ files []*parquetscan.File }

func openAll(pattern string) (*shards, error) {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no files %s: %w", pattern, err)
	}
	s := &shards{}
	for _, name := range names {
		in, err := os.Open(name) // open until the program ends
		if err != nil {
			return nil, err
		}
		info, err := in.Stat()
		if err != nil {
			return nil, err
		}
		f, err := parquetscan.Open(in, info.Size(), parquetscan.Options{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.files = append(s.files, f)
	}
	return s, nil
}

func (s *shards) rows() (n int64) {
	for _, f := range s.files {
		n += f.NumRows()
	}
	return n
}

// ask answers a question several times.
func (s *shards) ask(q question, rounds int) (result, error) {
	r := result{Name: q.Name}
	var times []float64
	for range rounds {
		r.Rows = r.Rows[:0]
		before := cputime.Self().Seconds()
		for _, f := range s.files {
			for row, err := range f.Rows(context.Background(), q.where, columns) {
				if err != nil {
					return r, err
				}
				r.Rows = append(r.Rows, fmt.Sprintf("%s %d", row.Document.Filename, row.Document.Offset))
			}
		}
		times = append(times, cputime.Self().Seconds()-before)
	}
	slices.Sort(times)
	slices.Sort(r.Rows)
	r.Seconds = times[len(times)/2]
	return r, nil
}
