/**
 * Returns a MurmurHash3 (x86, 32 bits) of the UTF-8 bytes of `beginning` and the given rest; `beginning` is hashed only
 * once. The hash and `seed` are unsigned 32-bit integers. Characters above U+007F are hashed like in the SDKs for Go,
 * Java, Python, Ruby, Rust and .NET; the SDK for Node hashes the low byte of each UTF-16 unit instead.
 */
export function murmur3After(beginning: string, seed: number): (rest: string) => number {
  const begun = update({ hash: seed, block: 0, bits: 0, seen: 0 }, beginning);
  return (rest) => {
    const { hash, block, seen } = update(begun, rest);
    if (seen > 0x7f) return ofBytes(encoder.encode(beginning + rest), seed);
    return finish(hash, block, beginning.length + rest.length);
  };
}

const encoder = new TextEncoder();
const c1 = 0xcc9e2d51;
const c2 = 0x1b873593;

/** The intermediate state of a hash. */
interface HashState {
  /** The hash of the complete four-byte blocks. */
  readonly hash: number;
  /** The bytes after the last complete block, and their number of bits. */
  readonly block: number;
  readonly bits: number;
  /** The bitwise OR of all character codes. Above 0x7F, the text is not ASCII and the hash is invalid. */
  readonly seen: number;
}

/** Reads character codes directly, because encoding a short key to bytes would cost more than hashing it. */
function update({ hash, block, bits, seen }: HashState, text: string): HashState {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    seen |= code;
    block |= code << bits;
    bits += 8;
    if (bits === 32) {
      hash = mix(hash, block);
      block = 0;
      bits = 0;
    }
  }
  return { hash, block, bits, seen };
}

function ofBytes(bytes: Uint8Array, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  const whole = length & ~3;
  let hash = seed;
  let at = 0;
  for (; at < whole; at += 4) hash = mix(hash, view.getInt32(at, true));
  let rest = 0;
  for (let shift = 0; at < length; at++, shift += 8) rest |= view.getUint8(at) << shift;
  return finish(hash, rest, length);
}

function scramble(block: number): number {
  const product = Math.imul(block, c1);
  return Math.imul((product << 15) | (product >>> 17), c2);
}

function mix(hash: number, block: number): number {
  const mixed = hash ^ scramble(block);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number, rest: number, length: number): number {
  // A remainder of zero bytes needs no special case: its scrambled value is 0, which leaves the hash unchanged.
  let end = hash ^ scramble(rest) ^ length;
  end = Math.imul(end ^ (end >>> 16), 0x85ebca6b);
  end = Math.imul(end ^ (end >>> 13), 0xc2b2ae35);
  return (end ^ (end >>> 16)) >>> 0;
}
