package wacz_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/wacz"
)

// TestBeside: names of WACZ files that a description does not hold itself.
func TestBeside(t *testing.T) {
	const names = `{"profile": "multi-wacz-package",
		"resources": [{"path": "one.wacz", "hash": "sha256:1"}, {"path": "b/two.wacz"}]}`
	a := entry{name: "archive/a.warc.gz", data: page("a", true)}
	one := entry{name: "one.wacz", data: packed(t, a, entry{name: "datapackage.json", data: []byte("{}")})}
	described := entry{name: "datapackage.json", data: []byte(names)}
	tests := []struct {
		name, names string
		data        []byte
		alone       bool
	}{
		{"JSON", "one.wacz b/two.wacz", []byte(names), true},
		{"with a mark and blanks", "one.wacz b/two.wacz", []byte("\xef\xbb\xbf\n " + names), true},
		{"in a ZIP file", "one.wacz b/two.wacz", packed(t, described), true},
		{"deflated", "one.wacz b/two.wacz", packed(t,
			entry{name: "datapackage.json", data: []byte(names), deflate: true}), true},
		{"one is inside", "b/two.wacz", packed(t, one, described), false},
		{"both are", "", packed(t, one, entry{name: "b/two.wacz", data: one.data}, described), false},
		{"of a package of archives", "", packed(t, a, entry{
			name: "datapackage.json",
			data: []byte(`{"profile": "data-package", "resources": [{"path": "archive/b.warc"}]}`),
		}), false},
		{"no description", "", []byte(`{"resources": [{"path": "one.wacz"}]}`), false},
		{"cut", "", []byte(names[:90]), false},
		{"other JSON", "", []byte(`[1, 2]`), false},
		{"of another type", "", []byte(`{"profile": "multi-wacz-package", "resources": "one.wacz"}`), false},
		{"empty names", "", []byte(`{"profile": "multi-wacz-package", "resources": [{"path": ""}, {}]}`), false},
		{"nothing", "", nil, false},
	}
	for _, tt := range tests {
		got, alone, err := wacz.Beside(bytes.NewReader(tt.data), int64(len(tt.data)))
		if err != nil || alone != tt.alone || !slices.Equal(got, strings.Fields(tt.names)) {
			t.Errorf("%s: Beside = %q, alone %v, %v; want %q, %v", tt.name, got, alone, err, tt.names, tt.alone)
		}
	}
}
