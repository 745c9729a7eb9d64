// Package postgres writes documents to a table of PostgreSQL. Each has a row, with columns for the most requested
// fields and the whole document as jsonb.
//
//	c := postgres.Config{URL: "postgres://writer@127.0.0.1/crawl", Table: "documents"}
//	if err := c.Complete(); err != nil {
//		return err
//	}
//	to, err := c.Open(ctx) // a sink.Sink; makes the table if it is missing
//
// The key of a row is the position of its capture: filename, "offset" and sequence. The rows of a unit wait in a
// temporary file until the unit commits, and are then written in one transaction. So an aborted unit leaves no rows,
// and a repeated one overwrites its rows. A transaction that the server breaks off is repeated from that file. Reasons
// are deadlocks, restarts and lost connections.
//
// PostgreSQL's texts cannot hold NUL: the row has U+FFFD instead. If the server refuses rows of a unit, these are found
// by halving and reported with the server's reason; the other rows are written.
//
// docs/formats/postgresql.md has the columns.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Version changes when the same document makes another row.
const Version = "1"

// Config selects the table for documents; without URL there is none. See [sink.Config].
type Config struct {
	URL          string        // postgres://user@host:port/database, without the password after Complete
	Password     secret.Text   // from URL; otherwise it is in the environment
	Table        string        // or schema.table
	RetryTimeout time.Duration // until a transaction fails; 5 min
}

// Variables are the variables of the environment for the password; the first one that is set counts. All users of a
// machine see its command lines.
var Variables = []string{"GLEANER_POSTGRES_PASSWORD", "PGPASSWORD"}

// Settings returns the flags.
func (c *Config) Settings() []setting.Setting {
	return []setting.Setting{
		{
			Name: "postgres", Value: &c.URL, Example: "postgres://writer@127.0.0.1/crawl",
			Help: "database of PostgreSQL, in whose table documents are written too, a unit's in one transaction before it is " +
				"done; the password is in the environment's " + Variables[0] + " or " + Variables[1],
		},
		{
			Name: "postgres_table", Value: &c.Table, Default: "documents", Example: "crawl.documents",
			Help: "the table, which is made when it is not there",
		},
	}
}

// Wanted reports whether documents are written to a table.
func (c *Config) Wanted() bool { return c.URL != "" }

// tableName matches a name that needs no quotes, with or without a schema. PostgreSQL keeps 63 bytes of a name. Names
// without quotes are in lower case; all users of the table would have to quote others.
var tableName = pattern.Lazy(`^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,62}$`)

// Complete removes the password from the URL, and checks the options.
func (c *Config) Complete() error {
	if !c.Wanted() {
		return nil
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		// Emptied, because messages and jobs show the configuration.
		c.URL = "" // it may hold a password
		return errors.New("--postgres: this is no URL of a database, such as postgres://writer@127.0.0.1/crawl; " +
			"what a URL has a meaning for is to be escaped in users and passwords")
	}
	if u.Query().Has("sslpassword") { // it is not removed, and would be in the job and in messages
		c.URL = ""
		return errors.New("--postgres: sslpassword is not for URLs: have it in the environment, as PGSSLPASSWORD")
	}
	// The URL is shown and stored without the password.
	if password, there := u.User.Password(); there {
		c.Password, u.User = secret.Text(password), url.User(u.User.Username())
	}
	// libpq accepts a password there too.
	if q := u.Query(); q.Has("password") {
		c.Password = secret.Text(q.Get("password"))
		q.Del("password")
		u.RawQuery = q.Encode()
	}
	c.URL = u.String()
	// From here on messages hide the password everywhere.
	secret.Note(string(c.Password))
	if _, err := c.parse(); err != nil {
		return fmt.Errorf("--postgres: %w", secret.Error(err))
	}
	if !tableName().MatchString(c.Table) {
		return fmt.Errorf("--postgres_table: %.80q is no name of a table: lower case letters, digits and underscores, with "+
			"a schema's name and a dot in front or not", c.Table)
	}
	return nil
}

// parse returns the client's configuration. A password in the environment is that of the connecting process.
func (c *Config) parse() (*pgconn.Config, error) {
	to, err := pgconn.ParseConfig(c.URL)
	if err != nil {
		return nil, err
	}
	// The URL's password comes first, then our variable, then the one that the client found in the environment or in
	// ~/.pgpass.
	to.Password = cmp.Or(string(c.Password), os.Getenv(Variables[0]), to.Password)
	secret.Note(to.Password)
	// pg_stat_activity shows this name for a connection.
	to.RuntimeParams["application_name"] = "gleaner"
	return to, nil
}

// Lasting returns the settings that identify the table, without the user.
func (c *Config) Lasting() map[string]any {
	to, err := c.parse()
	if err != nil {
		return nil // Complete has reported it
	}
	// Host, port and database, without the user: another user may continue the run.
	return map[string]any{"database": fmt.Sprintf("%s:%d/%s", to.Host, to.Port, to.Database), "table": c.Table}
}

// Versions returns the version of the rows.
func (*Config) Versions() map[string]string { return map[string]string{"postgres": Version} }

// Elsewhere returns an error for a password that only this process knows.
func (c *Config) Elsewhere() error {
	if c.Password == "" {
		return nil
	}
	return fmt.Errorf("--postgres: the password in the URL would travel with the job, to be read by whoever sees jobs: "+
		"leave it out, and have %s in the environment of this command and of the workers", Variables[0])
}

// Ask makes the table, or checks the existing one.
func (c *Config) Ask(ctx context.Context) error {
	s, err := c.Open(ctx)
	if err != nil {
		return fmt.Errorf("--postgres: %w", err)
	}
	return s.Close()
}

// Open connects to the database.
func (c *Config) Open(ctx context.Context) (sink.Sink, error) {
	pool, err := c.Pool()
	if err != nil {
		return nil, err
	}
	d := &database{Pool: pool, table: c.Table, patience: c.Patience()}
	start := min(d.patience, startTime)
	// Less patience than for a transaction: at the start a wrong address is more likely than an outage.
	if err := d.Try(ctx, start, func(conn *pgconn.PgConn) error { return prepare(ctx, conn, c.Table) }); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// startTime is the time for a server to answer at the start.
const startTime = 30 * time.Second
