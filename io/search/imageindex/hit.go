package imageindex

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/transforms/picture"
)

// hashIn returns a perceptual hash as a number, or 0 if there is none.
func hashIn(s string) uint64 {
	h, _ := picture.ParseHash(s)
	return h
}

func parseSame(s string) uint64 {
	n, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		return 0
	}
	return n
}

// hits describes groups: their pages, and how many images are similar.
func (s *search) hits(list []*group) []Hit {
	hits := make([]Hit, len(list))
	pages := s.findPages(list)
	similar := s.similar(list)
	for n, g := range list {
		h := Hit{
			Shard: s.x.shards[g.part].Name, Row: int64(g.best.row), Same: fmt.Sprintf("%016x", g.best.same), Captures: g.n,
			Similar: similar[n],
		}
		found := pages[g.best.url]
		slices.SortStableFunc(found, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
		h.Shown = len(found)
		for _, r := range found[:min(maxPages, len(found))] {
			h.Pages = append(h.Pages, r.Page)
		}
		hits[n] = h
	}
	return hits
}

// ranked is a page with the score of its words.
type ranked struct {
	Page
	score uint8
}

// findPages returns the pages that show images of a list, by the numbers of their SURTs.
func (s *search) findPages(list []*group) map[uint32][]ranked {
	pages := map[uint32][]ranked{}
	if len(list) == 0 {
		return pages
	}
	wanted := make([]bool, s.x.urls)
	for _, g := range list {
		wanted[g.best.url] = true
	}
	for n, p := range s.x.parts {
		for k := range p.uses {
			if u := &p.uses[k]; wanted[u.url] && (s.q.May == nil || s.q.May(u.place)) {
				pages[u.url] = append(pages[u.url], ranked{Page{s.x.shards[n].Name, int64(u.row)}, s.score(p, u.words)})
			}
		}
	}
	return pages
}

// similar counts, for each group, the other images that look like it, whatever the query.
func (s *search) similar(list []*group) []int {
	counts := make([]int, len(list))
	// Together in memory, since each is compared with all images.
	var hashes []uint64
	var numbers []int
	for n, g := range list {
		if g.best.hash != 0 {
			hashes, numbers = append(hashes, g.best.hash), append(numbers, n)
		}
	}
	seen := make([]bool, s.x.groups)
	for _, p := range s.x.parts {
		for k := range p.images {
			i := &p.images[k]
			if i.hash == 0 || seen[i.group] {
				continue
			}
			for n, hash := range hashes {
				if bits.OnesCount64(hash^i.hash) > picture.MaxDistance {
					continue
				}
				if s.q.May != nil && !s.q.May(i.place) {
					break
				}
				seen[i.group] = true
				if at := numbers[n]; list[at].best.group != i.group {
					counts[at]++
				}
			}
		}
	}
	return counts
}
