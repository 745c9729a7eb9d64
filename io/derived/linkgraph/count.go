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

// counter counts links between names by year. Counts beyond memory go to a sorted file; names stay in memory, because
// they are far fewer.
type counter struct {
	limit  int              // entries of counts, after which they are spilled
	most   int              // maximum number of names
	counts map[string]int64 // by key
	names  map[string]int64 // reversed names, with their counts: see graph.parts
	sorter *extsort.Sorter
	key    []byte
}

// entryBytes is the memory of an entry in a counter's maps, with a key of usual length.
const entryBytes = 200

// ErrHosts means that the graph has more hosts than fit into the given memory.
var ErrHosts = errors.New("linkgraph: the graph has more vertices than fit into memory: give it more with --memory")

func newCounter(memory int64, dir string) *counter {
	n := int(memory / 4 / entryBytes)
	return &counter{
		limit: n, most: 2 * n, counts: map[string]int64{}, names: map[string]int64{},
		sorter: extsort.New(extsort.Options{MemoryBytes: int(memory / 4), TempDir: dir}),
	}
}

// name adds a reversed name.
func (c *counter) name(s string) error {
	if _, known := c.names[s]; !known && len(c.names) >= c.most {
		return fmt.Errorf("%w (%d)", ErrHosts, c.most)
	} else if !known {
		c.names[s] = 0
	}
	return nil
}

// add counts a link. Names contain no zero bytes, so keys sort by from, to and year.
func (c *counter) add(from, to, year string) error { return c.addCount(from, to, year, 1) }

// addCount counts several links.
func (c *counter) addCount(from, to, year string, links int64) error {
	if err := errors.Join(c.name(from), c.name(to)); err != nil {
		return err
	}
	c.key = append(append(append(append(append(c.key[:0], from...), 0), to...), 0), year...)
	c.counts[string(c.key)] += links
	if len(c.counts) >= c.limit {
		return c.spill()
	}
	return nil
}

// spill moves the counts to the sorter, in any order: equal keys are summed up afterwards.
func (c *counter) spill() error {
	for key, n := range c.counts {
		if err := c.sorter.Add([]byte(key), binary.AppendUvarint(nil, uint64(n))); err != nil {
			return err
		}
	}
	clear(c.counts)
	return nil
}

// count is the number of links from one name to another in a year.
type count struct {
	from, to, year string
	links          int64
}

// each emits all counts, sorted by from, to and year, each once.
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

// reversed reverses a host as in Common Crawl's graphs: org.example.www. IP addresses stay as they are.
func reversed(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}
