package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/gleaner-web/gleaner/transforms/maintext/score"
)

// modelCard describes the origin of a model. train.py adds the figures of cross-validation and the versions it used.
type modelCard struct {
	Features string            `json:"features"` // fingerprint of the code that makes features
	Data     map[string]string `json:"data"`     // digest of each labelled set
	Pages    map[string]int    `json:"pages"`    // number in each set
}

// card writes the part of the model card that depends on the data and the code.
func card(samples []sample, _ []string, w io.Writer) error {
	c := modelCard{score.Fingerprint(), map[string]string{}, map[string]int{}}
	for _, set := range sets {
		h := sha256.New()
		for i := range samples {
			s := &samples[i]
			if s.Set != set.name {
				continue
			}
			c.Pages[set.name]++
			body, err := s.raw()
			if err != nil {
				return err
			}
			told := *s
			// People labelled the markup. Its text depends on package page, so the digest has the markup.
			if s.markup != nil {
				told.Text = string(s.markup)
			}
			truth, err := json.Marshal(told)
			if err != nil {
				return err
			}
			for _, part := range [][]byte{truth, body} {
				sum := sha256.Sum256(part)
				_, _ = h.Write(sum[:]) // never fails
			}
		}
		c.Data[set.name] = hex.EncodeToString(h.Sum(nil))
	}
	return json.NewEncoder(w).Encode(c)
}
