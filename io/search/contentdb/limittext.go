package contentdb

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// errText means that limits cannot be written as a text that means the same.
var errText = errors.New("contentdb: these limits cannot be written")

// limitsText is the form of Limits as a text.
type limitsText struct {
	Listed string `json:"listed,omitempty"`
	Whole  string `json:"whole,omitempty"`
}

// Text writes the limits for another process: see ParseLimits. Limits that would not be read as the same are an error.
func (l Limits) Text() (string, error) {
	var t limitsText
	var err error
	if t.Listed, err = exprText(l.Listed); err == nil {
		t.Whole, err = exprText(l.Whole)
	}
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(t)
	return string(b), err
}

// exprText writes a filter and checks that it is read as itself. The empty text accepts everything.
func exprText(e query.Expr) (string, error) {
	if and, is := e.(*query.And); e == nil || is && len(and.List) == 0 {
		return "", nil
	}
	text := e.String()
	again, err := query.ParseOwn(text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errText, err)
	}
	if again == nil || again.String() != text {
		return "", errText
	}
	return text, nil
}

// ParseLimits reads limits that Text has written.
func ParseLimits(text string) (l Limits, err error) {
	var t limitsText
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return l, fmt.Errorf("contentdb: limits: %w", err)
	}
	if t.Listed != "" {
		l.Listed, err = query.ParseOwn(t.Listed)
	}
	if err == nil && t.Whole != "" {
		l.Whole, err = query.ParseOwn(t.Whole)
	}
	return l, err
}
