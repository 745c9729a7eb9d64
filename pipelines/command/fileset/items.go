package fileset

import (
	"os"

	"github.com/gleaner-web/gleaner/io/dataset/items"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

// Items says where to keep datasets with the strategies archiveorg-*. Without Dir they are verified and not kept.
type Items struct {
	Dir                string
	Upload             bool
	Endpoint, Metadata string
	Key                secret.Text
}

// keyVariable is the environment variable with the key of archive.org.
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

// addItems adds the flags of items. Call the result after parsing the command line.
func addItems(f *cli.Flags) func() (Items, error) {
	row := cli.Rows(itemFlags)
	dir, upload := f.String(row("items")), f.Bool(row("upload"))
	endpoint, metadata := f.String(row("upload_endpoint")), f.String(row("upload_metadata"))
	return func() (Items, error) {
		i := Items{
			Dir: *dir, Upload: *upload, Endpoint: *endpoint, Metadata: *metadata, Key: secret.Text(os.Getenv(keyVariable)),
		}
		// Keeps it out of messages and logs.
		secret.Note(os.Getenv(keyVariable))
		switch {
		case blob.IsRemote(i.Dir):
			return i, cli.Usagef("--items=%s: files are written as they come, for which it has to be a local folder", i.Dir)
		case i.Upload && i.Dir == "":
			return i, cli.Usagef("--upload uploads what --items keeps: name a folder")
		// Checked now, not when the first item is complete.
		case i.Upload && i.Key == "":
			return i, cli.Usagef("--upload needs a key of archive.org in the environment's %s, as access:secret", keyVariable)
		}
		return i, nil
	}
}

// lasting adds the options that change results.
func (i Items) lasting(into map[string]any) {
	// With items, files have other statuses: see fileset.Keeper.
	if i.Dir != "" {
		into["items"] = i.Dir
	}
	if i.Upload {
		into["upload"] = i.Endpoint
	}
}

// keeper returns nil if no items are kept.
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
