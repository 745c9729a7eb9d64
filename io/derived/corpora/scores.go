package corpora

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// Scored is a line of a file of scores: the values of a plug for a document.
type Scored struct {
	Key      string              `json:"key"` // a hash of the capture, and of the text that the plug was given
	URL      string              `json:"url"`
	Date     string              `json:"date"`
	Filename string              `json:"filename"`
	Offset   int64               `json:"offset"`
	Values   map[string][]string `json:"values"` // by column
}

// scores are the values of a plug for the documents of a unit. The plug is only asked for others.
type scores struct {
	name    string
	columns []string // with their types: edu:float
	known   map[string]Scored
	changed bool
}

// remember makes tools whose plugs keep their values in Steps.Scores.
func (w *signer) remember(ctx context.Context, unit holdings.Part) filter.Tools {
	tools := w.s.Tools
	if w.s.Scores == nil {
		return tools
	}
	ask := tools.Plug
	var versions []string // of the plugs until here: a plug may read what an earlier one has set
	tools.Plug = func(command string) (filter.Score, error) {
		score, err := ask(command)
		if err != nil {
			return score, err
		}
		x := &scores{columns: w.s.Options.Recipe.PlugColumns(command), known: map[string]Scored{}}
		versions = append(versions, w.s.Options.Recipe.PlugVersion(command))
		x.name = "scores-" + keyOf("scores", versions, sumsOf(unit)) + ".jsonl.zst"
		w.scores = append(w.scores, x)
		return filter.Score{Batch: score.Batch, Set: x.asking(score)}, w.s.readScores(ctx, x)
	}
	return tools
}

// sumsOf returns the hashes of a unit's documents.
func sumsOf(unit holdings.Part) (sums []string) {
	for _, shard := range unit.DocumentShards() {
		sums = append(sums, shard.SHA256)
	}
	return sums
}

// asking sets known values, and asks the plug for others. Failures are not kept: the next run asks again.
func (x *scores) asking(score filter.Score) func([]*schemas.Document, []string) []error {
	return func(documents []*schemas.Document, texts []string) []error {
		errs := make([]error, len(documents))
		var asked []int
		var unknown []*schemas.Document
		var theirs, keys []string
		for i, d := range documents {
			key := scoreKey(d, texts[i])
			if known, ok := x.known[key]; ok {
				errs[i] = x.set(d, known)
				continue
			}
			asked, unknown = append(asked, i), append(unknown, d)
			theirs, keys = append(theirs, texts[i]), append(keys, key)
		}
		if len(unknown) == 0 {
			return errs
		}
		for i, err := range score.Set(unknown, theirs) {
			if errs[asked[i]] = err; err == nil {
				x.known[keys[i]], x.changed = x.of(keys[i], unknown[i]), true
			}
		}
		return errs
	}
}

// scoreKey returns a hash of the capture, and of the text that the plug is given.
func scoreKey(d *schemas.Document, text string) string {
	h := captureHash(d.URL, d.Timestamp, d.Filename, d.Offset, d.Sequence)
	_, _ = io.WriteString(h, text) // a hash returns no error
	return hex.EncodeToString(h.Sum(nil)[:idBytes])
}

// of returns the values that the plug has set.
func (x *scores) of(key string, d *schemas.Document) Scored {
	v := Scored{key, d.URL, d.Timestamp, d.Filename, d.Offset, map[string][]string{}}
	for _, column := range x.columns {
		name, _, _ := strings.Cut(column, ":")
		if list := d.CustomTexts(name); list != nil {
			v.Values[name] = list
		}
	}
	return v
}

func (x *scores) set(d *schemas.Document, known Scored) error {
	for _, column := range x.columns {
		name, t, _ := strings.Cut(column, ":")
		d.DropCustom(name) // a stored value of another plug
		if err := d.SetCustom(name, schemas.ValueType(t), known.Values[name]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Steps) readScores(ctx context.Context, x *scores) (err error) {
	in, err := s.Scores.Open(x.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, err := jsonl.NewReader(in)
	if err != nil {
		return err
	}
	for line, err := range r.All() {
		var v Scored
		if err == nil {
			err = json.Unmarshal(line, &v)
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		x.known[v.Key] = v
	}
	return nil
}

// writeScores writes the scores of a unit, sorted.
func (s *Steps) writeScores(x *scores) error {
	if !x.changed {
		return nil
	}
	var b bytes.Buffer
	w, err := jsonl.NewWriter(&b, jsonl.Zstd)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(x.known)) {
		if err := w.Write(x.known[key]); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := s.Scores.Make(""); err != nil {
		return err
	}
	return s.Scores.Write(x.name, b.Bytes())
}
