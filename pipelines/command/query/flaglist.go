package query

import (
	"slices"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Flags describe the flags of the command, except for those of runners, for programs that ask for the same in their own
// way, as the forms of the server do.
func Flags() []cli.Flag { return slices.Clone(flagTable) }
