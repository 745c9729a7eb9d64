package lake

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// ErrOutside is a file of the table that is not in the collection's folder.
var ErrOutside = errors.New("lake: the table has a file outside of its folder")

// Iceberg writes whole URIs down, of metadata and of data. Those of our files begin with the table's location, which is
// where the folder was when the table was made. What follows the location is the name in the folder, wherever that is
// now: so a table of a folder that was moved, or that is seen through another mount, can be read here as before.

// locate is the URI of a folder.
func locate(f folder.Folder) (string, error) {
	path := f.Path("")
	if blob.IsRemote(path) {
		return path, nil
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return "file://" + filepath.ToSlash(path), nil
}

// ErrPath is a folder whose URI would have to be written in two ways.
var ErrPath = errors.New("lake: the path has characters that URIs write otherwise, such as spaces, % and letters " +
	"beyond ASCII, and engines do not agree whether a table's paths have them so: move the folder")

// checkLocation reports whether a table can be at a location: the library escapes in paths what URIs escape, and Spark
// and pyiceberg take paths as they are.
func checkLocation(location string) error {
	u, err := url.Parse(location)
	if err != nil || u.JoinPath("metadata").String() != location+"/metadata" {
		return fmt.Errorf("%w (%s)", ErrPath, location)
	}
	return nil
}

// plain is a URI in the form in which two of one file are equal: Hadoop writes file:/x for file:///x, and has two more
// schemes for S3.
func plain(uri string) string {
	if rest, ok := strings.CutPrefix(uri, "file:"); ok {
		return "/" + strings.TrimLeft(rest, "/")
	}
	for _, scheme := range []string{"s3a://", "s3n://"} {
		if rest, ok := strings.CutPrefix(uri, scheme); ok {
			return "s3://" + rest
		}
	}
	return uri
}

// nameIn is the name in the folder of a file of the table at location. The metadata may be anybody's: a name that leads
// out of the folder is ErrOutside.
func nameIn(location, uri string) (string, error) {
	prefix := strings.TrimRight(plain(location), "/") + "/"
	name, ok := strings.CutPrefix(plain(uri), prefix)
	if location == "" || !ok || !fs.ValidPath(name) || name == "." {
		return "", fmt.Errorf("%w: %s is not in %s", ErrOutside, uri, location)
	}
	return name, nil
}
