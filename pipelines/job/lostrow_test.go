package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
)

// TestLostRow: a run over other archives refuses to remove a unit whose row is damaged or missing. A run over its
// archive makes it again.
func TestLostRow(t *testing.T) {
	truncate := func(name string) error { return os.WriteFile(name, nil, 0o644) }
	added := func(c *plan.Request) { c.Keep.Add = true }
	same := func(*plan.Request) {}
	for _, tt := range []struct {
		name   string
		damage func(name string) error
		gone   []string
		change func(c *plan.Request)
		inputs []string
		want   string // hosts of the collection's documents
		refuse string // expected in the error
	}{
		{"empty, added", truncate, nil, added, []string{"day2"}, "day1-a day1-b", "does not read"},
		{"missing, added", os.Remove, nil, added, []string{"day2"}, "day1-a day1-b", "does not read"},
		{"the other archive", truncate, nil, same, []string{"day1/b.warc"}, "day1-a day1-b", "does not read"},
		{"gone", os.Remove, []string{"day1/a.warc"}, same, []string{"day1"}, "day1-a day1-b", "does not read"},
		{"the same again", truncate, nil, same, []string{"day1"}, "day1-a day1-b", ""},
		{"the same again, missing", os.Remove, nil, same, []string{"day1"}, "day1-a day1-b", ""},
		{"added with it", truncate, nil, added, []string{"day1/a.warc", "day2"}, "day1-a day1-b day2-c", ""},
		{
			"given up", os.Remove,
			[]string{"day1/a.warc"},
			func(c *plan.Request) { c.Keep.Prune = true },
			[]string{"day1"},
			"day1-b", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDays(t)
			d.put("day1/a", "day1/b", "day2/c")
			makeRun(t, dayConfig(d, "day1"))
			rows, err := ledger.Rows(local(d.out))
			if err != nil {
				t.Fatal(err)
			}
			for key, r := range rows {
				if strings.HasSuffix(r.Inputs[0].File, "a.warc") {
					if err := tt.damage(filepath.Join(d.out, holdings.HiddenDir, ledger.RowFile(key))); err != nil {
						t.Fatal(err)
					}
				}
			}
			d.remove(tt.gone...)
			c := dayConfig(d, tt.inputs...)
			tt.change(&c)
			runs(t, d, c, tt.refuse, tt.want)
		})
	}
}

// runs runs a request that is refused, or not if refuse is "". Afterwards the collection has documents of these hosts.
func runs(t *testing.T, d days, c plan.Request, refuse, want string) {
	t.Helper()
	p, err := plan.Make(t.Context(), c)
	if err == nil {
		_, err = Run(t.Context(), p)
	}
	if (err == nil) != (refuse == "") || err != nil && !strings.Contains(err.Error(), refuse) {
		t.Errorf("the next run: %v, want %q", err, refuse)
	}
	if got := strings.Join(hosts(t, d.out), " "); got != want {
		t.Errorf("the collection has %q, want %q", got, want)
	}
	problems, err := care.Verify(t.Context(), local(d.out))
	if refuse == "" && (err != nil || len(problems) > 0) {
		t.Errorf("check: %v, %v", problems, err)
	}
}

// TestInterruptedFresh: an interrupted run over all archives again leaves the units that the manifest names. A later
// command with other archives treats them as any other units.
func TestInterruptedFresh(t *testing.T) {
	added := func(c *plan.Request) { c.Keep.Add = true }
	same := func(*plan.Request) {}
	for _, tt := range []struct {
		name   string
		gone   []string
		change func(c *plan.Request)
		inputs []string
		want   string
		refuse string
	}{
		{"one of them", nil, same, []string{"day1/b.warc"}, "day1-a day1-b", "does not name"},
		{"the other", nil, same, []string{"day1/a.warc"}, "day1-a day1-b", "does not name"},
		{"one more, all gone", []string{"day1"}, added, []string{"day2"}, "day1-a day1-b day2-c", ""},
		{"all of them", nil, same, []string{"day1"}, "day1-a day1-b", ""},
		{"prune", []string{"day1/a.warc"}, func(c *plan.Request) { c.Keep.Prune = true }, []string{"day1"}, "day1-b", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDays(t)
			d.put("day1/a", "day1/b", "day2/c")
			makeRun(t, dayConfig(d, "day1"))
			fresh := dayConfig(d, "day1")
			fresh.Fresh, fresh.Workers = true, 1
			for at := int64(20); !halfAgain(t, d.out); at++ {
				if _, err := disturbed(t.Context(), fresh, &foldertest.Fault{At: at, Rest: true}); err == nil {
					t.Fatal("the run has ended, and has not been interrupted in between")
				}
			}
			d.remove(tt.gone...)
			c := dayConfig(d, tt.inputs...)
			tt.change(&c)
			runs(t, d, c, tt.refuse, tt.want)
		})
	}
}

// halfAgain reports whether one of two units was done again, and the manifest names its earlier one.
func halfAgain(t *testing.T, dir string) bool {
	t.Helper()
	rows, err := ledger.Rows(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	m, err := holdings.ReadManifest(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	named, again := ledger.UnitsOf(m), 0
	for key, r := range rows {
		if _, is := rows[r.Retired]; is && named[ledger.UnitOfKey(key)] {
			again++
		}
	}
	return again == 1
}

// TestLostRow_elsewhere: the archives of lost units are those of the folder in which their run was.
func TestLostRow_elsewhere(t *testing.T) {
	for _, tt := range []struct {
		name   string
		inputs []string // relative to the other folder; "ROOT" is the first one
		prune  bool
		refuse string
	}{
		{"another archive of the same name", []string{"day1"}, false, "does not read"},
		{"another name that is gone", []string{"day2"}, true, "does not read"},
		{"the same archives by their whole path", []string{"ROOT/day1"}, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, other := newDays(t), newDays(t)
			d.put("day1/a", "day1/b")
			other.put("day2/c")
			if !tt.prune {
				other.put("day1/a")
			}
			t.Chdir(d.root)
			c := dayConfig(d)
			c.Inputs = []string{"day1"}
			makeRun(t, c)
			rows, err := ledger.Rows(local(d.out))
			if err != nil {
				t.Fatal(err)
			}
			for key := range rows {
				if err := os.Remove(filepath.Join(d.out, holdings.HiddenDir, ledger.RowFile(key))); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(other.root)
			c = dayConfig(d)
			for _, name := range tt.inputs {
				c.Inputs = append(c.Inputs, strings.Replace(name, "ROOT", d.root, 1))
			}
			c.Keep.Add, c.Keep.Prune = true, tt.prune
			runs(t, d, c, tt.refuse, "day1-a day1-b")
		})
	}
}
