package thread

import (
	"cmp"
	"strings"

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
	byText := map[string]*Post{}
	for i := range stated {
		if key := beginning(stated[i].Text); key != "" && byText[key] == nil {
			byText[key] = &stated[i]
		}
	}
	for i := range posts {
		s := byText[beginning(posts[i].Text)]
		if s == nil {
			continue
		}
		posts[i].Author, posts[i].Date = cmp.Or(s.Author, posts[i].Author), cmp.Or(s.Date, posts[i].Date)
		if posts[i].Kind == KindPost {
			posts[i].Kind = s.Kind
		}
	}
}

const (
	leastBeginning = 8 // letters that a text must have to be recognised by them
	mostBeginning  = 40
)

// beginning returns the first letters of a text.
func beginning(text string) string {
	var letters []rune
	for _, r := range strings.ToLower(text) {
		if isLetter(r) {
			letters = append(letters, r)
		}
		if len(letters) == mostBeginning {
			break
		}
	}
	if len(letters) < leastBeginning {
		return ""
	}
	return string(letters)
}
