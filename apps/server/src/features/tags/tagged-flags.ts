import type { Tx } from '../../storage/tx.ts';

/** What tags have done to the flags that bear them. The flags provide it: they need tags, so tags cannot need them. */
export interface TaggedFlags {
  /** Takes a tag, or all tags of a type, off every flag, recording each. */
  untag(tx: Tx, tags: { readonly type: string; readonly value?: string }): Promise<void>;
}
