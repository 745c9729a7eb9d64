package capture

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// wounds are the ways to damage a file. Each returns the damaged copy and the stretch of the original that it touched.
var wounds = []struct {
	name string
	do   func(rnd *rand.Rand, data []byte) (out []byte, from, to int)
}{
	{"flip", func(rnd *rand.Rand, data []byte) ([]byte, int, int) {
		at := rnd.IntN(len(data))
		out := bytes.Clone(data)
		out[at] ^= byte(1 + rnd.IntN(255))
		return out, at, at + 1
	}},
	{"cut", func(rnd *rand.Rand, data []byte) ([]byte, int, int) {
		at := rnd.IntN(len(data))
		to := min(len(data), at+1+rnd.IntN(1<<rnd.IntN(17)))
		return slices.Concat(data[:at], data[to:]), at, to
	}},
	{"insertion", func(rnd *rand.Rand, data []byte) ([]byte, int, int) {
		at := rnd.IntN(len(data) + 1)
		noise := make([]byte, 1+rnd.IntN(1<<rnd.IntN(17)))
		if rnd.IntN(3) > 0 { // otherwise zeros
			for i := range noise {
				noise[i] = byte(rnd.Uint32())
			}
		}
		return slices.Concat(data[:at], noise, data[at:]), at, at
	}},
	{"duplication", func(rnd *rand.Rand, data []byte) ([]byte, int, int) {
		at := rnd.IntN(len(data))
		to := min(len(data), at+1+rnd.IntN(1<<rnd.IntN(18)))
		return slices.Concat(data[:to], data[at:]), to, to
	}},
	{"end", func(rnd *rand.Rand, data []byte) ([]byte, int, int) {
		at := rnd.IntN(len(data))
		return bytes.Clone(data[:at]), at, len(data)
	}},
}

// untouched returns what must be delivered of m when the bytes [from, to) were touched: every record with no byte in
// a touched piece.
func (m made) untouched(from, to int) []string {
	hurt := map[int]bool{}
	at := 0
	for _, p := range m.pieces {
		end := at + len(p.data)
		if from < end && at < to || at < from && from < end {
			for _, k := range p.records {
				hurt[k] = true
			}
		}
		at = end
	}
	var want []string
	for k, w := range m.want {
		if !hurt[k] {
			want = append(want, w)
		}
	}
	return want
}

// missing returns which of want are not in got, in order.
func missing(want, got []string) (lost []string) {
	for _, w := range want {
		i := slices.Index(got, w)
		if i < 0 {
			lost = append(lost, w)
			continue
		}
		got = got[i+1:]
	}
	return lost
}

// TestReader_damageCostsOnlyWhatItTouches hurts made archives at random places. Every record with no byte in a touched
// member (in an uncompressed file: in a touched record) must be delivered whole, unflagged and in order.
func TestReader_damageCostsOnlyWhatItTouches(t *testing.T) {
	tries := 30
	if testing.Short() {
		tries = 5
	}
	for i, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(uint64(i), 20))
			for try := range tries {
				m := makeArchive(t, rnd, i, 30+rnd.IntN(30), 20_000)
				w := wounds[try%len(wounds)]
				data, from, to := w.do(rnd, m.bytes())
				what := fmt.Sprintf("try %d, %s of [%d, %d)", try, w.name, from, to)
				if checkWounded(t, m, data, from, to, what); t.Failed() {
					break
				}
			}
		})
	}
}

func checkWounded(t *testing.T, m made, data []byte, from, to int, what string) {
	t.Helper()
	got := readBytes(t, data, m.format)
	if lost := missing(m.untouched(from, to), got.captures); len(lost) > 0 {
		t.Errorf("%s: lost or flagged though untouched:\n%s\ngot\n%s\nrejects %+v", what, strings.Join(lost, "\n"), strings.Join(got.captures, "\n"), got.rejects)
	}
	size := int64(len(data))
	checkSplit(t, bytes.NewReader(data), "made", size, got, m.format, size/4+1)
	if t.Failed() {
		t.Logf("failed: %s", what)
	}
}

func TestReader_wholeArchivesHaveNoFlags(t *testing.T) {
	for i, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			m := makeArchive(t, rand.New(rand.NewPCG(uint64(i), 3)), i, 40, 50_000)
			got := readBytes(t, m.bytes(), m.format)
			if lost := missing(m.want, got.captures); len(lost) > 0 || len(got.captures) != len(m.want) || len(got.rejects) > 0 || got.counts.BytesLost != 0 {
				t.Errorf("lost %q, %d captures of %d, rejects %+v", lost, len(got.captures), len(m.want), got.rejects)
			}
			f, err := Detect(bytes.NewReader(m.bytes()), int64(len(m.bytes())))
			if err != nil || f != m.format {
				t.Errorf("Detect = %v, %v, want %v", f, err, m.format)
			}
		})
	}
}
