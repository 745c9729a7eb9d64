package view

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/saved"
)

// TestSaved_feedInTime: a feed with captures that cannot be found in time is an error, not a feed without news.
func TestSaved_feedInTime(t *testing.T) {
	v := linkedViews(t, smallWeb...)
	var err error
	if v.o.Saved, err = saved.Open(filepath.Join(t.TempDir(), "saved.json")); err != nil {
		t.Fatal(err)
	}
	ctx := WithActor(t.Context(), Actor{Name: "ada", Role: Viewer, Since: time.Now().Add(-time.Hour)})
	one, err := v.Save(ctx, SaveRequest{Name: "All", Query: "query=words"})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := v.Feed(ctx, one.ID); err != nil || len(f.Entries) != len(smallWeb) {
		t.Fatalf("%+v, %v", f, err)
	}
	v.findTime = 0
	var e *Error
	if f, err := v.Feed(ctx, one.ID); !errors.As(err, &e) || e.Kind != NotReady || e.Retry == 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestActor_limited: limits count by account, or else by address.
func TestActor_limited(t *testing.T) {
	for want, a := range map[string]Actor{
		"":                {Role: Admin, Open: true, Origin: "127.0.0.1"},
		"account ada":     {Name: "ada", Role: Viewer, Origin: "192.0.2.7"},
		"address 1.2.3.4": {Role: Viewer, Visitor: true, Origin: "1.2.3.4"},
	} {
		if got := a.limited(); got != want {
			t.Errorf("limited() = %q, want %q", got, want)
		}
	}
}

// TestVersion_links: answers change when the index of links is ready, after the index of captures.
func TestVersion_links(t *testing.T) {
	v := linkedViews(t, smallWeb...)
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	if _, err := v.Graph(ctx, GraphRequest{}); err != nil { // it waits for the links
		t.Fatal(err)
	}
	if with := v.Version(ctx, ""); !strings.Contains(with+"-", "-l-") {
		t.Errorf("with links: %s", with)
	}
}
