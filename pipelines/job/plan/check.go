package plan

import (
	"cmp"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
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

// checkSinks finds flags that would have no effect on sinks, or none without documents.
func (c *Request) checkSinks() error {
	to := c.Sinks
	switch name := to.First(); {
	case name == "" && len(to.KafkaProperties()) > 0 && !slices.ContainsFunc(c.Inputs, standing.IsTopic):
		return cli.Usagef("--kafka_property is about --kafka and inputs that are topics, and there is neither")
	case name != "" && c.IndexOnly():
		return cli.Usagef("--%s takes documents, and --format=cdxj alone makes none: write documents too, as with "+
			"--format=jsonl,cdxj", name)
	}
	return nil
}

func (c *Request) checkKeeping() error {
	switch {
	case c.Fresh && (c.Keep.Add || c.Keep.Prune):
		return cli.Usagef("--fresh removes all that is in the folder, and --add and --prune are about what stays")
	case c.Keep.Add && c.SiteTemplates:
		return cli.Usagef("--site_templates depends on all archives together, so that none can be added: name them " +
			"all, without --add")
	}
	return nil
}

// checkSchedule finds flags that contradict each other.
func (c *Request) checkSchedule() error {
	s := c.Schedule
	switch {
	case s.OnlyNew && s.Stale:
		return cli.Usagef("--only_new does what is new and --stale does what is not: leave both out to do both")
	case c.Fresh && (s.OnlyNew || s.Stale):
		return cli.Usagef("--fresh removes what --only_new would keep and --stale would do again")
	// With these flags the folder decides how far the limit reaches.
	case c.Limit > 0 && (c.Keep.Add || s.picks()):
		return cli.Usagef("--limit is for a first look at archives: what it leaves of them depends on all of the " +
			"command, so it does not go with --add, --only_new, --stale and --since")
	// A template comes from all pages of a host, so skipped units would have other templates.
	case c.SiteTemplates && s.picks():
		return cli.Usagef("--site_templates depends on all archives, so that nothing can be left as it is: leave out " +
			"--only_new, --stale and --since")
	}
	if s.Since == "" {
		return nil
	}
	// Only the error is needed: the plan fixes the time.
	if _, err := parseSince(s.Since, time.Now()); err != nil {
		return cli.Usagef("--since: %v", err)
	}
	return nil
}
