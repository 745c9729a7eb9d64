package bigtable_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	google "cloud.google.com/go/bigtable"
	"cloud.google.com/go/bigtable/bttest"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/bigtable"
	"github.com/gleaner-web/gleaner/io/rowstore/storetest"
)

// TestStore runs against Google's own emulator of the service.
func TestStore(t *testing.T) {
	server, err := bttest.NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	connection, err := grpc.NewClient(server.Addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	admin, err := google.NewAdminClient(t.Context(), "project", "instance", option.WithGRPCConn(connection))
	if err != nil {
		t.Fatal(err)
	}
	quiet := google.ClientConfig{MetricsProvider: google.NoopMetricsProvider{}}
	client, err := google.NewClientWithConfig(t.Context(), "project", "instance", quiet, option.WithGRPCConn(connection))
	if err != nil {
		t.Fatal(err)
	}
	var tables atomic.Int64
	storetest.Test(t, func(t *testing.T) rowstore.Store {
		name := fmt.Sprint("t", tables.Add(1))
		families := map[string]google.Family{}
		for _, f := range storetest.Families {
			families[f] = google.Family{GCPolicy: google.NoGcPolicy()}
		}
		if err := admin.CreateTableFromConf(t.Context(),
			&google.TableConf{TableID: name, ColumnFamilies: families}); err != nil {
			t.Fatal(err)
		}
		return bigtable.New(client.OpenTable(name))
	})
}
