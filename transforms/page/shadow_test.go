package page

import (
	"strings"
	"testing"
)

func TestParse_shadowRoots(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"open", "<x-a><template shadowrootmode=open><p>in</p></template></x-a>", "in"},
		{"closed", "<div><template shadowrootmode=closed><p>in</p></template></div>", "in"},
		{"an older name", "<div><template shadowroot=open><p>in</p></template></div>", "in"},
		{"another value", "<div><template shadowrootmode=none><p>in</p></template>out</div>", "out"},
		{"a plain template", "<div><template><p>in</p></template>out</div>", "out"},
		{"a slot", "<x-a><template shadowrootmode=open><p>a <slot></slot> b</p></template>light</x-a>", "a light b"},
		{"slots by name", "<x-a><template shadowrootmode=open><h2><slot name=t></slot></h2><p><slot></slot></p></template>" +
			"text<b slot=t>title</b></x-a>", "title|text"},
		{"what a slot shows for itself", "<x-a><template shadowrootmode=open><p><slot name=t>nothing</slot></p></template>" +
			"</x-a>", "nothing"},
		{"filled, it does not", "<x-a><template shadowrootmode=open><p><slot name=t>nothing</slot></p></template><i " +
			"slot=t>x</i></x-a>", "x"},
		{"what no slot takes", "<x-a><template shadowrootmode=open><p>in</p></template><p>light</p></x-a>", "in"},
		{"a slot of a name that nobody has", "<x-a><template shadowrootmode=open><p><slot></slot></p></template><b slot=z>" +
			"z</b>y</x-a>", "y"},
		{"one in another", "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open><p>[<slot></slot>]</p>" +
			"</template><slot></slot></x-b></template>light</x-a>", "[light]"},
		{"one in a slot", "<x-a><template shadowrootmode=open><div>[<slot></slot>]</div></template><x-b><template " +
			"shadowrootmode=open>in</template></x-b></x-a>", "[in]"},
		{"two slots of one name", "<x-a><template shadowrootmode=open><p><slot></slot></p><p><slot>again</slot></p>" +
			"</template>y</x-a>", "y|again"},
		{
			"a second root", "<x-a><template shadowrootmode=open>1</template><template shadowrootmode=open>2</template></x-a>",
			"1",
		},
		{"in a hidden host", "a <x-a hidden><template shadowrootmode=open>1</template></x-a>", "a 1"},
		{"in a plain template", "a<template><x-a><template shadowrootmode=open>1</template></x-a></template>", "a"},
		{"a table in a root", "<x-a><template shadowrootmode=open><table><tr><td>1<td>2</table></template></x-a>", "1|2"},
		{"beside a misplaced text", "<table>x<tr><td><x-a><template shadowrootmode=open>1</template></x-a></table>", "x|1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Parse([]byte(tt.src), Options{URL: "https://example.org/"})
			checkPage(t, p)
			if got := strings.Join(blockTexts(p), "|"); got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

// TestParse_reopenedInShadowRoots: links that occur twice in the standard's tree are found by their nodes, wherever
// these were moved.
func TestParse_reopenedInShadowRoots(t *testing.T) {
	for name, src := range map[string]string{
		"in a slot that is taken": "<slot><p><a href=/x>a<p>b</a><p>c</slot>",
		"in one by name":          "<slot name=n><p><a href=/x>a<p>b</a></slot><slot></slot>",
		"not closed":              "<slot><p><a href=/x>a<p>b<div>c</slot>",
		"beside a misplaced text": "<slot><table>x<tr><td><a href=/x>a<p>b</table></slot>",
		"a host in what is not shown": "<slot><div><template shadowrootmode=open><a href=/x>a<p>b</a></template></div>" +
			"</slot>",
		"around the slot":               "<a href=/x><p>a<slot>b</slot></a><p>c",
		"a slot in a slot that is full": "<slot><slot><a href=/x>a<p>b</slot></slot>",
	} {
		t.Run(name, func(t *testing.T) {
			for _, light := range []string{"light", "<b slot=n>n</b>light", ""} {
				p := Parse([]byte("<x-a><template shadowrootmode=open>"+src+"</template>"+light+"</x-a><p>d"),
					Options{URL: "https://e.example/"})
				checkPage(t, p)
				if links, _ := p.Hyperlinks(); len(links) == 0 {
					t.Errorf("no links with %q", light)
				}
			}
		})
	}
}

func TestParse_linksInShadowRoots(t *testing.T) {
	p := Parse([]byte(`<x-a><template shadowrootmode=open><a href=/in>in</a><slot></slot></template><a href=/light>light</a><a slot=z href=/lost>lost</a></x-a><a href=/out>out</a>`),
		Options{URL: "https://example.org/"})
	got := []string{}
	for _, a := range p.Anchors() {
		got = append(got, a.Href+" "+a.Text)
	}
	want := "https://example.org/in in|https://example.org/light light|https://example.org/lost " +
		"|https://example.org/out out"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("anchors %s, want %s", s, want)
	}
}
