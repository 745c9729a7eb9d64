package maintext

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// TestDescribed_hostileTime: each different description is sought in all blocks, so their number is bounded.
func TestDescribed_hostileTime(t *testing.T) {
	const wanted = "All the bees of the northern hive were counted in June"
	text := "<p>" + wanted + strings.Repeat("<p>"+strings.Repeat("So many bees live in one hive, and ", 200), 500)
	for _, names := range [][]string{
		{"description"},
		{"og:description"},
		{"twitter:description", "description", "og:description"},
		{"description", "twitter:description"},
	} {
		var b strings.Builder
		for k := range 2000 {
			fmt.Fprintf(&b, `<meta name=%s content="Another text of some letters, which no paragraph has %d">`,
				names[k%len(names)], k)
		}
		for _, tt := range []struct {
			first string
			want  int
		}{
			{"", -1},
			{`<meta name=description content="` + wanted + `">`, 0},
		} {
			p := page.Parse([]byte(tt.first+b.String()+text), page.Options{})
			before := cputime.Self()
			i := described(p)
			if took := cputime.Self() - before; took > time.Second {
				t.Errorf("%v: %v", names, took)
			}
			if i != tt.want {
				t.Errorf("%v: block %d, want %d", names, i, tt.want)
			}
		}
	}
}
