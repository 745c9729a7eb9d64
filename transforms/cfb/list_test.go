package cfb_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/cfb"
)

func TestList(t *testing.T) {
	var streams []officetest.Stream
	for i := range 12 { // a sector holds four entries
		streams = append(streams, officetest.Stream{Name: fmt.Sprint("s", i), Body: []byte("text")})
	}
	body := officetest.CFB(streams...)
	names, class := cfb.List(body, 1000)
	for _, s := range streams {
		if !names[s.Name] {
			t.Errorf("%s is not listed: %v", s.Name, slices.Sorted(maps.Keys(names)))
		}
	}
	if len(class) != 32 {
		t.Errorf("class %q", class)
	}
	if names, _ := cfb.List(body, 1); names["s11"] {
		t.Error("more is listed than the limit and what is in its sector")
	}
	for cut := range len(body) { // a truncated file gives the entries that it contains
		some, _ := cfb.List(body[:cut], 1000)
		for name := range some {
			if !names[name] {
				t.Fatalf("of %d bytes: %q, which the whole file does not have", cut, name)
			}
		}
	}
	if names, class := cfb.List([]byte("PK\x03\x04"), 9); names != nil || class != "" {
		t.Errorf("of a ZIP file: %v, %q", names, class)
	}
}
