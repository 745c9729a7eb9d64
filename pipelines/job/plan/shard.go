package plan

import (
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/schemas"
)

// Shard is a part of a plan, for commands that share its archives: number I of N, from 1. The zero value is the whole
// plan. It implements flag.Value.
type Shard struct{ I, N int }

// String returns it as users write it, 2/7.
func (s *Shard) String() string {
	if *s == (Shard{}) {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

// Set parses 2/7.
func (s *Shard) Set(text string) error {
	var i, n int
	if _, err := fmt.Sscanf(text, "%d/%d", &i, &n); err != nil || fmt.Sprintf("%d/%d", i, n) != text || i < 1 || i > n {
		return errors.New("it is a number and a count, as 2/7, from 1/7 to 7/7")
	}
	*s = Shard{i, n}
	return nil
}

// of returns the units of the shard, and their bytes. The units are those of the whole plan, so that they have the same
// keys. All units of an archive are in one shard.
func (s Shard) of(units []schemas.Unit, bytes int64) ([]schemas.Unit, int64) {
	if s.N == 0 {
		return units, bytes
	}
	var list []schemas.Unit
	bytes = 0
	shards := map[string]int{} // by the first archive of units
	for _, u := range units {
		first := u.Inputs[0].File
		number, is := shards[first]
		if !is {
			number = len(shards)%s.N + 1
			shards[first] = number
		}
		if number != s.I {
			continue
		}
		u.ID = len(list)
		bytes += u.Bytes()
		list = append(list, u)
	}
	return list, bytes
}
