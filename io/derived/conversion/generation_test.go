package conversion_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestFinish_ofARunThatIsOver: a job may end after its command. Its last step must not move files among those of the
// next run, which has other pages under the same names.
func TestFinish_ofARunThatIsOver(t *testing.T) {
	dir := t.TempDir()
	first, err := conversion.Open(local(dir), conversion.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	zombie := first.Generation().Guard(local(dir))
	rows := []conversion.Row{unit(t, dir, 0, "a"), unit(t, dir, 1, "b")}
	if err := first.Close(); err != nil { // as after an interrupt that the runner has not heard of
		t.Fatal(err)
	}
	second, err := conversion.Open(local(dir), conversion.OpenOptions{Fresh: true})
	if err != nil {
		t.Fatal(err)
	}
	mine := second.Generation().Guard(local(dir))
	u, err := conversion.NewUnit(mine, strings.Repeat("m", 9), schemas.Unit{}, 1, targets)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Abort()
	if err := u.Write(&schemas.Capture{URL: "http://a.example/a", Body: []byte("mine")}); err != nil {
		t.Fatal(err)
	}
	row, err := u.Commit(schemas.Counts{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conversion.Finish(t.Context(), mine, []conversion.Row{row},
		conversion.Run{Plan: "two", Units: 1}); err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = conversion.Finish(t.Context(), zombie, rows, conversion.Run{Plan: "one", Units: 2})
	if err == nil {
		t.Error("the first run ended well")
	}
	if _, err := conversion.NewUnit(zombie, "k", schemas.Unit{}, 2, targets); !errors.Is(err, claim.ErrSuperseded) {
		t.Errorf("a new unit: %v, want %v", err, claim.ErrSuperseded)
	}
	if diff := cmp.Diff(map[string]string{"a": "mine"}, tree(t, dir)); diff != "" {
		t.Errorf("pages (-second run +got):\n%s", diff)
	}
	if m, err := holdings.ReadManifest(local(dir)); err != nil || len(m.Units) != 1 {
		t.Errorf("the manifest has %d units, %v; want that of the second run", len(m.Units), err)
	}
}
