package zipnum

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// parseLoc parses a .loc file: the paths of each part. A path may not leave the folder: a cluster from elsewhere must
// not lead to other files of the machine or to the web.
func parseLoc(name string, text []byte) (map[string][]string, error) {
	paths := map[string][]string{}
	at := 0
	for line := range bytes.Lines(text) {
		fields := strings.Split(strings.TrimRight(string(line), "\r\n"), "\t")
		if fields[0] != "" || len(fields) > 1 {
			for _, p := range fields[1:] {
				// IsLocal refuses absolute paths and those with too many "..", by their text alone.
				if !filepath.IsLocal(filepath.FromSlash(p)) || strings.Contains(p, "://") {
					return nil, fmt.Errorf("%s: line at byte %d: %w: %.80q: put the part beside the .idx file, and name it so",
						name, at, ErrPath, p)
				}
			}
			paths[fields[0]] = append(paths[fields[0]], fields[1:]...)
		}
		at += len(line)
	}
	return paths, nil
}

// AppendLoc appends the line of a .loc file for a part that lies beside it.
func AppendLoc(b []byte, part, path string) []byte {
	return append(append(append(append(b, part...), '\t'), path...), '\n')
}
