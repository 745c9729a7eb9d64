//go:build !noiceberg && !local

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

// ErrOutside means that the table has a file outside the collection's folder.
var ErrOutside = errors.New("lake: the table has a file outside of its folder")

// Iceberg stores whole URIs of metadata and data files. Those of our files begin with the table's location: the place
// of the folder when the table was made. The rest is the name in the folder, wherever the folder is now. So this
// package can still read a table whose folder was moved or is seen through another mount.

// locate returns the URI of a folder.
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

// ErrPath means that the folder's URI could be written in two ways.
var ErrPath = errors.New("lake: the path has characters that URIs write otherwise, such as spaces, % and letters " +
	"beyond ASCII, and engines do not agree whether a table's paths have them so: move the folder")

// checkLocation returns an error if a table cannot be at a location: the library escapes paths as URIs, while Spark and
// pyiceberg take them literally.
func checkLocation(location string) error {
	u, err := url.Parse(location)
	if err != nil || u.JoinPath("metadata").String() != location+"/metadata" {
		return fmt.Errorf("%w (%s)", ErrPath, location)
	}
	return nil
}

// plain returns the form of a URI by which two URIs of one file are equal. Hadoop writes file:/x for file:///x, and has
// two more schemes for S3.
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

// nameIn returns the name in the folder of a file of the table at location. Anybody may have written the metadata: a
// name that leads out of the folder gives ErrOutside.
func nameIn(location, uri string) (string, error) {
	prefix := strings.TrimRight(plain(location), "/") + "/"
	name, ok := strings.CutPrefix(plain(uri), prefix)
	if location == "" || !ok || !fs.ValidPath(name) || name == "." {
		return "", fmt.Errorf("%w: %s is not in %s", ErrOutside, uri, location)
	}
	return name, nil
}
