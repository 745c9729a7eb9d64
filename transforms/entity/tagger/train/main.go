package main

import (
	"encoding/gob"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

type counts [3][3]int // by type: right, found, gold

func (c *counts) add(gold, found []model.Span) {
	is := map[[3]int]bool{}
	for _, g := range gold {
		is[[3]int{g.Start, g.End, g.Type}] = true
		c[g.Type][2]++
	}
	for _, f := range found {
		c[f.Type][1]++
		if is[[3]int{f.Start, f.End, f.Type}] {
			c[f.Type][0]++
		}
	}
}

func (c *counts) print() {
	var all [3]int
	for k, name := range []string{"PER", "ORG", "LOC", "all"} {
		q := all
		if k < 3 {
			q = c[k]
		}
		for i := range all {
			all[i] += q[i]
		}
		p, r := float64(q[0])/float64(max(1, q[1])), float64(q[0])/float64(max(1, q[2]))
		fmt.Printf("  %s P %.3f R %.3f F1 %.3f (%d of %d)", name, p, r, 2*p*r/(p+r+1e-9), q[0], q[2])
	}
	fmt.Println()
}

func main() {
	var o options
	flag.IntVar(&o.epochs, "epochs", 10, "")
	flag.Float64Var(&o.rate, "rate", 0.1, "")
	flag.Float64Var(&o.decay, "decay", 1e-4, "")
	flag.Float64Var(&o.drop, "drop", 0.2, "")
	flag.Float64Var(&o.webTimes, "web", 2, "")
	flag.Float64Var(&o.scale, "scale", 32, "")
	flag.Float64Var(&o.bias, "bias", 0, "")
	ds := flag.Float64("ds", 1, "")
	de := flag.Float64("dense", 1, "")
	folds := flag.Int("folds", 5, "")
	run := flag.Int("run", 5, "")
	show := flag.Int("show", -1, "")
	load := flag.Bool("load", false, "")
	tag := flag.String("tag", "a", "")
	flag.Parse()
	o.domainScale = float32(*ds)
	o.dense = float32(*de)
	l, err := cachedLexicon("/tmp/tagger/pk", "/tmp/tagger/lex.gob")
	if err != nil {
		panic(err)
	}
	train, _, err := readCorpora("../shared/corpora/entities")
	if err != nil {
		panic(err)
	}
	type variant struct {
		bias      [3]float64
		vote, cap int32
	}
	var variants []variant
	for _, b := range []float64{0.5, 1, 1.5, 2} {
		variants = append(variants, variant{[3]float64{b, b + 0.5, b}, 32, 256})
	}
	variants = append(variants, variant{[3]float64{1, 1.5, 1}, 0, 0}, variant{[3]float64{1, 1.5, 1}, 64, 256})
	variants = append(variants, variant{[3]float64{1, 1.5, 1}, 32, 512}, variant{[3]float64{1, 1.5, 1}, 64, 512})
	cs := make([]counts, len(variants))
	lost, gold := [3]int{}, [3]int{}
	for f := range *run {
		start := time.Now()
		var ex []example
		var test []labelled
		k := 0
		for _, d := range train {
			if d.domain == web {
				k++
				if k%*folds == f {
					test = append(test, d)
					continue
				}
			}
			if *load {
				continue
			}
			es, n := model.Examples(&l.file, d.text, d.names)
			if f == 0 {
				lost[d.domain] += n
				gold[d.domain] += len(d.names)
			}
			for _, e := range es {
				ex = append(ex, example{e, d.domain})
			}
		}
		m := &model.Model{Lexicon: l.file}
		name := fmt.Sprintf("/tmp/tagger/models/%s-%d.gob", *tag, f)
		if *load {
			fl, _ := os.Open(name)
			if err := gob.NewDecoder(fl).Decode(&m.Weights); err != nil {
				panic(err)
			}
			fl.Close()
		} else {
			t := newTrainer(l, o)
			t.train(ex)
			m = t.model(web)
			fl, _ := os.Create(name)
			gob.NewEncoder(fl).Encode(m.Weights)
			fl.Close()
		}
		if f == 0 {
			fmt.Println(len(ex), "examples; lost", lost, "of", gold, time.Since(start))
		}
		var s model.Scratch
		plain := m.Weights.Transitions
		for vi, v := range variants {
			m.Weights.Transitions = plain
			for x := range model.Labels {
				for k := range 3 {
					m.Weights.Transitions[x][1+4*k] += int32(v.bias[k] * o.scale)
					m.Weights.Transitions[x][4+4*k] += int32(v.bias[k] * o.scale)
				}
			}
			m.Weights.Vote, m.Weights.VoteCap = v.vote, v.cap
			for _, d := range test {
				found := m.Find(d.text, &s, nil)
				cs[vi].add(d.names, found)
				if vi == *show {
					printErrors(d, found)
				}
			}
		}
	}
	for b := range cs {
		fmt.Print(variants[b])
		cs[b].print()
	}
}

func printErrors(d labelled, found []model.Span) {
	is := map[[3]int]bool{}
	for _, g := range d.names {
		is[[3]int{g.Start, g.End, g.Type}] = true
	}
	ctx := func(m string, g model.Span) {
		fmt.Printf("%s %d %q in %q %d\n", m, g.Type, d.text[g.Start:g.End], d.text[max(0, g.Start-30):min(len(d.text), g.End+30)], g.Margin)
	}
	for _, f := range found {
		k := [3]int{f.Start, f.End, f.Type}
		if is[k] {
			delete(is, k)
		} else {
			ctx("WRONG", f)
		}
	}
	for _, g := range d.names {
		if is[[3]int{g.Start, g.End, g.Type}] {
			ctx("MISSED", g)
		}
	}
}
