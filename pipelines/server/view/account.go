package view

// Account is what somebody who has logged in has on this server. Lists are never nil, so that JSON has [] for none.
type Account struct {
	Name     string       `json:"name"`
	Role     string       `json:"role"`
	Tokens   []TokenRow   `json:"tokens"`
	Sessions []SessionRow `json:"sessions" doc:"browsers that are logged in"`
	// Roles are those that a token of this account may have, for the form.
	Roles []string `json:"-"`
	// Made is the text of the token that was made just now. A page shows it this once; Wrong is why none was made.
	Made, Wrong string `json:"-"`
	// Events are the newest of the audit log, for administrators alone.
	Events []Event `json:"-"`
}

// TokenRow is a token, without its text.
type TokenRow struct {
	ID      int64  `json:"id"`
	Label   string `json:"label"`
	Role    string `json:"role"`
	Created string `json:"created"`
	Expires string `json:"expires,omitempty"`
	Used    string `json:"used,omitempty"`
}

// SessionRow is a browser that is logged in.
type SessionRow struct {
	ID    int64  `json:"id"`
	Begun string `json:"begun"`
	Seen  string `json:"seen" doc:"the last request, to a minute"`
	This  bool   `json:"this" doc:"the one that asks"`
}

// Event is something that was done.
type Event struct {
	Time   string `json:"time"`
	Who    string `json:"who,omitempty"`
	From   string `json:"from"`
	What   string `json:"what"`
	Detail string `json:"detail,omitempty"`
}
