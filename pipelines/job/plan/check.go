package plan

import (
	"cmp"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// minUnit is the least size of a unit. The chain rule can hardly tell smaller ranges apart.
const minUnit = 64 << 10

// Check finds mistakes on the command line before any work begins. MakePlan checks the inputs and the output folder,
// and Run asks the servers, so that a wrong flag costs no time.
func (c *Request) Check() error {
	if err := cmp.Or(c.Recipe.Check(), c.checkIndexes(), c.checkSchedule(), c.checkKeeping()); err != nil {
		return err
	}
	if err := cmp.Or(run.CheckRunner(c.Runner), c.checkCloud(), c.checkSinks(), c.checkSources()); err != nil {
		return err
	}
	if err := folder.Check(c.Output); err != nil {
		return cli.Usagef("--output: %v", err)
	}
	if c.UnitSize < minUnit {
		return cli.Usagef("--unit_size must be at least 64KiB")
	}
	return c.checkSecrets()
}

func (c *Request) checkIndexes() error {
	// Only the error is needed here: workers get the text and parse it again.
	if _, err := cdx.ParseFilter(c.Lookup.Filter); err != nil {
		return cli.Usagef("--cdx_filter: %v", err)
	}
	if len(c.Indexes) == 0 && c.Lookup != (schemas.Lookup{}) {
		return cli.Usagef("--cdx_filter and --warc_base are about what --cdx names, which is nothing")
	}
	return nil
}
