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

// checkKeeping finds flags that contradict each other.
func (c *Request) checkKeeping() error {
	switch {
	// --fresh begins with an empty folder, so that there is nothing which could stay.
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
		// Maps are made also for an empty folder: list writes to them in every plan.
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
	// Without rows nothing can stay, and no scope is needed.
	if len(h.rows) == 0 {
		return k, nil
	}
	names := slices.Concat(c.Inputs, c.Indexes)
	if len(names) == 0 {
		// As the command will: with no names it reads the archives of the project.
		names = []string{defaultInput}
	}
	if k.scope, err = store.NewScope(ctx, names); err != nil {
		return nil, inputError(ctx, err)
	}
	return k, nil
}

// list notes files that the command has found. Those that cannot be read now count as not found: what was made of them
// when they could be stays.
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

// archives settles the rows of archives when those of the command are found, before they are divided.
func (k *keeper) archives(ctx context.Context, files []blob.Info, twice []blob.Twice) error {
	k.list(files, nil)
	// The plan reads a file by one name, which may be another one than last time.
	for _, t := range twice {
		k.today[k.id("", schemas.Range{File: t.Again})] = true // an earlier run may have read it by this name
	}
	if err := k.clash(files); err != nil {
		return err
	}
	return k.settle(ctx, classArchive)
}

// indexes likewise those of indexes, each with what is asked of it.
// Lookups are part of the id: the same index asked for other lines is another input.
func (k *keeper) indexes(ctx context.Context, files []blob.Info, lookups []schemas.Lookup) error {
	for i := range files {
		k.list(files[i:i+1], &lookups[i])
	}
	if err := k.clash(files); err != nil {
		return err
	}
	return k.settle(ctx, classIndex)
}

// merge makes the units that stay part of the plan, in their places by the names of archives.
func (p *Plan) merge() {
	k := p.keeper
	p.stays = map[int]collection.Row{}
	if len(k.frozen) == 0 {
		return
	}
	// Sorting makes the plan depend on the rows and not on the order in which maps give them.
	rows := slices.SortedStableFunc(slices.Values(k.frozen), func(a, b collection.Row) int {
		return cmp.Or(comparePlaces(a.Unit, b.Unit), strings.Compare(a.Key, b.Key))
	})
	// Both lists are in the order of a plan, so this is a merge.
	// It numbers the units again, and stays knows the numbers.
	var merged []schemas.Unit
	stay := func() {
		p.stays[len(merged)] = rows[0]
		// Fingerprints and the like belong to results. As inputs of
		// a plan the ranges have to look as when they were planned.
		merged = append(merged, schemas.Unit{ID: len(merged), Inputs: plannedAll(rows[0].Inputs)})
		rows = rows[1:]
	}
	// Units of the command that come later in the order of names
	// have higher numbers than those that stay before them.
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

// keep takes the units that stay into the plan, and refuses what would not go together.
func (p *Plan) keep(c Request) error {
	// Topics are settled by now, as the last source, so that all that stays is known.
	p.merge()
	options := p.options.unitKey()
	// Keys of what stays: these rows may have other options, which the summary tells.
	stays := map[string]bool{}
	for _, r := range p.keeper.frozen {
		stays[r.Key] = true
		p.keeper.outcome.compare(r, options, p.options.Formats)
	}
	if !c.Schedule.picks() {
		return p.finishFirst(c)
	}
	// What is left as it is by --only_new and the like has to fit in
	// with what is new. What stays for want of its archive is not a choice.
	// In an order, so that the same command has the same error.
	for _, key := range slices.Sorted(maps.Keys(p.held.rows)) {
		if r := p.held.rows[key]; r.Options != options && len(r.Inputs) > 0 && !stays[r.Key] {
			return otherOptions(c.Options, p.held.optionsOf(r))
		}
	}
	return p.finishFirst(c)
}

// finishFirst refuses to add to what a run has begun, and not finished, that was asked for other archives: what is
// left of
// these would be forgotten.
// A run notes what it was asked for before it begins. If it is killed, the archives
// that it has not come to have no row, and nothing but that note tells of them.
func (p *Plan) finishFirst(c Request) error {
	s := p.held.standing
	// A folder without rows and note is one where nothing was begun. --prune says that what is left may go.
	if s.finished || c.Fresh || c.Keep.Prune || len(p.held.rows) == 0 && !s.known {
		return nil
	}
	switch missing := p.keeper.missing(s.asked, p.asked); {
	// Earlier versions noted nothing, so nobody can tell what is left.
	case !s.known && !s.whole && c.Keep.Add:
		return cli.Usagef("%s was not finished by an earlier version of this program: run the command again that "+
			"wrote it, and then --add", c.Options.Output)
	// Nobody noted what was asked for, which is not that the project's archives were.
	case !s.known, missing == "":
		return nil
	// Where there is a collection it stays as it is, and what was to be added may be gone by now.
	case c.Keep.Add && !(s.whole && p.keeper.isLost(missing, s.asked.Dir)):
		return cli.Usagef("the last run into %s was not finished, and was asked for %s as well. Finish it first, by "+
			"its command (%s), "+
			"or give --prune to give up what is left of it", c.Options.Output, missing, s.asked.Command())
	// Without --add the command names what it wants; it is told, and goes on.
	default:
		p.log.Warn(fmt.Sprintf("the last run into %s was not finished, and was asked for %s as well: what is left of "+
			"it is not read", c.Options.Output, missing))
	}
	return nil
}

// missing is an argument of an earlier command that a later one does not have, nor anything around it; "" when there is
// none.
// An argument counts as there also when a later one covers it, such as the folder that it is in.
func (k *keeper) missing(then, now holdings.Asked) string {
	for _, arg := range then.Inputs {
		if !k.names(arg, then.Dir, now.Inputs, now.Dir) {
			return arg
		}
	}
	// The earlier command named nothing, and so it read the project's archives.
	if len(then.Inputs)+len(then.Indexes) == 0 && len(now.Inputs) > 0 {
		return defaultInput
	}
	for _, arg := range then.Indexes {
		// Another filter or base asks for other lines of the same index, which does not do what was left.
		if then.Lookup != now.Lookup || !k.names(arg, then.Dir, now.Indexes, now.Dir) {
			return arg
		}
	}
	return ""
}

// names reports whether arguments name what one does.
// arg is an argument of a run in the folder dir.
func (k *keeper) names(arg, dir string, args []string, wd string) bool {
	// The same words mean the same only in the same folder, unless they begin at the root or at a server.
	if slices.Contains(args, arg) && (dir == wd || filepath.IsAbs(arg) || blob.IsRemote(arg)) {
		return true
	}
	// What a list held then, or what came on standard input, nobody knows now.
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

// lines say what becomes of units whose archives were not found.
// They go to the log as well as to the summary, and are empty where every archive was found.
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

// subject is a sentence about n things, whose verb is the last word of what.
func subject(n int, noun, what, more string) string {
	if n == 1 {
		what += "s"
	}
	return plural(n, noun) + what + more
}

// compare counts a unit that stays by what it was made with.
// It is not an error that a unit has fewer formats than the others: it was made before they were asked for.
func (r *outcome) compare(row collection.Row, options string, formats []string) {
	if row.Options == options {
		return
	}
	r.other++
	for _, f := range formats {
		// The index is made over all units at the end, whatever formats they have.
		if f != holdings.FormatCDXJ && !slices.Contains(holdings.FormatsOf(row.Shards), f) {
			r.lacking[f]++
		}
	}
}

// prunes says what --prune removes.
// The sum counts documents and not units, since that is what somebody would miss.
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

// log says it while the run begins, before anything is removed: there is still time to interrupt it.
func (r outcome) log(log *slog.Logger) {
	for _, line := range r.lines() {
		log.Info(line)
	}
}

// PrintKept says at the end of a summary what becomes of units of earlier runs whose archives were not found.
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
