package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// seg makes a segment of 10 bytes; the offset tells segments apart.
func seg(number int, offset, total int64, flags ...schemas.Flag) schemas.Segment {
	return schemas.Segment{
		OriginID: "urn:a", Number: number, Offset: offset, Size: 10, Total: total, Flags: flags,
		File: "f",
	}
}

// listing writes a plan as the offsets of its parts, those of the left segments with their reasons, and its flags.
func listing(p Plan) (parts string, left []string) {
	for _, s := range p.Parts {
		parts += fmt.Sprint(s.Offset, " ")
	}
	for _, l := range p.Left {
		left = append(left, fmt.Sprintf("%d: %s", l.Offset, l.Why))
	}
	return strings.TrimSpace(parts), left
}

func TestJoin(t *testing.T) {
	whole := []schemas.Flag(nil)
	holed := []schemas.Flag{schemas.FlagPartial, schemas.FlagSegment}
	tests := []struct {
		name  string
		list  []schemas.Segment
		parts string
		left  []string
		flags []schemas.Flag
	}{
		{"none", nil, "", nil, whole},
		{"in order", []schemas.Segment{seg(1, 7, 0), seg(2, 8, 0), seg(3, 9, 30)}, "7 8 9", nil, whole},
		{"in no order", []schemas.Segment{seg(3, 7, 30), seg(1, 8, 0), seg(2, 9, 0)}, "8 9 7", nil, whole},
		{"one segment alone", []schemas.Segment{seg(1, 7, 10)}, "7", nil, whole},
		{"the last is missing", []schemas.Segment{seg(1, 7, 0), seg(2, 8, 0)}, "7 8", nil, holed},
		{
			"the middle is missing",
			[]schemas.Segment{seg(1, 7, 0), seg(3, 8, 30), seg(4, 9, 0)},
			"7",
			[]string{
				"8: segment 3 of a record whose segment 2 is not there",
				"9: segment 4 of a record whose segment 2 is not there",
			},
			holed,
		},
		{
			"the middle is missing and the part before says that it is the last",
			[]schemas.Segment{seg(1, 7, 10), seg(3, 8, 30)},
			"7",
			[]string{"8: segment 3 of a record whose segment 2 is not there"},
			holed,
		},
		{
			"the first is missing",
			[]schemas.Segment{seg(2, 8, 20)},
			"",
			[]string{"8: segment 2 of a record whose first segment is not there"},
			whole,
		},
		{
			"twice in two places",
			[]schemas.Segment{seg(1, 7, 0), seg(2, 9, 20), seg(2, 8, 20)},
			"7 8",
			[]string{"9: segment 2 stands at byte 8 of f, too, and was taken from there"},
			whole,
		},
		{
			"twice, the sound one later",
			[]schemas.Segment{seg(1, 7, 0), seg(2, 8, 20, schemas.FlagChecksum), seg(2, 9, 20)},
			"7 9",
			[]string{"8: segment 2 stands at byte 9 of f, too, and was taken from there"},
			whole,
		},
		{
			"twice, the doubtful one before the cut one",
			[]schemas.Segment{seg(1, 7, 0), seg(2, 8, 20, schemas.FlagPartial), seg(2, 9, 20, schemas.FlagLength)},
			"7 9",
			[]string{"8: segment 2 stands at byte 9 of f, too, and was taken from there"},
			whole,
		},
		{"delivered twice", []schemas.Segment{seg(1, 7, 0), seg(2, 8, 20), seg(2, 8, 20), seg(1, 7, 0)}, "7 8", nil, whole},
		{
			"behind a cut one",
			[]schemas.Segment{seg(1, 7, 0, schemas.FlagInflate), seg(2, 8, 20)},
			"7",
			[]string{"8: segment 2 of a record whose segment 1 is cut"},
			holed,
		},
		{"the last is cut", []schemas.Segment{seg(1, 7, 0), seg(2, 8, 25, schemas.FlagPartial)}, "7 8", nil, holed},
		{"less than the total", []schemas.Segment{seg(1, 7, 0), seg(2, 8, 21)}, "7 8", nil, holed},
		{
			"more than the total",
			[]schemas.Segment{seg(1, 7, 0), seg(2, 8, 19)},
			"7 8", nil,
			[]schemas.Flag{schemas.FlagSegment},
		},
		{"the total is not at the end", []schemas.Segment{seg(1, 7, 20), seg(2, 8, 0)}, "7 8", nil, holed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Join(tt.list)
			parts, left := listing(p)
			if parts != tt.parts || !cmp.Equal(left, tt.left) || !cmp.Equal(p.Flags, tt.flags) {
				t.Errorf("Join = %q, left %q, flags %v; want %q, %q, %v", parts, left, p.Flags, tt.parts, tt.left, tt.flags)
			}
		})
	}
}

// FuzzJoin: every segment is used once, or left with a reason; the order in which they come changes nothing.
func FuzzJoin(f *testing.F) {
	f.Add([]byte{1, 0, 1, 0, 2, 20, 2, 0, 2, 20, 1, 2}, uint64(1))
	f.Add([]byte{3, 7, 30, 1, 8, 0, 2, 9, 0}, uint64(2))
	f.Add([]byte{2, 7, 30, 2, 7, 30, 200, 7, 30}, uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		var list []schemas.Segment
		places := map[int64]bool{}
		for ; len(data) >= 3; data = data[3:] {
			s := seg(1+int(data[0]&31), int64(data[1]), int64(data[2]))
			if !places[s.Offset] { // one record is in a place
				if data[0]&128 != 0 {
					s.Flags = []schemas.Flag{schemas.FlagPartial}
				}
				list = append(list, s)
			}
			places[s.Offset] = true
		}
		p := Join(list)
		for i, s := range p.Parts {
			if s.Number != i+1 {
				t.Errorf("part %d is segment %d", i, s.Number)
			}
		}
		for _, l := range p.Left {
			if l.Why == "" {
				t.Errorf("segment at %d is left without a reason", l.Offset)
			}
		}
		if n := len(p.Parts) + len(p.Left); n != len(places) {
			t.Errorf("%d segments, of which %d are used or left", len(places), n)
		}
		list = append(list, list...)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if diff := cmp.Diff(p, Join(list)); diff != "" {
			t.Errorf("in another order and twice (-before +after):\n%s", diff)
		}
	})
}

func TestPlan_compare(t *testing.T) {
	a, b := Join([]schemas.Segment{seg(1, 7, 10)}), Join([]schemas.Segment{seg(2, 8, 0)})
	got := []Plan{b, {}, a}
	slices.SortFunc(got, Plan.Compare)
	if diff := cmp.Diff([]Plan{{}, a, b}, got); diff != "" {
		t.Errorf("sorted (-want +got):\n%s", diff)
	}
}

func ExampleJoin() {
	p := Join([]schemas.Segment{
		{OriginID: "urn:a", Number: 2, Size: 70, Total: 170, File: "b.warc"},
		{OriginID: "urn:a", Number: 4, Size: 20, Total: 290, File: "c.warc"},
		{OriginID: "urn:a", Number: 1, Size: 100, File: "a.warc"},
	})
	for _, s := range p.Parts {
		fmt.Println(s.File)
	}
	fmt.Println(p.Left[0].Why, p.Flags)
	// Output:
	// a.warc
	// b.warc
	// segment 4 of a record whose segment 3 is not there [partial segment]
}
