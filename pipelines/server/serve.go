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

// These limit requests. A client that sends slowly, or nothing, keeps a connection no longer than that.
const (
	headTime  = 10 * time.Second // for the header of a request
	readTime  = 60 * time.Second // for the whole request: bodies are forms
	idleTime  = 2 * time.Minute  // between two requests of a connection
	maxHead   = 1 << 20          // bytes of a header: a cursor's 64 Ki characters, 12 bytes each if percent-encoded
	closeTime = 10 * time.Second // for requests to end when the server ends
)

// Serve answers requests until the context ends. Then it lets running requests finish.
func Serve(ctx context.Context, l net.Listener, h http.Handler, certificate *tls.Certificate) error {
	s := &http.Server{
		// Without these four limits, one client could hold connections forever. WriteTimeout is for answers of
		// net/http itself; paced sets the limits of other answers.
		Handler: h, ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: stallTime, IdleTimeout: idleTime,
		// Mistakes of clients, such as a failed handshake, need not be in the log.
		MaxHeaderBytes: maxHead, ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug),
		// Requests are not cancelled when the server is asked to end: Shutdown gives them time.
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	if certificate != nil {
		// RFC 9325 requires at least TLS 1.2.
		s.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12}
	}
	// It has room for one, so the goroutine also ends if nobody reads.
	ended := make(chan error, 1)
	go func() {
		if certificate != nil {
			ended <- s.ServeTLS(l, "", "")
			return
		}
		ended <- s.Serve(l)
	}()
	// Serve fails at once, for example if the listener is closed, or runs until the context ends.
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	// This is a separate context, since the other one has ended.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if err := s.Shutdown(end); err != nil {
		_ = s.Close() // longer requests, such as exports, are aborted
	}
	// The goroutine is waited for; after Shutdown, Serve returns ErrServerClosed.
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
