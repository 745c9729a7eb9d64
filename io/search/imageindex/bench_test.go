package imageindex

import (
	"context"
	"fmt"
	"iter"
	"os"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// BenchmarkFind searches 100,000 images and as many pages with four images each, or ten times as many with
// GLEANER_SLOW=1.
func BenchmarkFind(b *testing.B) {
	n := 100_000
	if os.Getenv("GLEANER_SLOW") != "" {
		n *= 10
	}
	words := []string{"harbour", "quay", "boat", "bridge", "market", "winter", "council", "library", "museum", "garden"}
	s := source("", nil)
	s.CanWrite = false
	s.Documents = func(context.Context, schemas.Shard) iter.Seq2[*schemas.Document, error] {
		return func(yield func(*schemas.Document, error) bool) {
			for k := range n {
				url := fmt.Sprintf("http://host%d.example/%s-%d.jpg", k%1000, words[k%10], k)
				hash := fmt.Sprintf("%016x", hashOf(url))
				image := shot(url, "2020-01-01T00:00:00Z", fmt.Sprint("sha1:", k),
					schemas.Image{Format: "jpeg", Width: 100 + k%2000, Height: 300, Frames: 1, PHash: hash})
				p := shows(fmt.Sprintf("http://host%d.example/p%d", k%1000, k), words[k%7]+" "+words[k%9], "en")
				for i := range 4 {
					p.Images = append(p.Images, schemas.PageImage{URL: url, Alt: fmt.Sprint(words[(k+i)%10], " ", k)})
					url = fmt.Sprintf("http://host%d.example/%s-%d.jpg", (k+i)%1000, words[(k+i)%10], (k*7+i)%n)
				}
				if !yield(image, nil) || !yield(p, nil) {
					return
				}
			}
		}
	}
	x, err := Open(b.Context(), s)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(x.parts[0].encode()))/float64(n), "B/image")
	for _, q := range []Query{
		{Limit: 48},
		{Words: "boat", Limit: 48},
		{Words: "boat winter", MinSide: 1000, Limit: 48},
		{Words: "boat 12345", Limit: 48},
		{Like: "0123456789abcdef", Limit: 48},
	} {
		b.Run(fmt.Sprintf("%d/%s%s", n, q.Words, q.Like), func(b *testing.B) {
			for b.Loop() {
				x.Find(q)
			}
		})
	}
}
