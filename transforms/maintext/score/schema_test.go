package score

import (
	"math"
	"strings"
	"testing"
)

func TestTyped_read(t *testing.T) {
	one, two := float32(1), float32(math.Log2(3))
	tests := []struct {
		name, src string
		want      typed
	}{
		{"JSON-LD", `{"@type":"NewsArticle"}`, typed{0: one}},
		{"white space", `{ "@type" : "BlogPosting" }`, typed{0: one}},
		{"two types", `{"@type":["Product","Thing","SoftwareApplication"]}`, typed{2: one, 6: one}},
		{"a URL", `{"@type":"http://schema.org/QAPage"}`, typed{1: one}},
		{"microdata", `<div itemscope itemtype="https://schema.org/Product">`, typed{2: one}},
		{"microdata without quotes", `<div itemtype=http://schema.org/Article>x`, typed{0: one}},
		{"twice", `"@type":"CollectionPage" <p itemtype='http://schema.org/ItemList'>`, typed{3: two}},
		{"what says nothing", `{"@type":"WebPage"} {"@type":"Person"}`, typed{}},
		{"cut off", `{"@type":["Article`, typed{}},
		{"no string", `{"@type":{"a":1}}`, typed{}},
		{"nothing", ``, typed{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got typed
			got.read([]byte(tt.src))
			if got != tt.want {
				t.Errorf("read(%q) = %v, want %v", tt.src, got, tt.want)
			}
		})
	}
	var many typed
	many.read([]byte(strings.Repeat(`"@type":"Offer" `, 100_000)))
	if want := float32(math.Log2(1 + maxTypes)); many[2] != want {
		t.Errorf("read of many = %v, want %v", many[2], want)
	}
}

func FuzzTyped_read(f *testing.F) {
	f.Add([]byte(`{"@type":["Article","Product"]}<div itemtype='x/Offer'>`))
	f.Add([]byte(`"@type""@type":[,,"" itemtype=`))
	f.Fuzz(func(t *testing.T, src []byte) {
		var got typed
		got.read(src)
		for _, n := range got {
			if n < 0 || n > 16 {
				t.Errorf("read = %v", got)
			}
		}
	})
}
