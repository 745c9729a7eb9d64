package sources

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// printPlan prints what a run would read, and changes nothing. Units that the Source DB has merged, from any
// collection, are not read again.
func printPlan(w io.Writer, out folder.Folder, tasks []task) error {
	// A new Source DB has merged nothing.
	m, err := sourcedb.ReadManifest(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fresh := unseen(m, tasks)
	read, merged, bytes := int64(len(fresh)), int64(len(tasks)-len(fresh)), int64(0)
	for _, t := range fresh {
		for _, s := range t.Shards {
			// The Source DB does not read other shards.
			if strings.HasPrefix(s.Name, "feeds-") || strings.HasPrefix(s.Name, "documents-") {
				bytes += s.Bytes
			}
		}
	}
	return cli.Answer(w, cli.AnswerPlan, struct {
		Units   int64  `json:"units"`        // to read
		Merged  int64  `json:"units_merged"` // by earlier runs
		Bytes   int64  `json:"bytes"`
		Sources int64  `json:"sources"` // known
		AsOf    string `json:"as_of,omitempty"`
	}{read, merged, bytes, m.Counts.Standing(), m.AsOf},
		fmt.Sprintf("Units        %s to read, %s merged before\nBytes        %s\nSources      %s known, as of %s\n",
			cli.FormatCount(read), cli.FormatCount(merged), cli.FormatCount(bytes), cli.FormatCount(m.Counts.Standing()),
			orNone(m.AsOf)))
}

func orNone(s string) string {
	if s == "" {
		return "no capture"
	}
	return s
}
