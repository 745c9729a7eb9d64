package view

// Account is what a logged-in user has on this server. Lists are never nil, so that empty lists are [] in JSON.
type Account struct {
	Name     string       `json:"name"`
	Role     string       `json:"role"`
	Tokens   []TokenRow   `json:"tokens"`
	Sessions []SessionRow `json:"sessions" doc:"browsers that are logged in"`
	// Roles are those that a token of this account may have, for the form.
	Roles []string `json:"-"`
	// Made is the text of a new token, which a page shows only this once. Wrong is the reason if none was made.
	Made, Wrong string `json:"-"`
	// Events are the newest entries of the audit log, for administrators only.
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

// Event is an entry of the audit log.
type Event struct {
	Time   string `json:"time"`
	Who    string `json:"who,omitempty"`
	From   string `json:"from"`
	What   string `json:"what"`
	Detail string `json:"detail,omitempty"`
}
