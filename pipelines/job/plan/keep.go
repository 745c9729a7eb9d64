package plan

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// keep takes the units that stay into the plan and refuses combinations that would not fit together.
func (p *Plan) keep() error {
	// Topics are the last source, so all rows that stay are known.
	report := &p.keeper.report
	p.Units, p.stays = standing.Merge(p.Units, report.Stay)
	if err := p.keepRedone(); err != nil {
		return err
	}
	options := p.Request.UnitKey("")
	report.Compare(options, p.Request.Formats)
	stays := map[string]bool{}
	for _, r := range report.Stay {
		stays[r.Key] = true
	}
	if !p.chooser.picks() {
		return p.finishFirst()
	}
	// Units kept by --only_new and the like must have the same options as the new ones. Units that stay because their
	// archive is missing need not. Sorted keys make the error the same each time.
	for _, key := range slices.Sorted(maps.Keys(p.folder.Rows)) {
		if r := p.folder.Rows[key]; r.Options != options && len(r.Inputs) > 0 && !stays[r.Key] {
			return otherOptions(p.Request, p.folder.OptionsOf(r))
		}
	}
	return p.finishFirst()
}

// keepRedone does for the units that are done again what keepOptions does for the last run: after a merge, their
// options may be others. It refuses to read adopted files, which are not archives.
func (p *Plan) keepRedone() error {
	left := map[string]bool{} // rows that stay, and rows that --prune removes
	for _, r := range slices.Concat(p.keeper.report.Stay, p.keeper.report.Pruned) {
		left[r.Key] = true
	}
	made := map[string]*standing.Folder{} // the other rows, by their options
	// Sorted, so that the error is the same each time.
	for _, key := range slices.Sorted(maps.Keys(p.folder.Rows)) {
		r := p.folder.Rows[key]
		if left[key] {
			continue
		}
		if r.IsAdopted() && r.Captures > 0 {
			return cli.Usagef("%s has documents that were adopted from %s, which is not an archive: to read it would remove "+
				"them. Nothing was touched. Name only archives", p.Request.Output, schemas.Printable(r.Inputs[0].File))
		}
		options := p.folder.OptionsOf(r)
		if options == nil {
			continue
		}
		text := fmt.Sprint(options)
		if made[text] == nil {
			made[text] = standing.Empty()
			made[text].Rows, made[text].LastRun.Options = map[string]ledger.Row{}, options
		}
		made[text].Rows[key] = r
	}
	for _, text := range slices.Sorted(maps.Keys(made)) {
		if err := p.Request.keepOptions(made[text]); err != nil {
			return err
		}
	}
	p.asked.Options = p.Request.Note()
	return nil
}

// finishFirst refuses to add to an unfinished run that was asked for other archives, because the rest of these would
// be forgotten. After a kill, only the note from the run's start names archives without a row.
func (p *Plan) finishFirst() error {
	c, s := p.Request, p.folder
	// A folder without rows and note was never used. --prune gives up the unfinished work.
	if s.Finished || c.Fresh || c.Keep.Prune || len(p.folder.Rows) == 0 && !s.Noted {
		return nil
	}
	switch missing := standing.Missing(s.LastRun, p.asked, defaultInput, p.keeper.world); {
	// Earlier versions wrote no note, so what they left undone is unknown.
	case !s.Noted && !s.Whole && c.Keep.Add:
		return cli.Usagef("%s was not finished by an earlier version of this program: run the command again that "+
			"wrote it, and then --add", c.Output)
	// A missing note does not mean that the project's archives were asked for.
	case !s.Noted, missing == "":
		return nil
	// If a collection exists, it stays as it is, and the archives that were to be added may be gone.
	case c.Keep.Add && !(s.Whole && standing.IsLost(missing, s.LastRun.Dir, p.keeper.world)):
		return cli.Usagef("the last run into %s was not finished, and was asked for %s as well. Finish it first, by "+
			"its command (%s), "+
			"or use --prune to give up its finished work", c.Output, missing, s.LastRun.Command())
	// Without --add the command names all that it wants, so a warning is enough.
	default:
		c.Log.Warn(fmt.Sprintf("the last run into %s was not finished, and its command also named %s: these are "+
			"not read", c.Output, missing))
	}
	return nil
}

// Kept describes what becomes of units of earlier runs whose archives were not found.
func (p *Plan) Kept() []string { return p.keeper.report.Lines() }

// PrintKept ends a summary with what becomes of units of earlier runs whose archives were not found.
func (p *Plan) PrintKept(w io.Writer) error {
	text := p.KeptText()
	if text == "" {
		return nil
	}
	return cli.Answer(w, "kept", p.Kept(), text)
}

// KeptText returns the lines of Kept under a heading, or "" if there are none.
func (p *Plan) KeptText() string {
	lines := p.Kept()
	if len(lines) == 0 {
		return ""
	}
	return fmt.Sprintf("\nOf earlier runs\n  %s\n", strings.Join(lines, "\n  "))
}

// logKept tells what stays before anything is removed, so that the user can still interrupt the run.
func (p *Plan) logKept() {
	for _, line := range p.Kept() {
		p.Request.Log.Info(line)
	}
}

// otherOptions refuses a command with other options than those of units that stay.
func otherOptions(c Request, there map[string]any) error {
	which := ""
	if list := recipe.Differing(there, c.Note()); len(list) > 0 {
		which = " (" + strings.Join(list, "; ") + ")"
	}
	return cli.Usagef("%s was written with other options than those of this command%s, and units that stay as they are "+
		"would not go with new ones: give the options that manifest.json names, or another --output, or leave out "+
		"--only_new, --stale and --since", c.Output, which)
}
