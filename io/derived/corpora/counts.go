package corpora

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// Counts are numbers of documents and their fate.
type Counts struct {
	Documents  int64              `json:"documents"` // read, or for a shard those that reached it
	Kept       int64              `json:"kept"`
	Bytes      int64              `json:"bytes"`                // of kept texts, UTF-8
	Paragraphs int64              `json:"paragraphs,omitempty"` // removed because many hosts have them
	Reasons    map[string]*Reason `json:"reasons,omitempty"`
	Languages  map[string]*Tally  `json:"languages,omitempty"`
	Hosts      map[string]*Tally  `json:"hosts,omitempty"`
	Licenses   map[string]*Tally  `json:"licenses,omitempty"` // of documents that have one
}

// Reason counts what a filter or a kind of duplicate has refused.
type Reason struct {
	Documents int64            `json:"documents"`
	Languages map[string]int64 `json:"languages"`
	Examples  []Example        `json:"examples"`
}

// Example is a refused document.
type Example struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

// examples is the number of examples for a reason: those with the smallest IDs, so that they only depend on the data.
const examples = 5

// Tally counts the documents of a language or a host.
type Tally struct {
	Documents int64            `json:"documents"`
	Kept      int64            `json:"kept"`
	Bytes     int64            `json:"bytes"`
	Refused   map[string]int64 `json:"refused,omitempty"`
	// Lengths are kept documents by the length of their texts: element i counts lengths from 2^i to below twice that.
	Lengths []int64 `json:"lengths,omitempty"`
}

// count counts a document, as kept if reason is empty.
func (c *Counts) count(r *Row, reason string) {
	c.Documents++
	size := int64(len(r.Text))
	if reason == "" {
		c.Kept++
		c.Bytes += size
	} else {
		put(&c.Reasons, reason).add(r, reason)
	}
	put(&c.Languages, r.Language).add(size, reason)
	put(&c.Hosts, r.Host).add(size, reason)
	if r.License != "" {
		put(&c.Licenses, r.License).add(size, reason)
	}
}

func put[T any](m *map[string]*T, key string) *T {
	if *m == nil {
		*m = map[string]*T{}
	}
	if (*m)[key] == nil {
		(*m)[key] = new(T)
	}
	return (*m)[key]
}

func (x *Reason) add(r *Row, _ string) {
	x.Documents++
	if x.Languages == nil {
		x.Languages = map[string]int64{}
	}
	x.Languages[r.Language]++
	x.show(Example{r.ID, r.URL})
}

func (x *Reason) show(list ...Example) {
	x.Examples = append(x.Examples, list...)
	slices.SortFunc(x.Examples, func(a, b Example) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.URL, b.URL))
	})
	x.Examples = x.Examples[:min(len(x.Examples), examples)]
}

func (t *Tally) add(size int64, reason string) {
	t.Documents++
	if reason != "" {
		if t.Refused == nil {
			t.Refused = map[string]int64{}
		}
		t.Refused[reason]++
		return
	}
	t.Kept++
	t.Bytes += size
	t.Lengths = addLog2(t.Lengths, size)
}

// addLog2 counts n in a histogram of powers of 2.
func addLog2(h []int64, n int64) []int64 {
	i := max(bits.Len64(uint64(n))-1, 0)
	for len(h) <= i {
		h = append(h, 0)
	}
	h[i]++
	return h
}

// merge adds the counts of other documents.
func (t *Tally) merge(o *Tally) {
	t.Documents, t.Kept, t.Bytes = t.Documents+o.Documents, t.Kept+o.Kept, t.Bytes+o.Bytes
	for reason, n := range o.Refused {
		if t.Refused == nil {
			t.Refused = map[string]int64{}
		}
		t.Refused[reason] += n
	}
	for i, n := range o.Lengths {
		for len(t.Lengths) <= i {
			t.Lengths = append(t.Lengths, 0)
		}
		t.Lengths[i] += n
	}
}

// refused returns the part of a tally that filters have refused: the shard counts the others.
func (t *Tally) refused() *Tally {
	return &Tally{Documents: t.Documents - t.Kept, Refused: maps.Clone(t.Refused)}
}

// merge adds other counts, without their hosts.
func (c *Counts) merge(o *Counts, filtered bool) {
	c.Paragraphs += o.Paragraphs
	documents, kept, size := o.Documents, o.Kept, o.Bytes
	if filtered {
		documents, kept, size = o.Documents-o.Kept, 0, 0
	}
	c.Documents, c.Kept, c.Bytes = c.Documents+documents, c.Kept+kept, c.Bytes+size
	for name, r := range o.Reasons {
		x := put(&c.Reasons, name)
		x.Documents += r.Documents
		for language, n := range r.Languages {
			if x.Languages == nil {
				x.Languages = map[string]int64{}
			}
			x.Languages[language] += n
		}
		x.show(r.Examples...)
	}
	mergeTallies(&c.Languages, o.Languages, filtered)
	mergeTallies(&c.Licenses, o.Licenses, filtered)
}

// mergeTallies adds the tallies of other counts.
func mergeTallies(to *map[string]*Tally, from map[string]*Tally, filtered bool) {
	for name, t := range from {
		if filtered {
			t = t.refused()
		}
		put(to, name).merge(t)
	}
}
