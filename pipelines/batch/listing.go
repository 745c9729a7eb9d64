package batch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Listing is a list of values that travels in a graph: by the names of files that hold it, since it would be too long
// itself. A plan of 90,000 units is some 70 MB, and Dataflow takes graphs of 10. The files are interim files of the
// output folder, with a JSON value a line, and are named by hashes of what they hold.
type Listing struct {
	Files  []string
	Values [][]byte // the values themselves, where there are no files
}

func (l Listing) empty() bool { return len(l.Files) == 0 && len(l.Values) == 0 }

// A file of a listing holds at least listedRows values, and there are at most listedFiles of them, so that their names
// take at most 20 KB.
const (
	listedRows  = 1000
	listedFiles = 256
)

// List writes a list into files of a folder, whose lock the caller has. A nil folder is for graphs that are only shown:
// the files are named and not written.
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

// Inline returns a listing whose values are in the graph: for lists that are short whatever the input.
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

// listing makes the files of a list, in their order, and the listing that names them.
func listing[T any](list []T) (l Listing, files [][]byte, err error) {
	// For more than 256,000 values files grow instead of becoming more: the graph names each file, and a
	// service bounds how large a graph may be.
	size := max(listedRows, (len(list)+listedFiles-1)/listedFiles)
	// One value is one line, so that a worker splits a file without decoding it.
	for part := range slices.Chunk(list, size) {
		var lines bytes.Buffer
		e := json.NewEncoder(&lines)
		for _, v := range part {
			if err := e.Encode(v); err != nil {
				return Listing{}, nil, err
			}
		}
		// A file is named by its bytes. A job that is sent again writes the same files, and none is ever
		// changed.
		sum := sha256.Sum256(lines.Bytes())
		l.Files, files = append(l.Files, hex.EncodeToString(sum[:])), append(files, lines.Bytes())
	}
	return l, files, nil
}

// listed is the interim file of one name of a listing.
func listed(key string) collection.Interim {
	return collection.Interim{Kind: collection.KindListing, Key: key}
}

// readListed reads the lines of one file of a listing.
func readListed(f folder.Folder, key string) ([][]byte, error) {
	data, err := listed(key).Read(f)
	if err != nil {
		return nil, fmt.Errorf("the plan of this run: %w", err)
	}
	// Encode ends each value with a newline and writes none inside, so that a line is a value.
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")), nil
}
