import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { type ReplicaState, replicaStateSchema } from '@yardarm/contract';
import { z } from 'zod';

/** A snapshot cannot be used. The message says why and what to do. */
export class SnapshotUnusable extends Error {}

/** Increase it when a replica of the version before would misread a snapshot. */
const format = 1;

const headerSchema = z.object({
  format: z.number(),
  /** A digest of the address of the upstream and of the token: a snapshot of another server is not served. */
  source: z.string(),
  sha256: z.string(),
  /** When the state was that of the upstream, in milliseconds UTC. */
  inSyncAt: z.number(),
});

export interface Snapshot {
  readonly source: string;
  readonly inSyncAt: number;
  /** The JSON of a state. */
  readonly state: Buffer;
}

/** Returns the digest of an upstream that its snapshots carry. */
export function sourceOf(upstreamUrl: string, token: string): string {
  return sha256(`${upstreamUrl}\n${token}`);
}

/**
 * Writes the JSON of a state to a file, which is the old one or the new one at any time. Only its owner can read it: it
 * has the digests of tokens.
 */
export async function writeSnapshot(file: string, { source, inSyncAt, state }: Snapshot): Promise<void> {
  const header = JSON.stringify({ format, source, sha256: sha256(state), inSyncAt });
  const partial = `${file}.partial`;
  const handle = await open(partial, 'w', 0o600);
  try {
    await handle.writeFile(`${header}\n`);
    await handle.writeFile(state);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, file);
}

/**
 * Returns the state in a file; undefined when there is no file. Rejects with a {@link SnapshotUnusable} when the file
 * is damaged, of another format, or of another source than `source`.
 */
export async function readSnapshot(
  file: string,
  source: string,
): Promise<{ readonly state: ReplicaState; readonly inSyncAt: number } | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new SnapshotUnusable(`The snapshot ${file} cannot be read: ${error.message}`, { cause: error });
  });
  if (bytes === undefined) return undefined;
  const damaged = `The snapshot ${file} is damaged. Delete it; the replica writes a new one when its upstream answers.`;
  const end = bytes.indexOf('\n');
  const header = headerSchema.safeParse(parse(bytes.subarray(0, Math.max(0, end)).toString()));
  if (!header.success) throw new SnapshotUnusable(damaged);
  if (header.data.format !== format)
    throw new SnapshotUnusable(
      `The snapshot ${file} has the format ${header.data.format}, and this version reads ${format}. Delete it, or use the version that wrote it.`,
    );
  if (header.data.source !== source)
    throw new SnapshotUnusable(
      `The snapshot ${file} is of another upstream or another token. Delete it, or give this replica a directory of its own.`,
    );
  const state = bytes.subarray(end + 1);
  if (sha256(state) !== header.data.sha256) throw new SnapshotUnusable(damaged);
  return { state: replicaStateSchema.parse(JSON.parse(state.toString())), inSyncAt: header.data.inSyncAt };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says that the file is damaged.
    return undefined;
  }
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
