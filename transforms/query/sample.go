package query

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// million is the unit of shares, so that small shares are whole numbers.
const million = 1_000_000

// ParseShare parses a share of all pages, "1%" or "0.01", as parts in a million; 0 means all.
func ParseShare(s string) (parts int64, err error) {
	number, percent := strings.CutSuffix(s, "%")
	share, err := strconv.ParseFloat(number, 64)
	if percent {
		share /= 100
	}
	// The result is rounded, as 0.01% is not exact in binary.
	parts = int64(math.Round(share * million))
	// The condition is written so that NaN fails it.
	if err != nil || !(share > 0 && share <= 1) || parts == 0 {
		return 0, fmt.Errorf("%q is not a share of all pages, from 0.0001%% to 100%%, as in 1%%", clip(s))
	}
	if parts == million {
		return 0, nil
	}
	return parts, nil
}

// InSample reports whether a page, by its SURT, is in the sample of that many parts in a million of all pages; 0 means
// all. The result is the same in every collection and at any time. A larger sample contains all of a smaller one.
func InSample(surt string, parts int64) bool {
	return parts == 0 || xxhash.Sum64String(surt) <= uint64(float64(parts)/million*math.MaxUint64)
}

// Share accepts the pages of a sample. It has no form in the grammar; use Query.Sample.
type Share struct{ Parts int64 } // see InSample

func (*Share) sealed() {}

// String names the sample. Parse does not accept it: there is no field sample.
func (s *Share) String() string { return fmt.Sprintf("(sample: %d in a million)", s.Parts) }

// Sampled returns the query with its sample as a part of its filter. Either all captures of a page pass it or none. So
// the newest capture of a page is the same in a sample.
func (q Query) Sampled() Query {
	if q.Sample > 0 && q.Sample < million {
		q.Where = conjunction(append(conjuncts(q.Where, nil), &Share{q.Sample}))
	}
	q.Sample = 0
	return q
}
