package serve

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// userTable describes the flags of "serve user". A table of its own, as "serve user" takes few of the server's flags.
var userTable = []cli.Flag{
	{
		Name: "role", Default: "viewer", Group: what, Example: "editor", Values: []string{"viewer", "editor", "admin"},
		Brief: "viewer, editor or admin",
		Help:  "what the user may do: viewer reads, editor also starts and cancels jobs, admin also sees the audit log",
	},
	{
		Name: "state", Group: where, Example: "/var/lib/gleaner", Brief: "folder of the server's state",
		Help: "folder of the server's state, as serve has it",
	},
	{
		Name: "collection", Default: "out", Group: where, Example: "/data/out",
		Help: "collections of the server, by which its state is found where --state names none",
	},
}

// user keeps the accounts: serve user add|list|password|role|remove [NAME].
func user(ctx context.Context, args []string) (code int, err error) {
	row := cli.Rows(userTable)
	f := cli.NewFlags(flag.CommandLine, cli.Command{
		Name: "serve user", Args: "add|list|password|role|remove [name]",
		Summary: "Keep the accounts of a server. A password is read from the terminal, or from the first line of standard " +
			"input. A server that is running sees changes at once.",
		Examples: []string{"go run ./pipelines/serve user add ada --role=editor --state=/var/lib/gleaner"},
	})
	// The same flags as serve has for finding the folder of state.
	role, dir, collections := f.String(row("role")), f.String(row("state")), f.Strings(row("collection"))
	f.LogFlags()
	if err := f.Parse(args); err != nil {
		return cli.ExitUsage, err
	}
	if blob.IsRemote(*dir) {
		return cli.ExitUsage, cli.Usagef("--state=%s is not a folder of this machine", secret.Hide(*dir))
	}
	// By the same rule as the server, so that both find the same folder.
	if *dir == "" {
		if *dir, err = stateDir(*collections); err != nil {
			return cli.ExitUsage, err
		}
	}
	// Two empty words, so that the ones below exist.
	words := append(f.Args(), "", "")
	// list takes no name, and all others take one.
	if n := len(f.Args()); n == 0 || n > 2 || (words[0] == "list") != (n == 1) {
		return cli.ExitUsage, cli.Usagef("say serve user add NAME, list, password NAME, role NAME or remove NAME")
	}
	// No lock is needed: SQLite lets another process write beside the server.
	s, err := account.Open(ctx, filepath.Join(*dir, accountsFile))
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r, _ := view.ParseRole(*role) // Parse has checked it
	return keep(ctx, s, words[0], words[1], int(r))
}

// keep does one thing with the accounts.
func keep(ctx context.Context, s *account.Store, deed, name string, role int) (code int, err error) {
	switch deed {
	case "add", "password":
		var password string
		// Read before anything is changed. It is never an argument, which others on the machine could
		// see.
		if password, err = readPassword(os.Stdin); err != nil {
			return cli.ExitFailed, err
		}
		if deed == "add" {
			err = s.AddUser(ctx, name, password, role)
		} else {
			err = s.SetPassword(ctx, name, password)
		}
	case "role":
		err = s.SetRole(ctx, name, role)
	case "remove":
		err = s.RemoveUser(ctx, name)
	case "list":
		var list []account.User
		// Tabs, for scripts as well as for people.
		list, err = s.Users(ctx)
		for _, u := range list {
			fmt.Printf("%s\t%v\t%s\n", u.Name, view.Role(u.Role), u.Created.Format("2006-01-02"))
		}
		return cli.ExitDone, err
	default:
		return cli.ExitUsage, cli.Usagef("%q: say add, list, password, role or remove", deed)
	}
	// A name that is taken, or a password that is too short.
	if mistake := account.Mistake(""); errors.As(err, &mistake) {
		return cli.ExitUsage, cli.Usagef("%v", mistake)
	}
	// A store that is damaged, or a disk that is full.
	if err != nil {
		return cli.ExitFailed, err
	}
	// What the administrator does is in the audit log, too.
	return cli.ExitDone, s.Note(ctx, account.Event{Who: "command line", What: "user " + deed, Detail: name})
}

// readPassword asks for a password on a terminal, without showing it, or takes the first line that comes.
func readPassword(in *os.File) (string, error) {
	// A terminal is asked without echo; a pipe gives a line, as scripts do.
	if term.IsTerminal(int(in.Fd())) {
		// On standard error, as standard output may go to a file.
		cli.Say(os.Stderr, "Password: ")
		b, err := term.ReadPassword(int(in.Fd()))
		cli.Say(os.Stderr, "\n")
		return string(b), err
	}
	// Bounded: somebody may pipe in anything.
	line, err := bufio.NewReader(io.LimitReader(in, 4096)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	// One line end goes, and blanks stay: they may belong to the password.
	return strings.TrimRight(line, "\r\n"), nil
}
