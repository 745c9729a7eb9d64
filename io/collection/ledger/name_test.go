package ledger

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestNames: only names that this program gives are taken for leftovers, which are removed.
func TestNames(t *testing.T) {
	key, unit, unique := strings.Repeat("a", 64), strings.Repeat("a", 20), folder.Unique()
	for _, tt := range []struct{ name, want string }{
		{TempName("documents-"+unit+".parquet", unique), "temp"},
		{TempName("documents-00001-of-00002.jsonl.gz", unique), "temp"},
		{TempName(IndexFile, unique), "temp"},
		{TempName("manifest.json", unique), "temp"},
		{TempName("notes.txt", unique), ""},
		{".documents-" + unit + ".parquet.tmp-1", ""},
		{".documents-" + unit + ".parquet.swp", ""},
		{RowFile(key) + ".pending-" + unique, "pending"},
		{RowFile(key), ""},
		{RowFile(key[1:]) + ".pending-" + unique, ""},
		{strings.TrimPrefix(SpillName(unique), ".gleaner/"), "spill"},
		{"spill-1", ""},
		{SourcesFile("documents-" + unit + ".parquet"), "sources"},
		{"sources-" + unit + "0", ""},
		{"sources-", ""},
	} {
		var got string
		for kind, is := range map[string]func(string) bool{
			"temp": IsTemp, "pending": IsPending, "spill": IsSpill, "sources": IsSources,
		} {
			if is(tt.name) {
				got += kind
			}
		}
		if got != tt.want {
			t.Errorf("%s is %q, want %q", tt.name, got, tt.want)
		}
	}
	if shard, is := SharedShard("sources-" + unit); !is || shard != "documents-"+unit+".parquet" {
		t.Errorf("SharedShard = %s, %v", shard, is)
	}
	if got, rest, ok := SplitKey(RowFile(key)); got != key || rest != ".json" || !ok {
		t.Errorf("SplitKey = %s, %s, %v", got, rest, ok)
	}
}
