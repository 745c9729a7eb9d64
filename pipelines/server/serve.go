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
	writeTime = 30 * time.Minute // for an answer: exports are long
	maxHead   = 512 << 10        // bytes of a head: parameters have some thousand characters each, percent-encoded
	closeTime = 10 * time.Second // that requests have to end when the server does
)

// Serve answers requests until the context ends, then lets those that are under way end.
func Serve(ctx context.Context, l net.Listener, h http.Handler, certificate *tls.Certificate) error {
	s := &http.Server{
		Handler: h, ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHead, ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug),
		// Not ctx itself: an interrupt would cancel all requests at once, and Shutdown could let none
		// of them end.
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	if certificate != nil {
		// Older versions are not to be used any more (RFC 8996).
		s.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12}
	}
	// Room for one, so that the goroutine ends even when nobody listens.
	ended := make(chan error, 1)
	go func() {
		if certificate != nil {
			ended <- s.ServeTLS(l, "", "")
			return
		}
		ended <- s.Serve(l)
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	// Without ctx's own end, which has come already.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if err := s.Shutdown(end); err != nil {
		_ = s.Close() // what takes longer, as an export, is broken off
	}
	// Waited for, so that nothing serves behind our return; ErrServerClosed is what Shutdown and Close
	// lead to.
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
