package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"
)

// TestDocument_absentFieldsAreAbsent: nothing that is not known is written.
func TestDocument_absentFieldsAreAbsent(t *testing.T) {
	b, err := json.Marshal(Document{URL: "http://a.example/", RecordType: TypeResponse, Filename: "a.warc"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"url":"http://a.example/","record_type":"response","filename":"a.warc","offset":0,"length":0,"body_bytes":0}`
	if string(b) != want {
		t.Errorf("Marshal = %s, want %s", b, want)
	}
}

func TestFlag_rank(t *testing.T) {
	for i, f := range flagOrder {
		if f.Rank() != i {
			t.Errorf("%s.Rank() = %d, want %d", f, f.Rank(), i)
		}
	}
	if got := Flag("new").Rank(); got != len(flagOrder) {
		t.Errorf("Rank of an unknown flag = %d, want %d", got, len(flagOrder))
	}
}

// TestFlag_damages has a row for each flag. A new one must decide whether an archive that has it is damaged. Damage
// marks its documents and ends the run with 3.
func TestFlag_damages(t *testing.T) {
	damages := map[Flag]bool{
		FlagInflate: true, FlagChecksum: true, FlagUnverified: true, FlagPartial: true, FlagSuperseded: true,
		FlagLength: true, FlagType: true, FlagHead: true, FlagSegment: true, FlagIncomplete: true,
		FlagBlock:  true,
		FlagHeader: false, FlagBody: false, FlagRatio: false, // limits of the reader
		FlagChunked: false, FlagEncoding: false, FlagHTTP: false, // what a server may have sent so
		FlagPayload: false, FlagTimestamp: false, FlagUnchecked: false,
	}
	if got, want := slices.Sorted(maps.Keys(damages)), declaredFlags(t); !slices.Equal(got, want) {
		t.Errorf("rows for %v, capture.go declares %v", got, want)
	}
	for f, want := range damages {
		c := Counts{ByFlag: map[string]int64{string(f): 1}}
		if f.Damages() != want || Damaged([]Flag{FlagUnchecked, f}) != want || c.HasDamage() != want {
			t.Errorf("%s: Damages = %t, Damaged = %t, HasDamage = %t; want %t", f, f.Damages(), Damaged([]Flag{f}),
				c.HasDamage(), want)
		}
		if f.Rank() == len(flagOrder) {
			t.Errorf("%s has no place in flagOrder", f)
		}
	}
}

// declaredFlags reads the values of the Flag constants from capture.go, sorted.
func declaredFlags(t *testing.T) []Flag {
	t.Helper()
	b, err := os.ReadFile("capture.go")
	if err != nil {
		t.Fatal(err)
	}
	var flags []Flag
	for _, m := range regexp.MustCompile(`(?m)^\tFlag\w+ +Flag = "(\w+)"`).FindAllSubmatch(b, -1) {
		flags = append(flags, Flag(m[1]))
	}
	slices.Sort(flags)
	return flags
}

func TestCounts_add(t *testing.T) {
	var c Counts
	c.Add(Counts{Records: 2, BytesLost: 3, ByType: map[string]int64{"response": 2}})
	c.Add(Counts{Records: 1, ByType: map[string]int64{"response": 1, "request": 1}, ByFlag: map[string]int64{"body": 1}})
	if c.Records != 3 || c.BytesLost != 3 || c.ByType["response"] != 3 || c.ByType["request"] != 1 ||
		c.ByFlag["body"] != 1 {
		t.Errorf("Add = %+v", c)
	}
	if c.ByLang != nil {
		t.Errorf("ByLang = %v, want nil when nothing was counted", c.ByLang)
	}
}

func TestCount_namesAreBounded(t *testing.T) {
	var c, sum Counts
	for i := range 2 * MaxNames {
		Count(&c.ByType, fmt.Sprintf("type-%04d", i), 1)
	}
	sum.Add(c)
	sum.Add(c)
	total := int64(0)
	for _, n := range sum.ByType {
		total += n
	}
	if len(sum.ByType) > MaxNames+1 || total != 4*MaxNames || sum.ByType["type-0000"] != 2 {
		t.Errorf("%d names, %d in all, %d of the first", len(sum.ByType), total, sum.ByType["type-0000"])
	}
}

func ExampleCapture_Get() {
	c := Capture{Timestamp: time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC), Header: []Field{{"content-type", "text/html"}}}
	fmt.Println(c.Get("Content-Type"))
	// Output: text/html
}
