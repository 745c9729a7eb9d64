package filter

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Judge judges a page. It returns why the page is refused, in one or two words with an underscore between them, or "".
// It may change the page's text. It is not safe for concurrent use.
type Judge func(p *Page) string

// Constant is a number used by a filter.
type Constant struct {
	Name  string
	Value float64 // the published value
	Means string  // its meaning, with its unit
}

// Filter is a row of the table.
type Filter struct {
	Name      string
	Does      string // a short description
	Source    string // the publication of rules and constants; "" for our own
	Constants []Constant
	Lists     []string // the names of the lists that it accepts
	// edit makes what the filter does to Markdown. It is nil if the filter does not change texts.
	edit func(s Settings) editor
	// column is a column of documents that the filter needs; "" if those of captures and the text are enough.
	column string
	// filter returns the expression of the query language that the filter uses. It may be nil.
	filter func(s Settings) string
	make   func(s Settings) (Judge, error)
	use    func(s Settings, t Tools) (Judge, error) // in place of make, for filters that need tools
	score  func(s Settings, t Tools) (Score, error) // in place of make, for filters that set columns of many pages at once
}

// Settings are the settings of a filter: numbers that replace published ones, and lists.
type Settings struct {
	Numbers map[string]float64  `json:"numbers,omitempty"`
	Lists   map[string][]string `json:"lists,omitempty"`
}

// Step is a filter of a recipe.
type Step struct {
	Name     string   `json:"name"`
	Settings Settings `json:"settings,omitzero"`
}

// Recipe is a list of filters in the order of their use. Its transport form is JSON.
type Recipe []Step

// Table returns all filters, sorted by name.
func Table() []Filter {
	table := []Filter{
		c4, contamination, dates, fineweb, gopherQuality, gopherRepetition, language, length, lines, media, pageType,
		optOuts, personal, plugged, status, tokens, urls, where,
	}
	slices.SortFunc(table, func(a, b Filter) int { return cmp.Compare(a.Name, b.Name) })
	return table
}

// Find returns the filter with a name.
func Find(name string) (Filter, bool) {
	for _, f := range Table() {
		if f.Name == name {
			return f, true
		}
	}
	return Filter{}, false
}

// Need is a column of documents that a filter of a recipe needs.
type Need struct {
	Filter string // its name
	Column string
	Where  query.Expr // the user's own filter that names the column; may be nil
	Blocks bool       // the filter refuses some values, and takes pages without any
}

// Needs returns the columns that the recipe needs besides those of captures and the text. The recipe must be valid for
// Chain.
func (r Recipe) Needs() (list []Need) {
	for i, step := range r {
		f, _ := Find(step.Name)
		if f.column != "" {
			list = append(list, Need{Filter: f.Name, Column: f.column, Blocks: step.blocks()})
		}
		for _, column := range step.Settings.Lists[PlugReads] {
			list = append(list, Need{Filter: step.label(), Column: column})
		}
		if f.filter == nil {
			continue
		}
		// Chain has parsed it, so there is no error.
		all, _ := query.Parse(f.filter(step.Settings))
		e := without(all, func(path string) bool { return made(r[:i], path) })
		for _, field := range query.Tested(e) {
			list = append(list, Need{f.Name, field, e, takesWithout(all, field)})
		}
	}
	return list
}

// without returns the comparisons of e with other fields than those that skip names. As a filter it has no meaning.
func without(e query.Expr, skip func(path string) bool) query.Expr {
	var list []query.Expr
	for _, x := range query.Leaves(e) {
		if c, is := x.(*query.Compare); !is || !skip(c.Field) {
			list = append(list, x)
		}
	}
	return &query.And{List: list}
}

// Chain is a recipe that is ready to judge. It is not safe for concurrent use.
type Chain struct {
	steps []link
	edits []editor // of the filters that change texts
	meter meter
	one   [1]*Page // for Judge
	// For the pages of JudgeAll.
	reasons []string
	flows   []Flow
}

// link is a step of a chain: it has a judge or a score.
type link struct {
	name  string
	judge Judge
	score Score
}

// The steps that each chain has besides those of its recipe.
const (
	stepSize  = "size"  // before them
	stepEmpty = "empty" // after them
)

// Chain makes the functions of a recipe. An error names the wrong step and the valid choices.
func (r Recipe) Chain(t Tools) (*Chain, error) {
	c := &Chain{meter: meter{now: t.Now}}
	c.meter.name(stepSize)
	for _, step := range r {
		f, ok := Find(step.Name)
		if !ok {
			return nil, fmt.Errorf("no filter %q; there are %s", step.Name, strings.Join(names(), ", "))
		}
		s, err := f.settle(step.Settings)
		if err != nil {
			return nil, fmt.Errorf("filter %s: %w", step.Name, err)
		}
		l, err := f.link(s, t)
		if err != nil {
			return nil, fmt.Errorf("filter %s: %w", step.Name, err)
		}
		c.steps = append(c.steps, l)
		c.meter.name(step.label())
		if f.edit != nil {
			c.edits = append(c.edits, f.edit(s))
		}
	}
	c.meter.name(stepEmpty)
	return c, nil
}

// Funnel returns what each step was given so far, and what it passed on.
func (c *Chain) Funnel() []Passage { return c.meter.list }

func (f Filter) link(s Settings, t Tools) (l link, err error) {
	l.name = f.Name
	switch {
	case f.score != nil:
		l.score, err = f.score(s, t)
	case f.use != nil:
		l.judge, err = f.use(s, t)
	default:
		l.judge, err = f.make(s)
	}
	return l, err
}

func names() (list []string) {
	for _, f := range Table() {
		list = append(list, f.Name)
	}
	return list
}

// settle gives each constant its value: the requested one or the published one.
func (f Filter) settle(asked Settings) (Settings, error) {
	s := Settings{Numbers: map[string]float64{}, Lists: asked.Lists}
	for _, c := range f.Constants {
		s.Numbers[c.Name] = c.Value
	}
	for _, name := range slices.Sorted(maps.Keys(asked.Numbers)) {
		if _, ok := s.Numbers[name]; !ok {
			return Settings{}, fmt.Errorf("no constant %q; there are %s", name, f.constants())
		}
		s.Numbers[name] = asked.Numbers[name]
	}
	for _, name := range slices.Sorted(maps.Keys(asked.Lists)) {
		if !slices.Contains(f.Lists, name) {
			return Settings{}, fmt.Errorf("no list %q; there are %s", name, cmp.Or(strings.Join(f.Lists, ", "), "none"))
		}
	}
	return s, nil
}

func (f Filter) constants() string {
	var list []string
	for _, c := range f.Constants {
		list = append(list, c.Name)
	}
	return cmp.Or(strings.Join(list, ", "), "none")
}
