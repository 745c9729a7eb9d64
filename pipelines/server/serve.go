package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The bounds of requests. A client that sends slowly, or nothing, keeps a connection that long and no longer.
const (
	headTime  = 10 * time.Second // for the head of a request
	readTime  = 60 * time.Second // for all of it: bodies are forms
	idleTime  = 2 * time.Minute  // between two requests of a connection
	maxHead   = 1 << 20          // bytes of a head: a cursor's 64 Ki characters, 12 bytes each where percent-encoded
	closeTime = 10 * time.Second // that requests have to end when the server does
)

// Serve answers requests until the context ends, then lets those that are under way end.
func Serve(ctx context.Context, l net.Listener, h http.Handler, certificate *tls.Certificate) error {
	s := &http.Server{
		// Without these four times one client could hold connections for ever. That of writing is for what net/http
		// answers by itself; paced sets those of answers.
		Handler: h, ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: stallTime, IdleTimeout: idleTime,
		// What clients do wrong, as a handshake that fails, is no matter for the log.
		MaxHeaderBytes: maxHead, ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug),
		// Requests are not cancelled when the server is asked to end: Shutdown gives them time.
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	if certificate != nil {
		// TLS 1.2 is what RFC 9325 asks for at least.
		s.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12}
	}
	// Room for one, so that the goroutine ends also when nobody reads.
	ended := make(chan error, 1)
	go func() {
		if certificate != nil {
			ended <- s.ServeTLS(l, "", "")
			return
		}
		ended <- s.Serve(l)
	}()
	// Serve fails at once, as when the listener is gone, or runs until the context ends.
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	// A context of its own, since the other one has ended.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if err := s.Shutdown(end); err != nil {
		_ = s.Close() // what takes longer, as an export, is broken off
	}
	// The goroutine is waited for; ErrServerClosed is how Serve ends after a Shutdown.
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
