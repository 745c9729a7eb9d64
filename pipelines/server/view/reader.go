package view

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/access"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// may returns what the user of a request may see of a collection. All views of collections use it by open, so that no
// view can forget it.
func (v *Views) may(ctx context.Context, collection string) *access.May {
	if v.o.Access == nil {
		return &access.May{}
	}
	a := ActorOf(ctx)
	ip, _ := netip.ParseAddr(a.Origin) // invalid if it is unknown
	who := access.Reader{Name: a.Name, Role: a.Role.String(), Token: a.Token, Address: ip}
	if a.Visitor {
		who.Role = Nobody.String()
	}
	return v.o.Access.Rules().For(who, collection, v.o.Now())
}

// LetsVisitors reports whether visitors without an account may read, by the rules of access.
func (v *Views) LetsVisitors() bool {
	return v != nil && v.o.Access != nil && v.o.Access.Rules().Anonymous
}

// collections returns the collections that exist for the user of a request.
func (v *Views) collections(ctx context.Context) (list []*shelf.Collection) {
	for _, c := range v.shelf.Collections() {
		if !v.may(ctx, c.Name()).Nothing {
			list = append(list, c)
		}
	}
	return list
}

// named returns the collection of that name, the first one for "", or nil if none exists for the user of a request.
func (v *Views) named(ctx context.Context, name string) *shelf.Collection {
	for _, c := range v.collections(ctx) {
		if name == "" || c.Name() == name {
			return c
		}
	}
	return nil
}

// NamesFor returns the names of the collections that exist for the user of a request.
func (v *Views) NamesFor(ctx context.Context) (names []string) {
	for _, c := range v.collections(ctx) {
		names = append(names, c.Name())
	}
	return names
}

// NeedWhole returns an error if rules keep a part of some collections from the user of a request, or of all collections
// without names. It is for what can only be shown of everything: runs, files, jobs and their output, sources.
func (v *Views) NeedWhole(ctx context.Context, names ...string) error {
	if v.o.Access == nil {
		return nil
	}
	if len(names) == 0 {
		for _, c := range v.shelf.Collections() {
			names = append(names, c.Name())
		}
	}
	for _, name := range names {
		if may := v.may(ctx, name); may.Nothing || may.Key != "" {
			return &Error{
				Kind: Forbidden, Title: "This is for readers of everything",
				Detail: "It tells about all captures, and rules keep some of them from you.",
				Remedy: "Ask an administrator of this server.", Link: "/",
			}
		}
	}
	return nil
}

// Withheld returns the error for a capture that the user may know of, but not read.
func (v *Views) Withheld(ctx context.Context, collection string, d *schemas.Document) error {
	e := &Error{
		Kind: Forbidden, Title: "This capture may not be read here",
		Detail: "It is listed, but its text and its record are not shown.", Remedy: "Ask an administrator of this server.",
	}
	if message := v.may(ctx, collection).Message(d); message != "" {
		e.Detail = message
	}
	return e
}

// ruled returns the error of rules that a collection cannot follow, for example because a custom column has another
// type. Readers get no details.
func ruled(err error) error {
	slog.Error("the rules of access do not fit a collection", "error", err)
	return &Error{
		Kind: NotReady, Title: "The rules of this server do not fit this collection", Remedy: "See the server's log.",
		Retry: int(time.Minute.Seconds()),
	}
}

// isLimit reports whether an error means that only readers of the whole collection get an answer.
func isLimit(err error) bool { return errors.Is(err, contentdb.ErrLimited) }
