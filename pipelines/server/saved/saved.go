package saved

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Limits of a store: it is read and written as a whole.
const (
	MostSearches = 100 // of a user
	mostAll      = 10_000
)

// Errors of a store.
var (
	ErrMany  = errors.New("saved: there are as many searches as there may be")
	ErrNone  = errors.New("saved: there is no such search")
	errLarge = errors.New("saved: a name has 1 to 100 characters, and a search at most 16,000")
)

// Owner is an account. A later account may have the same name, so its searches are those since it exists.
type Owner struct {
	Name  string    // "" on loopback
	Since time.Time // zero on loopback
}

// Owns reports whether a search is of the account.
func (o Owner) Owns(one Search) bool { return one.Owner == o.Name && !one.Created.Before(o.Since) }

// Search is a saved search.
type Search struct {
	ID         string    `json:"id"`
	Owner      string    `json:"owner"` // "" on loopback
	Name       string    `json:"name"`
	Collection string    `json:"collection"`
	Query      string    `json:"query"` // parameters of a search, encoded
	Created    time.Time `json:"created"`
	Seen       int64     `json:"seen"` // number of the last batch that the owner has seen
}

// Batch is the archives that came into a collection together.
type Batch struct {
	Number int64     `json:"number"`
	At     time.Time `json:"at"`
	Files  []string  `json:"files"`
}

type content struct {
	Searches []Search           `json:"searches"`
	Batches  map[string][]Batch `json:"batches"` // by collection, the oldest first
}

// Store is a file with searches and batches. It is safe for concurrent use by one process.
type Store struct {
	path string
	mu   sync.Mutex
	content
	orders map[string]int64 // of the newest states of collections: see Arrived
}

// Open reads the file, or begins a new one.
func Open(path string) (*Store, error) {
	s := &Store{path: path, orders: map[string]int64{}}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &s.content)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("saved: %s: %w", path, err)
	}
	if s.Batches == nil {
		s.Batches = map[string][]Batch{}
	}
	return s, nil
}

// save writes the file, and then holds its content. A reader never sees half of the file.
func (s *Store) save(next content) error {
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(s.path), ".saved-*")
	if err != nil {
		return fmt.Errorf("saved: %w", err)
	}
	_, err = f.Write(data)
	// It is synced before the rename, since otherwise a power loss could leave an empty file.
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), s.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("saved: %w", err), os.Remove(f.Name()))
	}
	s.content = next
	return nil
}

// List returns the searches of a user, the newest first.
func (s *Store) List(owner Owner) (list []Search) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range slices.Backward(s.Searches) {
		if owner.Owns(one) {
			list = append(list, one)
		}
	}
	return list
}

// Get returns a search of any user: its ID cannot be guessed.
func (s *Store) Get(id string) (Search, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.Searches {
		if one.ID == id {
			return one, nil
		}
	}
	return Search{}, ErrNone
}

// Add saves a search of an owner, and returns it with its ID. All present captures count as seen. Searches of an
// earlier account of the same name are removed.
func (s *Store) Add(owner Owner, one Search) (Search, error) {
	if err := one.check(); err != nil {
		return Search{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one.Owner = owner.Name
	next := slices.DeleteFunc(slices.Clone(s.Searches), func(o Search) bool {
		return o.Owner == owner.Name && !owner.Owns(o)
	})
	own := 0
	for _, other := range next {
		if other.Owner == one.Owner {
			own++
		}
	}
	if own >= MostSearches || len(next) >= mostAll {
		return Search{}, ErrMany
	}
	id := make([]byte, 12)
	_, _ = rand.Read(id) // it never fails
	one.ID, one.Seen = hex.EncodeToString(id), s.last(one.Collection)
	return one, s.save(content{append(next, one), s.Batches})
}

func (one *Search) check() error {
	if n := len([]rune(one.Name)); n < 1 || n > 100 || len(one.Query) > 16_000 {
		return errLarge
	}
	return nil
}

// Change changes a search of its owner.
func (s *Store) Change(owner Owner, id string, change func(*Search)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(owner, id)
	if i < 0 {
		return ErrNone
	}
	one := s.Searches[i]
	change(&one)
	if err := one.check(); err != nil || one == s.Searches[i] {
		return err
	}
	next := slices.Clone(s.Searches)
	next[i] = one
	return s.save(content{next, s.Batches})
}

// Remove removes a search of its owner.
func (s *Store) Remove(owner Owner, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(owner, id)
	if i < 0 {
		return ErrNone
	}
	return s.save(content{slices.Delete(slices.Clone(s.Searches), i, i+1), s.Batches})
}

func (s *Store) find(owner Owner, id string) int {
	return slices.IndexFunc(s.Searches, func(o Search) bool { return o.ID == id && owner.Owns(o) })
}

// last returns the number of the last batch of a collection, or 0.
func (s *Store) last(collection string) int64 {
	if list := s.Batches[collection]; len(list) > 0 {
		return list[len(list)-1].Number
	}
	return 0
}

// Arrived notes the archives that a collection has at a time, and returns its batches, the oldest first. Archives that
// are gone are forgotten. Order grows with the states of a collection: a request may still hold an old one, of which
// nothing is noted.
func (s *Store) Arrived(collection string, order int64, at time.Time, files []string) ([]Batch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if order < s.orders[collection] {
		return slices.Clone(s.Batches[collection]), nil
	}
	s.orders[collection] = order
	added := map[string]bool{}
	for _, name := range files {
		added[name] = true
	}
	number, known := s.last(collection), 0
	var list []Batch
	for _, b := range s.Batches[collection] {
		kept := slices.DeleteFunc(slices.Clone(b.Files), func(name string) bool { return !added[name] })
		for _, name := range kept {
			delete(added, name)
		}
		known += len(b.Files)
		// The last batch stays even if it is empty: its number is not given again.
		if len(kept) > 0 || b.Number == number {
			list = append(list, Batch{b.Number, b.At, kept})
		}
	}
	if len(added) > 0 {
		b := Batch{Number: number + 1, At: at.UTC()}
		for name := range added {
			b.Files = append(b.Files, name)
		}
		slices.Sort(b.Files)
		list = append(list, b)
	} else if known == len(files) {
		return list, nil
	}
	batches := maps.Clone(s.Batches)
	batches[collection] = list
	return list, s.save(content{s.Searches, batches})
}
