package memory_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/io/rowstore/storetest"
)

func TestStore(t *testing.T) {
	storetest.Test(t, func(*testing.T) rowstore.Store { return memory.New() })
}
