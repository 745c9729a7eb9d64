// Package cluster joins pairs of documents to clusters, and says which document of a cluster stays.
//
// Documents are numbers from 0. Joining is union-find with path halving (Tarjan and van Leeuwen, 1984), whose root is
// always the smallest number of the cluster: so the clusters, and their roots, depend on the pairs alone and not on
// their order. Memory is four bytes a document, whatever the sizes of clusters.
package cluster

import "errors"

// Sets are the clusters of documents.
type Sets struct{ parent []uint32 }

// MaxDocuments is how many documents can be told apart; 16 GiB of memory are used for as many.
const MaxDocuments = 1<<32 - 2

// ErrTooMany is more than MaxDocuments.
var ErrTooMany = errors.New("cluster: too many documents")

// New makes a cluster of each of n documents.
func New(n int64) (*Sets, error) {
	if n > MaxDocuments {
		return nil, ErrTooMany
	}
	s := &Sets{make([]uint32, n)}
	for i := range s.parent {
		s.parent[i] = uint32(i)
	}
	return s, nil
}

// Root is the smallest document of a document's cluster.
func (s *Sets) Root(i uint32) uint32 {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// Join makes one cluster of those of two documents.
func (s *Sets) Join(a, b uint32) {
	a, b = s.Root(a), s.Root(b)
	if a < b {
		s.parent[b] = a
	} else {
		s.parent[a] = b
	}
}

// Rule says which of several equal documents stays.
type Rule string

// The rules. Documents that a rule finds equal are told apart by their ids, which are hashes of what they are: so the
// choice depends on the data alone.
const (
	Longest Rule = "longest" // the longest text
	Oldest  Rule = "oldest"  // the earliest capture
	Newest  Rule = "newest"  // the latest capture
	Best    Rule = "best"    // the best quality, then the longest text
)

// Rules are all rules.
func Rules() []Rule { return []Rule{Longest, Oldest, Newest, Best} }

// Facts are what rules look at.
type Facts struct {
	Bytes   uint32 // of the text
	Time    int64  // of the capture, Unix seconds; 0 when it is not known
	Quality uint16 // the greater the better
}

// Before reports whether by the rule a goes before b; neither goes before the other when they are equal to it.
func (r Rule) Before(a, b Facts) bool {
	switch r {
	case Oldest:
		// A time that is not known is not early.
		return a.Time != 0 && (b.Time == 0 || a.Time < b.Time)
	case Newest:
		return a.Time > b.Time
	case Best:
		if a.Quality != b.Quality {
			return a.Quality > b.Quality
		}
	}
	return a.Bytes > b.Bytes
}
