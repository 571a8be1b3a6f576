import { sealedColumns } from '../../../storage/sealed-columns.ts';
import { failCall } from './store.ts';

/** Encrypted calls in the outbox that have not been sent yet. */
export const sealedCalls = sealedColumns({
  what: 'queued call',
  table: 'action_calls',
  columns: ['url', 'headers', 'body'],
  forget: (tx, { id }) => failCall(tx, id, 'The call was encrypted with another UNLEASH_SECRET and was not sent.'),
});
