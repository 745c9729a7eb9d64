// Package postgres writes documents to a table of PostgreSQL: a row each, with columns for what is asked for most,
// and the whole document as jsonb.
//
//	c := postgres.Config{URL: "postgres://writer@127.0.0.1/crawl", Table: "documents"}
//	if err := c.Complete(); err != nil {
//		return err
//	}
//	to, err := c.Open(ctx) // a sink.Sink; the table is made when it is not there
//
// A row is known by where its capture stands: filename, "offset" and sequence. The rows of a unit wait in a temporary
// file until the unit commits, and are written in one transaction then. So nothing is there of a unit that was given
// up, and one that is done again writes over its rows. A transaction that the server breaks off, as do deadlocks,
// restarts and lost connections, is repeated from that file.
//
// PostgreSQL holds no NUL in a text: where one is in a document, the row has U+FFFD. What the server does not
// take of a unit is found by halving, and told with the server's reason; the other rows are written.
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
	"regexp"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// Version changes when the same document makes another row.
const Version = "1"

// Config says to which table documents go; without URL to none. See [sink.Config].
type Config struct {
	URL          string        // postgres://user@host:port/database, without the password after Complete
	Password     secret.Text   // that stood in URL; else it is in the environment
	Table        string        // or schema.table
	RetryTimeout time.Duration // until a transaction is given up; 5 min
}

// Variables are those of the environment that may have the password, the first that is set. A password on a command
// line is seen by all users of a machine.
var Variables = []string{"GLEANER_POSTGRES_PASSWORD", "PGPASSWORD"}

// Settings are the flags.
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

// tableName is a name that needs no quotes, with or without its schema's. 63 bytes are what PostgreSQL keeps of one.
// Names without quotes are in lower case; others would have to be quoted by all who ask the table.
var tableName = regexp.MustCompile(`^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,62}$`)

// Complete takes the password out of the URL, and finds what is wrong.
func (c *Config) Complete() error {
	if !c.Wanted() {
		return nil
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		// Emptied, because the configuration is printed in messages and jobs.
		c.URL = "" // it may hold a password
		return errors.New("--postgres: this is no URL of a database, such as postgres://writer@127.0.0.1/crawl; " +
			"what a URL has a meaning for is to be escaped in users and passwords")
	}
	if u.Query().Has("sslpassword") { // which is not taken out, and would be in the job and in messages
		c.URL = ""
		return errors.New("--postgres: sslpassword is not for URLs: have it in the environment, as PGSSLPASSWORD")
	}
	// The URL without the password is what is shown and stored.
	if password, there := u.User.Password(); there {
		c.Password, u.User = secret.Text(password), url.User(u.User.Username())
	}
	// libpq takes it there, too.
	if q := u.Query(); q.Has("password") {
		c.Password = secret.Text(q.Get("password"))
		q.Del("password")
		u.RawQuery = q.Encode()
	}
	c.URL = u.String()
	// From here on messages hide it wherever it turns up.
	secret.Note(string(c.Password))
	if _, err := c.parse(); err != nil {
		return fmt.Errorf("--postgres: %w", secret.Error(err))
	}
	if !tableName.MatchString(c.Table) {
		return fmt.Errorf("--postgres_table: %.80q is no name of a table: lower case letters, digits and underscores, with "+
			"a schema's name and a dot in front or not", c.Table)
	}
	return nil
}

// parse makes of c what the client takes. Passwords of the environment are those of the process that connects.
func (c *Config) parse() (*pgconn.Config, error) {
	to, err := pgconn.ParseConfig(c.URL)
	if err != nil {
		return nil, err
	}
	// The URL's first, then ours, then what the client itself has found in the environment or in ~/.pgpass.
	to.Password = cmp.Or(string(c.Password), os.Getenv(Variables[0]), to.Password)
	secret.Note(to.Password)
	// It is what pg_stat_activity shows of a connection.
	to.RuntimeParams["application_name"] = "gleaner"
	return to, nil
}

// Lasting say which table it is; not by which user it is written.
func (c *Config) Lasting() map[string]any {
	to, err := c.parse()
	if err != nil {
		return nil // Complete has found that
	}
	// Host, port and database, not the user: a run that goes on may be another one's.
	return map[string]any{"database": fmt.Sprintf("%s:%d/%s", to.Host, to.Port, to.Database), "table": c.Table}
}

// Versions is that of the rows.
func (*Config) Versions() map[string]string { return map[string]string{"postgres": Version} }

// Elsewhere finds a password that only this process knows.
func (c *Config) Elsewhere() error {
	if c.Password == "" {
		return nil
	}
	return fmt.Errorf("--postgres: the password in the URL would travel with the job, to be read by whoever sees jobs: "+
		"leave it out, and have %s in the environment of this command and of the workers", Variables[0])
}

// Ask makes the table, or finds out whether the one that is there will do.
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

// startTime is how long a server may take to answer at the start.
const startTime = 30 * time.Second
