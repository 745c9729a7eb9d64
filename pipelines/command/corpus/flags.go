package corpus

import (
	"cmp"
	"flag"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/child/plug"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/tokenfile"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// config is the command line.
type config struct {
	options  Options
	asked    asked
	named    []string // --collection
	runner   string
	archives []string // ingested first
	shard    plan.Shard
	planOnly bool
	fresh    bool
}

// asked are flags that parse reads further.
type asked struct {
	recipe, where, sample, mix string
	filters, langs, columns    []string
	respect                    []string
	plugs                      plug.Commands
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *run.Flags {
	f := run.NewFlags(set, about())
	f.Add(c.inputSettings(), c.choiceSettings(), c.duplicateSettings(), c.outputSettings(), c.runSettings())
	return f
}

func parse(args []string) (config, error) {
	var c config
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	c.options.PartOnly = c.shard.N > 0
	c.runner, c.options.Remote.UserAgent = f.Runner(), "gleaner"
	c.options.Sources = f.Collections(c.named)
	o := &c.options.Corpus
	o.Dedup, o.Formats = inOrder(o.Dedup, corpora.Dedups()), inOrder(o.Formats, corpora.Formats())
	if o.Text == corpora.TextPlain {
		o.Text = "" // as in corpora that are older than the flag
	}
	return c, cmp.Or(c.read(c.asked), c.check(), run.CheckRunner(c.runner), run.CheckWaits(), run.CheckEndpoint(c.runner),
		c.checkReach())
}

// checkReach returns an error if the workers of a service cannot reach a file.
func (c config) checkReach() error {
	if run.DryRun() && len(c.archives) > 0 {
		return cli.Usagef("--dry_run shows the job of a corpus, and --archives are read by a job before it: leave them out")
	}
	o := c.options
	return run.CheckReach(c.runner, slices.Concat([]string{o.Output}, o.Sources, o.Corpus.Against, c.archives)...)
}

// inOrder returns the names that are in both lists, in the order of the second.
func inOrder(list, order []string) (sorted []string) {
	for _, name := range order {
		if slices.Contains(list, name) {
			sorted = append(sorted, name)
		}
	}
	return sorted
}

// read parses the recipe, the sample and the mixture.
func (c *config) read(a asked) (err error) {
	o := &c.options.Corpus
	if c.options.TokensFile != "" {
		f, err := tokenfile.Open(c.options.TokensFile)
		if err != nil {
			return cli.Usagef("--tokens: %v", err)
		}
		o.Tokens = f.SHA256()
	}
	if o.Recipe, err = a.readRecipe(c.options); err != nil {
		return err
	}
	if a.sample != "" {
		if o.Sample, err = parseShare(a.sample); err != nil {
			return cli.Usagef("--sample=%s: name a share of the documents, such as 1%% or 0.01", a.sample)
		}
	}
	total := 0.0
	for part := range strings.SplitSeq(a.mix, ",") {
		language, share, ok := strings.Cut(strings.TrimSpace(part), ":")
		if a.mix == "" {
			break
		}
		v, err := parseShare(share)
		if !ok || err != nil {
			return cli.Usagef("--mix=%s: name shares of languages, such as fr:10%%,en:50%%", a.mix)
		}
		codes, err := query.Languages(language)
		if err != nil {
			return cli.Usagef("--mix=%s: %v", a.mix, err)
		}
		if len(codes) > 1 {
			return cli.Usagef("--mix=%s: %s stands for several languages: name a share of each of %s", a.mix, language,
				strings.Join(codes[1:], ", "))
		}
		if o.Mix == nil {
			o.Mix = map[string]float64{}
		}
		o.Mix[codes[0]], total = v, total+v
	}
	if total > 1+1e-9 {
		return cli.Usagef("--mix=%s: the shares are more than the whole", a.mix)
	}
	return nil
}

// parseShare parses a share above 0 and up to 1: 1% or 0.01.
func parseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err == nil && !(v > 0 && v <= 1) || math.IsNaN(v) {
		err = strconv.ErrRange
	}
	return v, err
}

// maxListBytes limits the files of lists together: they travel to the workers with the graph.
const maxListBytes = 4 << 20

func (a asked) readRecipe(o Options) (recipe filter.Recipe, err error) {
	if a.recipe != "" {
		if recipe, err = recipeFile(a.recipe); err != nil {
			return nil, cli.Usagef("--recipe=%s: %v", a.recipe, err)
		}
	} else {
		for _, name := range a.filters {
			if name != none && name != "" {
				recipe = append(recipe, filter.Step{Name: name})
			}
		}
	}
	if a.where != "" {
		s := filter.Settings{Lists: map[string][]string{"filter": {a.where}}}
		recipe = slices.Insert(recipe, 0, filter.Step{Name: "where", Settings: s})
	}
	if len(a.langs) > 0 {
		s := filter.Settings{Lists: map[string][]string{"allow": a.langs}}
		recipe = slices.Insert(recipe, 0, filter.Step{Name: "language", Settings: s})
	}
	for i, command := range a.plugs {
		s := filter.Settings{Lists: map[string][]string{"command": {command}}}
		recipe = slices.Insert(recipe, i, filter.Step{Name: "plug", Settings: s})
	}
	if len(a.respect) > 0 {
		s := filter.Settings{Lists: map[string][]string{"respect": a.respect}}
		recipe = slices.Insert(recipe, 0, filter.Step{Name: "rights", Settings: s})
	}
	if err := recipe.Describe(o.describePlug); err != nil {
		return nil, cli.Usagef("%v", err)
	}
	tools, err := o.tools()
	if err == nil {
		_, err = recipe.Chain(tools)
	}
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return recipe, nil
}

func recipeFile(name string) (filter.Recipe, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	left := int64(maxListBytes)
	return filter.Parse(data, func(list string) ([]byte, error) {
		info, err := os.Stat(list)
		if err != nil {
			return nil, err
		}
		if left -= info.Size(); left < 0 {
			return nil, cli.Usagef("the lists have more than %s", cli.FormatBytes(maxListBytes))
		}
		return os.ReadFile(list)
	})
}

func (c config) check() error {
	o := c.options
	switch {
	case o.Output == "":
		return cli.Usagef("--output is empty: name a folder")
	case slices.Contains(o.Sources, o.Output):
		return cli.Usagef("--output=%s is one of the collections: name another folder", o.Output)
	case slices.Contains(o.Corpus.Against, o.Output):
		return cli.Usagef("--output=%s is one of the earlier corpora: name another folder", o.Output)
	case len(c.archives) > 0 && len(o.Sources) != 1:
		return cli.Usagef("--archives are read into one collection: name one with --collection")
	case c.shard.N > 0 && len(c.archives) > 0:
		return cli.Usagef("--shard takes collections: run `ingest --shard` for archives, and leave out --archives")
	case c.shard.N > 0 && o.Corpus.Paragraphs > 0:
		return cli.Usagef("--paragraphs compares all documents before they are filtered: leave out --shard")
	case o.Corpus.Paragraphs < 0 || o.Corpus.Paragraphs == 1:
		return cli.Usagef("--paragraphs: 2 hosts are the least, 0 keeps all paragraphs")
	case o.Memory < 1<<20:
		return cli.Usagef("--memory: 1MiB is the least")
	case o.Corpus.Shard < 1<<20:
		return cli.Usagef("--shard_size: 1MiB is the least")
	case len(o.Corpus.Formats) == 0:
		return cli.Usagef("--format is empty: name parquet or jsonl")
	}
	return nil
}
