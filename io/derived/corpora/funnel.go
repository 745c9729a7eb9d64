package corpora

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
)

// StatsFile has the funnel with the time of each step, which differs from run to run.
const StatsFile = "stats.json"

// Timed is the content of StatsFile.
type Timed struct {
	Funnel []filter.Passage `json:"funnel"`
}

// The steps after the filters.
const (
	stepRepeated = "repeated" // documents of several units
	stepSample   = "sample"
	stepWrite    = "write"
)

// reasons returns the fates of the documents that a step after the filters leaves out.
func reasons(step string) []fate {
	return map[string][]fate{
		ByURL: {sameURL}, ByPayload: {samePayload, earlierPayload}, ByText: {sameText, earlierText},
		BySimhash: {sameSimhash}, ByNear: {nearDuplicate, earlierNear}, stepSample: {notSampled},
	}[step]
}

// funnel adds up the steps of all units, and derives the steps after the filters from the shards' counts.
func (s *Steps) funnel(units []Signed, shards []Sharded, n Numbered, p Planned) (list []filter.Passage, err error) {
	for _, u := range units {
		list = addSteps(list, u.Funnel)
	}
	if len(list) == 0 {
		return nil, nil
	}
	flows, all, seconds := map[string]filter.Flow{}, filter.Flow{}, 0.0
	for _, shard := range shards {
		seconds += shard.Seconds
		for reason, f := range shard.Flows {
			flows[reason], all = flows[reason].Plus(f), all.Plus(f)
		}
	}
	took, err := s.took(n, p)
	if err != nil {
		return nil, err
	}
	in := list[len(list)-1].Out
	next := func(step string, out filter.Flow, seconds float64) {
		list = append(list, filter.Passage{Step: step, In: in, Out: out, Seconds: seconds})
		in = out
	}
	if in != all {
		next(stepRepeated, all, 0)
	}
	steps := s.Options.searches()
	if s.Options.Sample > 0 || len(s.Options.Mix) > 0 {
		steps = append(steps, stepSample)
	}
	for _, step := range steps {
		out := in
		for _, f := range reasons(step) {
			out = out.Minus(flows[fateNames[f]])
		}
		name := "duplicates: " + step
		switch {
		case step == stepSample:
			name = step
		case s.Options.onlyEarlier(step):
			name = "earlier: " + step
		}
		next(name, out, took[step])
	}
	next(stepWrite, in, seconds)
	return list, nil
}

// addSteps adds the steps of a unit. All units have the same steps.
func addSteps(list, unit []filter.Passage) []filter.Passage {
	if list == nil {
		return slices.Clone(unit)
	}
	for i := range min(len(list), len(unit)) {
		list[i].Add(unit[i])
	}
	return list
}

// took returns the seconds that each search for duplicates has taken.
func (s *Steps) took(n Numbered, p Planned) (map[string]float64, error) {
	took := map[string]float64{ByNear: p.Seconds}
	for by, seconds := range n.Seconds {
		took[by] += seconds
	}
	for band := range minhash.NumBands {
		var seconds float64
		if _, err := done(s.Out, n.took(band), &seconds); err != nil {
			return nil, err
		}
		took[ByNear] += seconds
	}
	return took, nil
}

// untimed returns a funnel without times, for files that do not differ from run to run.
func untimed(list []filter.Passage) []filter.Passage {
	list = slices.Clone(list)
	for i := range list {
		list[i].Seconds = 0
	}
	return list
}

// ReadTimed reads the stats of a finished corpus. An earlier version has made a corpus without them.
func (s *Steps) ReadTimed() (t Timed, err error) {
	err = folder.ReadJSON(s.Out, StatsFile, maxJSON, &t)
	return t, err
}
