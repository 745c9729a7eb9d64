package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// bookmarked returns a file with pages and bookmarks: a title, a level and a page of each.
func bookmarked(pages []string, titles []string, levels, leads []int) []byte {
	b := pdftest.New()
	var numbers []int
	for _, content := range pages {
		b.Page(content)
		numbers = append(numbers, 2+2*len(numbers)+2)
	}
	first := numbers[len(numbers)-1] + 1
	next := func(i int) string {
		for j := i + 1; j < len(titles) && levels[j] >= levels[i]; j++ {
			if levels[j] == levels[i] {
				return fmt.Sprintf("/Next %d 0 R", first+j)
			}
		}
		return ""
	}
	for i, title := range titles {
		below := ""
		if i+1 < len(titles) && levels[i+1] > levels[i] {
			below = fmt.Sprintf("/First %d 0 R", first+i+1)
		}
		b.Add(fmt.Sprintf("<</Title(%s)/Dest[%d 0 R/Fit]%s%s>>", title, numbers[leads[i]], below, next(i)))
	}
	b.Catalog = fmt.Sprintf("/Outlines<</First %d 0 R>>", first)
	return b.Bytes()
}

func TestRead_bookmarks(t *testing.T) {
	plain := at("F1", 10, 72, 740, "The harbour") + body(700) + at("F1", 10, 72, 640, "1.1 Boats") + body(600)
	tests := []struct {
		name   string
		pages  []string
		titles []string
		levels []int
		leads  []int
		want   []string
	}{
		{
			"no larger than the text",
			[]string{plain},
			[]string{"The harbour", "Boats"},
			[]int{1, 2},
			[]int{0, 0},
			[]string{"# The harbour\n", "## 1.1 Boats\n"},
		},
		{
			"numbers in the bookmarks",
			[]string{plain},
			[]string{"1 The Harbour", "1.1 Boats"},
			[]int{1, 2},
			[]int{0, 0},
			[]string{"# The harbour\n", "## 1.1 Boats\n"},
		},
		{
			"a title that has none",
			[]string{at("F1", 24, 72, 770, "Yearbook") + plain},
			[]string{"The harbour", "Boats"},
			[]int{1, 2},
			[]int{0, 0},
			[]string{"# Yearbook\n", "## The harbour\n", "### 1.1 Boats\n"},
		},
		{"on another page", []string{plain, body(700)}, []string{"The harbour", "Boats"}, []int{1, 1}, []int{1, 1}, nil},
		{"one of three", []string{plain}, []string{"The harbour", "Nets", "Ropes"}, []int{1, 1, 1}, []int{0, 0, 0}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := read(t, bookmarked(tt.pages, tt.titles, tt.levels, tt.leads))
			checkBlocks(t, doc)
			got := doc.Markdown()
			for _, want := range tt.want {
				if !strings.HasPrefix(got, want) && !strings.Contains(got, "\n"+want) {
					t.Errorf("Markdown lacks %q:\n%s", want, got)
				}
			}
			if tt.want == nil && strings.Contains(got, "#") {
				t.Errorf("Markdown has headings:\n%s", got)
			}
		})
	}
}

// TestRead_namedDestinations reads bookmarks that lead to names, by an action.
func TestRead_namedDestinations(t *testing.T) {
	b := pdftest.New()
	b.Page(at("F1", 10, 72, 740, "The harbour") + body(700) + at("F1", 10, 72, 640, "Boats") + body(600))
	b.Add("<</Title(The harbour)/A<</S/GoTo/D(one)>>/Next 6 0 R>>")
	b.Add("<</Title(Boats)/Dest/two/Next 5 0 R>>") // a circle
	b.Catalog = "/Outlines<</First 5 0 R>>/Dests<</two<</D[4 0 R]>>>>/Names<</Dests<</Kids[7 0 R 7 0 R]>>>>"
	b.Add("<</Names[(one)[4 0 R/Fit]]/Kids[7 0 R]>>")
	got := read(t, b.Bytes()).Markdown()
	if !strings.HasPrefix(got, "# The harbour\n") || !strings.Contains(got, "\n# Boats\n") {
		t.Errorf("Markdown lacks headings:\n%s", got)
	}
}

func TestRead_titlePage(t *testing.T) {
	b := pdftest.New()
	b.Page(at("F1", 20, 200, 500, "Yearbook"))
	b.Page(at("F1", 20, 72, 740, "Chapter 1") + at("F1", 24, 72, 710, "The harbour") + body(680) +
		at("F1", 14, 72, 620, "Boats") + body(600))
	got := read(t, b.Bytes()).Markdown()
	for _, want := range []string{"# Yearbook\n", "## Chapter 1 The harbour\n", "### Boats\n"} {
		if !strings.HasPrefix(got, want) && !strings.Contains(got, "\n"+want) {
			t.Errorf("Markdown lacks %q:\n%s", want, got)
		}
	}
}

// TestRead_manyNames: a tree of names with more nodes than a file may have bookmarks hides none of these.
func TestRead_manyNames(t *testing.T) {
	const nodes = 10000
	b := pdftest.New()
	b.Page(at("F1", 10, 72, 740, "The harbour") + body(700) + at("F1", 10, 72, 640, "Boats") + body(600))
	b.Add("<</Title(The harbour)/Dest(one)/Next 6 0 R>>")
	b.Add("<</Title(Boats)/Dest(two)>>")
	var kids strings.Builder
	for i := range nodes {
		fmt.Fprintf(&kids, "%d 0 R ", 7+i)
		b.Add(fmt.Sprintf("<</Names[(%d)[4 0 R/Fit]]>>", i))
	}
	b.Add("<</Names[(one)[4 0 R/Fit](two)[4 0 R/Fit]]>>")
	b.Catalog = fmt.Sprintf("/Outlines<</First 5 0 R>>/Names<</Dests<</Kids[%s%d 0 R]>>>>", kids.String(), 7+nodes)
	got := read(t, b.Bytes()).Markdown()
	if !strings.HasPrefix(got, "# The harbour\n") || !strings.Contains(got, "\n# Boats\n") {
		t.Errorf("Markdown lacks headings:\n%.200s", got)
	}
}

// TestRead_dots matches bookmarks with a page of lines that have no letter, each of which would begin a long search.
func TestRead_dots(t *testing.T) {
	const n = 20000
	var content strings.Builder
	for i := range n {
		content.WriteString(at("F1", 1, 72+100*(i/4000), 780-(i%4000)/6, "."))
	}
	titles, levels, leads := []string{}, []int{}, []int{}
	for i := range 64 {
		titles, levels, leads = append(titles, fmt.Sprintf("Chapter %d", i)), append(levels, 1), append(leads, 0)
	}
	if got := read(t, bookmarked([]string{content.String()}, titles, levels, leads)).Text; !strings.Contains(got, ".") {
		t.Errorf("text = %.40q", got)
	}
}

// TestRead_dividedChapter: the word before a chapter's number may go on in the next line.
func TestRead_dividedChapter(t *testing.T) {
	for _, words := range [][2]string{{"Part-", "e 1"}, {"Par-", "te 1"}, {"Chap-", "ter 1"}} {
		b := pdftest.New()
		b.Page(at("F1", 20, 72, 740, words[0]) + at("F1", 24, 72, 700, words[1]) + body(660) +
			at("F1", 14, 72, 600, "Boats") + body(580))
		if got := read(t, b.Bytes()).Text; !strings.Contains(got, "Boats") {
			t.Errorf("%q: text = %q", words, got)
		}
	}
}
