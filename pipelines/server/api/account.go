package api

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Options are the options of the API.
type Options struct {
	// Accounts are those of the server, or nil if it requires none.
	Accounts *account.Store
}

// Me is the current user.
type Me struct {
	Name string `json:"name,omitempty"`
	Role string `json:"role"`
	Open bool   `json:"open" doc:"the server asks for no accounts"`
}

func me(ctx context.Context, _ struct{}) (*Me, error) {
	a := view.ActorOf(ctx)
	// Both are returned together: huma handles the error first.
	return &Me{a.Name, a.Role.String(), a.Open}, view.Need(ctx, view.Viewer)
}

// Tokens are those of the current user. The list is never nil, so that JSON has [] for none.
type Tokens struct {
	Tokens []view.TokenRow `json:"tokens"`
}

// NewToken is a token with its text, which is shown only once.
type NewToken struct {
	ID int64 `json:"id"`
	// Only the answer has the text: neither the log nor the file does.
	Text string `json:"token"`
}

// TokenRequest requests a token.
type TokenRequest struct {
	Label string `json:"label" minLength:"1" maxLength:"100" doc:"what it is for"`
	Role  string `json:"role" enum:"viewer,editor,admin" doc:"the most that it may do"`
	// Days is not an integer, since some clients write 7.0.
	Days float64 `json:"days,omitempty" minimum:"0" maximum:"3650" doc:"after which it ends; 0 for never"`
}

// Audit is the newest part of the audit log. It names people and addresses, so it requires an administrator.
type Audit struct {
	Events []view.Event `json:"events"`
}

// accounts adds the resources for users of the server.
func accounts(a huma.API, o Options) {
	// This is for clients that check whether their token is still valid.
	get(a, "/me", "me", "The present user and their rights", me)
	k := Keeper(o)
	get(a, "/account", "account", "The present user with their tokens and sessions",
		func(ctx context.Context, _ struct{}) (*view.Account, error) { return k.Account(ctx) })
	change(a, http.MethodDelete, "/sessions/{id}", "end-session", "Log a browser out; a token cannot", k.end)
	get(a, "/tokens", "tokens", "Tokens of who asks", k.tokens)
	change(a, http.MethodPost, "/tokens", "make-token",
		"Create a token; its text is shown only once. A token cannot create another", k.add)
	change(a, http.MethodDelete, "/tokens/{id}", "revoke-token", "Revoke a token; a token itself alone", k.revoke)
	get(a, "/audit", "audit", "The newest 200 entries of the audit log; for administrators", k.audit)
}

// Keeper manages accounts for the API and for the account page. The context has the user and the permissions.
type Keeper struct{ Accounts *account.Store }

// need returns the store for users with at least the given role.
func (k Keeper) need(ctx context.Context, r view.Role) (*account.Store, error) {
	// The role is checked first, so that strangers do not learn whether there are accounts.
	if err := view.Need(ctx, r); err != nil {
		return nil, err
	}
	if view.ActorOf(ctx).Visitor {
		return nil, view.Need(view.WithActor(ctx, view.Actor{}), r)
	}
	if k.Accounts == nil {
		return nil, &view.Error{Kind: view.NotFound, Title: "This server has no accounts", Detail: "It is on loopback."}
	}
	return k.Accounts, nil
}

// byHand is need for actions that require a logged-in person. Somebody who has stolen a token must not be able to make
// others, which would outlive it, or to lock its owner out.
func (k Keeper) byHand(ctx context.Context, what string) (*account.Store, error) {
	s, err := k.need(ctx, view.Viewer)
	if err != nil {
		return nil, err
	}
	if view.ActorOf(ctx).Token != 0 {
		return nil, &view.Error{
			Kind: view.Forbidden, Title: "A token cannot " + what, Detail: "Only who is logged in with a password can.",
			Remedy: "Log in with a browser, and open /account.",
		}
	}
	return s, nil
}

// tokens returns only the tokens of the current user: there is no parameter for another one.
func (k Keeper) tokens(ctx context.Context, _ struct{}) (*Tokens, error) {
	s, err := k.need(ctx, view.Viewer)
	if err != nil {
		return nil, err
	}
	list, err := s.Tokens(ctx, view.ActorOf(ctx).Name)
	out := &Tokens{Tokens: []view.TokenRow{}}
	for _, t := range list {
		out.Tokens = append(out.Tokens, view.TokenRow{
			ID: t.ID, Label: t.Label, Role: view.Role(t.Role).String(),
			Created: moment(t.Created), Expires: moment(t.Expires), Used: moment(t.Used),
		})
	}
	return out, err
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func (k Keeper) add(ctx context.Context, in *struct{ Body TokenRequest }) (*NewToken, error) {
	return k.Add(ctx, in.Body)
}

// Add makes a token of the current user.
func (k Keeper) Add(ctx context.Context, in TokenRequest) (*NewToken, error) {
	s, err := k.byHand(ctx, "make tokens")
	if err != nil {
		return nil, err
	}
	// Huma has checked requests to the API, but forms come here unchecked.
	role, known := view.ParseRole(in.Role)
	if n := utf8.RuneCountInString(in.Label); !known || n < 1 || n > 100 || !(in.Days >= 0 && in.Days <= 3650) {
		return nil, &view.Error{
			Kind: view.Invalid, Title: "No token was made",
			Detail: "It needs a label of 1 to 100 characters, a role, and an end within 3,650 days.",
		}
	}
	var until time.Time
	// Days may be a fraction, as hours and minutes can be useful for tests of a client.
	if in.Days > 0 {
		until = time.Now().Add(time.Duration(in.Days * float64(24*time.Hour)))
	}
	// The store compares the roles, since it knows the user's current one.
	text, id, err := s.NewToken(ctx, view.ActorOf(ctx).Name, in.Label, int(role), until)
	switch {
	case errors.Is(err, account.ErrManyTokens):
		return nil, &view.Error{
			Kind: view.Invalid, Title: "No token was made",
			Detail: "Your account has " + strconv.Itoa(account.MostTokens) + " tokens, and may not have more.",
			Remedy: "Revoke one that you need no more.",
		}
	case errors.Is(err, account.ErrRole):
		return nil, &view.Error{
			Kind: view.Forbidden, Title: "No token was made",
			Detail: "You are " + view.ActorOf(ctx).Role.String() + ", and a token cannot be " + role.String() + ".",
			Remedy: "Ask for a token with your own role or a lower one.",
		}
	case err != nil:
		return nil, err
	}
	// If logging fails, the caller does not get the text, and the token is useless.
	return &NewToken{id, text}, s.Note(ctx, event(ctx, "token made", in.Label))
}

// event returns an entry of the audit log for an action of the current user.
func event(ctx context.Context, what, detail string) account.Event {
	a := view.ActorOf(ctx)
	return account.Event{Who: a.Name, Origin: a.Origin, What: what, Detail: detail}
}

// note writes to the audit log, if there are accounts. The action is done in any case.
func (k Keeper) note(ctx context.Context, what, detail string) {
	if k.Accounts == nil {
		return
	}
	if err := k.Accounts.Note(ctx, event(ctx, what, detail)); err != nil {
		slog.Error("the audit log cannot be written", "what", what, "error", err)
	}
}

// number is the number of a token or a session.
type number struct {
	ID int64 `path:"id" minimum:"1"`
}

func (k Keeper) revoke(ctx context.Context, in *number) (*Tokens, error) {
	if err := k.Revoke(ctx, in.ID); err != nil {
		return nil, err
	}
	// The answer is the remaining tokens, so that a client need not send another request.
	return k.tokens(ctx, struct{}{})
}

// Revoke revokes a token of the current user. A token can revoke itself, for example after a leak.
func (k Keeper) Revoke(ctx context.Context, id int64) error {
	s, err := k.need(ctx, view.Viewer)
	if view.ActorOf(ctx).Token != id {
		s, err = k.byHand(ctx, "revoke others")
	}
	if err != nil {
		return err
	}
	return k.ended(ctx, s.Revoke(ctx, view.ActorOf(ctx).Name, id), "token", id)
}

func (k Keeper) end(ctx context.Context, in *number) (*view.Account, error) {
	if err := k.EndSession(ctx, in.ID); err != nil {
		return nil, err
	}
	return k.Account(ctx)
}

// EndSession logs out a browser of the current user.
func (k Keeper) EndSession(ctx context.Context, id int64) error {
	s, err := k.byHand(ctx, "log browsers out")
	if err != nil {
		return err
	}
	return k.ended(ctx, s.EndSession(ctx, view.ActorOf(ctx).Name, id), "session", id)
}

// ended logs that a token or a session was ended, or returns an error.
func (k Keeper) ended(ctx context.Context, err error, what string, id int64) error {
	// The error does not reveal whether the number belongs to another user.
	if errors.Is(err, account.ErrNoSession) {
		return &view.Error{Kind: view.NotFound, Title: "You have no such " + what}
	}
	if err != nil {
		return err
	}
	return k.Accounts.Note(ctx, event(ctx, what+" revoked", strconv.FormatInt(id, 10)))
}

// Account returns the current user's tokens, sessions and so on.
func (k Keeper) Account(ctx context.Context) (*view.Account, error) {
	s, err := k.need(ctx, view.Viewer)
	if err != nil {
		return nil, err
	}
	tokens, err := k.tokens(ctx, struct{}{})
	if err != nil {
		return nil, err
	}
	a := view.ActorOf(ctx)
	out := &view.Account{Name: a.Name, Role: a.Role.String(), Tokens: tokens.Tokens, Sessions: []view.SessionRow{}}
	for r := view.Viewer; r <= a.Role; r++ {
		out.Roles = append(out.Roles, r.String())
	}
	list, err := s.Sessions(ctx, a.Name)
	for _, one := range list {
		out.Sessions = append(out.Sessions, view.SessionRow{
			ID: one.ID, Begun: moment(one.Created), Seen: moment(one.Seen), This: one.ID == a.Session,
		})
	}
	if err != nil || a.Role < view.Admin {
		return out, err
	}
	log, err := k.audit(ctx, struct{}{})
	if err != nil {
		return nil, err
	}
	// This many fit on a page; the API returns all 200.
	out.Events = log.Events[:min(len(log.Events), 50)]
	return out, nil
}

func (k Keeper) audit(ctx context.Context, _ struct{}) (*Audit, error) {
	s, err := k.need(ctx, view.Admin)
	if err != nil {
		return nil, err
	}
	// This bounds the number read from the file.
	list, err := s.Events(ctx, 200)
	out := &Audit{Events: []view.Event{}}
	for _, e := range list {
		out.Events = append(out.Events, view.Event{
			Time: moment(e.Time), Who: e.Who, From: cmp.Or(e.Origin, "-"), What: e.What, Detail: e.Detail,
		})
	}
	return out, err
}

// change adds a resource that changes something. The body is checked against the schema before do is called.
func change[I, O any](a huma.API, method, path, id, summary string, do func(context.Context, *I) (O, error)) {
	huma.Register(a, operation(method, path, id, summary), func(ctx context.Context, in *I) (*body[O], error) {
		out, err := do(ctx, in)
		if err != nil {
			return nil, problem(err)
		}
		return &body[O]{out}, nil
	})
}

// work adds the resources of jobs.
func work(a huma.API, v *view.Views, o Options) {
	k := Keeper(o)
	get(a, "/jobs", "jobs", "Jobs of this server, newest first", v.Jobs)
	get(a, "/jobs/form", "form", "Fields of a job, from the flags of its command", v.Form)
	get(a, "/jobs/{number}", "job", "One job with the end of its log", v.Job)
	// The view checks the role.
	change(a, http.MethodPost, "/jobs", "start-job", "Start a job",
		func(ctx context.Context, in *struct{ Body view.StartRequest }) (*view.JobOne, error) {
			job, err := v.Start(ctx, in.Body)
			if err == nil {
				// The words are the same as for the form: the log does not distinguish them.
				k.note(ctx, "job started", job.Command)
			}
			return job, err
		})
	change(a, http.MethodPost, "/jobs/form", "plan-job", "Say what a job would do, and start nothing",
		func(ctx context.Context, in *struct{ Body view.StartRequest }) (*view.Form, error) {
			return v.Plan(ctx, in.Body)
		})
	change(a, http.MethodPost, "/jobs/{number}/cancel", "cancel-job", "Cancel a job",
		func(ctx context.Context, in *view.JobRequest) (*view.JobOne, error) {
			job, err := v.Cancel(ctx, *in)
			if err == nil {
				k.note(ctx, "job cancelled", strconv.FormatInt(in.Number, 10))
			}
			return job, err
		})
	get(a, "/datasets", "datasets", "Files that jobs have exported", v.Datasets)
	file(a, "/datasets/{number}", "dataset", "The file that a job has exported", exportMedia, v.Dataset)
}
