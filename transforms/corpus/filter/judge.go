package filter

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Batch returns how many pages JudgeAll should get, at least 1.
func (c *Chain) Batch() int {
	n := 1
	for _, l := range c.steps {
		n = max(n, l.score.Batch)
	}
	return n
}

// Judge runs the filters in order. It returns the name of the first that refuses the page with its reason, or "".
func (c *Chain) Judge(p *Page) (reason string) {
	c.one[0] = p
	return c.JudgeAll(c.one[:])[0]
}

// JudgeAll judges pages. The reasons are as those of Judge, and valid until the next call. All pages pass a filter
// before the next filter gets the first of them, and no filter remembers a page. So the reasons do not depend on the
// division of a list into calls.
func (c *Chain) JudgeAll(pages []*Page) (reasons []string) {
	c.meter.start()
	c.reasons = slices.Grow(c.reasons[:0], len(pages))[:len(pages)]
	c.flows = slices.Grow(c.flows[:0], len(pages))[:len(pages)]
	for i, p := range pages {
		c.reasons[i] = ""
		if len(p.Text) > MaxBytes {
			c.flows[i] = Flow{1, int64(len(p.Text)), 0} // its tokens are not counted
			c.reasons[i] = "long"
		} else {
			c.flows[i] = p.Flow()
		}
		c.pass(0, i, p)
	}
	for step, l := range c.steps {
		if l.judge == nil {
			c.score(step, pages)
			continue
		}
		for i, p := range pages {
			if c.reasons[i] == "" {
				c.end(step, i, p, l.judge(p))
			}
		}
	}
	for i, p := range pages {
		if c.reasons[i] != "" {
			continue
		}
		if strings.TrimSpace(p.Text) == "" {
			c.reasons[i] = "empty"
		}
		c.pass(len(c.steps)+1, i, p)
	}
	return c.reasons
}

// score gives a step that sets columns all pages that are left.
func (c *Chain) score(step int, pages []*Page) {
	var documents []*schemas.Document
	var texts []string
	for i, p := range pages {
		if c.reasons[i] == "" {
			documents, texts = append(documents, p.Doc), append(texts, p.Text)
		}
	}
	if len(documents) == 0 {
		return
	}
	errs := c.steps[step].score.Set(documents, texts)
	for i, p := range pages {
		if c.reasons[i] != "" {
			continue
		}
		why := ""
		if errs[0] != nil {
			why = "failed"
		}
		c.end(step, i, p, why)
		errs = errs[1:]
	}
}

// end notes the reason of a step to refuse a page, or "".
func (c *Chain) end(step, i int, p *Page, why string) {
	if why != "" {
		c.reasons[i] = c.steps[step].name + "/" + why
	}
	c.pass(step+1, i, p)
}

func (c *Chain) pass(step, i int, p *Page) {
	c.flows[i] = c.meter.pass(step, c.flows[i], p, c.reasons[i])
}
