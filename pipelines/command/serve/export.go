package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/sheet"
)

// export writes the overview of each collection as a page of its own to a folder, prints their names, and ends: what
// ingest --report=html writes beside the manifest, for collections that are there already. It needs no index.
func export(ctx context.Context, c config) (code int, err error) {
	// No limits of memory and no server: one page is made at a time.
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	defer func() { err = errors.Join(err, store.Close()) }()
	// A local folder or a bucket, as for all outputs.
	to := folder.Open(ctx, c.export, store)
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := to.Make(""); err != nil {
		return cli.ExitFailed, cli.OutputError(err)
	}
	// Of all pages of this call; files of earlier calls are replaced.
	taken := map[string]bool{}
	for _, name := range c.collections {
		// Read before its file is opened, so that a collection that fails leaves no file.
		page, err := sheetOf(ctx, name, store)
		// What the user named is not there: a mistake in the command line, not a failure.
		if errors.Is(err, fs.ErrNotExist) {
			return cli.ExitUsage, cli.Usagef("--collection: no run has finished in %s", name)
		}
		if err != nil {
			return cli.ExitFailed, err
		}
		file := freeName(name, taken)
		if err := to.Write(file, page); err != nil {
			return cli.ExitFailed, cli.OutputError(err)
		}
		// The names on standard output are for scripts.
		cli.Say(os.Stdout, "%s\n", to.Path(file))
	}
	return cli.ExitDone, nil
}

// sheetOf is the page of a collection.
func sheetOf(ctx context.Context, name string, store *blob.Store) (page []byte, err error) {
	f := folder.Open(ctx, name, store)
	// Read only, and closed here, so that buckets hold no connection.
	defer func() { err = errors.Join(err, f.Close()) }()
	r, err := sheet.Read(ctx, f)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = sheet.Write(&b, r)
	return b.Bytes(), err
}

// freeName is the file of a collection's page: its folder's name, with a number where several have the same. Numbers
// are given by the order of the command line, so a rerun gives the same names.
func freeName(collection string, taken map[string]bool) string {
	base := path.Base(strings.TrimRight(strings.ReplaceAll(collection, "\\", "/"), "/"))
	if strings.Trim(base, "./") == "" {
		base = "collection" // the folder that the command is called in
	}
	name := base + ".html"
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d.html", base, n)
	}
	taken[name] = true
	return name
}
