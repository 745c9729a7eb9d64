package damage_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/damage"
	"github.com/gleaner-web/gleaner/schemas"
)

// containerTurns returns the number of WACZ files of each kind.
func containerTurns(t *testing.T) int {
	if s := os.Getenv("GLEANER_DAMAGE_TURNS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 2
}

// TestAttack14_damageOfContainers damages WACZ files at random, with a new seed in each run. Pages outside the damage
// are read, and no body is wrong without a flag. If a page is missing, the file is reported as damaged.
func TestAttack14_damageOfContainers(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("GLEANER_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	t.Logf("GLEANER_SEED=%d makes the same files", seed)
	var total damage.Score
	files := 0
	for i, kind := range damage.ContainerKinds() {
		for turn := range containerTurns(t) {
			c := damage.Container{Kind: kind, Seed: seed + uint64(1000*i+turn), Pages: 6}
			if s, ok := readContainer(t, c); ok {
				total.Add(s)
				files++
			}
		}
	}
	t.Logf("%d files: %+v", files, total)
	// Damage may be undetectable, so one page in a thousand may be lost. One file may lose four pages at once. So the
	// limit is one in a hundred for the default number of files, which is small (GLEANER_DAMAGE_TURNS=30 is enough
	// for the lower limit).
	most := total.Untouched / 1000
	if total.Untouched < 10_000 {
		most = total.Untouched / 100
	}
	if missing := total.Untouched - total.Delivered; missing > most {
		t.Errorf("%d of %d pages that no damage touched were not read", missing, total.Untouched)
	}
}

// TestAttack14_checksumsGone reads packages whose damage hit both a page without a digest and the checksums of its
// archive. About one random package in 4,000 is like this.
func TestAttack14_checksumsGone(t *testing.T) {
	for _, c := range []damage.Container{
		{Kind: "swapped-blocks", Seed: 1795913325111205715, Pages: 6}, // an archive whose data descriptor is gone
		{Kind: "swapped-blocks", Seed: 87134059, Pages: 6},            // an archive whose header is gone
	} {
		t.Run(c.String(), func(t *testing.T) {
			if s, ok := readContainer(t, c); !ok || s.Delivered < s.Untouched {
				t.Errorf("got %+v, want all pages that no damage touched", s)
			}
		})
	}
}

// readContainer reads a damaged WACZ file in pieces, and checks each. ok is false if the file is not an archive any
// more.
func readContainer(t *testing.T, c damage.Container) (s damage.Score, ok bool) {
	t.Helper()
	f := c.Make()
	path := filepath.Join(t.TempDir(), c.String()+".wacz")
	if err := os.WriteFile(path, f.Data, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := damage.Read(t.Context(), path, 20_000)
	if err != nil {
		t.Errorf("%v: %v", c, err)
		return s, false
	}
	for _, fault := range got.Faults {
		t.Errorf("%v: %s", c, fault)
	}
	s = f.Score(got.Documents, func(note string) { t.Logf("%v: %s", c, note) })
	said := got.Counts.BytesLost > 0 || got.Counts.HasDamage()
	missing := s.Untouched + s.Touched - s.Delivered - s.Saved
	if missing > 0 && !said {
		t.Errorf("%v: %d pages are missing, and nothing is said: %+v, rejects %v", c, missing, s, got.Rejects)
	}
	if s.Wrong > 0 || s.Unknowable > 0 {
		t.Errorf("%v: %d bodies are wrong without a flag", c, s.Wrong+s.Unknowable)
	}
	// Its archives may have records in doubt, but the package itself must have no reject.
	container := got.Counts.BytesLost > 0 || got.Counts.ByQuirk[schemas.QuirkContainer] > 0
	if c.Kind == "sound" && (container || missing > 0) {
		t.Errorf("%v: damage is said of a sound file: %+v, %+v, rejects %v", c, s, got.Counts, got.Rejects)
	}
	if s.Delivered < s.Untouched {
		t.Logf("%v: %d of %d untouched pages; rejects %v", c, s.Delivered, s.Untouched, got.Rejects)
	}
	return s, true
}

// TestAttack14_given reads the given packages, of 12 pages each.
func TestAttack14_given(t *testing.T) {
	const folder = "../../../shared/cases/"
	for _, tt := range []struct {
		file        string
		least, most int // pages
		damaged     bool
	}{
		{"attacks/01-wacz-eocd-offset-bit.wacz", 12, 12, true},
		{"attacks/04-wacz-cd-name-slash-bit.wacz", 12, 12, true},
		{"attacks/07-wacz-deflated.wacz", 12, 12, false},
		{"attacks/wacz-ins13.wacz", 11, 12, true}, // within a member, which is said to be lost
		{"attacks/wacz-joined.wacz", 16, 16, true},
		{"attacks/wacz-offbit.wacz", 12, 12, true},
		{"attacks/wacz-otherfolder.wacz", 12, 12, false},
		{"archives/13-multi-wacz.wacz", 6, 6, false},
	} {
		t.Run(tt.file, func(t *testing.T) {
			if _, err := os.Stat(folder + tt.file); err != nil {
				t.Skip("no ../shared/cases beside the checkout")
			}
			got, err := damage.Read(t.Context(), folder+tt.file, 20_000)
			if err != nil {
				t.Fatal(err)
			}
			said := got.Counts.BytesLost > 0 || got.Counts.HasDamage()
			if n := len(got.Documents); n < tt.least || n > tt.most || said != tt.damaged || len(got.Faults) > 0 {
				t.Errorf("%d pages, damage said %v, faults %v; want %d to %d, %v; rejects %v", n, said, got.Faults, tt.least,
					tt.most, tt.damaged, got.Rejects)
			}
		})
	}
}
