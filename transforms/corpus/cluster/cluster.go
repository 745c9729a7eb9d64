// Package cluster joins pairs of documents to clusters, and chooses the document of a cluster that stays.
//
// Documents are numbers from 0. Joining is union-find with path halving (Tarjan and van Leeuwen, 1984). The root is
// always the smallest number of the cluster. So the clusters and their roots do not depend on the order of pairs.
// Memory is four bytes for each document.
package cluster

import "errors"

// Sets are the clusters of documents.
type Sets struct{ parent []uint32 }

// MaxDocuments is the maximum number of documents; it needs 16 GiB of memory.
const MaxDocuments = 1<<32 - 2

// ErrTooMany means more than MaxDocuments.
var ErrTooMany = errors.New("cluster: too many documents")

// New returns n clusters of one document each.
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

// Root returns the smallest document of a document's cluster.
func (s *Sets) Root(i uint32) uint32 {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// Join joins the clusters of two documents.
func (s *Sets) Join(a, b uint32) {
	a, b = s.Root(a), s.Root(b)
	if a < b {
		s.parent[b] = a
	} else {
		s.parent[a] = b
	}
}

// Rule chooses which of several equal documents stays.
type Rule string

// The rules. Ids break ties; they are hashes of content, so that the choice depends only on the data.
const (
	Longest Rule = "longest" // the longest text
	Oldest  Rule = "oldest"  // the earliest capture
	Newest  Rule = "newest"  // the latest capture
	Best    Rule = "best"    // the best quality, then the longest text
)

// Rules returns all rules.
func Rules() []Rule { return []Rule{Longest, Oldest, Newest, Best} }

// Facts are the properties that rules compare.
type Facts struct {
	Bytes   uint32 // of the text
	Time    int64  // of the capture, Unix seconds; 0 if unknown
	Quality uint16 // higher is better
}

// Before reports whether a goes before b by the rule. For equal facts it is false both ways.
func (r Rule) Before(a, b Facts) bool {
	switch r {
	case Oldest:
		// An unknown time is not early.
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
