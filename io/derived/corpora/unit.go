package corpora

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
	"github.com/gleaner-web/gleaner/transforms/corpus/paragraph"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Signed is the result of the step sign for a unit, in files that Key names.
type Signed struct {
	Key     string           `json:"key"`
	Counts  Counts           `json:"counts"`
	Funnel  []filter.Passage `json:"funnel"`           // of the filters
	Refused schemas.Shard    `json:"refused,omitzero"` // refused documents, if they are kept
}

// UnitKey identifies the result of the step sign for a unit: by its bytes, the filters and the versions.
func (s *Steps) UnitKey(unit holdings.Part) string {
	o := s.Options
	sums := sumsOf(unit)
	simhash := slices.Contains(o.Dedup, BySimhash)
	more := []any{}
	if o.Tokens != "" || len(o.Columns) > 0 {
		more = append(more, o.Tokens, o.Columns)
	}
	if o.Hosts != "" {
		more = append(more, "hosts", o.Hosts)
	}
	return keyOf(append([]any{
		"sign", o.versions(), o.Recipe, o.Seed, o.Partition, o.Refused, sums, simhash, o.Text, s.Shared,
	}, more...)...)
}

// Sign filters the documents of a unit, and writes rows and signatures of those that pass.
func (s *Steps) Sign(ctx context.Context, unit holdings.Part) (signed Signed, err error) {
	signed.Key = s.UnitKey(unit)
	if ok, err := done(s.Out, judged(signed.Key), &signed); ok || err != nil {
		return signed, err
	}
	w, err := s.newSigner(ctx, unit)
	if err != nil {
		return signed, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if s.Options.Paragraphs > 0 {
		if w.cuts, err = s.readCuts(unit); err != nil {
			return signed, err
		}
	}
	for d, err := range unit.Documents(ctx) {
		if err == nil {
			err = w.collect(d)
		}
		if err != nil {
			return signed, err
		}
	}
	if err := w.flush(); err != nil {
		return signed, err
	}
	if signed.Refused, err = w.end(signed.Key); err != nil {
		return signed, err
	}
	signed.Counts = w.counts
	for _, x := range w.scores {
		if err := s.writeScores(x); err != nil {
			return signed, err
		}
	}
	signed.Funnel = w.funnel()
	// Written last, which makes the unit done.
	return signed, writeJSON(s.Out, judged(signed.Key), signed)
}

// judged returns the name of a unit's Signed.
func judged(key string) string { return hidden("funnel", key, ".json") }

// signer writes the results for the documents of a unit.
type signer struct {
	s       *Steps
	chain   *filter.Chain
	window  []*filter.Page    // that are judged together; only the first are in use
	waiting int               // pages in use
	bytes   int               // of their texts
	parser  page.Parser       // for Markdown
	cuts    map[uint64]uint64 // shared paragraphs, and their owners
	maker   minhash.Maker
	counts  Counts
	rows    *extsort.Sorter
	signs   *extsort.Sorter
	refused *jsonl.Writer
	file    *output
	stage   *stage
	list    *records
	key     []byte
	value   []byte
	words   []byte // room for hashOfText
	form    *form
	scores  []*scores      // of the recipe's plugs
	shared  filter.Passage // of shared paragraphs
	mark    filter.Passage // of Markdown
}

func (s *Steps) newSigner(ctx context.Context, unit holdings.Part) (w *signer, err error) {
	w = &signer{s: s, rows: s.sorter(), signs: s.sorter(), form: s.Options.form()}
	w.shared.Step, w.mark.Step = "paragraphs", TextMarkdown
	if w.chain, err = s.Options.Recipe.Chain(w.remember(ctx, unit)); err != nil {
		return w, err
	}
	if w.stage, err = createStage(s.Out); err != nil {
		return w, err
	}
	if w.list, err = createRecords(s.Out); err != nil || !s.Options.Refused {
		return w, err
	}
	if err := s.Out.Make(refusedDir); err != nil {
		return w, err
	}
	if w.file, err = create(s.Out); err == nil {
		w.refused, err = jsonl.NewWriter(w.file, jsonl.Zstd)
	}
	return w, err
}

func (w *signer) add(p *filter.Page, reason string) error {
	d := p.Doc
	row, plain := newRow(p), p.Text
	if w.s.Options.Text == TextMarkdown && reason == "" {
		w.render(p, &row)
	}
	if len(w.s.Options.Columns) > 0 {
		var err error
		if row.Extra, err = valuesOf(d, w.s.Options.Columns); err != nil {
			return err
		}
	}
	order := identify(&row, d.Sequence, w.s.Options.Seed)
	w.counts.count(&row, reason)
	if reason != "" {
		if w.refused == nil {
			return nil
		}
		// The original text: removals by a filter say little about why another one refused the rest.
		row.Text = d.Text
		record, err := w.form.record(&row, reason)
		return errors.Join(err, w.refused.Write(record))
	}
	w.key = append(append(append(w.key[:0], w.s.Options.Partition.of(&row)...), 0), order[:]...)
	w.value = row.append(w.value[:0])
	if err := w.rows.Add(w.key, w.value); err != nil {
		return err
	}
	sig := w.sign(d, &row, plain)
	w.value = sig.append(w.value[:0])
	return w.signs.Add(w.key, w.value)
}

// share removes what the page shares with many hosts. It returns why the page is refused, or "".
func (w *signer) share(p *filter.Page) (reason string) {
	if w.s.Options.Paragraphs == 0 {
		return ""
	}
	w.shared.In = w.shared.In.Plus(p.Flow())
	text, removed := w.cut(p.Doc, p.Doc.Text)
	w.counts.Paragraphs += int64(removed)
	p.SetText(text)
	if removed > 0 && strings.TrimSpace(text) == "" {
		return "paragraphs/all"
	}
	w.shared.Out = w.shared.Out.Plus(p.Flow())
	return ""
}

// render makes the text of a row Markdown.
func (w *signer) render(p *filter.Page, r *Row) {
	in := p.Flow()
	r.Text = cmp.Or(w.markdown(p.Doc), r.Text)
	if p.Count != nil {
		r.Tokens = int64(p.Count(r.Text))
	}
	w.mark.In, w.mark.Out = w.mark.In.Plus(in), w.mark.Out.Plus(r.flow())
}

// funnel returns the steps that the documents went through.
func (w *signer) funnel() (list []filter.Passage) {
	if w.s.Options.Paragraphs > 0 {
		list = append(list, w.shared)
	}
	list = append(list, w.chain.Funnel()...)
	if w.s.Options.Text == TextMarkdown {
		list = append(list, w.mark)
	}
	return list
}

// cut removes shared paragraphs that another document keeps.
func (w *signer) cut(d *schemas.Document, text string) (left string, removed int) {
	if len(w.cuts) == 0 {
		return text, 0
	}
	own := w.s.owner(d)
	return paragraph.Remove(text, func(hash uint64) bool {
		keeper, ok := w.cuts[hash]
		return ok && keeper != own
	})
}

func (w *signer) end(key string) (refused schemas.Shard, err error) {
	if err := w.rows.Merge(w.stage.add); err != nil {
		return refused, err
	}
	if err := w.stage.end(hidden("texts", key, ".bin")); err != nil {
		return refused, err
	}
	if err := w.signs.Merge(w.list.add); err != nil {
		return refused, err
	}
	if err := w.list.end(hidden("signs", key, ".bin")); err != nil || w.refused == nil {
		return refused, err
	}
	if err := w.refused.Close(); err != nil {
		return refused, err
	}
	return w.file.commit(refusedFile(key))
}

func refusedFile(key string) string { return refusedDir + "/filtered-" + key + ".jsonl.zst" }

// close drops unfinished files.
func (w *signer) close() error {
	for _, o := range []*output{outputOf(w.stage), recordsOf(w.list), w.file} {
		if o != nil {
			o.abort()
		}
	}
	return errors.Join(w.rows.Close(), w.signs.Close())
}

func outputOf(s *stage) *output {
	if s == nil {
		return nil
	}
	return s.output
}

func recordsOf(r *records) *output {
	if r == nil {
		return nil
	}
	return r.output
}
