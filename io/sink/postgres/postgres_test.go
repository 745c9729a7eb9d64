package postgres

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/sink/sinktest"
	"github.com/gleaner-web/gleaner/schemas"
)

// ask returns what a query answers, as text: columns with a blank between, NULL as nothing.
func ask(t testing.TB, address, sql string) (all []string) {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer disconnect(c)
	results, err := c.Exec(t.Context(), sql).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	for _, r := range results {
		for _, row := range r.Rows {
			var cells []string
			for _, cell := range row {
				cells = append(cells, string(cell))
			}
			all = append(all, strings.Join(cells, " "))
		}
	}
	return all
}

// config is that of a test, whose retries end soon.
func config(t testing.TB, address string) Config {
	t.Helper()
	c := Config{URL: address, Table: "documents", RetryTimeout: 300 * time.Millisecond}
	if err := c.Complete(); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSink_contract(t *testing.T) {
	var server *servertest.Postgres
	if !sinktest.IsChild() {
		server = servertest.StartPostgres(t)
	}
	databases := 0
	sinktest.Test(t, sinktest.Kit{
		Start: func(t *testing.T) sinktest.Server {
			databases++
			name := fmt.Sprintf("contract%d", databases)
			ask(t, server.URL, "CREATE DATABASE "+name)
			direct := strings.Replace(server.URL, "/postgres", "/"+name, 1)
			p := startProxy(t, direct)
			return sinktest.Server{
				Address: p.address(direct), Fail: p.fail,
				Content: func(t *testing.T) []string { return ask(t, direct, "SELECT url, title FROM documents") },
			}
		},
		Open: func(ctx context.Context, address string) (sink.Sink, error) {
			c := Config{URL: address, Table: "documents", RetryTimeout: 300 * time.Millisecond}
			return c.Open(ctx)
		},
		Refused: func(p *sink.Page) { p.Document.Filename = incompressible(9000) },
	})
}

// incompressible is a text that fits no index: an entry has at most 2,704 bytes, also when it is compressed.
func incompressible(n int) string {
	var b strings.Builder
	for x := uint32(1); b.Len() < n; x = x*1664525 + 1013904223 {
		b.WriteByte('!' + byte(x>>24)%90)
	}
	return b.String()
}

// proxy is between client and server, and cuts all connections when clients have sent so often.
type proxy struct {
	listener net.Listener
	to       string
	left     atomic.Int64

	mu   sync.Mutex
	open []net.Conn
}

const unlimited = 1 << 40

func startProxy(t *testing.T, server string) *proxy {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{to: u.Host}
	p.left.Store(unlimited)
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.listener.Close(); p.cut() })
	go p.serve()
	return p
}

// address is the server's URL with the proxy in its place.
func (p *proxy) address(server string) string {
	return strings.Replace(server, p.to, p.listener.Addr().String(), 1)
}

func (p *proxy) fail(n int) {
	if n == 0 {
		n = unlimited
	}
	p.left.Store(int64(n) - 1)
}

func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		_ = c.Close() // on purpose
	}
	p.open = nil
}

func (p *proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // the test has ended
		}
		server, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.open = append(p.open, client, server)
		p.mu.Unlock()
		go func() { _, _ = io.Copy(client, server); _ = client.Close() }()
		go p.forward(server, client)
	}
}

// forward sends on what the client sends, until it has sent too often.
func (p *proxy) forward(server, client net.Conn) {
	defer func() { _ = server.Close() }() // on purpose
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		if p.left.Add(-1) < 0 {
			p.cut()
			return
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func end(t testing.TB, s sink.Sink) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// deliver writes documents as one unit and returns the refused ones.
func deliver(t testing.TB, c Config, documents ...*schemas.Document) (refused []schemas.Reject) {
	t.Helper()
	to, err := c.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer end(t, to)
	set := sink.Set{{Name: schemas.SinkPostgres, Sink: to}}
	var counts schemas.Counts
	u, err := set.Begin(t.Context(), &counts, func(r schemas.Reject) error { refused = append(refused, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		m, err := set.Encode(&sink.Page{Document: d})
		if err == nil {
			err = u.Write(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := u.Commit(); err != nil {
		t.Fatal(err)
	}
	return refused
}

func TestPostgres(t *testing.T) {
	t.Parallel() // it mostly waits
	server := servertest.StartPostgres(t)
	t.Run("columns", func(t *testing.T) { testColumns(t, server) })
	t.Run("odd texts", func(t *testing.T) { testOddTexts(t, server) })
	t.Run("users' constraints", func(t *testing.T) { testConstraint(t, server) })
	t.Run("other tables", func(t *testing.T) { testOtherTables(t, server) })
	t.Run("one row twice", func(t *testing.T) { testTwice(t, server) })
	t.Run("refused at once", func(t *testing.T) { testRefusedAtOnce(t, server) })
	t.Run("restarted", func(t *testing.T) { testRestarted(t, server) })
}

func testColumns(t *testing.T, s *servertest.Postgres) {
	c := config(t, s.URL)
	deliver(t, c, &schemas.Document{
		URL: "http://example.com/", SURT: "com,example)/", Host: "example.com", Domain: "example.com", Title: "Title",
		Timestamp: "2023-11-14T22:13:20Z", Status: 200, MIMEDetected: "text/html", Language: "fr", Text: "Texte",
		Filename: "a.warc", Offset: 7, Length: 11, Sequence: 2, BodyBytes: 1 << 40, Damaged: true,
		RecordType: schemas.TypeResponse,
	}, &schemas.Document{Filename: "b.warc", Timestamp: "yesterday"})
	got := ask(t, s.URL, `SET TIME ZONE 'UTC';
		SELECT url, surt, host, domain, title, timestamp, status, mime, language, text, filename, "offset", length, sequence,
			body_bytes, damaged, record_type, document->>'title'
		FROM documents ORDER BY filename`)
	want := []string{
		"http://example.com/ com,example)/ example.com example.com Title 2023-11-14 22:13:20+00 200 text/html fr Texte " +
			"a.warc 7 11 2 1099511627776 t response Title",
		"          b.warc 0 0 0 0 f  ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// testOddTexts: what PostgreSQL holds in no text has a character in its place, and nothing else changes.
func testOddTexts(t *testing.T, s *servertest.Postgres) {
	c := config(t, s.URL)
	c.Table = "odd"
	odd := &schemas.Document{
		Filename: "a.warc", Title: "a\x00b", Text: "bad \xff, escaped \\u0000 and \\\x00\t\n'\"",
		Custom: map[string][]string{"x": {"\x00\x00"}},
	}
	if refused := deliver(t, c, odd); len(refused) > 0 {
		t.Fatalf("refused: %+v", refused)
	}
	got := ask(t, s.URL, `SELECT title, text, text = document->>'text', document->>'title',
		document->'custom'->'x'->>0 FROM odd`)
	want := []string{"a\uFFFDb bad \uFFFD, escaped \\u0000 and \\\uFFFD\t\n'\" t a\uFFFDb \uFFFD\uFFFD"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// testConstraint: rows that violate the user's own constraints are reported with their names, and the others arrive.
func testConstraint(t *testing.T, s *servertest.Postgres) {
	c := config(t, s.URL)
	c.Table = "strict"
	deliver(t, c)
	ask(t, s.URL, `ALTER TABLE strict ADD CONSTRAINT never_teapot CHECK (status <> 418)`)
	var documents []*schemas.Document
	for n := range 5000 {
		status := 200 + 218*((n%2500)/2499)
		documents = append(documents, &schemas.Document{Filename: "a.warc", Offset: int64(n), Status: status})
	}
	refused := deliver(t, c, documents...)
	if len(refused) != 2 || refused[0].Offset != 2499 || refused[1].Offset != 4999 {
		t.Fatalf("refused: %+v", refused)
	}
	r := refused[0]
	if r.Stage != schemas.SinkPostgres || r.Kind != schemas.KindRefused || !strings.Contains(r.Message, "never_teapot") {
		t.Errorf("refused: %+v", r)
	}
	if got := ask(t, s.URL, "SELECT count(*) FROM strict"); got[0] != "4998" {
		t.Errorf("%s rows", got)
	}
}

// testOtherTables: a table that is not ours is left alone, and what differs is said.
func testOtherTables(t *testing.T, s *servertest.Postgres) {
	ask(t, s.URL, `CREATE TABLE other (filename text, "offset" integer, note text);
		CREATE SCHEMA crawl; CREATE TABLE crawl.keyless AS SELECT * FROM documents WITH NO DATA`)
	for table, want := range map[string]string{
		"other":         `the column "offset" is of type integer and not bigint`,
		"crawl.keyless": `ALTER TABLE "crawl"."keyless" ADD PRIMARY KEY ("filename", "offset", "sequence")`,
		"nowhere.table": `schema "nowhere" does not exist`,
	} {
		c := config(t, s.URL)
		c.Table = table
		if err := c.Ask(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", table, err, want)
		}
	}
	ask(t, s.URL, `ALTER TABLE crawl.keyless ADD PRIMARY KEY (filename, "offset", sequence);
		ALTER TABLE crawl.keyless ADD note text`)
	c := config(t, s.URL)
	c.Table = "crawl.keyless"
	deliver(t, c, &schemas.Document{Filename: "a"})
}

// testTwice: of two rows of one unit that are one, the last is there.
func testTwice(t *testing.T, s *servertest.Postgres) {
	c := config(t, s.URL)
	c.Table = "twice"
	deliver(t, c, &schemas.Document{Filename: "a", Title: "first"}, &schemas.Document{Filename: "a", Title: "last"})
	if got := ask(t, s.URL, "SELECT title FROM twice"); len(got) != 1 || got[0] != "last" {
		t.Errorf("rows %q", got)
	}
}

// testRefusedAtOnce: a user whom the server does not let in gets the message at once, without waiting.
func testRefusedAtOnce(t *testing.T, s *servertest.Postgres) {
	c := config(t, strings.Replace(s.URL, "gleaner@", "stranger:hush-hush@", 1))
	c.RetryTimeout = time.Minute
	began := time.Now()
	err := c.Ask(t.Context())
	if err == nil || !strings.Contains(err.Error(), "stranger") || strings.Contains(err.Error(), "hush") ||
		time.Since(began) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// testRestarted: a server that is killed in the middle of a run is waited for, and nothing is lost.
func testRestarted(t *testing.T, s *servertest.Postgres) {
	c := config(t, s.URL)
	c.Table, c.RetryTimeout = "restarted", time.Minute
	to, err := c.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer end(t, to)
	w, err := to.Begin(t.Context(), func(r schemas.Reject) error { return fmt.Errorf("refused: %+v", r) })
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3000 {
		d := &schemas.Document{Filename: "a", Offset: int64(n), Text: strings.Repeat("text ", 500)}
		m, err := to.Encode(&sink.Page{Document: d})
		if err == nil {
			err = w.Write(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	committed := make(chan error)
	go func() { committed <- w.Commit() }()
	time.Sleep(20 * time.Millisecond) // it is within the transaction now, or after it on a fast machine
	s.Kill()
	time.Sleep(time.Second) // until its other processes have noticed, or it does not start again
	s.Restart()
	if err := <-committed; err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s.URL, "SELECT count(*) FROM restarted"); got[0] != "3000" {
		t.Errorf("%s rows", got)
	}
}

func TestComplete(t *testing.T) {
	for _, test := range []struct{ url, table, want string }{
		{"mysql://a/b", "t", "no URL of a database"},
		{"postgres://u:p%zz@host/db", "t", "no URL of a database"},
		{"postgres://u@host:port/db", "t", "no URL of a database"},
		{"postgres://u@host/db?sslmode=maybe", "t", "sslmode"},
		{"postgres://u@host/db", "Table", "no name of a table"},
		{"postgres://u@host/db", "a.b.c", "no name of a table"},
		{"postgres://u@host/db", `t"; DROP TABLE t`, "no name of a table"},
	} {
		c := Config{URL: test.url, Table: test.table}
		err := c.Complete()
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "p%zz") {
			t.Errorf("%s, %s: %v, want %q", test.url, test.table, err, test.want)
		}
	}
}

// TestComplete_password: wherever a password stands, it is in no field that is written anywhere.
func TestComplete_password(t *testing.T) {
	for _, address := range []string{
		"postgres://me:open%20sesame@host/db", "postgres://me@host/db?password=open+sesame&sslmode=disable",
	} {
		c := config(t, address)
		to, err := c.parse()
		if err != nil || to.Password != "open sesame" || to.User != "me" || strings.Contains(c.URL, "sesame") {
			t.Errorf("%s: %v, URL %s, password %q of %q", address, err, c.URL, to.Password, to.User)
		}
		if c.Elsewhere() == nil || strings.Contains(fmt.Sprint(c.Lasting(), c), "sesame") {
			t.Errorf("%s: %v, %v", address, c.Elsewhere(), c)
		}
	}
	t.Setenv(Variables[0], "of the environment")
	c := config(t, "postgres://me@host/db")
	if to, err := c.parse(); err != nil || to.Password != "of the environment" || c.Elsewhere() != nil {
		t.Errorf("%v, %v, %q", err, c.Elsewhere(), to.Password)
	}
}
