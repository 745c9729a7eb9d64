package meaningindex

import (
	"iter"
	"time"

	"github.com/gleaner-web/gleaner/transforms/meaning"
)

// Near is a document with the score of its nearest passage.
type Near struct {
	Shard  string
	Row    int64
	Place  uint64  // imageindex.Place
	Period int     // of its time
	Score  float64 // as in Hit
}

// NoScore is the score of a document without a vector: no cosine is so low in practice.
const NoScore = -1

// Near yields all documents that q allows, by shard and row. Period returns the number of a document's period; its
// time is zero if unknown. Of the captures of a page in a period, only the newest is yielded, unless AllVersions is
// set. Each passage is compared by its numbers, so no document is missed. Limit does not matter.
func (x *Index) Near(q Query, period func(time.Time) int) iter.Seq[Near] {
	return func(yield func(Near) bool) {
		v := meaning.Quantize(q.Vector)
		all := q
		all.AllVersions = true
		sets := x.allowed(&all)
		periods := x.periods(sets, period)
		if !q.AllVersions {
			x.keepNewestOf(sets, periods)
		}
		for i, p := range x.parts {
			scores := p.scores(v, sets[i])
			for k := range each(sets[i]) {
				d := &p.documents[k]
				if !yield(Near{x.shards[i].Name, int64(d.row), d.place, int(periods[i][k]), scores[k]}) {
					return
				}
			}
		}
	}
}

// periods returns the period of each document in sets.
func (x *Index) periods(sets [][]uint64, period func(time.Time) int) [][]int32 {
	list := make([][]int32, len(x.parts))
	for i, p := range x.parts {
		list[i] = make([]int32, len(p.documents))
		for k := range each(sets[i]) {
			var t time.Time
			if n := p.documents[k].time; n != 0 {
				t = time.UnixMicro(n).UTC()
			}
			list[i][k] = int32(period(t))
		}
	}
	return list
}

// keepNewestOf leaves one document of each page in each period.
func (x *Index) keepNewestOf(sets [][]uint64, periods [][]int32) {
	type key struct {
		page   uint32
		period int32
	}
	type version struct{ part, document int }
	best := map[key]version{}
	for i, p := range x.parts {
		for k := range each(sets[i]) {
			d := &p.documents[k]
			at := key{d.page, periods[i][k]}
			b, has := best[at]
			if has && d.time <= x.parts[b.part].documents[b.document].time {
				sets[i][k/64] &^= 1 << (k % 64)
				continue
			}
			if has {
				sets[b.part][b.document/64] &^= 1 << (b.document % 64)
			}
			best[at] = version{i, k}
		}
	}
}

// scores returns the score of each document of a set: that of its nearest passage, or NoScore.
func (p *part) scores(v meaning.Quantized, set []uint64) []float64 {
	scores := make([]float64, len(p.documents))
	const run = 1 << 10 // documents that a goroutine compares at once
	parallel((len(p.documents)+run-1)/run, func(i int) {
		for k := i * run; k < min((i+1)*run, len(p.documents)); k++ {
			scores[k] = NoScore
			if set[k/64]>>(k%64)&1 == 1 && len(v.Values) == p.dim {
				scores[k] = p.best(v, k)
			}
		}
	})
	return scores
}

// best returns the score of a document's nearest passage.
func (p *part) best(v meaning.Quantized, document int) float64 {
	most := float64(NoScore)
	for k := int(p.documents[document].first); k < p.end(document); k++ {
		most = max(most, p.score(v, k))
	}
	return most
}
