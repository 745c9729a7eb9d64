package ingest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/enrich/triggers"
)

// readTriggers reads the file in --extractors, or else the one in the output folder. The latter must be on a disk. If
// only an index is made, it is ignored, because it is about documents.
func readTriggers(name, output string, indexOnly bool) (map[string]string, error) {
	beside := name == ""
	if beside {
		if blob.IsRemote(output) || indexOnly {
			return nil, nil
		}
		name = filepath.Join(output, claim.ExtractorsFile)
	}
	f, err := os.Open(name)
	// Opening the output reports if it is not a folder.
	if beside && (errors.Is(err, fs.ErrNotExist) || !isFolder(output)) {
		return nil, nil
	}
	if err != nil {
		return nil, cli.Usagef("--extractors: %v", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, triggers.MaxBytes+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, cli.Usagef("--extractors: %v", err)
	}
	when, err := triggers.Parse(data)
	if err != nil {
		return nil, cli.Usagef("%s: %v", name, err)
	}
	return when, nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// unreadRules refuses triggers of extractors in a bucket, which only --extractors reads.
func unreadRules(ctx context.Context, r *plan.Request) error {
	if !blob.IsRemote(r.Output) || len(r.Triggers) > 0 || onlyIndex(r.Formats) || r.Shown || run.DryRun() {
		return nil
	}
	f := r.OpenFolder(ctx, "")
	_, err := f.Size(claim.ExtractorsFile)
	_ = f.Close() // nothing was written
	switch {
	case err == nil:
		return cli.Usagef("%s has a file %s, which is read only from folders on a disk: name a copy of it by --extractors",
			r.Output, claim.ExtractorsFile)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return plan.OutputError(err)
}
