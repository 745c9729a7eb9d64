package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// smallLinear returns a model that labels words of the list "Paris" as places, and nothing else.
func smallLinear(script Script) *Linear {
	m := &Linear{Script: script, Lists: make([]byte, 4*16), Weights: bytes.Repeat([]byte{128}, Row<<8)}
	for name, kind := range map[string]uint8{"Paris": ListPlace, "New York": ListPlace, "东京": ListPlace} {
		h := m.HashList(name)
		i := int(h) & 15 * 4
		for binary.LittleEndian.Uint32(m.Lists[i:]) != 0 {
			i = (i + 4) % len(m.Lists)
		}
		binary.LittleEndian.PutUint32(m.Lists[i:], uint32(h>>39<<7)|uint32(kind))
	}
	m.Chain.Confidence[Location][3] = 77
	m.Chain.Transitions[2][3] = -5
	m.Chain.Vote, m.Chain.VoteCap = 4, 100
	return m
}

func texts(d *document) (all []string) {
	for _, t := range d.tokens {
		all = append(all, d.text[t.Start:t.End])
	}
	return all
}

func TestLinear_tokens(t *testing.T) {
	tests := []struct {
		name   string
		script Script
		elides bool
		text   string
		want   string
	}{
		{"an elided article", Cased, true, "L'Assemblée d’Emmanuel aujourd'hui", "L'|Assemblée|d’|Emmanuel|aujourd'hui"},
		{"Italian", Cased, true, "dell'Italia all’estero", "dell'|Italia|all’|estero"},
		{"not in other languages", Cased, false, "D'Angelo", "D'Angelo"},
		{"nothing after the apostrophe", Cased, true, "l' air l'", "l|'|air|l|'"},
		{"characters", Unspaced, false, "东京在2020年。", "东|京|在|2020|年|。"},
		{"katakana is one token", Unspaced, false, "ドナルド・トランプ氏は", "ドナルド|・|トランプ|氏|は"},
		{"other scripts", Unspaced, false, "訪問FBIの", "訪|問|FBI|の"},
		{"invalid UTF-8", Unspaced, false, "东\xff\xfe京", "东|\xff|\xfe|京"},
		{"Arabic", Uncased, false, "زار ترامب، باريس", "زار|ترامب|،|باريس"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := smallLinear(tt.script)
			m.Elides = tt.elides
			var d document
			d.loadLinear(tt.text, m)
			if got := strings.Join(texts(&d), "|"); got != tt.want {
				t.Errorf("tokens %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLinear_runs(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"capitals and two words after", "il a vu Paris et Lyon hier soir encore", "Paris et Lyon hier soir"},
		{"words in lower case between", "la Cour suprême des États et", "Cour suprême des États et"},
		{"too far", "la Cour de ce très grand État", "Cour de ce|État"},
		{"a comma ends it", "Paris, Lyon", "Paris|Lyon"},
		{"a program", "if (A) { B }", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var d document
			d.loadLinear(tt.text, smallLinear(Cased))
			var got []string
			for _, r := range d.runs {
				got = append(got, tt.text[d.tokens[r.first].Start:d.tokens[r.end-1].End])
			}
			if s := strings.Join(got, "|"); s != tt.want {
				t.Errorf("runs %q, want %q", s, tt.want)
			}
		})
	}
}

func TestLinear_lists(t *testing.T) {
	for _, tt := range []struct {
		script Script
		text   string
		want   []uint16
	}{
		{Cased, "Paris New York", []uint16{0, uint16(ListPlace), uint16(ListPlace) << 7}},
		{Unspaced, "在东京", []uint16{0, uint16(ListPlace), uint16(ListPlace) << 7}},
	} {
		var d document
		d.loadLinear(tt.text, smallLinear(tt.script))
		if !slices.Equal(d.phrases, tt.want) {
			t.Errorf("%q: lists %v, want %v", tt.text, d.phrases, tt.want)
		}
	}
	m := smallLinear(Cased)
	if m.listed(m.HashList("paris")) != ListPlace || m.listed(m.HashList("Lyon")) != 0 {
		t.Error("a word in lower case is not found, or an unknown word is")
	}
	if m.HashList("a b c d e f g") != 0 {
		t.Error("a name of seven tokens has a hash")
	}
}

// A full table must not hold the search for ever.
func TestLinear_fullLists(t *testing.T) {
	m := &Linear{Lists: []byte(strings.Repeat("\xff", 4*64)), Weights: make([]byte, Row)}
	if m.listed(12345) != 0 {
		t.Error("found a name in a table of others")
	}
}

func TestStem(t *testing.T) {
	for word, want := range map[string]string{
		"وترامب": "ترامب", "بواشنطن": "اشنطن", "والمملكة": "مملكة", "باب": "باب", "": "", "الأمم": "أمم",
	} {
		if got := stem(word); got != want {
			t.Errorf("stem(%s) = %s, want %s", word, got, want)
		}
	}
}

func TestLinear_Find(t *testing.T) {
	m := smallLinear(Cased)
	var d document
	text := "Ils ont vu Paris."
	d.loadLinear(text, m)
	// Weight the word as a single place, as the trainer does.
	r := &d.runs[0]
	row := m.features(&d, r, r.end-1, nil)[1]
	m.Weights[int(row)*Row+1+4*int(Location)+single] = 228
	var s Scratch
	got := m.Find(text, &s, nil)
	if len(got) != 1 || text[got[0].Start:got[0].End] != "Paris" || got[0].Type != Location || got[0].Margin <= 0 {
		t.Errorf("found %v", got)
	}
	if s.doc.text != "" {
		t.Error("the scratch keeps the text")
	}
	all, missed := m.Examples(text, []Span{{Start: 11, End: 16, Type: Location}, {Start: 12, End: 16}})
	if last := all[0].Labels[3]; missed != 1 || last != 1+4*uint8(Location)+single {
		t.Errorf("examples %v, %d missed", all, missed)
	}
}

func TestDecodeLinear(t *testing.T) {
	m := smallLinear(Unspaced)
	m.Elides = true
	file := m.Encode()
	got, err := DecodeLinear(file)
	if err != nil || !cmp.Equal(got, m) {
		t.Errorf("decoded another model: %v", err)
	}
	bad := map[string][]byte{
		"empty": nil, "cut": file[:len(file)-1], "longer": append(slices.Clone(file), 0), "head only": file[:linearHead],
		"another magic": append([]byte("gleaner linear 0"), file[16:]...),
	}
	script := slices.Clone(file)
	script[len(linearMagic)] = byte(scripts)
	bad["an unknown script"] = script
	size := slices.Clone(file)
	size[len(linearMagic)+4]--
	bad["an odd size"] = size
	for name, file := range bad {
		if _, err := DecodeLinear(file); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParts(t *testing.T) {
	var d document
	d.loadLinear(strings.Repeat("东", 3*maxPart+1)+"。京", smallLinear(Unspaced))
	for _, s := range d.sentences {
		if s.end-s.first > maxPart {
			t.Errorf("a sentence of %d tokens", s.end-s.first)
		}
	}
	if last := d.sentences[len(d.sentences)-1]; last.end-last.first != 1 {
		t.Errorf("the last sentence is %v", last)
	}
}

// Names are whole characters of one line, in order and without overlaps.
func FuzzLinear(f *testing.F) {
	f.Add("L'Assemblée à Paris d’Emmanuel\nNew York", uint8(0))
	f.Add("وترامب في باريس", uint8(1))
	f.Add("ドナルド・トランプ氏は东京で\xff\nＡＢＣ", uint8(2))
	f.Fuzz(func(t *testing.T, text string, script uint8) {
		m := smallLinear(Script(script % uint8(scripts)))
		m.Elides = script&64 != 0
		for i := range m.Weights {
			m.Weights[i] = byte(i*7 + int(script))
		}
		var s Scratch
		end := 0
		for _, n := range m.Find(text, &s, nil) {
			if n.Start < end || n.End <= n.Start || n.End > len(text) || strings.Contains(text[n.Start:n.End], "\n") {
				t.Fatalf("name %v after %d", n, end)
			}
			end = n.End
		}
	})
}

// The lanes must give what adding byte by byte gives.
func TestLinear_sum(t *testing.T) {
	m := &Linear{Weights: make([]byte, Row<<5)}
	for i := range m.Weights {
		m.Weights[i] = byte(i * i)
	}
	var rows []uint32
	var want scores
	for row := range uint32(MaxRows) {
		rows = append(rows, row)
		for y := range want {
			want[y] += int32(m.Weights[int(row)*Row+y]) - 128
		}
		if got := m.sum(rows); got != want {
			t.Fatalf("sum of %d rows = %v, want %v", len(rows), got, want)
		}
	}
}
