"""CPU time of Rensa for the documents of a corpus in Parquet, to compare with scale -minhash.

pip install rensa==0.5.0 pyarrow==26.0.1
python .tools/scale/minhash.py rows/documents-*.parquet
"""
import re, sys, time
import pyarrow.parquet as pq
from rensa import RMinHash, RMinHashLSH

texts = [t for name in sys.argv[1:] for t in pq.read_table(name, columns=["text"])["text"].to_pylist() if t]
start = time.process_time()
lsh, found = RMinHashLSH(threshold=0.8, num_perm=112, num_bands=14), 0
for i, text in enumerate(texts):
    words = re.findall(r"\w+", text.lower())
    m = RMinHash(num_perm=112, seed=1)
    m.update([" ".join(words[j:j + 5]) for j in range(max(1, len(words) - 4))])
    found += bool(lsh.query(m))
    lsh.insert(i, m)
print(f"rensa: {len(texts)} texts, {found} like an earlier one, {time.process_time() - start:.2f} s CPU")
