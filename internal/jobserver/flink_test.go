//go:build linux

package jobserver_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/jobserver"
)

// TestFlinkCluster_taskManagerKilled: the cluster that other tests use starts, detects a lost task manager, and
// starts another one.
func TestFlinkCluster_taskManagerKilled(t *testing.T) {
	c := jobserver.StartFlinkCluster(t)
	c.TaskManagers[0].Kill()
	c.TaskManagers[1].Await(time.Minute, func() error {
		o, err := c.Overview()
		if err == nil && o.TaskManagers != 1 {
			err = fmt.Errorf("%d task managers, want 1", o.TaskManagers)
		}
		return err
	})
	c.Restart(0)
}
