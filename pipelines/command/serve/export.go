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

// export writes a page for each collection to a folder and prints their names. Each is the page that ingest
// --report=html writes beside the manifest. It needs no index.
func export(ctx context.Context, c config) (code int, err error) {
	// One page is made at a time, so this needs no memory limit.
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	defer func() { err = errors.Join(err, store.Close()) }()
	to := folder.Open(ctx, c.export, store)
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := to.Make(""); err != nil {
		return cli.ExitFailed, cli.OutputError(err)
	}
	// taken has the names of this call's pages; those of earlier calls are replaced.
	taken := map[string]bool{}
	for _, name := range c.collections {
		// Read first, so that a failing collection leaves no file.
		page, err := sheetOf(ctx, name, store)
		// The user named a missing collection: a usage error.
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
		// Scripts read the names.
		cli.Say(os.Stdout, "%s\n", to.Path(file))
	}
	return cli.ExitDone, nil
}

// sheetOf returns the page of a collection.
func sheetOf(ctx context.Context, name string, store *blob.Store) (page []byte, err error) {
	f := folder.Open(ctx, name, store)
	// Closed here, so that no connection to a bucket stays open.
	defer func() { err = errors.Join(err, f.Close()) }()
	r, err := sheet.Read(ctx, f)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = sheet.Write(&b, r)
	return b.Bytes(), err
}

// freeName returns the file name for a collection's page: its folder's name, with a number for duplicates. Equal
// command lines give equal names.
func freeName(collection string, taken map[string]bool) string {
	base := path.Base(strings.TrimRight(strings.ReplaceAll(collection, "\\", "/"), "/"))
	if strings.Trim(base, "./") == "" {
		base = "collection" // the current folder
	}
	name := base + ".html"
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d.html", base, n)
	}
	taken[name] = true
	return name
}
