package fileset

import (
	"os"

	"github.com/gleaner-web/gleaner/io/dataset/items"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/storage/setting"
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

func (i *Items) settings() []setting.Setting {
	return setting.Under(keeping, []setting.Setting{{
		Name: "items", Value: &i.Dir, Example: "/data/items",
		Help: "folder that datasets whose strategy is archiveorg-* are kept in, each as an item: its files, _meta.xml " +
			"and _files.xml; by default they are verified and not kept",
		Brief: "folder for datasets of the strategies archiveorg-*",
	}, {
		Name: "upload", Value: &i.Upload,
		Help: "upload these items to archive.org, except files that are already there; the key is in the environment's " +
			keyVariable + ", as access:secret",
		Brief: "upload items to archive.org",
	}, {
		Name: "upload_endpoint", Value: &i.Endpoint, Default: "https://s3.us.archive.org",
		Help: "address that items are uploaded to",
	}, {
		Name: "upload_metadata", Value: &i.Metadata, Default: "https://archive.org/metadata",
		Help: "address that tells what an item holds",
	}})
}

// read takes the key from the environment, and checks the flags.
func (i *Items) read() error {
	i.Key = secret.Text(os.Getenv(keyVariable))
	secret.Note(os.Getenv(keyVariable))
	switch {
	case blob.IsRemote(i.Dir):
		return cli.Usagef("--items=%s: files are written as they come, for which it has to be a local folder", i.Dir)
	case i.Upload && i.Dir == "":
		return cli.Usagef("--upload uploads what --items keeps: name a folder")
	// Checked now, rather than when the first item is complete.
	case i.Upload && i.Key == "":
		return cli.Usagef("--upload needs a key of archive.org in the environment's %s, as access:secret", keyVariable)
	}
	return nil
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
