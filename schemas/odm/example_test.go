package odm_test

import (
	"context"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

// Families of Resource, as D8.1 names them.
const (
	contentCF  = "content"
	metadataCF = "metadata"
)

// ResourceVersion is a capture of a resource.
type ResourceVersion struct{ *odm.RowVersion }

// Mime is the media type.
func (v ResourceVersion) Mime() string { return odm.Get[string](v.RowVersion, metadataCF, "mime") }

// SetMime sets the media type.
func (v ResourceVersion) SetMime(mime string) error {
	return v.SetQualifierValue(metadataCF, "mime", mime)
}

// Content is the body.
func (v ResourceVersion) Content() []byte { return odm.Get[[]byte](v.RowVersion, contentCF, "content") }

// ResourceColl is a collection of resources by URL.
type ResourceColl = odm.Collection[string, ResourceVersion]

// createSchema is that of section 3.2.3.
func createSchema(schema *odm.RowSchema) {
	schema.AddColumn("content", contentCF, odm.Bytes)
	schema.AddColumn("ip", metadataCF, odm.String)
	schema.AddColumn("header", metadataCF, odm.String)
	schema.AddColumn("length", metadataCF, odm.Long)
	schema.AddColumn("statusCode", metadataCF, odm.String)
	schema.AddColumn("digest", metadataCF, odm.String)
	schema.AddColumn("mime", metadataCF, odm.String)
}

// The Resource of D8.1's section 3.2.3, over a table in memory. With hbase.Database in place of memory.Database the
// table is in HBase.
func Example() {
	ctx := context.Background()
	resources := odm.NewCollection[string, ResourceVersion](new(memory.Database), createSchema)
	if err := resources.CreateTable(ctx, "resources"); err != nil {
		fmt.Println(err)
		return
	}
	page := resources.NewRow("http://example.com/")
	for year, mime := range map[int]string{2013: "text/html", 2014: "application/xhtml+xml"} {
		v := page.CreateRowVersion(time.Date(year, 5, 1, 0, 0, 0, 0, time.UTC))
		if err := v.SetMime(mime); err != nil {
			fmt.Println(err)
		}
		if err := v.SetQualifierValue(contentCF, "content", fmt.Appendf(nil, "<p>%d</p>", year)); err != nil {
			fmt.Println(err)
		}
	}
	if err := resources.Put(ctx, page); err != nil {
		fmt.Println(err)
		return
	}
	then, ok, err := resources.At(ctx, "http://example.com/", time.Date(2014, 1, 1, 0, 0, 0, 0, time.UTC))
	fmt.Println(ok, err, then.Mime(), string(then.Content()))
	for row, err := range resources.All(ctx, "", "") {
		fmt.Println(row.Key, err, len(row.Versions), row.Versions[0].Mime())
	}
	// Output:
	// true <nil> text/html <p>2013</p>
	// http://example.com/ <nil> 2 application/xhtml+xml
}
