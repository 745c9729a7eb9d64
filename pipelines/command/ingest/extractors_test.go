package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
)

// TestUnreadRules: triggers in a bucket are not ignored silently.
func TestUnreadRules(t *testing.T) {
	dir := t.TempDir()
	usual := recipe.WrapOutput
	t.Cleanup(func() { recipe.WrapOutput = usual })
	recipe.WrapOutput = func(folder.Folder) folder.Folder { return folder.Open(t.Context(), dir, nil) }
	bucket := func(change func(r *plan.Request)) *plan.Request {
		r := &plan.Request{Machine: recipe.Machine{Output: "s3://bucket/out"}}
		r.Formats = []string{"jsonl"}
		change(r)
		return r
	}
	for _, rules := range []bool{false, true} {
		if rules {
			if err := os.WriteFile(filepath.Join(dir, claim.ExtractorsFile), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for name, tt := range map[string]struct {
			change  func(r *plan.Request)
			refused bool
		}{
			"in a bucket": {func(*plan.Request) {}, true},
			"named":       {func(r *plan.Request) { r.Triggers = map[string]string{"text": "status = 200"} }, false},
			"an index":    {func(r *plan.Request) { r.Formats = []string{"cdxj"} }, false},
			"on a disk":   {func(r *plan.Request) { r.Output = dir }, false},
			"a plan":      {func(r *plan.Request) { r.Shown = true }, false},
		} {
			err := unreadRules(t.Context(), bucket(tt.change))
			var usage *cli.UsageError
			if errors.As(err, &usage) != (tt.refused && rules) || err != nil && usage == nil {
				t.Errorf("%s, rules %v: %v", name, rules, err)
			}
		}
	}
}
