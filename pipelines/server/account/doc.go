// Package account keeps who may use a server: users with passwords and roles, their sessions and API tokens, limits on
// guessing, and an audit log. All of it is in one SQLite file.
//
//	s, err := account.Open(ctx, "state/accounts.db")
//	err = s.AddUser(ctx, "ada", password, view.Editor)
//	entry, err := s.Login(ctx, account.Try{Name: "ada", Password: password, Origin: "192.0.2.7"})
//
// The file holds nothing by which somebody who reads it could log in: passwords are hashed by argon2id (RFC 9106),
// sessions and tokens, which are random and long, by SHA-256. It knows no HTTP.
package account
