package server

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// account answers with the page of the user's own account. A new token is in made, and is shown only this once. If
// none was made, wrong is the reason.
func (s *server) account(w http.ResponseWriter, r *http.Request, status int, made, wrong string) {
	data, err := s.keeper().Account(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	data.Made, data.Wrong = made, wrong
	s.o.Pages.Write(w, r, status, data)
}

func (s *server) keeper() api.Keeper { return api.Keeper{Accounts: s.o.Accounts} }

// keep handles the forms of that page. rest is the form's path after /account/.
func (s *server) keep(w http.ResponseWriter, r *http.Request, rest string) {
	if rest == "tokens" {
		s.makeToken(w, r)
		return
	}
	do := s.keeper().Revoke
	number, is := strings.CutPrefix(rest, "tokens/")
	number, ends := strings.CutSuffix(number, "/revoke")
	if !is {
		do = s.keeper().EndSession
		number, is = strings.CutPrefix(rest, "sessions/")
		number, ends = strings.CutSuffix(number, "/end")
	}
	id, err := strconv.ParseInt(number, 10, 64)
	if !is || !ends || err != nil {
		s.nothing(w, r)
		return
	}
	if err := do(r.Context(), id); err != nil {
		s.fail(w, r, err)
		return
	}
	// A user who has ended the current session is sent from there to log in.
	http.Redirect(w, r, "/account", http.StatusSeeOther)
}

// makeToken answers with the token in the page itself, and not with a redirect: its text is stored nowhere else.
func (s *server) makeToken(w http.ResponseWriter, r *http.Request) {
	days, err := strconv.ParseFloat(r.PostFormValue("days"), 64)
	if err != nil {
		days = -1 // Add refuses it
	}
	made, err := s.keeper().Add(r.Context(), api.TokenRequest{
		Label: strings.TrimSpace(r.PostFormValue("label")), Role: r.PostFormValue("role"), Days: days,
	})
	wrong := (*view.Error)(nil)
	switch {
	case errors.As(err, &wrong) && wrong.Kind == view.Invalid:
		s.account(w, r, api.Status(err), "", wrong.Title+". "+wrong.Detail)
	case err != nil:
		s.fail(w, r, err)
	default:
		s.account(w, r, http.StatusOK, made.Text, "")
	}
}
