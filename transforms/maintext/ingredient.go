package maintext

import (
	"github.com/gleaner-web/gleaner/transforms/infix"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	// leastIngredient is the score from which ingredients are kept: lists of short items without verbs score low. By
	// cross-validation trafilatura's half rises by .0007, products and listings of WCXB by .0009.
	leastIngredient = 0.2
	// ingredientLevels is how many elements around a block are searched for the words.
	ingredientLevels = 6
)

// ingredientWords are in the class, id or itemprop of ingredients of recipes and foods. Most European languages have
// the first, and German, Polish and Turkish their own.
var ingredientWords = infix.New("ingredient", "zutat", "skladnik", "malzeme")

// isIngredient reports whether a block is likely enough to be kept as an ingredient of a recipe or food. Without its
// ingredients a recipe is of little use.
func isIngredient(p *page.Page, i int, score float32, t PageType) bool {
	if score < leastIngredient || t != Article && t != Product {
		return false
	}
	n := p.Blocks[i].Node
	for k := 0; k < ingredientLevels && n > 0; k++ {
		if isNamed(p, n, ingredientWords) {
			return true
		}
		if v, ok := p.RawAttr(int(n), "itemprop"); ok && ingredientWords.In(v) {
			return true
		}
		n = p.Nodes[n].Parent
	}
	return false
}
