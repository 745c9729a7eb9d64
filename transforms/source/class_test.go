package source

import "testing"

func TestClass(t *testing.T) {
	tests := []struct{ url, title, page, want string }{
		{"https://a.example/feed/", "A", "", ClassMain},
		{"https://a.example/index.xml", "A", "", ClassMain},
		{"https://a.example/blog/feed/", "A blog", "", ClassMain},
		{"https://a.example/feeds/all-en.atom.xml", "A", "", ClassMain},
		{"https://a.example/en/rss.xml", "A", "", ClassMain},
		{"https://a.example/feeds/posts/default?alt=rss", "A", "", ClassMain},
		{"https://a.example/comments-on-the-law-of-nature/feed.xml", "A", "", ClassMain},
		{"https://a.example/comments/feed/", "Comments for A", "", ClassComments},
		{"https://a.example/feeds/123/comments/default", "", "", ClassComments},
		{"https://a.example/?feed=comments-rss2", "", "", ClassComments},
		{"https://a.example/x/feed/", "Comments on: X", "", ClassComments},
		{"https://a.example/x/feed/", "Komentar di: X", "", ClassComments},
		{"https://a.example/x/feed/", "Kommentare zu: X", "", ClassComments},
		{"https://a.example/2024/05/x/feed/", "", "https://a.example/2024/05/x/", ClassComments},
		{"https://a.example/category/x/feed/", "", "https://a.example/category/x/", ClassCategory},
		{"https://a.example/category/x/feed/", "X – A", "", ClassCategory},
		{"https://a.example/tags/go/index.xml", "Go on A", "", ClassCategory},
		{"https://a.example/feeds/python.atom.xml", "A", "", ClassCategory},
		{"https://a.example/posts/index.xml", "Posts on A", "", ClassCategory},
		{"https://a.example/?cat=7&feed=rss2", "", "", ClassCategory},
		{"https://a.example/tags/index.xml", "Tags on A", "", ClassList},
		{"https://a.example/author/ann/feed/", "ann – A", "", ClassAuthor},
		{"https://a.example/?s=x&feed=rss2", "", "", ClassSearch},
		{"https://a.example/search/x/feed/rss2/", "", "", ClassSearch},
		{"https://a.example/w/index.php?title=X&feed=atom&action=history", "", "", ClassPage},
		{"%zz", "", "", ClassMain},
	}
	for _, tt := range tests {
		if got := Class(tt.url, tt.title, tt.page); got != tt.want {
			t.Errorf("Class(%q, %q, %q) = %s, want %s", tt.url, tt.title, tt.page, got, tt.want)
		}
	}
}

// TestState_urlClass: a section is recognised in every script.
func TestState_urlClass(t *testing.T) {
	for _, tt := range []struct{ url, title, want string }{
		{"https://a.example/posts/index.xml", "文章 on A", ClassCategory},
		{"https://a.example/posts/index.xml", "Записи on A", ClassCategory},
		{"https://a.example/index.xml", "文章 on A", ClassMain},
		{"https://a.example/posts/index.xml", "文章", ClassMain},
	} {
		if got := (State{Info: Info{Time: 1, URL: tt.url, Title: tt.title}}).urlClass(); got != tt.want {
			t.Errorf("%s %q: %s, want %s", tt.url, tt.title, got, tt.want)
		}
	}
}

func TestCanonical(t *testing.T) {
	for _, group := range [][]string{
		{
			"http://www.a.example/feed/", "https://a.example/feed", "https://A.example:443/feed/rss2/",
			"http://a.example/feed/atom",
		},
		{"https://a.example/x/index.xml", "https://a.example/x/", "http://a.example/x?utm_source=y"},
	} {
		for _, u := range group[1:] {
			if a, b := Canonical(group[0]), Canonical(u); a != b {
				t.Errorf("%s and %s are %s and %s", group[0], u, a, b)
			}
		}
	}
	if a, b := Canonical("https://a.example/feed?type=news"), Canonical("https://a.example/feed?type=blog"); a == b {
		t.Errorf("feeds of two types are both %s", a)
	}
}

func TestSameItems(t *testing.T) {
	a := State{Items: []Item{{ID: 1, Link: 1, Time: 30}, {ID: 2, Link: 2, Time: 20}, {ID: 3, Link: 3, Time: 10}}}
	b := State{Items: []Item{{ID: 9, Link: 1, Time: 30}, {ID: 8, Link: 2, Time: 20}}}
	if got := SameItems(a, b); got != 1 {
		t.Errorf("a longer window of the same: %.2f, want 1", got)
	}
	c := State{Items: []Item{{ID: 5, Link: 5, Time: 25}}}
	if got := SameItems(a, c); got != 0 {
		t.Errorf("others: %.2f, want 0", got)
	}
}

func FuzzClass(f *testing.F) {
	f.Add("https://a.example/feed/", "A", "https://a.example/")
	f.Add("https://a.example/feeds/x.atom.xml", "Comments on: x", "")
	f.Fuzz(func(t *testing.T, feed, title, page string) {
		if Class(feed, title, page) == "" {
			t.Error("no class")
		}
		Canonical(feed)
	})
}
