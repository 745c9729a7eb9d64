package fileset

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestFileset_seeds uses 19 captures of four platforms that others made from the description of Sandcrawler's ingest.
// The results are the described ones, by requests and by datasets found in the captures.
func TestFileset_seeds(t *testing.T) {
	const seeds = "../../../../shared/corpora/seeds/sandcrawler/synthetic"
	if _, err := os.Stat(seeds); err != nil {
		t.Skip("no ../shared/corpora/seeds/sandcrawler beside the checkout")
	}
	found := []string{
		"zenodo 5230255 success web-fileset 3 98 zenodo.org-5230255",
		"figshare 12127176 success-file web-file 1 14 figshare.com-12127176-v4",
		"dataverse doi:10.5072/FK2/J8SJZB success web-fileset 2 26 demo.dataverse.org-J8SJZB-v1.1",
		"archiveorg CAT_DATASET success archiveorg-fileset 2 86 CAT_DATASET",
	}
	asked, discovered := filepath.Join(t.TempDir(), "asked"), filepath.Join(t.TempDir(), "discovered")
	archives := "--archives=" + seeds + "/captures-00000.warc.gz"
	command(t, 0, "--requests="+seeds+"/requests.jsonl", archives, "--output="+asked)
	if diff := cmp.Diff(append(found, "no-capture", "no-capture"), told(t, asked)); diff != "" {
		t.Errorf("asked: -want +got:\n%s", diff)
	}
	command(t, 0, "--discover", archives, "--output="+discovered)
	want := map[string]bool{}
	for _, line := range found {
		want[line] = true
	}
	got := map[string]bool{}
	for _, line := range told(t, discovered) {
		got[line] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("discovered: -want +got:\n%s", diff)
	}
}

// told returns the results of a folder: the platform, the dataset, its status, and its files. All files of a success
// must be verified.
func told(t *testing.T, dir string) (list []string) {
	t.Helper()
	for _, line := range results(t, dir, "fileset-results") {
		var r schemas.FilesetResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if !r.Hit {
			list = append(list, r.Status)
			continue
		}
		list = append(list, fmt.Sprintf("%s %s %s %s %d %d %s", r.Platform, r.ID, r.Status, r.Strategy, *r.FileCount,
			*r.TotalSize, r.Item))
		for _, f := range r.Manifest {
			if f.Status != "success" || len(f.MD5) != 32 || len(f.SHA1) != 40 || len(f.SHA256) != 64 {
				t.Errorf("%s: %+v", r.Request.BaseURL, f)
			}
		}
	}
	return list
}
