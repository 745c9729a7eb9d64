package job

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

func (c *Request) checkKeeping() error {
	switch {
	case c.Fresh && (c.Keep.Add || c.Keep.Prune):
		return cli.Usagef("--fresh removes all that is in the folder, and --add and --prune are about what stays")
	case c.Keep.Add && c.Options.SiteTemplates:
		return cli.Usagef("--site_templates depends on all archives together, so that none can be added: name them " +
			"all, without --add")
	}
	return nil
}

func newKeeper(ctx context.Context, c Request, h *held, store *blob.Store) (*keeper, error) {
	k := &keeper{
		// list writes to these maps even for an empty folder.
		Keeping: c.Keep, options: c.Options, held: h, dirs: map[string]string{}, today: map[string]bool{},
		stamps:  map[string]string{},
		trimmed: map[string]int64{}, taken: map[string][]schemas.Range{}, outcome: outcome{lacking: map[string]int{}},
		fresh: func(ctx context.Context, in schemas.Range, stamp string) (bool, error) {
			return sameBytes(ctx, store, in, stamp)
		},
	}
	var err error
	if k.wd, err = filepath.Abs("."); err != nil {
		return nil, err
	}
	if len(h.rows) == 0 {
		return k, nil
	}
	names := slices.Concat(c.Inputs, c.Indexes)
	if len(names) == 0 {
		// Without names the command reads the project's archives.
		names = []string{defaultInput}
	}
	if k.scope, err = store.NewScope(ctx, names); err != nil {
		return nil, inputError(ctx, err)
	}
	return k, nil
}

// list notes the files that the command has found. Files that cannot be read now count as not found, so their
// documents stay.
func (k *keeper) list(files []blob.Info, lookup *schemas.Lookup) {
	for _, f := range files {
		r := schemas.Range{File: f.Name, Group: f.Group, Lookup: lookup}
		if f.Unreadable == "" {
			k.today[k.id("", r)] = true
		}
		k.stamps[work.StampName(r)] = f.Stamp
		k.listed = append(k.listed, f)
	}
}

// archives settles the rows of archives after the files are found and before they are divided.
func (k *keeper) archives(ctx context.Context, files []blob.Info, twice []blob.Twice) error {
	k.list(files, nil)
	for _, t := range twice {
		k.today[k.id("", schemas.Range{File: t.Again})] = true // an earlier run may have read it by this name
	}
	if err := k.clash(files); err != nil {
		return err
	}
	return k.settle(ctx, classArchive)
}

// indexes is archives for indexes. The id of an index includes its lookup: asked for other lines, it is another
// input.
func (k *keeper) indexes(ctx context.Context, files []blob.Info, lookups []schemas.Lookup) error {
	for i := range files {
		k.list(files[i:i+1], &lookups[i])
	}
	if err := k.clash(files); err != nil {
		return err
	}
	return k.settle(ctx, classIndex)
}

// merge puts the units that stay into the plan, in the order of archive names.
func (p *Plan) merge() {
	k := p.keeper
	p.stays = map[int]collection.Row{}
	if len(k.frozen) == 0 {
		return
	}
	// Sorting makes the plan independent of the order of maps.
	rows := slices.SortedStableFunc(slices.Values(k.frozen), func(a, b collection.Row) int {
		return cmp.Or(comparePlaces(a.Unit, b.Unit), strings.Compare(a.Key, b.Key))
	})
	// Merge the two sorted lists and number the units again.
	var merged []schemas.Unit
	stay := func() {
		p.stays[len(merged)] = rows[0]
		// As inputs of a plan the ranges have to look as when they were planned.
		merged = append(merged, schemas.Unit{ID: len(merged), Inputs: plannedAll(rows[0].Inputs)})
		rows = rows[1:]
	}
	for _, u := range p.Units {
		for len(rows) > 0 && comparePlaces(rows[0].Unit, u) < 0 {
			stay()
		}
		u.ID = len(merged)
		merged = append(merged, u)
	}
	for len(rows) > 0 {
		stay()
	}
	p.Units = merged
}

// keep takes the units that stay into the plan and refuses combinations that would not fit together.
func (p *Plan) keep(c Request) error {
	// Topics are the last source, so all rows that stay are known.
	p.merge()
	options := p.options.unitKey()
	// Rows that stay may have other options, which the summary tells.
	stays := map[string]bool{}
	for _, r := range p.keeper.frozen {
		stays[r.Key] = true
		p.keeper.outcome.compare(r, options, p.options.Formats)
	}
	if !c.Schedule.picks() {
		return p.finishFirst(c)
	}
	// Units kept by --only_new and the like must have the same options as the new ones. Units that stay because their
	// archive is missing need not. Sorted keys make the error the same each time.
	for _, key := range slices.Sorted(maps.Keys(p.held.rows)) {
		if r := p.held.rows[key]; r.Options != options && len(r.Inputs) > 0 && !stays[r.Key] {
			return otherOptions(c.Options, p.held.optionsOf(r))
		}
	}
	return p.finishFirst(c)
}

// finishFirst refuses to add to an unfinished run that was asked for other archives, because the rest of these would
// be forgotten. After a kill, only the note from the run's start names archives without a row.
func (p *Plan) finishFirst(c Request) error {
	s := p.held.standing
	// A folder without rows and note was never used. --prune gives up the unfinished work.
	if s.finished || c.Fresh || c.Keep.Prune || len(p.held.rows) == 0 && !s.known {
		return nil
	}
	switch missing := p.keeper.missing(s.asked, p.asked); {
	// Earlier versions wrote no note, so what they left undone is unknown.
	case !s.known && !s.whole && c.Keep.Add:
		return cli.Usagef("%s was not finished by an earlier version of this program: run the command again that "+
			"wrote it, and then --add", c.Options.Output)
	// A missing note does not mean that the project's archives were asked for.
	case !s.known, missing == "":
		return nil
	// If a collection exists, it stays as it is, and the archives that were to be added may be gone.
	case c.Keep.Add && !(s.whole && p.keeper.isLost(missing, s.asked.Dir)):
		return cli.Usagef("the last run into %s was not finished, and was asked for %s as well. Finish it first, by "+
			"its command (%s), "+
			"or give --prune to give up what is left of it", c.Options.Output, missing, s.asked.Command())
	// Without --add the command names all that it wants, so a warning is enough.
	default:
		p.log.Warn(fmt.Sprintf("the last run into %s was not finished, and was asked for %s as well: what is left of "+
			"it is not read", c.Options.Output, missing))
	}
	return nil
}

// missing returns an argument of an earlier command that the later one neither names nor covers, as by a folder above
// it, or "".
func (k *keeper) missing(then, now holdings.Asked) string {
	for _, arg := range then.Inputs {
		if !k.names(arg, then.Dir, now.Inputs, now.Dir) {
			return arg
		}
	}
	// The earlier command named nothing, so it read the project's archives.
	if len(then.Inputs)+len(then.Indexes) == 0 && len(now.Inputs) > 0 {
		return defaultInput
	}
	for _, arg := range then.Indexes {
		// Another filter or base selects other lines of the index.
		if then.Lookup != now.Lookup || !k.names(arg, then.Dir, now.Indexes, now.Dir) {
			return arg
		}
	}
	return ""
}

// names reports whether args, relative to wd, name or cover what arg names relative to dir.
func (k *keeper) names(arg, dir string, args []string, wd string) bool {
	// Equal arguments mean the same only in the same folder, unless they are absolute or remote.
	if slices.Contains(args, arg) && (dir == wd || filepath.IsAbs(arg) || blob.IsRemote(arg)) {
		return true
	}
	// The earlier content of a list or of standard input is unknown.
	if strings.HasPrefix(arg, "@") || arg == "-" {
		return false
	}
	name := arg
	if isLocal(arg) {
		name = k.real(dir, arg)
	}
	_, ok := k.scope.Covers(strings.TrimRight(name, "/"))
	return ok
}

// lines describes what becomes of units whose archives were not found, for the log and the summary.
func (r outcome) lines() (list []string) {
	if r.gone > 0 {
		list = append(list, subject(r.gone, "unit", " of archives that are no longer there stay", "; --prune removes them"))
	}
	if r.unnamed > 0 {
		list = append(list, subject(r.unnamed, "unit", " of archives that this command does not name stay", ""))
	}
	if r.other > 0 {
		list = append(list, cli.FormatCount(int64(r.other))+" of these with the options that made them, which "+
			"manifest.json names")
	}
	for _, format := range slices.Sorted(maps.Keys(r.lacking)) {
		list = append(list, fmt.Sprintf("%s of these without %s", cli.FormatCount(int64(r.lacking[format])), format))
	}
	if len(r.pruned)+r.redone > 0 {
		list = append(list, r.prunes())
	}
	if r.waiting > 0 {
		list = append(list, subject(r.waiting, "unit", " of a run that was interrupted wait", ", of archives such as "+
			schemas.Printable(r.waits)+": --add with these takes them in, and --prune removes those whose archives are gone"))
	}
	return list
}

// subject makes a sentence about n things. Its verb is the last word of the argument what.
func subject(n int, noun, what, more string) string {
	if n == 1 {
		what += "s"
	}
	return plural(n, noun) + what + more
}

// compare counts a unit that stays with other options, and the formats that it lacks.
func (r *outcome) compare(row collection.Row, options string, formats []string) {
	if row.Options == options {
		return
	}
	r.other++
	for _, f := range formats {
		// The index covers all units, whatever their formats.
		if f != holdings.FormatCDXJ && !slices.Contains(holdings.FormatsOf(row.Shards), f) {
			r.lacking[f]++
		}
	}
}

// prunes describes what --prune removes, in documents, because these are what users would miss.
func (r outcome) prunes() string {
	documents := r.removed
	for _, row := range r.pruned {
		documents += cmp.Or(row.Documents, row.Captures) // an index alone has no documents
	}
	text := fmt.Sprintf("--prune removes %s of archives that are no longer there", plural(int(documents), "document"))
	if r.redone > 0 {
		text += fmt.Sprintf(", and does %s again for the others in them", plural(r.redone, "unit"))
	}
	return text
}

// log tells the outcome before anything is removed, so that the user can still interrupt the run.
func (r outcome) log(log *slog.Logger) {
	for _, line := range r.lines() {
		log.Info(line)
	}
}

// PrintKept ends a summary with what becomes of units of earlier runs whose archives were not found.
func (p *Plan) PrintKept(w io.Writer) error {
	text := p.keptText()
	if text == "" {
		return nil
	}
	return cli.Answer(w, "kept", p.keeper.outcome.lines(), text)
}

func (p *Plan) keptText() string {
	lines := p.keeper.outcome.lines()
	if len(lines) == 0 {
		return ""
	}
	return fmt.Sprintf("\nOf earlier runs\n  %s\n", strings.Join(lines, "\n  "))
}
