package source

import (
	"strings"
	"testing"
)

// FuzzMarksOfTitle: all matches of the regular expressions contain the parts that are searched first.
func FuzzMarksOfTitle(f *testing.F) {
	for _, title := range []string{
		"", "Comment on The river", "Re: a", "The river, comments feed", "By: Ann", "Hello world!", "LOREM IPSUM dolor sit",
		"Slot Gacor hari ini", "Cheap NFL jerseys", "Contact us", "Política de privacidade", "评论", "Kommentare zu: Fluss",
		"bình luận về sông", "Comentarios en: Río", "Komentar di Sungai", "Recent comments", "free download crack",
		"Download films gratis", "О том о сём: комментарии", "Hallo Welt", "Ciao mondo", "¡Hola, mundo!", "Olá mundo",
		"Hei maailma", "Hej världen", "Witaj, świecie!", "Привет, мир", "世界，您好", "안녕하세요", "Cau's first post", "Test",
		"Demo project 2", "Name of the work 2", "第一篇文章", "Welcome to Hugo", "Untitled", "Merhaba dünya", "你好，世界",
	} {
		f.Add(title)
	}
	f.Fuzz(func(t *testing.T, title string) {
		got := marksOfTitle(title)
		if title == "" || !strings.EqualFold(strings.ToUpper(title), strings.ToLower(title)) {
			return // letters without a one-to-one case mapping, such as the Kelvin sign
		}
		want := ItemMarks(0)
		for mark, is := range map[ItemMarks]bool{
			CommentLike: commentTitle().MatchString(title) || commentBy().MatchString(title),
			Placeholder: placeholderTitle().MatchString(title) && len(title) <= mostPlaceholderBytes,
			Spam:        spamWord().MatchString(title),
			StaticPage:  staticTitle().MatchString(title),
		} {
			if is {
				want |= mark
			}
		}
		if listed := Placeholder | StaticPage; got&^listed != want&^listed || want&^got != 0 {
			t.Errorf("marksOfTitle(%q) = %b, want %b", title, got, want)
		}
	})
}
