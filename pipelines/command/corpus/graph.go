package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
)

func init() {
	beam.RegisterDoFn(&pieceFn{})
	beam.RegisterDoFn(&gatherFn{})
}

// Options are the settings of a run. They travel to workers as JSON.
type Options struct {
	Output  string
	Corpus  corpora.Options
	Sources []string // the collections
	Workers int      // concurrent pieces of a process; 0 for one per CPU
	Memory  int64    // memory for sorting
	Remote  blob.Options
	// PlugTimeout limits an answer of a plug.
	PlugTimeout time.Duration
	PartOnly    bool   // filter the documents, and do no later step
	Scores      string // folder with the values of plugs, or ""
	TokensFile  string // of a tokenizer; Corpus.Tokens is its hash
	// Workers may write only while the run of this Generation holds the folder. It is empty for the command itself,
	// which has the lock.
	Generation claim.Generation
}

// element travels between the steps. It has names of files and no data.
type element struct {
	Collection string          `json:"collection,omitempty"`
	Shards     []schemas.Shard `json:"shards,omitempty"` // of a unit to be signed
	Key        string          `json:"key,omitempty"`    // of the previous step's output
	Number     int             `json:"number,omitempty"` // of a band or a shard
	Shared     string          `json:"shared,omitempty"` // key of the paragraphs on many hosts
	None       bool            `json:"none,omitempty"`   // a placeholder that makes the next step run
}

// Build makes the graph. Each step that does pieces concurrently is followed by one that gathers them in a single
// call:
//
//	Create(units) → [Reshuffle → lines → common] → Reshuffle → sign → exact →
//	Reshuffle → band → unite → Reshuffle → shard → finish
func Build(s beam.Scope, o Options, units []element) error {
	s = s.Scope("corpus")
	rows, err := run.EncodeRows(append(units, element{None: true}))
	if err != nil {
		return err
	}
	list := beam.CreateList(s, rows)
	steps := []struct{ pieces, gather string }{
		{"lines", "common"}, {"sign", "exact"}, {"band", "unite"}, {"shard", "finish"},
	}
	if o.Corpus.Paragraphs == 0 {
		steps = steps[1:]
	}
	for _, step := range steps {
		// Without Reshuffle a runner may do all pieces where it made their list.
		pieces := beam.ParDo(s.Scope(step.pieces), &pieceFn{Options: o, Step: step.pieces}, beam.Reshuffle(s, list))
		if o.PartOnly {
			return nil
		}
		list = beam.ParDo(s.Scope(step.gather), &gatherFn{Options: o, Step: step.gather},
			beam.GroupByKey(s, beam.AddFixedKey(s, pieces)))
	}
	return nil
}

// steps opens the folder of the corpus. Sorting uses unnamed temporary files, because a killed run would leave a
// folder of them.
func (o Options) steps(ctx context.Context, store *blob.Store) *corpora.Steps {
	s := &corpora.Steps{Out: o.Generation.Guard(folder.Open(ctx, o.Output, store)), Options: o.Corpus}
	s.Options.Memory = int(o.Memory)
	s.Open = func(ctx context.Context, name string) folder.Folder { return folder.Open(ctx, name, store) }
	return s
}

// pieceFn does one piece per element, several at the same time.
type pieceFn struct {
	Options Options
	Step    string

	// Made on the worker.
	store  *blob.Store
	bundle *run.Bundle
}

// Setup makes the store of a worker.
func (f *pieceFn) Setup() { f.store = blob.New(f.Options.Remote) }

// Teardown closes the store.
func (f *pieceFn) Teardown() error { return f.store.Close() }

// StartBundle begins a bundle.
func (f *pieceFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle = run.NewBundle(ctx, cli.Workers(f.Options.Workers))
}

// ProcessElement starts a piece once fewer than Workers are under way, and emits the rows of finished ones.
func (f *pieceFn) ProcessElement(ctx context.Context, row []byte, emit func([]byte)) error {
	var e element
	if err := json.Unmarshal(row, &e); err != nil {
		return err
	}
	// After an error the runner repeats the bundle, which finds finished pieces by their names.
	return f.bundle.Start(run.Counting(ctx, "corpus", emit), func(ctx context.Context) ([]byte, error) {
		left, err := f.piece(ctx, e)
		if err != nil {
			return nil, err
		}
		return json.Marshal(left)
	})
}

// FinishBundle waits for the remaining pieces.
func (f *pieceFn) FinishBundle(ctx context.Context, emit func([]byte)) error {
	return f.bundle.Finish(run.Counting(ctx, "corpus", emit))
}

func (f *pieceFn) piece(ctx context.Context, e element) (left element, err error) {
	if e.None {
		return e, nil
	}
	s := f.Options.steps(ctx, f.store)
	defer func() { err = errors.Join(err, s.Out.Close()) }()
	switch f.Step {
	case "lines":
		if err := f.prepare(s); err != nil {
			return left, err
		}
		in := folder.Open(ctx, e.Collection, f.store)
		// The unit continues to the step sign, with the common paragraphs.
		e.Key, err = s.Lines(ctx, holdings.Part{Folder: in, Shards: e.Shards})
		return e, errors.Join(err, in.Close())
	case "sign":
		if err := f.prepare(s); err != nil {
			return left, err
		}
		s.Shared = e.Shared
		in := folder.Open(ctx, e.Collection, f.store)
		if f.Options.Scores != "" {
			s.Scores = folder.Open(ctx, f.Options.Scores, f.store)
			defer func() { err = errors.Join(err, s.Scores.Close()) }()
		}
		signed, err := s.Sign(ctx, holdings.Part{Folder: in, Shards: e.Shards})
		cli.Live.Captures.Add(signed.Counts.Documents)
		return element{Key: signed.Key}, errors.Join(err, in.Close())
	case "band":
		return e, s.Band(ctx, e.Key, e.Number)
	case "shard":
		_, err := s.Shard(ctx, e.Key, e.Number)
		return e, err
	}
	return left, fmt.Errorf("corpus: no step %q", f.Step)
}

// prepare sets what filters use.
func (f *pieceFn) prepare(s *corpora.Steps) (err error) {
	if s.Tools, err = f.Options.tools(); err != nil {
		return err
	}
	s.Tools.Hosts, err = hostsOf(s)
	return err
}

// gatherFn does a step that needs all pieces, which share one key.
type gatherFn struct {
	Options Options
	Step    string
}

// ProcessElement gathers. If a runner lost the result and repeats the call, it finds its earlier output.
func (f *gatherFn) ProcessElement(ctx context.Context, _ int, rows func(*[]byte) bool, emit func([]byte)) (err error) {
	// An interrupt waits, so that nothing half done remains.
	defer cli.Hold()()
	var elements []element
	if elements, err = run.DecodeRows[element](rows); err != nil {
		return err
	}
	store := blob.New(f.Options.Remote)
	s := f.Options.steps(ctx, store)
	defer func() { err = errors.Join(err, s.Out.Close(), store.Close()) }()
	next, err := f.gather(ctx, s, elements)
	if err != nil {
		return err
	}
	for _, e := range next {
		row, err := json.Marshal(e)
		if err != nil {
			return err
		}
		emit(row)
	}
	return nil
}

func (f *gatherFn) gather(ctx context.Context, s *corpora.Steps, elements []element) (next []element, err error) {
	var keys []string
	for _, e := range elements {
		if e.Key != "" {
			keys = append(keys, e.Key)
		}
	}
	switch f.Step {
	case "common":
		shared, err := s.Common(ctx, keys)
		for i := range elements {
			elements[i].Key, elements[i].Shared = "", shared
		}
		return elements, err
	case "exact":
		n, err := s.Exact(ctx, keys)
		if err != nil {
			return nil, err
		}
		// The additional piece passes the key on if there are no bands to compare.
		next = []element{{Key: n.Key, None: true}}
		for band := 0; n.Near && band < minhash.NumBands; band++ {
			next = append(next, element{Key: n.Key, Number: band})
		}
		return next, nil
	case "unite":
		p, err := s.Unite(ctx, keys[0])
		if err != nil {
			return nil, err
		}
		next = []element{{Key: p.Key, None: true}}
		for i := range p.Shards {
			next = append(next, element{Key: p.Key, Number: i})
		}
		return next, nil
	}
	_, err = s.Finish(ctx, keys[0], f.Options.Sources)
	return nil, err
}
