package corpora

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
)

// peer finds near-duplicates as datatrove does, in the folder it is given, and prints the cluster of each text and the
// processor time. Numbers stay as they are: the words of our world differ in them.
const peer = `
import json, os, struct, sys, time
from datatrove.data import Document
from datatrove.pipeline.dedup import MinhashDedupSignature, MinhashDedupBuckets, MinhashDedupCluster
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.utils.text import TextNormConfig
from loguru import logger
logger.remove()
dir = sys.argv[1]
texts = [json.loads(line) for line in sys.stdin]
config = MinhashConfig(n_grams=5, num_buckets=14, hashes_per_bucket=8, norm_config=TextNormConfig(norm_numbers=False))
start = time.process_time()
MinhashDedupSignature(dir + "/signatures", config).run((Document(text=t, id="") for t in texts), 0, 1)
for bucket in range(14):
    MinhashDedupBuckets(dir + "/signatures", dir + "/buckets", config=config).run(None, bucket, 14)
MinhashDedupCluster(dir + "/buckets", dir + "/clusters", config=config, save_cluster_id=True).run(None, 0, 1)
took = time.process_time() - start
ids = [-1] * len(texts)
with open(dir + "/clusters/000000.clusters", "rb") as f:
    while pair := f.read(8):
        doc, at = struct.unpack("<II", pair)
        ids[doc] = at
print(json.dumps({"clusters": ids, "seconds": took}))
`

// TestNear_asDatatrove: the same parameters on the same texts find the same near-duplicates, with a tenth of the
// processor time. With GLEANER_TEXTS=200000 among as many; that takes datatrove 30 minutes of CPU.
func TestNear_asDatatrove(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("set GLEANER_SLOW=1: datatrove has 400 MB to install, and takes 10 ms a text")
	}
	n, err := strconv.Atoi(cmp.Or(os.Getenv("GLEANER_TEXTS"), "10000"))
	if err != nil {
		t.Fatal(err)
	}
	python := pythontest.Interpreter(t, "import datatrove, spacy, regex, tokenizers, xxhash", "datatrove==0.10.1",
		"spacy==3.8.18", "regex",
		"tokenizers", "xxhash==3.5.0")
	w := newWorld(n)
	theirs, seconds := w.peerClusters(t, python)
	dir := t.TempDir()
	s := newSteps(t, filepath.Join(dir, "out"), Options{Dedup: []string{ByNear}, Keep: cluster.Longest})
	unit := unitOf(t, newFolder(t, filepath.Join(dir, "in")), w.docs)
	before := cputime.Self()
	signed, err := s.Sign(t.Context(), unit)
	if err != nil {
		t.Fatal(err)
	}
	ours := w.clusters(t, s, signed)
	took := (cputime.Self() - before).Seconds()
	var pairs, similar, same, alike, found, foundThere int
	for i := range w.docs {
		for j := i + 1; j < min(i+8, len(w.docs)); j++ {
			if w.family[i] != w.family[j] || w.family[i] < 0 {
				continue
			}
			here, there := ours[i] == ours[j], theirs[i] >= 0 && theirs[i] == theirs[j]
			pairs++
			same += count(here == there)
			if w.jaccard(i, j) >= .85 {
				similar++
				alike += count(here == there)
				found, foundThere = found+count(here), foundThere+count(there)
			}
		}
	}
	t.Logf("%d texts: of %d pairs of families %.4f have the same decision; of %d of similarity .85 or more %.4f, "+
		"%.4f are found here and %.4f there; %.1f s of CPU, datatrove %.1f, ratio 1/%.0f", len(w.docs), pairs,
		share(same, pairs), similar,
		share(alike, similar), share(found, similar), share(foundThere, similar), took, seconds, seconds/took)
	// Both draw hash functions at random: near a similarity of .69 each finds half of the pairs, and not the same half.
	if share(alike, similar) < .99 || share(same, pairs) < .9 || took > seconds/10 {
		t.Errorf("want .99 of the similar pairs and .9 of all, in a tenth of the time")
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// peerClusters tells the cluster of each document of the world by datatrove, -1 for none.
func (w *world) peerClusters(t *testing.T, python string) (clusters []int, seconds float64) {
	t.Helper()
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for _, d := range w.docs {
		if err := e.Encode(d.Text); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(python, "-c", peer, t.TempDir())
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var said struct {
		Clusters []int
		Seconds  float64
	}
	if err := json.Unmarshal(out, &said); err != nil || len(said.Clusters) != len(w.docs) {
		t.Fatalf("%v: %.200s", err, out)
	}
	return said.Clusters, said.Seconds
}
