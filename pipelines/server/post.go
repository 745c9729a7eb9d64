package server

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// post does what a form of a page asks for, and leads to a page that shows it. The token of the form was checked
// before.
func (s *server) post(w http.ResponseWriter, r *http.Request) {
	rest, isJob := strings.CutPrefix(r.URL.Path, "/jobs/")
	number, isCancel := strings.CutSuffix(rest, "/cancel")
	switch {
	case r.URL.Path == "/login":
		s.login(w, r)
	case r.URL.Path == "/logout":
		s.logout(w, r)
	case r.URL.Path == "/jobs/new":
		s.start(w, r)
	case isJob && isCancel:
		s.cancel(w, r, number)
	default:
		// RFC 9110, section 15.5.6 wants the header with a 405. Any other method than POST comes here
		// too.
		w.Header().Set("Allow", "GET, HEAD")
		s.o.Pages.Error(w, r, http.StatusMethodNotAllowed, &view.Error{
			Kind: view.NotFound, Title: "Nothing is done here", Remedy: "Begin at the start.",
		})
	}
}

// login begins a session.
func (s *server) login(w http.ResponseWriter, r *http.Request) {
	next := local(r.PostFormValue("next"))
	if s.o.Open {
		http.Redirect(w, r, next, http.StatusSeeOther)
		return
	}
	name := r.PostFormValue("name")
	text, user, err := s.o.Accounts.Login(r.Context(), name, r.PostFormValue("password"), s.origin(r))
	wrong, limit := (*account.WrongError)(nil), (*account.LimitError)(nil)
	switch {
	case errors.As(err, &wrong):
		// The name stands in the detail, and not as who did it: nobody has shown to be that.
		s.note(r, "", "log-in failed", name)
		s.o.Pages.Login(w, r, http.StatusUnauthorized, name, next,
			"Name or password is wrong. "+strconv.Itoa(wrong.Left)+" more tries in the next 15 minutes.")
		return
	case errors.As(err, &limit):
		s.note(r, "", "log-in refused", name)
		// Rounded up: a client that keeps to it is not refused once more.
		seconds := int(limit.Wait.Seconds()) + 1
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		s.o.Pages.Login(w, r, http.StatusTooManyRequests, name, next,
			"Too many tries. Wait "+strconv.Itoa(seconds/60+1)+" minutes.")
		return
	case err != nil:
		s.fail(w, r, err)
		return
	}
	s.note(r, user.Name, "log-in", "")
	http.SetCookie(w, s.cookie(r, text, 0))
	http.Redirect(w, r, next, http.StatusSeeOther)
}

// cookie is the session's cookie; maxAge -1 removes it. It lasts as long as the browser is open.
func (s *server) cookie(r *http.Request, text string, maxAge int) *http.Cookie {
	// Lax: links from elsewhere find a reader logged in, while forms of other sites come without the
	// cookie. The path and Secure are what the prefix __Host- asks for.
	return &http.Cookie{
		Name: s.cookieName(r), Value: text, Path: "/", HttpOnly: true, Secure: s.secure(r), MaxAge: maxAge,
		SameSite: http.SameSiteLaxMode,
	}
}

// local is a path of this server: what a form says of where to go next may come from elsewhere.
func local(next string) string {
	u, err := url.Parse(next)
	// Browsers read //host and /\host as addresses of another host, and leave out line breaks and tabs
	// before they look.
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}

// logout ends a session.
func (s *server) logout(w http.ResponseWriter, r *http.Request) {
	// The session is removed here and not just the cookie: a copy of the cookie is worth nothing
	// behind a log-out.
	if c, err := r.Cookie(s.cookieName(r)); err == nil && s.o.Accounts != nil {
		if err := s.o.Accounts.Logout(r.Context(), c.Value); err != nil {
			s.fail(w, r, err)
			return
		}
		s.note(r, view.ActorOf(r.Context()).Name, "log-out", "")
	}
	http.SetCookie(w, s.cookie(r, "", -1))
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// start starts a job from its form, or shows what is wrong with that.
func (s *server) start(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, &view.Error{Kind: view.Invalid, Title: "The form cannot be read", Detail: "It is no form, or too long."})
		return
	}
	request := view.StartRequest{Verb: r.Form.Get("verb"), Values: map[string][]string{}}
	// PostForm, and not Form: a link with values in its query fills nothing in.
	for name, list := range r.PostForm {
		// These are the page's own; all others are fields of the command, which package form checks by
		// name.
		if name != "csrf" && name != "verb" && name != "plan" {
			request.Values[name] = list
		}
	}
	job, err := s.o.Views.Start(r.Context(), request)
	if err == nil {
		s.note(r, view.ActorOf(r.Context()).Name, "job started", job.Command)
		http.Redirect(w, r, job.Link, http.StatusSeeOther)
		return
	}
	e := (*view.Error)(nil)
	// Only mistakes in the values can be mended in the form; others get a page of their own.
	if !errors.As(err, &e) || e.Kind != view.Invalid {
		s.fail(w, r, err)
		return
	}
	// The form again with what was filled in, and what is wrong at each field.
	form, bad := s.o.Views.Filled(r.Context(), request, err)
	if bad != nil {
		s.fail(w, r, bad)
		return
	}
	s.o.Pages.Write(w, r, api.Status(err), form)
}

// cancel ends a job.
func (s *server) cancel(w http.ResponseWriter, r *http.Request, number string) {
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		n = 0 // there is no such job
	}
	job, err := s.o.Views.Cancel(r.Context(), view.JobRequest{Number: n})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.note(r, view.ActorOf(r.Context()).Name, "job cancelled", strconv.FormatInt(n, 10))
	http.Redirect(w, r, job.Link, http.StatusSeeOther)
}
