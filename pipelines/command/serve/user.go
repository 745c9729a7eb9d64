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
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// userConfig is the command line of "serve user".
type userConfig struct {
	role, state string
	collections []string
}

func (c *userConfig) settings() []setting.Setting {
	return slices.Concat(setting.Under(what, []setting.Setting{{
		Name: "role", Value: &c.role, Default: "viewer", Example: "editor", Values: []string{"viewer", "editor", "admin"},
		Help:  "what the user may do: viewer reads, editor also starts and cancels jobs, admin also sees the audit log",
		Brief: "viewer, editor or admin",
	}}), setting.Under(where, []setting.Setting{
		{
			Name: "state", Value: &c.state, Example: "/var/lib/gleaner",
			Help:  "folder of the server's state, as serve has it",
			Brief: "folder of the server's state",
		},
		{
			Name: "collection", Value: &c.collections, Default: "out", Example: "/data/out",
			Help: "collections of the server, by which its state is found where --state names none",
		},
	}))
}

// newUserFlags makes the flags on set. Parsing them fills c.
func newUserFlags(set *flag.FlagSet, c *userConfig) *cli.Flags {
	f := cli.NewFlags(set, cli.Command{
		Name: "serve user", Args: "add|list|password|role|remove [name]",
		Words: []string{"add", "list", "password", "role", "remove"},
		Summary: "Keep the accounts of a server. A password is read from the terminal, or from the first line of standard " +
			"input. A server that is running sees changes at once.",
		Examples: []string{"go run ./pipelines/serve user add ada --role=editor --state=/var/lib/gleaner"},
	})
	// The same flags as serve has for finding the folder of state.
	f.Add(c.settings())
	f.LogFlags()
	return f
}

// user manages the accounts: serve user add|list|password|role|remove [NAME].
func user(ctx context.Context, args []string) (code int, err error) {
	var c userConfig
	f := newUserFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return cli.ExitUsage, err
	}
	if blob.IsRemote(c.state) {
		return cli.ExitUsage, cli.Usagef("--state=%s is not a folder of this machine", secret.Hide(c.state))
	}
	// By the same rule as the server, so that both find the same folder.
	if c.state == "" {
		if c.state, err = stateDir(c.collections); err != nil {
			return cli.ExitUsage, err
		}
	}
	// Two empty words make the indexes below valid.
	words := append(f.Args(), "", "")
	if n := len(f.Args()); n == 0 || n > 2 || (words[0] == "list") != (n == 1) {
		return cli.ExitUsage, cli.Usagef("say serve user add NAME, list, password NAME, role NAME or remove NAME")
	}
	// No lock is needed: SQLite lets another process write beside the server.
	s, err := account.Open(ctx, filepath.Join(c.state, accountsFile))
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r, _ := view.ParseRole(c.role) // Parse has checked it
	return keep(ctx, s, words[0], words[1], int(r))
}

// keep performs one action on the accounts.
func keep(ctx context.Context, s *account.Store, deed, name string, role int) (code int, err error) {
	switch deed {
	case "add", "password":
		var password string
		// Read before any change. Passwords are never arguments, which other users could see.
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
		// Tabs suit scripts as well as people.
		list, err = s.Users(ctx)
		for _, u := range list {
			fmt.Printf("%s\t%v\t%s\n", u.Name, view.Role(u.Role), u.Created.Format("2006-01-02"))
		}
		return cli.ExitDone, err
	default:
		return cli.ExitUsage, cli.Usagef("%q: say add, list, password, role or remove", deed)
	}
	// Such as a name that is taken or a password that is too short.
	if mistake := account.Mistake(""); errors.As(err, &mistake) {
		return cli.ExitUsage, cli.Usagef("%v", mistake)
	}
	if err != nil {
		return cli.ExitFailed, err
	}
	// The audit log includes changes from the command line.
	return cli.ExitDone, s.Note(ctx, account.Event{Who: "command line", What: "user " + deed, Detail: name})
}

// readPassword reads a password from a terminal without echo, or the first line of other input.
func readPassword(in *os.File) (string, error) {
	if term.IsTerminal(int(in.Fd())) {
		// Standard output may go to a file.
		cli.Say(os.Stderr, "Password: ")
		b, err := term.ReadPassword(int(in.Fd()))
		cli.Say(os.Stderr, "\n")
		return string(b), err
	}
	// Limited, since any input may be piped in.
	line, err := bufio.NewReader(io.LimitReader(in, 4096)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	// Blanks stay, since they may belong to the password.
	return strings.TrimRight(line, "\r\n"), nil
}
