package archive

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// How many cases there are of a damaged archive, over all layouts, and how many share a made one.
const (
	damageCases      = 2000
	damageCasesShort = 170
	casesAnArchive   = 28
)

// raced is set under the race detector.
var raced bool

// inShort reports whether tests with many random numbers use fewer of them.
func inShort() bool { return testing.Short() || raced }

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

// TestReader_damageCostsOnlyWhatItTouches damages made archives at random. The reader delivers each untouched record
// whole, byte by byte, unflagged and in order. It delivers nothing false without a flag or a report, and accounts for
// every byte. Any split of the damaged file reads the same.
func TestReader_damageCostsOnlyWhatItTouches(t *testing.T) {
	cases := damageCases
	if inShort() {
		cases = damageCasesShort
	}
	for i, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			var m func() made
			for n := range (cases + len(layouts) - 1) / len(layouts) {
				if n%casesAnArchive == 0 {
					m = sync.OnceValue(func() made {
						return makeArchive(t, rand.New(rand.NewPCG(uint64(i), uint64(n))), i, 40, l.chain()/4)
					})
				}
				if !t.Run(strconv.Itoa(n), func(t *testing.T) { damageCase(t, m(), i, n) }) {
					break
				}
			}
		})
	}
}

// damageCase is the n-th case of a layout. It depends on both numbers alone.
func damageCase(t *testing.T, m made, layout, n int) {
	t.Helper()
	s := surgeon{rand.New(rand.NewPCG(uint64(n), 1<<32+uint64(layout))), m.borders()}
	wound := wounds[n%len(wounds)]
	w := wound.do(s, unhurt(m.bytes()))
	checkRecords(t, m, w)
	every := []int64{12_000, 20_000, 70_001, int64(len(w.data))/2 + 1, 0}
	checkSplits(t, w.data, m.format, s.Rand, every[n/len(wounds)%len(every)])
	if t.Failed() {
		t.Logf("a %s of %d bytes that made them %d; this case alone: go test ./io/capture -run '%s$'",
			wound.name, len(m.bytes()), len(w.data), strings.ReplaceAll(t.Name(), "/", "$/^"))
	}
}

// checkRecords compares the records of the damaged archive with those that were written.
func checkRecords(t testing.TB, m made, w wounded) {
	t.Helper()
	got, losses := readRecords(t, bytes.NewReader(w.data), int64(len(w.data)), m.format)
	var want, texts []string
	for _, k := range m.untouched(w) {
		want = append(want, m.raw[k])
	}
	for _, d := range got {
		text := d.text
		// one line end closes a record: where garbage follows, it is in doubt
		if strings.HasPrefix(m.format.String(), "arc") {
			text = strings.Replace(text, "[length]", "[]", 1)
		}
		texts = append(texts, text)
	}
	if lost := missing(want, texts); len(lost) > 0 {
		t.Errorf("lost or flagged though untouched:\n%s\ngot\n%s\nlosses %v", strings.Join(lost, "\n"),
			strings.Join(texts, "\n"), losses)
	}
	if m.format.Compression != member.Plain { // which has no checksum that could tell
		checkTrue(t, m, got, losses)
	}
}

// checkTrue checks that records without a flag are as written, or in a reported member.
func checkTrue(t testing.TB, m made, got []delivery, losses []record.Loss) {
	t.Helper()
	for i, d := range got {
		end := int64(math.MaxInt64)
		if i+1 < len(got) {
			end = max(got[i+1].offset, d.offset+1)
		}
		reported := func(l record.Loss) bool { return l.From < end && d.offset < l.To && l.Bytes == 0 }
		if strings.HasSuffix(d.text, " []") && !slices.Contains(m.raw, d.text) && !slices.Contains(m.hidden, d.text) &&
			!slices.ContainsFunc(losses, reported) {
			t.Errorf("%s at byte %d was never written and has no flag; losses %v", d.text, d.offset, losses)
		}
	}
}

// checkSplits reads data at once and in ranges. The ranges have about every bytes. If every is 0, they begin at the
// first proven starts after arbitrary offsets.
func checkSplits(t testing.TB, data []byte, f Format, rnd *rand.Rand, every int64) {
	t.Helper()
	src, size := bytes.NewReader(data), int64(len(data))
	whole := readRange(t, src, Input{Name: "made", Size: size, End: size}, f, Options{})
	if every > 0 {
		checkSplit(t, src, size, whole, f, every)
		return
	}
	starts := []int64{0}
	for range 4 {
		q, err := member.FindStart(src, f.Compression, rnd.Int64N(size+1), size, isHead(f.grammar(), true))
		if err != nil {
			t.Fatalf("FindStart: %v", err)
		}
		if q < size {
			starts = append(starts, q)
		}
	}
	slices.Sort(starts)
	checkRanges(t, src, size, whole, f, slices.Compact(starts))
}

func TestReader_wholeArchivesHaveNoFlags(t *testing.T) {
	for i, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			m := makeArchive(t, rand.New(rand.NewPCG(uint64(i), 3)), i, 40, 50_000)
			got := readBytes(t, m.bytes(), m.format)
			if lost := missing(m.want, got.captures); len(lost) > 0 || len(got.captures) != len(m.want) ||
				len(got.rejects) > 0 || got.counts.BytesLost != 0 {
				t.Errorf("lost %q, %d captures of %d, rejects %+v", lost, len(got.captures), len(m.want), got.rejects)
			}
			records, _ := readRecords(t, bytes.NewReader(m.bytes()), int64(len(m.bytes())), m.format)
			for k, d := range records {
				if d.text != m.raw[k] {
					t.Errorf("record %s, want %s", d.text, m.raw[k])
				}
			}
			f, err := Detect("", bytes.NewReader(m.bytes()), int64(len(m.bytes())))
			if err != nil || f != m.format {
				t.Errorf("Detect = %v, %v, want %v", f, err, m.format)
			}
		})
	}
}
