package sourcedb

import (
	"bytes"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// why is what makes two feeds worth a comparison. The left one has the smaller key.
type why byte

const (
	shares     why = 's' // an item of each links to one page
	names      why = 'n' // the first calls itself by the second's URL
	moved      why = 'm' // the URL of the first is redirected to the second's
	rightNames why = 'N' // as the left does, of the right
	rightMoved why = 'M'
)

// leastPairShares is how many links two feeds share, to be compared for that alone.
const leastPairShares = 3

// pair notes why two feeds may be equal.
func (j *joining) pair(first, second []byte, reason why) error {
	switch d := bytes.Compare(first, second); {
	case d == 0 || bytes.IndexByte(first, 0) >= 0 || bytes.IndexByte(second, 0) >= 0:
		return nil // 0 parts the two keys; a URL that has it is left alone
	case d > 0:
		// One order for a pair, whichever feed has named the other: else it would be compared twice.
		first, second = second, first
		// The reason is turned round with the two keys.
		reason = map[why]why{shares: shares, names: rightNames, moved: rightMoved}[reason]
	}
	return j.pairs.Add(bytes.Join([][]byte{first, second}, []byte{0}), []byte{byte(reason)})
}

// move notes that a feed's URL is redirected to a link with a hash, where a feed may be.
func (j *joining) move(to uint64, key []byte) error {
	j.moved = true
	// 1, so that it comes after the feed with that hash, which has 0.
	return j.moves.Add(append(linkKey(to), 1), key)
}

// groups are the feeds that are one source with others: for each, the one that stands for all, and the evidence.
// They take some hundred bytes a feed that is equal to another.
type groups map[string]group

type group struct {
	key, url string // of the one that stands for it
	evidence string
}

// twins finds the feeds that are equal: it compares those of which pairs were noted.
func (g *generation) twins(j *joining) (groups, error) {
	if err := g.share(j); err != nil {
		return nil, err
	}
	// Before pairs are read, since moves become pairs.
	if err := g.resolveMoves(j); err != nil {
		return nil, err
	}
	// The states of two feeds stand apart, so the first one's is taken along to where the second one stands.
	second := extsort.New(j.sort)
	err := g.alongStates(j.pairCandidates, func(key []byte, relation, state []byte) error {
		// The pair is turned round, to be sorted by the other feed.
		left, right, _ := bytes.Cut(key, []byte{0})
		return second.Add(bytes.Join([][]byte{right, left}, []byte{0}), append(relation, state...))
	})
	if err != nil {
		return nil, errors.Join(err, second.Close())
	}
	found := newEqual()
	err = g.alongStates(second.Merge, func(key []byte, value, state []byte) error {
		right, left, _ := bytes.Cut(key, []byte{0})
		return found.compare(string(left), string(right), value, state)
	})
	return found.groups(), errors.Join(err, second.Close())
}

// resolveMoves finds the feeds to which others are redirected: keys by their hashes, which come before the moves to
// them.
func (g *generation) resolveMoves(j *joining) error {
	if !j.moved {
		return nil
	}
	for r, err := range g.chain(g.next.States) {
		if err == nil {
			// All feeds, since any may be what another leads to.
			err = j.moves.Add(append(linkKey(source.Hash(string(r.key))), 0), r.key)
		}
		if err != nil {
			return err
		}
	}
	var hash, to []byte
	return j.moves.Merge(func(key, feedKey []byte) error {
		switch at := key[:8]; {
		case key[8] == 0:
			// Only the last feed has to be held: the moves to it follow at once.
			hash, to = append(hash[:0], at...), append(to[:0], feedKey...)
			return nil
		// Moves come after the feed with the hash that they lead to.
		case bytes.Equal(at, hash):
			return j.pair(feedKey, to, moved)
		}
		return nil // it leads to what is not a feed
	})
}

// relation is how often each reason was noted of a pair, with which it is worth a comparison.
type relation struct {
	shared int
	source.Relation
}

func (r relation) bytes() []byte {
	b := byte(0)
	for i, is := range []bool{r.LeftMoved, r.RightMoved, r.LeftNames, r.RightNames} {
		if is {
			// One byte for four answers; relationOf has the same order.
			b |= 1 << i
		}
	}
	return []byte{b}
}

func relationOf(b byte) source.Relation {
	return source.Relation{LeftMoved: b&1 > 0, RightMoved: b&2 > 0, LeftNames: b&4 > 0, RightNames: b&8 > 0}
}

// pairCandidates gives the pairs that are worth a comparison, each once, with its relation.
func (j *joining) pairCandidates(emit func(key, value []byte) error) error {
	var key []byte
	var now relation
	flush := func() error {
		if key == nil || now.shared < leastPairShares && now.Relation == (source.Relation{}) {
			return nil
		}
		return emit(key, now.bytes())
	}
	err := j.pairs.Merge(func(k, reason []byte) error {
		if !bytes.Equal(k, key) {
			if err := flush(); err != nil {
				return err
			}
			// Copied: the sorter uses its memory again.
			key, now = append([]byte{}, k...), relation{}
		}
		switch why(reason[0]) {
		case shares:
			now.shared++
		case names:
			now.LeftNames = true
		case rightNames:
			now.RightNames = true
		case moved:
			now.LeftMoved = true
		case rightMoved:
			now.RightMoved = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// alongStates calls see for records whose keys begin with a feed's key and a 0, in their order, with the feed's state.
// Records of feeds that are not there are passed over.
func (g *generation) alongStates(
	records func(func(key, value []byte) error) error, see func(key, value, state []byte) error,
) error {
	next, stop := iter.Pull2(g.chain(g.next.States))
	defer stop()
	state, err, ok := next()
	if err != nil {
		return err
	}
	return records(func(key, value []byte) error {
		of, _, _ := bytes.Cut(key, []byte{0})
		// Records and states are sorted alike: a byte 0 sorts before all that a longer key could have in its place.
		for ok && err == nil && bytes.Compare(state.key, of) < 0 {
			state, err, ok = next()
		}
		if err != nil || !ok || !bytes.Equal(state.key, of) {
			return err
		}
		return see(key, value, state.value)
	})
}

// equal gathers pairs of equal feeds and makes groups of them.
type equal struct {
	parent    map[string]string // of a group's tree
	standings map[string]source.Standing
	evidence  map[string]string
}

func newEqual() *equal {
	return &equal{map[string]string{}, map[string]source.Standing{}, map[string]string{}}
}

// compare decides on one pair. value is the relation and the left one's state.
func (e *equal) compare(left, right string, value, rightState []byte) error {
	a, err := source.Decode(value[1:])
	if err != nil {
		return err
	}
	b, err := source.Decode(rightState)
	if err != nil {
		return err
	}
	r := relationOf(value[0])
	evidence := source.Same(a, b, r)
	// In doubt they are two: see source.Same.
	if evidence == "" {
		return nil
	}
	// Only of feeds that are equal to another: the maps stay as small as these are few.
	e.note(source.StandingOf(left, a), r.LeftMoved, r.RightNames, evidence)
	e.note(source.StandingOf(right, b), r.RightMoved, r.LeftNames, evidence)
	// The smaller name becomes the root, so that the tree does not depend on the sequence of pairs.
	x, y := e.root(left), e.root(right)
	e.parent[max(x, y)] = min(x, y)
	return nil
}

// strength orders kinds of evidence: of several, a feed has the strongest.
var strength = map[string]int{source.ByRedirect: 3, source.BySelf: 2, source.ByItems: 1}

func (e *equal) note(s source.Standing, moved, named bool, evidence string) {
	before, ok := e.standings[s.Key]
	// What one pair tells of a feed holds in all of its pairs.
	s.Moved, s.Named = moved || ok && before.Moved, named || ok && before.Named
	e.standings[s.Key] = s
	if strength[evidence] > strength[e.evidence[s.Key]] {
		e.evidence[s.Key] = evidence
	}
}

// root is the name of a feed's tree. Paths are halved on the way, which keeps them short.
func (e *equal) root(key string) string {
	for {
		up, ok := e.parent[key]
		if !ok || up == key {
			return key
		}
		if above, ok := e.parent[up]; ok {
			e.parent[key] = above
		}
		key = up
	}
}

// groups names, for each feed that does not stand for itself, the one that does.
func (e *equal) groups() groups {
	best := map[string]source.Standing{}
	keys := slices.Sorted(maps.Keys(e.standings))
	for _, key := range keys {
		root := e.root(key)
		// Keys are gone through in order, so that of two that are alike the smaller key stands for all.
		if b, ok := best[root]; !ok || e.standings[key].Compare(b) < 0 {
			best[root] = e.standings[key]
		}
	}
	list := groups{}
	for _, key := range keys {
		if to := best[e.root(key)]; to.Key != key {
			list[key] = group{to.Key, to.URL, e.evidence[key]}
		}
	}
	return list
}
