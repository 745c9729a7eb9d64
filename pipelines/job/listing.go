package job

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// listing is a list that would be too long for a graph: a plan of 90,000 units is some 70 MB, and Dataflow takes graphs
// of 10. It stands in interim files of the folder, a JSON value a line, and the graph has only their keys, which are
// hashes of what they hold.
type listing []string

// A file of a listing holds at least listedRows values, and there are at most listedFiles of them, so that their keys
// take at most 20 KB.
const (
	listedRows  = 1000
	listedFiles = 256
)

// newListing makes the files of a list, in their order, and the listing that names them.
func newListing[T any](list []T) (l listing, files [][]byte, err error) {
	// For more than 256,000 values files grow instead of becoming more: the graph names each file, and a
	// service bounds how large a graph may be.
	size := max(listedRows, (len(list)+listedFiles-1)/listedFiles)
	// One value is one line, so that a worker splits a file without decoding it.
	for part := range slices.Chunk(list, size) {
		var lines bytes.Buffer
		e := json.NewEncoder(&lines)
		for _, v := range part {
			if err := e.Encode(v); err != nil {
				return nil, nil, err
			}
		}
		// A file is named by its bytes. A job that is sent again writes the same files, and none is ever
		// changed.
		sum := sha256.Sum256(lines.Bytes())
		l, files = append(l, hex.EncodeToString(sum[:])), append(files, lines.Bytes())
	}
	return l, files, nil
}

// writeListing writes a list into the folder of an open collection.
func writeListing[T any](f folder.Folder, list []T) (listing, error) {
	l, files, err := newListing(list)
	// cmp.Or calls Write also after an error, which is harmless: the listing is then not used by anybody.
	for i, data := range files {
		err = cmp.Or(err, listed(l[i]).Write(f, data))
	}
	if err != nil {
		return nil, outputError(err)
	}
	return l, nil
}

// listed is the interim file of one key of a listing.
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
