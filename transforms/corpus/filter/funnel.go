package filter

import (
	"cmp"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/rights"
)

// Flow is an amount of documents.
type Flow struct {
	Documents int64 `json:"documents"`
	Bytes     int64 `json:"bytes"`            // of their texts, UTF-8
	Tokens    int64 `json:"tokens,omitempty"` // of their texts; 0 if they are not counted
}

// Plus returns the sum of f and g.
func (f Flow) Plus(g Flow) Flow {
	return Flow{f.Documents + g.Documents, f.Bytes + g.Bytes, f.Tokens + g.Tokens}
}

// Minus returns the difference of f and g.
func (f Flow) Minus(g Flow) Flow {
	return Flow{f.Documents - g.Documents, f.Bytes - g.Bytes, f.Tokens - g.Tokens}
}

// Passage is a step of a funnel, with its input and its output.
type Passage struct {
	Step    string  `json:"step"`
	In      Flow    `json:"in"`
	Out     Flow    `json:"out"`
	Seconds float64 `json:"seconds,omitempty"` // of all workers together
}

// Add adds the same step of other documents.
func (p *Passage) Add(q Passage) {
	p.In, p.Out, p.Seconds = p.In.Plus(q.In), p.Out.Plus(q.Out), p.Seconds+q.Seconds
}

// Tools are what the steps of a recipe use from elsewhere. The zero value is enough for recipes without plugs, and
// counts no tokens and no time.
type Tools struct {
	Plug   func(command string) (Score, error)
	Tokens func(text string) int
	Now    func() time.Time
	Hosts  *rights.Hosts // for the filter rights; nil if no files of hosts are known
}

// Score sets the values of a plug in documents.
type Score struct {
	Batch int // how many documents Set should get
	// Set returns an error or nil for each document. The texts are what remains of Document.Text.
	Set func(documents []*schemas.Document, texts []string) []error
}

// maxLabel bounds the label of a step, in bytes.
const maxLabel = 60

// label names a step in funnels: by its filter, and for some filters by their setting.
func (s Step) label() string {
	f, _ := Find(s.Name)
	detail := ""
	if f.filter != nil {
		detail = strings.Join(s.Settings.Lists["filter"], " AND ")
	}
	switch f.Name {
	case plugName:
		detail = cmp.Or(s.setting(PlugName), s.setting("command"))
	case rightsName:
		detail = strings.Join(s.Settings.Lists["respect"], ", ")
	}
	if detail == "" {
		return s.Name
	}
	if len(detail) > maxLabel {
		detail = strings.ToValidUTF8(detail[:maxLabel], "") + "…"
	}
	return s.Name + ": " + detail
}

// setting returns the value of a list of one, or "".
func (s Step) setting(list string) string {
	if values := s.Settings.Lists[list]; len(values) == 1 {
		return values[0]
	}
	return ""
}

// Flow returns the page as an amount.
func (p *Page) Flow() Flow {
	return Flow{1, int64(len(p.Text)), int64(p.Tokens())}
}

// meter adds up the documents that go through the steps of a chain.
type meter struct {
	list []Passage
	now  func() time.Time
	last time.Time
}

func (m *meter) name(step string) { m.list = append(m.list, Passage{Step: step}) }

func (m *meter) start() {
	if m.now != nil {
		m.last = m.now()
	}
}

// pass counts a page that a step was given as in, and left as p. It returns what the page is now.
func (m *meter) pass(step int, in Flow, p *Page, why string) (out Flow) {
	at := &m.list[step]
	at.In = at.In.Plus(in)
	if why == "" {
		out = p.Flow()
		at.Out = at.Out.Plus(out)
	}
	if m.now != nil {
		now := m.now()
		at.Seconds += now.Sub(m.last).Seconds()
		m.last = now
	}
	return out
}
