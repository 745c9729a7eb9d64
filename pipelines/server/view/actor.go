package view

import "context"

// Role is what somebody may do. Each may do what those before it may.
type Role int

// The roles.
const (
	Nobody Role = iota // is not logged in
	Viewer             // reads
	Editor             // also starts and cancels jobs
	Admin              // also sees the audit log and keeps accounts
)

// String is the role's name in the API and the command line.
// In the order of the constants.
func (r Role) String() string { return [...]string{"nobody", "viewer", "editor", "admin"}[r] }

// ParseRole reads the name of a role.
func ParseRole(name string) (Role, bool) {
	// Nobody is left out: it is not a role that an account can have.
	for _, r := range []Role{Viewer, Editor, Admin} {
		if r.String() == name {
			return r, true
		}
	}
	return Nobody, false
}

// Actor is who asks.
type Actor struct {
	Name string // "" for callers that need no account: loopback
	Role Role
	// Session is the number of the session; 0 for callers that have none.
	Session int64
	// Token is the number of the token of the API; 0 for who sent none.
	Token int64
	// CSRF is what each form that changes something sends back in its field "csrf": it proves that the form is ours.
	CSRF string
	// Origin is the address that the request came from, for the audit log.
	Origin string
	// Open says that the server asks for no accounts, so there is nobody to log in or out.
	Open bool
}

type actorKey struct{}

// WithActor is a context of what is asked by somebody.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorOf is who asks; nobody when the context does not say.
func ActorOf(ctx context.Context) Actor {
	a, _ := ctx.Value(actorKey{}).(Actor)
	return a
}

// Need is an error unless who asks has a role.
func Need(ctx context.Context, r Role) error {
	switch a := ActorOf(ctx); {
	// Roles are numbers in order, so a larger one may do what a smaller one may.
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
