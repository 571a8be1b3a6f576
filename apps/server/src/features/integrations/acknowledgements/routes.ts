import { type acknowledgementRoutes, attentionKinds } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { acknowledge, maySee } from './acknowledge.ts';
import type { OpenItem } from './open.ts';
import { type Acknowledgement, listAcknowledgements } from './store.ts';

/** The number of acknowledgements in an answer. */
const maxListed = 1000;

export function acknowledgementHandlers({ db, write }: Database): Handlers<typeof acknowledgementRoutes> {
  return {
    'GET /api/admin/acknowledgements': async ({ caller }) => ({ body: await present(db, caller) }),
    'POST /api/admin/acknowledgements': async ({ body, author, caller }) => {
      await write(author, (tx) => acknowledge(tx, caller, body));
      return { body: await present(db, caller) };
    },
  };
}

async function present(db: Db, caller: Identity) {
  const rows = await listAcknowledgements(db, maxListed);
  return { acknowledgements: rows.filter((row) => maySee(caller, { ...row, kind: kindOf(row) })).map(presentOne) };
}

function presentOne({ subject, acknowledged_by: by, acknowledged_at: at }: Acknowledgement) {
  return { subject, by: by ?? '', at: isoTime(at ?? 0) };
}

function kindOf({ subject }: Acknowledgement): OpenItem['kind'] {
  const name = subject.slice(0, subject.indexOf(':'));
  const kind = attentionKinds.find((known) => known === name);
  if (kind === undefined) throw new Error(`the acknowledgement of ${subject} is of no known kind`);
  return kind;
}
