package main

import (
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// show writes the blocks of one page with their labels and scores. + is kept, - is not.
func show(samples []sample, args []string, w io.Writer) error {
	models, err := foldModels(args[0])
	if err != nil {
		return err
	}
	if err := teach(samples, args[0]); err != nil {
		return err
	}
	for i := range samples {
		s := &samples[i]
		if s.ID != args[1] {
			continue
		}
		p, err := s.page(&page.Parser{})
		if err != nil {
			return err
		}
		labels, _ := s.labels(p)
		r := maintext.Extract(p, maintext.Options{Model: models[fold(s.Host)]})
		kept := map[int32]bool{}
		for _, b := range r.Blocks {
			kept[b] = true
		}
		if _, err := fmt.Fprintln(w, s.Set, s.ID, s.URL, s.Type, r.Type, r.TypeConfidence, r.Source); err != nil {
			return err
		}
		for i := range p.Blocks {
			b := &p.Blocks[i]
			sign := map[bool]string{true: "+", false: "-"}[kept[int32(i)]]
			if _, err := fmt.Fprintf(w, "%4d %s %.2f %.2f %-8s %.120q\n", i, sign, labels[i], r.Scores[i],
				p.Name(int(b.Node)), p.Text[b.Start:b.End]); err != nil {
				return err
			}
		}
	}
	return nil
}
