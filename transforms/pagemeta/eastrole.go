package pagemeta

import (
	"strings"
	"unicode/utf8"
)

// By-lines in Chinese, Japanese and Korean name roles, often several: "取材・文：山田太郎　写真：鈴木花子".

// writing are the words for those who wrote, besides are the words for others.
var (
	writing = strings.Fields("取材 執筆 撰文 撰稿 作者 著者 筆者 ライター 文責 采写 採訪 采访 글쓴이 记者 記者 文 글")
	besides = strings.Fields("写真 撮影 構成 編集 イラスト 聞き手 摄影 攝影 编辑 編輯 图 図 사진 그림 영상")
)

const (
	roleSigns     = "：:／/・･·｜|丨＝=&＆、"
	roleSpaces    = " \u00a0\u3000"
	maxEastRunes  = 12 // of a name, with spaces; names of foreigners in Katakana are longer, and have a dot
	maxEastPeople = 4
)

// nobody are words for this site, unknown, anonymous and the net, which Chinese templates write for a missing author.
var nobody = strings.Fields("本站 未知 匿名 佚名 网络 網絡 網路 互联网 互聯網")

// cutRoles removes roles before names, and all after the first names. ok is false if nobody is said to have written.
func cutRoles(text string) (rest string, ok bool) {
	rest, wrote, signs := text, false, ""
	for roles := 0; ; roles++ {
		word, isWriting := roleOf(rest)
		if word == "" {
			break
		}
		wrote = wrote || isWriting
		rest = rest[len(word):]
		after := strings.TrimLeft(rest, roleSigns+roleSpaces)
		signs = rest[:len(rest)-len(after)]
		if rest = after; signs == "" {
			// The name may be in the next element.
			if rest == "" && roles > 0 && wrote {
				return "", true
			}
			break
		}
	}
	// Without a sign, the word goes on: 文化, 記者会見.
	if !wrote || signs == "" {
		return "", false
	}
	rest = strings.TrimSpace(beforeRole(rest))
	if rest != "" && !areEastNames(rest) {
		return "", false
	}
	return rest, true
}

// afterEastLabel returns what follows a label of those who wrote within a line of labels: "来源：新华网 作者：王小明".
func afterEastLabel(text string) (rest string, ok bool) {
	if !holdsByte(text, func(c byte) bool { return c >= 0xE3 }) {
		return "", false
	}
	for _, w := range writing {
		before, after, _ := strings.Cut(text, w)
		// A word before the label would be part of it, and without a colon it is a word of a sentence.
		if strings.TrimRight(before, roleSpaces) == before || strings.TrimLeft(after, ":：") == after {
			continue
		}
		return strings.TrimLeft(after, ":："+roleSpaces), true
	}
	return "", false
}

// roleOf returns the role at the beginning of a text, or "".
func roleOf(text string) (word string, isWriting bool) {
	for _, w := range writing {
		if strings.HasPrefix(text, w) {
			return w, true
		}
	}
	for _, w := range besides {
		if strings.HasPrefix(text, w) {
			return w, false
		}
	}
	return "", false
}

// beforeRole cuts a text before its next role, or before parentheses.
func beforeRole(text string) string {
	for i, r := range text {
		if strings.ContainsRune("（(【[〈", r) {
			return text[:i]
		}
		if !strings.ContainsRune(roleSigns+roleSpaces, r) {
			continue
		}
		next := text[i+utf8.RuneLen(r):]
		if word, _ := roleOf(next); word != "" && (len(word) > 3 || strings.IndexAny(next[len(word):], roleSigns) == 0) {
			return text[:i]
		}
	}
	return text
}

// areEastNames reports whether a text may be names: short parts without particles of sentences.
func areEastNames(text string) bool {
	names := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("、，,&＆/／", r) })
	for _, name := range names {
		if strings.ContainsAny(name, "のをはがにでと。？！?!") || utf8.RuneCountInString(name) > maxEastRunes {
			return false
		}
	}
	return len(names) <= maxEastPeople
}
