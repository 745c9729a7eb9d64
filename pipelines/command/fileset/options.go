package fileset

import (
	"maps"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work/lookup"
	"github.com/gleaner-web/gleaner/pipelines/report"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/fileset/platform"
)

// Options are the settings of a run. They travel to workers as JSON.
type Options struct {
	Output   string
	Index    string   // of captures, in the output's hidden folder; "" with a server
	Bases    []string // folders of archives, by their numbers in index lines
	Server   string   // URL of a CDX server
	Strategy string

	MaxTotal, MaxFiles, MaxWebFile, MaxWebTotal int64

	UnitSize int // requests of a unit
	Workers  int // concurrent units of a process; 0 for one per CPU
	Memory   int64
	Units    int // of requests, including those of earlier runs
	Captures filesets.Captures
	Remote   blob.Options
	// Workers may write only while the run of this Generation holds the folder.
	Generation claim.Generation
	Servers    Servers
	Live       Live
	Items      Items
	Run        report.Run // for the report
}

// lasting returns the options that change results, as the manifest has them.
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

// versions returns the versions of all that results depend on.
func versions() map[string]string {
	return map[string]string{"fileset": core.Version, "platform": platform.Version, "lookup": lookup.Version}
}

func (o Options) core() core.Options {
	return core.Options{
		Platforms: platform.All(), Strategy: o.Strategy, MaxTotal: o.MaxTotal, MaxFiles: o.MaxFiles, MaxWebFile: o.MaxWebFile,
		MaxWebTotal: o.MaxWebTotal,
	}
}
