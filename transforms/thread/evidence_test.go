package thread

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/maintext"
)

func TestCleanName(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a name", " Ann Lee ", "Ann Lee"},
		{"by", "by Ann", "Ann"},
		{"German", "von Änne:", "Änne"},
		{"Russian", "от Анна »", "Анна"},
		{"signs around", "• Ann -", "Ann"},
		{"digits", "4711", "4711"},
		{"Arabic", "سارة:", "سارة"},
		{"signs alone", "» —", ""},
		{"two lines", "Ann\nMember", ""},
		{"a link", "https://example.org/u/1", ""},
		{"a sentence", one + one, ""},
		{"a role, as some members are called so", "Administrator", "Administrator"},
		{"a name with a role in it", "Member 12", "Member 12"},
		{"an administrator's name", "admin", "admin"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cleanName(tt.text); got != tt.want {
				t.Errorf("cleanName(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// TestPosts_roles: roles are not authors, unless a member is called so.
func TestPosts_roles(t *testing.T) {
	tests := []struct{ name, head, want string }{
		{"a member", "<p class=author>by <b>Administrator</b> » Sat May 4, 2024 10:00 am</p>", "Administrator"},
		{
			"a member, in a link",
			"<p class=author>by <strong><a href=/x>Staff</a></strong> » <a href=/p/1>May 4, 2024</a></p>",
			"Staff",
		},
		{"of the class alone", "<b class=author>Moderator</b>", "Moderator"},
		{"in German", "<span class=verfasser>Mitglied</span>", "Mitglied"},
		{"in Chinese", "<span class=username>管理员</span>", "管理员"},
		{"of microdata", `<div itemprop=author itemscope><b itemprop=name>Administrator</b></div>`, "Administrator"},
		{"of microdata before a class", `<b itemprop=author>Quote</b><b class=author>Ann</b>`, "Quote"},
		{"of an attribute", "<div data-author=Staff></div>", "Staff"},
		{"a role before a name", "<div class=showtopicauthor>Topic Author</div><a class=username>Ann</a>", "Ann"},
		{"a role in Russian before a name", "<i class=topic-author>Автор темы:</i> <i class=author>Анна</i>", "Анна"},
		{"a role before a link", "<i class=topic-author>楼主</i> <a href=/user/7>Ann</a>", "Ann"},
		{"a link before a name", "<span class=author><a href=/x>Moderator</a> <a href=/y>ann7</a></span>", "ann7"},
		{
			"a name before a rank",
			"<dt><b class=username>Ann</b></dt><dd class=usertitle><strong>Member</strong></dd>",
			"Ann",
		},
		{"a rank", "<dd class=usertitle><strong>Member</strong></dd>", ""},
		{"a link to register", "<a href=/user/register>Sign Up</a>", ""},
		{"a link to a group", "<a href=/members/>Moderator</a>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			post := func(text string) string {
				return "<div class=p>" + tt.head + "<time datetime=2020-03-04>then</time><p>" + text + "</p></div>"
			}
			src := post(one) + post(two)
			posts := read(t, src, maintext.Forum)
			if len(posts) != 2 || posts[0].Author != tt.want || posts[1].Author != tt.want {
				t.Errorf("posts of %s = %+v, want two of %q", src, posts, tt.want)
			}
		})
	}
}

// TestPosts_dates: which of several dates is that of the post.
func TestPosts_dates(t *testing.T) {
	tests := []struct{ name, head, want string }{
		{"an attribute before a text", "<i>1 May 2021</i><time datetime=2020-03-04>then</time>", "2020-03-04"},
		{"microdata before an attribute", "<time datetime=2021-05-06></time><meta itemprop=datePublished content=2020-03-04>", "2020-03-04"},
		{"seconds", "<span data-time=1583280000>then</span>", "2020-03-04T00:00:00Z"},
		{"a title", `<abbr title="4 March 2020">then</abbr>`, "2020-03-04"},
		{"not of joining", "<div>Joined: 1 May 2011</div><div>4 March 2020</div>", "2020-03-04"},
		{"not of joining, German", "<div>Mitglied seit: 1. Mai 2011</div><div>4. März 2020</div>", "2020-03-04"},
		{"not of joining, Russian", "<div>Регистрация: 1 мая 2011</div><div>4 марта 2020</div>", "2020-03-04"},
		{"not of joining, Polish", "<div>Dołączył: 1 maja 2011</div><div>4 marca 2020</div>", "2020-03-04"},
		{"not of joining, Chinese", "<div>注册时间: 2011-05-01</div><div>发表于 2020-3-4 12:30</div>", "2020-03-04"},
		{"not of joining, in a list", "<dl><dt>Joined<dd>Mar 3, 2009</dl><div>4 March 2020</div>", "2020-03-04"},
		{"not of joining, in a list, alone", "<dl><dt>Joined<dd>Mar 3, 2009</dl><div>Yesterday at 10:41 PM</div>", ""},
		{
			"not of joining, in a list, machine-readable",
			"<dl><dt>Joined<dd><time datetime=2009-03-03>2009</time></dl><time datetime=2020-03-04>then</time>",
			"2020-03-04",
		},
		{
			"not of joining, in a German list",
			"<dl><dt><b>Mitglied seit</b><dd><i>3. März 2009</i></dl><div>4. März 2020</div>",
			"2020-03-04",
		},
		{
			"not of joining, in a table",
			"<table><tr><th>Inscription<td>3 mars 2009</table><div>4 mars 2020</div>",
			"2020-03-04",
		},
		{
			"not of joining, with a label",
			"<div><label>Дата регистрации:</label><div>3 марта 2009</div></div><div>4 марта 2020</div>",
			"2020-03-04",
		},
		{"not of a visit", "<dl><dt>Last seen<dd>5 May 2021</dl><div>4 March 2020</div>", "2020-03-04"},
		{"of another label", "<dl><dt>Posted<dd>4 March 2020</dl>", "2020-03-04"},
		{"after a label without a value", "<dl><dt>Joined<dd></dl><div>4 March 2020</div>", "2020-03-04"},
		{"beside a member's rank", "<table><tr><td>Mitglied<td>4. März 2020</table>", "2020-03-04"},
		{"beside a name and a rank", "<table><tr><th>Anna<br>Mitglied<td>4. März 2020</table>", "2020-03-04"},
		{"not of an edit", `<div>edited <time datetime=2021-05-06>later</time></div><time datetime=2020-03-04>then</time>`, "2020-03-04"},
		{"not of a quote", `<blockquote><time datetime=2019-01-01>before</time></blockquote><div>2020-03-04</div>`, "2020-03-04"},
		{"relative", "<span>3 days ago</span>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			post := func(text string) string {
				return "<div class=p><b class=author>Ann</b>" + tt.head + "<p>" + text + "</p></div>"
			}
			src := post(one) + post(two)
			posts := read(t, src, maintext.Forum)
			if len(posts) != 2 || posts[0].Date != tt.want || posts[1].Date != tt.want {
				t.Errorf("posts of %s = %+v, want two of %q", src, posts, tt.want)
			}
		})
	}
}

// TestPosts_order: days and months are told apart by the other dates of the thread.
func TestPosts_order(t *testing.T) {
	tests := []struct{ name, first, second, third, want string }{
		{"months first, by a day above 12", "01/02/2020", "01/03/2020", "01/14/2020", "2020-01-02"},
		{"days first, by a day above 12", "01/02/2020", "03/02/2020", "14/02/2020", "2020-02-01"},
		{"days first, as they ascend", "01/02/2020", "05/02/2020", "02/03/2020", "2020-02-01"},
		{"months first, as they ascend", "02/01/2020", "02/05/2020", "03/02/2020", "2020-02-01"},
		{"unclear", "01/02/2020", "01/02/2020", "01/02/2020", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := ""
			for i, day := range [...]string{tt.first, tt.second, tt.third} {
				src += "<div class=p><b class=author>Ann</b><div>" + day + "</div><p>" + [...]string{one, two, three}[i] + "</p></div>"
			}
			posts := read(t, src, maintext.Forum)
			if len(posts) != 3 || posts[0].Date != tt.want {
				t.Errorf("posts of %s = %+v, want the first of %q", src, posts, tt.want)
			}
		})
	}
}

// TestPosts_places: without marks, the author is in the same place of each post.
func TestPosts_places(t *testing.T) {
	tests := []struct {
		name, template string
		want           string // author of the second post
	}{
		{"a cell", "<tr><td><div>$A</div><div>Member</div><div>Posts: 1$N</div></td><td><i>2020-01-$D</i><p>$T</td></tr>", "Bob"},
		{"a list", "<section><ul><li>Nr. $N<li>$A<li>Mitglied</ul><time datetime=2020-01-$D></time><p>$T</section>", "Bob"},
		{"below", "<section><p>$T</p><time datetime=2020-01-$D></time><em>$A</em></section>", "Bob"},
		{"with a rank and numbers", "<section><div><b>$A</b><br>Posts: 2,31$N<br>Joined: 2011</div><i>$D Jan 2020</i><p>$T</section>", "Bob"},
		{
			"with labels of their own", "<section><b>$A</b><div>主题 1$N 帖子 3$N 精华 0 注册时间 2011 Joined: 2011</div><i>$D Jan 2020</i><p>$T</section>",
			"Bob",
		},
		{
			"names with digits",
			"<section><dl><dt>$Au$N$N$N7</dt><dd>Rank of $N</dd></dl><i>$D Jan 2020</i><p>$T</section>", "Bobu2227",
		},
		{"labels alone", "<section><em>Member</em><time datetime=2020-01-$D></time><p>$T</section>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "<table>" + each(tt.template) + "</table>"
			if tt.template[1] == 's' {
				src = each(tt.template)
			}
			posts := read(t, src, maintext.Forum)
			if len(posts) != 3 || posts[1].Author != tt.want || posts[1].Text != two {
				t.Errorf("posts of %s = %+v, want the second of %q", src, posts, tt.want)
			}
		})
	}
}

// TestPosts_equalPlaces: of two places that are equally near to the beginning of posts, the first on the page has the
// authors, each time.
func TestPosts_equalPlaces(t *testing.T) {
	for name, tt := range map[string]struct {
		odd, even string // templates of posts
		want      string // author of the second post
	}{
		"the name first": {"<b>$A</b><em>$C</em>", "<em>$C</em><b>$A</b>", "Bob"},
		"the town first": {"<em>$C</em><b>$A</b>", "<b>$A</b><em>$C</em>", "Bergen"},
		"three":          {"<u>$C</u><b>$A</b><em>$C</em>", "<em>$C</em><b>$A</b><u>$C</u>", "Bergen"},
		"in cells":       {"<p><b>$A</b><p><em>$C</em>", "<p><em>$C</em><p><b>$A</b>", "Bob"},
	} {
		t.Run(name, func(t *testing.T) {
			var src strings.Builder
			for i, text := range []string{one, two, three, one + " Really."} {
				src.WriteString("<section>" + strings.NewReplacer(
					"$A", []string{"Ann", "Bob", "Ann", "Eve"}[i], "$C", []string{"Oslo", "Bergen", "Molde", "Oslo"}[i],
				).Replace([]string{tt.odd, tt.even}[i%2]) + "<time datetime=2020-01-02></time><p>" + text + "</section>")
			}
			for range 30 {
				posts := read(t, src.String(), maintext.Forum)
				if len(posts) != 4 || posts[1].Author != tt.want {
					t.Fatalf("posts of %s = %+v, want the second of %q", src.String(), posts, tt.want)
				}
			}
		})
	}
}
