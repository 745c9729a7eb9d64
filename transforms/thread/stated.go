package thread

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// contributions are the properties of schema.org that hold further posts.
var contributions = [...]string{
	"mainEntity", "acceptedAnswer", "suggestedAnswer", "comment", "hasPart", "itemListElement",
}

// kinds are the kinds of schema.org's types.
var kinds = map[string]string{
	"Question": KindQuestion, "Answer": KindAnswer, "Comment": KindComment, "DiscussionForumPosting": KindPost,
	"SocialMediaPosting": KindPost,
}

// maxStatedDepth bounds comments on comments.
const maxStatedDepth = 30

// stated collects the posts that JSON-LD states.
type stated struct {
	posts []Post
	bytes int // of their texts
	left  int // posts beyond a limit
}

// statedPosts returns the posts that JSON-LD states, in its order.
func statedPosts(ld []jsonld.Node) (s stated) {
	isThread := false
	for _, n := range ld {
		for _, t := range n.Types() {
			isThread = isThread || threadTypes[t]
		}
	}
	if !isThread {
		return s
	}
	for _, n := range ld {
		s.add(n, 0)
	}
	return s
}

// add adds the post of a node and those in it.
func (s *stated) add(n jsonld.Node, depth int) {
	for _, t := range n.Types() {
		if kind := kinds[t]; kind != "" {
			s.addPost(n, kind, depth)
			break
		}
	}
	if depth > maxStatedDepth {
		return
	}
	for _, key := range contributions {
		for _, inner := range n.Child(key) {
			s.add(inner, depth+1)
		}
	}
}

func (s *stated) addPost(n jsonld.Node, kind string, depth int) {
	if depth > maxStatedDepth || len(s.posts) >= maxPosts {
		s.left++
		return
	}
	post := Post{Kind: kind, Author: n.String("author"), Text: statedText(n)}
	if s.bytes += len(post.Text); s.bytes > maxText {
		s.left++
		return
	}
	if d, ok := pagemeta.ParseDate(statedDate(n)); ok {
		post.Date = d.String()
	}
	s.posts = append(s.posts, post)
}

func statedText(n jsonld.Node) string {
	for _, key := range [...]string{"text", "articleBody", "headline", "name"} {
		s := strings.TrimSpace(n.String(key))
		if strings.Contains(s, "<") { // software writes HTML in it
			p := page.Parse([]byte(s), page.Options{})
			s = strings.TrimSpace(string(p.Text))
		}
		if s != "" {
			return s
		}
	}
	return ""
}

func statedDate(n jsonld.Node) string {
	for _, key := range [...]string{"datePublished", "dateCreated"} {
		if s := n.String(key); s != "" {
			return s
		}
	}
	return ""
}

// withText leaves out posts without a text.
func withText(posts []Post) (all []Post) {
	for _, p := range posts {
		if p.Text != "" {
			all = append(all, p)
		}
	}
	return all
}

// complete adds stated authors and dates to posts whose text begins alike.
func complete(posts, stated []Post) {
	from := alike(pointers(stated), beginning)
	for key, group := range alike(pointers(posts), beginning) {
		if said := from[key]; key != "" && len(said) > 0 {
			match(group, said)
		}
	}
}

// match completes posts by stated ones that begin alike: with the same greeting, thanks or quotation. Those of the same
// text come first, then those in the same place of the order.
func match(posts, stated []*Post) {
	if len(posts) > 1 || len(stated) > 1 {
		from, paired := alike(stated, lettersIn), map[*Post]bool{}
		for text, same := range alike(posts, lettersIn) {
			if said := from[text]; len(said) == len(same) {
				pair(same, said)
				for i := range same {
					paired[same[i]], paired[said[i]] = true, true
				}
			}
		}
		isPaired := func(p *Post) bool { return paired[p] }
		posts, stated = slices.DeleteFunc(posts, isPaired), slices.DeleteFunc(stated, isPaired)
	}
	switch {
	case len(posts) == len(stated):
		pair(posts, stated)
	case len(posts) < len(stated):
		pair(posts, slices.Repeat([]*Post{common(stated)}, len(posts)))
	}
}

// pair completes each post by the stated one at its index.
func pair(posts, stated []*Post) {
	for i, p := range posts {
		s := stated[i]
		p.Author, p.Date = cmp.Or(s.Author, p.Author), cmp.Or(s.Date, p.Date)
		if p.Kind == KindPost {
			p.Kind = s.Kind
		}
	}
}

// common returns a post with the fields in which all posts agree.
func common(posts []*Post) *Post {
	c := *posts[0]
	for _, p := range posts {
		if p.Author != c.Author {
			c.Author = ""
		}
		if p.Date != c.Date {
			c.Date = ""
		}
		if p.Kind != c.Kind {
			c.Kind = KindPost
		}
	}
	return &c
}

// alike groups posts by a key of their texts, in their order.
func alike(posts []*Post, key func(text string) string) map[string][]*Post {
	groups := map[string][]*Post{}
	for _, p := range posts {
		k := key(p.Text)
		groups[k] = append(groups[k], p)
	}
	return groups
}

func pointers(posts []Post) []*Post {
	all := make([]*Post, len(posts))
	for i := range posts {
		all[i] = &posts[i]
	}
	return all
}

const (
	leastBeginning = 8 // letters that a text must have to be recognised by them
	mostBeginning  = 40
)

// beginning returns the first letters of a text.
func beginning(text string) string {
	var first []rune
	for _, r := range text {
		if isLetter(r) {
			first = append(first, unicode.ToLower(r))
		}
		if len(first) == mostBeginning {
			break
		}
	}
	if len(first) < leastBeginning {
		return ""
	}
	return string(first)
}

func lettersIn(text string) string { return strings.Map(onlyLetters, strings.ToLower(text)) }
