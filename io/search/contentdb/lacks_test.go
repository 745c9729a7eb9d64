package contentdb

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

func TestLacks(t *testing.T) {
	ran := map[string]any{"extract": []any{"mime", "text", "metadata"}}
	for _, test := range []struct {
		filter  string
		options map[string]any
		want    string
	}{
		{`status = 200`, ran, ""},
		{`title = "a"`, ran, ""},
		{`sentiment.score < 0`, ran, "sentiment"},
		{`sentiment.score < 0 OR sentiment.positive > 1 AND data.type = Product`, ran, "data sentiment"},
		{`NOT language = fr`, ran, "language"},
		{`custom.price:*`, ran, ""},
		{`"masks"`, map[string]any{"extract": []any{"mime"}}, "metadata text"},
		{`sentiment.score < 0`, nil, ""},
	} {
		e, err := query.Parse(test.filter)
		if err != nil {
			t.Fatal(err)
		}
		db := &DB{core: &core{manifest: schemas.Manifest{Options: test.options}}}
		if got := strings.Join(db.Lacks(e), " "); got != test.want {
			t.Errorf("Lacks(%s) of %v = %q, want %q", test.filter, test.options, got, test.want)
		}
	}
	if got := (&DB{core: &core{manifest: schemas.Manifest{Options: ran}}}).Lacks(nil); got != nil {
		t.Errorf("Lacks(nil) = %v", got)
	}
}
