package fileset

import (
	"os"

	"github.com/gleaner-web/gleaner/io/dataset/items"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

// Items says where datasets whose strategy is archiveorg-* are kept; without Dir they are verified and not kept.
type Items struct {
	Dir                string
	Upload             bool
	Endpoint, Metadata string
	Key                secret.Text
}

// keyVariable is that of the environment which has the key of archive.org.
const keyVariable = "GLEANER_ARCHIVEORG_KEY"

const keeping = "Items of archive.org"

var itemFlags = []cli.Flag{
	{
		Name: "items", Group: keeping, Example: "/data/items",
		Help: "folder that datasets whose strategy is archiveorg-* are kept in, each as an item: its files, _meta.xml and " +
			"_files.xml; by default they are verified and not kept",
		Brief: "folder for datasets of the strategies archiveorg-*",
	},
	{
		Name: "upload", Group: keeping,
		Help: "upload these items to archive.org, what is there already left out; the key is in the " +
			"environment's " + keyVariable +
			", as access:secret",
		Brief: "upload items to archive.org",
	},
	{
		Name: "upload_endpoint", Default: "https://s3.us.archive.org", Group: keeping,
		Help: "address that items are uploaded to",
	},
	{
		Name: "upload_metadata", Default: "https://archive.org/metadata", Group: keeping,
		Help: "address that tells what an item holds",
	},
}

// addItems adds the flags of items. What it returns is called after the command line was read.
func addItems(f *cli.Flags) func() (Items, error) {
	row := cli.Rows(itemFlags)
	dir, upload := f.String(row("items")), f.Bool(row("upload"))
	endpoint, metadata := f.String(row("upload_endpoint")), f.String(row("upload_metadata"))
	return func() (Items, error) {
		i := Items{
			Dir: *dir, Upload: *upload, Endpoint: *endpoint, Metadata: *metadata, Key: secret.Text(os.Getenv(keyVariable)),
		}
		// So that no message or log shows it.
		secret.Note(os.Getenv(keyVariable))
		switch {
		case blob.IsRemote(i.Dir):
			return i, cli.Usagef("--items=%s: files are written as they come, for which it has to be a local folder", i.Dir)
		case i.Upload && i.Dir == "":
			return i, cli.Usagef("--upload uploads what --items keeps: name a folder")
		// Asked for now, and not when the first item is whole.
		case i.Upload && i.Key == "":
			return i, cli.Usagef("--upload needs a key of archive.org in the environment's %s, as access:secret", keyVariable)
		}
		return i, nil
	}
}

// lasting is what of it changes results.
func (i Items) lasting(into map[string]any) {
	// With items the statuses of files are others: see fileset.Keeper.
	if i.Dir != "" {
		into["items"] = i.Dir
	}
	if i.Upload {
		into["upload"] = i.Endpoint
	}
}

// keeper is nil when nothing is kept.
func (i Items) keeper() (core.Keeper, error) {
	if i.Dir == "" {
		return nil, nil
	}
	var u *items.Uploader
	if i.Upload {
		u = &items.Uploader{Endpoint: i.Endpoint, Metadata: i.Metadata, Key: i.Key}
	}
	return items.Open(i.Dir, u)
}
