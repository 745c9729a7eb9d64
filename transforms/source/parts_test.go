package source

import (
	"strings"
	"testing"
)

// TestParts: each word that a regular expression knows also passes the quick check before it.
func TestParts(t *testing.T) {
	for name, tt := range map[string]struct {
		before parts
		match  func(string) bool
		texts  string
	}{
		"newspapers": {paperParts, paperName().MatchString, "Zeitung Nachrichten Tagblatt Tageblatt Anzeiger Abendblatt " +
			"Morgenpost Rundschau Diario Noticias Dziennik Gazeta Gazette Gazzetta Tribune Herald Chronicle Telegraph " +
			"Guardian Courier Kurier Tidning Dagblad Sanomat Uutiset News Times The_Post Daily"},
		"comments": {commentWordParts, commentWords().MatchString, "Comment comments comentario comentarios comentários " +
			"comentÁrio commentaire Kommentare commenti reacties komentarze komentar kommentarer yorumlar replies " +
			"discussion КОММЕНТАРИИ 评论 評論 コメント 댓글"},
		"not found": {notFoundParts, notFoundTitle().MatchString, "404 page_not_found NOT_FOUND PÁGINA_NO_ENCONTRADA " +
			"page_introuvable Seite_nicht_gefunden PÁGINA_NÃO_ENCONTRADA pagina_non_trovata СТРАНИЦА_НЕ_НАЙДЕНА"},
	} {
		for _, text := range strings.Fields(tt.texts) {
			text = strings.ReplaceAll(text, "_", " ")
			if !tt.match(text) || !tt.before.in("x "+strings.ToLower(text)) {
				t.Errorf("%s: %q is passed over", name, text)
			}
		}
		if tt.before.in("") || tt.before.in("x") || tt.before.in("a walk along the river") {
			t.Errorf("%s: nothing passes", name)
		}
	}
}
