package fileset

import (
	"maps"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work/lookup"
	"github.com/gleaner-web/gleaner/pipelines/report"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/fileset/platform"
)

// Options are what a run was asked for. They travel to workers as JSON.
type Options struct {
	Output   string
	Index    string   // of captures, in the output's hidden folder; "" with a server
	Bases    []string // folders of archives, by the number that lines have
	Server   string   // address of a CDX server
	Strategy string

	MaxTotal, MaxFiles, MaxWebFile, MaxWebTotal int64

	UnitSize int // requests of a unit
	Workers  int // units that a process does at once; 0 for as many as it has CPUs
	Memory   int64
	Units    int // of requests, those of earlier runs among them
	Captures filesets.Captures
	Remote   blob.Options
	// Generation is that of the run: its workers write while it has the folder.
	Generation collection.Generation
	Servers    Servers
	Live       Live
	Items      Items
	Run        report.Run // for the report
}

// lasting are the options that change results, as the manifest has them. The number of workers and the like change
// none.
func (o Options) lasting() map[string]any {
	lasting := map[string]any{
		"strategy": o.Strategy, "max_total_size": o.MaxTotal, "max_file_count": o.MaxFiles, "max_web_file": o.MaxWebFile,
		"max_web_total": o.MaxWebTotal,
	}
	maps.Copy(lasting, o.Servers.lasting())
	o.Items.lasting(lasting)
	if o.Live.Is {
		lasting["live"] = true
	}
	return lasting
}

// versions are those of all that results depend on.
func versions() map[string]string {
	return map[string]string{"fileset": core.Version, "platform": platform.Version, "lookup": lookup.Version}
}

// core are the options of one request.
func (o Options) core() core.Options {
	return core.Options{
		Platforms: platform.All(), Strategy: o.Strategy, MaxTotal: o.MaxTotal, MaxFiles: o.MaxFiles, MaxWebFile: o.MaxWebFile,
		MaxWebTotal: o.MaxWebTotal,
	}
}
