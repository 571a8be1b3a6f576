import type { Tx } from '#storage/tx.ts';

/**
 * The operations on flags that tags need. The flags feature implements this interface, because it imports tags and a
 * circular import is not allowed.
 */
export interface TaggedFlags {
  /** Removes a tag, or all tags of a type, from all flags and records an event for each flag. */
  untag(tx: Tx, tags: { readonly type: string; readonly value?: string }): Promise<void>;
}
