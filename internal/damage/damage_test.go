package damage_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/internal/damage"
)

// small returns the committed cases with fewer and smaller pages. It has one uncompressed and one compressed file of
// each kind, with alternating layouts; or, with GLEANER_SLOW=1, two of each kind and layout.
func small() []damage.Case {
	packed := map[string][]damage.Case{} // by kind
	var list []damage.Case
	seen, slow := map[string]int{}, os.Getenv("GLEANER_SLOW") != ""
	for _, c := range damage.Cases() {
		c.Pages, c.MaxBody = 60, 30_000
		seen[c.Kind+c.Layout]++
		switch n := seen[c.Kind+c.Layout]; {
		case slow && n <= 2, !slow && n == 1 && c.Layout == damage.Plain:
			list = append(list, c)
		case !slow && c.Layout != damage.Plain:
			packed[c.Kind] = append(packed[c.Kind], c)
		}
	}
	for i, kind := range damage.Kinds() {
		if cases := packed[kind]; len(cases) > 0 {
			list = append(list, cases[i%len(cases)])
		}
	}
	return list
}

// untold reports whether the damage cannot be detected. Bytes of an uncompressed record without a digest may have
// changed without a change of the length. HTTP's length may have been wrong before the record was written. Or the
// damage may have hit nothing.
func untold(c damage.Case, s damage.Score) bool {
	unchecked := (c.Layout == damage.Plain || c.Layout == damage.ZstdNoSum) && (c.ARC || !c.Digests)
	switch c.Kind {
	case "flip", "seven-bit", "swapped-pairs", "stuck-bit": // in a member's head there are bits that mean nothing
		return unchecked || s.Saved == s.Touched
	case "folded", "member-fields", "skippable", "odd-chunks", "spelt-http-length", "spelt-length", "twice-fields",
		"arc-version", "odd-version":
		return s.Saved == s.Touched // the formats allow it, or some readers accept it
	case "http-length": // in a member whose checksum is right it is as servers send it
		return s.Touched == 0 || c.Layout != damage.Plain && !c.Digests
	}
	return s.Touched == 0 && slices.Contains(chance, c.Kind)
}

// chance lists the kinds that may leave a small archive unchanged.
var chance = []string{
	"chunk-size", "trimmed", "two-lengths", "odd-length", "exchanged-lengths", "torn-head",
	"short-coding", "glued", "within",
}

// TestAttack04_damageOfEachKindIsReadAroundAndSaid reads small archives with each kind of damage of package damage.
func TestAttack04_damageOfEachKindIsReadAroundAndSaid(t *testing.T) {
	totals := map[string]*damage.Score{}
	for _, c := range small() {
		f := c.Make()
		got := readFile(t, c, f, 1<<40)
		s := f.Score(got.Documents, func(miss string) { t.Logf("%s: %s", c.Name, miss) })
		if s.Wrong > 0 {
			t.Errorf("%s: %d documents with a wrong body and no flag", c.Name, s.Wrong)
		}
		if len(got.Faults) > 0 {
			t.Errorf("%s: %v", c.Name, got.Faults)
		}
		damaged := got.Counts.BytesLost > 0 || got.Counts.HasDamage()
		if !damaged && !untold(c, s) {
			t.Errorf("%s: nothing tells of the damage", c.Name)
		}
		if totals[c.Kind] == nil {
			totals[c.Kind] = &damage.Score{}
		}
		totals[c.Kind].Add(s)
	}
	for kind, s := range totals {
		least := 995
		if kind == "over-records" {
			least = 980 // whole pages become parts of others, which are flagged
		}
		if 1000*s.Delivered < least*s.Untouched {
			t.Errorf("%s: %d of %d untouched pages", kind, s.Delivered, s.Untouched)
		}
	}
}

// TestAttack04_damagedFilesReadAlikeInUnitsOfAnySize reads uncompressed files whole and in units.
func TestAttack04_damagedFilesReadAlikeInUnitsOfAnySize(t *testing.T) {
	for _, c := range small() {
		if c.Layout != damage.Plain || c.Kind == "mixed" {
			continue
		}
		f := c.Make()
		whole := readFile(t, c, f, 1<<40)
		for _, size := range []int64{10_000, 70_001} {
			split := readFile(t, c, f, size)
			if !slices.Equal(whole.Documents, split.Documents) || len(split.Faults) > 0 {
				t.Errorf("%s in units of %d bytes: %d documents, %v; whole %d", c.Name, size, len(split.Documents),
					split.Faults, len(whole.Documents))
			}
			if whole.Counts.BytesLost != split.Counts.BytesLost {
				t.Errorf("%s in units of %d bytes: %d lost, whole %d", c.Name, size, split.Counts.BytesLost, whole.Counts.BytesLost)
			}
		}
	}
}

func readFile(t *testing.T, c damage.Case, f *damage.File, size int64) *damage.Reading {
	t.Helper()
	path := filepath.Join(t.TempDir(), c.Name+c.Ext())
	if err := os.WriteFile(path, f.Data, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := damage.Read(t.Context(), path, size)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestCase_isAFunctionOfItsSeed makes a file twice.
func TestCase_isAFunctionOfItsSeed(t *testing.T) {
	if n := len(damage.Cases()); n < 120 {
		t.Errorf("%d cases, want 120", n)
	}
	for _, c := range small()[:20] {
		if x, y := c.Make(), c.Make(); !bytes.Equal(x.Data, y.Data) || !slices.Equal(x.Pages, y.Pages) {
			t.Errorf("%s is not the same twice", c.Name)
		}
	}
}
