package maintext

import (
	"strings"
	"testing"
)

func TestCompleteCards(t *testing.T) {
	card := func(text string) string {
		return "<li class=card><div class=box><h3><a href=/x>Name</a></h3><p class=text>" + text + "</p></div></li>"
	}
	short := "<ul>" + strings.Repeat(card("some words of it"), 4) + "</ul>"
	tests := []struct {
		name, src  string
		keep, want int // of the texts of cards: how many are kept before and after
	}{
		{"half of the cards", short, 2, 4},
		{"one of four", short, 1, 4},
		{"one of ten", "<ul>" + strings.Repeat(card("some words of it"), 10) + "</ul>", 1, 1},
		{"none", short, 0, 0},
		{"two cards", "<ul>" + strings.Repeat(card("some words of it"), 2) + "</ul>", 1, 1},
		{"in another language", "<ul>" + strings.Repeat(card("несколько слов о том"), 3) + "</ul>", 1, 3},
		{"other classes", short + "<p class=other>some words of it</p>", 2, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			kept := make([]bool, len(p.Blocks))
			for i, left := 0, tt.keep; i < len(p.Blocks) && left > 0; i++ {
				if p.Blocks[i].Words > 1 {
					kept[i] = true
					left--
				}
			}
			completeCards(p, halves(p), kept)
			got := 0
			for _, k := range kept {
				if k {
					got++
				}
			}
			if got != tt.want {
				t.Errorf("%d blocks are kept, want %d", got, tt.want)
			}
		})
	}
}
