package fileset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	core "github.com/gleaner-web/gleaner/transforms/fileset/export"
)

func formatNames() []string { return slices.Sorted(maps.Keys(core.Formats)) }

// export writes the results of a finished folder in a format, in the order of requests.
func export(ctx context.Context, f folder.Folder, m filesets.Manifest, format string) (err error) {
	// A hidden name first, so that FORMAT.jsonl is always complete.
	w, err := f.Create(".export.tmp")
	if err != nil {
		return err
	}
	defer func() {
		// w is nil after a successful Close.
		if w != nil {
			err = errors.Join(err, w.Close(), f.Remove(".export.tmp"))
		}
	}()
	// The manifest has the units in the order of requests.
	for _, u := range m.Units {
		for _, s := range u.Shards {
			if !strings.HasPrefix(s.Name, "fileset-results-") {
				continue
			}
			if err := exportShard(ctx, f, s.Name, core.Formats[format], w); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
		}
	}
	if err := errors.Join(w.Sync(), w.Close()); err != nil {
		return err
	}
	w = nil
	return f.Rename(".export.tmp", format+".jsonl")
}

// exportShard writes the results of one file.
func exportShard(
	ctx context.Context, f folder.Folder, name string, convert func(*schemas.FilesetResult) (any, bool), to io.Writer,
) (err error) {
	in, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, err := jsonl.NewReader(in)
	if err != nil {
		return err
	}
	// Results are read one by one, since there may be thousands of files.
	for line, err := range r.All() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		var result schemas.FilesetResult
		if err := json.Unmarshal(line, &result); err != nil {
			return err
		}
		value, ok := convert(&result)
		// The format cannot hold this dataset, so it gets no line.
		if !ok {
			continue
		}
		b, err := json.Marshal(value)
		if err == nil {
			_, err = to.Write(append(b, '\n'))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
