package schemas

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// Hosts says how many hosts documents are of, and of which hosts most are. It is made by [HostCounter].
type Hosts struct {
	// Distinct is the number of hosts: exact when Under is 0, and otherwise estimated, with a standard error of 2.3 %.
	Distinct int64 `json:"distinct"`
	// Under is how many documents each number of Top may be too small by, at most. 0: they are exact.
	Under int64 `json:"under,omitempty"`
	// Top has the most frequent hosts first, hosts of equal frequency by name. In a unit's row, where Under is 0, it has
	// all.
	Top []HostCount `json:"top"`
	// Sketch is what Distinct was estimated from: the registers of [HostCounter]. Units' rows have it where Under is not
	// 0, the manifest has none.
	Sketch []byte `json:"sketch,omitempty"`
}

// HostCount is how many documents are of a host.
type HostCount struct {
	Host      string `json:"host"`
	Documents int64  `json:"documents"`
}

// HostCounter counts documents by host in bounded memory: it holds at most 2*limit hosts, and which ones depends only
// on the added documents and their order. Counters of parts add up to one of the whole.
//
// The frequent hosts are those of Misra and Gries ("Finding repeated elements", 1982): when there are too many, what
// the first one after the limit has is taken from each, and those that have nothing left are forgotten. Each time that
// takes so much from more than limit hosts, so of n documents no host loses more than n/limit. Counters are merged as
// by Agarwal et al. ("Mergeable summaries", 2012). How many hosts there are is recognised by a HyperLogLog sketch of
// 2,048 registers, read by the estimator of Ertl ("New cardinality estimation algorithms for HyperLogLog sketches",
// 2017), which needs no corrections for few or many.
type HostCounter struct {
	limit     int
	counts    map[string]int64
	under     int64
	registers []byte // the most leading zeros of hashes that begin with the register's number, and 1; 0 for no hash
}

// NewHostCounter returns a counter that is exact for up to 2*limit hosts.
func NewHostCounter(limit int) *HostCounter {
	return &HostCounter{limit: limit, counts: map[string]int64{}, registers: make([]byte, 1<<hostBits)}
}

// hostBits is how many bits of a hash say which register it is of: the standard error is 1.04/sqrt(2^hostBits).
const hostBits = 11

// Add counts n documents of host. Those of no host are not counted.
func (c *HostCounter) Add(host string, n int64) {
	if host == "" {
		return
	}
	if _, known := c.counts[host]; !known {
		c.sketch(host)
	}
	c.counts[host] += n
	c.prune()
}

// sketch notes host in its register.
func (c *HostCounter) sketch(host string) {
	sum := sha256.Sum256([]byte(host))
	hash := binary.BigEndian.Uint64(sum[:])
	zeros := bits.LeadingZeros64(hash<<hostBits | 1<<(hostBits-1)) // of the bits after the register's number
	at := hash >> (64 - hostBits)
	c.registers[at] = max(c.registers[at], byte(zeros+1))
}

// prune keeps at most limit hosts when there are more than twice as many.
func (c *HostCounter) prune() {
	if len(c.counts) <= 2*c.limit {
		return
	}
	all := make([]int64, 0, len(c.counts))
	for _, n := range c.counts {
		all = append(all, n)
	}
	slices.SortFunc(all, func(x, y int64) int { return cmp.Compare(y, x) })
	least := all[c.limit]
	for host, n := range c.counts {
		if c.counts[host] = n - least; n <= least {
			delete(c.counts, host)
		}
	}
	c.under += least
}

// Merge adds what another counter has told, with its Sketch where it has one.
func (c *HostCounter) Merge(o Hosts) {
	for _, h := range o.Top {
		c.sketch(h.Host)
		c.counts[h.Host] += h.Documents
	}
	if len(o.Sketch) == len(c.registers) {
		for i, zeros := range o.Sketch {
			c.registers[i] = max(c.registers[i], zeros)
		}
	}
	c.under += max(0, o.Under)
	c.prune()
}

// All returns what a unit's row holds: all that is needed to merge it. It is nil when nothing was counted.
func (c *HostCounter) All() *Hosts {
	h := c.Top(math.MaxInt)
	if h != nil && h.Under > 0 {
		h.Sketch = slices.Clone(c.registers)
	}
	return h
}

// Top returns the n most frequent hosts, and how many there are; nil when nothing was counted.
func (c *HostCounter) Top(n int) *Hosts {
	if len(c.counts) == 0 && c.under == 0 {
		return nil
	}
	h := &Hosts{Distinct: int64(len(c.counts)), Under: c.under, Top: []HostCount{}}
	if c.under > 0 {
		h.Distinct = max(h.Distinct, c.estimate())
	}
	for host, count := range c.counts {
		h.Top = append(h.Top, HostCount{host, count})
	}
	slices.SortFunc(h.Top, func(x, y HostCount) int {
		return cmp.Or(cmp.Compare(y.Documents, x.Documents), strings.Compare(x.Host, y.Host))
	})
	h.Top = h.Top[:min(n, len(h.Top))]
	return h
}

// estimate is algorithm 6 of Ertl's paper. Conversions keep products from being fused into sums, which some processors
// would round differently.
func (c *HostCounter) estimate() int64 {
	var histogram [256]float64
	for _, zeros := range c.registers {
		histogram[zeros]++
	}
	m, z := float64(len(c.registers)), 0.0
	for k := len(histogram) - 1; k >= 1; k-- {
		z = 0.5 * (z + histogram[k])
	}
	z += float64(m * sigma(histogram[0]/m))
	return int64(math.Round(m * m / (2 * math.Ln2 * z)))
}

// sigma is x plus the sum of x^(2^k) 2^(k-1) over all k from 1.
func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1) // no hash at all
	}
	y, z := 1.0, x
	for {
		x = float64(x * x)
		before := z
		z += float64(x * y)
		if y += y; z == before {
			return z
		}
	}
}
