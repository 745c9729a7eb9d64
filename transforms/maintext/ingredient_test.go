package maintext

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func TestIsIngredient(t *testing.T) {
	tests := []struct {
		name, src string
		score     float32
		kind      PageType
		want      bool
	}{
		{"itemprop", "<ul><li itemprop=recipeIngredient>two eggs</ul>", .3, Article, true},
		{"a class of WordPress", "<div class=wprm-recipe-ingredients-container><ul><li>two eggs</ul></div>", .3, Article, true},
		{"a table in German", "<table class='Zutatenliste'><tr><td>2<td>Eier</table>", .3, Article, true},
		{"an id in Italian", "<div id=ingredienti><p>due uova</div>", .3, Article, true},
		{"Polish", "<ul class=skladniki><li>dwa jajka</ul>", .3, Article, true},
		{"Turkish", "<ul class=malzemeler><li>iki yumurta</ul>", .3, Article, true},
		{"a food", "<div class=product-ingredients>wheat, sugar, salt</div>", .3, Product, true},
		{"too unlikely", "<ul><li itemprop=recipeIngredient>two eggs</ul>", .1, Article, false},
		{"a service", "<div class=ingredients><p>two eggs</div>", .3, Service, false},
		{"another list", "<ul class=related><li>two eggs</ul>", .3, Article, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := page.Parse([]byte(tt.src), page.Options{})
			if got := isIngredient(p, 0, tt.score, tt.kind); got != tt.want {
				t.Errorf("isIngredient(%s) = %v, want %v", tt.src, got, tt.want)
			}
		})
	}
}
