package batch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Listing is a list of values for a graph. It has the names of files, because a plan of 90,000 units is some 70 MB
// and Dataflow takes graphs of 10 MB. The files are interim files of the output folder with a JSON value per line,
// named by their hashes.
type Listing struct {
	Files  []string
	Values [][]byte // the values themselves if there are no files
}

func (l Listing) empty() bool { return len(l.Files) == 0 && len(l.Values) == 0 }

// A file has at least listedRows values, and there are at most listedFiles files, so that their names take at most 20
// KB.
const (
	listedRows  = 1000
	listedFiles = 256
)

// List writes a list to files of a folder that the caller has locked. A nil folder is for graphs that are only shown:
// files get names but are not written.
func List[T any](f folder.Folder, list []T) (Listing, error) {
	l, files, err := listing(list)
	if err != nil || f == nil {
		return l, err
	}
	for i, data := range files {
		if err := listed(l.Files[i]).Write(f, data); err != nil {
			return Listing{}, err
		}
	}
	return l, nil
}

// Inline returns a listing with its values in the graph, for lists that are always short.
func Inline[T any](list []T) (l Listing, err error) {
	for _, v := range list {
		value, err := json.Marshal(v)
		if err != nil {
			return Listing{}, err
		}
		l.Values = append(l.Values, value)
	}
	return l, nil
}

// listing makes the files of a list and the listing that names them.
func listing[T any](list []T) (l Listing, files [][]byte, err error) {
	// Beyond 256,000 values, files grow instead of their number, because services limit the size of a graph.
	size := max(listedRows, (len(list)+listedFiles-1)/listedFiles)
	// One value per line lets workers split a file without decoding it.
	for part := range slices.Chunk(list, size) {
		var lines bytes.Buffer
		e := json.NewEncoder(&lines)
		for _, v := range part {
			if err := e.Encode(v); err != nil {
				return Listing{}, nil, err
			}
		}
		// Named by their content, so that a repeated job writes the same files and never changes one.
		l.Files, files = append(l.Files, hashOf(lines.Bytes())), append(files, lines.Bytes())
	}
	return l, files, nil
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// listed returns the interim file of a listing for key.
func listed(key string) interim.File {
	return interim.File{Kind: interim.Listings, Key: key}
}

// readListed reads the lines of a file of a listing.
func readListed(f folder.Folder, key string) ([][]byte, error) {
	data, err := listed(key).Read(f)
	if err != nil {
		return nil, fmt.Errorf("the plan of this run: %w", err)
	}
	// A file that lost its last lines would leave out units silently.
	if hashOf(data) != key {
		name := f.Path(holdings.Hidden(listed(key).Name()))
		return nil, fmt.Errorf("the plan of this run: %s is damaged: run the command again", name)
	}
	// Encode ends each value with a newline and writes none inside.
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")), nil
}
