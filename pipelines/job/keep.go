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
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// Keeping says what becomes of units in the folder whose archives a command does not find. A run removes nothing that
// another has made unless it is asked to.
type Keeping struct {
	Add         bool // other archives than those which the folder has
	Prune       bool // remove units of archives that are gone
	Compression bool // the compression was asked for, and is not the default
}

// checkKeeping finds flags that contradict each other.
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

// keeper finds out which units of the folder stay beside those of a plan.
type keeper struct {
	Keeping
	options Options
	held    *held
	scope   blob.Scope
	wd      string            // the working directory
	dirs    map[string]string // real paths of folders, by their names
	today   map[string]bool   // ids of the files that the command has found
	listed  []blob.Info
	stamps  map[string]string          // of today's, by work.StampName
	trimmed map[string]int64           // where partitions of topics begin now, by id
	frozen  []collection.Row           // that stay as they are
	taken   map[string][]schemas.Range // what those were made of, by id
	outcome outcome
	fresh   func(ctx context.Context, in schemas.Range, stamp string) (bool, error)
}

// outcome says what becomes of units whose archives are not found.
type outcome struct {
	gone    int            // units that stay, of archives that are no longer there
	unnamed int            // units that stay, of archives that the command does not name
	other   int            // of both, those that were made with other options
	lacking map[string]int // and those without documents in a format that the folder has, by formats
	pruned  []collection.Row
	redone  int   // units that --prune has done again, without what is gone
	removed int64 // captures in those that are gone
}

func newKeeper(ctx context.Context, c Request, h *held, store *blob.Store) (*keeper, error) {
	k := &keeper{
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
		names = []string{defaultInput}
	}
	if k.scope, err = store.NewScope(ctx, names); err != nil {
		return nil, inputError(ctx, err)
	}
	return k, nil
}

// id is what a range's file is told from others by: its name, behind all links and from the root on where it is local.
// Ranges of an index that ask for other lines are others.
func (k *keeper) id(dir string, r schemas.Range) string {
	id := r.File
	if isLocal(id) {
		id = k.real(dir, id)
	}
	if r.Group != nil {
		id += "/"
	}
	if l := r.Lookup; l != nil {
		id += fmt.Sprintf(" %q %q", l.Filter, l.Base)
	}
	return id
}

// real is the path of a local file behind links; folders are looked at once.
func (k *keeper) real(dir, name string) string {
	if name = schemas.PathOf(name); !filepath.IsAbs(name) {
		name = filepath.Join(cmp.Or(dir, k.wd), name)
	}
	parent, base := filepath.Split(filepath.Clean(name))
	there, known := k.dirs[parent]
	if !known {
		there = blob.RealPath(filepath.Clean(parent))
		k.dirs[parent] = there
	}
	return blob.RealPath(filepath.Join(there, base))
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
	for _, t := range twice {
		k.today[k.id("", schemas.Range{File: t.Again})] = true // an earlier run may have read it by this name
	}
	if err := k.clash(files); err != nil {
		return err
	}
	return k.settle(ctx, classArchive)
}

// indexes likewise those of indexes, each with what is asked of it.
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
	rows := slices.SortedStableFunc(slices.Values(k.frozen), func(a, b collection.Row) int {
		return cmp.Or(comparePlaces(a.Unit, b.Unit), strings.Compare(a.Key, b.Key))
	})
	var merged []schemas.Unit
	stay := func() {
		p.stays[len(merged)] = rows[0]
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

func plannedAll(inputs []schemas.Range) []schemas.Range {
	list := make([]schemas.Range, len(inputs))
	for i, in := range inputs {
		list[i] = planned(in)
	}
	return list
}

// comparePlaces compares units by where they stand in a plan: archives, indexes, topics, by the first range of each.
// Those without any, of joined records, are last.
func comparePlaces(a, b schemas.Unit) int {
	if len(a.Inputs) == 0 || len(b.Inputs) == 0 {
		return cmp.Compare(len(b.Inputs), len(a.Inputs))
	}
	x, y := a.Inputs[0], b.Inputs[0]
	return cmp.Or(
		cmp.Compare(classOf(x), classOf(y)), strings.Compare(x.File, y.File),
		comparePages(x.Group, y.Group), cmp.Compare(x.Start, y.Start),
	)
}

// comparePages compares groups of one folder by their first files, in the order of a walk.
func comparePages(a, b *schemas.Group) int {
	if a == nil || b == nil {
		return 0
	}
	return slices.Compare(strings.Split(a.First, "/"), strings.Split(b.First, "/"))
}

// The kinds of inputs, in their order in a plan.
const (
	classArchive = iota
	classIndex
	classTopic
)

func classOf(r schemas.Range) int {
	switch r.Kind() {
	case schemas.KindIndex:
		return classIndex
	case schemas.KindTopic:
		return classTopic
	}
	return classArchive
}

// keep takes the units that stay into the plan, and refuses what would not go together.
func (p *Plan) keep(c Request) error {
	p.merge()
	options := p.options.unitKey()
	stays := map[string]bool{}
	for _, r := range p.keeper.frozen {
		stays[r.Key] = true
		p.keeper.outcome.compare(r, options, p.options.Formats)
	}
	if !c.Schedule.picks() {
		return p.finishFirst(c)
	}
	for _, r := range p.held.rows {
		if r.Options != options && len(r.Inputs) > 0 && !stays[r.Key] {
			return cli.Usagef("%s was written with other options than those of this command, and units that stay as they "+
				"are would not go with new ones: "+
				"give the options that manifest.json names, or another --output, or leave out --only_new, --stale and "+
				"--since", c.Options.Output)
		}
	}
	return p.finishFirst(c)
}

// finishFirst refuses to add to what a run has begun, and not finished, that was asked for other archives: what is
// left of
// these would be forgotten.
func (p *Plan) finishFirst(c Request) error {
	s := p.held.standing
	if s.finished || c.Fresh || c.Keep.Prune || len(p.held.rows) == 0 && !s.known {
		return nil
	}
	switch missing := p.keeper.missing(s.asked, p.asked); {
	case !s.known && c.Keep.Add:
		return cli.Usagef("%s was not finished by an earlier version of this program: run the command again that "+
			"wrote it, and then --add", c.Options.Output)
	case missing == "":
		return nil
	case c.Keep.Add:
		return cli.Usagef("the last run into %s was not finished, and was asked for %s as well. Finish it first, by "+
			"its command (%s), "+
			"or give --prune to give up what is left of it", c.Options.Output, missing, s.asked.Command())
	default:
		p.log.Warn(fmt.Sprintf("the last run into %s was not finished, and was asked for %s as well: what is left of "+
			"it is not read", c.Options.Output, missing))
	}
	return nil
}

// missing is an argument of an earlier command that a later one does not have, nor anything around it; "" when there is
// none.
func (k *keeper) missing(then, now collection.Asked) string {
	for _, arg := range then.Inputs {
		if !k.names(arg, then.Dir, now.Inputs, now.Dir) {
			return arg
		}
	}
	if len(then.Inputs)+len(then.Indexes) == 0 && len(now.Inputs) > 0 {
		return defaultInput
	}
	for _, arg := range then.Indexes {
		if then.Lookup != now.Lookup || !k.names(arg, then.Dir, now.Indexes, now.Dir) {
			return arg
		}
	}
	return ""
}

// names tells whether arguments name what one does.
func (k *keeper) names(arg, dir string, args []string, wd string) bool {
	if slices.Contains(args, arg) && (dir == wd || filepath.IsAbs(arg) || blob.IsRemote(arg)) {
		return true
	}
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

// own are the units that the command itself has found.
func (p *Plan) own() []schemas.Unit {
	var list []schemas.Unit
	for _, u := range p.Units {
		if _, stays := p.stays[u.ID]; !stays {
			list = append(list, u)
		}
	}
	return list
}

// lines say what becomes of units whose archives were not found.
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
func (r *outcome) compare(row collection.Row, options string, formats []string) {
	if row.Options == options {
		return
	}
	r.other++
	for _, f := range formats {
		if f != collection.FormatCDXJ && !slices.Contains(collection.FormatsOf(row.Shards), f) {
			r.lacking[f]++
		}
	}
}

// prunes says what --prune removes.
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

// log says it.
func (r outcome) log(log *slog.Logger) {
	for _, line := range r.lines() {
		log.Info(line)
	}
}

// PrintKept says at the end of a summary what becomes of units of earlier runs whose archives were not found.
func (p *Plan) PrintKept(w io.Writer) error {
	lines := p.keeper.outcome.lines()
	if len(lines) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nOf earlier runs\n  %s\n", strings.Join(lines, "\n  "))
	return err
}
