package view

import (
	"context"
	"time"
)

// Role is a set of rights. Each role includes the rights of those before it.
type Role int

// These are the roles.
const (
	Nobody Role = iota // is not logged in
	Viewer             // reads
	Editor             // can also start and cancel jobs
	Admin              // can also read the audit log and manage accounts
)

// String returns the role's name in the API and the command line. Names are in the order of the constants.
func (r Role) String() string { return [...]string{"nobody", "viewer", "editor", "admin"}[r] }

// ParseRole reads the name of a role.
func ParseRole(name string) (Role, bool) {
	// Nobody is left out: an account cannot have this role.
	for _, r := range []Role{Viewer, Editor, Admin} {
		if r.String() == name {
			return r, true
		}
	}
	return Nobody, false
}

// Actor is the user of a request.
type Actor struct {
	Name string // "" for users who need no account: loopback
	Role Role
	// Since is when the account was made: one of the same name may have been removed before.
	Since time.Time
	// Session is the number of the session, or 0 if there is none.
	Session int64
	// Token is the number of the API token, or 0 if none was sent.
	Token int64
	// CSRF is sent back by each form that changes something, in its field "csrf". It proves that the form is ours.
	CSRF string
	// Origin is the address that the request came from, for the audit log.
	Origin string
	// Visitor means that the user has no account, and reads by the rules of access.
	Visitor bool
	// Open means that the server needs no accounts, so logging in and out is not possible.
	Open bool
}

// limited is the name by which limits for each user count, or "" without limits: the only user of a server on loopback.
func (a Actor) limited() string {
	switch {
	case a.Open:
		return ""
	case a.Name != "":
		return "account " + a.Name
	}
	return "address " + a.Origin
}

type actorKey struct{}

// WithActor returns a context with the user of a request.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorOf returns the user of a request, or Nobody if the context has none.
func ActorOf(ctx context.Context) Actor {
	a, _ := ctx.Value(actorKey{}).(Actor)
	return a
}

// Need returns an error if the user does not have a role.
func Need(ctx context.Context, r Role) error {
	switch a := ActorOf(ctx); {
	// Roles are ordered numbers: a larger one includes the rights of a smaller one.
	case a.Role >= r:
		return nil
	case a.Role == Nobody:
		return &Error{
			Kind: LoggedOut, Title: "Log in first", Detail: "This needs an account.",
			Remedy: "Log in, or send a token in the header Authorization: Bearer.",
		}
	default:
		return &Error{
			Kind: Forbidden, Title: "Your role does not allow this",
			Detail: "You are " + a.Role.String() + ", and this takes " + r.String() + ".",
			Remedy: "Ask an administrator of this server for the role.",
		}
	}
}
