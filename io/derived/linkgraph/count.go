package linkgraph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
)

// counter counts links between names by year. What does not fit into memory waits in a sorted file; the names do, of
// which there are far fewer.
type counter struct {
	limit  int              // entries of counts, after which they are spilled
	most   int              // names
	counts map[string]int64 // by key
	names  map[string]int64 // reversed, with what is counted of them: see graph.parts
	sorter *extsort.Sorter
	key    []byte
}

// What an entry of a counter's maps takes in memory, with a key of usual length.
const entryBytes = 200

// ErrHosts is a graph of more hosts than memory was given for.
var ErrHosts = errors.New("linkgraph: the graph has more vertices than fit into memory: give it more with --memory")

func newCounter(memory int64, dir string) *counter {
	n := int(memory / 4 / entryBytes)
	return &counter{
		limit: n, most: 2 * n, counts: map[string]int64{}, names: map[string]int64{},
		sorter: extsort.New(extsort.Options{MemoryBytes: int(memory / 4), TempDir: dir}),
	}
}

// name notes a name that is reversed.
func (c *counter) name(s string) error {
	if _, known := c.names[s]; !known && len(c.names) >= c.most {
		return fmt.Errorf("%w (%d)", ErrHosts, c.most)
	} else if !known {
		c.names[s] = 0
	}
	return nil
}

// add counts a link. Names hold no zero bytes, as hosts do not, so that keys sort by from, then to, then year.
func (c *counter) add(from, to, year string) error {
	if err := errors.Join(c.name(from), c.name(to)); err != nil {
		return err
	}
	c.key = append(append(append(append(append(c.key[:0], from...), 0), to...), 0), year...)
	c.counts[string(c.key)]++
	if len(c.counts) >= c.limit {
		return c.spill()
	}
	return nil
}

// spill adds what is counted to the sorter, in whatever order maps have: equal keys are summed up after it.
func (c *counter) spill() error {
	for key, n := range c.counts {
		if err := c.sorter.Add([]byte(key), binary.AppendUvarint(nil, uint64(n))); err != nil {
			return err
		}
	}
	clear(c.counts)
	return nil
}

// count is how many links there are from one name to another in a year.
type count struct {
	from, to, year string
	links          int64
}

// each gives all counts to emit, sorted by from, to and year, each once.
func (c *counter) each(emit func(count) error) error {
	if err := c.spill(); err != nil {
		return err
	}
	last, sum := "", uint64(0)
	flush := func() error {
		from, rest, ok := strings.Cut(last, "\x00")
		if !ok {
			return nil // there was none
		}
		to, year, _ := strings.Cut(rest, "\x00")
		return emit(count{from, to, year, int64(sum)})
	}
	err := c.sorter.Merge(func(key, value []byte) error {
		n, _ := binary.Uvarint(value)
		if string(key) == last {
			sum += n
			return nil
		}
		err := flush()
		last, sum = string(key), n
		return err
	})
	return errors.Join(err, flush())
}

// reversed turns a host round, as Common Crawl's graphs have it: org.example.www. Addresses stay as they are.
func reversed(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}
