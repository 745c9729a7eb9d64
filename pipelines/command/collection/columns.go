package collection

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// checkColumns lists the Parquet shards of the manifest that have values in place of nulls, and says how many cells
// it checked. It skips files of other programs, in which an empty text may be intended.
func (j *job) checkColumns(ctx context.Context, m schemas.Manifest) (list []string, err error) {
	files, checked := 0, int64(0)
	for _, u := range m.Units {
		for _, s := range u.Shards {
			if !strings.HasSuffix(s.Name, ".parquet") {
				continue
			}
			found, err := j.checkCells(ctx, s.Name)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				list = append(list, fmt.Sprintf("%s: %v", s.Name, err))
			}
			files, checked = files+1, checked+found.Checked
			if len(found.Empty) > 0 {
				list = append(list, fmt.Sprintf("%s: values in place of null in %s; %s", s.Name, found.Columns(), mend(s.Name)))
			}
		}
	}
	j.say("columns    %s in %s looked at", cli.Plural(checked, "cell"), cli.Plural(files, "Parquet file"))
	return list, nil
}

// mend says how to rewrite a shard of an earlier version.
func mend(name string) string {
	if isLinks(name) || isData(name) {
		return "`ingest` makes it again from its archives"
	}
	return "`ingest` makes it again from its archives, `collection compact` from its rows"
}

func isLinks(name string) bool { return strings.HasPrefix(name, "links-") }

func isData(name string) bool { return strings.HasPrefix(name, "data-") }

func (j *job) checkCells(ctx context.Context, name string) (found parquetscan.Cells, err error) {
	in, err := j.f.Open(name)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	f, err := parquetscan.Open(in, in.Size(), parquetscan.Options{})
	if err != nil {
		return found, err
	}
	if isLinks(name) {
		return parquetscan.CheckCells[schemas.Link](ctx, f)
	}
	if isData(name) {
		return parquetscan.CheckCells[schemas.Datum](ctx, f)
	}
	return parquetscan.CheckCells[schemas.Document](ctx, f)
}
