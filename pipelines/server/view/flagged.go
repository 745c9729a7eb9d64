package view

import (
	"context"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// flagCounts are captures by flag and by type of record.
type flagCounts struct {
	flags, types map[string]int64
	files        map[string]map[string]int64 // flagged captures by file and flag
}

// flagsOf counts flags and record types, once for each manifest.
func flagsOf(ctx context.Context, now *shelf.Snapshot) (*flagCounts, error) {
	return shelf.Once(now, "marks", func() (*flagCounts, error) {
		// The answer is for all, so the one who asked first may go.
		ctx = context.WithoutCancel(ctx)
		m, all := &flagCounts{map[string]int64{}, map[string]int64{}, map[string]map[string]int64{}},
			query.Query{AllVersions: true}
		types, err := now.DB.Facets(ctx, all, []string{"record_type"}, 0)
		if err != nil {
			return nil, err
		}
		groups, err := now.DB.Facets(ctx, all, []string{"filename", "flags"}, 0)
		if err != nil {
			return nil, err
		}
		for _, g := range types {
			m.types[g.Values[0]] = g.Count
		}
		m.add(groups)
		return m, nil
	})
}

func (m *flagCounts) add(groups []contentdb.Group) {
	for _, g := range groups {
		file, flag := g.Values[0], g.Values[1]
		if flag == "" {
			continue
		}
		m.flags[flag] += g.Count
		if m.files[file] == nil {
			m.files[file] = map[string]int64{}
		}
		m.files[file][flag] = g.Count
	}
}
