package thread

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// The texts of three posts.
const (
	one   = "I would like to know how you keep your bees warm in such a long winter, please."
	two   = "You do not keep them warm at all, because they do that by themselves in the hive."
	three = "That is right, but a little straw on the lid has never done them any harm here."
)

// read returns the posts of a page whose main text is all paragraphs with eight words or more, and ranks.
func read(t *testing.T, src string, kind maintext.PageType) []Post {
	t.Helper()
	posts, left := readAll(src, kind)
	if left != 0 {
		t.Errorf("%d posts are left out", left)
	}
	return posts
}

func readAll(src string, kind maintext.PageType) (posts []Post, left int) {
	p := page.Parse([]byte(src), page.Options{URL: "https://forum.example.org/t/1"})
	m := &maintext.Result{Page: p, Type: kind}
	for i, b := range p.Blocks {
		rank := strings.HasSuffix(string(p.Text[b.Start:b.End]), "Joined: 2011")
		if (b.Words >= 8 || rank) && b.Flags&page.InHidden == 0 {
			m.Blocks = append(m.Blocks, int32(i))
		}
	}
	m.Text = m.TextOf(m.Blocks, 1<<20)
	ld, lacks := jsonld.Read(p.Scripts(), jsonld.Options{})
	posts, left, _ = Posts(m, p, ld, lacks)
	return posts, left
}

// asked are the posts of most tests.
func asked(kinds ...string) []Post {
	return []Post{
		{kinds[0], "Ann", "2020-01-02", one},
		{kinds[1], "Bob", "2020-01-03", two},
		{kinds[2], "Ann", "2020-01-14", three},
	}
}

// each writes a post of three in the place of $A (author), $D (day), $N (number) and $T (text).
func each(template string) string {
	var b strings.Builder
	for i, text := range [...]string{one, two, three} {
		b.WriteString(strings.NewReplacer("$A", [...]string{"Ann", "Bob", "Ann"}[i], "$D", [...]string{"02", "03", "14"}[i],
			"$N", [...]string{"1", "2", "3"}[i], "$T", text).Replace(template))
	}
	return b.String()
}

func TestPosts(t *testing.T) {
	posts := asked(KindPost, KindPost, KindPost)
	answers := asked(KindQuestion, KindAnswer, KindAnswer)
	tests := []struct {
		name, src string
		want      []Post
	}{
		{"Discourse", `<div itemscope itemtype="http://schema.org/DiscussionForumPosting"><meta itemprop=headline content=Bees>` +
			each(`<div id=post_$N itemprop=comment itemscope itemtype=http://schema.org/Comment class="topic-body crawler-post">
			<div class=crawler-post-meta><span class=creator itemprop=author itemscope itemtype=http://schema.org/Person>
			<a itemprop=url href=/u/x><span itemprop=name>$A</span></a></span><span class=crawler-post-infos>
			<time itemprop=datePublished datetime=2020-01-$D class=post-time>some day</time><meta itemprop=dateModified
			content=2024-05-06><span itemprop=position>$N</span></span></div><div class=post itemprop=text><p>$T</div>
			<div itemprop=interactionStatistic>3 Likes</div></div>`) + `</div>`, asked(KindComment, KindComment, KindComment)},
		{"phpBB 3", each(`<div id=p$N class="post has-profile bg$N"><div class=inner><dl class=postprofile id=profile$N>
			<dt><a href="./memberlist.php?mode=viewprofile&u=$N" class=username>$A</a></dt>
			<dd class=profile-posts><strong>Posts:</strong> 9$N</dd><dd class=profile-joined><strong>Joined:</strong>
			Mon Jan 05, 2009 3:12 pm</dd></dl><div class=postbody><h3><a href=#p$N>Re: Bees</a></h3><p class=author>by
			<strong><a class=username href=./memberlist.php?mode=viewprofile>$A</a></strong> » <time datetime=2020-01-$D>x</time>
			</p><div class=content>$T</div><div class=signature>Bob, since 2001-02-03</div>
			</div></div></div><hr>`), posts},
		{"phpBB 2", `<table>` + each(`<tr><td class=row1><span class=name><a name=$N></a><b>$A</b></span><br>
			<span class=postdetails>Joined: 03 Feb 2004<br>Posts: 12</span></td><td class=row2><table><tr><td>
			<span class=postdetails>Posted: Fri Jan $D, 2020 3:12 pm</span></td></tr><tr><td><span class=postbody>$T</span></td></tr>
			</table></td></tr><tr><td class=row1><a href=#top>Back to top</a></td></tr>`) + `</table>`, posts},
		{"vBulletin 4", `<ol id=posts>` + each(`<li class="postbitlegacy postbitim postcontainer old" id=post_$N00>
			<div class=posthead><span class="postdate old"><span class=date>01-$D-2020,&nbsp;<span class=time>10:12 AM</span></span>
			</span><a class=postcounter>#$N</a></div><div class=postdetails><div class=userinfo><a class="username offline
			popupctrl" href=member.php?$N>$A</a><span class=usertitle>Senior Member</span><dl class=userinfo_extra><dt>Join
			Date</dt><dd>Mar 2006</dd></dl></div><div class=postbody><div class=content><blockquote class="postcontent
			restore">$T</blockquote></div></div></div></li>`) + `</ol>`, posts},
		{"vBulletin 3", each(`<div id=edit$N><table id=post$N class=tborder><tr><td class=thead>$D-Jan-2020, 10:12</td><td
			class=thead>#$N</td></tr><tr><td class=alt2><a class=bigusername href=member.php?u=$N>$A</a>
			<div class=smallfont>Join Date: 03 Mar 2006</div></td><td class=alt1 id=td_post_$N><div id=post_message_$N>$T</div>
			</td></tr></table></div>`), posts},
		{"XenForo 2", each(`<article class="message message--post js-post" data-author=$A id=js-post-$N><div class=message-inner>
			<div class="message-cell message-cell--user"><section class=message-user itemprop=author itemscope><h4
			class=message-name><a href=/members/x.$N/ class=username itemprop=name>$A</a></h4><dl><dt>Joined</dt><dd>Aug 24,
			2006</dd></dl></section></div><div class="message-cell message-cell--main"><header class=message-attribution><time
			class=u-dt datetime=2020-01-$D>Jan $D, 2020</time></header><div class=message-content><blockquote
			class="bbCodeBlock--quote"><a href=/members/z/>Zoe said:</a></blockquote><article class=message-body><div
			class=bbWrapper>$T</div></article></div></div></div></article>`), posts},
		{"XenForo 1", `<ol class=messageList>` + each(`<li id=post-$N class="message" data-author=$A><div class=messageUserInfo>
			<h3 class=userText><a href=members/x.$N/ class=username>$A</a></h3></div><div class=messageInfo><div
			class=messageContent><article><blockquote class=messageText>$T</blockquote></article></div><div class=messageMeta>
			<span class=DateTime title="Jan $D, 2020 at 1:30 PM">Jan $D, 2020</span></div></div></li>`) + `</ol>`, posts},
		{"Stack Exchange", `<div id=question class="question js-question"><div class=post-layout><div class=postcell><div
			class="s-prose js-post-body" itemprop=text><p>` + one + `</div><div class="post-signature owner"><div class=user-info>
			<div class=user-action-time>asked <span title="2020-01-02" class=relativetime>Jan 2 at 3:04</span></div><div
			class=user-details itemprop=author itemscope><a href=/users/1/ann>Ann</a><span class=d-none itemprop=name>Ann</span>
			<div class=-flair>1,234 · 5 badges</div></div></div></div></div><div class=comments><ul><li id=comment-9
			class="comment js-comment"><span class=comment-copy>What?</span> <a class=comment-user href=/users/3/zoe>Zoe</a>
			</ul></div></div></div><div id=answers><h2>2 Answers</h2>` + seAnswer("answer accepted-answer", "Bob", "2020-01-03", two) +
			seAnswer("answer", "Ann", "2020-01-14", three) + `</div>`, answers},
		{"Reddit, old", `<div class=commentarea><div class=nestedlisting>` + strings.Join([]string{
			reddit("Ann", "2020-01-02", one), reddit("Bob", "2020-01-03", two), reddit("Ann", "2020-01-14", three), "</div></div></div></div></div></div>",
		}, "") + `</div></div>`, asked(KindComment, KindComment, KindComment)},
		{"microdata of questions", `<div itemscope itemtype=https://schema.org/QAPage><div itemprop=mainEntity itemscope
			itemtype=https://schema.org/Question><h1 itemprop=name>Bees</h1><div itemprop=text>` + one + `</div><div itemprop=author
			itemscope><b itemprop=name>Ann</b></div><time itemprop=dateCreated datetime=2020-01-02></time>` +
			`<div itemprop=acceptedAnswer itemscope itemtype=https://schema.org/Answer><p itemprop=text>` + two + `</p><i
			itemprop=author>Bob</i><meta itemprop=dateCreated content=2020-01-03></div><div itemprop=suggestedAnswer itemscope
			itemtype=https://schema.org/Answer><p itemprop=text>` + three + `</p><i itemprop=author>Ann</i><meta
			itemprop=datePublished content=2020-01-14></div></div></div>`, answers},
		{"SMF", each(`<div class="windowbg" id=msg$N><div><div class=poster><h4><a
			href="index.php?action=profile;u=$N" title="View the profile of $A">$A</a></h4><ul><li class=membergroup>Newbie</li>
			</ul></div><div class=postarea><div class=keyinfo><h5>Re: Bees</h5><div class=smalltext>« <strong>Reply #$N
			on:</strong> January $D, 2020, 01:15:11 PM »</div></div><div class=post><div class=inner>$T</div></div>
			<div class="moderatorbar"><em>Last Edit: February 03, 2021 by Zoe</em></div></div></div></div>`), posts},
		{"Hacker News", `<table class=comment-tree>` + each(`<tr class="athing comtr" id=$N><td><table><tr><td class=ind></td><td
			class=default><div><span class=comhead><a href="user?id=$A" class=hnuser>$A</a> <span class=age
			title=2020-01-$D><a href="item?id=$N">3 years ago</a></span></span></div><div class=comment><div class=commtext>$T</div>
			</div></td></tr></table></td></tr>`) + `</table>`, posts},
		{"German, without known classes", `<html lang=de><div class=faden>` + each(`<div class=beitrag><div class=kopf>
			<span>Nr. $N</span><span>$A</span> schrieb am $D.01.2020 um 14:05 Uhr</div><div class=inhalt>$T</div></div>`) +
			`</div>`, posts},
		{"Russian", `<html lang=ru><div>` + each(`<table class=soobshenie><tr><td><b class=imya>$A</b><br>Регистрация:
			3 марта 2009</td><td><div>$D января 2020, 14:05</div><div class=tekst>$T</div></td></tr></table>`) + `</div>`, posts},
		{"Japanese, a list of definitions in sections", `<html lang=ja><main>` + each(`<section><dl><dt>$N
			<b>$A</b></dt><dd>2020年1月$D日 12:30</dd></dl><p>$T</p></section>`) + `</main>`, posts},
		{"French, a profile's link alone", `<html lang=fr>` + each(`<article><header><a href=/utilisateur/$N>$A</a>, le $D janvier
			2020 à 10h30</header><p>$T</p></article>`), posts},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, read(t, tt.src, maintext.Forum)); diff != "" {
				t.Errorf("posts of %s (-want +got):\n%s", tt.src, diff)
			}
		})
	}
}

func seAnswer(class, author, day, text string) string {
	return `<div class="` + class + ` js-answer"><div class=post-layout><div class=answercell><div class="s-prose js-post-body"
		itemprop=text><p>` + text + `</div><div class=post-signature><div class=user-info><div class=user-action-time>edited <span
		title="2023-05-06" class=relativetime>May 6, 2023</span></div><div class=user-details>Zoe</div></div></div><div
		class=post-signature><div class=user-info><div class=user-action-time>answered <span title="` + day + `"
		class=relativetime>some day</span></div><div class=user-details itemprop=author itemscope><a href=/users/1/x>` +
		author + `</a><span class=d-none itemprop=name>` + author + `</span></div></div></div></div></div></div>`
}

// reddit opens a comment, with room for answers in it.
func reddit(author, day, text string) string {
	return `<div class=" thing id-t1_` + day + ` noncollapsed comment" data-author="` + author + `"><p class=parent></p>
		<div class="entry unvoted"><p class=tagline><a class="author may-blank" href=/user/x>` + author + `</a> <span class=score>12
		points</span> <time datetime=` + day + `>3 years ago</time></p><form class=usertext><div class=usertext-body><div
		class=md><p>` + text + `</div></div></form><ul class=buttons><li>permalink</ul></div><div class=child>`
}

// checkPosts checks what holds for any page.
func checkPosts(t *testing.T, src string) {
	t.Helper()
	total := 0
	posts, _ := readAll(src, maintext.Forum)
	for _, p := range posts {
		if total += len(p.Text); p.Text == "" || p.Kind == "" || len(p.Author) > maxName {
			t.Errorf("post %+v of %.200q", p, src)
		}
	}
	if total > maxText {
		t.Errorf("%d bytes of text", total)
	}
}

func TestPosts_hostile(t *testing.T) {
	post := "<div class=comment><b class=author>Ann</b><time datetime=2020-01-02>then</time><p>" + one + "</p>"
	for name, src := range map[string]string{
		"many":           strings.Repeat(post+"</div>", 12_000),
		"deep":           strings.Repeat(post, 390),
		"authors only":   strings.Repeat("<b class=author>Ann</b>", 60_000),
		"wide colon":     "<p>作者：王</p><pre>" + strings.Repeat("x\n", 2_000_000) + "</pre>",
		"colon at end":   "<pre>" + strings.Repeat("x\n", 2_000_000) + "a: b：c</pre>",
		"one long post":  post + strings.Repeat("<p>"+one, 30_000),
		"short texts":    strings.Repeat("<div class=a><i>Bob</i><u>2020-01-02</u><p>"+two+"</div>", 9_000),
		"nested authors": strings.Repeat("<div class=author itemprop=author>", 300) + one,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			checkPosts(t, src)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%d bytes took %v", len(src), took)
			}
		})
	}
}

func FuzzPosts(f *testing.F) {
	f.Add(reddit("Ann", "2020-01-02", one) + reddit("Bob", "2020-01-03", two))
	f.Add(seAnswer("answer", "Bob", "2020-01-03", two))
	f.Fuzz(func(t *testing.T, src string) { checkPosts(t, src) })
}

// TestPosts_software: the markup shows that a page is of a forum, if its type does not.
func TestPosts_software(t *testing.T) {
	for name, template := range map[string]string{
		"phpBB": `<div id=p$N class=post><dl class=postprofile></dl><div class=postbody><p class=author>von <a
			href="./memberlist.php?mode=viewprofile&u=$N">$A</a> » $D. Januar 2020</p><div class=content>$T</div></div></div>`,
		"vBulletin": `<table id=post$N class=postcontainer><tr><td class=alt2><a class=bigusername href=member.php?u=$N>$A</a></td><td>2020-01-$D
			<div id=post_message_$N>$T</div></td></tr></table>`,
		"Discuz, a table": `<div id=post_$N><table><tr><td class=pls><div class=authi><a href=space-uid-$N.html>$A</a></div>
			<div>主题 1$N 帖子 34 Joined: 2011</div></td><td class=plc><div class=authi><em>发表于 2020-1-$D 12:30:15</em></div><table><tr>
			<td class=t_f id=postmessage_$N>$T</td></tr></table></td></tr></table></div>`,
		"Discuz": `<div id=post_$N><div class=authi><a href=space-uid-$N.html>$A</a></div><em id=authorposton$N>发表于 2020-1-$D
			12:30</em><div id=postmessage_$N>$T</div></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			src := each(template)
			if diff := cmp.Diff(asked(KindPost, KindPost, KindPost), read(t, src, maintext.Article)); diff != "" {
				t.Errorf("posts of %s (-want +got):\n%s", src, diff)
			}
		})
	}
}

func TestPosts_jsonLD(t *testing.T) {
	const stated = `<script type=application/ld+json>{"@context":"https://schema.org","@type":"QAPage","mainEntity":{
		"@type":"Question","name":"Bees","text":"<p>` + one + `","author":{"@type":"Person","name":"Ann"},
		"dateCreated":"2020-01-02T10:00:00Z","suggestedAnswer":[{"@type":"Answer","text":"` + two + `","author":{"name":"Bob"},
		"datePublished":"2020-01-03"}]}}</script>`
	want := []Post{
		{KindQuestion, "Ann", "2020-01-02T10:00:00Z", one},
		{KindAnswer, "Bob", "2020-01-03", two},
	}
	tests := []struct{ name, src string }{
		{"authors and dates of posts", stated + `<div class=x><a href=/u/q>q</a><p>` + one + `</div><div class=x><a href=/u/p>p</a><p>` + two + `</div>`},
		{"posts without marks", stated + `<p>` + one + `<p>` + two},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(want, read(t, tt.src, maintext.Article)); diff != "" {
				t.Errorf("posts of %s (-want +got):\n%s", tt.src, diff)
			}
		})
	}
}

// TestPosts_alike: posts that begin with the same words keep their own authors and dates.
func TestPosts_alike(t *testing.T) {
	const (
		thanks = "Thank you very much, that is all that I wanted to know!"
		hello  = "Hello all, thank you so much for the many quick answers to me. "
		merci  = "谢谢楼主分享，非常有用的资料，已经下载收藏了 谢谢 a b c d e f g h"
	)
	post := func(author, day, text string) string {
		return `<div class=post><b class=author>` + author + `</b><time datetime="` + day + `">` + day + `</time><p>` +
			text + `</p></div>`
	}
	comment := func(author, day, text string) string {
		return `{"@type":"Comment","text":"` + text + `","author":{"name":"` + author + `"},"datePublished":"` + day + `"}`
	}
	tests := []struct {
		name          string
		posts, stated []string // author, day, text, each as one with bars
		want          string
	}{
		{
			"the same text",
			[]string{"Ann|2024-01-02|" + thanks, "Bob|2024-02-05|" + thanks},
			[]string{"Ann|2024-01-02|" + thanks, "Bob|2024-02-05|" + thanks},
			"Ann 2024-01-02, Bob 2024-02-05",
		},
		{
			"Chinese",
			[]string{"Ann|2024-01-02|" + merci, "Bob|2024-02-05|" + merci, "Eve|2024-02-06|" + merci},
			[]string{"Ann|2024-01-02|" + merci, "Bob|2024-02-05|" + merci, "Eve|2024-02-06|" + merci},
			"Ann 2024-01-02, Bob 2024-02-05, Eve 2024-02-06",
		},
		{
			"the same greeting in another order",
			[]string{"a|2024-01-02|" + hello + one, "b|2024-02-05|" + hello + two},
			[]string{"Bob|2024-02-05|" + hello + two, "Ann|2024-01-02|" + hello + one},
			"Ann 2024-01-02, Bob 2024-02-05",
		},
		{
			"the same greeting, one shortened",
			[]string{"a|2024-01-02|" + hello + one, "b|2024-02-05|" + hello + two},
			[]string{"Ann|2024-01-02|" + hello + one, "Bob|2024-02-05|" + hello + "You do"},
			"Ann 2024-01-02, Bob 2024-02-05",
		},
		{
			"fewer stated",
			[]string{"Ann|2024-01-02|" + hello + one, "Bob|2024-02-05|" + hello + two},
			[]string{"Ann|2024-01-02|" + hello + one},
			"Ann 2024-01-02, Bob 2024-02-05",
		},
		{
			"more stated",
			[]string{"Bob|2024-02-05|" + thanks, "Eve|2024-02-07|" + two},
			[]string{"Ann|2024-01-02|" + thanks, "Bob|2024-02-05|" + thanks},
			"Bob 2024-02-05, Eve 2024-02-07",
		},
		{
			"stated twice",
			[]string{"a|2024-02-05|" + thanks, "Eve|2024-02-07|" + two},
			[]string{"Ann|2024-01-02|" + thanks, "Ann|2024-01-02|" + thanks},
			"Ann 2024-01-02, Eve 2024-02-07",
		},
	}
	parts := func(s string) (string, string, string) {
		p := strings.Split(s, "|")
		return p[0], p[1], p[2]
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var comments, got []string
			for _, s := range tt.stated {
				comments = append(comments, comment(parts(s)))
			}
			src := `<script type=application/ld+json>{"@context":"https://schema.org","@type":"DiscussionForumPosting",
				"headline":"Bees","comment":[` + strings.Join(comments, ",") + `]}</script>`
			for _, s := range tt.posts {
				src += post(parts(s))
			}
			for _, p := range read(t, src, maintext.Forum) {
				got = append(got, p.Author+" "+p.Date)
			}
			if got := strings.Join(got, ", "); got != tt.want {
				t.Errorf("posts are by %s, want %s", got, tt.want)
			}
		})
	}
}

func TestPosts_none(t *testing.T) {
	tests := []struct {
		name, src string
		kind      maintext.PageType
	}{
		{"an article with comments", `<article><b class=author>Ann</b><p>` + one + `</article><div class=comment><b class=author>Bob</b>
			<p>` + two + `</div><div class=comment><b class=author>Zoe</b><p>` + three + `</div>`, maintext.Article},
		{"frequent questions", `<script type=application/ld+json>{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"A?",
			"acceptedAnswer":{"@type":"Answer","text":"` + one + `"}}]}</script><p>` + one, maintext.Documentation},
		{"no text", `<div class=post><b class=author>Ann</b></div>`, maintext.Forum},
		{"no marks", `<p>` + one + `<p>` + two, maintext.Forum},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(t, tt.src, tt.kind); got != nil {
				t.Errorf("posts of %s = %v, want none", tt.src, got)
			}
		})
	}
}
