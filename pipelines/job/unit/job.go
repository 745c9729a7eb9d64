package unit

import (
	"context"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// Run is what a run has found out before its units are done.
type Run struct {
	ID         string // identifies the job in its process: see session
	Generation claim.Generation
	Report     report.Run
	Units      int                   // how many units the plan has
	JoinedKey  string                // of the unit of joined records
	Made       map[string]string     // versions of all that units depend on
	Division   string                // how the inputs were divided
	Dir        string                // the folder of relative archive names
	TableKey   string                // of the table of site templates
	Templates  schemas.SiteTemplates // describes the finished table
}

// Job is all that a worker has to know of a run. It travels as JSON, so all fields are exported.
type Job struct {
	recipe.Recipe  `json:"recipe"`
	recipe.Machine `json:"machine"`
	Run            `json:"run"`
}

// Folder returns the output folder, which workers open without a lock.
func (o Job) Folder(ctx context.Context) folder.Folder { return o.OpenFolder(ctx, o.Generation) }
