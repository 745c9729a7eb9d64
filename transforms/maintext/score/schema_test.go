package score

import (
	"math"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// ld is a block of JSON-LD.
func ld(s string) string { return `<script type="application/ld+json">` + s + `</script>` }

// typesOf returns the types that a page declares.
func typesOf(src string) typed {
	var r reader
	r.read(page.Parse([]byte(src), page.Options{}))
	return r.typed
}

func TestReader_typed(t *testing.T) {
	one, two := float32(1), float32(math.Log2(3))
	tests := []struct {
		name, src string
		want      typed
	}{
		{"JSON-LD", ld(`{"@type":"NewsArticle"}`), typed{0: one}},
		{"white space", ld(`{ "@type" : "BlogPosting" }`), typed{0: one}},
		{"two types", ld(`{"@type":["Product","Thing","SoftwareApplication"]}`), typed{2: one, 6: one}},
		{"a URL", ld(`{"@type":"http://schema.org/QAPage"}`), typed{1: one}},
		{"microdata", `<div itemscope itemtype="https://schema.org/Product">`, typed{2: one}},
		{"microdata without quotes", `<div itemtype=http://schema.org/Article>x`, typed{0: one}},
		{"twice", ld(`{"@type":"CollectionPage"}`) + `<p itemtype=' http://schema.org/ItemList '>`, typed{3: two}},
		{"what says nothing", ld(`{"@type":"WebPage"},{"@type":"Person"}`), typed{}},
		{"another script", `<script>x = {"@type":"Article"}</script>`, typed{}},
		{"an empty script", `<script type="application/ld+json"></script>`, typed{}},
		{"cut off", ld(`{"@type":["Article`), typed{}},
		{"no string", ld(`{"@type":{"a":1}}`), typed{}},
		{"nothing", ``, typed{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := typesOf(tt.src); got != tt.want {
				t.Errorf("types of %q = %v, want %v", tt.src, got, tt.want)
			}
		})
	}
	many := typesOf(ld(strings.Repeat(`"@type":"Offer" `, 10_000)))
	if want := float32(math.Log2(1 + maxTypes)); many[2] != want {
		t.Errorf("read of many = %v, want %v", many[2], want)
	}
}

func FuzzTyped(f *testing.F) {
	f.Add([]byte(`{"@type":["Article","Product"]}`))
	f.Add([]byte(`"@type""@type":[,,"" itemtype=`))
	f.Fuzz(func(t *testing.T, src []byte) {
		var got typed
		got.jsonLD(src)
		got.add(src)
		got.scale()
		for _, n := range got {
			if n < 0 || n > 16 {
				t.Errorf("types of %q = %v", src, got)
			}
		}
	})
}
