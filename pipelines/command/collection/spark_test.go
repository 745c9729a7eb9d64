package collection

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestTakedown_sparkRows: a takedown removes rows that Spark inserted into the table, and rows that it rewrote with
// an additional column. If only the shards are cleaned, check reports the rows.
func TestTakedown_sparkRows(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("Spark takes a minute: GLEANER_SLOW=1 runs it")
	}
	root := t.TempDir()
	out := filepath.Join(root, "out")
	at := "--collection=" + out
	must(t, "ingest", "--output="+out, "--format=parquet", "--unit_size=64KiB", month(t, root, 0), month(t, root, 3))
	must(t, "collection", "lake", at)
	where := " FROM g.out WHERE host LIKE '%" + secretHost + "' OR url LIKE '%" + marker + "%'"
	got := servertest.Spark(t, root,
		"ALTER TABLE g.out ADD COLUMN note STRING",
		"INSERT INTO g.out SELECT * FROM g.out",
		"UPDATE g.out SET note = 'seen' WHERE timestamp < timestamp '2024-02-01 00:00:00'",
		"SELECT count(*)"+where, "SELECT count(*) FROM g.out",
	)
	if want := []string{"ok", "ok", "ok", "8", "28"}; strings.Join(got, " ") != strings.Join(want, " ") {
		t.Fatalf("Spark answers %q, want %q", got, want)
	}
	text := must(t, "collection", "takedown", at, secretURL, secretHost)
	if !strings.Contains(text, "6 rows removed that other programs wrote") {
		t.Errorf("takedown says %s", text)
	}
	for _, text := range []string{marker, hostMarker} {
		if list := found(t, out, text); len(list) > 0 {
			t.Errorf("%s is in %v", text, list)
		}
	}
	must(t, "collection", "check", at)
	got = servertest.Spark(t, root, "SELECT count(*)"+where, "SELECT count(*) FROM g.out",
		"SELECT count(*) FROM g.out WHERE note = 'seen'")
	if want := []string{"0", "20", "10"}; strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("Spark answers %q, want %q", got, want)
	}
	if code, text := command(t, "collection", "check", at); code != cli.ExitDone {
		t.Errorf("check: exit code %d\n%s", code, text)
	}
}
