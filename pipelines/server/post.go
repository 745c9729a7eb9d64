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

// post handles a form of a page, and redirects to a page that shows the result. The token of the form was already
// checked.
func (s *server) post(w http.ResponseWriter, r *http.Request) {
	// No ServeMux is used, as in route; the paths are few.
	rest, isJob := strings.CutPrefix(r.URL.Path, "/jobs/")
	number, isCancel := strings.CutSuffix(rest, "/cancel")
	switch {
	case r.URL.Path == "/login":
		s.login(w, r)
	case r.URL.Path == "/logout":
		s.logout(w, r)
	case r.URL.Path == "/jobs/new":
		s.start(w, r)
	case strings.HasPrefix(r.URL.Path, view.SavedPath+"/"):
		s.save(w, r, strings.TrimPrefix(r.URL.Path, view.SavedPath+"/"))
	case strings.HasPrefix(r.URL.Path, "/account/"):
		s.keep(w, r, strings.TrimPrefix(r.URL.Path, "/account/"))
	case isJob && isCancel:
		s.cancel(w, r, number)
	default:
		s.nothing(w, r)
	}
}

// nothing answers a form that was sent to a path without forms.
func (s *server) nothing(w http.ResponseWriter, r *http.Request) {
	// RFC 9110, section 15.5.6: a 405 lists the allowed methods.
	w.Header().Set("Allow", "GET, HEAD")
	s.o.Pages.Error(w, r, http.StatusMethodNotAllowed, &view.Error{
		Kind: view.NotFound, Title: "No such action", Remedy: "Begin at the start.", Link: "/",
	})
}

// login begins a session.
func (s *server) login(w http.ResponseWriter, r *http.Request) {
	// It is checked first, since every way out of this function leads there.
	next := local(r.PostFormValue("next"))
	if s.o.Open {
		http.Redirect(w, r, next, http.StatusSeeOther)
		return
	}
	name := r.PostFormValue("name")
	known, browser := s.cookieName(r)+knownCookie, ""
	if c, err := r.Cookie(known); err == nil {
		browser = c.Value
	}
	entry, err := s.o.Accounts.Login(r.Context(), account.Try{
		Name: name, Password: r.PostFormValue("password"), Origin: s.origin(r), Browser: browser,
	})
	wrong, limit := (*account.WrongError)(nil), (*account.LimitError)(nil)
	switch {
	// The name is logged, but never the password. A name may be a password typed into the wrong field; only
	// administrators see the log.
	case errors.As(err, &wrong):
		s.note(r, "", "log-in failed", name)
		s.o.Pages.Login(w, r, http.StatusUnauthorized, name, next,
			"Name or password is wrong. "+strconv.Itoa(wrong.Left)+" more tries in the next 15 minutes.")
		return
	case errors.As(err, &limit):
		s.note(r, "", "log-in refused", name)
		// It is rounded up, so that a client succeeds after exactly that time.
		seconds := int(limit.Wait.Seconds()) + 1
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		s.o.Pages.Login(w, r, http.StatusTooManyRequests, name, next,
			// People read minutes; programs read the header.
			"Too many tries. Wait "+strconv.Itoa(seconds/60+1)+" minutes.")
		return
	case err != nil:
		s.fail(w, r, err)
		return
	}
	s.note(r, entry.User.Name, "log-in", "")
	// The new session is followed by a redirect with 303, which keeps the password out of a reload.
	http.SetCookie(w, s.cookie(r, s.cookieName(r), entry.Session, 0))
	http.SetCookie(w, s.cookie(r, known, entry.Browser, int(account.BrowserTime.Seconds())))
	http.Redirect(w, r, next, http.StatusSeeOther)
}

// knownCookie is added to the name of the session's cookie. The result names the cookie of a known browser.
const knownCookie = "-browser"

// cookie makes a cookie for maxAge seconds. 0 means as long as the browser is open, and -1 removes the cookie.
func (s *server) cookie(r *http.Request, name, text string, maxAge int) *http.Cookie {
	return &http.Cookie{
		// HttpOnly: no script can read it. Lax: other sites can link here, but cannot post with it.
		Name: name, Value: text, Path: "/", HttpOnly: true, Secure: s.secure(r), MaxAge: maxAge,
		SameSite: http.SameSiteLaxMode,
	}
}

// local returns a path of this server: the next path in a form may have been set elsewhere.
func local(next string) string {
	u, err := url.Parse(next)
	// In browsers "//host" and "\host" lead to other hosts, and a line end could end the header.
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}

// logout ends a session.
func (s *server) logout(w http.ResponseWriter, r *http.Request) {
	// Without a cookie or an account, no session can be ended.
	if c, err := r.Cookie(s.cookieName(r)); err == nil && s.o.Accounts != nil {
		if err := s.o.Accounts.Logout(r.Context(), c.Value); err != nil {
			s.fail(w, r, err)
			return
		}
		s.note(r, view.ActorOf(r.Context()).Name, "log-out", "")
	}
	// It is also removed in the browser, whether the store knew it or not.
	http.SetCookie(w, s.cookie(r, s.cookieName(r), "", -1))
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// start starts a job from its form, or shows the mistakes in the form.
func (s *server) start(w http.ResponseWriter, r *http.Request) {
	// The body is limited, so a long one fails here.
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, &view.Error{
			Kind: view.Invalid, Title: "The form cannot be read",
			Detail: "It is not a form, or too long.",
		})
		return
	}
	request := view.StartRequest{Verb: r.Form.Get("verb"), Values: map[string][]string{}}
	for name, list := range r.PostForm {
		// These three are not fields of the form.
		if name != "csrf" && name != "verb" && name != "plan" {
			request.Values[name] = list
		}
	}
	if r.PostForm.Get("plan") != "" {
		form, err := s.o.Views.Plan(r.Context(), request)
		if err == nil {
			s.o.Pages.Write(w, r, http.StatusOK, form)
			return
		}
		s.refuse(w, r, request, err)
		return
	}
	job, err := s.o.Views.Start(r.Context(), request)
	if err == nil {
		// The command line is the most useful part for an administrator.
		s.note(r, view.ActorOf(r.Context()).Name, "job started", job.Command)
		http.Redirect(w, r, job.Link, http.StatusSeeOther)
		return
	}
	s.refuse(w, r, request, err)
}

// refuse shows a form again, with its mistakes.
func (s *server) refuse(w http.ResponseWriter, r *http.Request, request view.StartRequest, err error) {
	e := (*view.Error)(nil)
	// Only mistakes in the form are shown in it.
	if !errors.As(err, &e) || e.Kind != view.Invalid {
		s.fail(w, r, err)
		return
	}
	form, bad := s.o.Views.Filled(r.Context(), request, err)
	if bad != nil {
		s.fail(w, r, bad)
		return
	}
	// The status means that nothing was started; the page contains all that was typed.
	s.o.Pages.Write(w, r, api.Status(err), form)
}

// cancel ends a job.
func (s *server) cancel(w http.ResponseWriter, r *http.Request, number string) {
	n, err := strconv.ParseInt(number, 10, 64)
	// Numbers of jobs begin at 1.
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
