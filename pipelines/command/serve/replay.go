package serve

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/pipelines/server/playback"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// setReplayOrigin checks --replay_origin. On loopback a free port is the default.
func (c *config) setReplayOrigin() error {
	switch {
	case c.replayOrigin == "" && c.open:
		host, _, err := net.SplitHostPort(c.addr)
		c.replayOrigin = net.JoinHostPort(host, "0")
		return err
	case c.replayOrigin == "":
		return nil
	case c.replayName() != "":
		u, err := url.Parse(c.replayOrigin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return cli.Usagef("--replay_origin=%s: name a URL such as https://replay.example.org", c.replayOrigin)
		}
		c.replayOrigin = u.Scheme + "://" + u.Host
		return nil
	}
	loopback, err := isLoopback(c.replayOrigin)
	if err != nil {
		return cli.Usagef("--replay_origin=%s: name an address and a port, or a URL", c.replayOrigin)
	}
	// Without accounts, nobody else may read.
	if c.open && !loopback {
		return cli.Usagef("--replay_origin=%s: with --addr=%s it must be on loopback too", c.replayOrigin, c.addr)
	}
	return nil
}

// replayName returns the host of the replay's origin if it is a URL, as requests name it, or "".
func (c *config) replayName() string {
	if _, host, is := strings.Cut(c.replayOrigin, "://"); is {
		return strings.ToLower(strings.Trim(host, "/"))
	}
	return ""
}

// replayer answers for the replay's origin.
type replayer struct {
	player   *playback.Player
	handler  http.Handler
	listener net.Listener // nil if it has another name instead of another port
}

// newReplayer makes the replay's origin, or returns nil if pages are not replayed.
func (c *config) newReplayer(v *view.Views, o server.Options) (*replayer, error) {
	if c.replayOrigin == "" {
		return nil, nil
	}
	r := &replayer{}
	options := playback.Options{Views: v, Captures: memento.New(v), Pages: o.Pages}
	if name := c.replayName(); name != "" {
		options.Origin = c.replayOrigin
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		o.Hosts = append([]string{name}, o.Hosts...)
	} else {
		l, err := net.Listen("tcp", c.replayOrigin)
		if err != nil {
			return nil, errors.Join(errors.New("--replay_origin"), err)
		}
		if _, options.Port, err = net.SplitHostPort(l.Addr().String()); err != nil {
			return nil, errors.Join(err, l.Close())
		}
		r.listener = server.Bounded(l, c.proxies)
		slog.Info("archived pages are replayed at an origin of their own", "address", l.Addr().String())
	}
	r.player = playback.New(options)
	r.handler = server.NewReplay(o, r.player)
	return r, nil
}

// divided sends requests for the replay's name to its handler.
func (c *config) divided(r *replayer, main http.Handler) http.Handler {
	name := c.replayName()
	if r == nil || name == "" {
		return main
	}
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if strings.EqualFold(q.Host, name) {
			r.handler.ServeHTTP(w, q)
			return
		}
		main.ServeHTTP(w, q)
	})
}

// close closes the port of an origin that does not serve yet.
func (r *replayer) close() error {
	if r == nil || r.listener == nil {
		return nil
	}
	return r.listener.Close()
}
