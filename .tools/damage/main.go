// Command damage makes the damaged archives of package damage, and measures what Gleaner, FastWARC and warcio recover
// from them.
//
//	go run ./.tools/damage -peers python3
//	go run ./.tools/damage -kind swap -write /tmp/swapped -verbose
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/internal/damage"
)

func main() {
	var o options
	flag.StringVar(&o.kind, "kind", "", "only `kinds` with this in the case's name")
	flag.StringVar(&o.write, "write", "", "keep the files in this `folder`")
	flag.StringVar(&o.python, "peers", "", "the `python` that has fastwarc and warcio: measure them too")
	flag.StringVar(&o.ingest, "ingest", "", "an ingest `binary` to take the exit code from; default: what its counts say")
	flag.Uint64Var(&o.seed, "seed", 0, "make other files: `number` is added to the seeds")
	flag.BoolVar(&o.verbose, "verbose", false, "tell of each file, and of each page that was missed")
	flag.Parse()
	if err := o.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "damage:", err)
		os.Exit(1)
	}
}

type options struct {
	kind, write, python, ingest string
	seed                        uint64
	verbose                     bool
	peers                       []*peer
}

// row is a kind's line of the table.
type row struct {
	files  int
	ours   damage.Score
	peers  [2]damage.Score
	noted  int // files with exit code 3
	whole  int // other files with all pages delivered: their damage is valid
	faults int // files with inexact accounts
}

func (r *row) add(o row) {
	r.files += o.files
	r.ours.Add(o.ours)
	for i := range r.peers {
		r.peers[i].Add(o.peers[i])
	}
	r.noted += o.noted
	r.whole += o.whole
	r.faults += o.faults
}

func (o *options) run(ctx context.Context) error {
	folder := o.write
	if folder == "" {
		var err error
		if folder, err = os.MkdirTemp("", "damage"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(folder) }() // temporary
	} else if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if o.python != "" {
		var err error
		if o.peers, err = startPeers(ctx, o.python); err != nil {
			return err
		}
	}
	rows := map[string]*row{}
	total := &row{}
	for _, c := range damage.Cases() {
		if !strings.Contains(c.Name, o.kind) {
			continue
		}
		c.Seed += o.seed
		one, err := o.measure(ctx, folder, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if rows[c.Kind] == nil {
			rows[c.Kind] = &row{}
		}
		rows[c.Kind].add(one)
		total.add(one)
	}
	fmt.Println(header)
	for _, kind := range damage.Kinds() {
		if r := rows[kind]; r != nil {
			r.print(kind)
		}
	}
	total.print("**all**")
	for _, p := range o.peers {
		if err := p.close(); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// measure makes a file and reads it.
func (o *options) measure(ctx context.Context, folder string, c damage.Case) (row, error) {
	f := c.Make()
	path := filepath.Join(folder, c.Name+c.Ext())
	if err := os.WriteFile(path, f.Data, 0o644); err != nil {
		return row{}, err
	}
	if o.write == "" {
		defer func() { _ = os.Remove(path) }() // temporary
	}
	got, err := damage.Read(ctx, path, 1<<40)
	if err != nil {
		return row{}, err
	}
	note := func(s string) {
		if o.verbose {
			fmt.Printf("%s: %s\n", c.Name, s)
		}
	}
	r := row{files: 1, ours: f.Score(got.Documents, note)}
	for _, fault := range got.Faults {
		note(fault)
		r.faults = 1
	}
	code, err := o.exitCode(ctx, path, got)
	if err != nil {
		return row{}, err
	}
	switch {
	case code == 3:
		r.noted = 1
	case r.ours.Delivered == r.ours.Untouched && r.ours.Saved == r.ours.Touched:
		r.whole = 1
	}
	for i, p := range o.peers {
		docs, err := p.read(path)
		if err != nil {
			return row{}, err
		}
		r.peers[i] = f.Score(docs, nil)
	}
	note(fmt.Sprintf("%+v, exit %d, lost %d, flags %v, rejects %v",
		r.ours, code, got.Counts.BytesLost, got.Counts.ByFlag, got.Counts.ByReject))
	return r, nil
}

const header = "| damage | files | untouched pages | delivered | touched, saved | wrong, no flag | cannot be known " +
	"| exit 3 | sums wrong | FastWARC | warcio |\n|---|---|---|---|---|---|---|---|---|---|---|"

func (r *row) print(name string) {
	s := r.ours
	fmt.Printf("| %s | %d | %d | %s | %s | %d | %d | %d of %d | %d | %s, %d wrong | %s, %d wrong |\n", name, r.files,
		s.Untouched,
		share(s.Delivered, s.Untouched), share(s.Saved, s.Touched), s.Wrong, s.Unknowable, r.noted, r.files-r.whole, r.faults,
		share(r.peers[0].Delivered, r.peers[0].Untouched), r.peers[0].Wrong+r.peers[0].Unknowable,
		share(r.peers[1].Delivered, r.peers[1].Untouched), r.peers[1].Wrong+r.peers[1].Unknowable)
}

func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(n)/float64(of))
}
