// Package account manages the users of a server: passwords and roles, sessions and API tokens, limits on guessing, and
// an audit log. All data is in one SQLite file.
//
//	s, err := account.Open(ctx, "state/accounts.db")
//	err = s.AddUser(ctx, "ada", password, view.Editor)
//	entry, err := s.Login(ctx, account.Try{Name: "ada", Password: password, Origin: "192.0.2.7"})
//
// The contents of the file do not allow a log-in. Passwords are hashed by argon2id (RFC 9106). Sessions and tokens,
// which are random and long, are hashed by SHA-256. The package does not depend on HTTP.
package account
