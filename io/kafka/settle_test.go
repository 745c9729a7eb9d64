package kafka

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// TestProducer_Settle: a broker answers that it commits, and marks nothing, as one that is killed in between.
func TestProducer_Settle(t *testing.T) {
	for _, tt := range []struct {
		name, state string // what the coordinator says of the transaction
		want        map[string]int
		fails       string
	}{
		{"committed", "CompleteCommit", each(0, 20), ""},
		{"aborted", "CompleteAbort", each(10, 20), ""},
		{"under way", "Ongoing", nil, "transaction crawl-a is not ended (Ongoing)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "pages"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			brokers := strings.Join(c.ListenAddrs(), ",")
			p := open(t, Config{Brokers: brokers, Properties: map[string]string{"transactional.id": "crawl", "delivery.timeout.ms": "1500"}})
			var lost *kmsg.EndTxnRequest
			c.ControlKey(int16(kmsg.EndTxn), func(r kmsg.Request) (kmsg.Response, error, bool) {
				lost = r.(*kmsg.EndTxnRequest)
				resp := r.ResponseKind().(*kmsg.EndTxnResponse)
				resp.ProducerID, resp.ProducerEpoch = lost.ProducerID, lost.ProducerEpoch+1
				return resp, nil, true
			})
			commit(t, send(t, p, "a", 0, 10))
			commit(t, send(t, p, "b", 10, 20))
			if got := keys(t, brokers); len(got) > 0 {
				t.Fatalf("%d pages are to be seen before the mark", len(got))
			}
			c.ControlKey(int16(kmsg.DescribeTransactions), func(r kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				resp := r.ResponseKind().(*kmsg.DescribeTransactionsResponse)
				s := kmsg.NewDescribeTransactionsResponseTransactionState()
				s.TransactionalID, s.State, s.ProducerID, s.ProducerEpoch = lost.TransactionalID, tt.state, lost.ProducerID, lost.ProducerEpoch+1
				resp.TransactionStates = append(resp.TransactionStates, s)
				return resp, nil, true
			})
			marked := 0
			c.ControlKey(int16(kmsg.WriteTxnMarkers), func(kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				marked++
				return nil, nil, false
			})
			c.ControlKey(int16(kmsg.DescribeProducers), func(r kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl() // the fake goes by its coordinator alone
				return r.ResponseKind(), nil, marked > 0
			})
			written, err := p.Settle(t.Context())
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("Settle = %v, want an error that says %q", err, tt.fails)
				}
				return
			}
			if err != nil || written != 1 || marked != 1 {
				t.Fatalf("Settle = %d, %v, and %d marks were written, want 1", written, err, marked)
			}
			if diff := cmp.Diff(tt.want, keys(t, brokers)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestProducer_Settle_oldBroker: what a broker cannot tell is said to be unknown, and no failure of another kind.
func TestProducer_Settle_oldBroker(t *testing.T) {
	p := open(t, Config{Brokers: fake(t, kfake.MaxVersions(kversion.V2_7_0())), Properties: map[string]string{"transactional.id": "crawl"}})
	commit(t, send(t, p, "a", 0, 10))
	if _, err := p.Settle(t.Context()); !errors.Is(err, ErrUnknown) {
		t.Errorf("Settle = %v, want %v", err, ErrUnknown)
	}
}
