/**
 * MurmurHash3, x86, 32 bits, of the UTF-8 bytes of `text`, as an unsigned integer. `seed` is an unsigned integer of 32
 * bits. Characters above U+007F are hashed as the SDKs for Go, Java, Python, Ruby, Rust and .NET do; the one for Node takes
 * the low byte of each UTF-16 unit instead.
 */
export function murmur3(text: string, seed: number): number {
  return ofAscii(text, seed) ?? ofBytes(encoder.encode(text), seed);
}

const encoder = new TextEncoder();
const c1 = 0xcc9e2d51;
const c2 = 0x1b873593;

/**
 * Reads the characters where they stand, since an array of bytes for each short key would cost more than the hash. Undefined
 * when one of them is not ASCII.
 */
function ofAscii(text: string, seed: number): number | undefined {
  const { length } = text;
  const whole = length & ~3;
  let hash = seed;
  let seen = 0;
  let at = 0;
  for (; at < whole; at += 4) {
    const a = text.charCodeAt(at);
    const b = text.charCodeAt(at + 1);
    const c = text.charCodeAt(at + 2);
    const d = text.charCodeAt(at + 3);
    seen |= a | b | c | d;
    hash = mix(hash, a | (b << 8) | (c << 16) | (d << 24));
  }
  let rest = 0;
  for (let shift = 0; at < length; at++, shift += 8) {
    const code = text.charCodeAt(at);
    seen |= code;
    rest |= code << shift;
  }
  return seen > 0x7f ? undefined : finish(hash, rest, length);
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
  // A rest of zero bytes scrambles to zero, so it need not be told from none.
  let end = hash ^ scramble(rest) ^ length;
  end = Math.imul(end ^ (end >>> 16), 0x85ebca6b);
  end = Math.imul(end ^ (end >>> 13), 0xc2b2ae35);
  return (end ^ (end >>> 16)) >>> 0;
}
